# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_XML: libxml2 (required).  Sets XML_CFLAGS, XML_LIBS.
AC_DEFUN([CAIRN_XML], [
  PKG_CHECK_MODULES([XML], [libxml-2.0 >= 2.9.4], [],
    [AC_MSG_ERROR([libxml2 is needed (Debian: libxml2-dev): $XML_PKG_ERRORS])])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_XML],
    ["`$PKG_CONFIG --modversion libxml-2.0`"], [Version of libxml-2.0])
])
