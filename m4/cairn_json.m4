# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_JSON: jansson (required).  Sets JSON_CFLAGS, JSON_LIBS.
AC_DEFUN([CAIRN_JSON], [
  PKG_CHECK_MODULES([JSON], [jansson >= 2.10], [],
    [AC_MSG_ERROR([jansson is needed (Debian: libjansson-dev): $JSON_PKG_ERRORS])])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_JSON],
    ["`$PKG_CONFIG --modversion jansson`"], [Version of jansson])
])
