# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += study/study.h
libcairn_la_SOURCES += study/study-private.h study/infer.c study/space.c
# Landscapes.
libcairn_la_SOURCES += study/chance.c study/descents.c study/landscape.c \
	study/rank.c
# Reports.
libcairn_la_SOURCES += study/json.c study/json-private.h \
	study/landscape-html.c study/landscape-json.c study/landscape-report.c \
	study/landscape-text.c study/page.c study/plot.c study/plot-private.h \
	study/report-common.c
