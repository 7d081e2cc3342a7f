/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/wide.c - estimates for programs so wide that copying a prefix costs
 * more than going on from it.
 *
 * A few prefixes go on by themselves for many steps; then those that came to
 * nothing are replaced by copies of the others (sequential importance sampling
 * with systematic resampling, Kitagawa 1996).  A step looks at some of the
 * extensions, drawn with putting back, and takes one of those that may still
 * become tidy; the prefix then stands for as many as that choice leaves out, so
 * the sum of the weights that come out is unbiased, zeros included.  Few
 * prefixes seldom meet what most of the sum comes from, though: it is mostly
 * too low, and its spread does not tell by how much.
 */
#include "base/rng-private.h"
#include "dag/space/tidy-private.h"
#include <cairn/dag.h>

#include <math.h>
#include <string.h>

enum { LOOKS = 8, STRETCH = 16 /* steps between comparisons */ };

typedef struct herd {
  cairn_dag__tidy *tidy;
  cairn_base_rng *rng;
  size_t bytes, count, width; /* prefixes now, and at most */
  char *saved, *next;
  double *log_weight;
  double result;
} herd;

/* An extension: an operation or a sync with equal chances, if both are there;
 * syncs are many, and a prefix full of them comes to nothing.  *log_p: of one
 * over its probability. */
static uint32_t look(herd *h, double *log_p) {
  const cairn_dag_walk *const w = h->tidy->walk;
  const cairn_dag__counts *const now = &w->now;
  const uint32_t ops = now->cpu + now->free * now->candidates + now->bound;
  const uint32_t syncs = cairn_dag__walk_choices(w) - ops;
  const int both = ops > 0 && syncs > 0;
  const int op = both ? cairn_base__rng_below(h->rng, 2) == 0 : ops > 0;
  *log_p = log((double)(op ? ops : syncs) * (both ? 2 : 1));
  return op ? cairn_base__rng_below(h->rng, ops)
            : ops + cairn_base__rng_below(h->rng, syncs);
}

/* One step; 0: none of the extensions looked at can become tidy. */
static int step(herd *h, double *log_weight) {
  cairn_dag__tidy *const x = h->tidy;
  uint32_t chosen = 0;
  double chosen_log = 0, log_here;
  unsigned good = 0;
  for (int i = 0; i < LOOKS; i++) {
    const uint32_t k = look(h, &log_here);
    if (cairn_dag__tidy_push_nth(x, k) &&
        cairn_base__rng_below(h->rng, ++good) == 0) {
      chosen = k;
      chosen_log = log_here;
    }
    cairn_dag__tidy_pop(x);
  }
  if (good == 0)
    return 0;
  cairn_dag__tidy_push_nth(x, chosen);
  *log_weight += chosen_log + log((double)good / LOOKS);
  return 1;
}

/* Some steps; 1: can go on, 0: came to nothing or came out. */
static int go_on(herd *h, size_t i) {
  for (int k = 0; k < STRETCH; k++) {
    if (!step(h, &h->log_weight[i]))
      return 0;
    const int complete = cairn_dag__tidy_complete(h->tidy);
    if (complete == 0)
      continue;
    if (complete > 0)
      h->result = cairn_dag__log_plus(h->result, h->log_weight[i]);
    return 0;
  }
  return 1;
}

static void advance(herd *h) {
  size_t kept = 0;
  for (size_t i = 0; i < h->count; i++) {
    cairn_dag__tidy_load(h->tidy, h->saved + i * h->bytes);
    if (!go_on(h, i))
      continue;
    cairn_dag__tidy_save(h->tidy, h->saved + kept * h->bytes);
    h->log_weight[kept++] = h->log_weight[i];
  }
  h->count = kept;
}

/* As many copies of each as its share of the weights says, `width` in all. */
static void replace(herd *h) {
  double most = -INFINITY, sum = 0, at, here = 0;
  size_t count = 0;
  for (size_t i = 0; i < h->count; i++)
    most = fmax(most, h->log_weight[i]);
  for (size_t i = 0; i < h->count; i++)
    sum += exp(h->log_weight[i] - most);
  at = cairn_base__rng_uniform(h->rng);
  for (size_t i = 0; i < h->count; i++) {
    here += exp(h->log_weight[i] - most) / sum * (double)h->width;
    for (; at < here && count < h->width; at++)
      memcpy(h->next + count++ * h->bytes, h->saved + i * h->bytes, h->bytes);
  }
  char *const swap = h->saved;
  h->saved = h->next;
  h->next = swap;
  for (size_t i = 0; i < count; i++)
    h->log_weight[i] = most + log(sum / (double)h->width);
  h->count = count;
}

/* Would the heaviest replace most of the others? */
static int uneven(const herd *h) {
  double most = -INFINITY, sum = 0;
  for (size_t i = 0; i < h->count; i++)
    most = fmax(most, h->log_weight[i]);
  for (size_t i = 0; i < h->count; i++)
    sum += exp(h->log_weight[i] - most);
  return 2 * sum < (double)h->width;
}

static void run(herd *h) {
  cairn_dag__tidy_reset(h->tidy);
  for (h->count = 0; h->count < h->width; h->count++) {
    cairn_dag__tidy_save(h->tidy, h->saved + h->count * h->bytes);
    h->log_weight[h->count] = -log((double)h->width);
  }
  while (h->count > 0) {
    advance(h);
    if (h->count > 0 && uneven(h))
      replace(h);
  }
}

cairn_status cairn_dag__wide_estimate(cairn_dag__tidy *tidy, size_t width,
                                      cairn_base_rng *rng, double *log_p) {
  herd h = {.tidy = tidy,
            .rng = rng,
            .bytes = cairn_dag__tidy_bytes(tidy),
            .width = width,
            .result = -INFINITY};
  h.saved = cairn_base_zalloc(width, h.bytes);
  h.next = cairn_base_zalloc(width, h.bytes);
  h.log_weight = cairn_base_alloc(width, sizeof *h.log_weight);
  const int ready = h.saved && h.next && h.log_weight;
  if (ready)
    run(&h);
  *log_p = h.result;
  cairn_base_free(h.saved);
  cairn_base_free(h.next);
  cairn_base_free(h.log_weight);
  return ready ? CAIRN_OK : CAIRN_NOMEM;
}
