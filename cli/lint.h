/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/lint.h - where a linted order stands among measured schedules.
 */
#ifndef CAIRN_CLI_LINT_H
#define CAIRN_CLI_LINT_H

#include "cli/cli.h"
#include <cairn/base.h>

/* Times in seconds; classes and ranks count from 1, 1 the fastest. */
typedef struct lint_place {
  size_t schedules;  /* with a time in the journal */
  unsigned classes;  /* found in their times */
  int measured;      /* this order is one of them */
  double time;       /* measured: its time, else NAN */
  size_t rank;       /* measured: schedules that are faster, plus one */
  unsigned class_id; /* its class, measured or predicted; 0: unknown */
  double low, high;  /* fastest and slowest of that class */
  double fastest;    /* of all */
  double held_out;   /* not measured: share of schedules that the same tree
                        predicts rightly in cross-validation */
} lint_place;

/* Places the schedule with this text (as cairn_dag_schedule_format writes it)
 * among the measured ones of a journal: found there by structure, else its
 * class is predicted by the tree learned from them.  CAIRN_INPUT (unreadable
 * journal or another program's), CAIRN_FINDINGS (nothing measured). */
cairn_status lint_place_among(const char *path, const char *text,
                              cairn_base_diag *diag, lint_place *place);
void lint_place_print(const lint_place *place);
json_t *lint_place_json(const lint_place *place);

#endif
