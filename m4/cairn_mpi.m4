# SPDX-License-Identifier: BSD-3-Clause
# CAIRN_MPI: an MPI library through $MPICC (required); MPICH is looked for
# first, Open MPI works too.  The compiler stays $CC: only flags are taken.
# Sets MPICC, MPIEXEC, MPI_CFLAGS, MPI_LIBS, MPI_FLAVOUR (mpich, openmpi, other).
AC_DEFUN([CAIRN_MPI], [
  AC_ARG_VAR([MPICC], [MPI C compiler wrapper; its flags are used])
  AC_ARG_VAR([MPIEXEC], [launcher used by the tests])
  AC_CHECK_PROGS([MPICC], [mpicc.mpich mpicc mpicc.openmpi mpiicc cc])
  AC_MSG_CHECKING([for the flags of $MPICC])
  cairn_mpi_show=`$MPICC -show 2>/dev/null` || cairn_mpi_show=`$MPICC --showme 2>/dev/null` || cairn_mpi_show=
  MPI_CFLAGS= MPI_LIBS= cairn_mpi_skip=yes
  for word in $cairn_mpi_show; do
    AS_IF([test "$cairn_mpi_skip" = yes], [cairn_mpi_skip=no; continue])
    AS_CASE([$word],
      [-I*|-D*|-pthread], [MPI_CFLAGS="$MPI_CFLAGS $word"],
      [-Wl,-z,relro|-Wl,-z,now|-Wl,--enable-new-dtags], [],
      [-L*|-l*|-Wl,*|*.a|*.so], [MPI_LIBS="$MPI_LIBS $word"])
  done
  AC_MSG_RESULT([$MPI_CFLAGS $MPI_LIBS])
  AC_MSG_CHECKING([whether an MPI program links])
  cairn_save_CPPFLAGS=$CPPFLAGS cairn_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
      [[int level; MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &level)]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([no working MPI: install MPICH (Debian: mpich libmpich-dev) or set MPICC=/path/to/mpicc])])
  AC_MSG_CHECKING([which MPI it is])
  MPI_FLAVOUR=other
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef MPICH_VERSION
#error no
#endif]], [])], [MPI_FLAVOUR=mpich])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef OPEN_MPI
#error no
#endif]], [])], [MPI_FLAVOUR=openmpi])
  AC_MSG_RESULT([$MPI_FLAVOUR])
  AC_MSG_CHECKING([which version of it])
  MPI_VERSION_TEXT=`printf '%s\n' '@%:@include <mpi.h>' '@%:@ifdef MPICH_VERSION' 'cairn_is MPICH_VERSION' '@%:@endif' '@%:@ifdef OMPI_MAJOR_VERSION' 'cairn_is OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION' '@%:@endif' | $CC $CPPFLAGS -E -xc - 2>/dev/null | $SED -n 's/^cairn_is //p' | tr -d '"' | tr ' ' '.'`
  AC_MSG_RESULT([$MPI_VERSION_TEXT])
  AC_DEFINE_UNQUOTED([CAIRN_VERSION_MPI], ["$MPI_VERSION_TEXT"], [Version of the MPI library])
  AC_CHECK_HEADERS([mpi-ext.h], [], [], [[#include <mpi.h>]])
  AC_CHECK_FUNCS([MPIX_GPU_query_support MPIX_Query_cuda_support])
  CPPFLAGS=$cairn_save_CPPFLAGS LIBS=$cairn_save_LIBS
  AS_CASE([$MPI_FLAVOUR],
    [mpich], [AC_CHECK_PROGS([MPIEXEC], [mpiexec.mpich mpiexec.hydra mpiexec mpirun])],
    [openmpi], [AC_CHECK_PROGS([MPIEXEC], [mpiexec.openmpi mpiexec mpirun])],
    [AC_CHECK_PROGS([MPIEXEC], [mpiexec mpirun srun])])
  AC_ARG_VAR([MPIEXEC_FLAGS], [flags for the launcher in the tests])
  AS_IF([test "$MPI_FLAVOUR" = openmpi && test -z "$MPIEXEC_FLAGS"],
    [MPIEXEC_FLAGS="--allow-run-as-root --oversubscribe"])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AC_SUBST([MPI_FLAVOUR])
  AC_DEFINE_UNQUOTED([CAIRN_MPI_FLAVOUR], ["$MPI_FLAVOUR"], [MPI library])
])
