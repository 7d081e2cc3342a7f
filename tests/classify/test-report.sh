#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reports: complete, self-contained, and readable in a real browser.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
table=$top_srcdir/../shared/data/perlmutter-spmv-150000.csv
if [ ! -r "$table" ]; then
  echo "skipped: the recorded spaces are not there"
  exit 77
fi
fail() {
  echo "$*"
  exit 1
}
"$CAIRN" import "$table" -o "$dir/t.jsonl" >/dev/null || fail "import"
"$CAIRN" classify "$dir/t.jsonl" --report "$dir/r" >"$dir/out" || fail "classify"
for file in report.html report.md report.json tree.dot schedules.tsv; do
  [ -s "$dir/r/$file" ] || fail "$file is missing"
done
for pair in html:report.html markdown:report.md json:report.json dot:tree.dot \
  tsv:schedules.tsv; do
  "$CAIRN" classify "$dir/t.jsonl" --format "${pair%:*}" >"$dir/printed" ||
    fail "--format ${pair%:*}"
  [ "$pair" = json:report.json ] || # printed, it ends its line
    cmp "$dir/printed" "$dir/r/${pair#*:}" || fail "--format ${pair%:*} differs"
done
"$CAIRN" classify "$dir/t.jsonl" --format svg >/dev/null 2>"$dir/err"
[ $? = 2 ] || fail "a format that is none is taken"
grep -q 'expected one of text, html, markdown, json, dot, tsv' "$dir/err" ||
  fail "formats are not told: $(cat "$dir/err")"
grep -q '^Fastest class (573 of 2036' "$dir/out" || fail "no summary"
grep -Eq '(src|href)="?(https?:)?//' "$dir/r/report.html" &&
  fail "the page refers to the network"
grep -q '<title>t.jsonl on unknown machine, objective p10' "$dir/r/report.html" ||
  fail "the title does not say what the page is about"
grep -q '<th>ranks</th><td>unknown<' "$dir/r/report.html" || fail "ranks"
[ "$(grep -c '<svg' "$dir/r/report.html")" = \
  "$(grep -c '<svg.*viewBox' "$dir/r/report.html")" ] ||
  fail "a figure that cannot shrink"
[ "$(wc -l <"$dir/r/schedules.tsv")" = 2037 ] || fail "lines of schedules.tsv"
if command -v dot >/dev/null; then
  dot -Tsvg "$dir/r/tree.dot" >/dev/null || fail "tree.dot"
fi
browser=$(command -v chromium || command -v chromium-browser) || {
  echo "skipped: no Chromium; the other checks passed"
  exit 77
}
for width in 390 1200; do
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic \
    --no-first-run --disable-background-networking --disable-component-update \
    --disable-sync --user-data-dir="$dir/profile$width" \
    --window-size=$width,900 --dump-dom "file://$dir/r/report.html" \
    >"$dir/dom" 2>"$dir/err" || fail "Chromium: $(cat "$dir/err")"
  grep -q 'id="summary"' "$dir/dom" || fail "no summary at $width"
  grep -q 'data-ready="1"' "$dir/dom" || fail "the script did not run at $width"
  # the page itself never scrolls sideways: wide things scroll in their box
  wide=$(sed -n 's/.*data-wide="\([0-9]*\)".*/\1/p' "$dir/dom" | head -1)
  seen=$(sed -n 's/.*data-seen="\([0-9]*\)".*/\1/p' "$dir/dom" | head -1)
  [ "$wide" -le "$seen" ] || fail "the page is $wide wide at $seen"
  # no words are cut off a figure, and a wide screen shows all of each
  grep -q 'data-cut="0"' "$dir/dom" || fail "words are cut off at $width"
  [ $width -lt 1200 ] || grep -q 'data-scrolled="0"' "$dir/dom" ||
    fail "a figure is wider than a page of $width"
  grep -q 'id="hover"[^>]*>id [0-9]*, class' "$dir/dom" ||
    fail "hovering shows no schedule at $width"
done
