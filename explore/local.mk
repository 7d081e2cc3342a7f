# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += explore/explore-private.h explore/session.c \
	explore/options.c explore/kept.c explore/refine.c explore/refine-private.h explore/rounds.c explore/explain.c \
	explore/trust.c explore/result.c
# Where times come from.
libcairn_core_la_SOURCES += explore/source-private.h explore/source.c explore/source-ranks.c \
	explore/source-race.c explore/source-recorded.c explore/ranks.c \
	explore/recorded.c explore/recorded-private.h
# The journal.
libcairn_core_la_SOURCES += explore/header.c explore/identity.c \
	explore/resume.c
