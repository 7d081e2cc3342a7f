#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/dag/check-schema.sh - the schema of program files (dag/program.rng) and
# the checker (dag/program/xml-check.c) accept and refuse the same files, except where
# the corpus says that only the checker can see the fault.
command -v xmllint >/dev/null || { echo "skipped: no xmllint"; exit 77; }
srcdir=${srcdir:-.}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
./tests/dag/xml-corpus --write "$dir" >"$dir/list" || exit 99
# Files of examples must pass too.
for file in "$srcdir"/examples/*/*.xml; do
  name=good-example-$(basename "$file")
  cp "$file" "$dir/$name" && echo "$name good" >>"$dir/list"
done
cd "$dir" || exit 99
case $srcdir in /*) ;; *) srcdir=$OLDPWD/$srcdir ;; esac
xmllint --noout --relaxng "$srcdir/dag/program.rng" ./*.xml >log 2>&1
sed -n 's|^\./\(.*\) validates$|\1|p' log | sort >valid
grep -q 'failed to compile' log && { echo "the schema is broken"; exit 1; }
fails=0 only=0
while read -r name verdict why; do
  if grep -Fqx "$name" valid; then schema=good; else schema=bad; fi
  wanted=$verdict
  [ -z "$why" ] || { wanted=good; only=$((only + 1)); }
  [ "$schema" = "$wanted" ] || {
    echo "$name: checker $verdict, schema $schema (expected $wanted)"
    fails=$((fails + 1))
  }
done <list
echo "$(wc -l <list) files, $only with faults that only the checker sees:"
awk '$2 == "bad" && NF > 2 { $1 = $2 = ""; print }' list | sort | uniq -c
[ $fails = 0 ]
