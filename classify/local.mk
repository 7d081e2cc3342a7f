# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += classify/classify.h classify/classify-across.h classify/classify-analysis.h classify/classify-committee.h classify/classify-compare.h classify/classify-data.h \
	classify/classify-evaluate.h classify/classify-feature.h classify/classify-label.h \
	classify/classify-report.h classify/classify-rule.h classify/classify-tree.h
libcairn_la_SOURCES += classify/across.c classify/correspond.c classify/data-named.c classify/advice.c classify/analysis.c classify/committee.c classify/compare.c classify/compare-report.c classify/count-private.h classify/count.c \
	classify/data-private.h classify/data.c classify/density.c classify/evaluate.c \
	classify/evaluate-other.c \
	classify/feature-private.h classify/feature.c classify/feature-use.c \
	classify/label-private.h classify/label.c classify/label-density.c \
	classify/label-repeat.c classify/label-step.c classify/curve.c \
	classify/report-common.c classify/report-evidence.c classify/report-draw.c classify/report-html.c \
	classify/report-markdown.c classify/report-plain.c classify/report-svg.c \
	classify/report-json.c classify/report-private.h classify/report-text.c \
	classify/rule.c classify/rule-pair.c classify/summary.c classify/tree.c \
	classify/tree-private.h classify/tree-short.c classify/tree-use.c
dist_schema_DATA += classify/classify.schema.json
