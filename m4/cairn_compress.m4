# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_COMPRESS: zlib and liblzma, to read .gz and .xz (required).  Sets
# COMPRESS_CFLAGS, COMPRESS_LIBS.
AC_DEFUN([CAIRN_COMPRESS], [
  PKG_CHECK_MODULES([COMPRESS], [zlib liblzma], [],
    [AC_MSG_ERROR([zlib and liblzma are needed (Debian: zlib1g-dev, liblzma-dev): $COMPRESS_PKG_ERRORS])])
])
