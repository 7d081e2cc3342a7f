/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/version.h - `cairn --version [--verbose]`.
 */
#ifndef CAIRN_CLI_VERSION_H
#define CAIRN_CLI_VERSION_H

#include <stdio.h>

void cairn_cli_print_version(FILE *out, int verbose);

#endif
