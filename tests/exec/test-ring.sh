#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The executor embedded in an application, on several ranks: all schedules
# verified, samples, embedding, tracing, refusals.  Times are looked at with at
# most two ranks.
: "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
failed=0
ring() { # ranks, arguments
  n=$1
  shift
  if timeout 120 $MPIEXEC $MPIEXEC_FLAGS -n "$n" "$top_builddir/tests/exec/run-ring" "$@"; then
    echo "ok: $n ranks: $*"
  else
    echo "FAIL: $n ranks: $*"
    failed=1
  fi
}
ring 1 all
ring 2 all
ring 3 embed
ring 2 sample
ring 2 sample barrier
ring 1 sample
ring 2 trace
ring 2 errors
ring 3 errors
[ -z "$CAIRN_LONG" ] || ring 4 all
exit $failed
