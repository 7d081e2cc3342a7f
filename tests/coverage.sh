#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/coverage.sh - line and branch coverage of our own code by the tests,
# with gcov alone: configures a build of its own with --enable-coverage, runs
# `make check` there, and prints one line a folder and one for all.  The CUDA
# file does not count: no test can run it without a GPU.
#
#   tests/coverage.sh [BUILD-FOLDER [TEST...]]      (default: coverage-build)
set -e
srcdir=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-coverage-build}
[ $# = 0 ] || shift
mkdir -p "$build"
cd "$build"
[ -x "$srcdir/configure" ] || (cd "$srcdir" && ./autogen.sh)
[ -f Makefile ] || "$srcdir/configure" -q --enable-coverage \
  CFLAGS='-O0 -g'
find . -name '*.gcda' -exec rm -f {} +
make -s -j"${JOBS:-2}" all
if [ $# -gt 0 ]; then
  make -s check TESTS="$*" || echo "some tests failed: see above"
else
  make -s check || echo "some tests failed: see above"
fi
rm -rf gcov
mkdir gcov
find . -name '*.gcno' | while read -r note; do
  # a program and the library may hold the same source: all counts are added
  (cd gcov && gcov -b -c -i -j -t -s "$srcdir" "../$note" 2>/dev/null) || :
done >gcov/all.json
python3 - "$srcdir" gcov/all.json <<'EOF'
import json, os, sys

root, path = sys.argv[1:]
lines, branches = {}, {}
folders = ("base", "dag", "mcts", "exec", "classify", "cli", "examples")
for text in open(path):
    try:
        data = json.loads(text)
    except ValueError:
        continue
    for file in data["files"]:
        name = os.path.normpath(os.path.join(
            data["current_working_directory"], "..", file["file"])
            if not os.path.isabs(file["file"]) else file["file"])
        if not name.startswith(root + "/"):
            name = os.path.normpath(os.path.join(root, file["file"]))
        name = os.path.relpath(name, root)
        if name.split("/")[0] not in folders or "cuda" in name:
            continue
        for line in file["lines"]:
            key = name, line["line_number"]
            lines[key] = lines.get(key, 0) + line["count"]
            for i, branch in enumerate(line["branches"]):
                key3 = name, line["line_number"], i
                branches[key3] = branches.get(key3, 0) + branch["count"]

def share(table, prefix):
    counts = [n for key, n in table.items() if key[0].startswith(prefix)]
    hit = sum(n > 0 for n in counts)
    return hit, len(counts), 100.0 * hit / len(counts) if counts else 0.0

print("%-28s %22s %24s" % ("", "lines", "branches"))
for prefix in [f + "/" for f in folders] + [""]:
    l, b = share(lines, prefix), share(branches, prefix)
    if l[1]:
        print("%-28s %6d of %6d %5.1f %% %7d of %7d %5.1f %%" %
              ((prefix or "all",) + l + b))
worst = sorted({key[0] for key in lines}, key=lambda n: share(lines, n)[2])[:8]
print("least covered: " + ", ".join("%s %.0f %%" % (n, share(lines, n)[2])
                                     for n in worst))
EOF
