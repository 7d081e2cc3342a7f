#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# cairn study: its forms, options and exit codes.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
complain() { echo "$*"; status=1; }
space() { # NAME TIME...: points in a row
  local name=$1
  shift
  python3 "$top_srcdir/tests/study/table.py" "$@" >"$dir/$name.csv" &&
    "$CAIRN" import "$dir/$name.csv" -o "$dir/$name.jsonl" >/dev/null
}
value() { # FILE EXPRESSION: of the JSON object j
  python3 -c 'import json,sys; j=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"
}
space A 101 130 102 131 100 170 160 150 140 || exit 1
space B 140 150 100 110 120 130 135 136 137 || exit 1

# Two landscapes that the two measures rank in opposite ways, found by hand.
"$CAIRN" study --format json "$dir/A.jsonl" "$dir/B.jsonl" >"$dir/ab.json" ||
  complain "exit $?"
[ "$(value "$dir/ab.json" '[(s["name"], s["vertices"], s["edges"], s["minima"], s["maxima"], s["best"]["id"]) for s in j["spaces"]]')" = \
  "[('A', 9, 8, 4, 3, 4), ('B', 9, 8, 2, 2, 2)]" ] || complain "A and B: $(cat "$dir/ab.json")"
[ "$(value "$dir/ab.json" '[[round(s["centrality"][p] * 18, 9) for p in (0, 1, 5, 15)] for s in j["spaces"]]')" = \
  "[[4.0, 7.0, 11.0, 11.0], [15.0, 15.0, 15.0, 15.0]]" ] || complain "centrality"
[ "$(value "$dir/ab.json" '[len(s["centrality"]) for s in j["spaces"]] + [len(s["centrality_pagerank"]) for s in j["spaces"]] + [j["schema"]]')" = \
  "[16, 16, 16, 16, 1]" ] || complain "lengths"
value "$dir/ab.json" 'j["contradictions"]' | grep -q "'easier': 'A', 'harder': 'B'" ||
  complain "no contradiction"
"$CAIRN" study "$dir/A.jsonl" "$dir/B.jsonl" >"$dir/ab.txt" || complain "text: exit $?"
grep -q 'B: fraction 0.8571 < 0.9852 of A, centrality 0.8333 > 0.6111' "$dir/ab.txt" ||
  complain "text: $(tail -3 "$dir/ab.txt")"

# The report: a page that needs nothing else, and a table for each plot.
"$CAIRN" study "$dir/A.jsonl" "$dir/B.jsonl" --report "$dir/report" >"$dir/again" ||
  complain "report: exit $?"
cmp "$dir/again" "$dir/ab.txt" && cmp "$dir/report/report.txt" "$dir/ab.txt" &&
  cmp "$dir/report/report.json" "$dir/ab.json" || complain "report differs"
python3 - "$dir/report" <<'END' || status=1
import html.parser, re, sys
folder = sys.argv[1]
page = open(folder + "/report.html").read()
void = {"meta", "link", "br"}
class Checker(html.parser.HTMLParser):
    stack = []
    def handle_starttag(self, tag, attrs):
        if tag not in void: self.stack.append(tag)
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, (tag, self.getpos())
c = Checker(); c.feed(page); assert not c.stack, c.stack
assert not re.search(r"(src|href)=\"https?:|<script|nan|inf[^o ]", page), "page"
assert page.count("<svg id=") == 5, page.count("<svg id=")
for name, rows in (("spaces", 2), ("centrality", 32), ("minima", 6), ("chances", 8), ("graph", 18)):
    lines = open("%s/%s.tsv" % (folder, name)).read().splitlines()
    assert len(lines) == rows + 1, (name, len(lines))
    assert len({l.count("\t") for l in lines}) == 1, name
    assert name + ".tsv" in page, name
END

# Sampled descents: an estimate that says so; equal seeds, equal bytes.
"$CAIRN" study --sample 20000 --format json "$dir/B.jsonl" >"$dir/s1.json" || complain "sample: exit $?"
"$CAIRN" study --sample 20000 --format json "$dir/B.jsonl" | cmp - "$dir/s1.json" || complain "sample"
"$CAIRN" study --sample 20000 --seed 2 --format json "$dir/B.jsonl" | cmp -s - "$dir/s1.json" && complain "seed"
[ "$(value "$dir/s1.json" '[(s["exact"], s["descents"], s["edges"], s["minima"], abs(s["best"]["arrival"] - 5/6) < 0.02) for s in j["spaces"]]')" = \
  "[(False, 20000, None, 2, True)]" ] || complain "sample: $(cat "$dir/s1.json")"

# The program may be given; another program is refused.
cat >"$dir/row.xml" <<'END'
<program name="row"><cpu name="x"/><cpu name="a1"/><cpu name="a2" after="a1"/></program>
END
space C 5 4 3 || exit 1
"$CAIRN" study --program "$dir/row.xml" --format json "$dir/C.jsonl" >"$dir/c.json" || complain "program: exit $?"
[ "$(value "$dir/c.json" '[(s["program_inferred"], s["edges"]) for s in j["spaces"]]')" = "[(False, 2)]" ] || complain "program"
"$CAIRN" study --program "$dir/row.xml" "$dir/A.jsonl" 2>"$dir/e"
[ $? = 3 ] && grep -q 'A.jsonl:' "$dir/e" || complain "another program: $(cat "$dir/e")"

# Usage, input, folder.
"$CAIRN" study 2>"$dir/e"; [ $? = 2 ] || complain "no argument"
"$CAIRN" study --neighbours hamming "$dir/A.jsonl" 2>"$dir/e"; [ $? = 2 ] || complain "neighbours"
"$CAIRN" study --sample 0 "$dir/A.jsonl" 2>"$dir/e"; [ $? = 2 ] || complain "sample 0"
"$CAIRN" study "$dir/none.jsonl" 2>"$dir/e"; [ $? = 3 ] || complain "no file"
"$CAIRN" study "$dir/A.csv" 2>"$dir/e"; [ $? = 3 ] || complain "a table"
"$CAIRN" study --report "$dir/A.csv/x" "$dir/A.jsonl" >"$dir/o" 2>"$dir/e"
[ $? = 4 ] && [ ! -s "$dir/o" ] || complain "folder: $? $(cat "$dir/e")"
exit $status
