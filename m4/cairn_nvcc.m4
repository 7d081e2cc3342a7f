# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_NVCC: nvcc, for the examples' kernels only (optional, apart from the
# CUDA runtime).  Sets NVCC, NVCCFLAGS and the conditional HAVE_NVCC.
AC_DEFUN([CAIRN_NVCC], [
  AC_ARG_VAR([NVCC], [CUDA compiler for the examples' kernels])
  AC_ARG_VAR([NVCCFLAGS], [flags for NVCC])
  AC_ARG_WITH([cuda-arch],
    [AS_HELP_STRING([--with-cuda-arch=ARCH],
      [architecture for the examples' kernels, e.g. 90 (default: 75, with PTX that newer devices compile at start)])],
    [], [with_cuda_arch=75])
  have_nvcc=no
  AS_IF([test "$have_cuda" = yes], [
    AC_PATH_PROG([NVCC], [nvcc], [], [$CUDA_DIR/bin:$PATH])
    AS_IF([test -n "$NVCC"], [have_nvcc=yes])
  ])
  AS_IF([test -z "$NVCCFLAGS"], [
    AS_CASE([$with_cuda_arch],
      [*[[!0-9]]*], [NVCCFLAGS="-O3 -arch=$with_cuda_arch"],
      [NVCCFLAGS="-O3 -arch=sm_$with_cuda_arch"])
  ])
  AM_CONDITIONAL([HAVE_NVCC], [test "$have_nvcc" = yes])
])
