/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/trust.c - how far the numbers of a run can be trusted.
 */
#include <math.h>

#include "base/stats-private.h"
#include "exec/drive-private.h"
#include "explore/explore-private.h"
#include "timing/campaign-private.h"

/* Noise of a sample where nothing was measured side by side: by the race, or
 * from the results' own spread. */
static double plain_noise(const cairn_explore_session *session) {
  if (session->source->noise != NULL)
    return session->source->noise(session);
  double *share = cairn_base_alloc(session->kept_count + 1, sizeof *share);
  size_t n = 0;
  for (size_t i = 0; share != NULL && i < session->kept_count; i++) {
    const cairn_journal_result *r = &session->kept[i].result;
    if (r->times.samples > 1 && r->times.p[CAIRN_BASE_P50] > 0 &&
        r->times.stddev >= 0)
      share[n++] = r->times.stddev / r->times.p[CAIRN_BASE_P50];
  }
  const double noise = n > 0 ? cairn_base__stats_median(share, n) : (double)NAN;
  cairn_base_free(share);
  return noise;
}

/* Samples that a typical schedule has. */
static double typical_samples(const cairn_explore_session *session) {
  double *count = cairn_base_alloc(session->kept_count + 1, sizeof *count);
  size_t n = 0;
  for (size_t i = 0; count != NULL && i < session->kept_count; i++)
    if (session->kept[i].result.times.samples > 0)
      count[n++] = session->kept[i].result.times.samples;
  const double samples =
      n > 0 ? cairn_base__stats_median(count, n) : (double)NAN;
  cairn_base_free(count);
  return samples;
}

void cairn_explore__trust_fill(const cairn_explore_session *session,
                               cairn_explore_trust *t) {
  const cairn_explore_refined *r = &session->refined;
  *t = (cairn_explore_trust){.noise = plain_noise(session),
                             .drift = NAN,
                             .changed = 1,
                             .correction = CAIRN_TIMING_CORRECTION,
                             .overtime = r->overtime,
                             .clocks = session->ranks.clocks,
                             .load = session->ranks.load};
  t->floor = 1.96 * 1.2533 * t->noise * sqrt(2 / typical_samples(session));
  if (r->done) {
    t->noise = r->quality.noise;
    t->floor = r->quality.floor;
    t->drift = r->quality.drift;
    t->correlated = r->quality.correlated;
    t->nonrandom = r->quality.nonrandom;
    t->beyond = r->quality.beyond;
  }
  if (session->ranks.race != NULL)
    t->changes = cairn_timing__race_changes(session->ranks.race, &t->changed);
  cairn_exec__clocks_text(&t->clocks, t->clocks_text, sizeof t->clocks_text);
  t->oversubscribed =
      t->load.shared > 0 || session->source->bench->oversubscribed(session);
}
