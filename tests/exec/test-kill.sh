#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs killed with SIGKILL at random moments, and journals cut after every
# record, go on as if nothing had happened: see kill.py.  CAIRN_LONG=1: 1,000
# moments and every record.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
export CAIRN_PLUGIN_PATH
kills=40 ranks=10 step=20
[ -z "$CAIRN_SANITIZED" ] || { kills=6 ranks=3 step=67; }
[ -z "$CAIRN_LONG" ] || { kills=1000 ranks=100 step=1; }
failed=0
python3 "$top_srcdir/tests/exec/kill.py" kills $kills || failed=1
python3 "$top_srcdir/tests/exec/kill.py" records $step || failed=1
python3 "$top_srcdir/tests/exec/kill.py" ranks $ranks || failed=1
exit $failed
