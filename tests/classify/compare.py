# SPDX-License-Identifier: BSD-3-Clause
# What cairn says of two runs, computed again with SciPy and scikit-learn.
#   compare.py A.jsonl B.jsonl COMPARISON.json CLASSES_A.json CLASSES_B.json
import json
import sys

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score

from schedules import Schedules, read_journal, structure

_, times_a, _, a = read_journal(sys.argv[1])
_, times_b, _, b = read_journal(sys.argv[2])
d, ca, cb = (json.load(open(f)) for f in sys.argv[3:6])
where = {structure(s): i for i, s in enumerate(b)}
pairs = [(i, where[structure(s)]) for i, s in enumerate(a)
         if structure(s) in where]
x, y = np.array(pairs).T
times_a, times_b = np.array(times_a)[x], np.array(times_b)[y]
la, lb = np.array(ca["labels"])[x], np.array(cb["labels"])[y]
table = np.zeros((la.max() + 1, lb.max() + 1), int)
np.add.at(table, (la, lb), 1)
# one to one for as many classes, else each of the finer run's goes to one of
# the coarser run's
same, left = np.zeros(table.shape, bool), table.copy()
if table.shape[0] == table.shape[1]:
    while left.max() > 0:
        p, c = np.unravel_index(left.argmax(), left.shape)
        same[p, c] = True
        left[p], left[:, c] = 0, 0
elif table.shape[0] > table.shape[1]:
    same[np.arange(table.shape[0]), table.argmax(1)] = True
else:
    same[table.argmax(0), np.arange(table.shape[1])] = True
bad = 0


def near(what, got, want):
    global bad
    if abs(got - want) > 1e-9:
        print("%s: cairn says %r, computed %r" % (what, got, want))
        bad += 1


near("common", d["common"], len(pairs))
near("spearman", d["spearman"], spearmanr(times_a, times_b)[0])
near("slowdown", d["slowdown"], float(np.median(times_b / times_a)))
near("rand index", d["rand_index"], adjusted_rand_score(la, lb))
near("class agreement", d["class_agreement"],
     table[same].sum() / len(pairs))
read = Schedules(a)
for key, holds in (("rules", True), ("rules_only_in_a", False)):
    for rule in d[key]:
        cover = np.logical_and.reduce([read.read(w) for w in rule["text"]])
        near("samples in A", rule["samples"], int(cover.sum()))
        near("samples in B", rule["samples_b"], int(cover[x].sum()))
        hits = same[rule["class"]][lb][cover[x]].mean()
        near("purity in B", rule["purity_b"], hits)
        near("holds", holds, bool(hits >= 0.9))
print("%d schedules in both, %d rules hold, %d do not, %d complaints"
      % (len(pairs), len(d["rules"]), len(d["rules_only_in_a"]), bad))
sys.exit(1 if bad else 0)
