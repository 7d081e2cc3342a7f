# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	exec/sampler.c \
	exec/binding.c \
	exec/survey.c \
	exec/survey-private.h \
	exec/clocks.c \
	exec/comm-mpi.c \
	exec/comm-private.h \
	exec/critical-measure.c \
	exec/critical-private.h \
	exec/critical.c \
	exec/devices.c \
	exec/devices-private.h \
	exec/doctor.c \
	exec/drive-private.h \
	exec/drive.c \
	exec/emit-c.c \
	exec/environment.c \
	exec/exec-private.h \
	exec/info.c \
	exec/inject.c \
	exec/launcher.c \
	exec/load.c \
	exec/loss.c \
	exec/measure.c \
	exec/nvml.c \
	exec/nvml-private.h \
	exec/open.c \
	exec/others.c \
	exec/platform-host.c \
	exec/platform.c \
	exec/platform-private.h \
	exec/plugin-file.c \
	exec/plugin.c \
	exec/run.c \
	exec/serve.c \
	exec/whereabouts.c \
	exec/store.c \
	exec/store-private.h \
	exec/sample.c \
	exec/trace-json.c \
	exec/trace.c \
	exec/blackbox-private.h \
	exec/blackbox.c \
	exec/watchdog.c \
	exec/world-private.h \
	exec/world.c
# The supervisor.
libcairn_core_la_SOURCES += \
	exec/launch/attempt.c \
	exec/launch/death.c \
	exec/launch/launch-private.h \
	exec/launch/launch.c \
	exec/launch/policy.c \
	exec/launch/recorder.c \
	exec/launch/sweep.c
# The CUDA backend: C only, no nvcc.
EXTRA_DIST += exec/platform-cuda.c
if HAVE_CUDA
libcairn_core_la_SOURCES += exec/platform-cuda.c
endif
# What disturbs the ranks.
# The interposition library: LD_PRELOAD it to log what a program issues.
capturedir = $(libdir)/cairn
capture_LTLIBRARIES = exec/capture/libcairn-capture.la
exec_capture_libcairn_capture_la_SOURCES = exec/capture/capture.h \
	exec/capture/cuda.c exec/capture/log.c exec/capture/mpi.c
exec_capture_libcairn_capture_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
exec_capture_libcairn_capture_la_CFLAGS = $(WARN_CFLAGS)
exec_capture_libcairn_capture_la_LDFLAGS = -module -avoid-version -shared
