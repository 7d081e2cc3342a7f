/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/campaign.c - a known set of schedules, sampled in shuffled rounds.
 *
 * Idea: spreading each schedule's samples over the whole run, in a new random
 * order each round, turns slow drift into a level that can be divided out.
 * Invariant: samples are kept in the order of time; entry i of `schedule` is
 * the index of sample i's schedule.
 */
#include "base/rng-private.h"
#include "timing/campaign-private.h"
#include "timing/campaign-state-private.h"
#include "timing/sample-private.h"
#include <cairn/base.h>

enum { CHUNK = 64 };

/* ---- the set ---- */

cairn_status cairn_timing__campaign_create(uint64_t seed,
                                           cairn_timing_campaign **c_p) {
  cairn_timing_campaign *c = cairn_base_zalloc(1, sizeof *c);
  if (!c)
    return CAIRN_NOMEM;
  cairn_base__rng_seed(&c->rng, seed);
  c->block = 10;
  *c_p = c;
  return CAIRN_OK;
}

void cairn_timing__campaign_free(cairn_timing_campaign *c) {
  if (!c)
    return;
  HASH_CLEAR(hh, c->by_id);
  for (size_t i = 0; i < c->members; i++)
    cairn_base_free(c->member[i]);
  cairn_base_free(c->member);
  cairn_base_free(c->sample);
  cairn_base_free(c->schedule);
  cairn_base_free(c);
}

member *cairn_timing__campaign_find(const cairn_timing_campaign *c,
                                    uint64_t id) {
  member *m;
  HASH_FIND(hh, c->by_id, &id, sizeof id, m);
  return m;
}

cairn_status cairn_timing__campaign_add(cairn_timing_campaign *c, uint64_t id,
                                        uint32_t k, uint32_t warm) {
  if (cairn_timing__campaign_find(c, id))
    return CAIRN_USAGE;
  if (cairn_base_reserve(&c->member, &c->member_capacity, c->members + 1,
                         sizeof *c->member) != CAIRN_OK)
    return CAIRN_NOMEM;
  member *m = cairn_base_zalloc(1, sizeof *m);
  if (!m)
    return CAIRN_NOMEM;
  m->id = id;
  m->index = (uint32_t)c->members;
  m->k = k;
  m->warm = warm;
  HASH_ADD(hh, c->by_id, id, sizeof m->id, m);
  if (!cairn_timing__campaign_find(c, id)) { /* uthash ran out of memory */
    cairn_base_free(m);
    return CAIRN_NOMEM;
  }
  c->member[c->members++] = m;
  return CAIRN_OK;
}

void cairn_timing__campaign_drop(cairn_timing_campaign *c, uint64_t id) {
  member *m = cairn_timing__campaign_find(c, id);
  if (m)
    m->dropped = m->failed = 1;
}

int cairn_timing__campaign_failed(const cairn_timing_campaign *c, uint64_t id) {
  const member *m = cairn_timing__campaign_find(c, id);
  return m == NULL || m->failed;
}

int cairn_timing__campaign_dropped(const cairn_timing_campaign *c,
                                   uint64_t id) {
  const member *m = cairn_timing__campaign_find(c, id);
  return m == NULL || m->dropped;
}

void cairn_timing__campaign_set_block(cairn_timing_campaign *c,
                                      unsigned rounds) {
  c->block = rounds < 2 ? 2 : rounds;
}

/* ---- samples ---- */

static cairn_status make_room(cairn_timing_campaign *c, size_t more) {
  const size_t needed = c->samples + more;
  cairn_status status = cairn_base_reserve(&c->sample, &c->sample_capacity,
                                           needed, sizeof *c->sample);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&c->schedule, &c->schedule_capacity, needed,
                                sizeof *c->schedule);
  return status;
}

cairn_status cairn_timing__campaign_load(cairn_timing_campaign *c,
                                         const cairn_base_sample *sample) {
  const member *m = cairn_timing__campaign_find(c, sample->id);
  if (!m)
    return CAIRN_USAGE;
  const cairn_status status = make_room(c, 1);
  if (status != CAIRN_OK)
    return status;
  c->sample[c->samples] = *sample;
  c->schedule[c->samples++] = m->index;
  return CAIRN_OK;
}

const cairn_base_sample *
cairn_timing__campaign_samples(const cairn_timing_campaign *c,
                               size_t *count_p) {
  *count_p = c->samples;
  return c->sample;
}

/* ---- rounds ---- */

/* The members that are still measured, in a new random order; NULL: no
 * memory. */
static member **shuffled(cairn_timing_campaign *c, size_t *count_p) {
  member **order = cairn_base_alloc(c->members, sizeof(member *));
  size_t n = 0;
  if (!order)
    return NULL;
  for (size_t i = 0; i < c->members; i++)
    if (!c->member[i]->dropped)
      order[n++] = c->member[i];
  cairn_base__rng_shuffle(&c->rng, order, n, sizeof(member *));
  *count_p = n;
  return order;
}

static cairn_status take_chunk(cairn_timing_campaign *c,
                               const cairn_timing_sampler *sampler,
                               member *const *order, size_t n, uint64_t *bad_p,
                               cairn_base_execution *outcome_p) {
  cairn_base_shot shots[CHUNK];
  cairn_status status = make_room(c, n);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < n; i++)
    shots[i] = (cairn_base_shot){order[i]->id, order[i]->k, order[i]->warm};
  status = sampler->take(sampler->context, shots, n, c->sample + c->samples,
                         outcome_p);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < n; i++) {
    c->schedule[c->samples + i] = order[i]->index;
    if (c->sample[c->samples + i].flags & CAIRN_BASE_FAULTY &&
        *bad_p == UINT64_MAX)
      *bad_p = order[i]->id;
  }
  c->samples += n;
  return CAIRN_OK;
}

/* Members whose samples since `from` were lost, a quarter of them all at most;
 * in `order`, which holds members of that round. */
static size_t find_lost(const cairn_timing_campaign *c, size_t from,
                        member **order) {
  const size_t most = (c->samples - from) / 4 + 1;
  size_t n = 0;
  for (size_t i = from; i < c->samples && n < most; i++)
    if (c->sample[i].flags & CAIRN_BASE_LOST)
      order[n++] = c->member[c->schedule[i]];
  return n;
}

static cairn_status take_chunks(cairn_timing_campaign *c,
                                const cairn_timing_sampler *sampler,
                                member *const *order, size_t n, uint64_t *bad_p,
                                cairn_base_execution *outcome_p) {
  cairn_status status = CAIRN_OK;
  for (size_t at = 0; at < n && status == CAIRN_OK && *bad_p == UINT64_MAX;
       at += CHUNK)
    status = take_chunk(c, sampler, order + at, n - at < CHUNK ? n - at : CHUNK,
                        bad_p, outcome_p);
  return status;
}

cairn_status cairn_timing__campaign_round(cairn_timing_campaign *c,
                                          const cairn_timing_sampler *sampler,
                                          uint64_t *bad_p,
                                          cairn_base_execution *outcome_p) {
  size_t n = 0;
  const size_t from = c->samples;
  member **order = shuffled(c, &n);
  if (!order)
    return CAIRN_NOMEM;
  *bad_p = UINT64_MAX;
  cairn_status status = take_chunks(c, sampler, order, n, bad_p, outcome_p);
  if (status == CAIRN_OK && *bad_p == UINT64_MAX)
    status = take_chunks(c, sampler, order, find_lost(c, from, order), bad_p,
                         outcome_p);
  cairn_base_free(order);
  return status;
}
