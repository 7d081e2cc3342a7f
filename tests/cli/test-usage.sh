#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Exit codes and messages of wrong usage, and that lost output is no success.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
status=0
program=$top_srcdir/examples/hello/hello.xml
printf "<program name=\"x\">\n<cpu nmae=\"a\"/>\n</program>\n" >broken.xml
echo "no journal" >not.jsonl

# expect CODE PATTERN ARGUMENT...: exit code, and what standard error says.
expect() {
  code=$1 pattern=$2
  shift 2
  "$CAIRN" "$@" >out 2>err
  got=$?
  if [ $got != "$code" ] || { [ -n "$pattern" ] && ! grep -qE -- "$pattern" err; }; then
    echo "cairn $*: expected $code and \"$pattern\", got $got and:"
    cat err
    status=1
  fi
  if [ "$code" != 0 ] && [ -s out ]; then
    echo "cairn $*: printed on standard output: $(head -c 200 out)"
    status=1
  fi
}

expect 2 '^Usage: cairn'
expect 2 'unknown command "chekc": did you mean "check"' chekc "$program"
expect 2 'unknown option "--versoin"' --versoin
for command in $("$CAIRN" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
  expect 2 "cairn $command: unrecognized option '--no-such'" $command --no-such
  expect 2 "cairn $command: --format \"xml\": expected one of text, .*json" \
    $command --format xml
  expect 0 '' $command --help
  grep -q "^Usage: cairn $command" out || {
    echo "cairn $command --help: no usage line"
    status=1
  }
done
expect 2 'streams "33": expected a whole number from 1 to 32' \
  check --streams 33 "$program"
expect 2 'streams "2x"' check --streams 2x "$program"
expect 2 'sync "minimum": expected one of tidy, minimal' \
  enumerate --sync minimum "$program"
expect 2 'expected NAME=VALUE' check -D size "$program"
expect 2 'did you mean' check -D row=3 "$top_srcdir/examples/spmv/spmv.xml"
expect 2 'a program file is needed' explore
expect 2 'strategy "coverag": .*did you mean coverage' \
  explore --strategy coverag "$program"
expect 2 'resume needs -o' explore --resume "$program"
expect 2 'accept-different needs --resume' explore --accept-different "$program"
expect 2 'expected replay:FILE' explore --backend replay "$program"
expect 2 'set "c": expected NAME=VALUE' explore --set c "$program"
expect 2 'budget "0"' explore --budget 0 "$program"
expect 2 'unexpected argument' explore "$program" more
expect 3 'missing.xml' check missing.xml
expect 3 'missing.xml' enumerate missing.xml
expect 3 'missing.jsonl' classify missing.jsonl
expect 3 'missing.jsonl' explore --backend replay:missing.jsonl "$program"
expect 3 'broken.xml:2: ' check broken.xml
expect 3 'not.jsonl' classify not.jsonl

# Only rank 0 speaks; for more see test-launchers.sh.
PMI_RANK=1 PMI_FD=99 "$CAIRN" run --streams 0 "$program" >out 2>&1
[ $? = 2 ] && [ ! -s out ] || { echo "rank 1 spoke: $(cat out)"; status=1; }

if [ -w /dev/full ]; then
  for arguments in --help "enumerate $program" "--version --verbose"; do
    "$CAIRN" $arguments >/dev/full 2>err
    got=$?
    if [ $got != 4 ] || ! grep -q 'standard output: ' err; then
      echo "cairn $arguments >/dev/full: $got: $(cat err)"
      status=1
    fi
  done
fi
# A reader that goes away ends the command quietly.
"$CAIRN" enumerate "$top_srcdir/examples/spmv/spmv.xml" 2>err | head -n 1 >out
[ "$(wc -l <out)" = 1 ] && [ ! -s err ] || { cat err; status=1; }
exit $status
