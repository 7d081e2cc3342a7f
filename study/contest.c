/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/contest.c - searches compete on recorded spaces: every strategy, every
 * space, many runs, by several threads.
 *
 * A run is decided by its strategy, its space and its seed alone, and has its
 * own place for the result: so any number of threads gives the same.  One
 * search to the largest budget gives the best so far of all smaller ones, since
 * budgets do not change what a search proposes.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cairn/mcts.h>

#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include "study/contest-private.h"

/* ---- a recorded space as an evaluator ---- */

static int by_key(const void *a, const void *b) {
  const cairn_dag_key *const x = a, *const y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->hi < y->hi ? -1 : x->hi > y->hi;
}

cairn_status cairn_study__table_make(const cairn_study_space *space,
                                     cairn_study__table *table) {
  table->count = space->count;
  table->entry = cairn_base_alloc(space->count, sizeof *table->entry);
  if (!table->entry)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < space->count; i++) {
    const cairn_dag_schedule *const s = &space->schedule[i];
    table->entry[i] = (cairn_study__entry){
        cairn_dag__schedule_key(s->items, s->count), space->time_s[i]};
  }
  qsort(table->entry, space->count, sizeof *table->entry, by_key);
  return CAIRN_OK;
}

const cairn_study__entry *
cairn_study__table_find(const cairn_study__table *table, cairn_dag_key key) {
  return bsearch(&key, table->entry, table->count, sizeof *table->entry,
                 by_key);
}

cairn_status cairn_study__same_space(const cairn_study_space *a,
                                     const cairn_study_space *b, int *same_p) {
  cairn_study__table x = {0}, y = {0};
  cairn_status status = CAIRN_OK;
  *same_p = a->count == b->count;
  if (*same_p)
    status = cairn_study__table_make(a, &x);
  if (*same_p && !status)
    status = cairn_study__table_make(b, &y);
  for (size_t i = 0; *same_p && !status && i < a->count; i++)
    *same_p = x.entry[i].key.lo == y.entry[i].key.lo &&
              x.entry[i].key.hi == y.entry[i].key.hi &&
              x.entry[i].time_s == y.entry[i].time_s;
  cairn_base_free(x.entry);
  cairn_base_free(y.entry);
  return status;
}

/* What one search sees. */
typedef struct seen {
  const cairn_study__table *table;
  size_t missing;
} seen;

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  seen *const s = context;
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  const cairn_study__entry *const found =
      cairn_study__table_find(s->table, key);
  (void)id;
  s->missing += !found;
  *result_p = cairn_mcts__result_of(
      found && isfinite(found->time_s) ? found->time_s : (double)NAN);
  return CAIRN_OK;
}

/* ---- strategies with settings ---- */

void cairn_study__entrant_free(cairn_study__entrant *entrant) {
  cairn_base_free(entrant->text);
  cairn_base_free(entrant->setting);
  *entrant = (cairn_study__entrant){0};
}

/* "ils:kick=2:patience=10", cut at its colons. */
cairn_status cairn_study__entrant_parse(const char *text, cairn_base_diag *diag,
                                        cairn_study__entrant *entrant) {
  size_t capacity = 0;
  char *at;
  *entrant = (cairn_study__entrant){.text = cairn_base_strdup(text)};
  if (!entrant->text)
    return CAIRN_NOMEM;
  for (at = strchr(entrant->text, ':'); at; at = strchr(at, ':')) {
    *at++ = 0;
    if (cairn_base_reserve(&entrant->setting, &capacity, entrant->settings + 1,
                           sizeof *entrant->setting))
      return CAIRN_NOMEM;
    entrant->setting[entrant->settings++] = (cairn_mcts_setting){at, NULL};
  }
  for (size_t i = 0; i < entrant->settings; i++) {
    char *const equals = strchr(entrant->setting[i].name, '=');
    if (!equals) {
      cairn_base_diag_error(diag,
                            "strategy \"%s\": \"%s\" is no setting; expected "
                            "NAME=VALUE",
                            text, entrant->setting[i].name);
      return CAIRN_USAGE;
    }
    *equals = 0;
    entrant->setting[i].value = equals + 1;
  }
  return CAIRN_OK;
}

