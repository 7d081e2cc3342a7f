# SPDX-License-Identifier: BSD-3-Clause
# The search: `make bench/search bench/search-speed`.
EXTRA_PROGRAMS += bench/search bench/search-speed bench/search-synthetic
bench_search_SOURCES = bench/search.c bench/search-table.h
bench_search_LDADD = libcairn-core.la
bench_search_speed_SOURCES = bench/search-speed.c bench/search-table.h
bench_search_speed_LDADD = libcairn-core.la
bench_search_synthetic_SOURCES = bench/search-synthetic.c bench/search-table.h
bench_search_synthetic_LDADD = libcairn-core.la
EXTRA_PROGRAMS += bench/pass
bench_pass_SOURCES = bench/pass.c
bench_pass_LDADD = libcairn-core.la
# Racing against fixed samples: `make bench/racing`, then
# `bench/racing ../shared/data/*.csv examples/spmv/results/*.xz`.
EXTRA_PROGRAMS += bench/racing
bench_racing_SOURCES = bench/racing.c bench/search-table.h
bench_racing_LDADD = libcairn-core.la
# How far measuring can be trusted here: `make bench/trust`, then
# `mpiexec -n 2 bench/trust examples/spmv/spmv.xml 200 60 300 rows=2000`.
EXTRA_PROGRAMS += bench/trust
bench_trust_SOURCES = bench/trust.c
bench_trust_LDADD = libcairn-core.la
# The space: `make bench/space`.
EXTRA_PROGRAMS += bench/space
bench_space_SOURCES = bench/space.c
bench_space_LDADD = libcairn-core.la
# The tree at scale, and rules from few measurements:
# `make bench/cart bench/rules`, then `bench/cart 200000 300 --peer`.
EXTRA_PROGRAMS += bench/cart bench/rules
bench_cart_SOURCES = bench/cart.c
bench_cart_LDADD = libcairn-core.la
bench_rules_SOURCES = bench/rules.c
bench_rules_LDADD = libcairn-core.la

# cairn against hand-written calls: `make bench/overhead`.  Linked statically,
# because it looks inside.
EXTRA_PROGRAMS += bench/overhead
bench_overhead_SOURCES = bench/overhead.c bench/overhead-host.h
bench_overhead_CPPFLAGS = $(AM_CPPFLAGS) -DOVERHEAD_CC='"$(OVERHEAD_CC)"'
OVERHEAD_CC = $(CC) -O2 -I$(abs_builddir)/include -I$(abs_srcdir) $(CUDA_CFLAGS)
bench_overhead_LDADD = libcairn-core.la
bench_overhead_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
EXTRA_DIST += bench/gpu-session.sh bench/search.md
