#!/bin/bash
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
fails 2 "another op of the table has that name" \
  "$cairn" import "$table" -o x.jsonl --rename Scatter=yl
fails 2 "another op gets that name too" \
  "$cairn" import "$table" -o x.jsonl --rename Scatter=P --rename yl=P
fails 3 "cannot open" "$cairn" import nothing -o x.jsonl
fails 3 "expected" "$cairn" import "$first" -o x.jsonl
[ ! -e x.jsonl ] || { echo "a refused import left a journal"; exit 1; }

# Two names that change places are no third one.
"$cairn" import "$table" -o swap.jsonl --rename yl=yr --rename yr=yl >text ||
  exit 1
"$cairn" import "$table" -o same.jsonl >text || exit 1
plain() { sed '1d; s/"x":.*//' "$1"; }
plain swap.jsonl | sed 's/\byl\b/TT/g; s/\byr\b/yl/g; s/TT/yr/g' |
  cmp - <(plain same.jsonl) || { echo "names that change places"; exit 1; }

# The older form: commas, plain text, streams by their addresses, waits for
# whole streams; and such waits as JSON.  What is expected was derived by hand.
cat >old.csv <<'END'
1pctl,10pctl,50pctl,90pct,99pct,stddev,a,b,c,d
1E-05,2E-05,3E-05,4.00E-05,5E-05,1E-07,1461, Start, A(700), B(900), StreamSync(700), Post, StreamWait(700/900), C(700), StreamSync(700), End,
2E-05,2E-05,3E-05,4.00E-05,5E-05,1E-07,17, Start, Post, A(900), B(900), C(900), StreamSync(900), End,,
END
cat >old.txt <<'END'
start A@0 B@1 CER-after-A@0#0 CES-after-A#0 Post CER-after-B@1#1 CSW-after-B@0#1 C@0 CER-after-C@0#2 CES-after-C#2 end
start Post A@1 B@1 C@1 CER-after-C@1#0 CES-after-C#0 end
END
cat >kinds.csv <<'END'
index,p01,p10,p50,p90,p99,stddev,op
0,1e-5,2e-5,3e-5,4e-5,5e-5,1e-7,{"name":"start"},{"name":"A","stream":0},{"name":"B","stream":1},{"kind":"CudaEventRecord","event":3,"name":"CER-b","stream":1},{"kind":"StreamSync","name":"s","stream":0},{"kind":"StreamWait","name":"w","waiter":0,"waitee":1},{"name":"C","stream":0},{"name":"end"}
END
cat >kinds.txt <<'END'
start A@0 B@1 CER-b@1#3 CER-after-A@0#4 CES-after-A#4 CER-after-B@1#5 CSW-after-B@0#5 C@0 end
END
for name in old kinds; do
  "$cairn" import $name.csv -o $name.jsonl >text || exit 1
  $python - $name.jsonl $name.txt <<'EOF' || exit 1
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
found = [line["schedule"] for line in lines if line["k"] == "result"]
wanted = open(sys.argv[2]).read().splitlines()
assert found == wanted, (found, wanted)
assert lines[1]["p01"] == 1e-5 and lines[1]["stddev"] == 1e-7
EOF
done
"$cairn" import old.csv -o renamed.jsonl --rename B=yl >text || exit 1
grep -q '"start A@0 yl@1 CER-after-A@0#0 CES-after-A#0 Post CER-after-yl@1#1 ' \
  renamed.jsonl || { echo "not renamed inside syncs"; exit 1; }