/* ---- one search ---- */

static cairn_mcts_options options_of(const cairn_study_space *space,
                                     const cairn_study__entrant *entrant,
                                     uint64_t seed, uint64_t budget) {
  return (cairn_mcts_options){.strategy = entrant->text,
                              .sync = space->sync,
                              .seed = seed,
                              .budget = budget,
                              .setting = entrant->setting,
                              .settings = entrant->settings};
}

/* Best so far after each budget, into best_s[budget * stride]. */
static void read_curve(const cairn_mcts *search, const uint64_t *budget,
                       size_t budgets, size_t stride, double *best_s) {
  size_t points, k = 0;
  const cairn_mcts_point *const curve = cairn_mcts__curve(search, &points);
  double best = INFINITY;
  for (size_t b = 0; b < budgets; b++) {
    for (; k < points && curve[k].evaluations <= budget[b]; k++)
      best = curve[k].time_s;
    best_s[b * stride] = best;
  }
}

typedef struct race {
  cairn_study_space *const *space;
  const cairn_study__table *table;
  const cairn_study__entrant *entrant;
  cairn_study_contest *contest;
  atomic_size_t next, missing;
  cairn_status *status; /* by thread */
} race;

static cairn_status run_one(race *r, size_t job) {
  cairn_study_contest *const c = r->contest;
  const size_t run = job % c->runs, s = job / c->runs % c->spaces;
  const size_t entrant = job / c->runs / c->spaces;
  const cairn_mcts_options options =
      options_of(r->space[s], &r->entrant[entrant], c->seed + run,
                 c->budget[c->budgets - 1]);
  seen table = {.table = &r->table[s]};
  cairn_mcts *search = NULL;
  cairn_status status =
      cairn_mcts_create(r->space[s]->program, &options, NULL, &search);
  if (!status)
    status = cairn_mcts_run(search, evaluate, &table, NULL);
  if (status == CAIRN_FINDINGS) /* nothing was found: a result, too */
    status = CAIRN_OK;
  if (!status)
    read_curve(search, c->budget, c->budgets, c->runs,
               cairn_study__best(c, entrant, s, 0) + run);
  cairn_mcts_free(search);
  atomic_fetch_add(&r->missing, table.missing);
  return status;
}

typedef struct worker {
  race *race;
  pthread_t thread;
  cairn_status status;
} worker;

static void *work(void *argument) {
  worker *const w = argument;
  const cairn_study_contest *const c = w->race->contest;
  const size_t jobs = c->strategies * c->spaces * c->runs;
  for (;;) {
    const size_t job = atomic_fetch_add(&w->race->next, 1);
    if (job >= jobs)
      return NULL;
    if ((w->status = run_one(w->race, job))) {
      atomic_store(&w->race->next, jobs);
      return NULL;
    }
  }
}

/* The caller is a worker, too; fewer threads than wanted do as well. */
static cairn_status run_all(race *r, unsigned threads) {
  worker *const w = cairn_base_zalloc(threads, sizeof *w);
  unsigned started = 1;
  cairn_status status = CAIRN_OK;
  if (!w)
    return CAIRN_NOMEM;
  w[0].race = r;
  for (; started < threads; started++) {
    w[started].race = r;
    if (pthread_create(&w[started].thread, NULL, work, &w[started]))
      break;
  }
  work(&w[0]);
  for (unsigned i = 1; i < started; i++)
    (void)pthread_join(w[i].thread, NULL);
  for (unsigned i = 0; i < started && !status; i++)
    status = w[i].status;
  cairn_base_free(w);
  return status;
}

/* ---- all searches ---- */

