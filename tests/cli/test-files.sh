#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Files that are not ours: nothing of the user's is overwritten, nothing waits
# for a pipe that was not named as input, and what can only be written at the
# end is asked for before anything is measured.
. "$top_srcdir/tests/cli/lib.sh" || exit 99

# same FILE TEXT: it still holds just this.
same() { printf "$2" | cmp -s - "$1" || complain "$1 became: $(head -c 200 "$1")"; }
# quick CODE COMMAND...: expect, and it does not hang.
quick() {
  local code=$1
  shift
  expect "$code" timeout 20 "$@"
}
explore() { # CODE ARGUMENTS...: on recorded times
  local code=$1
  shift
  quick "$code" "$CAIRN" explore "$hello" --backend replay:table.jsonl "$@"
}

# A table of hello's schedules.
"$CAIRN" enumerate "$hello" >schedules || complain "enumerate"
python3 - schedules >table <<'PY' || skip "no python3"
import json, sys
for i, line in enumerate(open(sys.argv[1])):
    row = [str(i)] + ["%.9g" % (1e-4 * (1 + 0.1 * i) * f)
                      for f in (0.99, 1, 1.01, 1.02, 1.03)] + ["1e-7"]
    for item in line.split():
        name, _, rest = item.partition("@")
        stream, _, event = rest.partition("#")
        if name.startswith("CES"):
            name, _, event = item.partition("#")
            op = {"name": name, "kind": "CudaEventSync", "event": int(event)}
        else:
            op = {"name": name}
            if rest:
                op["stream"] = int(stream)
            if event:
                op["event"] = int(event)
                op["kind"] = ("CudaEventRecord" if name.startswith("CER") else
                              "CudaStreamWaitEvent")
        row.append(json.dumps(op))
    print("|".join(row))
PY
quick 0 "$CAIRN" import table -o table.jsonl
explore 0 -o whole.jsonl -q
cp out whole.out

# --resume: only a journal, or the beginning of one.
i=0
for text in 'precious data' 'precious data\n' '{"a":1}' '{"a":1}\nmore' \
  '<program/>' '{"k":"header","format":2,"cairn":"9' '\n' '\037\213 data'; do
  i=$((i + 1))
  printf "$text" >notes$i
  explore 3 -o notes$i --resume
  grep -q "notes$i" err || complain "notes$i: no message: $(cat err)"
  same notes$i "$text"
  expect 3 timeout 20 "$CAIRN" launch --restarts 0 -- sh -c 'exit 0' -o notes$i
  same notes$i "$text"
done
mkfifo pipe
mkdir folder
ln -s nowhere dangling
for what in pipe folder /dev/null; do
  explore 3 -o $what --resume
  explore 2 -o $what
  quick 3 "$CAIRN" launch --restarts 0 -- sh -c 'exit 0' -o $what
done
[ -p pipe ] && [ -d folder ] && [ -c /dev/null ] || complain "a file changed its kind"
: >empty.jsonl
explore 0 -o empty.jsonl --resume -q
cmp -s empty.jsonl whole.jsonl || complain "an empty file is not gone on with"

# Cut at every byte of the header and of the end, and here and there: the same
# journal again.  The whole one stays as it is: one end.
size=$(wc -c <whole.jsonl)
header=$(head -n 1 whole.jsonl | wc -c)
for cut in $(seq 1 7 "$header") "$header" $((header + 1)) $(seq "$header" 97 "$size") \
  $(seq $((size - 70)) "$size"); do
  [ "$cut" -le "$size" ] && [ "$cut" -gt 0 ] || continue
  head -c "$cut" whole.jsonl >cut.jsonl
  explore 0 -o cut.jsonl --resume -q
  cmp -s cut.jsonl whole.jsonl || complain "cut at byte $cut: another journal"
done
explore 0 -o whole.jsonl --resume
equal "ends" "$(grep -c '"k":"end"' whole.jsonl)" 1
cmp -s cut.jsonl whole.jsonl || complain "resuming a finished journal changes it"

