# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_HASH: xxHash with XXH3 and uthash (required).  Sets HASH_CFLAGS,
# HASH_LIBS.
AC_DEFUN([CAIRN_HASH], [
  PKG_CHECK_MODULES([HASH], [libxxhash >= 0.8.0], [],
    [AC_MSG_ERROR([xxHash 0.8 is needed (Debian: libxxhash-dev): $HASH_PKG_ERRORS])])
  AC_CHECK_HEADER([uthash.h], [],
    [AC_MSG_ERROR([uthash.h is needed (Debian: uthash-dev)])])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_HASH],
    ["`$PKG_CONFIG --modversion libxxhash`"], [Version of libxxhash])
])
