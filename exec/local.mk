# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += exec/exec.h exec/op.h
libcairn_la_SOURCES +=
