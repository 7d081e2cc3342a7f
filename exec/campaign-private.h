/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/campaign-private.h - a campaign's body, for campaign.c (the set, and
 * rounds) and campaign-solve.c (what the samples say).
 */
#ifndef CAIRN_EXEC_CAMPAIGN_PRIVATE_H
#define CAIRN_EXEC_CAMPAIGN_PRIVATE_H

#include <stdint.h>

#define uthash_malloc(size) cairn_base_alloc(size, 1)
#define uthash_free(memory, size) cairn_base_free(memory)
#define HASH_NONFATAL_OOM 1
#include <cairn/exec.h>
#include <uthash.h>

typedef struct member {
  uint64_t id;
  uint32_t index, k, warm;
  int dropped, failed; /* left out; because it failed */
  UT_hash_handle hh;
} member;

struct cairn_exec_campaign {
  cairn_base_rng rng;
  member **member; /* by index */
  size_t members, member_capacity;
  member *by_id;
  cairn_exec_sample *sample;
  size_t samples, sample_capacity;
  uint32_t *schedule;
  size_t schedule_capacity;
  unsigned block; /* rounds */
};

/* NULL: no such id. */
member *cairn_exec_campaign_find(const cairn_exec_campaign *c, uint64_t id);

#endif
