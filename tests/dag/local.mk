# SPDX-License-Identifier: BSD-3-Clause
# The checker.
check_PROGRAMS += tests/dag/prove-random tests/dag/prove-spmv \
	tests/dag/prove-halo tests/dag/lint-kinds
TESTS += tests/dag/prove-random tests/dag/prove-spmv tests/dag/prove-halo \
	tests/dag/lint-kinds
tests_dag_lint_kinds_SOURCES = tests/dag/lint-kinds.c
tests_dag_lint_kinds_LDADD = libcairn-core.la
tests_dag_prove_halo_SOURCES = tests/dag/prove-halo.c
tests_dag_prove_halo_LDADD = libcairn-core.la
tests_dag_prove_random_SOURCES = tests/dag/prove-random.c \
	tests/dag/prove-sim.c tests/dag/prove-sim.h
tests_dag_prove_random_LDADD = libcairn-core.la
tests_dag_prove_spmv_SOURCES = tests/dag/prove-spmv.c tests/dag/prove-sim.c \
	tests/dag/prove-sim.h
tests_dag_prove_spmv_LDADD = libcairn-core.la

# The space: programs, schedules, walks, moves.
if HAVE_CMOCKA
check_LTLIBRARIES += libtestdag.la
libtestdag_la_SOURCES = tests/dag/brute.c tests/dag/support.c tests/dag/support.h
check_PROGRAMS += tests/dag/test-text tests/dag/test-count tests/dag/test-moves tests/dag/test-space
TESTS += tests/dag/test-text tests/dag/test-count tests/dag/test-moves tests/dag/test-space
check_PROGRAMS += tests/dag/test-neighbour
TESTS += tests/dag/test-neighbour
check_PROGRAMS += tests/dag/test-walk
TESTS += tests/dag/test-walk
check_PROGRAMS += tests/dag/test-brute
TESTS += tests/dag/test-brute
tests_dag_test_brute_SOURCES = tests/dag/test-brute.c
tests_dag_test_brute_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_dag_test_brute_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_dag_test_walk_SOURCES = tests/dag/test-walk.c
tests_dag_test_walk_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_dag_test_walk_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_dag_test_neighbour_SOURCES = tests/dag/test-neighbour.c
tests_dag_test_neighbour_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_dag_test_neighbour_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/dag/test-key tests/dag/test-sampler
TESTS += tests/dag/test-key tests/dag/test-sampler
tests_dag_test_text_SOURCES = tests/dag/test-text.c
tests_dag_test_text_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(JSON_CFLAGS)
tests_dag_test_text_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS) $(JSON_LIBS)
DAG_INSIDE = dag/space/count.c dag/program/intern.c dag/space/keyset.c dag/space/moves.c dag/program/program.c \
	dag/space/sample.c dag/program/seal.c dag/space/size.c dag/space/space.c dag/space/tidy.c dag/space/walk.c \
	dag/space/walk-query.c
tests_dag_test_count_SOURCES = tests/dag/test-count.c
tests_dag_test_count_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(HASH_CFLAGS)
tests_dag_test_count_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS) $(HASH_LIBS)
tests_dag_test_sampler_SOURCES = tests/dag/test-sampler.c $(DAG_INSIDE) dag/space/tidy-key.c
tests_dag_test_sampler_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(HASH_CFLAGS)
tests_dag_test_sampler_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS) $(HASH_LIBS)
# Includes dag/space/tidy-key.c.
tests_dag_test_key_SOURCES = tests/dag/test-key.c $(DAG_INSIDE)
tests_dag_test_key_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(HASH_CFLAGS)
tests_dag_test_key_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS) $(HASH_LIBS)
tests_dag_test_space_SOURCES = tests/dag/test-space.c
tests_dag_test_space_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_dag_test_space_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_dag_test_moves_SOURCES = tests/dag/test-moves.c
tests_dag_test_moves_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_dag_test_moves_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
endif
# Program files.
DAG_CORPUS = tests/dag/corpus.c tests/dag/corpus.h
CORPUS_CPPFLAGS = $(AM_CPPFLAGS) -DSRCDIR='"$(abs_srcdir)"'
check_PROGRAMS += tests/dag/xml-corpus
TESTS += tests/dag/xml-corpus tests/dag/check-schema.sh
dist_check_SCRIPTS += tests/dag/check-schema.sh
EXTRA_DIST += tests/data/program-bad.txt tests/data/program-good.txt
tests_dag_xml_corpus_SOURCES = tests/dag/xml-corpus.c $(DAG_CORPUS)
tests_dag_xml_corpus_CPPFLAGS = $(CORPUS_CPPFLAGS)
tests_dag_xml_corpus_LDADD = libcairn-core.la
# Hostile files, journals, tables, faults.
check_PROGRAMS += tests/dag/xml-hostile tests/dag/journal \
	tests/dag/journal-corpus tests/dag/input-faults tests/dag/refined \
	tests/dag/capture-corpus
TESTS += tests/dag/capture-corpus tests/dag/refined tests/dag/xml-hostile tests/dag/journal tests/dag/journal-corpus \
	tests/dag/input-faults tests/dag/check-import.sh
dist_check_SCRIPTS += tests/dag/check-import.sh
EXTRA_DIST += tests/data/journal-bad.txt tests/data/table-bad.txt \
	tests/data/schedule-seeds.txt tests/data/matrix-seeds.txt \
	tests/data/matrix-bad.txt tests/data/capture-logs.txt \
	tests/data/removed-strategy.jsonl
tests_dag_capture_corpus_SOURCES = tests/dag/capture-corpus.c \
	tests/dag/capture-input.h $(DAG_CORPUS)
tests_dag_capture_corpus_CPPFLAGS = $(CORPUS_CPPFLAGS)
tests_dag_capture_corpus_LDADD = libcairn-core.la
JOURNAL_TOOLS = tests/dag/journal-tools.h
tests_dag_xml_hostile_SOURCES = tests/dag/xml-hostile.c $(JOURNAL_TOOLS)
tests_dag_xml_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(HASH_CFLAGS)
tests_dag_xml_hostile_LDADD = libcairn-core.la
tests_dag_journal_SOURCES = tests/dag/journal.c $(JOURNAL_TOOLS)
tests_dag_journal_CPPFLAGS = $(AM_CPPFLAGS) $(HASH_CFLAGS)
tests_dag_journal_LDADD = libcairn-core.la
tests_dag_refined_SOURCES = tests/dag/refined.c $(JOURNAL_TOOLS)
tests_dag_refined_CPPFLAGS = $(AM_CPPFLAGS) $(HASH_CFLAGS)
tests_dag_refined_LDADD = libcairn-core.la
tests_dag_journal_corpus_SOURCES = tests/dag/journal-corpus.c $(DAG_CORPUS) \
	$(JOURNAL_TOOLS)
tests_dag_journal_corpus_CPPFLAGS = $(CORPUS_CPPFLAGS) $(HASH_CFLAGS)
tests_dag_journal_corpus_LDADD = libcairn-core.la
tests_dag_input_faults_SOURCES = tests/dag/input-faults.c $(JOURNAL_TOOLS)
tests_dag_input_faults_CPPFLAGS = $(AM_CPPFLAGS) $(HASH_CFLAGS) $(XML_CFLAGS)
tests_dag_input_faults_LDADD = libcairn-core.la $(XML_LIBS)
