# SPDX-License-Identifier: BSD-3-Clause
# The examples' plugins: shared objects that see the installed header alone.
# Automake links them as programs, with -shared, so that libtool stays out.
plugindir = $(libdir)/cairn
plugin_PROGRAMS = examples/hello/hello.so examples/spmv/spmv.so \
	examples/halo/halo.so
EXAMPLE_CPPFLAGS = -I$(builddir)/include
EXAMPLE_CFLAGS = $(AM_CFLAGS) -fPIC -fvisibility=hidden
EXAMPLE_LINK = $(CC) $(AM_CFLAGS) $(CFLAGS) -shared $(LDFLAGS) -o $@

examples_hello_hello_so_SOURCES = examples/hello/hello.c
examples_hello_hello_so_CPPFLAGS = $(EXAMPLE_CPPFLAGS)
examples_hello_hello_so_CFLAGS = $(EXAMPLE_CFLAGS)
examples_hello_hello_so_LINK = $(EXAMPLE_LINK)

examples_spmv_spmv_so_SOURCES = examples/spmv/spmv.c examples/spmv/exchange.c \
	examples/spmv/exchange.h examples/spmv/matrix.c examples/spmv/matrix.h \
	examples/spmv/matrix-market.c examples/spmv/matrix-market.h \
	examples/spmv/device.h
examples_spmv_spmv_so_CPPFLAGS = $(EXAMPLE_CPPFLAGS) $(MPI_CFLAGS)
examples_spmv_spmv_so_CFLAGS = $(EXAMPLE_CFLAGS)
examples_spmv_spmv_so_LINK = $(EXAMPLE_LINK)
examples_spmv_spmv_so_LDADD = $(MPI_LIBS)

examples_halo_halo_so_SOURCES = examples/halo/halo.c examples/halo/grid.c \
	examples/halo/grid.h examples/halo/device.h
examples_halo_halo_so_CPPFLAGS = $(EXAMPLE_CPPFLAGS) $(MPI_CFLAGS)
examples_halo_halo_so_CFLAGS = $(EXAMPLE_CFLAGS)
examples_halo_halo_so_LINK = $(EXAMPLE_LINK)
examples_halo_halo_so_LDADD = $(MPI_LIBS)

# Kernels: nvcc makes the object, $(CC) links it.
NVCC_FLAGS = -I$(builddir)/include -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics \
	$(NVCCFLAGS)
if HAVE_NVCC
examples_spmv_spmv_so_LDADD += examples/spmv/spmv-kernels.o $(CUDA_LIBS)
examples_spmv_spmv_so_DEPENDENCIES = examples/spmv/spmv-kernels.o
examples/spmv/spmv-kernels.o: examples/spmv/spmv.cu examples/spmv/device.h \
	examples/spmv/matrix.h
	@$(MKDIR_P) examples/spmv
	$(AM_V_GEN)$(NVCC) $(NVCC_FLAGS) -c -o $@ $(srcdir)/examples/spmv/spmv.cu
examples_halo_halo_so_LDADD += examples/halo/halo-kernels.o $(CUDA_LIBS)
examples_halo_halo_so_DEPENDENCIES = examples/halo/halo-kernels.o
examples/halo/halo-kernels.o: examples/halo/halo.cu examples/halo/device.h \
	examples/halo/grid.h
	@$(MKDIR_P) examples/halo
	$(AM_V_GEN)$(NVCC) $(NVCC_FLAGS) -c -o $@ $(srcdir)/examples/halo/halo.cu
CLEANFILES += examples/spmv/spmv-kernels.o examples/halo/halo-kernels.o
else
examples_halo_halo_so_SOURCES += examples/halo/device-none.c
examples_spmv_spmv_so_SOURCES += examples/spmv/device-none.c
endif

# Sources and program files, installed as the user would copy them.
helloexdir = $(pkgdatadir)/examples/hello
dist_helloex_DATA = examples/hello/hello.xml examples/hello/README.md \
	examples/hello/hello.c examples/hello/Makefile
spmvexdir = $(pkgdatadir)/examples/spmv
dist_spmvex_DATA = examples/spmv/spmv.xml examples/spmv/spmv-staged.xml \
	examples/spmv/README.md examples/spmv/Makefile examples/spmv/spmv.c \
	examples/spmv/exchange.c examples/spmv/exchange.h \
	examples/spmv/matrix.c examples/spmv/matrix.h \
	examples/spmv/matrix-market.c examples/spmv/matrix-market.h \
	examples/spmv/device.h examples/spmv/device-none.c examples/spmv/spmv.cu
haloexdir = $(pkgdatadir)/examples/halo
dist_haloex_DATA = examples/halo/halo.xml examples/halo/expert.txt \
	examples/halo/make-halo.sh examples/halo/README.md \
	examples/halo/Makefile examples/halo/halo.c examples/halo/grid.c \
	examples/halo/grid.h examples/halo/device.h examples/halo/device-none.c \
	examples/halo/halo.cu
byhandexdir = $(pkgdatadir)/examples/by-hand
dist_byhandex_DATA = examples/by-hand/by-hand.c examples/by-hand/by-hand.xml \
	examples/by-hand/kernels.cu examples/by-hand/kernels.h \
	examples/by-hand/Makefile examples/by-hand/README.md
slurmexdir = $(pkgdatadir)/examples/slurm
dist_slurmex_DATA = examples/slurm/explore.sbatch
EXTRA_DIST += examples/study/README.md
EXTRA_DIST += examples/halo/results/halo-coverage.jsonl.xz \
	examples/halo/results/halo-min-time.jsonl.xz \
	examples/spmv/results/spmv-15000-4gpu-1.jsonl.xz \
	examples/spmv/results/spmv-15000-4gpu-1.classes.txt \
	examples/spmv/results/spmv-150000-1gpu-1.jsonl.xz \
	examples/spmv/results/spmv-150000-1gpu-1.classes.txt \
	examples/spmv/results/spmv-15000-2gpu-1.jsonl.xz \
	examples/spmv/results/spmv-15000-2gpu-1.classes.txt \
	examples/spmv/results/spmv-1500000-2gpu-1.jsonl.xz \
	examples/spmv/results/spmv-1500000-2gpu-1.classes.txt \
	examples/spmv/results/spmv-150000-2gpu-2.jsonl.xz \
	examples/spmv/results/spmv-150000-2gpu-2.classes.txt \
	examples/spmv/results/spmv-150000-2gpu-3.jsonl.xz \
	examples/spmv/results/spmv-150000-2gpu-3.classes.txt \
	examples/spmv/results/spmv-150000-4gpu-1.jsonl.xz \
	examples/spmv/results/spmv-150000-4gpu-1.classes.txt \
	examples/spmv/results/spmv-150000-4gpu-2.jsonl.xz \
	examples/spmv/results/spmv-150000-4gpu-2.classes.txt \
	examples/spmv/results/spmv-150000-4gpu-mapped.jsonl.xz \
	examples/spmv/results/spmv-150000-4gpu-mapped.classes.txt \
	examples/spmv/results/spmv-1500000-4gpu-1.jsonl.xz \
	examples/spmv/results/spmv-1500000-4gpu-1.classes.txt
