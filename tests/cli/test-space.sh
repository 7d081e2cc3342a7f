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
timeout 2 "$CAIRN" enumerate wide.xml --count >out 2>err
grep -q 'schedules: this will not end' err || complain "no warning: $(cat err)"

expect 3 "$CAIRN" check none.xml
expect 2 "$CAIRN" enumerate
exit $status
