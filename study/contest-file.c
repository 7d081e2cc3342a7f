/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/contest-file.c - contests in memory, and as a table: runs.tsv, a line
 * for each strategy, space, run and budget.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/contest-private.h"

static const char header[] =
    "strategy\tspace\trun\tbudget\tbest_s\toptimum_s\tslowest_s";
enum { COLUMNS = 7, MOST_RUNS = 1000000 };
#define FILE_LIMIT ((size_t)1 << 31)

void cairn_study__contest_free(cairn_study_contest *c) {
  if (!c)
    return;
  for (size_t i = 0; c->strategy && i < c->strategies; i++)
    cairn_base_free(c->strategy[i]);
  for (size_t i = 0; c->space && i < c->spaces; i++)
    cairn_base_free(c->space[i]);
  cairn_base_free(c->strategy);
  cairn_base_free(c->space);
  cairn_base_free(c->budget);
  cairn_base_free(c->optimum_s);
  cairn_base_free(c->slowest_s);
  cairn_base_free(c->best_s);
  cairn_base_free(c);
}

cairn_status cairn_study__contest_create(size_t strategies, size_t spaces,
                                         size_t budgets, size_t runs,
                                         cairn_study_contest **contest_p) {
  cairn_study_contest *const c = cairn_base_zalloc(1, sizeof *c);
  if (!c)
    return CAIRN_NOMEM;
  c->strategies = strategies;
  c->spaces = spaces;
  c->budgets = budgets;
  c->runs = runs;
  c->strategy = cairn_base_zalloc(strategies, sizeof *c->strategy);
  c->space = cairn_base_zalloc(spaces, sizeof *c->space);
  c->budget = cairn_base_zalloc(budgets, sizeof *c->budget);
  c->optimum_s = cairn_base_zalloc(spaces, sizeof *c->optimum_s);
  c->slowest_s = cairn_base_zalloc(spaces, sizeof *c->slowest_s);
  c->best_s = cairn_base_zalloc(strategies * spaces * budgets * runs,
                                sizeof *c->best_s);
  if (!c->strategy || !c->space || !c->budget || !c->optimum_s ||
      !c->slowest_s || !c->best_s) {
    cairn_study__contest_free(c);
    return CAIRN_NOMEM;
  }
  *contest_p = c;
  return CAIRN_OK;
}

