#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/fuzz/check-fuzz.sh - each fuzz target on its corpora and on seeded
# mutations of them; CAIRN_LONG=1 takes many more.
n=2000
[ -z "$CAIRN_LONG" ] || n=100000
set -e
t=tests/fuzz/fuzz
./$t-program --mutations $n program-bad.txt program-good.txt
./$t-schedule --mutations $n schedule-seeds.txt
./$t-lint --mutations $n lint-seeds.txt
./$t-journal --mutations $n journal-seeds.txt journal-bad.txt
./$t-table --mutations $n table-bad.txt
./$t-matrix --mutations $n matrix-seeds.txt matrix-bad.txt
./$t-capture --mutations $n capture-logs.txt
./$t-plugin --mutations $n plugin-seeds.txt
./$t-blackbox --mutations $n blackbox-seeds.txt
./$t-packed --mutations $n packed-seeds.txt
./$t-launcher --mutations $n launcher-seeds.txt