# Stopped early and gone on with: one end, the bytes of an undisturbed run.
explore 0 -o part.jsonl --budget 3 -q
explore 0 -o part.jsonl --budget 3 --resume -q
equal "ends of a part" "$(grep -c '"k":"end"' part.jsonl)" 1
explore 0 -o part.jsonl --resume -q
cmp -s part.jsonl whole.jsonl || complain "a part that was gone on with differs"

# Outputs that cannot be written: said before anything is measured.
: >file
for option in "--report file/rep" "--report file" "--dot folder" "--dot none/x" \
  "--dot dangling"; do
  explore 4 -o early.jsonl $option
  [ -e early.jsonl ] && complain "$option: measured all the same"
  [ -s err ] || complain "$option: no message"
done
mkdir report
mkfifo report/report.html
explore 4 -o early.jsonl --report report
[ -e early.jsonl ] && complain "a report with a pipe in it: measured all the same"
quick 4 "$CAIRN" classify whole.jsonl --report file/rep
quick 4 "$CAIRN" check "$hello" --dot none/x
quick 4 "$CAIRN" import table -o none/x.jsonl

# Outputs that would fall on an input.
cp "$hello" program.xml
cp "$hello" kept.xml
quick 2 "$CAIRN" check program.xml --dot program.xml
ln -s program.xml link.xml
quick 2 "$CAIRN" check program.xml --dot link.xml
explore 2 --dot table.jsonl
quick 2 "$CAIRN" import table -o table
cmp -s program.xml kept.xml || complain "the program was overwritten"
quick 2 "$CAIRN" import table -o table.jsonl

# Pipes and devices as they are; a link stays a link.
quick 0 "$CAIRN" check "$hello" --dot plain.dot
quick 0 "$CAIRN" check "$hello" --dot /dev/null
[ -c /dev/null ] || complain "/dev/null is a device no more"
cat pipe >read.dot &
quick 0 "$CAIRN" check "$hello" --dot pipe
wait $!
cmp -s read.dot plain.dot && [ -p pipe ] || complain "--dot onto a pipe"
"$CAIRN" check "$hello" --dot /dev/fd/3 3>numbered.dot >out 2>err
cmp -s numbered.dot plain.dot || complain "--dot /dev/fd/3"
: >target.dot
ln -s target.dot link.dot
quick 0 "$CAIRN" check "$hello" --dot link.dot
[ -L link.dot ] && cmp -s target.dot plain.dot || complain "--dot through a link"
"$CAIRN" import table -o /dev/stdout -q 2>err | head -n 1 | grep -q '"k":"header"' ||
  complain "import -o /dev/stdout: $(cat err)"
ls /dev/stdout.* >/dev/null 2>&1 && complain "a file beside /dev/stdout"

# Inputs from pipes, packed too.
quick 0 "$CAIRN" classify whole.jsonl
cp out classes
cat whole.jsonl | quick 0 "$CAIRN" classify /dev/stdin
cmp -s out classes || complain "a journal from a pipe: other classes"
gzip -c whole.jsonl | quick 0 "$CAIRN" classify /dev/stdin
cmp -s out classes || complain "a packed journal from a pipe: other classes"
xz -c whole.jsonl >whole.xz
quick 0 "$CAIRN" classify <(cat whole.xz)
cmp -s out classes || complain "a packed journal from a substitution"
quick 0 "$CAIRN" check "$hello"
cp out checked
cat "$hello" | quick 0 "$CAIRN" check /dev/stdin
cmp -s out checked || complain "a program from a pipe"
quick 0 "$CAIRN" check /dev/stdin <"$hello"
cmp -s out checked || complain "a program from standard input"
{ sleep 0.3; cat "$hello"; } >pipe &
quick 0 "$CAIRN" check pipe
cmp -s out checked || complain "a program from a named pipe"
wait
head -n 1 schedules | quick 0 "$CAIRN" lint "$hello" --schedule /dev/stdin
quick 0 "$CAIRN" explore "$hello" --backend replay:<(cat table.jsonl) -o piped.jsonl -q
quick 3 "$CAIRN" check folder
quick 3 "$CAIRN" check /dev/zero
if [ -n "$MPIEXEC" ]; then # each rank would get a part
  expect 3 ranks 2 "$CAIRN" explore pipe --backend host
fi
exit $status
