# SPDX-License-Identifier: BSD-3-Clause
# What cairn says of a journal, computed again from the journal alone.
#   evidence.py JOURNAL OUT.json [all=.. varying=.. distinct=.. kept=..]
#               [first=N full=FULL.json] [report=DIR]
# OUT.json: classify --format json; report: its --report; full: the same
# command's answer on the whole journal, whose labels are the truth.
import html
import json
import re
import sys

import numpy as np

from schedules import Schedules, read_journal

journal, answer = sys.argv[1:3]
option = dict(a.split("=", 1) for a in sys.argv[3:])
bad = 0


def check(what, got, want):
    global bad
    if got != want:
        print("%s: cairn says %s, computed %s" % (what, got, want))
        bad += 1


ids, times, records, schedules = read_journal(journal)
whole = schedules, np.array(times)
first = int(option.get("first", len(ids)))


d = json.load(open(answer))
known = Schedules(schedules[:first])
time = np.array(times[:first])
label = np.array(d["labels"])
counts, kept = known.features()
check("features", [d["features"][k] for k in
                   ("all", "varying", "distinct", "kept")], list(counts))
for k in ("all", "varying", "distinct", "kept"):
    if k in option:
        check("golden " + k, d["features"][k], int(option[k]))
for c in d["classes"]:
    mine = time[label == c["id"]]
    check("class", [c["count"], c["min"], c["max"]],
          [len(mine), mine.min(), mine.max()])

differ = (kept[:, :, None] != kept[:, None, :]).sum(0) \
    if kept.size and len(time) < 600 else None
row = {i: r for r, i in enumerate(ids[:first])}
pairs = 0
for rule in d["rules"]:
    words = rule["text"]
    holds = [known.read(w) for w in words]
    cover = np.logical_and.reduce(holds)
    mine = label == rule["class"]
    check("samples", rule["samples"], int(cover.sum()))
    purity = mine[cover].mean()
    check("purity", round(rule["purity"], 9), round(float(purity), 9))
    for k, w in enumerate(words):
        fewer = np.logical_and.reduce(holds[:k] + holds[k + 1:] +
                                      [np.ones(len(time), bool)])
        check("dropping '%s' of %s lowers the purity" % (w, words), True,
              bool(mine[fewer].mean() < purity))
        e = rule["evidence"][k]
        check("evidence", e["text"], w)
        check("wordings are distinct", len({w, *e["same_as"]}),
              1 + len(e["same_as"]))
        for other in e["same_as"]:
            check("'%s' here the same as '%s'" % (other, w), True,
                  bool((known.read(other) == holds[k]).all()))
        if "pair" not in e:
            continue
        pairs += 1
        a, b = row[e["pair"]["with"]["id"]], row[e["pair"]["without"]["id"]]
        for side, r in (("with", a), ("without", b)):
            for key, recorded in (("time", "p10"), ("p10", "p10"),
                                  ("p90", "p90")):
                check(key, e["pair"][side][key], records[r][recorded])
        check("with it", bool(cover[a] and mine[a]), True)
        check("without it", bool(holds[k][b]), False)
        others = int((kept[:, a] != kept[:, b]).sum()) - 1
        check("other differences", e["pair"]["other_differences"], others)
        if differ is not None:
            x, y = np.flatnonzero(cover & mine), \
                np.flatnonzero(~holds[k] & ~cover & ~mine)
            if len(y):
                check("fewest differences", others,
                      int(differ[np.ix_(x, y)].min()) - 1)

if "report" in option:
    page = open(option["report"] + "/report.html").read()
    said = {}
    for part in ("do", "avoid"):
        card = re.search(r'<div class="card %s">(.*?)</div>' % part, page, re.S)
        if card:
            said[part] = [html.unescape(x) for x in
                          re.findall(r"<li>(.*?)</li>", card[1])]
    if d["rules"]:
        follow = np.logical_and.reduce(
            [known.read(w) for w in said["do"] if w != "in any streams"])
        share = (label[follow] == 0).mean()
        print("to be fast, %s: %d follow, %.3f of them in the fastest class"
              % (said["do"], follow.sum(), share))
        check("the page's advice leads to the fastest class", True,
              bool(share >= 0.95))
    if "avoid" in said:
        hit = np.logical_and.reduce([known.read(w) for w in said["avoid"]])
        fast, slow = hit[label == 0].mean(), hit[label == label.max()].mean()
        print("avoid %s: %.3f of the fastest class do it, %.3f of the slowest"
              % (said["avoid"], fast, slow))
        check("what to avoid is rare in the fastest class", True,
              bool(fast <= 0.05 and slow >= 0.25))

if "full" in option:
    truth = np.array(json.load(open(option["full"]))["labels"])
    every, all_times = Schedules(whole[0]), whole[1]
    dot = open(option["report"] + "/tree.dot").read()
    words = {int(n): w for n, w in re.findall(r'n(\d+) \[label="(.*?)\\n', dot)}
    edge = {(int(a), w): int(b) for a, b, w in
            re.findall(r'n(\d+) -> n(\d+) \[label="(\w+)"\]', dot)}

    def predict(node, rows):
        w = words[node]
        if w.startswith("class "):
            said_class[rows] = int(w[6:])
            return
        yes = every.read(w.rstrip("?"))
        predict(edge[node, "yes"], rows & yes)
        predict(edge[node, "no"], rows & ~yes)

    said_class = np.zeros(len(truth), int)
    predict(0, np.ones(len(truth), bool))
    table = np.zeros((len(d["classes"]), truth.max() + 1))
    np.add.at(table, (said_class, truth), 1)
    hits = np.zeros(truth.max() + 1)
    left = table.copy()
    while left.max() > 0:
        p, c = np.unravel_index(left.argmax(), left.shape)
        hits[c] = table[p, c]
        left[p], left[:, c] = 0, 0
    e = d["evaluation"]
    check("agreement", round(e["agreement"], 9),
          round(hits.sum() / len(truth), 9))
    check("balanced", round(e["balanced"], 9),
          round((hits / np.bincount(truth)).mean(), 9))
    low = np.array([c["min"] for c in d["classes"]])[said_class]
    high = np.array([c["max"] for c in d["classes"]])[said_class]
    check("in range", round(e["in_range"], 9),
          round(((all_times >= low) & (all_times <= high)).mean(), 9))
    for key in ("agreement", "in_range"):
        i = e[key + "_interval"]
        check("interval of " + key, True, i["low"] <= e[key] <= i["high"])
print("%s: %d rules, %d pairs, %d complaints"
      % (answer, len(d["rules"]), pairs, bad))
sys.exit(1 if bad else 0)
