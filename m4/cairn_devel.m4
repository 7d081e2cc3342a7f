# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_DEVEL: warnings and developers' switches.  Sets WARN_CFLAGS,
# SAN_CFLAGS (also for linking).
AC_DEFUN([CAIRN_DEVEL], [
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])])
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@],
      [build with these sanitizers (default list: address,undefined)])])
  AC_ARG_ENABLE([coverage],
    [AS_HELP_STRING([--enable-coverage], [build for gcov])])
  AC_ARG_ENABLE([fuzzers],
    [AS_HELP_STRING([--enable-fuzzers],
      [build the libFuzzer targets, and all else so that they see which code
       they reach (needs CC=clang; turns on --enable-sanitizers)])])
  WARN_CFLAGS=
  for flag in -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes \
      -Wpointer-arith -Wwrite-strings -Wvla; do
    CAIRN_TRY_CFLAG([$flag], [WARN_CFLAGS="$WARN_CFLAGS $flag"])
  done
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  CAIRN_TRY_CFLAG([-fvisibility=hidden], [WARN_CFLAGS="$WARN_CFLAGS -fvisibility=hidden"])
  SAN_CFLAGS=
  AS_IF([test "x$enable_fuzzers" = xyes],
    [enable_sanitizers=${enable_sanitizers:-yes}])
  AS_CASE([${enable_sanitizers:-no}],
    [no], [],
    [yes], [SAN_CFLAGS="-fsanitize=address,undefined"],
    [SAN_CFLAGS="-fsanitize=$enable_sanitizers"])
  AS_IF([test -n "$SAN_CFLAGS"],
    [SAN_CFLAGS="$SAN_CFLAGS -fno-omit-frame-pointer -fno-sanitize-recover=undefined"])
  AS_IF([test "x$enable_fuzzers" = xyes],
    [SAN_CFLAGS="$SAN_CFLAGS -fsanitize=fuzzer-no-link"])
  AS_IF([test "x$enable_coverage" = xyes], [SAN_CFLAGS="$SAN_CFLAGS --coverage"])
  AC_SUBST([WARN_CFLAGS])
  AC_SUBST([SAN_CFLAGS])
  AM_CONDITIONAL([FUZZERS], [test "x$enable_fuzzers" = xyes])
])

# CAIRN_TRY_CFLAG(FLAG, ACTION-IF-ACCEPTED)
AC_DEFUN([CAIRN_TRY_CFLAG], [
  AC_MSG_CHECKING([whether $CC takes $1])
  cairn_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     CFLAGS=$cairn_save_CFLAGS
     $2],
    [AC_MSG_RESULT([no])
     CFLAGS=$cairn_save_CFLAGS])
])
