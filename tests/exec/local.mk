# SPDX-License-Identifier: BSD-3-Clause
# The ring program as an embedding application.
check_PROGRAMS += tests/exec/run-ring
tests_exec_run_ring_SOURCES = tests/exec/run-ring.c tests/exec/ring.c \
	tests/exec/ring-program.c tests/exec/ring.h
tests_exec_run_ring_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_exec_run_ring_LDADD = libcairn-core.la $(MPI_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/exec/test-campaign
TESTS += tests/exec/test-campaign
tests_exec_test_campaign_SOURCES = tests/exec/test-campaign.c
tests_exec_test_campaign_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_campaign_LDADD = libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/exec/test-bounds
TESTS += tests/exec/test-bounds
tests_exec_test_bounds_SOURCES = tests/exec/test-bounds.c
tests_exec_test_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_bounds_LDADD = libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/exec/test-critical
TESTS += tests/exec/test-critical
VALGRIND_TESTS += tests/exec/test-critical
tests_exec_test_critical_SOURCES = tests/exec/test-critical.c
tests_exec_test_critical_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_critical_LDADD = libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/exec/test-supervisor
TESTS += tests/exec/test-supervisor
tests_exec_test_supervisor_SOURCES = tests/exec/test-supervisor.c
tests_exec_test_supervisor_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_supervisor_LDADD = libcairn-core.la $(CMOCKA_LIBS)
endif
# The ring's operations as a plugin.
check_PROGRAMS += tests/exec/ring.so
tests_exec_ring_so_SOURCES = tests/exec/ring.c
tests_exec_ring_so_CPPFLAGS = $(EXAMPLE_CPPFLAGS) $(MPI_CFLAGS)
tests_exec_ring_so_CFLAGS = $(EXAMPLE_CFLAGS)
tests_exec_ring_so_LINK = $(EXAMPLE_LINK)
tests_exec_ring_so_LDADD = $(MPI_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/exec/test-platform-host tests/exec/test-sample
TESTS += tests/exec/test-platform-host tests/exec/test-sample
VALGRIND_TESTS += tests/exec/test-sample tests/exec/test-platform-host
tests_exec_test_platform_host_SOURCES = tests/exec/test-platform-host.c \
	exec/platform-host.c
tests_exec_test_platform_host_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_platform_host_LDADD = libcairn-core.la $(CMOCKA_LIBS)
tests_exec_test_sample_SOURCES = tests/exec/test-sample.c
tests_exec_test_sample_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_sample_LDADD = libcairn-core.la $(CMOCKA_LIBS)
endif
TESTS += tests/exec/test-ring.sh tests/exec/test-inject.sh tests/exec/test-launch.sh \
	tests/exec/test-kill.sh tests/exec/test-faults.sh tests/exec/test-slurm.sh \
	tests/exec/test-plugin.sh tests/exec/test-suspended.sh
EXTRA_DIST += tests/exec/ring.xml tests/exec/test-ring.sh tests/exec/test-inject.sh tests/exec/test-launch.sh \
	tests/exec/test-kill.sh tests/exec/test-faults.sh tests/exec/test-slurm.sh \
	tests/exec/test-plugin.sh tests/exec/test-suspended.sh tests/exec/kill.py
# What the checker says comes true.
check_PROGRAMS += tests/exec/prove-delays
TESTS += tests/exec/prove-delays
tests_exec_prove_delays_SOURCES = tests/exec/prove-delays.c
tests_exec_prove_delays_LDADD = libcairn-core.la
# Capturing: a hand-written program on a CUDA runtime without a GPU.
check_LTLIBRARIES += tests/exec/capture/libcudart-fake.la
tests_exec_capture_libcudart_fake_la_SOURCES = tests/exec/capture/cudart-fake.c \
	tests/exec/capture/cuda_runtime_api.h
tests_exec_capture_libcudart_fake_la_CPPFLAGS = -I$(srcdir)/tests/exec/capture
tests_exec_capture_libcudart_fake_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_exec_capture_libcudart_fake_la_LDFLAGS = -avoid-version -shared \
	-rpath $(abs_top_builddir)/tests/exec/capture
check_PROGRAMS += tests/exec/capture/by-hand tests/exec/capture/static
tests_exec_capture_by_hand_SOURCES = examples/by-hand/by-hand.c \
	examples/by-hand/kernels.h tests/exec/capture/kernels-fake.c
tests_exec_capture_by_hand_CPPFLAGS = -I$(srcdir)/tests/exec/capture \
	-I$(srcdir)/examples/by-hand $(MPI_CFLAGS)
tests_exec_capture_by_hand_CFLAGS = $(AM_CFLAGS) -fvisibility=default
tests_exec_capture_by_hand_LDFLAGS = -no-install -export-dynamic
tests_exec_capture_by_hand_LDADD = tests/exec/capture/libcudart-fake.la $(MPI_LIBS)
tests_exec_capture_static_SOURCES = tests/exec/capture/static.c
TESTS += tests/exec/capture/test-capture.sh
EXTRA_DIST += tests/exec/capture/test-capture.sh examples/by-hand/by-hand.xml \
	examples/by-hand/kernels.cu examples/by-hand/Makefile \
	examples/by-hand/README.md
# Each allocation fails in turn.
check_PROGRAMS += tests/exec/faults
TESTS += tests/exec/faults
tests_exec_faults_SOURCES = tests/exec/faults.c tests/faults.h \
	tests/exec/ring.c tests/exec/ring-program.c tests/exec/ring.h
tests_exec_faults_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_exec_faults_LDADD = libcairn-core.la $(MPI_LIBS)
