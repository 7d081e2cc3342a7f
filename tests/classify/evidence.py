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

from schedules import Schedules, is_sync, read_journal

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
            [known.read(w) for w in said["do"]])
        share = (label[follow] == 0).mean()
        print("to be fast, %s: %d follow, %.3f of them in the fastest class"
              % (said["do"], follow.sum(), share))
        check("the page's advice leads to the fastest class", True,
              bool(share >= 0.95))
        order = re.search(r'<p id="order"><b>(.*?)</b>', page)
        check("the page's order is that of the summary", True,
              "in this order: %s.\n" % html.unescape(order[1])
              in d["summary"])
    warned = d["advice"] and d["advice"]["avoid"]
    check("the page's warning is that of the JSON", said.get("avoid"),
          warned["text"] if warned else None)

# the schedule to copy, put together again from its words
def copy(streams, order):
    """What (kind, op, stream, op it waits for) the words tell to issue."""
    where = {op: k for k, ops in enumerate(streams.split(" and "))
             for op in re.sub(" in (one stream|another)$", "",
                              ops).split(", ")}
    out, it = [], None
    for part in order.split(", "):
        record = re.fullmatch(r"record an event after (\S+)", part)
        waits = re.fullmatch(r"the (host|stream of (\S+)) waits for "
                             r"(?:it|the event after (\S+))", part)
        if record:
            it = record[1]
            out.append(("record", None, where[it], it))
        elif waits:
            out.append(("wait", None, where.get(waits[2]), waits[3] or it))
        else:
            out.append(("op", part, where.get(part), None))
    return out


def issued(items):
    """The same of a schedule in the journal."""
    streams, last, event, out = {}, {}, {}, []
    for name, stream, number in items:
        if name in ("start", "end"):
            continue
        if not is_sync(name):
            if stream is not None:
                streams.setdefault(stream, len(streams))
                last[stream] = name
            out.append(("op", name, streams.get(stream), None))
        elif name.startswith("CER"):
            event[number] = last[stream]
            out.append(("record", None, stream, last[stream]))
        else:
            out.append(("wait", None, stream, event[number]))
    return [(k, o, streams.get(s, s), e) for k, o, s, e in out]


if d["rules"]:
    f = d["advice"]["follow"]
    cover = np.logical_and.reduce([known.read(w) for w in f["text"]])
    check("those that follow", [f["schedules"], f["fastest"]],
          [int(cover.sum()), int((label[cover] == 0).sum())])
    r = row[f["example"]["id"]]
    check("the example is the fastest that follows", bool(cover[r]) and
          time[r], time[cover].min())
    check("the example is of the fastest class", int(label[r]), 0)
    told = re.search(r"The fastest of them \(id (\d+), [^)]*\) uses (.*), in "
                     r"this order: (.*)\.$", d["summary"], re.M)
    check("the example in the summary", told and int(told[1]),
          f["example"]["id"])
    if told:
        check("copying the words", copy(told[2], told[3]),
              issued(schedules[r]))

# a warning must be worth heeding, and none may be withheld
if d["rules"]:
    slow = label == label.max()
    base = slow.mean()

    def worth(hit):
        share = slow[hit].mean() if hit.any() else 0
        return (share >= 0.9 and 1 - share <= (1 - base) / 2,
                share >= 2 * base)

    single = [known.read(w) for w in
              sorted({w for rule in d["rules"] for w in rule["text"]})]
    pure = max([int(h.sum()) for h in single if h.any() and slow[h].all()] +
               [0])
    a = d["advice"]["avoid"]
    if a is None:
        check("a warning withheld", any(any(worth(h)) for h in single), False)
        print("no warning: base rate %.3f" % base)
    else:
        hit = np.logical_and.reduce([known.read(w) for w in a["text"]])
        counts = (hit.sum(), slow[hit].sum(), (~hit).sum(), slow[~hit].sum())
        check("the warning's figures",
              tuple(a[k] for k in ("schedules", "slowest", "others",
                                   "others_slowest")),
              tuple(int(c) for c in counts))
        check("avoided far above the base rate", any(worth(hit)), True)
        check("heeding it is slowest less often", True,
              bool(slow[~hit].mean() < base))
        check("a larger set is all slowest", max(pure, a["slowest"]),
              a["slowest"])
        if any(worth(h)[0] for h in single):
            check("a purer set is there", worth(hit)[0], True)
        sentence = "%d of the %d such schedules measured are in the " \
            "slowest class, %d of the %d others" \
            % (counts[1], counts[0], counts[3], counts[2])
        check("the summary says so", sentence in d["summary"], True)
        print("avoid %s: %s; base rate %.3f" % (a["text"], sentence, base))
        if "avoid" in option:
            check("golden avoid", "%d/%d" % (counts[1], counts[0]),
                  option["avoid"])

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
