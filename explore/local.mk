# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += explore/recorded.c explore/recorded-private.h
