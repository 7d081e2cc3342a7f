# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += classify/classify.h classify/classify-data.h classify/classify-feature.h \
	classify/classify-label.h classify/classify-tree.h
libcairn_la_SOURCES += classify/count-private.h classify/count.c classify/data-private.h \
	classify/data.c classify/density.c classify/feature-private.h classify/feature.c \
	classify/feature-use.c classify/label-private.h classify/label.c classify/label-density.c \
	classify/label-repeat.c classify/label-step.c classify/tree.c classify/tree-use.c
