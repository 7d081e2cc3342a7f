# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	lint/report.c \
	lint/calls-private.h \
	lint/capture-log.c \
	lint/capture-map.c \
	lint/capture.c \
	lint/demand.c \
	lint/lint.c \
	lint/linter-private.h \
	lint/order.c \
	lint/repair.c \
	lint/text.c \
	lint/waste.c
