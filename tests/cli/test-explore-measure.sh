#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How explore measures, end to end on backend host: racing and series, both
# starts, measuring again side by side with its records in the journal, going
# on after a death in the middle of them, and flags that are up when they must
# be.  Times are never looked at.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
[ -n "$MPIEXEC" ] || skip "no launcher"
ring=$top_srcdir/tests/exec/ring.xml
CAIRN_PLUGIN_PATH=$top_builddir/tests/exec
facts() { jq -c "select(.k==\"$1\") | .facts" "$2"; }
# explore N ARGUMENT...: into x.jsonl, as JSON in out
explore() {
  local n=$1
  shift
  rm -f x.jsonl
  expect 0 ranks "$n" "$CAIRN" explore "$ring" --backend host --format json \
    -o x.jsonl "$@"
}

# Racing, then again side by side.
explore 2 --budget 12 --refine 0.1
equal "results" "$(grep -c '"k":"result"' x.jsonl)" 12
timed=$(jq -c 'select(.k=="result" and (.status=="ok" or .status=="pruned")).id' x.jsonl | sort -u)
refined=$(jq -c 'select(.k=="refined").id' x.jsonl | sort -u)
equal "measured again" "$refined" "$timed"
equal "end" "$(tail -n 1 x.jsonl | jq -r .k)" end
equal "raced" "$(facts result x.jsonl | jq -c 'has("level") and has("spent")' | sort -u)" true
equal "who was last" "$(facts refined x.jsonl | jq '.last_rank == 0 or .last_rank == 1' | sort -u)" true
equal "why it ended" "$(facts refined x.jsonl | jq -r .why | sort -u | grep -cv '^ci$\|^max_time$\|^overtime$')" 0
equal "one best" "$(jq '[.refined.finalists[] | select(.verdict=="best")] | length' out)" 1
equal "one program order" "$(jq '[.refined.finalists[] | select(.program_order)] | length' out)" 1
equal "one slowest" "$(jq '[.refined.finalists[] | select(.slowest)] | length' out)" 1
equal "each class is there" \
  "$(jq -c '[.refined.finalists[].class | select(. != null)] | sort' out)" \
  "$(jq -c '[.classification.classes[].id] | sort' out)"
equal "noise" "$(jq '.noise.floor > 0 and .noise.sample > 0' out)" true
equal "not oversubscribed" "$(jq .noise.oversubscribed out)" false
equal "not throttled" "$(jq .noise.throttled out)" false
# The time told is the last one in the journal.
id=$(jq .best.id out)
equal "best time" "$(jq .best.time out)" \
  "$(jq "select(.k==\"refined\" and .id==$id).p50" x.jsonl | tail -n 1)"
equal "finalists in order" "$(jq '[.refined.finalists[].time] | . == sort' out)" true
best=$(jq -c '[.best.id, .best.time]' out)
# What classify reads are the better numbers.
expect 0 "$CAIRN" classify x.jsonl --format json
least=$(jq -s '[.[] | select(.k=="refined")] | group_by(.id) | map(last.p50) | min' x.jsonl)
equal "classify" \
  "$(jq "([.classes[].min] | min) / $least - 1 | . < 1e-9 and . > -1e-9" out)" true

# Finished and resumed: the same bytes, the same best.
cp x.jsonl whole.jsonl
for again in 1 2; do
  expect 0 ranks 2 "$CAIRN" explore "$ring" --backend host --budget 12 \
    --refine 0.1 -o x.jsonl --resume --format json
  cmp x.jsonl whole.jsonl || complain "resume $again of a finished run writes"
  equal "best of resume $again" "$(jq -c '[.best.id, .best.time]' out)" "$best"
  grep -q 'already' err || complain "resume $again is mute: $(cat err)"
done

