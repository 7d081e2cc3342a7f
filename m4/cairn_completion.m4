# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_COMPLETION: where the bash completion is installed.
# --with-bash-completion-dir=DIR|no; always under the prefix by default.
AC_DEFUN([CAIRN_COMPLETION], [
  AC_ARG_WITH([bash-completion-dir],
    [AS_HELP_STRING([--with-bash-completion-dir=DIR|no],
      [bash completion (default: DATADIR/bash-completion/completions)])],
    [], [with_bash_completion_dir=yes])
  AS_IF([test "x$with_bash_completion_dir" = xyes],
    [completiondir='${datadir}/bash-completion/completions'],
    [completiondir=$with_bash_completion_dir])
  AC_SUBST([completiondir])
  AM_CONDITIONAL([COMPLETION], [test "x$with_bash_completion_dir" != xno])
])
