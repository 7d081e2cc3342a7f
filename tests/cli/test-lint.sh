#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# lint in the search: programs and orders that can deadlock are refused with
# the edge to add; an order is placed among measured ones.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
[ -n "$MPIEXEC" ] || skip "no launcher"

# ---- deadlocks ----
# spmv less one edge: WaitRecv can stand before PostSend, which the peers wait
# for.
sed 's/"WaitRecv" after="PostSend PostRecv"/"WaitRecv" after="PostRecv"/' \
  "$spmv" >loose.xml
cmp -s loose.xml "$spmv" && complain "spmv.xml has changed"
line=$(grep -n '"WaitRecv"' loose.xml | cut -d: -f1)
loose() {
  local command=$1
  shift
  ranks 2 "$CAIRN" "$command" loose.xml -D rows=400 --backend host --samples 1 "$@"
}
expect 1 "$CAIRN" check loose.xml
# It shows one: an order of all ops with the wait before the post.
shown=$(grep -A1 '^a schedule that can deadlock:' out | tail -n 1)
[[ $shown == *' WaitRecv '*' PostSend '* ]] || complain "none shown: $(cat out)"
equal "ops in it" "$(tr ' ' '\n' <<<"$shown" | grep -cE '^(Pack|yl|yr|y)@|^(Post|Wait)')" 8
expect 0 "$CAIRN" check "$spmv"
grep -q 'a schedule that can deadlock' out && complain "spmv can deadlock"
expect 1 "$CAIRN" check loose.xml --format json
jq -r .deadlock out | grep -q 'WaitRecv.*PostSend' || complain "JSON: $(cat out)"
expect 3 loose explore --budget 2
grep -q "^loose.xml:$line: error: WaitRecv waits for \"recv\" .* is the peers' matching post: .*; add PostSend to the 'after' of WaitRecv" err ||
  complain "no edge named: $(cat err)"
[ -e run.jsonl ] && complain "a refused program has a journal"
rest='yl@0 yr@0 y@0 CER-after-y@0#1 CES-b4-end#1 end'
head='start Pack@0 PostRecv CER-after-Pack@0#0 CES-b4-PostSend#0'
echo "$head WaitRecv PostSend WaitSend $rest" >hangs.txt
echo "$head PostSend WaitRecv WaitSend $rest" >works.txt
expect 3 loose run --schedule hangs.txt
grep -q 'can deadlock' err || complain "run: $(cat err)"
expect 0 loose run --schedule works.txt
# Told to, they run: this one hangs, and the watchdog ends it (a launcher may
# lose the code).
loose run --schedule hangs.txt --allow-deadlocks --watchdog 1 >out 2>err &&
  complain "a schedule that hangs succeeds"
grep -q 'hang: no progress .* stands at WaitRecv' err || complain "no hang: $(cat err)"
expect 0 loose explore --budget 1 --seed 1 --allow-deadlocks -o run.jsonl
# A replay runs nothing, so nothing can hang.
expect 0 "$CAIRN" explore loose.xml --backend replay:run.jsonl --budget 1 --seed 1
# A recording of spmv is one of another program: it has an edge more.
expect 0 "$CAIRN" explore "$spmv" -D rows=400 --backend host --budget 20 \
  --samples 1 -o some.jsonl
expect 3 "$CAIRN" explore loose.xml --backend replay:some.jsonl --budget 3
grep -q 'the edges between the operations' err || complain "edges: $(cat err)"

# ---- buffers in use by messages ----
# C reads what is still being received, D writes what is still being sent.
cat >flight.xml <<'END'
<program name="flight">
  <cpu name="PR" posts="r" from="s" writes="z"/>
  <cpu name="PS" posts="s" reads="y" after="PR"/>
  <gpu name="C" after="PS" reads="z"/>
  <gpu name="D" after="PS" writes="y"/>
  <cpu name="W" after="C D" waits="s r"/>
