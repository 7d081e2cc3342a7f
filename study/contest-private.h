/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/contest-private.h - inside of competitions; for study/ only.
 */
#ifndef CAIRN_STUDY_CONTEST_PRIVATE_H
#define CAIRN_STUDY_CONTEST_PRIVATE_H

#include <cairn/mcts.h>

#include "study/study-private.h"

/* Room for all of it, zeros. */
cairn_status cairn_study__contest_create(size_t strategies, size_t spaces,
                                         size_t budgets, size_t runs,
                                         cairn_study_contest **contest_p);

/* The runs of a strategy on a space after a budget. */
static inline double *cairn_study__best(const cairn_study_contest *c,
                                        size_t strategy, size_t space,
                                        size_t budget) {
  return c->best_s +
         ((strategy * c->spaces + space) * c->budgets + budget) * c->runs;
}

/* Runs what it is told: the strategies named, budgets ascending. */
cairn_status cairn_study__race(cairn_study_space *const *space, size_t spaces,
                               const cairn_study_racing *racing,
                               cairn_base_diag *diag,
                               cairn_study_contest **contest_p);

/* Budgets ascending, each once.  CAIRN_NOMEM. */
cairn_status cairn_study__budgets(const uint64_t *budget, size_t count,
                                  uint64_t **sorted_p, size_t *sorted_count_p);

/* A recorded space, found by key. */
typedef struct cairn_study__entry {
  cairn_dag_key key; /* first */
  double time_s;
} cairn_study__entry;
typedef struct cairn_study__table {
  cairn_study__entry *entry;
  size_t count;
} cairn_study__table;
cairn_status cairn_study__table_make(const cairn_study_space *space,
                                     cairn_study__table *table);
/* NULL: it is not there. */
const cairn_study__entry *
cairn_study__table_find(const cairn_study__table *table, cairn_dag_key key);

/* A strategy with settings. */
typedef struct cairn_study__entrant {
  char *text; /* the strategy's name, then what settings point to */
  cairn_mcts_setting *setting;
  size_t settings;
} cairn_study__entrant;
/* CAIRN_USAGE with a message; free it in any case. */
cairn_status cairn_study__entrant_parse(const char *text, cairn_base_diag *diag,
                                        cairn_study__entrant *entrant);
void cairn_study__entrant_free(cairn_study__entrant *entrant);

/* Two-sided p of Student's t. */
double cairn_study__t_p(double t, double df);

/* Index of "random", or SIZE_MAX. */
size_t cairn_study__random(const cairn_study_contest *contest);

/* Parts of a contest by budget. */
enum {
  CAIRN_STUDY__LOW,
  CAIRN_STUDY__MEDIUM,
  CAIRN_STUDY__ALL,
  CAIRN_STUDY__PARTS
};
/* Does a budget belong to a part? */
int cairn_study__in_part(const cairn_study_verdict *verdict, size_t budget,
                         int part);
static inline size_t cairn_study__heat(const cairn_study_verdict *v, int part,
                                       size_t row, size_t column) {
  const size_t n = v->contest->strategies;
  return v->heat[((size_t)part * n + row) * n + column];
}
static inline const cairn_study_test *
cairn_study__test(const cairn_study_verdict *v, size_t space, size_t budget,
                  size_t a, size_t b) {
  const cairn_study_contest *const c = v->contest;
  return &v->test[((space * c->budgets + budget) * c->strategies + a) *
                      c->strategies +
                  b];
}
/* "low (up to 200)": words for a part. */
void cairn_study__part_text(const cairn_study_verdict *verdict, int part,
                            cairn_base_text *text);

cairn_status cairn_study__verdict_text(const void *verdict,
                                       cairn_base_text *text);
cairn_status cairn_study__verdict_json(const void *verdict,
                                       cairn_base_text *text);
cairn_status cairn_study__verdict_html(const void *verdict,
                                       cairn_base_text *text);
/* Its part of a page. */
cairn_status cairn_study__verdict_body(const cairn_study_verdict *verdict,
                                       cairn_base_text *text);
/* Files of its report, but for the page and what is named report. */
extern const cairn_study__file cairn_study__verdict_tables[];
enum { CAIRN_STUDY__VERDICT_TABLES = 4 };
/* The same schedules with the same times? */
cairn_status cairn_study__same_space(const cairn_study_space *a,
                                     const cairn_study_space *b, int *same_p);
cairn_status cairn_study__runs_tsv(const void *contest, cairn_base_text *text);

#endif
