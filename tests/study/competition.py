# SPDX-License-Identifier: BSD-3-Clause
"""competition.py runs > runs.tsv: made-up runs of four searches.
competition.py check JSON GOLDEN HEADING: the heat maps, t-tests and curves of a
competition of these runs against what an independent program printed; HEADING
is "pooled" or "Welch", the split is that of the JSON."""
import json
import re
import sys

ALGORITHMS = {"random": (300, 60), "ils": (180, 55), "anneal": (150, 25), "tree": (200, 45)}


class Generator:
    def __init__(self, seed):
        self.x = seed

    def next(self):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.x >> 32


def runs():
    print("strategy\tspace\trun\tbudget\tbest_s\toptimum_s\tslowest_s")
    for a, (name, (base, slope)) in enumerate(ALGORITHMS.items()):
        for d in range(2):
            for k in range(2):
                for j in range(20):
                    g = Generator(1 + 1000003 * a + 10007 * d + 101 * k + j)
                    g.next()
                    best = 10**9
                    for i, budget in enumerate((50, 100, 200, 400, 800)):
                        best = min(best, 1000 + max(0, base - slope * i + g.next() % 120 - 20))
                        print("%s\td%d k%d\t%d\t%d\t%d\t1000\t2000" % (name, d + 1, k + 1, j, budget, best))


def check(path, golden, heading):
    j = json.load(open(path))
    text = open(golden).read()
    bad = []
    for part, word in (("low", "low <= %d" % j["split"]), ("medium", "medium > %d" % j["split"])):
        block = text.split("heat map %s %s cell" % (word, heading))[1].split("\n\n")[0]
        rows = [l.split()[1:] for l in block.splitlines()[1:5]]
        wins = [int(x) for x in re.search(r"wins +\[(.*)\] of", block).group(1).split(",")]
        mine = [["-" if x is None else str(x) for x in row] for row in j[part]["heat"]]
        if mine != rows or j[part]["wins"] != wins or j[part]["of"] != int(re.search(r"of (\d+) each", block).group(1)):
            bad.append((part, mine, rows))
    close = lambda a, b: abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    pairs = text.split("pairs at d1 k1")[1].split("\n\n")[0].splitlines()[1:]
    for line in pairs:
        a, b, pooled, welch = re.match(r"(\w+) +(\w+) +(.*) \| (.*)", line).groups()
        t, df, p = map(float, (pooled if heading == "pooled" else welch).split())
        x = next(x for x in j["tests"] if (x["space"], x["budget"], x["a"], x["b"]) == ("d1 k1", 100, a, b))
        if not (close(x["t"], t) and close(x["df"], df) and close(x["p"], p)):
            bad.append((line, x))
    for line in text.split("budget curves")[1].split("\n\n")[0].splitlines()[1:5]:
        name, *values = line.split()[:6]
        x = next(x for x in j["curves"] if (x["space"], x["strategy"]) == ("d1 k1", name))
        if any(abs(a - float(b)) > 1e-12 for a, b in zip(x["fraction"], values)):
            bad.append((line, x))
    print(len(pairs), "tests,", len(bad), "wrong", *bad, sep="\n")
    return bool(bad) or len(pairs) != 6


if sys.argv[1] == "runs":
    runs()
else:
    sys.exit(check(*sys.argv[2:]))
