# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	base/clock-private.h \
	base/bits-private.h \
	base/diag-private.h \
	base/diag.c \
	base/file-private.h \
	base/file.c \
	base/format-private.h \
	base/format.c \
	base/log-private.h \
	base/log.c \
	base/mem-private.h \
	base/mem.c \
	base/rng-private.h \
	base/rng.c \
	base/shown.c \
	base/stats-private.h \
	base/stats.c \
	base/status.c \
	base/text-private.h \
	base/text.c \
	base/times-private.h \
	base/times.c
