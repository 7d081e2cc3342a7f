#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Launchers: who speaks; more processes started than MPI sees; signals without
# a supervisor; small stacks; every failure has a message.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
program=$hello
small=(--backend host --samples 3 --budget 3)

# What is no MPI job speaks, whatever rank the environment gives it.
for rank in SLURM_PROCID=1 PMI_RANK=1 OMPI_COMM_WORLD_RANK=1 PMIX_RANK=1 \
  MPI_LOCALRANKID=1 "SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2" "PMI_RANK=1 PMI_FD=99"; do
  # shellcheck disable=SC2086
  expect 0 env $rank "$CAIRN" enumerate --count "$spmv"
  equal "$rank enumerate" "$(cat out)" 2036
  expect 0 env $rank "$CAIRN" check "$spmv"
  grep -q '^schedules *2036$' out || complain "$rank check: $(cat out)"
  expect 3 env $rank "$CAIRN" classify missing.jsonl
  grep -q missing.jsonl err || complain "$rank classify is mute"
  expect 2 env $rank "$CAIRN" check --streams 0 "$spmv"
  grep -q streams err || complain "$rank check --streams 0 is mute"
done
# A task is no rank; a rank above 0 leaves speaking to rank 0.
expect 2 env SLURM_PROCID=1 "$CAIRN" run --streams 0 "$program"
grep -q streams err || complain "a task is mute"
expect 2 env PMI_RANK=1 PMI_FD=99 "$CAIRN" run --streams 0 "$program"
[ -s err ] && complain "rank 1 spoke: $(cat err)"

# Each a job of its own where there should be one: refused.
for size in SLURM_STEP_NUM_TASKS PMI_SIZE OMPI_COMM_WORLD_SIZE; do
  expect 4 env $size=2 SLURM_PROCID=1 "$CAIRN" explore "${small[@]}" -o $size.jsonl "$program"
  grep -q 'launcher started 2 processes, but MPI sees 1.*use the mpiexec' err ||
    complain "$size: $(cat err)"
  [ -e $size.jsonl ] && complain "$size: a journal was written"
  expect 4 env $size=2 "$CAIRN" run --samples 3 --backend host "$program"
  grep -q 'launcher started 2 processes' err || complain "$size run: $(cat err)"
  expect 0 env $size=2 "$CAIRN" explore "${small[@]}" --singleton -o $size.jsonl "$program"
  expect 0 env $size=1 "$CAIRN" run --samples 3 --backend host "$program"
done
expect 0 env SLURM_NTASKS=2 SLURM_PROCID=0 "$CAIRN" explore "${small[@]}" -o batch.jsonl "$program"
if [ -n "$MPIEXEC" ]; then
  # the allocation's numbers do not matter where MPI has its own
  expect 0 env SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=8 $MPIEXEC $MPIEXEC_FLAGS -n 2 \
    "$CAIRN" run --samples 3 --backend host "$program"
  equal "lines of two ranks" "$(grep -c '^schedule ' out)" 1
  expect 2 ranks 2 "$CAIRN" run --streams 0 "$program"
  equal "errors of two ranks" "$(grep -c streams err)" 1
fi

# A terminal that hangs up stops it as TERM does, and it can go on; under nohup
# it goes on.
for pair in HUP:143 TERM:143 INT:130 USR1:75; do
  # a shell would have INT ignored
  python3 -c 'import signal, os, sys
signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    "$CAIRN" explore "$spmv" -D rows=2000 --backend host --samples 3 \
    -o "$pair.jsonl" >out 2>err &
  pid=$!
  await "$pair.jsonl" 3
  kill -s "${pair%:*}" $pid
  wait $pid
  equal "exit code after $pair" $? "${pair#*:}"
  tail -n 1 "$pair.jsonl" | grep -q '"k":"end".*"reason":"signal"' ||
    complain "$pair: $(tail -n 1 "$pair.jsonl")"
  grep -q 'stopped by signal.*--resume' err || complain "$pair is mute: $(cat err)"
done
(trap '' HUP; exec "$CAIRN" explore "$spmv" -D rows=2000 --backend host \
  --samples 3 --budget 60 -o nohup.jsonl >out 2>err) &
pid=$!
await nohup.jsonl 3
kill -s HUP $pid
wait $pid
equal "exit code under nohup" $? 0

# A job that launch runs: its failure is told.
for code in 1 2 3 4 5 127; do
  "$CAIRN" launch --restarts 0 -q -- sh -c "exit $code" job -o none.jsonl >out 2>err && complain "exit $code: 0"
  [ -s err ] || complain "launch of a job that exits with $code is mute"
done

# A small stack: made larger, or refused in words.
(ulimit -S -s 64; "$CAIRN" explore "${small[@]}" -o soft.jsonl "$program") >out 2>err ||
  complain "soft limit: $(cat err)"
(ulimit -s 64; "$CAIRN" explore "${small[@]}" -o hard.jsonl "$program") >out 2>err
case $? in
0) ;;
4) grep -q 'stack is limited to 64 KiB.*ulimit -s' err || complain "hard limit: $(cat err)" ;;
*) complain "hard limit: $(cat err)" ;;
esac
exit $status
