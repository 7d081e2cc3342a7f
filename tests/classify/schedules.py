# SPDX-License-Identifier: BSD-3-Clause
# Reading journals and conditions, written apart from cairn.
import json
import re

import numpy as np


def read_journal(path):
    """ids, times, records and schedules: lists of (name, stream, event)."""
    ids, times, records, schedules = [], [], [], []
    for line in open(path):
        record = json.loads(line)
        if record["k"] != "result" or record["status"] != "ok":
            continue
        items = []
        for word in record["schedule"].split():
            name, stream, event = re.fullmatch(
                r"([^@#]*)(?:@(\d+))?(?:#(\d+))?", word).groups()
            items.append((name, stream, event))
        ids.append(record["id"])
        times.append(record["p10"])
        records.append(record)
        schedules.append(items)
    return ids, times, records, schedules


def is_sync(name):
    return name[:3] in ("CER", "CES", "CSW")


def structure(items):
    """A schedule without the names of its syncs and the numbers it uses."""
    streams, events, out = {}, {}, []
    for name, stream, event in items:
        s = None if stream is None else streams.setdefault(stream, len(streams))
        if name[:3] == "CER":
            events[event] = len(events)
        e = None if event is None else events[event]
        out.append((name[:3] if is_sync(name) else name, s, e))
    return tuple(out)


class Schedules:
    """Where each name stands, for reading conditions."""

    def __init__(self, rows):
        names = sorted({n for s in rows for n, _, _ in s})
        at = {n: k for k, n in enumerate(names)}
        self.first = np.full((len(names), len(rows)), 10**6)
        self.last = np.full((len(names), len(rows)), -1)
        self.stream = np.full((len(names), len(rows)), -1)
        for r, s in enumerate(rows):
            for k, (n, stream, _) in enumerate(s):
                self.first[at[n], r] = min(self.first[at[n], r], k)
                self.last[at[n], r] = k
                if stream is not None and not is_sync(n):
                    self.stream[at[n], r] = int(stream)
        self.names, self.at = names, at

    def before(self, u, v):
        return self.first[self.at[u]] < self.last[self.at[v]]

    def same(self, u, v):
        a, b = self.stream[self.at[u]], self.stream[self.at[v]]
        return (a == b) & (a >= 0)

    def features(self):
        out = [self.before(u, v) for u in self.names for v in self.names]
        gpu = [n for n in self.names if (self.stream[self.at[n]] >= 0).any()]
        out += [self.same(u, v) for i, u in enumerate(gpu) for v in gpu[i + 1:]]
        varying = [c for c in out if c.any() and not c.all()]
        distinct = {c.tobytes(): c for c in varying}
        kept = {}
        for c in varying:
            if c.tobytes() not in kept and (~c).tobytes() not in kept:
                kept[c.tobytes()] = c
        counts = len(out), len(varying), len(distinct), len(kept)
        return counts, np.array(list(kept.values()))

    def read(self, text):
        """The schedules that a condition in words holds for."""
        two = re.fullmatch(r"(\S+) and (\S+) (in the same stream|in different "
                           r"streams|not in the same stream)", text)
        if two:
            same = self.same(two[1], two[2])
            return same if two[3] == "in the same stream" else ~same
        once = re.fullmatch(r"(\S+) (more than once|at most once)", text)
        if once:
            many = self.before(once[1], once[1])
            return many if once[2] == "more than once" else ~many
        order = re.fullmatch(r"(no )?(\S+) before (\S+)", text)
        if order:
            is_so = self.before(order[2], order[3])
            return ~is_so if order[1] else is_so
        every = re.fullmatch(r"(?:every )?(\S+) before (?:every )?(\S+)", text)
        if every:
            u, v = self.at[every[1]], self.at[every[2]]
            return (self.last[u] < self.first[v]) & (self.last[u] >= 0) & \
                (self.last[v] >= 0)
        absent = re.fullmatch(r"no (\S+)", text)
        assert absent, "words that nobody knows: " + text
        return self.last[self.at[absent[1]]] < 0
