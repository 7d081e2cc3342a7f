#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Boundaries against SciPy, training errors of trees against scikit-learn.
python=/usr/bin/python3
if ! $python -c 'import numpy, scipy, sklearn' 2>/dev/null; then
  echo "skipped: python3 with NumPy, SciPy and scikit-learn is not there"
  exit 77
fi
OPENBLAS_NUM_THREADS=1 exec $python "$top_srcdir/tests/classify/peers.py" \
  ./tests/classify/answer "$top_srcdir/../shared/data"
