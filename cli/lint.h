/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/lint.h - says where a linted order stands among measured schedules.
 */
#ifndef CAIRN_CLI_LINT_H
#define CAIRN_CLI_LINT_H

#include "cli/cli.h"
#include <cairn/classify.h>

void lint_place_print(const cairn_classify_place *place);
json_t *lint_place_json(const cairn_classify_place *place);

#endif
