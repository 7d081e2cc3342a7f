#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The plan of the house: who may include whom, no circles between files, what
# is exported and installed, how long functions and files are; see HACKING.md.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
exec python3 "$top_srcdir/tests/cli/house.py" "$top_srcdir" "$top_builddir"
