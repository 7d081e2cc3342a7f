# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += study/study-private.h study/study.c study/infer.c \
	study/space.c
# Landscapes.
libcairn_core_la_SOURCES += study/chance.c study/descents.c study/landscape.c \
	study/minima.c study/rank.c
# Competitions and settings.
libcairn_core_la_SOURCES += study/compete.c study/contest.c study/contest-file.c \
	study/contest-private.h study/judge.c study/choose.c study/settings.c study/ttest.c
# Partial runs.
libcairn_core_la_SOURCES += study/difficulty.c study/surrogate.c \
	study/surrogate-private.h
# Reports.
libcairn_core_la_SOURCES += study/choice-report.c study/json.c study/json-private.h \
	study/landscape-html.c study/landscape-json.c study/landscape-report.c \
	study/landscape-text.c study/page.c study/plot.c study/plot-private.h \
	study/report-common.c study/verdict-html.c study/verdict-json.c \
	study/verdict-report.c study/verdict-text.c
