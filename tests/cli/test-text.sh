#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Text from outside: bytes that are no UTF-8, signs that a terminal obeys,
# lines and spaces of odd kinds; locales; the rights of new files; full disks.
. "$top_srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || skip "no python3"
is_json() { python3 -c 'import json,sys; json.load(sys.stdin)'; }
# clean FILE: holds nothing that a terminal obeys or hides.
clean() {
  ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xa0\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf' "$1"
}
latin=$(printf 'l\344uf')

# ---- bytes that are no UTF-8, in JSON ----
"$CAIRN" explore "$hello" --backend host --samples 3 --budget 3 -q \
  --format json -o "$latin.jsonl" >out 2>err || complain "latin-1 name: $(cat err)"
is_json <out || complain "explore: no JSON with a latin-1 name"
grep -q 'l\\uFFFDuf.jsonl' out || complain "explore: the name is not replaced"
"$CAIRN" run "$hello" --schedule "$latin.jsonl:best" --backend host --samples 3 \
  --format json 2>err | is_json || complain "run: $(cat err)"
# A parameter whose bytes are no UTF-8 is the same one on resuming.
sed 's|<gpu name="Left"/>|<param name="note" value=""/>&|' "$hello" >note.xml
first=(explore note.xml --backend host --samples 3 -q -D "note=$latin" -o note.jsonl)
expect 0 "$CAIRN" "${first[@]}" --budget 2
expect 0 "$CAIRN" "${first[@]}" --budget 3 --resume
"$CAIRN" explore note.xml --backend host --samples 3 -q -D note=other \
  -o note.jsonl --budget 4 --resume >out 2>err && complain "another parameter is taken"
grep -q 'parameter note is' err && clean err || complain "resume: $(cat -A err)"
# Tables.
cat >"$latin.csv" <<'END'
0|1e-5|1e-5|1e-5|1e-5|1e-5|1e-6|{"kind":"BoundGpuOp","name":"Left","stream":0}
END
"$CAIRN" import "$latin.csv" -o t.jsonl --format json >out 2>err
if [ $? = 0 ]; then
  is_json <out || complain "import: no JSON with a latin-1 name"
fi
grep -qi 'out of memory' err && complain "import: says it is out of memory"

# ---- plugins' words ----
cat >bad.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <cairn/op.h>
static int run(void *s, const char *a, void *t) { (void)s, (void)a, (void)t; return 0; }
static int setup(const cairn_op_params *p, const void *c, int g, void **s, char *m, size_t n) {
  (void)c, (void)g;
  snprintf(m, n, "zu gro\337\nsee \033[31mred");
  *s = malloc(1);
  return cairn_op_param(p, "fail") != NULL;
}
static void poison(void *s) { (void)s; }
static int verify(void *s, char *m, size_t n) {
  (void)s;
  snprintf(m, n, "zu gro\337\nstatus ok\033[2J\302\233m\342\200\256");
  return 1;
}
static const cairn_op_function ops[] = {{"A", CAIRN_OP_CPU, run}};
CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {CAIRN_OP_PLUGIN_HEAD, "bad", "1", NULL, setup, free, ops, 1, poison, verify};
END
echo '<program name="bad"><plugin library="bad"/><cpu name="A"/></program>' >bad.xml
echo '<program name="bad"><plugin library="bad"/><param name="fail" value="1"/><cpu name="A"/></program>' >fail.xml
echo 'start A end' >s.txt
if cc -shared -fPIC -I"$top_builddir/include" bad.c -o bad.so 2>err; then
  "$CAIRN" run bad.xml --schedule s.txt --samples 3 --verify --format json >out 2>err
  is_json <out || complain "run: no JSON with a plugin's latin-1: $(cat err)"
  grep -q 'out of memory' err && complain "run: says it is out of memory"
  "$CAIRN" run bad.xml --schedule s.txt --samples 3 --verify >out 2>err
  cat out err >both
  clean both || complain "run: a plugin's message reaches the terminal: $(cat -A both)"
  grep -qF 'zu gro\xdf\nstatus ok\x1b[2J\u009bm\u202e' both ||
    complain "run: a plugin's message is not spelled out: $(cat -A both)"
  "$CAIRN" run fail.xml --schedule s.txt --samples 3 >out 2>err
  cat out err >both
  clean both || complain "setup: $(cat -A both)"
  grep -qF 'zu gro\xdf\nsee \x1b[31mred' both || complain "setup: $(cat -A both)"
else
  echo "note: no C compiler: plugins' words are not tried"
fi

# ---- files' words ----
printf 'start \033[31mX end\n' >esc.txt
printf '<program name="p"><cpu name="x" after="&#x9b;31m&#x202e;evil"/></program>' >c.xml
printf '<program name="p">\n<cpu na\302\205me="x"/></program>' >d.xml
newline=$(printf 'a\nb\033[1m.xml')
cp c.xml "$newline"
for try in "lint $spmv --schedule esc.txt" "check c.xml" "check d.xml"; do
  "$CAIRN" $try >both 2>&1 && complain "$try: accepted"
  clean both || complain "$try: $(cat -A both)"
done
"$CAIRN" check "$newline" >both 2>&1
clean both && [ "$(wc -l <both)" = 1 ] && grep -qF 'a\nb\x1b[1m.xml:1: error: ' both ||
  complain "a name with a line feed: $(cat -A both)"
