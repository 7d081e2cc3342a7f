#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Studies against SciPy and networkx, where they are installed.
python=/usr/bin/python3
$python -c 'import numpy, scipy, networkx' 2>/dev/null ||
  { echo "SKIP: python3 with SciPy and networkx is not installed"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
status=0
"$top_builddir/tests/study/answer" >"$dir/answers" || exit 1
$python "$top_srcdir/tests/study/peers.py" landscapes <"$dir/answers" || status=1
$python "$top_srcdir/tests/study/peers.py" competitions "$CAIRN" "$dir" || status=1
exit $status