/* A search that is only created, so that mistakes are told before the work. */
static cairn_status check_entrant(const cairn_study_space *space,
                                  const cairn_study__entrant *entrant,
                                  cairn_base_diag *diag) {
  const cairn_mcts_options options = options_of(space, entrant, 1, 1);
  cairn_mcts *search = NULL;
  const cairn_status status =
      cairn_mcts_create(space->program, &options, diag, &search);
  cairn_mcts_free(search);
  return status;
}

static unsigned threads_of(const cairn_study_racing *racing) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (racing->jobs)
    return racing->jobs;
  return processors < 1 ? 1 : processors > 256 ? 256 : (unsigned)processors;
}

static cairn_status race_all(race *r, const cairn_study_racing *racing,
                             cairn_base_diag *diag) {
  cairn_study_contest *const c = r->contest;
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t e = 0; e < c->strategies; e++) {
      const cairn_status status =
          check_entrant(r->space[s], &r->entrant[e], diag);
      if (status)
        return status;
    }
  const cairn_status status = run_all(r, threads_of(racing));
  c->missing = atomic_load(&r->missing);
  return status;
}

static double slowest(const cairn_study_space *space) {
  double slowest_s = 0;
  for (size_t i = 0; i < space->count; i++)
    if (isfinite(space->time_s[i]))
      slowest_s = fmax(slowest_s, space->time_s[i]);
  return slowest_s;
}

static double fastest(const cairn_study_space *space) {
  double fastest_s = INFINITY;
  for (size_t i = 0; i < space->count; i++)
    fastest_s = fmin(fastest_s, space->time_s[i]);
  return fastest_s;
}

static cairn_status name_all(cairn_study_contest *c,
                             cairn_study_space *const *space,
                             const cairn_study_racing *racing) {
  for (size_t e = 0; e < c->strategies; e++)
    if (!(c->strategy[e] = cairn_base_strdup(racing->strategy[e])))
      return CAIRN_NOMEM;
  for (size_t s = 0; s < c->spaces; s++) {
    if (!(c->space[s] = cairn_base_strdup(space[s]->name)))
      return CAIRN_NOMEM;
    c->optimum_s[s] = fastest(space[s]);
    c->slowest_s[s] = slowest(space[s]);
  }
  memcpy(c->budget, racing->budget, c->budgets * sizeof *c->budget);
  return CAIRN_OK;
}

static cairn_status compete(cairn_study_space *const *space,
                            const cairn_study_racing *racing,
                            cairn_base_diag *diag, cairn_study_contest *c) {
  cairn_study__entrant *const entrant =
      cairn_base_zalloc(c->strategies, sizeof *entrant);
  cairn_study__table *const table = cairn_base_zalloc(c->spaces, sizeof *table);
  cairn_status status = entrant && table ? CAIRN_OK : CAIRN_NOMEM;
  race r = {.space = space, .table = table, .entrant = entrant, .contest = c};
  for (size_t e = 0; e < c->strategies && !status; e++)
    status = cairn_study__entrant_parse(racing->strategy[e], diag, &entrant[e]);
  for (size_t s = 0; s < c->spaces && !status; s++)
    status = cairn_study__table_make(space[s], &table[s]);
  if (!status)
    status = race_all(&r, racing, diag);
  for (size_t e = 0; entrant && e < c->strategies; e++)
    cairn_study__entrant_free(&entrant[e]);
  for (size_t s = 0; table && s < c->spaces; s++)
    cairn_base_free(table[s].entry);
  cairn_base_free(entrant);
  cairn_base_free(table);
  return status;
}

cairn_status cairn_study__race(cairn_study_space *const *space, size_t spaces,
                               const cairn_study_racing *racing,
                               cairn_base_diag *diag,
                               cairn_study_contest **contest_p) {
  cairn_study_contest *c = NULL;
  cairn_status status = cairn_study__contest_create(
      racing->strategies, spaces, racing->budgets, racing->runs, &c);
  if (!status)
    status = name_all(c, space, racing);
  if (!status) {
    c->seed = racing->seed;
    status = compete(space, racing, diag, c);
  }
  if (status)
    cairn_study__contest_free(c);
  else
    *contest_p = c;
  return status;
}
