/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/rounds.c - shuffled rounds of many schedules side by side, in
 * placements that are made anew, as long as the phase has time.
 */
#include <math.h>

#include "base/clock-private.h"
#include "explore/refine-private.h"
#include "timing/campaign-private.h"

enum { SHOTS_FIRST = 8 }; /* in one go, until it is known how long they take */

/* A sample lasts this long where one execution is shorter. */
static const double SAMPLE_S = 600e-6;

/* A phase ends by so much of the announced time, or by so many seconds if that
 * is more, after it, whatever it has by then. */
static const double OVERTIME = 0.5, OVERTIME_LEAST_S = 5;

/* Samples asked for in one go last about so long. */
static const double SLICE_S = 0.25;

/* CAIRN_EXHAUSTED when this phase has had its time, and more. */
static cairn_status in_time(const cairn_explore_refining *r) {
  const double end_s =
      r->seconds + fmax(OVERTIME * r->seconds, OVERTIME_LEAST_S);
  return cairn_base__now_s() - r->begin_s < end_s ? CAIRN_OK : CAIRN_EXHAUSTED;
}

static cairn_status prepare_all(cairn_explore_refining *r) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < r->entrants && status == CAIRN_OK; i++) {
    status = in_time(r);
    if (status == CAIRN_OK)
      status = r->session->source->bench->prepare(
          r->session, i, r->entrant[i].items, r->entrant[i].count);
  }
  return status;
}

static uint32_t executions(const cairn_explore_entrant *x) {
  const double k = ceil(SAMPLE_S / x->time_s);
  return k < 1 ? 1 : (uint32_t)fmin(k, 1e6);
}

/* Seconds for so many rounds, warm executions included. */
static double rounds_s(const cairn_explore_refining *r, unsigned rounds) {
  double sum = 0;
  for (size_t i = 0; i < r->entrants; i++)
    sum += (executions(&r->entrant[i]) + 1.0) * r->entrant[i].time_s;
  return rounds * sum;
}

/* The phase begins now; it announces the time that the least number of rounds
 * takes, if that is more. */
void cairn_explore__rounds_announce(cairn_explore_refining *r, double seconds) {
  r->begin_s = cairn_base__now_s();
  r->seconds = fmax(seconds, rounds_s(r, CAIRN_EXPLORE_LEAST_ROUNDS));
  r->overtime = 0;
}

cairn_status cairn_explore__rounds_enter(cairn_explore_refining *r,
                                         uint64_t seed) {
  cairn_timing__campaign_free(r->campaign);
  r->campaign = NULL;
  r->rounds = r->placements = r->throttled = 0;
  cairn_status status = cairn_timing__campaign_create(seed, &r->campaign);
  if (status == CAIRN_OK)
    cairn_timing__campaign_set_block(r->campaign, CAIRN_EXPLORE_RENEW);
  for (size_t i = 0; i < r->entrants && status == CAIRN_OK; i++)
    status = cairn_timing__campaign_add(r->campaign, i,
                                        executions(&r->entrant[i]), 1);
  return status;
}

/* New placement: everything that the ranks hold is made anew. */
static cairn_status renew(cairn_explore_refining *r) {
  cairn_status status = r->session->source->bench->renew(r->session);
  if (status == CAIRN_OK)
    status = prepare_all(r);
  r->placements++;
  return status;
}

/* A cairn_timing_sampler's take that keeps to the time: a slice after the
 * other, CAIRN_EXHAUSTED when it is over. */
static cairn_status take_in_time(void *context, const cairn_base_shot *shots,
                                 size_t count, cairn_base_sample *samples,
                                 cairn_base_execution *outcome_p) {
  cairn_explore_refining *r = context;
  cairn_base_execution one;
  cairn_status status = CAIRN_OK;
  *outcome_p = (cairn_base_execution){.outcome = CAIRN_BASE_OUTCOME_OK};
  for (size_t done = 0; done < count && status == CAIRN_OK;) {
    const double begin_s = cairn_base__now_s();
    const double fit = r->shot_s > 0 ? SLICE_S / r->shot_s : SHOTS_FIRST;
    size_t part = fit < 1 ? 1 : (size_t)fmin(fit, (double)count);
    part = part < count - done ? part : count - done;
    status = in_time(r);
    if (status == CAIRN_OK)
      status = r->session->source->bench->sample(r->session, shots + done, part,
                                                 samples + done, &one);
    if (status == CAIRN_OK && one.outcome != CAIRN_BASE_OUTCOME_OK &&
        outcome_p->outcome == CAIRN_BASE_OUTCOME_OK)
      *outcome_p = one;
    r->shot_s = (cairn_base__now_s() - begin_s) / (double)part;
    done += part;
  }
  return status;
}

