#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cairn check and cairn enumerate: golden numbers, sorted output, JSON, graph.
. "$top_srcdir/tests/cli/lib.sh"

equal "2 streams" "$("$CAIRN" enumerate "$spmv" --count)" 2036
equal "1 stream" "$("$CAIRN" enumerate "$spmv" --count --streams 1)" 175
equal "3 streams" "$("$CAIRN" enumerate "$spmv" --count --streams 3)" 8507
equal "minimal" "$("$CAIRN" enumerate "$spmv" --count --sync minimal)" 1856

expect 0 "$CAIRN" enumerate "$spmv"
LC_ALL=C sort -c out || complain "enumerate is not sorted bytewise"
equal "distinct lines" "$(LC_ALL=C sort -u out | wc -l | tr -d ' ')" 2036

expect 0 "$CAIRN" check "$spmv" --format json
for part in '"schema":1' '"ops":8' '"orders":81' '"stream_partitions":8' \
  '"count":2036' '"exact":true' '"findings":[]'; do
  tr -d ' ' <out | grep -qF "$part" ||
    complain "check --format json lacks $part: $(cat out)"
done

expect 0 "$CAIRN" check "$spmv" --dot g.dot
grep -q '"yl" -> "y"' g.dot || complain "the graph lacks an edge"
grep -q 'schedules  *2036' out || complain "check does not print the size"

# A space that cannot be listed: told before the wait.
{ echo '<program name="wide">'
  for i in 1 2 3 4 5 6 7 8 9 a b c d e f g; do echo "<gpu name=\"g$i\"/>"; done
  echo '</program>'; } >wide.xml
timeout 2 "$CAIRN" enumerate wide.xml >out 2>err
grep -q 'schedules: this will not end' err || complain "no warning: $(cat err)"

# Counting does not list.
{ echo '<program name="ten">'
  for i in 1 2 3 4 5 6 7 8 9 a; do echo "<gpu name=\"g$i\"/>"; done
  echo '</program>'; } >ten.xml
equal "10 independent ops" "$("$CAIRN" enumerate ten.xml --count)" 11129529600
"$CAIRN" enumerate ten.xml --count --format json | tr -d ' ' |
  grep -q '"count":11129529600' || complain "no such count in JSON"
expect 1 "$CAIRN" enumerate ten.xml --count --sync minimal
grep -q 'minimal schedules of program "ten" cannot be counted' err ||
  complain "no word on what cannot be counted: $(cat err)"
# 16! orders on one stream, the waits for them at the end once.
equal "16!" "$("$CAIRN" enumerate wide.xml --count --streams 1)" 20922789888000
# 200! = 7.8865786736e374
sed 's/.*wide.*/<program name="w">/; /gpu/d; /\/program/d' wide.xml >200.xml
{ i=0; while [ $i -lt 200 ]; do echo "<gpu name=\"h$i\"/>"; i=$((i + 1)); done
  echo '</program>'; } >>200.xml
equal "200!" "$("$CAIRN" enumerate 200.xml --count --streams 1)" 10^374.896889

expect 3 "$CAIRN" check none.xml
expect 2 "$CAIRN" enumerate
exit $status