# A no-break space shows as what it is; a lone CR ends a line.
printf '<program name="w"><gpu name="A"/><gpu name="B"/><cpu name="C" after="A\302\240B"/></program>' >nbsp.xml
expect 3 "$CAIRN" check nbsp.xml
grep -qF 'A\u00a0B' err || complain "no-break space: $(cat err)"
for end in '\r' '\n' '\r\n'; do
  printf "<program name=\"w\">$end<gpu name=\"A\"/>$end<gpu name=\"B\"/>$end<cpu name=\"C\"$end after=\"A D\"/>$end</program>$end" >lines.xml
  expect 3 "$CAIRN" check lines.xml
  grep -q '^lines.xml:5: ' err || complain "line ends $end: $(cat err)"
done

# ---- the rights of new files ----
"$CAIRN" explore "$spmv" --backend host -D rows=500 --samples 3 --budget 30 -q \
  --refine no -o a.jsonl >out 2>err || complain "explore: $(cat err)"
for mask in 077:600 022:644 002:664; do
  rm -rf new && mkdir new
  (umask ${mask%:*}
    "$CAIRN" classify a.jsonl --report new/r
    "$CAIRN" check "$hello" --dot new/p.dot
    "$CAIRN" run "$hello" --schedule order --backend host --samples 3 --trace new/t.json
    "$CAIRN" explore "$hello" --backend host --samples 3 --budget 2 -q -o new/x.jsonl
  ) >out 2>err || complain "umask: $(cat err)"
  [ "$(find new -type f | wc -l)" -ge 8 ] || complain "umask: $(find new)"
  find new -type f ! -perm ${mask#*:} | grep . && complain "umask ${mask%:*}"
done
(umask 022; "$CAIRN" check "$hello" --dot keep.dot; chmod 600 keep.dot
  "$CAIRN" check "$hello" --dot keep.dot) >out 2>err
[ "$(stat -c %a keep.dot)" = 600 ] || complain "a replaced file lost its rights"

# ---- full devices ----
if [ -w /dev/full ]; then
  full() {
    local code
    timeout 60 "$CAIRN" "$@" >/dev/full 2>err
    code=$?
    [ $code != 0 ] && [ $code -lt 124 ] && grep -q 'No space left on device' err ||
      complain "$* onto a full device: $code: $(cat err)"
  }
  for command in $("$CAIRN" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
    full $command --help
    full $command --usage
    full help $command
  done
  full --help
  full --version
  full --version --verbose
  full check "$spmv"
  full check "$spmv" --format json
  full enumerate "$spmv"
  full enumerate "$spmv" --count
  full explore --strategy help
  full explore --inject help
  full lint "$spmv" --schedule a.jsonl:best
  full classify a.jsonl
  full classify a.jsonl --format json
  full compare-runs a.jsonl a.jsonl
  full doctor
  full run "$hello" --schedule order --backend host --samples 3
  full run "$hello" --schedule order --emit c
  full explore "$spmv" -D rows=500 --backend replay:a.jsonl --budget 20
fi

# ---- locales ----
command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>err ||
  { [ $status = 0 ] && skip "no localedef, or not the locale de_DE"; exit $status; }
embed() { # LOCALE FOLDER: the decimal point
  mkdir -p "$2" && LOCPATH=$PWD LC_ALL=$1 "$top_builddir/tests/cli/embed" "$spmv" a.jsonl "$2"
}
[ "$(embed C in-c)" = . ] || complain "embed fails"
[ "$(embed de_DE.UTF-8 in-de)" = , ] || complain "embed fails in de_DE"
diff -r in-c in-de >out || complain "reports differ by locale: $(head -n 5 out)"
grep -qE '(x|width)="[0-9]+\.' in-c/report.html || complain "no numbers in the report"

# The command, when something it loads sets the locale.
printf '#include <locale.h>\n__attribute__((constructor)) static void f(void){setlocale(LC_ALL,"");}' >set.c
cc -shared -fPIC set.c -o set.so 2>err || exit $status
german() {
  local command=$CAIRN
  LOCPATH=$PWD LC_ALL=de_DE.UTF-8 LD_PRELOAD=$PWD/set.so "$command" "$@"
}
german --version >out 2>&1 || { echo "note: nothing can be preloaded here"; exit $status; }
same() { # also with numbers that are read
  "$CAIRN" "$@" >c.out 2>c.err
  local code=$?
  german "$@" >de.out 2>de.err
  [ $? = $code ] && cmp -s c.out de.out && cmp -s c.err de.err ||
    complain "$* differs by locale: $(diff c.out de.out | head -n 4) $(diff c.err de.err | head -n 4)"
}
same check "$spmv"
same check "$spmv" --format json
same check missing.xml
same classify a.jsonl
same classify a.jsonl --format json --percentile 12.5 --bandwidth 0.7
same classify a.jsonl --bandwidth 0,7
same compare-runs a.jsonl a.jsonl
same compare-runs a.jsonl a.jsonl --format json
same explore "$spmv" -D rows=500 --backend replay:a.jsonl --budget 20 --set c=0.7 --strategy rollout
same explore "$spmv" -D rows=500 --backend replay:a.jsonl --budget 20 --format json
exit $status
