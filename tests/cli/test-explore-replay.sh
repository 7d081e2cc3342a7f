#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# explore on a recorded space: repeatable to the byte, resumable, stoppable.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
[ -d "$data" ] || skip "no recorded spaces beside the source tree"
expect 0 "$CAIRN" import "$data/perlmutter-spmv-150000.csv" -o t.jsonl \
  --rename Scatter=Pack
explore() {
  "$CAIRN" explore "$spmv" --backend replay:t.jsonl --strategy coverage "$@"
}

# Equal arguments give equal bytes, and no MPI is needed: with this environment
# it could not start.
export PMI_FD=99 PMI_RANK=0 PMI_SIZE=2
expect 0 explore --strategy coverage --budget 300 --seed 1 -o a.jsonl
cp out out-a
expect 0 explore --strategy coverage --budget 300 --seed 1 -o b.jsonl
unset PMI_FD PMI_RANK PMI_SIZE
cmp a.jsonl b.jsonl || complain "two equal runs differ"
sed 's/a\.jsonl/b.jsonl/' out-a | cmp - out || complain "two reports differ"
equal "results" "$(grep -c '"k":"result"' a.jsonl)" 300
equal "distinct" "$(grep -o '"schedule":"[^"]*"' a.jsonl | sort -u | wc -l)" 300
grep -q '"k":"begin"' a.jsonl && complain "a replay begins nothing"
tail -n 1 a.jsonl | grep -q '^{"k":"end","count":300,"reason":"budget",' ||
  complain "no end record: $(tail -n 1 a.jsonl)"
[ "$(jq -s length a.jsonl)" = 302 ] || complain "the journal is not JSON"

# The fastest of all is that of the table; JSON has what is promised.
expect 0 explore --strategy exhaustive --format json
equal "evaluations" "$(jq .evaluations out)" 2036
equal "stopped" "$(jq -r .stopped out)" exhausted
equal "schema" "$(jq .schema out)" 1
fastest=$(cut -d'|' -f3 "$data/perlmutter-spmv-150000.csv" | sort -g | head -n 1)
equal "best" "$(jq ".best.time == $fastest" out)" true
equal "last of curve" "$(jq ".curve[-1][1] == $fastest" out)" true
equal "found" "$(jq '.to["0%"] == .curve[-1][0]' out)" true
equal "types" "$(jq -r '[.strategy, .seed, .best.id, .best.schedule,
  .to["5%"], .to["1%"]] | map(type) | join(" ")' out)" \
  "string number number string number number"
[ -e run.jsonl ] && complain "a replay without -o wrote a journal"

# An existing journal is refused, resumed on demand, and then the same.
expect 2 explore --budget 300 --seed 1 -o a.jsonl
grep -q 'a.jsonl exists' err || complain "refusal: $(cat err)"
cmp a.jsonl b.jsonl || complain "a refused journal was changed"
results() { grep '"k":"result"' "$1"; }
for kept in 0 1 2 150 299; do
  head -n $((kept + 1)) a.jsonl >r.jsonl
  printf '{"k":"result","id":1,"sch' >>r.jsonl
  expect 0 explore --budget 300 --seed 1 -o r.jsonl --resume
  cmp <(results a.jsonl) <(results r.jsonl) || complain "resumed after $kept"
done
head -c 100 a.jsonl >r.jsonl
expect 0 explore --budget 300 --seed 1 -o r.jsonl --resume
cmp a.jsonl r.jsonl || complain "resumed from a torn header"
expect 0 explore --budget 100 --seed 1 -o c.jsonl
expect 0 explore --budget 300 --seed 1 -o c.jsonl --resume
cmp <(results a.jsonl) <(results c.jsonl) || complain "a larger budget"
expect 0 explore --budget 50 --seed 1 -o c.jsonl --resume
cmp <(results a.jsonl) <(results c.jsonl) || complain "a smaller budget"
expect 0 explore --budget 10 -o new.jsonl --resume