cairn_status cairn_study__runs_tsv(const void *contest, cairn_base_text *t) {
  const cairn_study_contest *const c = contest;
  cairn_base_text_addf(t, "%s\n", header);
  for (size_t e = 0; e < c->strategies; e++)
    for (size_t s = 0; s < c->spaces; s++)
      for (size_t r = 0; r < c->runs; r++)
        for (size_t b = 0; b < c->budgets; b++) {
          cairn_study__cell(t, c->strategy[e]);
          cairn_base_text_add(t, "\t");
          cairn_study__cell(t, c->space[s]);
          cairn_base_text_addf(t, "\t%zu\t%llu\t", r,
                               (unsigned long long)c->budget[b]);
          cairn_study__exact(t, cairn_study__best(c, e, s, b)[r]);
          cairn_base_text_add(t, "\t");
          cairn_study__exact(t, c->optimum_s[s]);
          cairn_base_text_add(t, "\t");
          cairn_study__exact(t, c->slowest_s[s]);
          cairn_base_text_add(t, "\n");
        }
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

/* ---- reading ---- */

typedef struct row {
  char *strategy, *space;
  uint64_t run, budget;
  double best_s, optimum_s, slowest_s;
  size_t line;
} row;

typedef struct reader {
  const char *path;
  cairn_base_diag *diag;
  row *rows;
  size_t count, capacity;
} reader;

static cairn_status bad(const reader *r, size_t line, const char *what) {
  cairn_base_diag_add(r->diag, CAIRN_BASE_ERROR, r->path, line, "%s", what);
  return CAIRN_INPUT;
}

static int read_whole(const char *text, uint64_t *value_p) {
  char *end;
  errno = 0;
  *value_p = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* A positive number; "inf" where allowed. */
static int read_time(const char *text, int infinite, double *value_p) {
  char *end;
  *value_p = cairn_base_to_double(text, &end);
  return end != text && !*end && *value_p > 0 &&
         (infinite || isfinite(*value_p));
}

/* Cuts a line at its tabs; the cells point into it. */
static size_t cut(char *line, char **cell) {
  size_t n = 0;
  for (char *at = line; at && n <= COLUMNS; n++) {
    char *const tab = strchr(at, '\t');
    if (tab)
      *tab = 0;
    if (n < COLUMNS)
      cell[n] = at;
    at = tab ? tab + 1 : NULL;
  }
  return n;
}

static cairn_status read_row(reader *r, char *line, size_t number) {
  char *cell[COLUMNS];
  row w = {.line = number};
  if (cut(line, cell) != COLUMNS)
    return bad(r, number, "seven columns are expected");
  w.strategy = cell[0];
  w.space = cell[1];
  if (!*w.strategy || !*w.space)
    return bad(r, number, "a strategy and a space are expected");
  if (!read_whole(cell[2], &w.run) || !read_whole(cell[3], &w.budget) ||
      w.budget == 0)
    return bad(r, number, "run and budget are whole numbers");
  if (!read_time(cell[4], 1, &w.best_s) ||
      !read_time(cell[5], 0, &w.optimum_s) ||
      !read_time(cell[6], 0, &w.slowest_s))
    return bad(r, number, "times are numbers above 0");
  if (cairn_base_reserve(&r->rows, &r->capacity, r->count + 1, sizeof *r->rows))
    return CAIRN_NOMEM;
  r->rows[r->count++] = w;
  return CAIRN_OK;
}

static cairn_status read_rows(reader *r, char *text) {
  size_t number = 0;
  for (char *line = text; line && *line;) {
    char *const end = strchr(line, '\n');
    if (end)
      *end = 0;
    if (++number == 1 && strcmp(line, header) != 0)
      return bad(r, 1, "this is no table of runs (runs.tsv)");
    const cairn_status status =
        number == 1 ? CAIRN_OK : read_row(r, line, number);
    if (status)
      return status;
    line = end ? end + 1 : NULL;
  }
  return r->count ? CAIRN_OK : bad(r, 0, "no run is in it");
}

/* Names in the order of their first line. */
typedef struct names {
  const char **name;
  size_t count, capacity;
} names;

static cairn_status name_index(names *n, const char *name, size_t *index_p) {
  for (size_t i = 0; i < n->count; i++)
    if (strcmp(n->name[i], name) == 0) {
      *index_p = i;
      return CAIRN_OK;
    }
  if (cairn_base_reserve(&n->name, &n->capacity, n->count + 1, sizeof *n->name))
    return CAIRN_NOMEM;
  n->name[ *index_p = n->count++] = name;
  return CAIRN_OK;
}

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

typedef struct shape {
  names strategies, spaces;
  uint64_t *budget;
  size_t budgets, runs;
} shape;

static cairn_status find_shape(const reader *r, shape *s) {
  size_t index;
  uint64_t most = 0;
  s->budget = cairn_base_alloc(r->count, sizeof *s->budget);
  if (!s->budget)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < r->count; i++) {
    const row *const w = &r->rows[i];
    if (w->run >= MOST_RUNS)
      return bad(r, w->line, "runs count from 0");
    if (name_index(&s->strategies, w->strategy, &index) ||
        name_index(&s->spaces, w->space, &index))
      return CAIRN_NOMEM;
    s->budget[i] = w->budget;
    most = w->run > most ? w->run : most;
  }
  qsort(s->budget, r->count, sizeof *s->budget, ascending);
  for (size_t i = 0; i < r->count; i++)
    if (!s->budgets || s->budget[s->budgets - 1] != s->budget[i])
      s->budget[s->budgets++] = s->budget[i];
  s->runs = (size_t)most + 1;
  if (s->runs < 2)
    return bad(r, 0, "two runs of each search are needed at least");
  if (s->strategies.count * s->spaces.count * s->budgets * s->runs != r->count)
    return bad(r, 0,
               "a line for each strategy, space, run and budget is "
               "expected, each once");
  return CAIRN_OK;
}

static cairn_status put_row(const reader *r, shape *s, const row *w,
                            cairn_study_contest *c) {
  size_t e = 0, k = 0, b = 0;
  if (name_index(&s->strategies, w->strategy, &e) ||
      name_index(&s->spaces, w->space, &k))
    return CAIRN_NOMEM;
  while (c->budget[b] != w->budget)
    b++;
  double *const best_s = cairn_study__best(c, e, k, b) + w->run;
  if (*best_s != 0)
    return bad(r, w->line, "this run is there twice");
  *best_s = w->best_s;
  if (c->optimum_s[k] != 0 &&
      (c->optimum_s[k] != w->optimum_s || c->slowest_s[k] != w->slowest_s))
    return bad(r, w->line,
               "the space has another optimum or slowest time in "
               "an earlier line");
  if (w->best_s < w->optimum_s)
    return bad(r, w->line, "the best of a run is better than the optimum");
  c->optimum_s[k] = w->optimum_s;
  c->slowest_s[k] = w->slowest_s;
  return CAIRN_OK;
}

static cairn_status fill(const reader *r, shape *s,
                         cairn_study_contest **contest_p) {
  cairn_study_contest *c = NULL;
  cairn_status status = cairn_study__contest_create(
      s->strategies.count, s->spaces.count, s->budgets, s->runs, &c);
  if (status)
    return status;
  memcpy(c->budget, s->budget, s->budgets * sizeof *c->budget);
  for (size_t i = 0; i < c->strategies && !status; i++)
    if (!(c->strategy[i] = cairn_base_strdup(s->strategies.name[i])))
      status = CAIRN_NOMEM;
  for (size_t i = 0; i < c->spaces && !status; i++)
    if (!(c->space[i] = cairn_base_strdup(s->spaces.name[i])))
      status = CAIRN_NOMEM;
  for (size_t i = 0; i < r->count && !status; i++)
    status = put_row(r, s, &r->rows[i], c);
  if (status)
    cairn_study__contest_free(c);
  else
    *contest_p = c;
  return status;
}

cairn_status cairn_study__contest_read(const char *path, cairn_base_diag *diag,
                                       cairn_study_contest **contest_p) {
  reader r = {.path = path, .diag = diag};
  shape s = {0};
  char *text = NULL;
  size_t length;
  cairn_status status =
      cairn_base_file_read(path, FILE_LIMIT, diag, &text, &length);
  if (!status)
    status = read_rows(&r, text);
  if (!status)
    status = find_shape(&r, &s);
  if (!status)
    status = fill(&r, &s, contest_p);
  cairn_base_free(s.strategies.name);
  cairn_base_free(s.spaces.name);
  cairn_base_free(s.budget);
  cairn_base_free(r.rows);
  cairn_base_free(text);
  return status;
}
