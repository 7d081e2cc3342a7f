# SPDX-License-Identifier: BSD-3-Clause
# bash completion for cairn.  Commands, options and words come from
# `cairn --help`, so they are always those of the installed command.

_cairn_options() {
  "$1" "$2" --help 2>/dev/null |
    grep -oE -- '^ +(-[a-zA-Z?], )?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+'
}

# _cairn_words COMMAND SUBCOMMAND OPTION: "a|b|c" of --option=a|b|c.
_cairn_words() {
  "$1" "$2" --help 2>/dev/null | grep -oE -- "$3=[a-z0-9:|]+[A-Z]*" |
    sed 's/^[^=]*=//; s/FILE$//' | tr '|' ' '
}

_cairn() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local cairn=${COMP_WORDS[0]} command=${COMP_WORDS[1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words="$("$cairn" --help 2>/dev/null | sed -n 's/^  \([a-z-]*\)  .*/\1/p') --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  [ "$prev" = = ] && prev=${COMP_WORDS[COMP_CWORD - 2]}
  [ "$cur" = = ] && cur=
  case $prev in
  --strategy) words=$("$cairn" explore --strategy help 2>/dev/null |
    sed -n 's/^\([a-z][a-z-]*\).*/\1/p') ;;
  --*) words=$(_cairn_words "$cairn" "$command" "$prev") ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_cairn_options "$cairn" "$command")" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _cairn cairn
