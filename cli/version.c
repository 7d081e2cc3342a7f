/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/version.c - the version; with --verbose what this build can do and the
 * libraries it was made with, as configure found them.
 */
#include "version.h"

#ifdef CAIRN_HAVE_CUDA
#define CUDA_TEXT "yes"
#else
#define CUDA_TEXT "no"
#endif

void cairn_cli_print_version(FILE *out, int verbose) {
  fprintf(out, "cairn %s\n", PACKAGE_VERSION);
  if (!verbose)
    return;
  fprintf(out, "  backends   host replay%s\n",
          CUDA_TEXT[0] == 'y' ? " cuda" : "");
  fprintf(out, "  CUDA       %s\n", CUDA_TEXT);
  fprintf(out, "  MPI        %s\n", CAIRN_MPI_FLAVOUR);
  fprintf(out, "  libxml2    %s\n", CAIRN_VERSION_XML);
  fprintf(out, "  jansson    %s\n", CAIRN_VERSION_JSON);
  fprintf(out, "  xxHash     %s\n", CAIRN_VERSION_HASH);
  fprintf(out, "  hwloc      %s\n", CAIRN_VERSION_HWLOC);
  fprintf(out, "  compiler   %s\n", __VERSION__);
}
