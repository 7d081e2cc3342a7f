/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/sound.c - recorded numbers that contradict each other, and one
 * schedule in two places.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "journal/sound-private.h"

/* ---- numbers ---- */

int cairn_journal__time_check(cairn_dag__json *json, double seconds) {
  if (seconds < 0)
    return cairn_journal__json_fail(json, "expected no negative number");
  if (seconds > 0 && seconds < DBL_MIN) /* no clock counts so finely */
    return cairn_journal__json_fail(json, "a time too small to be one");
  return 1;
}

int cairn_journal__percentiles_check(
    cairn_dag__json *json, const double seconds[CAIRN_BASE_PERCENTILES]) {
  static const char *const name[] = {
#define PERCENTILE_TEXT(name, text, percent) text,
      CAIRN_BASE_PERCENTILE_TABLE(PERCENTILE_TEXT)
#undef PERCENTILE_TEXT
  };
  const double rounding = 1e-9;
  size_t last = 0; /* known, unless it is the first */
  for (size_t i = 1; i < CAIRN_BASE_PERCENTILES; i++) {
    if (seconds[i] < seconds[last] * (1 - rounding))
      return cairn_journal__json_fail(json, "%s is below %s", name[i],
                                      name[last]);
    if (!isnan(seconds[i]))
      last = i;
  }
  return 1;
}

/* ---- schedules ---- */

cairn_dag_key cairn_journal__text_key(const char *schedule) {
  const XXH128_hash_t hash = XXH3_128bits(schedule, strlen(schedule));
  return (cairn_dag_key){.hi = hash.high64, .lo = hash.low64};
}

typedef struct place {
  cairn_dag_key key;
  size_t index;
} place;

static int compare_keys(const cairn_dag_key *a, const cairn_dag_key *b) {
  if (a->hi != b->hi)
    return a->hi < b->hi ? -1 : 1;
  return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static int compare_places(const void *a, const void *b) {
  const place *const x = a, *const y = b;
  const int order = compare_keys(&x->key, &y->key);
  return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

cairn_status cairn_journal__find_first(const cairn_dag_key *key, size_t count,
                                       size_t *first) {
  place *const sorted = cairn_base_alloc(count + 1, sizeof *sorted);
  if (!sorted)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    sorted[i] = (place){key[i], i};
  qsort(sorted, count, sizeof *sorted, compare_places);
  for (size_t i = 0; i < count; i++) {
    const int again =
        i > 0 && compare_keys(&sorted[i - 1].key, &sorted[i].key) == 0;
    first[sorted[i].index] =
        again ? first[sorted[i - 1].index] : sorted[i].index;
  }
  cairn_base_free(sorted);
  return CAIRN_OK;
}
