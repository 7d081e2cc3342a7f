#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Plugins as users meet them: parameters that are no numbers, a program file
# that is a link, and one written in C++.
. "$top_srcdir/tests/cli/lib.sh" || exit 99

# ---- parameters ----
# bad PROGRAM NAME: what is no whole number is refused, by name, unmeasured.
bad() {
  local value
  for value in abc '' -1 5x; do
    expect 3 "$CAIRN" explore "$1" -D "$2=$value" --backend host --budget 1 \
      --samples 1 -o bad.jsonl
    grep -qF "parameter $2 is \"$value\"" err ||
      complain "$2=$value is not named: $(cat err)"
    expect 3 "$CAIRN" run "$1" -D "$2=$value" --backend host --samples 1
    grep -qs '"k":"result"' bad.jsonl && complain "$2=$value was measured"
    rm -f bad.jsonl
  done
}
bad "$hello" length
bad "$spmv" rows
bad "$spmv" band
expect 0 "$CAIRN" run "$hello" -D length=5 --backend host --samples 1

# ---- a link to a program ----
# The plugin lies beside the file that is meant, and nowhere else.
mkdir real
sed 's/library="hello"/library="linked"/' "$hello" >real/linked.xml
cp "$top_builddir/examples/hello/hello.so" real/linked.so
cp real/linked.xml alone.xml
ln -s real/linked.xml link.xml
ln -s link.xml twice.xml
run() { env -u CAIRN_PLUGIN_PATH "$CAIRN" run "$1" --backend host --samples 1; }
for file in real/linked.xml link.xml twice.xml "$PWD/link.xml"; do
  expect 0 run "$file"
done
expect 4 run alone.xml
grep -q 'linked.so not found' err || complain "a copy alone: $(cat err)"
[ $status = 0 ] || exit $status

# ---- C++ ----
command -v g++ >/dev/null || skip "no g++; the rest is fine"
[ -z "${CAIRN_SANITIZED:-}" ] || skip "sanitizers; the rest is fine"
cat >plus.cc <<'C'
#include <cairn/op.h>
#include <new>
namespace {
struct state { int a, b; };
int run_a(void *s, const char *, void *) { static_cast<state *>(s)->a = 1; return 0; }
int run_b(void *s, const char *, void *) {
  static_cast<state *>(s)->b = static_cast<state *>(s)->a + 1;
  return 0;
}
int setup(const cairn_op_params *, const void *, int, void **out, char *, size_t) {
  *out = new (std::nothrow) state();
  return *out == nullptr;
}
void teardown(void *s) { delete static_cast<state *>(s); }
void poison(void *s) { *static_cast<state *>(s) = state{-7, -7}; }
int verify(void *s, char *, size_t) { return static_cast<state *>(s)->b != 2; }
const cairn_op_function ops[] = {{"A", CAIRN_OP_CPU, run_a},
                                 {"B", CAIRN_OP_CPU, run_b}};
}
CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {
    CAIRN_OP_PLUGIN_HEAD, "plus", "1", nullptr, setup,
    teardown, ops, 2, poison, verify};
C
sed 's/^CAIRN_OP_EXPORT //' plus.cc >bare.cc
for name in plus bare; do
  g++ -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden \
    -I"$top_builddir/include" -o $name.so $name.cc 2>log ||
    complain "g++: $(cat log)"
  echo "<program name=\"$name\"><plugin library=\"$name\"/><cpu name=\"A\"/><cpu
    name=\"B\" after=\"A\"/></program>" >$name.xml
done
expect 0 "$CAIRN" run plus.xml --backend host --samples 2 --verify
# Without it the const is local to its file: the test would notice.
"$CAIRN" run bare.xml --backend host --samples 2 >out 2>err &&
  complain "a plugin that shows nothing runs"
grep -q 'cairn_plugin' err || complain "nothing shown: $(cat err)"
exit $status
