#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/dag/check-import.sh - the recorded tables, imported, hold what another
# reader (Python) finds in them, field by field.
data=${srcdir:-.}/../shared/data
python=/usr/bin/python3
[ -d "$data" ] || { echo "skipped: no recorded tables in $data"; exit 77; }
[ -x $python ] || { echo "skipped: no $python"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
for table in "$data"/*.csv; do
  name=$(basename "$table" .csv)
  ./cairn import "$table" -o "$dir/$name.jsonl" || exit 1
  ./cairn import "$table" -o "$dir/$name-renamed.jsonl" --rename Scatter=Pack \
    >"$dir/text" || exit 1
  gzip -c "$table" >"$dir/table.gz"
  ./cairn import "$dir/table.gz" -o "$dir/gz.jsonl" >/dev/null || exit 1
  sed 1d "$dir/$name.jsonl" >"$dir/rest"
  sed 1d "$dir/gz.jsonl" | cmp - "$dir/rest" || exit 1
  rm "$dir/gz.jsonl"
  $python - "$table" "$dir/$name.jsonl" "$dir/$name-renamed.jsonl" <<'EOF' || exit 1
import json, re, sys

def rows(path, old=None, new=None):
    for line in open(path):
        fields = line.rstrip("\n").split("|")
        items = []
        for op in map(json.loads, fields[7:]):
            name = op["name"]
            if old:
                name = re.sub(r"(^|-)%s($|-)" % old, r"\1%s\2" % new, name)
            if "stream" in op and op.get("kind") != "CudaEventSync":
                name += "@%d" % op["stream"]
            if "event" in op:
                name += "#%d" % op["event"]
            items.append(name)
        yield list(map(float, fields[1:7])), " ".join(items)

def check(journal, wanted):
    lines = [json.loads(line) for line in open(journal)]
    assert lines[0]["k"] == "header" and lines[0]["backend"] == "import"
    assert lines[-1]["k"] == "end" and lines[-1]["count"] == len(wanted)
    results = lines[1:-1]
    assert len(results) == len(wanted), (len(results), len(wanted))
    for i, (result, (times, schedule)) in enumerate(zip(results, wanted)):
        assert result["k"] == "result" and result["id"] == i
        assert result["schedule"] == schedule, (result["schedule"], schedule)
        found = [result[k] for k in
                 ("p01", "p10", "p50", "p90", "p99", "stddev")]
        assert found == times, (found, times)
        assert result["samples"] is None and result["at"] is None

table, plain, renamed = sys.argv[1:]
wanted = list(rows(table))
check(plain, wanted)
check(renamed, list(rows(table, "Scatter", "Pack")))
assert "Scatter" not in open(renamed).read().replace(table, "")
print("%s: %d rows equal" % (table, len(wanted)))
EOF
done
# What it refuses.
cd "$dir" || exit 99
cairn=$OLDPWD/cairn
first=$(ls ./*.jsonl | head -1)
fails() { # status, words, command...
  wanted=$1 words=$2
  shift 2
  out=$("$@" 2>&1) && status=0 || status=$?
  [ $status = "$wanted" ] && case $out in *"$words"*) return ;; esac
  echo "$*: status $status (expected $wanted): $out"
  exit 1
}
case $data in /*) ;; *) data=$OLDPWD/$data ;; esac
table=$(ls "$data"/*.csv | head -1)
fails 2 "exists already" "$cairn" import "$table" -o "$first"
fails 2 "-o FILE is missing" "$cairn" import "$table"
fails 2 "no op has that name" "$cairn" import "$table" -o x.jsonl --rename Scater=Pack
fails 2 "expected OLD=NEW" "$cairn" import "$table" -o x.jsonl --rename Scatter
fails 2 "cannot be one of an op" "$cairn" import "$table" -o x.jsonl --rename Scatter=CER
fails 3 "cannot open" "$cairn" import nothing -o x.jsonl
fails 3 "expected" "$cairn" import "$first" -o x.jsonl
[ ! -e x.jsonl ] || { echo "a refused import left a journal"; exit 1; }
