# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += classify/classify.h
libcairn_la_SOURCES +=
