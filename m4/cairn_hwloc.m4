# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_HWLOC: hwloc (required).  Sets HWLOC_CFLAGS, HWLOC_LIBS.
AC_DEFUN([CAIRN_HWLOC], [
  PKG_CHECK_MODULES([HWLOC], [hwloc >= 2.0], [],
    [AC_MSG_ERROR([hwloc 2 is needed (Debian: libhwloc-dev): $HWLOC_PKG_ERRORS])])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_HWLOC],
    ["`$PKG_CONFIG --modversion hwloc`"], [Version of hwloc])
])
