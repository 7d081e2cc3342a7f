# SPDX-License-Identifier: BSD-3-Clause
# The checker.
check_PROGRAMS += tests/dag/prove-random tests/dag/prove-spmv
TESTS += tests/dag/prove-random tests/dag/prove-spmv
tests_dag_prove_random_SOURCES = tests/dag/prove-random.c \
	tests/dag/prove-sim.c tests/dag/prove-sim.h
tests_dag_prove_random_LDADD = libcairn.la
tests_dag_prove_spmv_SOURCES = tests/dag/prove-spmv.c tests/dag/prove-sim.c \
	tests/dag/prove-sim.h
tests_dag_prove_spmv_LDADD = libcairn.la
