# SPDX-License-Identifier: BSD-3-Clause
"""table.py TIME...: a table for `cairn import` whose schedules are the places
of one op in a chain of others: points in a row, each the neighbour of the next,
with these times (in microseconds)."""
import sys

times = sys.argv[1:]
for i, time in enumerate(times):
    ops = ["a%d" % k for k in range(1, len(times))]
    ops.insert(i, "x")
    t = "|".join(["%re-06" % float(time)] * 5 + ["0"])
    print("%d|%s|%s" % (i, t, "|".join('{"name":"%s"}' % o for o in ["start"] + ops + ["end"])))
