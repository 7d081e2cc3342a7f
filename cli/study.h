/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/study.h - what the files of `cairn study` share.
 */
#ifndef CAIRN_CLI_STUDY_H
#define CAIRN_CLI_STUDY_H

#include <cairn/study.h>

#include "cli.h"

/* A list of words. */
typedef struct study_list {
  const char **word;
  size_t count, capacity;
} study_list;

typedef enum study_form {
  STUDY_LANDSCAPES,
  STUDY_COMPETE,
  STUDY_SETTINGS
} study_form;

typedef struct study_options {
  cairn_cli_common common;
  study_form form;
  const char *program, *objective, *report, *from, *settings;
  int salvage;
  uint64_t seed;
  study_list space;     /* SPACE... */
  study_list tuning;    /* --tuning */
  study_list report_on; /* --report-on */
  study_list strategy;
  study_list grid;
  char *words; /* what --strategies points into */
  uint64_t *budget;
  size_t budgets;
  size_t runs, repetitions; /* 0: not said */
  unsigned jobs;
  cairn_study_judging judging;
  cairn_study_landscape_options landscape;
  int landscape_only, contest_only; /* options of one form were given */
} study_options;

extern const struct argp_option study_option_table[];
error_t study_parse(int key, char *arg, struct argp_state *state);

/* --tuning A B becomes --tuning A --tuning B, and --report-on alike: a new
 * vector that ends with NULL, to be freed; the words are those of argv. */
char **study_spread(int argc, char **argv, int *argc_p);

void study_options_free(study_options *options);

#endif
