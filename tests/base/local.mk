# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/base/base
TESTS += tests/base/base
tests_base_base_SOURCES = tests/base/base.c
tests_base_base_LDADD = libcairn-core.la
