# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += dag/dag.h dag/dag-capture.h dag/dag-journal.h dag/dag-lint.h \
	dag/dag-moves.h dag/dag-neighbour.h dag/dag-origin.h dag/dag-program.h dag/dag-prove.h dag/dag-sample.h \
	dag/dag-schedule.h dag/dag-sequence.h dag/dag-space.h dag/dag-walk.h dag/dag-xml.h
libcairn_la_SOURCES += \
	dag/import.c dag/journal.c dag/journal-header.c dag/journal-line.c \
	dag/journal-read.c dag/journal-value.c dag/journal-read-private.h \
	dag/journal-private.h dag/origin.c dag/json-read.c dag/json-write.c dag/json-private.h \
	dag/xml.c dag/xml-check.c dag/xml-syntax.c dag/xml-private.h
# The checker.
libcairn_la_SOURCES += dag/capture.c dag/capture-log.c dag/capture-map.c \
	dag/capture-private.h dag/minimize.c dag/prove.c dag/prove-private.h \
	dag/deadlock.c dag/lint.c dag/lint-demand.c dag/lint-order.c \
	dag/lint-private.h dag/lint-repair.c dag/lint-text.c dag/lint-waste.c

# Programs, schedules, walks, the space.
libcairn_la_SOURCES += dag/dag-private.h \
	dag/count.c \
	dag/intern.c \
	dag/keyset.c dag/keyset-private.h \
	dag/moves.c \
	dag/neighbour.c dag/neighbour-find.c dag/neighbour-rows.c \
	dag/neighbour-private.h \
	dag/program.c \
	dag/sample.c dag/sample-private.h \
	dag/schedule.c \
	dag/seal.c \
	dag/sequence.c \
	dag/size.c \
	dag/space.c \
	dag/text.c \
	dag/tidy.c dag/tidy-key.c dag/tidy-private.h \
	dag/walk.c dag/walk-private.h \
	dag/walk-query.c

# The schema of program files, for editors.
schemadir = $(datadir)/cairn
dist_schema_DATA = dag/program.rng
