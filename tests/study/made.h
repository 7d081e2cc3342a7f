/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/made.h - journals of whole spaces, with made-up times.
 */
#ifndef CAIRN_TESTS_STUDY_MADE_H
#define CAIRN_TESTS_STUDY_MADE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng-private.h"
#include "dag/schedule/schedule-private.h"
#include "journal/journal-private.h"
#include "study/study-private.h"

typedef struct made {
  const cairn_dag_program *program;
  cairn_journal *journal;
  cairn_base_rng rng;
  uint64_t id;
  int odd; /* every seventh fails, every ninth is pruned, the first comes twice
            */
  int failed;
} made;

static inline void made_result(made *m, const char *schedule, uint64_t id) {
  const int fails = m->odd && id % 7 == 3, prunes = m->odd && id % 9 == 4;
  cairn_journal_result r =
      cairn_journal__result_blank(id, schedule,
                                  fails    ? CAIRN_BASE_OUTCOME_FAILED
                                  : prunes ? CAIRN_BASE_OUTCOME_PRUNED
                                           : CAIRN_BASE_OUTCOME_OK);
  const double t = 1e-5 * (1 + cairn_base__rng_uniform(&m->rng));
  for (size_t i = 0; i < CAIRN_BASE_PERCENTILES && !fails; i++)
    r.times.p[i] = t;
  r.times.samples = fails ? 0 : 3;
  m->failed |= cairn_journal__append_result(m->journal, &r, NULL) != CAIRN_OK;
}

static inline int made_visit(void *context, const cairn_dag_item *items,
                             size_t count) {
  made *const m = context;
  cairn_base_text text = {0};
  m->failed |= cairn_dag_schedule_format(m->program, items, count, &text) != 0;
  made_result(m, text.data, m->id++);
  cairn_base_text_free(&text);
  return 0;
}

/* Writes the space of a program; returns the number of results, 0: failed. */
static inline size_t made_space(const char *path,
                                const cairn_dag_program *program,
                                unsigned streams, uint64_t seed, int odd) {
  const cairn_journal_header header = {.cairn = "test",
                                       .program_name = "made",
                                       .backend = "replay",
                                       .sync = "tidy",
                                       .strategy = "exhaustive",
                                       .gpu_aware = -1,
                                       .ranks = 1,
                                       .streams = streams,
                                       .objective = "p50"};
  made m = {.program = program, .odd = odd};
  (void)unlink(path);
  cairn_base__rng_seed(&m.rng, seed);
  if (cairn_journal__open(path, CAIRN_JOURNAL_NEW, &header, NULL, &m.journal))
    return 0;
  m.failed |= cairn_dag_space_enumerate(program, streams, CAIRN_DAG_SYNC_TIDY,
                                        made_visit, &m) != CAIRN_OK;
  cairn_journal__close(m.journal);
  return m.failed ? 0 : (size_t)m.id;
}

#endif
