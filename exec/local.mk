# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += exec/exec.h exec/exec-sample.h exec/exec-world.h exec/op.h
libcairn_la_SOURCES += exec/platform.h
# The CUDA backend: C only, no nvcc.
EXTRA_DIST += exec/platform-cuda.c
if HAVE_CUDA
libcairn_la_SOURCES += exec/platform-cuda.c
endif
