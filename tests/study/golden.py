# SPDX-License-Identifier: BSD-3-Clause
"""golden.py JSON GOLDEN [RULE]: a study of a space against what an independent
program printed about it (its first block, or that of a rule)."""
import json
import re
import sys

space = json.load(open(sys.argv[1]))["spaces"][0]
text = open(sys.argv[2]).read()
block = text.split("== rule " + sys.argv[3])[1].split("== rule")[0]
failures = []


def same(what, got, wanted, error=0):
    if not (abs(got - wanted) <= error):
        failures.append("%s: %r, expected %r" % (what, got, wanted))


def found(pattern):
    return [float(x) for x in re.search(pattern, block).groups()]


n, pairs, components, least, most = found(
    r"vertices (\d+) neighbour pairs \(ordered\) (\d+) symmetric True "
    r"components (\d+) degree min/mean/max (\d+) [\d.]+ (\d+)")
same("vertices", space["vertices"], n)
same("pairs", 2 * space["pairs"], pairs)
same("components", space["components"], components)
same("least degree", space["degree_min"], least)
same("largest degree", space["degree_max"], most)
edges, ties, minima, strict, maxima = found(
    r"edges (\d+) ordered pairs of equal fitness (\d+) minima \(no better "
    r"neighbour\) (\d+) of them strict \(all worse\) (\d+) maxima (\d+)")
same("edges", space["edges"], edges)
same("ties", 2 * space["ties"], ties)
same("minima", space["minima"], minima)
same("strict", space["strict"], strict)
same("maxima", space["maxima"], maxima)
median, worst = found(r"minima: median ([\d.]+) worst ([\d.]+)")
same("median", space["fraction"]["median"], median, 1e-12)
same("worst", space["fraction"]["worst"], worst, 1e-12)
within = found(r"within 1/2/5/10 %: \[(\d+), (\d+), (\d+), (\d+)\]")
same("within", 0, sum(a != space["within"][p] for a, p in zip(within, (1, 2, 5, 10))))
tops = re.findall(r"^ +(\d+) ([\d.e-]+) (0\.\d+) \S+(?: digits\))? (0\.\d+)$", block, re.M)
same("minima listed", len(tops), 8)
for (id, time, arrival, rank), got in zip(tops, space["local_minima"]):
    same("id", got["id"], int(id))
    same("time", got["time"], float(time), 1e-13)
    same("arrival", got["arrival"], float(arrival), 1e-12)
    same("pagerank", got["pagerank"], float(rank), 1e-10)
id, arrival, rank = found(r"best: (\d+) \S+ arrival (\S+) pagerank (\S+)")
same("best", space["best"]["id"], id)
same("best's arrival", space["best"]["arrival"], arrival, 1e-12)
same("best's pagerank", space["best"]["pagerank"], rank, 1e-10)
rows = re.findall(r"^ ?(\d+) +(\d+) ([\d.]+) ([\d.]+)$", block, re.M)
same("rows", len(rows), 16)
for p, count, arrivals, ranks in rows:
    same("within " + p, space["within"][int(p)], int(count))
    same("centrality " + p, space["centrality"][int(p)], float(arrivals), 1e-12)
    same("by PageRank " + p, space["centrality_pagerank"][int(p)], float(ranks), 1e-10)
print("\n".join(failures))
sys.exit(bool(failures))
