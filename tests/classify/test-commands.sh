#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# classify and compare-runs on the recorded spaces; all that they say is
# computed again in Python, from the journals.
. "$top_srcdir/tests/cli/lib.sh"
here=$top_srcdir/tests/classify
python=/usr/bin/python3
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
$python -c 'import numpy, scipy, sklearn' 2>/dev/null ||
  skip "python3 with NumPy, SciPy and scikit-learn is not there"
[ -r "$data/perlmutter-spmv-150000.csv" ] || skip "no recorded spaces"

again() {
  $python "$here/$1.py" "${@:2}" >said 2>&1 ||
    complain "$*: $(tail -n 8 said)"
}

for name in 150000 15000 150000-earlier; do
  expect 0 "$CAIRN" import "$data/perlmutter-spmv-$name.csv" -o $name.jsonl
  expect 0 "$CAIRN" classify $name.jsonl --format json --report r-$name
  cp out $name.json
  again evidence $name.jsonl $name.json report=r-$name
done
again evidence 150000.jsonl 150000.json avoid=420/420 all=295 varying=85 distinct=48 kept=32

# the paper's labels and tree
expect 0 "$CAIRN" classify 150000.jsonl --peaks-of convolution --format json
cp out paper.json
again evidence 150000.jsonl paper.json
grep -q '"leaves":13,"depth":6,"misclassified":1,' out || complain "13 leaves"
expect 0 "$CAIRN" classify 150000.jsonl --tree cart --leaves 6 --format json
grep -q '"leaves":6,.*"misclassified":327,' out || complain "6 leaves"
expect 2 "$CAIRN" classify 150000.jsonl --tree short --leaves 6

# rules from the first N, judged on all, and on another recording
for n in 100 200; do
  expect 0 "$CAIRN" classify 150000.jsonl --first $n --format json --report f
  cp out first.json
  again evidence 150000.jsonl first.json first=$n full=150000.json report=f
done
expect 0 "$CAIRN" classify 150000.jsonl --first 200
grep -q 'agreement with its own classes [01]\.[0-9]* (' out ||
  complain "no strict agreement with an interval"
grep -q 'within the range of the predicted class [01]\.[0-9]* (' out ||
  complain "no share in range with an interval"
grep -q 'Accuracy on held-out schedules' out || complain "no held-out accuracy"
grep -qi 'training accuracy' out && complain "training figures as accuracy"
expect 0 "$CAIRN" classify 150000.jsonl --evaluate 150000.jsonl --format json
cp out first.json
expect 0 "$CAIRN" classify 150000.jsonl --report f
again evidence 150000.jsonl first.json full=150000.json report=f

# two recordings of one experiment
expect 0 "$CAIRN" compare-runs 150000.jsonl 150000-earlier.jsonl --format json
cp out both.json
again compare 150000.jsonl 150000-earlier.jsonl both.json 150000.json \
  150000-earlier.json
grep -q '^2036 schedules in both' said || complain "common: $(cat said)"
expect 0 "$CAIRN" compare-runs 150000.jsonl 15000.jsonl --format json
cp out both.json
again compare 150000.jsonl 15000.jsonl both.json 150000.json 15000.json
expect 0 "$CAIRN" compare-runs 150000.jsonl 150000-earlier.jsonl
grep -q '^Rules of A that hold in B' out || complain "compare-runs in words"

# cairn's own names of the same schedules
expect 0 "$CAIRN" import "$data/perlmutter-spmv-150000.csv" -o pack.jsonl \
  --rename Scatter=Pack
expect 0 "$CAIRN" explore "$spmv" --backend replay:pack.jsonl \
  --strategy exhaustive -o own.jsonl
expect 0 "$CAIRN" classify own.jsonl --format json
cp out own.json
again evidence own.jsonl own.json all=330 varying=101 distinct=50 kept=35

# the same schedules with times that are nothing but noise
awk -F'|' -v OFS='|' 'BEGIN { srand(7) } {
  t = 1e-4
  for (k = 0; k < 12; k++) t += 1e-7 * (rand() - 0.5)
  for (k = 2; k <= 6; k++) $k = t * (1 + 0.002 * (k - 3))
  print }' "$data/perlmutter-spmv-150000.csv" >noise.csv
expect 0 "$CAIRN" import noise.csv -o noise.jsonl
expect 0 "$CAIRN" classify noise.jsonl
grep -q 'no rules: the differences are noise' out || complain "noise: $(cat out)"
grep -q '^Rules of' out && complain "rules of noise"
exit $status
