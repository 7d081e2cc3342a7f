#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Plugins that are none, broken or made for something else, and bad input that
# a plugin finds: one message that names the file, exit 3 on all ranks, no
# journal.  The plugins are damaged copies of ring.so.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "SKIP: not x86-64"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
here=$(cd "$top_builddir" && pwd)
unset CAIRN_PLUGIN_PATH
failed=0 count=0

cp "$top_srcdir/tests/exec/ring.xml" "$dir/p.xml"
cat >"$dir/damage.py" <<'PY'
import struct, sys
source, target, what = sys.argv[1:]
data = bytearray(open(source, "rb").read())
# magic, ABI 1.0, sizes: the head of the struct
at = data.index(struct.pack("<IHH", 0x4E524943, 1, 0))
def put(offset, form, value):
    data[at + offset:at + offset + struct.calcsize(form)] = struct.pack(form, value)
def rename(old, new):
    assert len(old) == len(new) and old in data
    data[:] = data.replace(old, new)
def load_end():
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQ", data, start + i * size)
                for i in range(count)]
    return max(s[2] + s[5] for s in segments if s[0] == 1)
{"none": lambda: None,
 "magic": lambda: put(0, "<I", 7),
 "abi-major": lambda: put(4, "<H", 9),
 "abi-minor": lambda: put(6, "<H", 99),
 "size": lambda: put(8, "<I", 8),
 "op-size": lambda: put(12, "<I", 4),
 "symbol": lambda: rename(b"cairn_plugin\0", b"cairn_plagin\0"),
 "text": lambda: data.__setitem__(slice(None), b"#!/bin/sh\nexit 0\n"),
 "empty": lambda: data.clear(),
 "long-text": lambda: data.__setitem__(slice(None), b"#!/bin/sh\nexit 0\n" * 99),
 "cut-head": lambda: data.__delitem__(slice(63, None)),
 "cut-table": lambda: data.__delitem__(slice(100, None)),
 "cut": lambda: data.__delitem__(slice(1000, None)),
 # the last segment's bytes are needed, the tables behind it are not
 "cut-end": lambda: data.__delitem__(slice(load_end() - 1, None)),
 "machine": lambda: data.__setitem__(slice(18, 20), b"\x08\x00"),
 "class": lambda: data.__setitem__(4, 1),
 "type": lambda: data.__setitem__(slice(16, 18), b"\x01\x00"),
 "zeros": lambda: data.__setitem__(slice(64, None), bytes(len(data) - 64)),
 }[what]()
open(target, "wb").write(data)
PY

# exit code, words of the message, arguments of explore
expect() {
  code=$1 words=$2
  shift 2
  count=$((count + 1))
  rm -f "$dir/run.jsonl"
  $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore "$@" --backend host \
    -o "$dir/run.jsonl" >"$dir/out" 2>"$dir/err"
  rc=$?
  [ $rc = "$code" ] || { echo "FAIL: $words: exit $rc, expected $code"; failed=1; cat "$dir/err"; }
  grep -qF -e "$words" "$dir/err" ||
    { echo "FAIL: '$words' not in:"; cat "$dir/err"; failed=1; }
  [ "$(grep -c 'error:' "$dir/err")" = 1 ] ||
    { echo "FAIL: $words: not one message:"; cat "$dir/err"; failed=1; }
  [ ! -e "$dir/run.jsonl" ] && [ ! -s "$dir/out" ] ||
    { echo "FAIL: $words: something was done"; failed=1; }
}
broken() { # damage, words
  python3 "$dir/damage.py" "$here/tests/exec/ring.so" "$dir/ring.so" "$1" || exit 99
  expect 3 "$2" "$dir/p.xml"
}
broken text "ring.so: too short for a shared object"
broken long-text "ring.so: no shared object (ELF file)"
broken empty "ring.so: too short for a shared object"
broken cut-head "ring.so: too short for a shared object"
broken cut-table "ring.so: cut short"
broken cut "ring.so: cut short"
broken cut-end "ring.so: cut short"
broken zeros "ring.so"
broken type "ring.so: no shared object (ELF file of another type)"
broken machine "ring.so: made for another kind of machine"
broken class "ring.so: made for another kind of machine"
# a sanitizer's own symbol shares the name's bytes
[ -n "${CAIRN_SANITIZED:-}" ] || broken symbol "ring.so: no symbol cairn_plugin"
broken magic "ring.so: cairn_plugin is no cairn_op_plugin (magic 00000007)"
broken abi-major "ring.so: made for plugin ABI 9.0, this cairn has 1."
broken abi-minor "ring.so: made for plugin ABI 1.99, this cairn has 1."
broken size "ring.so: structs of 8 and"
broken op-size "and 4 bytes, expected"
rm "$dir/ring.so"
mkdir "$dir/ring.so"
expect 3 "ring.so: not a regular file" "$dir/p.xml"
rmdir "$dir/ring.so"
expect 4 "plugin ring.so not found in $dir" "$dir/p.xml"

# A good plugin that does not fit the program: file and line of the program.
cp "$here/tests/exec/ring.so" "$dir"
sed 's/<gpu name="add"/<gpu name="add" call="addd"/' "$dir/p.xml" >"$dir/q.xml"
expect 3 "q.xml:10: error: op add calls addd, which plugin ring does not have; did you mean add?" "$dir/q.xml"
sed 's/<gpu name="other"/<cpu name="other"/' "$dir/p.xml" >"$dir/q.xml"
expect 3 "q.xml:6: error: op other is a cpu op here and a gpu op in plugin ring" "$dir/q.xml"
sed '/<plugin/d' "$dir/p.xml" >"$dir/q.xml"
expect 3 "q.xml: error: names no plugin" "$dir/q.xml"
# What the other rank has set up stays: teardown may talk to all ranks.
kept=${ASAN_OPTIONS:-}
export ASAN_OPTIONS="$kept:detect_leaks=0"
expect 4 "plugin ring: setup failed: told to fail on rank 0" "$dir/p.xml" -D fail=0
expect 4 "plugin ring: setup failed: told to fail on rank 1" "$dir/p.xml" -D fail=1
export ASAN_OPTIONS="$kept"

# What a plugin finds wrong with a file or a parameter.
spmv=$top_srcdir/examples/spmv/spmv.xml
CAIRN_PLUGIN_PATH=$here/examples/spmv
export CAIRN_PLUGIN_PATH
expect 3 'parameter rows is "many"' "$spmv" -D rows=many
expect 3 "no-such.mtx: No such file" "$spmv" -D "matrix=$dir/no-such.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n' >"$dir/m.mtx"
expect 3 "m.mtx:3: row 3 is not within 1 to 2" "$spmv" -D "matrix=$dir/m.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n200000000 200000000 1\n1 1 1\n' >"$dir/m.mtx"
expect 3 "m.mtx:2: 200000000 rows and only 1 entries" "$spmv" -D "matrix=$dir/m.mtx"
# seen by the rank that holds the row
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 1\n4 2\n4 2\n' >"$dir/m.mtx"
expect 3 "m.mtx:5: entry (4, 2) was given in line 4 already" "$spmv" -D "matrix=$dir/m.mtx"
echo "$count refusals, $([ $failed = 0 ] && echo all as expected || echo some wrong)"
exit $failed
