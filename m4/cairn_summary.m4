# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_SUMMARY: what configure found, in one table.
AC_DEFUN([CAIRN_SUMMARY], [
  cairn_summary_cuda="$have_cuda${CUDA_DIR:+ ($CUDA_DIR)}"
  cairn_summary_nvcc="$have_nvcc${NVCC:+ ($NVCC $NVCCFLAGS)}"
  AC_MSG_NOTICE([

  cairn $PACKAGE_VERSION
    prefix           $prefix
    compiler         $CC $CFLAGS
    MPI              $MPI_FLAVOUR ($MPICC, launcher ${MPIEXEC:-none})
    CUDA runtime     $cairn_summary_cuda
    nvcc             $cairn_summary_nvcc
    sanitizers       ${SAN_CFLAGS:-none}
    unit tests       $have_cmocka (cmocka)

  Now: make, make check, make install.])
])
