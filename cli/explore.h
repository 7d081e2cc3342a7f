/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore.h - the parts of `cairn explore`, whose work <cairn/explore.h>
 * does:
 *
 *   explore-options.c    the option table
 *   explore-progress.c   what is shown while it runs
 *   explore-report.c     what is printed at the end
 *   explore-finalists.c  how far to trust the numbers; finalists in words
 *   cmd-explore.c        signals, crashes and the exit code
 */
#ifndef CAIRN_CLI_EXPLORE_H
#define CAIRN_CLI_EXPLORE_H

#include <cairn/explore.h>

#include "cli.h"

typedef struct explore_options {
  cairn_explore_options run;
  cairn_cli_common common;
  cairn_cli_program program;
  int list_strategies; /* --strategy help */
  cairn_mcts_setting *setting;
  size_t settings, settings_capacity;
  const char **prior;
  size_t priors, priors_capacity;
  int singleton;
} explore_options;

cairn_status explore_parse(const cairn_cli_command *self, int argc, char **argv,
                           explore_options *options);
void explore_options_free(explore_options *options);
void explore_print_strategies(FILE *out);

typedef struct explore_progress {
  int quiet;
  uint64_t budget;
  double shown_s; /* since the start */
  int tty, drawn, noted;
} explore_progress;

void explore_progress_show(explore_progress *shown,
                           const cairn_explore_progress *progress);

/* The result as text, or as one JSON object. */
cairn_status explore_print_text(const explore_options *options,
                                const cairn_explore_result *result);
cairn_status explore_print_json(const explore_options *options,
                                const cairn_explore_result *result);

/* Only for runs that measured (not replays). */
void explore_trust_print(const cairn_explore_result *result);
json_t *explore_trust_json(const cairn_explore_trust *trust);
void explore_refine_print(const cairn_explore_result *result);
json_t *explore_refine_json(const cairn_explore_result *result); /* or null */

#endif