# Death while they are written: the torn record is cut off, what was measured
# is not measured again, and the end is reached.
cp x.jsonl whole.jsonl
first=$(grep -n '"k":"refined"' whole.jsonl | head -n 1 | cut -d: -f1)
for cut in "$((first + 2))"; do
  rm -f x.jsonl
  head -n "$cut" whole.jsonl | head -c -9 >x.jsonl
  expect 0 ranks 2 "$CAIRN" explore "$ring" --backend host --budget 12 \
    --refine 0.1 -o x.jsonl --resume
  equal "results after $cut" "$(grep '"k":"result"' x.jsonl | sort | uniq | wc -l)" 12
  equal "same results after $cut" "$(grep '"k":"result"' x.jsonl)" \
    "$(grep '"k":"result"' whole.jsonl)"
  equal "end after $cut" "$(tail -n 1 x.jsonl | jq -r .k)" end
  jq -es . x.jsonl >/dev/null || complain "a torn record is left"
done

# Finalists only; none; series; starts.
explore 2 --budget 12 --refine best
jq -e '.refined.final_rounds >= 8' out >/dev/null || complain "finalists: $(cat out)"
explore 2 --budget 4 --refine no --plan series --precision 50
equal "not refined" "$(jq -c .refined out)$(grep -c '"k":"refined"' x.jsonl)" null0
equal "series" "$(facts result x.jsonl | jq -c 'has("level")' | sort -u)" false
for start in deadline barrier; do
  for plan in race series; do
    # on a busy machine some rank may always be late for the deadline
    rm -f x.jsonl
    ranks 2 "$CAIRN" explore "$ring" --backend host -o x.jsonl --budget 3 \
      --refine no --plan $plan --precision 50 --start $start >out 2>err
    [ $? -le 1 ] || complain "$start $plan: $(cat err)"
    equal "start" "$(head -n 1 x.jsonl | jq -r '.facts.start')" $start
    equal "$start $plan" "$(grep -c '"k":"result"' x.jsonl)" 3
  done
done

# The noise floor stands before the results.
rm -f x.jsonl
expect 0 ranks 2 "$CAIRN" explore "$ring" --backend host --budget 8 --refine 0.1 -o x.jsonl
noise=$(grep -n '^Noise:' out | cut -d: -f1) best=$(grep -n '^Best:' out | cut -d: -f1)
[ -n "$noise" ] && [ "$noise" -lt "$best" ] || complain "noise: $(cat out)"
grep -q '^Speed-up over program order: ' out || complain "no speed-up: $(cat out)"
grep -q '^Speed-up over the slowest: ' out || complain "no speed-up: $(cat out)"

# Flags that must be up, each time.
if command -v taskset >/dev/null; then
  [ -n "${CAIRN_LONG:-}" ] && times=5 || times=1
  for _ in $(seq $times); do
    rm -f x.jsonl
    expect 0 taskset -c 0 $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore "$ring" \
      --backend host --budget 2 --samples 1 -o x.jsonl
    equal "oversubscribed" "$(head -n 1 x.jsonl | jq .facts.oversubscribed)" 1
    equal "in each record" "$(facts result x.jsonl | jq .oversubscribed | sort -u)" 1
    grep -q OVERSUBSCRIBED out || complain "not told: $(cat out)"
  done
fi
explore 2 --budget 6 --refine 0.1 --inject 'throttle@%clock:rank=1'
equal "throttled" "$(jq .noise.throttled out)" true
equal "throttled rounds" "$(jq '.refined | .throttled_rounds >= .rounds' out)" true
equal "throttled records" "$(facts refined x.jsonl | jq '.throttled > 0' | sort -u)" true
equal "clock" "$(jq -c '[.noise.clock_least_mhz, .noise.clock_most_mhz]' out)" "[900,900]"

# On a terminal the long part is not silent.
if command -v python3 >/dev/null; then
  rm -f x.jsonl
  python3 - "$CAIRN" "$ring" <<'PY' >out 2>err || grep '^no terminal' err || complain "terminal: $(cat err)"
import os, pty, sys
try:
    pid, fd = pty.fork()
except OSError:
    sys.exit("no terminal can be had: this part is left out")
if pid == 0:
    os.execvp(sys.argv[1], [sys.argv[1], "explore", sys.argv[2], "--backend",
              "host", "--budget", "6", "--refine", "1", "-o", "x.jsonl"])
seen = b""
try:
    while chunk := os.read(fd, 65536):
        seen += chunk
except OSError:
    pass
assert os.waitpid(pid, 0)[1] == 0, seen
assert b"side by side: round" in seen, seen
PY
fi
exit $status
