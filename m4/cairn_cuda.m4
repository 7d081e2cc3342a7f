# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_CUDA: the CUDA runtime, by the C compiler alone (optional).
# --with-cuda=auto|yes|no|DIR.  Sets CUDA_CFLAGS, CUDA_LIBS, CUDA_DIR and the
# conditional HAVE_CUDA.
AC_DEFUN([CAIRN_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=auto|yes|no|DIR],
      [CUDA runtime for the backend "cuda" (default: auto)])],
    [], [with_cuda=auto])
  have_cuda=no CUDA_CFLAGS= CUDA_LIBS= CUDA_DIR=
  AS_IF([test "x$with_cuda" != xno], [
    AS_CASE([$with_cuda],
      [auto|yes], [cairn_cuda_dirs="${CUDA_HOME} ${CUDA_PATH} /usr/local/cuda /opt/cuda"],
      [cairn_cuda_dirs=$with_cuda])
    for dir in $cairn_cuda_dirs ""; do
      AS_IF([test "$have_cuda" = no], [CAIRN_CUDA_TRY([$dir])])
    done
    AS_IF([test "$have_cuda" = no && test "x$with_cuda" != xauto],
      [AC_MSG_ERROR([--with-cuda=$with_cuda: cuda_runtime_api.h or libcudart not found there])])
  ])
  AM_CONDITIONAL([HAVE_CUDA], [test "$have_cuda" = yes])
  AS_IF([test "$have_cuda" = yes],
    [AC_DEFINE([CAIRN_HAVE_CUDA], [1], [CUDA runtime found])])
  CUDA_VERSION_TEXT=no
  AS_IF([test "$have_cuda" = yes], [
    CUDA_VERSION_TEXT=`printf '%s\n' '@%:@include <cuda_runtime_api.h>' 'cairn_is CUDART_VERSION' | $CC $CPPFLAGS $CUDA_CFLAGS -E -xc - 2>/dev/null | $SED -n 's/^cairn_is //p'`
    CUDA_VERSION_TEXT=`expr "$CUDA_VERSION_TEXT" / 1000`.`expr "$CUDA_VERSION_TEXT" % 1000 / 10`
  ])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_CUDA], ["$CUDA_VERSION_TEXT"], [Version of the CUDA runtime, or "no"])
  AC_SUBST([CUDA_CFLAGS])
  AC_SUBST([CUDA_LIBS])
  AC_SUBST([CUDA_DIR])
])

# CAIRN_CUDA_TRY(DIR): DIR empty: the compiler's own paths.
AC_DEFUN([CAIRN_CUDA_TRY], [
  cairn_save_CPPFLAGS=$CPPFLAGS cairn_save_LIBS=$LIBS
  for lib in lib64 lib targets/x86_64-linux/lib; do
    AS_IF([test "$have_cuda" = no], [
      AS_IF([test -n "$1"],
        [cairn_cuda_c="-I$1/include" cairn_cuda_l="-L$1/$lib -Wl,-rpath,$1/$lib -lcudart"],
        [cairn_cuda_c= cairn_cuda_l="-lcudart"])
      CPPFLAGS="$cairn_save_CPPFLAGS $cairn_cuda_c"
      LIBS="$cairn_cuda_l $cairn_save_LIBS"
      AC_MSG_CHECKING([for the CUDA runtime in "$1" ($lib)])
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cuda_runtime_api.h>]],
          [[int n; return cudaGetDeviceCount(&n)]])],
        [have_cuda=yes CUDA_CFLAGS=$cairn_cuda_c CUDA_LIBS=$cairn_cuda_l CUDA_DIR=$1])
      AC_MSG_RESULT([$have_cuda])
    ])
  done
  CPPFLAGS=$cairn_save_CPPFLAGS LIBS=$cairn_save_LIBS
])
