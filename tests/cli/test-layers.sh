#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom, and what may be called where: see HACKING.md.
cd "$top_srcdir" || exit 99
found=$(mktemp) || exit 99
trap 'rm -f "$found"' EXIT

# bad FOLDER ALLOWED: includes of ours in FOLDER that ALLOWED does not match.
# A quoted include is of the same folder, alone or as "folder/x.h".
bad() {
  for file in "$1"/*.[ch]; do
    [ -e "$file" ] || continue
    grep -nE '^ *# *include' "$file" | grep -E '"|<cairn/' |
      grep -vE "<cairn/($2)(-[a-z-]+)?\\.h>" |
      grep -vE "\"($1/)?[a-z0-9-]+\\.h\"" | sed "s|^|$file:|"
  done
}
bad base 'base' >>"$found"
bad dag 'base|dag' >>"$found"
bad mcts 'base|dag|mcts' >>"$found"
bad exec 'base|dag|exec|op' >>"$found"
bad classify 'base|dag|classify' >>"$found"
bad study 'base|dag|mcts|exec|classify|study' >>"$found"
for file in cli/*.[ch]; do
  grep -nE '^ *# *include' "$file" | grep -E '"[a-z]+/|<cairn/' |
    grep -vE '<cairn/(base|dag|mcts|exec|classify|study)\.h>|"cli/' | sed "s|^|$file:|"
done >>"$found"
for file in examples/*/*.c examples/*/*.h examples/*/*.cu; do
  [ -e "$file" ] || continue
  grep -nE '^ *# *include' "$file" | grep -E '"[a-z]+/|"\.\.|<cairn/' |
    grep -vE '<cairn/op\.h>' | sed "s|^|$file:|"
done >>"$found"

# Libraries stay behind their one door.
grep -nE '^ *# *include *<mpi\.h>' base/* dag/* mcts/* classify/* study/* cli/* >>"$found"
grep -nE '^ *# *include *<(cuda|nvml|nccl)' base/*.[ch] dag/*.[ch] mcts/*.[ch] \
  classify/*.[ch] study/*.[ch] cli/*.[ch] >>"$found"
grep -lE '^ *# *include *<(cuda|nvml|nccl)' exec/*.[ch] | grep -v cuda >>"$found"
grep -lE '^ *# *include *<libxml/' base/*.[ch] dag/*.[ch] mcts/*.[ch] exec/*.[ch] \
  classify/*.[ch] study/*.[ch] cli/*.[ch] | grep -vE '^dag/xml' >>"$found"

# The library never ends the process and never prints results.
grep -nE '(^|[^_a-zA-Z.>])(exit|abort|printf|puts|putchar) *\(' base/*.c dag/*.c \
  mcts/*.c classify/*.c study/*.c >>"$found"

# Numbers look the same in every locale: doubles are printed and read by base,
# letters are told by base too.
grep -nE '(^|[^_a-zA-Z])(v?s?n?printf|v?fprintf|v?asprintf) *\([^;]*%[-+ #0]*[0-9*]*(\.[0-9*]*)?[aAeEfFgG]' \
  base/*.c dag/*.c mcts/*.c exec/*.c classify/*.c cli/*.c | grep -v '^exec/emit-c.c' >>"$found"
grep -nE '(^|[^_a-zA-Z])(strto(d|f|ld)|atof|is(alpha|alnum|digit|space|upper|lower|punct|print)|to(upper|lower)|setlocale|localeconv) *\(' \
  dag/*.c mcts/*.c exec/*.c classify/*.c cli/*.c >>"$found"
grep -nE '(^|[^_a-zA-Z])(vfprintf|vsnprintf|vprintf) *\(' cli/*.c >>"$found"

if [ -s "$found" ]; then
  echo "These break the layering:"
  cat "$found"
  exit 1
fi
