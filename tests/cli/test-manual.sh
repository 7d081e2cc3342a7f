#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual page, --help and the bash completion name the same commands and
# options.
page=$top_srcdir/man/cairn.1
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
complain() { echo "$*"; status=1; }

# Long options in a part of the page.
options_in() { sed 's/\\-/-/g; s/\\f.//g' | grep -oE -- '--[a-z][a-z0-9-]+' | sort -u; }
section() { awk -v start="$1" '/^\.S[SH]/ { on = index($0, start) == 1 } on' "$page"; }
options_of() {
  "$CAIRN" "$1" --help | grep -oE -- '^ +(-[a-zA-Z?], )?--[a-z][a-z0-9-]*' |
    grep -oE -- '--[a-z0-9-]+' | sort -u
}

section '.SH COMMON OPTIONS' | options_in >"$dir/common"
section '.SH PROGRAM OPTIONS' | options_in >"$dir/program"
commands=$("$CAIRN" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p')
[ -n "$commands" ] || complain "no commands in --help"
for command in $commands; do
  options_of "$command" >"$dir/help"
  heading=".SS ${command//-/\\-}"
  section "$heading" | grep -A99 '^\.TP' | grep -A1 '^\.TP' | options_in >"$dir/page"
  [ -n "$(section "$heading")" ] || complain "cairn.1 has no section $heading"
  sort -u "$dir/page" "$dir/common" "$dir/program" >"$dir/all"
  for option in $(comm -23 "$dir/help" "$dir/all"); do
    complain "cairn.1: $command $option is missing"
  done
  for option in $(comm -13 "$dir/help" "$dir/page"); do
    complain "cairn.1: $command has no $option"
  done
  for option in $(comm -13 "$dir/help" "$dir/common"); do
    complain "cairn $command --help: no $option"
  done
done
for command in $(sed -n 's/^\.SS \([a-z\\-]*\) .*/\1/p;s/^\.SS \([a-z\\-]*\)$/\1/p' "$page" | tr -d '\\'); do
  grep -qx -- "$command" <<<"$commands" || complain "cairn.1: no command $command"
done

# The completion offers every command and every long option.
source "$top_srcdir/cli/cairn.bash"
complete_words() { # WORD...: words so far; the last is being completed
  COMP_WORDS=("$CAIRN" "$@") COMP_CWORD=$#
  _cairn
  printf '%s\n' "${COMPREPLY[@]}"
}
complete_words '' >"$dir/offered"
for command in $commands; do
  grep -qx -- "$command" "$dir/offered" || complain "completion: no $command"
  complete_words "$command" -- | sort -u >"$dir/offered-options"
  for option in $(comm -23 <(options_of "$command") "$dir/offered-options"); do
    complain "completion: $command has no $option"
  done
done
complete_words explore --sync = mi | grep -qx minimal ||
  complain "completion: explore --sync=mi does not give minimal"
complete_words explore --strategy cov | grep -qx coverage ||
  complain "completion: explore --strategy cov does not give coverage"

if command -v man >/dev/null; then
  warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z \
    "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || complain "cairn.1: $warnings"
fi
exit $status
