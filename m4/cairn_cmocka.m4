# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_CMOCKA: cmocka, for the unit tests only.  Sets CMOCKA_CFLAGS,
# CMOCKA_LIBS and the conditional HAVE_CMOCKA.
AC_DEFUN([CAIRN_CMOCKA], [
  PKG_CHECK_MODULES([CMOCKA], [cmocka], [have_cmocka=yes], [have_cmocka=no])
  AM_CONDITIONAL([HAVE_CMOCKA], [test "$have_cmocka" = yes])
])
