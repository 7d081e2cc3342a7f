/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/landscape.c - kinds of points, arrivals, PageRank, centrality.
 *
 * The fitness-flow graph has no cycle: every edge leads to a smaller time.  So
 * one pass over the points, slowest first, gives what arrives where, exactly;
 * and with the damping, PageRank too: sinks spread uniformly, so the ranks are
 * a multiple of one pass's sums, and their total is one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats-private.h"
#include "dag/space/neighbours-private.h"
#include "study/study-private.h"
#include <cairn/dag.h>

#define DAMPING 0.85

typedef struct owner {
  cairn_study_landscape l; /* first */
  cairn_dag_neighbours own;
  char *name;
} owner;

void cairn_study__landscape_free(cairn_study_landscape *landscape) {
  owner *const o = (owner *)(void *)landscape;
  if (!o)
    return;
  cairn_dag__neighbours_free(&o->own);
  cairn_base_free(landscape->kind);
  cairn_base_free(landscape->arrival);
  cairn_base_free(landscape->pagerank);
  cairn_base_free(landscape->minimum);
  cairn_base_free(landscape->best_text);
  cairn_base_free(o->name);
  cairn_base_free(o);
}

/* ---- kinds ---- */

typedef struct around {
  size_t better, worse, equal;
  unsigned kinds, better_kinds, worse_or_equal_kinds;
} around;

static around look_around(const cairn_study_landscape *l,
                          const uint8_t *pair_kind, size_t v) {
  around a = {0};
  for (size_t k = l->row[v]; k < l->row[v + 1]; k++) {
    const double other = l->time_s[l->to[k]];
    a.kinds |= pair_kind[k];
    if (other < l->time_s[v]) {
      a.better++;
      a.better_kinds |= pair_kind[k];
    } else {
      a.worse_or_equal_kinds |= pair_kind[k];
      if (other > l->time_s[v])
        a.worse++;
      else
        a.equal++;
    }
  }
  return a;
}

static cairn_study_kind kind_of(const cairn_study_landscape *l, const around *a,
                                size_t v) {
  const size_t degree = l->row[v + 1] - l->row[v];
  if (!a->better)
    return isinf(l->time_s[v]) ? CAIRN_STUDY_REGULAR : CAIRN_STUDY_MINIMUM;
  if (a->better == degree)
    return CAIRN_STUDY_MAXIMUM;
  /* a kind without better ones, and a kind with better ones alone */
  return !isinf(l->time_s[v]) && a->kinds & ~a->better_kinds &&
                 a->kinds & ~a->worse_or_equal_kinds
             ? CAIRN_STUDY_SADDLE
             : CAIRN_STUDY_REGULAR;
}

static cairn_status find_kinds(cairn_study_landscape *l,
                               const uint8_t *pair_kind) {
  size_t better = 0, equal = 0;
  l->kind = cairn_base_alloc(l->vertices, 1);
  if (!l->kind)
    return CAIRN_NOMEM;
  l->degree_min = SIZE_MAX;
  for (size_t v = 0; v < l->vertices; v++) {
    const around a = look_around(l, pair_kind, v);
    const size_t degree = l->row[v + 1] - l->row[v];
    const cairn_study_kind kind = kind_of(l, &a, v);
    l->kind[v] = (uint8_t)kind;
    l->minima += kind == CAIRN_STUDY_MINIMUM;
    l->strict += kind == CAIRN_STUDY_MINIMUM && a.worse == degree;
    l->maxima += kind == CAIRN_STUDY_MAXIMUM;
    l->saddles += kind == CAIRN_STUDY_SADDLE;
    l->regular += kind == CAIRN_STUDY_REGULAR;
    better += a.better;
    equal += a.equal;
    l->degree_min = degree < l->degree_min ? degree : l->degree_min;
    l->degree_max = degree > l->degree_max ? degree : l->degree_max;
  }
  l->edges = better;
  l->ties = equal / 2;
  l->pairs = l->row[l->vertices] / 2;
  return CAIRN_OK;
}

static uint32_t root_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

static cairn_status count_components(cairn_study_landscape *l) {
  uint32_t *const parent = cairn_base_alloc(l->vertices, sizeof *parent);
  if (!parent)
    return CAIRN_NOMEM;
  for (size_t v = 0; v < l->vertices; v++)
    parent[v] = (uint32_t)v;
  l->components = l->vertices;
  for (size_t v = 0; v < l->vertices; v++)
    for (size_t k = l->row[v]; k < l->row[v + 1]; k++) {
      const uint32_t a = root_of(parent, (uint32_t)v);
      const uint32_t b = root_of(parent, l->to[k]);
      l->components -= a != b;
      parent[a] = b;
    }
  cairn_base_free(parent);
  return CAIRN_OK;
}

/* ---- flow ---- */

typedef struct timed {
  double time_s;
  uint32_t vertex;
} timed;