static cairn_status one_round(cairn_explore_refining *r) {
  const cairn_timing_sampler sampler = {take_in_time, r};
  cairn_base_execution outcome;
  uint64_t bad;
  const cairn_status status =
      cairn_timing__campaign_round(r->campaign, &sampler, &bad, &outcome);
  if (status == CAIRN_OK && bad != UINT64_MAX) {
    cairn_timing__campaign_drop(r->campaign, bad);
    cairn_base_diag_add(r->session->diag, CAIRN_BASE_WARNING, NULL, 0,
                        "schedule %llu failed when measured again: %s",
                        (unsigned long long)r->entrant[bad].id,
                        outcome.message);
  }
  r->throttled += r->session->source->bench->machine(r->session) != 0;
  r->rounds++;
  return status;
}

static void show_progress(const cairn_explore_refining *r) {
  cairn_explore_progress progress = {.phase = CAIRN_EXPLORE_REFINING,
                                     .schedules = r->entrants,
                                     .round = r->rounds + 1,
                                     .spent_s =
                                         cairn_base__now_s() - r->begin_s,
                                     .announced_s = r->seconds};
  cairn_explore__tell(r->session, &progress);
}

/* Are all that are still measured known to `half`, relatively? */
static cairn_status are_known(const cairn_explore_refining *r, double half,
                              int *known_p) {
  cairn_timing_estimate *e;
  size_t n;
  const cairn_status status = cairn_timing__campaign_solve(
      r->campaign, CAIRN_EXPLORE_WINDOW, &e, &n, NULL);
  *known_p = 0;
  if (status != CAIRN_OK)
    return status;
  *known_p = 1;
  for (size_t i = 0; i < n; i++)
    if (!cairn_timing__campaign_dropped(r->campaign, i) &&
        !(e[i].times.high - e[i].times.low <=
          2 * half * e[i].times.p[CAIRN_BASE_P50]))
      *known_p = 0;
  cairn_base_free(e);
  return CAIRN_OK;
}

/* A round, in a new placement if it is time for one. */
static cairn_status next_round(cairn_explore_refining *r) {
  cairn_status status = in_time(r);
  show_progress(r);
  if (status == CAIRN_OK && r->rounds % CAIRN_EXPLORE_RENEW == 0)
    status = renew(r);
  return status == CAIRN_OK ? one_round(r) : status;
}

/* Rounds until there are `least` more and the time since r->begin_s is used
 * up, or all is known to `half` (0: never), which is looked at after each
 * placement.  A signal ends them, and so does the end of the phase's time:
 * CAIRN_EXHAUSTED. */
cairn_status cairn_explore__rounds_take(cairn_explore_refining *r,
                                        unsigned least, double seconds,
                                        double half) {
  int known = 0;
  const unsigned enough = r->rounds + least;
  cairn_status status = CAIRN_OK;
  while (status == CAIRN_OK && !cairn_explore__signalled(r->session) &&
         !known &&
         (r->rounds < enough || cairn_base__now_s() - r->begin_s < seconds)) {
    status = next_round(r);
    if (status == CAIRN_OK && half > 0 && r->rounds >= enough &&
        r->rounds % CAIRN_EXPLORE_RENEW == 0)
      status = are_known(r, half, &known);
  }
  r->why = known                                  ? "ci"
           : cairn_explore__signalled(r->session) ? "signal"
                                                  : "max_time";
  return status;
}

/* Samples that could not be corrected are taken again, as long as there are
 * schedules that have too few others. */
static cairn_status replace_lacking(cairn_explore_refining *r) {
  size_t lacking = 0;
  cairn_status status;
  do {
    status = cairn_timing__campaign_lacking(r->campaign, CAIRN_EXPLORE_WINDOW,
                                            CAIRN_EXPLORE_LEAST_ROUNDS / 2,
                                            &lacking);
    for (int i = 0; i < CAIRN_EXPLORE_RENEW && status == CAIRN_OK &&
                    lacking > 0 && !cairn_explore__signalled(r->session);
         i++)
      status = next_round(r);
  } while (status == CAIRN_OK && lacking > 0 &&
           !cairn_explore__signalled(r->session));
  return status;
}

/* The end of a phase, in time or not. */
cairn_status cairn_explore__rounds_over(cairn_explore_refining *r,
                                        cairn_status status) {
  if (status == CAIRN_OK && !cairn_explore__signalled(r->session))
    status = replace_lacking(r);
  if (status != CAIRN_EXHAUSTED)
    return status;
  r->overtime = r->session->refined.overtime = 1;
  r->why = "overtime";
  cairn_base_diag_add(r->session->diag, CAIRN_BASE_WARNING, NULL, 0,
                      "measuring %zu schedules again was to take about %.0f s "
                      "and was ended after %.0f s, in round %u: the machine "
                      "has become slower; schedules that it did not come to "
                      "keep their first numbers",
                      r->entrants, r->seconds, cairn_base__now_s() - r->begin_s,
                      r->rounds + 1);
  return CAIRN_OK;
}
