# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += exec/exec.h exec/exec-doctor.h exec/exec-emit.h \
	exec/exec-critical.h \
	exec/exec-sample.h exec/exec-trail.h exec/exec-world.h exec/op.h
libcairn_la_SOURCES += exec/comm.h exec/comm-mpi.c exec/devices.c exec/devices.h \
	exec/drive.c exec/environment.c \
	exec/exec-private.h exec/info.c exec/inject.c exec/launcher.c exec/measure.c exec/open.c \
	exec/platform.c exec/platform.h exec/platform-host.c exec/plugin.c exec/plugin-file.c \
	exec/run.c exec/sample.c exec/serve.c exec/stand.c exec/store.c exec/store.h exec/take.c \
	exec/trace.c exec/trail.c exec/watchdog.c exec/world.c
# The CUDA backend: C only, no nvcc.
EXTRA_DIST += exec/platform-cuda.c
if HAVE_CUDA
libcairn_la_SOURCES += exec/platform-cuda.c
endif
libcairn_la_SOURCES += exec/binding.c exec/critical.c exec/emit-c.c exec/trace-json.c exec/doctor.c exec/card.c \
	exec/card.h exec/clocks.c exec/nvml.c exec/nvml.h
# Comparing schedules on a machine that drifts.
cairn_HEADERS += exec/exec-campaign.h
libcairn_la_SOURCES += exec/campaign.c exec/campaign-private.h \
	exec/campaign-solve.c exec/drift.c exec/race.c
# The interposition library: LD_PRELOAD it to log what a program issues.
capturedir = $(libdir)/cairn
capture_LTLIBRARIES = exec/capture/libcairn-capture.la
exec_capture_libcairn_capture_la_SOURCES = exec/capture/capture.h \
	exec/capture/cuda.c exec/capture/log.c exec/capture/mpi.c
exec_capture_libcairn_capture_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
exec_capture_libcairn_capture_la_CFLAGS = $(WARN_CFLAGS)
exec_capture_libcairn_capture_la_LDFLAGS = -module -avoid-version -shared
