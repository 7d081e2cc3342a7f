# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += cairn
cairn_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS)
cairn_LDADD = libcairn.la $(JSON_LIBS)
cairn_SOURCES = cli/cli.h cli/main.c cli/options.c cli/output.c cli/program.c \
	cli/version.c cli/version.h
# one line a command
# until dag is complete
cairn_LDFLAGS = $(AM_LDFLAGS) -Wl,--unresolved-symbols=ignore-in-shared-libs
