#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# explore with schedules that really run, on ranks: all of SpMV with verified
# numbers on 1 and 2 ranks, some on 3 and 4 (all with CAIRN_LONG).
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
[ -n "$MPIEXEC" ] || skip "no launcher"

# all N ARGUMENT...: every result is ok; prints how many there are.
all() {
  local n=$1
  shift
  rm -f r.jsonl
  expect 0 ranks "$n" "$CAIRN" explore "$spmv" -D rows=400 --verify \
    --samples 1 -o r.jsonl --backend host --format json "$@"
  equal "not ok on $n ranks" \
    "$(grep '"k":"result"' r.jsonl | grep -cv '"status":"ok"')" 0
  equal "end on $n ranks" "$(tail -n 1 r.jsonl | jq -r .k)" end
  equal "ranks in the header" "$(head -n 1 r.jsonl | jq .ranks)" "$n"
}
count() { jq .evaluations out; }
if [ -n "${CAIRN_SANITIZED:-}" ]; then
  all 2 --strategy rollout --budget 150
  equal "schedules" "$(count)" 150
  exit $status
fi
for n in 1 2; do
  all $n --strategy exhaustive
  equal "schedules on $n ranks" "$(count)" 2036
done
for n in 3 4; do
  if [ -n "${CAIRN_LONG:-}" ]; then
    all $n --strategy exhaustive
    equal "schedules on $n ranks" "$(count)" 2036
  else
    all $n --strategy rollout --budget 100 --seed 7
    equal "schedules on $n ranks" "$(count)" 100
  fi
done
exit $status
