# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	journal/format-private.h \
	journal/header.c \
	journal/import-private.h \
	journal/import-row.c \
	journal/import.c \
	journal/journal-private.h \
	journal/json-private.h \
	journal/json-read.c \
	journal/json-write.c \
	journal/line.c \
	journal/origin-private.h \
	journal/origin.c \
	journal/read-private.h \
	journal/read.c \
	journal/sound.c journal/sound-private.h \
	journal/value.c \
	journal/write.c
