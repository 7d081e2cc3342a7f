#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header compiles alone, in C and in C++, and the shared library
# shows only names that start with cairn_.
cd "$top_builddir" || exit 99
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
for header in include/cairn/*.h; do
  name=${header##*/}
  std=gnu11
  [ "$name" != op.h ] || std=c99
  echo "#include <cairn/$name>" >"$dir/alone.c"
  ${CC:-cc} -std=$std -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only \
    "$dir/alone.c" || { echo "$name: not alone in C"; status=1; }
  command -v "${CXX:-c++}" >/dev/null || continue
  cp "$dir/alone.c" "$dir/alone.cc"
  ${CXX:-c++} -Wall -Wextra -Werror -Iinclude -fsyntax-only "$dir/alone.cc" ||
    { echo "$name: not alone in C++"; status=1; }
done
if [ -e .libs/libcairn.so ] && command -v nm >/dev/null; then
  foreign=$(nm -D --defined-only .libs/libcairn.so | awk '{print $3}' |
    grep -vE '^(cairn_|__|_init$|_fini$|_edata$|_end$|mangle_path$)') # the last is gcov's
  [ -z "$foreign" ] || { echo "libcairn.so also shows: $foreign"; status=1; }
fi
exit $status
