/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/version.c - the version; with --verbose what this build can do and the
 * libraries it was made with, as configure found them.
 */
#include "version.h"

#ifdef CAIRN_HAVE_CUDA
#define BACKENDS "cuda host replay"
#else
#define BACKENDS "host replay"
#endif

void cairn_cli_print_version(FILE *out, int verbose) {
  fprintf(out, "cairn %s\n", PACKAGE_VERSION);
  if (!verbose)
    return;
  fprintf(out, "  backends   %s\n", BACKENDS);
  fprintf(out, "  CUDA       %s\n", CAIRN_VERSION_CUDA);
  fprintf(out, "  MPI        %s %s\n", CAIRN_MPI_FLAVOUR, CAIRN_VERSION_MPI);
  fprintf(out, "  libxml2    %s\n", CAIRN_VERSION_XML);
  fprintf(out, "  jansson    %s\n", CAIRN_VERSION_JSON);
  fprintf(out, "  xxHash     %s\n", CAIRN_VERSION_HASH);
  fprintf(out, "  hwloc      %s\n", CAIRN_VERSION_HWLOC);
  fprintf(out, "  compiler   %s\n", __VERSION__);
}
