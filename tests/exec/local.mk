# SPDX-License-Identifier: BSD-3-Clause
# The ring program as an embedding application.
check_PROGRAMS += tests/exec/run-ring
tests_exec_run_ring_SOURCES = tests/exec/run-ring.c tests/exec/ring.c \
	tests/exec/ring-program.c tests/exec/ring.h
tests_exec_run_ring_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_exec_run_ring_LDADD = libcairn.la $(MPI_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/exec/test-campaign
TESTS += tests/exec/test-campaign
tests_exec_test_campaign_SOURCES = tests/exec/test-campaign.c
tests_exec_test_campaign_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_exec_test_campaign_LDADD = libcairn.la $(CMOCKA_LIBS)
endif
