# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += cairn
cairn_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
cairn_LDADD = libcairn.la $(JSON_LIBS)
cairn_SOURCES = cli/cli.h cli/crash.c cli/main.c cli/options.c \
	cli/origin.c cli/output.c cli/program.c \
	cli/schedule.c cli/stack.c cli/version.c cli/version.h
# one line a command
cairn_SOURCES += cli/cmd-check.c cli/check-difficulty.c cli/check.h
cairn_SOURCES += cli/cmd-classify.c
cairn_SOURCES += cli/cmd-compare-runs.c
cairn_SOURCES += cli/cmd-doctor.c cli/doctor.h cli/doctor-probe.c
cairn_SOURCES += cli/cmd-enumerate.c
cairn_SOURCES += cli/cmd-import.c
cairn_SOURCES += cli/cmd-lint.c cli/lint-place.c cli/lint.h
cairn_SOURCES += cli/cmd-study.c cli/study-options.c cli/study.h
cairn_SOURCES += cli/cmd-launch.c
cairn_SOURCES += cli/cmd-run.c cli/run.h cli/run-critical.c
cairn_SOURCES += cli/cmd-explore.c cli/explore.h cli/explore-finalists.c \
	cli/explore-options.c cli/explore-progress.c cli/explore-report.c

# bash completion, installed as "cairn"
EXTRA_DIST += cli/cairn.bash
if COMPLETION
completion_DATA = cli/cairn
cli/cairn: cli/cairn.bash
	$(AM_V_GEN)$(MKDIR_P) cli && cp $(srcdir)/cli/cairn.bash $@
CLEANFILES += cli/cairn
endif
