# SPDX-License-Identifier: BSD-3-Clause
"""peers.py landscapes < ANSWERS: random landscapes against networkx and NumPy.
peers.py competitions CAIRN FOLDER: random competitions against SciPy."""
import json
import subprocess
import sys
import warnings

import numpy as np

bad = []


def same(what, got, wanted, relative=0.0, absolute=0.0):
    if not abs(got - wanted) <= absolute + relative * max(abs(got), abs(wanted)):
        bad.append("%s: %r, expected %r" % (what, got, wanted))


def landscape(number, a):
    import networkx as nx
    f = [np.inf if t is None else t for t in a["time"]]
    n = len(f)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from((x, y) for x, y in a["pairs"] if f[y] < f[x])
    near = nx.Graph()
    near.add_nodes_from(range(n))
    near.add_edges_from(a["pairs"])
    name = "landscape %d " % number
    sinks = [v for v in G if G.out_degree(v) == 0]
    minima = [v for v in sinks if f[v] < np.inf]
    same(name + "edges", a["edges"], G.number_of_edges())
    same(name + "minima", a["minima"], len(minima))
    same(name + "strict", a["strict"], sum(all(f[w] > f[v] for w in near[v]) for v in minima))
    same(name + "maxima", a["maxima"], sum(near.degree(v) > 0 and all(f[w] < f[v] for w in near[v]) for v in G))
    same(name + "components", a["components"], nx.number_connected_components(near))
    best = min(f)
    same(name + "median", a["median"], float(np.median([best / f[v] for v in minima])), 1e-12)
    # Absorption: (I - Q) x = 1/n for those that move on, then one step.
    A = np.zeros((n, n))
    for x, y in G.edges:
        A[y, x] = 1 / G.out_degree(x)
    mass = np.linalg.solve(np.eye(n) - A, np.full(n, 1 / n))
    rank = nx.pagerank(G, alpha=0.85, tol=1e-15, max_iter=10000)
    for v in range(n):
        same(name + "pagerank", a["pagerank"][v], rank[v], 1e-9)
    for v in minima:
        same(name + "arrival", a["arrival"][v], mass[v], 1e-12)
    for p in range(16):
        good = [v for v in minima if 100 * f[v] <= (100 + p) * best * (1 + 1e-12)]
        for key, weight in (("centrality", mass), ("centrality_pagerank", rank)):
            same(name + key, a[key][p], sum(weight[v] for v in good) / sum(weight[v] for v in minima), 1e-9)


def competition(number, cairn, folder):
    from scipy import stats
    rng = np.random.default_rng(number)
    runs = int(rng.integers(2, 40))
    values = {}
    path = "%s/%d.tsv" % (folder, number)
    with open(path, "w") as out:
        out.write("strategy\tspace\trun\tbudget\tbest_s\toptimum_s\tslowest_s\n")
        for strategy in ("random", "a", "b"):
            mean, sd = rng.uniform(1, 1.5), 10 ** rng.uniform(-3, -0.5)
            for run in range(runs):
                best = 1 + abs(rng.normal(mean - 1, sd))
                if number % 4 == 0:
                    best = round(best, 1)
                values.setdefault(strategy, []).append(best)
                out.write("%s\ts\t%d\t10\t%r\t1\t9\n" % (strategy, run, best))
    for test in ("pooled", "welch"):
        j = json.loads(subprocess.run([cairn, "study", "--compete", "--from", path, "--t-test", test, "--format", "json"],
                                      stdout=subprocess.PIPE, check=True).stdout)
        names = j["strategies"]
        for x in j["tests"]:
            a, b = values[x["a"]], values[x["b"]]
            name = "competition %d %s %s %s " % (number, test, x["a"], x["b"])
            if len(set(a)) == 1 and len(set(b)) == 1:
                same(name + "p", x["p"], float(a[0] == b[0]))
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                t, p = stats.ttest_ind(a, b, equal_var=test == "pooled")
            same(name + "t", x["t"], t, 1e-9)
            same(name + "p", x["p"], p, 1e-9)
            beat = 0 if p >= 0.05 else 1 if t < 0 else -1
            same(name + "win", j["all"]["heat"][names.index(x["b"])][names.index(x["a"])], int(beat > 0))
            same(name + "loss", j["all"]["heat"][names.index(x["a"])][names.index(x["b"])], int(beat < 0))


count = 0
if sys.argv[1] == "landscapes":
    for line in sys.stdin:
        count += 1
        landscape(count, json.loads(line))
else:
    for count in range(1, 51):
        competition(count, sys.argv[2], sys.argv[3])
print(count, sys.argv[1] + ",", len(bad), "differences")
print("\n".join(bad[:20]))
sys.exit(bool(bad) or count != 50)