# Another search or world is refused by name.
refused() {
  local what=$1
  shift
  expect 2 explore -o a.jsonl --resume --budget 400 "$@"
  grep -qF "$what differs" err || complain "$*: $(cat err)"
}
refused strategy --seed 1 --strategy rollout
refused seed --seed 2
refused streams --seed 1 --streams 3
refused sync --seed 1 --sync minimal
refused 'strategy settings (--set)' --seed 1 --set c=2
expect 3 explore -o a.jsonl --resume --budget 400 --seed 1 --objective p50
grep -q 'differ: the objective is "p10" and "p50"' err || complain "$(cat err)"
expect 3 explore -o a.jsonl --resume --budget 400 --seed 1 -D rows=3
grep -q 'differ: parameter rows is "[0-9]*" and "3"' err || complain "$(cat err)"
cmp a.jsonl b.jsonl || complain "a refused journal was changed"
# Another program (an edge more), always.
sed 's|<cpu name="PostSend" after="[^"]*|& PostRecv|' "$spmv" >edge.xml
for leave in '' --accept-different; do
  expect 3 "$CAIRN" explore edge.xml --backend host --samples 1 --seed 1 \
    -o a.jsonl --resume --budget 400 $leave
  grep -q 'is the journal of another program' err || complain "$leave: $(cat err)"
done
cmp a.jsonl b.jsonl || complain "a refused journal was changed"
expect 0 explore --seed 1 -D rows=3 --budget 301 -o a.jsonl --resume \
  --accept-different

# A journal by a strategy of an earlier version is read, replayed and
# classified; resuming it names what to use instead.
removed=$top_srcdir/tests/data/removed-strategy.jsonl
cp "$removed" old.jsonl
expect 2 explore -o old.jsonl --resume --seed 1
grep -q 'strategy "rave" was removed.*--strategy coverage' err ||
  complain "resuming what was removed: $(cat err)"
grep -q -e '--prior old.jsonl' err || complain "no word of --prior: $(cat err)"
cmp "$removed" old.jsonl || complain "a refused journal was changed"
expect 2 explore --strategy rave
grep -q '"rave" was removed; use "coverage"' err || complain "$(cat err)"
expect 0 "$CAIRN" explore "$spmv" --backend "replay:$removed" --strategy \
  exhaustive --format json
equal "replayed" "$(jq '.evaluations - .failed' out)" 6
expect 0 "$CAIRN" classify "$removed" --format json
expect 0 explore --budget 9 --prior "$removed"

# Signals stop it with an end record.
for pair in INT:130 TERM:143 USR1:75; do
  rm -f s.jsonl
  "$CAIRN" explore "$spmv" --backend replay:t.jsonl --strategy exhaustive \
    -o s.jsonl >out 2>err &
  pid=$!
  await s.jsonl 5
  kill -"${pair%:*}" $pid
  wait $pid
  equal "exit code after ${pair%:*}" $? "${pair#*:}"
  tail -n 1 s.jsonl | grep -q '"reason":"signal"' ||
    complain "after ${pair%:*}: $(tail -n 1 s.jsonl)"
  grep -q '^Best:' out || complain "no result printed after ${pair%:*}"
done
expect 0 explore --strategy exhaustive -o s.jsonl --resume
equal "after a signal" "$(results s.jsonl | wc -l)" 2036

# A table that lacks schedules: they fail; --strict says so.
head -n 11 a.jsonl >few.jsonl
expect 5 "$CAIRN" explore "$spmv" --backend replay:few.jsonl --strategy \
  exhaustive --strict
head -n 1 a.jsonl >none.jsonl
expect 1 "$CAIRN" explore "$spmv" --backend replay:none.jsonl --budget 3
expect 0 explore --budget 50 --prior few.jsonl --dot tree.dot
grep -q '^digraph' tree.dot || complain "--dot wrote no graph"
# The same seed, the same journal, on every strategy; another seed, another one
# (but where nothing is left to chance).
names=$("$CAIRN" explore --strategy help | grep -o '^[a-z][a-z-]*')
[ "$(wc -w <<<"$names")" -ge 12 ] || complain "strategies: $names"
for name in $names; do
  rm -f same-*.jsonl
  for run in 1:4 2:4 3:5; do
    expect 0 "$CAIRN" explore "$spmv" --backend replay:t.jsonl --strategy \
      "$name" --budget 40 --seed "${run#*:}" -o "same-${run%:*}.jsonl"
  done
  cmp same-1.jsonl same-2.jsonl || complain "two equal runs of $name differ"
  [ "$name" = exhaustive ] ||
    ! cmp -s <(results same-1.jsonl) <(results same-3.jsonl) ||
    complain "the seed does not matter to $name"
done

