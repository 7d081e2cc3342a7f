# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	timing/campaign-private.h \
	timing/campaign-solve.c \
	timing/campaign-state-private.h \
	timing/campaign.c \
	timing/drift.c \
	timing/race.c \
	timing/sample-private.h \
	timing/sample.c
