/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/campaign-state-private.h - a campaign's body, for campaign.c (the set,
 * and rounds) and campaign-solve.c (what the samples say).
 */
#ifndef CAIRN_TIMING_CAMPAIGN_STATE_PRIVATE_H
#define CAIRN_TIMING_CAMPAIGN_STATE_PRIVATE_H

#include <stdint.h>

#define uthash_malloc(size) cairn_base_alloc(size, 1)
#define uthash_free(memory, size) cairn_base_free(memory)
#define HASH_NONFATAL_OOM 1
#include "base/rng-private.h"
#include "timing/campaign-private.h"
#include <cairn/base.h>
#include <uthash.h>

typedef struct member {
  uint64_t id;
  uint32_t index, k, warm;
  int dropped, failed; /* left out; because it failed */
  UT_hash_handle hh;
} member;

struct cairn_timing_campaign {
  cairn_base_rng rng;
  member **member; /* by index */
  size_t members, member_capacity;
  member *by_id;
  cairn_base_sample *sample;
  size_t samples, sample_capacity;
  uint32_t *schedule;
  size_t schedule_capacity;
  unsigned block; /* rounds */
};

/* NULL: no such id. */
member *cairn_timing__campaign_find(const cairn_timing_campaign *c,
                                    uint64_t id);

#endif
