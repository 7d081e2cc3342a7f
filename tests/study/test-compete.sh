#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# cairn study --compete and --settings: determinism, judging again, refusals.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
complain() { echo "$*"; status=1; }
value() { python3 -c 'import json,sys; j=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"; }
results=$top_srcdir/examples/spmv/results
one=$results/spmv-15000-4gpu-1.jsonl.xz two=$results/spmv-150000-2gpu-3.jsonl.xz
three=$results/spmv-150000-1gpu-1.jsonl.xz

# One result for any number of jobs; random takes part unasked, first.
args=(--compete --budgets 100,20,50 --runs 6 --seed 3 "$one" "$two")
"$CAIRN" study "${args[@]}" --strategies ils,coverage --jobs 1 --format json >"$dir/1.json" || complain "exit $?"
"$CAIRN" study "${args[@]}" --strategies ils,coverage --jobs 3 --format json --report "$dir/r" >"$dir/3.json" || complain "exit $?"
cmp "$dir/1.json" "$dir/3.json" && cmp "$dir/1.json" "$dir/r/report.json" || complain "jobs change the result"
[ "$(value "$dir/1.json" '(j["strategies"], j["budgets"], j["runs"], j["spaces"], len(j["tests"]), j["low"]["of"], j["medium"]["of"], j["missing"])')" = \
  "(['random', 'ils', 'coverage'], [20, 50, 100], 6, ['spmv-15000-4gpu-1', 'spmv-150000-2gpu-3'], 18, 12, 0, 0)" ] ||
  complain "$(cut -c1-300 "$dir/1.json")"
# Curves never fall; the fraction is that of a run by `explore`, too.
[ "$(value "$dir/1.json" 'all(a <= b + 1e-15 <= 1 + 1e-9 for c in j["curves"] for a, b in zip(c["fraction"], c["fraction"][1:]))')" = True ] ||
  complain "a curve falls"
"$CAIRN" study "${args[@]}" --strategies ils,coverage --seed 4 --format json | cmp -s - "$dir/1.json" && complain "seed"

# The runs can be judged again.
"$CAIRN" study --compete --from "$dir/r/runs.tsv" --format json >"$dir/again.json" || complain "from: $?"
[ "$(value "$dir/again.json" '[k for k in j if j[k] != json.load(open("'"$dir"'/1.json"))[k]]')" = "['seed']" ] ||
  complain "judged again: differs"
for file in report.html report.txt heat.tsv curves.tsv tests.tsv; do [ -s "$dir/r/$file" ] || complain "no $file"; done
[ "$(wc -l <"$dir/r/runs.tsv")" = $((1 + 3 * 2 * 6 * 3)) ] || complain "runs.tsv"

# Published values.
python3 "$top_srcdir/tests/study/competition.py" runs >"$dir/made.tsv" || complain "runs"
golden=$top_srcdir/../shared/golden/competition.txt
if [ -e "$golden" ]; then
  for split in 100 200 400; do
    for test in pooled:pooled welch:Welch; do
      "$CAIRN" study --compete --from "$dir/made.tsv" --split $split --t-test ${test%:*} --format json >"$dir/m.json" || complain "made: $?"
      python3 "$top_srcdir/tests/study/competition.py" check "$dir/m.json" "$golden" ${test#*:} || status=1
    done
  done
else
  echo "no golden values: judged by tests/study/test-contest alone"
fi

# Tables that are none: file, line, code 3.
refused() { # LINE SED-COMMAND
  sed "$2" "$dir/made.tsv" >"$dir/bad.tsv"
  "$CAIRN" study --compete --from "$dir/bad.tsv" >"$dir/o" 2>"$dir/e"
  [ $? = 3 ] && grep -q "bad.tsv:$1 *error" "$dir/e" || complain "refused $2: $? $(cat "$dir/e")"
}
refused 1: '1s/space/room/'
refused 3: '3s/$/\t1/'
refused 3: '3s/\t1000\t/\tx\t/'
refused 3: '3s/\t0\t/\t-1\t/'
refused 4: '4d;3s/\(.*\)/\1\n\1/'
refused '' '$d'
refused 2: '2s/\t1000\t2000$/\t999999\t2000/'

# Settings: chosen by the least k, reported on other spaces, never on the same.
"$CAIRN" study --settings ils --grid kick=1,3 --grid patience=5,30 --budgets 30 --repetitions 5 \
  --tuning "$one" "$two" --report-on "$three" --format json --report "$dir/s" >"$dir/s.json" || complain "settings: $?"
[ "$(value "$dir/s.json" '[s["values"] for s in j["settings"]]')" = \
  "[{'kick': '1', 'patience': '5'}, {'kick': '1', 'patience': '30'}, {'kick': '3', 'patience': '5'}, {'kick': '3', 'patience': '30'}]" ] ||
  complain "grid: $(value "$dir/s.json" '[s["values"] for s in j["settings"]]')"
[ "$(value "$dir/s.json" '(len(j["problems"]), len(j["settings"][0]["mean"]), j["report"]["spaces"], j["report"]["strategies"][:2])')" = \
  "(2, 2, ['spmv-150000-1gpu-1'], ['random', 'ils'])" ] || complain "settings: $(cut -c1-400 "$dir/s.json")"
# k by its definition, from the means and deviations printed.
[ "$(value "$dir/s.json" '[all(abs(s["k"] - max((s["mean"][p] - b["mean"][p]) / b["sd"][p] for p in range(2) for b in [min(j["settings"], key=lambda x: x["mean"][p])])) < 1e-9 for s in j["settings"]), j["chosen"]["k"] == min(s["k"] for s in j["settings"])]')" = \
  "[True, True]" ] || complain "k"
[ -s "$dir/s/settings.tsv" ] && [ -s "$dir/s/report.html" ] && [ -s "$dir/s/runs.tsv" ] || complain "settings: report"
cp "$one" "$dir/copy.jsonl.xz"
"$CAIRN" study --settings ils --grid kick=1,3 --tuning "$one" --report-on "$dir/copy.jsonl.xz" 2>"$dir/e" >"$dir/o"
[ $? = 2 ] && grep -q 'same space' "$dir/e" || complain "overlap: $(cat "$dir/e")"

# Usage.
usage() { "$CAIRN" study "$@" >"$dir/o" 2>"$dir/e"; [ $? = 2 ] && [ ! -s "$dir/o" ] || complain "usage $*: $(cat "$dir/e")"; }
usage --compete
usage --compete --strategies ils,nosuch "$one"
usage --compete --strategies ils:kick "$one"
usage --compete --strategies ils:kick=0 "$one"
usage --compete --strategies ils,,anneal "$one"
usage --compete --strategies ils,ils "$one"
usage --compete --budgets 0 "$one"
usage --compete --runs 1 "$one"
usage --compete --neighbours sync "$one"
usage --compete --settings ils "$one"
usage --compete --from "$dir/made.tsv" "$one"
usage --strategies ils "$one"
usage --settings ils --tuning "$one"
usage --settings ils --grid kick=1,2 "$one"
usage --settings ils --grid kick --tuning "$one"
usage --settings ils --grid nosuch=1,2 --tuning "$one"
usage --settings nosuch --grid kick=1,2 --tuning "$one"
exit $status