static int slowest_first(const void *a, const void *b) {
  const timed *const x = a, *const y = b;
  if (x->time_s != y->time_s)
    return x->time_s > y->time_s ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

/* Hands on `damping` times what each point has, in equal parts, to its better
 * neighbours; keep: sinks keep theirs, others lose it. */
static void flow(const cairn_study_landscape *l, const timed *order,
                 double damping, double *mass) {
  for (size_t i = 0; i < l->vertices; i++) {
    const size_t v = order[i].vertex;
    size_t better = 0;
    for (size_t k = l->row[v]; k < l->row[v + 1]; k++)
      better += l->time_s[l->to[k]] < l->time_s[v];
    if (!better)
      continue;
    const double part = damping * mass[v] / (double)better;
    for (size_t k = l->row[v]; k < l->row[v + 1]; k++)
      if (l->time_s[l->to[k]] < l->time_s[v])
        mass[l->to[k]] += part;
  }
}

static void fill_all(double *value, size_t count, double with) {
  for (size_t v = 0; v < count; v++)
    value[v] = with;
}

static cairn_status find_flow(cairn_study_landscape *l) {
  timed *const order = cairn_base_alloc(l->vertices, sizeof *order);
  double total = 0;
  l->arrival = cairn_base_alloc(l->vertices, sizeof *l->arrival);
  l->pagerank = cairn_base_alloc(l->vertices, sizeof *l->pagerank);
  if (!order || !l->arrival || !l->pagerank) {
    cairn_base_free(order);
    return CAIRN_NOMEM;
  }
  for (size_t v = 0; v < l->vertices; v++)
    order[v] = (timed){l->time_s[v], (uint32_t)v};
  qsort(order, l->vertices, sizeof *order, slowest_first);
  fill_all(l->arrival, l->vertices, 1 / (double)l->vertices);
  flow(l, order, 1, l->arrival);
  fill_all(l->pagerank, l->vertices, 1);
  flow(l, order, DAMPING, l->pagerank);
  for (size_t v = 0; v < l->vertices; v++)
    total += l->pagerank[v];
  for (size_t v = 0; v < l->vertices; v++)
    l->pagerank[v] /= total;
  cairn_base_free(order);
  return CAIRN_OK;
}

static void find_best(cairn_study_landscape *l) {
  l->best = 0;
  for (size_t v = 0; v < l->vertices; v++) {
    l->failed += isinf(l->time_s[v]) != 0;
    if (l->time_s[v] < l->time_s[l->best])
      l->best = v;
  }
}

/* ---- a landscape ---- */

static cairn_status study(cairn_study_landscape *l, const uint8_t *pair_kind) {
  cairn_status status;
  find_best(l);
  status = find_kinds(l, pair_kind);
  if (!status)
    status = count_components(l);
  if (!status)
    status = find_flow(l);
  if (!status)
    status = cairn_study__minima(l);
  return status ? status : cairn_study__chances(l);
}

static owner *blank(const double *time_s, size_t count) {
  owner *const o = cairn_base_zalloc(1, sizeof *o);
  if (o) {
    o->l.vertices = count;
    o->l.time_s = time_s;
  }
  return o;
}

cairn_status cairn_study__landscape_make(const double *time_s,
                                         const cairn_dag_neighbours *neighbours,
                                         cairn_study_landscape **landscape_p) {
  owner *const o = blank(time_s, neighbours->vertices);
  cairn_status status = o ? CAIRN_OK : CAIRN_NOMEM;
  if (!status) {
    o->l.row = neighbours->row;
    o->l.to = neighbours->to;
    status = study(&o->l, neighbours->kind);
  }
  if (status)
    cairn_study__landscape_free(o ? &o->l : NULL);
  else
    *landscape_p = &o->l;
  return status;
}

static cairn_status best_text(const cairn_study_space *space,
                              cairn_study_landscape *l) {
  cairn_base_text text = {0};
  const cairn_dag_schedule *const s = &space->schedule[l->best];
  cairn_status status =
      cairn_dag_schedule_format(space->program, s->items, s->count, &text);
  if (!status && text.failed)
    status = CAIRN_NOMEM;
  if (status)
    cairn_base_text_free(&text);
  else
    l->best_text = text.data;
  return status;
}

static cairn_status study_space(owner *o, const cairn_study_space *space,
                                const cairn_study_landscape_options *options) {
  cairn_study_landscape *const l = &o->l;
  const unsigned kinds =
      options->kinds ? options->kinds : CAIRN_DAG_NEIGHBOUR_ADJACENT;
  cairn_status status;
  l->id = space->id;
  l->repeated = space->repeated;
  l->inferred = space->inferred;
  l->name = o->name = cairn_base_strdup(space->name);
  if (!o->name)
    return CAIRN_NOMEM;
  if (options->sample) {
    find_best(l);
    status = cairn_study__descents(space, kinds, options, l);
  } else {
    status = cairn_dag__neighbours_find(space->program, space->schedule,
                                        space->count, kinds, &o->own);
    l->row = o->own.row;
    l->to = o->own.to;
    if (!status)
      status = study(l, o->own.kind);
  }
  return status ? status : best_text(space, l);
}

cairn_status
cairn_study__space_landscape(const cairn_study_space *space,
                             const cairn_study_landscape_options *options,
                             cairn_base_diag *diag,
                             cairn_study_landscape **landscape_p) {
  if (space->count > CAIRN_STUDY_MOST && !options->sample) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, space->path, 0,
                        "%zu schedules; more than %d are studied by sampled "
                        "descents only: add --sample 10000",
                        space->count, CAIRN_STUDY_MOST);
    return CAIRN_USAGE;
  }
  owner *const o = blank(space->time_s, space->count);
  const cairn_status status = o ? study_space(o, space, options) : CAIRN_NOMEM;
  if (status)
    cairn_study__landscape_free(o ? &o->l : NULL);
  else
    *landscape_p = &o->l;
  return status;
}