# Noise: single draws lie between the percentiles as often as they should, and
# depend on the seed and the schedule alone.
expect 0 explore --strategy exhaustive --noise 1 --seed 3 -o n.jsonl
expect 0 explore --strategy random --noise 1 --seed 3 --budget 2036 -o m.jsonl
expect 0 explore --strategy exhaustive --noise 1 --seed 4 -o o.jsonl
drawn() { results "$1" | jq -r '[.schedule, .p10, .samples] | @tsv' | sort; }
cmp <(drawn n.jsonl) <(drawn m.jsonl) || complain "noise depends on the order"
cmp -s <(drawn n.jsonl) <(drawn o.jsonl) && complain "noise without a seed"
results n.jsonl | jq -r '[.schedule, .p01, .p99] | @tsv' | sort >draws
sed -n 's/Scatter/Pack/g; /"k":"result"/p' s.jsonl |
  jq -r '[.schedule, .p01, .p10, .p50, .p90, .p99] | @tsv' | sort >recorded
join -t '	' draws recorded | awk -F'\t' '
  { n++; one += $2 == $3; in_all += $2 >= $4 && $2 <= $8
    a += $2 <= $5; b += $2 <= $6; c += $2 <= $7 }
  END { exit !(n == 2036 && one == n && in_all == n && a > .07 * n &&
    a < .13 * n && b > .46 * n && b < .54 * n && c > .87 * n && c < .93 * n) }' ||
  complain "draws do not follow the percentiles"
# Many draws come near what was recorded.
expect 0 explore --strategy exhaustive --noise 1000 --budget 20 -o many.jsonl
results many.jsonl | jq -r '[.schedule, .p50] | @tsv' | sort >draws
join -t '	' draws recorded | awk -F'\t' '
  { n++; d = $2 / $5 - 1; good += d * d < 1e-4 }
  END { exit !(n == 20 && good == n) }' || complain "medians of many draws"
"$CAIRN" explore "$spmv" --backend host --noise 1 >out 2>err
equal "noise without a replay" $? 2
expect 2 explore --strategy exhaustive --noise 2 --seed 3 -o n.jsonl --resume
grep -q -e '--noise' err || complain "resuming with other noise: $(cat err)"

# A replay of cairn's own journal, measured again side by side: parameters,
# objective, devices and backend are those of the recording, another -D is
# refused, and the classes are the same.
expect 0 "$CAIRN" explore "$spmv" -D rows=400 --backend host --budget 12 \
  --strategy random --refine=0.2 --objective p90 -o live.jsonl
grep -q '"k":"refined"' live.jsonl || complain "nothing was refined"
replay() {
  "$CAIRN" explore "$spmv" --backend replay:live.jsonl --strategy exhaustive "$@"
}
expect 0 replay -o again.jsonl
expect 0 replay -D rows=400 --objective p90 -o same.jsonl
cmp again.jsonl same.jsonl || complain "the recording's own -D changes a replay"
header() { jq -cS 'select(.k == "header") | [.params, .ranks, .devices,
  .objective]' "$1"; }
equal "header of a replay" "$(header again.jsonl)" "$(header live.jsonl)"
equal "recorded backend" \
  "$(head -n 1 again.jsonl | jq -r .facts.recorded_backend)" host
expect 0 replay --objective p50 -o p50.jsonl
equal "objective asked for" "$(head -n 1 p50.jsonl | jq -r .objective)" p50
expect 3 replay -D rows=401
grep -q 'parameter rows was "400" when this was recorded, -D says "401"' err ||
  complain "another -D: $(cat err)"
numbers() { # of each schedule: the last record that has one
  jq -c 'select(.k == "result" or .k == "refined") | select(.p50) |
    [.schedule, .p01, .p10, .p50, .p90, .p99, .stddev, .samples, .facts.low,
    .facts.high]' "$1" | awk '{ split($0, part, "\""); last[part[2]] = $0 }
    END { for (s in last) print last[s] }' | sort
}
cmp <(numbers live.jsonl) <(numbers again.jsonl) ||
  complain "a replay has other numbers"
classes() { "$CAIRN" classify "$1" --format json | jq -c '[.schedules,
  [.classes[] | [.id, .count, .min, .max]]]'; }
equal "classes of a replay" "$(classes again.jsonl)" "$(classes live.jsonl)"
expect 0 "$CAIRN" classify live.jsonl again.jsonl

# Another program is told at once, with what differs.
expect 3 "$CAIRN" explore "$top_srcdir/examples/hello/hello.xml" --backend \
  replay:live.jsonl
equal "messages" "$(wc -l <err)" 1
grep -q 'another program.*is in the first only' err ||
  complain "another program: $(cat err)"
exit $status