</program>
END
expect 1 "$CAIRN" check flight.xml
equal "found by check" "$(grep -c '^forgotten-edge: W and [CD] both touch "[zy]"' out)" 2
echo 'start PR PS C@0 D@0 CER-after-D@0#0 CES-b4-W#0 W end' >flight.txt
expect 1 "$CAIRN" lint flight.xml --schedule flight.txt
equal "found by lint" "$(grep -c 'data-race: W -> [CD]' out)" 2
# After the wait they are safe.
sed 's/after="PS" reads/after="W" reads/; s/after="PS" writes/after="W" writes/; s/after="C D" waits/after="PS" waits/' \
  flight.xml >safe.xml
expect 0 "$CAIRN" check safe.xml
echo 'start PR PS W C@0 D@1 CER-after-C@0#0 CES-b4-end#0 CER-after-D@1#1 CES-b4-end#1 end' >safe.txt
expect 0 "$CAIRN" lint safe.xml --schedule safe.txt
# Of two schedules in a file none is linted.
cat safe.txt safe.txt >two.txt
expect 3 "$CAIRN" lint safe.xml --schedule two.txt

# ---- maps of a log ----
cat >two.xml <<'END'
<program name="two">
  <gpu name="a"/>
  <gpu name="b" after="a"/>
</program>
END
head='cairn-capture 1 rank 0 of 2 cudart shared '
printf '%s\n' "$head" mark 'launch 1 _Z4fillPd' 'launch 1 work' 'launch 1 work' \
  'streamsync 1' mark 'launch 1 _Z4fillPd' 'launch 1 work' 'launch 1 work' \
  'streamsync 1' >0.log
# Here another kernel does the second op.
sed 's/rank 0/rank 1/; s/ work/ other/' 0.log >1.log
maps() {
  local code=$1
  shift
  expect "$code" "$CAIRN" lint two.xml --wrong-only "$@"
}
maps 0 --schedule 0.log --map fill=a --map work=b
maps 0 --schedule 0.log --map fill=a --map work#1=b --map work#2=b
maps 2 --schedule 0.log --map fill=a --map work=b --map wrok=b
grep -q '^cairn: error: --map "wrok=b": no call of the log is named "wrok"; did you mean "work"?$' err ||
  complain "no name meant: $(cat err)"
[ -s out ] && complain "findings all the same: $(cat out)"
maps 2 --schedule 0.log --map fill=a --map work=b --map fil#1=a --map pack=a
grep -q '"fil#1=a": no call of the log is named "fil"; did you mean "fill"?$' err ||
  complain "no C++ name meant: $(cat err)"
grep -q '"pack=a": no call of the log is named "pack"$' err ||
  complain "not all told: $(cat err)"
maps 2 --schedule 0.log --map fill=a --map work=b --map work#3=b
grep -q '"work#3=b": no iteration has so many calls of work (2 at most)$' err ||
  complain "no third call: $(cat err)"
# One rank's log is enough, whichever.
maps 0 --schedule 0.log --schedule 1.log --map fill=a --map work=b --map other=b
maps 2 --schedule 0.log --map fill=a --map work=b --map other=b
maps 2 --schedule 0.log --schedule 1.log --map fill=a --map work=b \
  --map other=b --map othr=a
grep -q 'no call of the logs is named "othr"; did you mean "other"?$' err ||
  complain "no name of rank 1 meant: $(cat err)"
# There is nothing to map in a schedule.
echo 'start a@0 b@0 CER@0#0 CES#0 end' >two.txt
maps 0 --schedule two.txt
maps 2 --schedule two.txt --map work=b
grep -q -e '--map "work=b": two.txt is no log of libcairn-capture$' err ||
  complain "a map without a log: $(cat err)"

# ---- a text's own numbers ----
echo 'start a@3 CER-x@3#9 b@5 CES-b4-end#4 CER@5#7 CES#7 end' >names.txt
expect 1 "$CAIRN" lint two.xml --schedule names.txt
for line in 'item 2, CER@3#9: redundant-record: nobody waits for event #9' \
  'item 3, b@5: race: .*' \
  '    repair: let stream 5 wait for event #9 (item 2) before item 3 (b): CSW@5' \
  'item 4, CES#4: unrecorded-wait: wait for event #4, which is never recorded: .*' \
  '    repair: record event #4 before item 4, or remove the wait'; do
  grep -qx -- "$line" out || complain "no \"$line\": $(cat out)"
