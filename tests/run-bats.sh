#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one bats file; skipped when bats is not installed.
command -v bats >/dev/null 2>&1 || { echo "SKIP: bats is not installed"; exit 77; }
exec bats "$@"
