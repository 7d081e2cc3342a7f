#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# doctor on binding: it shows which CPUs each rank may use, flags more ranks
# than cores each time, and says what to try.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
[ -n "$MPIEXEC" ] || skip "no launcher"
command -v taskset >/dev/null || skip "no taskset"
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')
binding() { jq -c "[.findings[] | select(.topic==\"binding\")]" out; }

expect 0 taskset -c "$cpu" "$CAIRN" doctor --format json
equal "CPU shown" "$(binding | jq -r '.[0].text' | cut -d, -f1)" "rank 0: CPUs $cpu"
equal "alone" "$(binding | jq -r '.[1].text' | grep -c 'none shared')" 1
for _ in 1 2 3; do
  expect 4 ranks 2 taskset -c "$cpu" "$CAIRN" doctor --format json
  equal "ranks shown" "$(binding | jq -c '[.[].text | select(startswith("rank "))] | length')" 2
  equal "oversubscribed" \
    "$(binding | jq -c '[.[] | select(.grade=="problem")] | length')" 1
done
if [ "$(nproc)" -ge 2 ]; then
  ranks 2 "$CAIRN" doctor --format json >out 2>err
  binding | jq -e 'any(.[]; .grade=="problem") | not' >/dev/null ||
    complain "2 ranks on $(nproc) cores: $(cat out)"
  # if the launcher does not bind them apart, there is advice
  if binding | grep -q 'not bound apart'; then
    binding | grep -q 'keep what gives explore the lower noise' ||
      complain "no advice: $(cat out)"
  fi
fi
exit $status
