#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What is not the schedule's doing: a rank that is stopped for longer than the
# watchdog waits, or for ever; a plugin that forks; one that calls exit; an MPI
# that cannot start.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
[ -n "$MPIEXEC" ] || skip "no launcher"
export CAIRN_PLUGIN_PATH=$top_builddir/tests/exec
ring=$top_srcdir/tests/exec/ring.xml
explore=(explore "$ring" --backend host --strategy exhaustive --samples 5 --watchdog 1)

# Stopped for three times the limit, then going on.
ranks 2 "$CAIRN" "${explore[@]}" --budget 12 --inject slow@Wait:time=0.05 -o stop.jsonl >out 2>err &
job=$!
await stop.jsonl 2
victim=$(pgrep -f "cairn explore .*stop.jsonl" | while read -r p; do
  case $(readlink "/proc/$p/exe") in */cairn | */lt-cairn) [ "$(readlink "/proc/$p/cwd")" = "$dir" ] && echo "$p" ;; esac
done | tail -n 1)
if [ -n "$victim" ] && kill -s STOP "$victim"; then
  sleep 3
  kill -s CONT "$victim"
else
  complain "no rank was found"
fi
wait $job
equal "exit code after a stop" $? 0
grep -q '"status":"\(timeout\|crashed\)"' stop.jsonl && complain "the stop is booked: $(grep -c timeout stop.jsonl)"
equal "results" "$(grep -c '"k":"result"' stop.jsonl)" 12

# Stopped for ever: the job ends, the schedule is not to blame.
ranks 2 "$CAIRN" "${explore[@]}" --watchdog 0.3 --budget 5 --inject stop@Wait:rank=1:schedule=2 \
  -o ever.jsonl >out 2>err && complain "a rank stopped for ever: exit 0"
grep -q 'rank 1 has been stopped' err || complain "not told: $(cat err)"
equal "results before" "$(grep -c '"k":"result"' ever.jsonl)" 2

# A plugin that forks: the child's end is its own.
for place in PostSend fill %setup; do
  expect 0 ranks 2 "$CAIRN" "${explore[@]}" --budget 3 --inject fork@$place -o "fork$place.jsonl"
  grep -q crash err && complain "fork at $place: $(cat err)"
  equal "fork at $place: results" "$(grep -c '"status":"ok"' "fork$place.jsonl")" 3
  equal "fork at $place: reports" "$(grep -c '^Best' out)" 1
done

# exit called in an operation, on a thread, in setup.
leave() { # place words
  ranks 2 "$CAIRN" "${explore[@]}" --budget 3 --inject "leave@$1:rank=1:code=0" -o "leave$1.jsonl" >out 2>err &&
    complain "exit at $1: 0"
  grep -q "exit was called.*; rank 1: .*$2" err || complain "exit at $1 is not told: $(cat err)"
}
leave PostSend "the host stands at PostSend"
leave fill "fill@. runs"
leave %setup "the host is in the plugin's setup"
expect 75 "$CAIRN" "${explore[@]}" --budget 3 --inject leave@PostSend:code=0 -o one.jsonl
expect 4 "$CAIRN" "${explore[@]}" --budget 3 --inject leave@%setup:code=0 -o two.jsonl

# An MPI that cannot start is explained.
small="mount -t tmpfs -o size=64k tmpfs /dev/shm"
if unshare -m sh -c "$small" 2>/dev/null && case $MPIEXEC in *openmpi*) false ;; esac then
  expect 4 unshare -m sh -c "$small && exec $CAIRN doctor"
  grep -q 'MPI cannot start' out || complain "doctor: $(cat out err)"
  grep -q '64 KiB are free in /dev/shm' out || complain "doctor: $(cat out)"
fi
exit $status