done
expect 1 "$CAIRN" lint two.xml --schedule names.txt --format json
equal "event in JSON" "$(jq -r '.findings[] | select(.kind == "race").repair' out)" \
  'let stream 5 wait for event #9 (item 2) before item 3 (b): CSW@5'

# ---- among measured schedules ----
[ -d "$data" ] || skip "no recorded spaces beside the source tree"
expect 0 "$CAIRN" import "$data/perlmutter-spmv-150000.csv" -o t.jsonl \
  --rename Scatter=Pack
# place N FILTER: lints the N-th fastest of the table among `FILTER` of it
sorted() { jq -c 'select(.k == "result")' t.jsonl | jq -sc 'sort_by(.p10)[]'; }
sorted >by-time
place() {
  sed -n "${1}p" by-time | jq -r .schedule >s.txt
  "$CAIRN" lint "$spmv" --schedule s.txt --among "$2" --wrong-only --format json \
    >out 2>err || complain "lint --among $2: $? $(cat err)"
}
place 1 t.jsonl
equal "the fastest" "$(jq -c '.place | [.measured, .rank, .class, .classes, .schedules]' out)" \
  "[true,1,1,3,2036]"
equal "its time" "$(jq .place.time out)" "$(head -n 1 by-time | jq .p10)"
# density classes: 573 fast, 783, 680 slow
for n in 573:1 574:2 1356:2 1357:3 2036:3; do
  place "${n%:*}" t.jsonl
  equal "class of number $n" "$(jq .place.class out)" "${n#*:}"
done
# Not among those measured: predicted.  Every third is learned from.
{ head -n 1 t.jsonl; grep '"k":"result"' t.jsonl | awk 'NR % 3 == 1'; } >third.jsonl
right=0 all=0
for n in 20 200 500 700 900 1200 1500 1800 2000 2030; do
  place $n third.jsonl
  [ "$(jq .place.measured out)" = false ] || continue
  class=1
  [ "$n" -gt 573 ] && class=2
  [ "$n" -gt 1356 ] && class=3
  all=$((all + 1))
  [ "$(jq .place.class out)" = $class ] && right=$((right + 1))
done
[ $all -ge 3 ] && [ $right -ge $((all - 1)) ] ||
  complain "predicted classes: $right of $all right"
expect 0 "$CAIRN" lint "$spmv" --schedule s.txt --among third.jsonl --wrong-only
grep -q '^among 679 schedules: ' out || complain "text: $(cat out)"
expect 0 "$CAIRN" explore "$hello" --backend host --budget 3 --samples 1 \
  -o hello.jsonl
# Another program's journal, and a wrong order.
expect 3 "$CAIRN" lint "$spmv" --schedule s.txt --among hello.jsonl --wrong-only
grep -q 'another program' err || complain "other program: $(cat err)"
# The same operations with an edge more, and with another kind.
expect 0 "$CAIRN" explore "$spmv" -D rows=400 --backend host --budget 3 \
  --samples 1 -o spmv.jsonl
expect 0 "$CAIRN" lint "$spmv" --schedule s.txt --among spmv.jsonl --wrong-only
sed 's|<cpu name="PostSend" after="[^"]*|& PostRecv|' "$spmv" >edge.xml
expect 3 "$CAIRN" lint edge.xml --schedule s.txt --among spmv.jsonl --wrong-only
grep -q 'another program.*edges' err || complain "other edges: $(cat err)"
echo 'start Pack@0 yl@1 PostRecv PostSend WaitRecv WaitSend yr@1 y@1 CER-after-y@1#0 CES-b4-end#0 end' >racy.txt
expect 1 "$CAIRN" lint "$spmv" --schedule racy.txt --among t.jsonl
grep -q 'not placed' err || complain "wrong order: $(cat err)"
exit $status
