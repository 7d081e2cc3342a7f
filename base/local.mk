# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += base/base.h base/base-bits.h base/base-diag.h base/base-file.h \
	base/base-format.h \
	base/base-log.h base/base-mem.h base/base-rng.h base/base-stats.h \
	base/base-status.h base/base-text.h
libcairn_la_SOURCES += base/diag.c base/file.c base/format.c base/log.c base/mem.c base/rng.c base/shown.c \
	base/stats.c base/status.c base/text.c
