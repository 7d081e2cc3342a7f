# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	dag/program/intern-private.h \
	dag/space/program-order.c \
	dag/space/deadlock-show.c \
	dag/prove/needs-private.h \
	dag/program/reach.c \
	dag/program/reach-private.h \
	dag/program/intern.c \
	dag/program/program-private.h \
	dag/program/program-state-private.h \
	dag/program/program.c \
	dag/program/seal.c \
	dag/program/xml-check.c \
	dag/program/xml-private.h \
	dag/program/xml-syntax.c \
	dag/program/xml.c \
	dag/prove/deadlock.c \
	dag/prove/minimize.c \
	dag/prove/prove-private.h \
	dag/prove/prove.c \
	dag/prove/prover-private.h \
	dag/schedule/schedule-private.h \
	dag/schedule/schedule.c \
	dag/schedule/sequence-private.h \
	dag/schedule/sequence.c \
	dag/schedule/text.c \
	dag/space/count.c \
	dag/space/keyset-private.h \
	dag/space/keyset.c \
	dag/space/moves-private.h \
	dag/space/moves.c \
	dag/space/neighbour-find.c \
	dag/space/neighbour-private.h \
	dag/space/neighbour-rows.c \
	dag/space/neighbour.c \
	dag/space/neighbours-private.h \
	dag/space/sample-private.h \
	dag/space/sample-state-private.h \
	dag/space/sample.c \
	dag/space/size.c \
	dag/space/space.c \
	dag/space/tidy-key.c \
	dag/space/tidy-private.h \
	dag/space/tidy.c \
	dag/space/walk-private.h \
	dag/space/walk-query.c \
	dag/space/walk-state-private.h \
	dag/space/walk.c \
	dag/space/wide.c

# The schema of program files, for editors.
schemadir = $(datadir)/cairn
dist_schema_DATA = dag/program.rng
