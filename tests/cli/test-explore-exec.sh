#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# explore with ranks: usage, bad input, environment and signals give the same
# exit code on all ranks, and only rank 0 prints.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
[ -n "$MPIEXEC" ] || skip "no launcher"

expect 2 ranks 2 "$CAIRN" explore "$spmv" -D row=4
equal "lines of a usage error" "$(grep -c 'error:' err)" 1
expect 3 ranks 2 "$CAIRN" explore missing.xml
equal "lines of an input error" "$(grep -c 'missing.xml' err)" 1
cat >no-plugin.xml <<'END'
<program name="x"><plugin library="nowhere"/><cpu name="a"/></program>
END
expect 4 ranks 2 "$CAIRN" explore no-plugin.xml
grep -q nowhere err || complain "missing plugin: $(cat err)"

# Without -o a new name is chosen each time; budget counts.
expect 0 "$CAIRN" explore "$spmv" -D rows=400 --budget 5 --samples 3 --backend host
expect 0 "$CAIRN" explore "$spmv" -D rows=400 --budget 5 --samples 3 --backend host
[ -e run.jsonl ] && [ -e run-2.jsonl ] || complain "journals: $(ls)"
equal "begun" "$(grep -c '"k":"begin"' run.jsonl)" 5
equal "measured" "$(grep -c '"samples":3' run.jsonl)" 5
grep -q '"at":0,' run.jsonl && complain "a real run has times"

# A schedule that a dead process began may have been killed by something else:
# it is measured again after the first and the second time, and no more after
# the third.
grep -v '"k":"end"' run.jsonl | head -n 10 >dead.jsonl
tail -n 1 dead.jsonl >begin
for deaths in 1 2 3; do
  grep -v '"k":"end"' run.jsonl | head -n 9 >dead.jsonl
  for _ in $(seq $deaths); do cat begin; done >>dead.jsonl
  expect 0 "$CAIRN" explore "$spmv" -D rows=400 --budget 7 --samples 3 \
    --backend host -o dead.jsonl --resume
  equal "results" "$(grep -c '"k":"result"' dead.jsonl)" 7
  equal "crashed" "$(grep -c '"status":"crashed"' dead.jsonl)" 0
  if [ $deaths -lt 3 ]; then
    equal "measured again" "$(grep '"status":"ok"' dead.jsonl |
      grep '"id":4,' | grep -c "\"deaths\":$deaths")" 1
  else
    equal "quarantined" "$(grep '"status":"quarantined"' dead.jsonl |
      grep '"id":4,' | grep -c 'the job died three times')" 1
  fi
done
expect 3 ranks 2 "$CAIRN" explore "$spmv" -D rows=400 --budget 9 --samples 3 \
  --backend host -o dead.jsonl --resume
grep -q 'differ: the number of ranks is 1 and 2' err ||
  complain "other ranks: $(cat err)"

# Signals, through the launcher: a clean end on all ranks.
for signal in INT TERM; do
  rm -f s.jsonl
  # A background job starts with SIGINT ignored; the launcher must not.
  env --default-signal=INT $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore \
    "$spmv" -D rows=400 --samples 5 --backend host --time 60 -o s.jsonl \
    >out 2>err &
  pid=$!
  await s.jsonl 3
  kill -$signal $pid
  wait $pid
  tail -n 1 s.jsonl | grep -q '"reason":"signal"' ||
    complain "after $signal: $(tail -n 1 s.jsonl) $(cat err)"
done
# SIGUSR1 without a launcher, where MPICH has a handler of its own for it.
rm -f u.jsonl
"$CAIRN" explore "$spmv" -D rows=400 --samples 2 --backend host --time 60 \
  -o u.jsonl >out 2>err &
pid=$!
await u.jsonl 3
kill -USR1 $pid
wait $pid
equal "code after USR1" $? 75
tail -n 1 u.jsonl | grep -q '"reason":"signal"' || complain "after USR1: $(cat err)"
equal "results and ids after USR1" "$(grep -c '"k":"result"' u.jsonl)" \
  "$(grep '"k":"result"' u.jsonl | grep -o '"id":[0-9]*' | sort -u | wc -l)"

# A second result with an id is refused; --salvage goes on without it.
{ cat u.jsonl; grep '"k":"result"' u.jsonl | head -n 1; } >twice.jsonl
expect 3 "$CAIRN" classify twice.jsonl
expect 0 "$CAIRN" classify twice.jsonl --salvage
grep -q 'skipped a second result with id 0' err || complain "salvage: $(cat err)"

# Resumed with other ranks: told, and done.
expect 0 ranks 2 "$CAIRN" explore "$spmv" -D rows=400 --budget 7 --samples 3 \
  --backend host -o run.jsonl --resume --accept-different
grep -q 'warning: .*differ: the number of ranks is 1 and 2' err ||
  complain "accepted in silence: $(cat err)"
exit $status
