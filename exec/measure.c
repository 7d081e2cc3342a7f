/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/measure.c - the usual way to time one schedule: verify, warm up,
 * calibrate, sample until the median is known well enough.  A policy on top of
 * run and take, on rank 0 alone; others can be written beside it.
 *
 * Invariant: k is fixed before the first sample of the series and the same for
 * all of them; no sample is left out for being slow.
 */
#include "exec/drive-private.h"
#include "exec/exec-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEADY 0.10     /* two executions differ by less: warm */
#define LATE_SHARE 0.20 /* more late samples: another start */
#define LATE_LEAST 10   /* judged from so many samples on */
#define CALIBRATE_ROUNDS 4
#define K_MOST 1000000000.0
#define TICKS 50
#define BATCH_MOST 100

static const char *const reason_text[] = {
#define CAIRN_EXEC_REASON_STRING(name, text) text,
    CAIRN_EXEC_REASON_TABLE(CAIRN_EXEC_REASON_STRING)
#undef CAIRN_EXEC_REASON_STRING
};

const char *cairn_exec_reason_text(cairn_exec_reason reason) {
  return (unsigned)reason < sizeof reason_text / sizeof *reason_text
             ? reason_text[reason]
             : "unknown";
}

void cairn_exec_plan_default(const cairn_exec *exec, cairn_exec_plan *plan) {
  *plan = (cairn_exec_plan){.verify = exec ? exec->info.can_verify : 0,
                            .min_samples = 10,
                            .max_samples = 1000,
                            .max_s = 2.0,
                            .half = 0.01,
                            .confidence = 0.95,
                            .sample_s = 100e-6,
                            .warm_min = 3,
                            .warm_max = 20};
}

/* What is under way. */
typedef struct series {
  cairn_exec *exec;
  const cairn_exec_plan *plan;
  cairn_exec_measurement *m;
  uint64_t id;
  double once_s; /* one execution, roughly */
  double start_s;
  cairn_base_sample *samples;
  size_t count, capacity;
} series;

static double now_s(void) { return 1e-9 * (double)cairn_base__now_ns(); }

/* Takes count samples of k executions; appended to `samples`. */
static cairn_status sample_series(series *s, size_t count, uint32_t k,
                                  cairn_base_sample *samples) {
  cairn_base_execution outcome = {.outcome = CAIRN_BASE_OUTCOME_OK};
  cairn_base_shot shots[BATCH_MOST];
  cairn_status status = CAIRN_OK;
  for (size_t done = 0; done < count && status == CAIRN_OK;) {
    const size_t part = count - done < BATCH_MOST ? count - done : BATCH_MOST;
    for (size_t i = 0; i < part; i++)
      shots[i] = (cairn_base_shot){.id = s->id, .k = k};
    status = cairn_exec__sample(s->exec, shots, part, samples + done, &outcome);
    if (outcome.outcome != CAIRN_BASE_OUTCOME_OK &&
        s->m->outcome == CAIRN_BASE_OUTCOME_OK) {
      s->m->outcome = outcome.outcome;
      s->m->reason = CAIRN_EXEC_REASON_FAILED;
      memcpy(s->m->message, outcome.message, sizeof s->m->message);
    }
    done += part;
  }
  return status;
}

static int is_ok(const series *s) {
  return s->m->outcome == CAIRN_BASE_OUTCOME_OK;
}

/* ---- before the series ---- */

static cairn_status first_run(series *s) {
  cairn_base_execution outcome;
  const cairn_status status =
      cairn_exec__run(s->exec, s->id, s->plan->verify, &outcome);
  if (status && status != CAIRN_RESUMABLE)
    return status;
  s->once_s = outcome.time_s;
  if (outcome.outcome != CAIRN_BASE_OUTCOME_OK) {
    s->m->outcome = outcome.outcome;
    s->m->reason = CAIRN_EXEC_REASON_FAILED;
    memcpy(s->m->message, outcome.message, sizeof s->m->message);
  }
  return status;
}

static cairn_status warm_up(series *s) {
  const cairn_exec_plan *plan = s->plan;
  double last = s->once_s;
  while (s->m->warm < plan->warm_max && is_ok(s)) {
    cairn_base_sample sample;
    const cairn_status status = sample_series(s, 1, 1, &sample);
    if (status)
      return status;
    s->m->warm++;
    const int steady = fabs(sample.time_s - last) < STEADY * last;
    last = sample.time_s;
    if (last < s->once_s)
      s->once_s = last;
    if (s->m->warm >= plan->warm_min &&
        (steady || now_s() - s->start_s > plan->max_s))
      break;
  }
  return CAIRN_OK;
}

/* k such that a sample lasts as long as asked, and 50 steps of the clock. */
static cairn_status calibrate(series *s) {
  const cairn_exec_plan *plan = s->plan;
  const double ticks_s = TICKS * cairn_exec__clock_step_s(s->exec);
  const double least_s = plan->sample_s > ticks_s ? plan->sample_s : ticks_s;
  s->m->k = plan->k ? plan->k : 1;
  if (plan->k || plan->sample_s <= 0)
    return CAIRN_OK;
  for (int round = 0; round < CALIBRATE_ROUNDS && is_ok(s); round++) {
    const double needed = ceil(least_s / (s->once_s > 1e-9 ? s->once_s : 1e-9));
    if (needed <= s->m->k)
      break;
    s->m->k = (uint32_t)(needed < K_MOST ? needed : K_MOST);
    cairn_base_sample sample;
    const cairn_status status = sample_series(s, 1, s->m->k, &sample);
    if (status)
      return status;
    s->once_s = sample.time_s;
  }
  return CAIRN_OK;
}

/* ---- the series ---- */

/* Too many late starts: first more slack and again from the beginning, once;
 * then the barrier.  1 when the series begins anew. */
static int start_anew(series *s) {
  const cairn_base_summary *sum = &s->m->summary;
  if (s->m->start != CAIRN_EXEC_START_DEADLINE || s->count < LATE_LEAST ||
      (double)sum->late <= LATE_SHARE * (double)s->count)
    return 0;
  if (s->m->restarts == 0)
    s->exec->slack_ns *= 4;
  else if (s->exec->options.start != CAIRN_EXEC_START_DEADLINE)
    s->exec->start = s->m->start = CAIRN_EXEC_START_BARRIER;
  else
    return 0;
  s->m->restarts++;
  s->count = 0;
  return 1;
}

static cairn_exec_reason why_stop(const series *s) {
  const cairn_exec_plan *plan = s->plan;
  const cairn_base_summary *sum = &s->m->summary;
  if (s->count >= plan->max_samples)
    return sum->times.samples ? CAIRN_EXEC_REASON_MAX_N
                              : CAIRN_EXEC_REASON_INVALID;
  if (sum->times.samples >= plan->min_samples) {
    if (sum->half <= plan->half)
      return CAIRN_EXEC_REASON_CI;
    if (plan->prune_above_s > 0 && sum->times.low > plan->prune_above_s)
      return CAIRN_EXEC_REASON_PRUNED;
    if (cairn_exec_signal(s->exec))
      return CAIRN_EXEC_REASON_SIGNAL;
  }
  if (now_s() - s->start_s > plan->max_s && sum->times.samples > 0)
    return CAIRN_EXEC_REASON_MAX_TIME;
  if (now_s() - s->start_s > 4 * plan->max_s)
    return CAIRN_EXEC_REASON_INVALID;
  return CAIRN_EXEC_REASON_NONE;
}

/* Samples to take next: the least number first, then half as many again, no
 * more than the time allows. */
static size_t next_batch(const series *s) {
  const cairn_exec_plan *plan = s->plan;
  size_t batch = s->count < plan->min_samples ? plan->min_samples - s->count
                                              : s->count / 2 + 1;
  const double left_s = plan->max_s - (now_s() - s->start_s);
  const double one_s = s->once_s * s->m->k;
  if (s->count && (double)batch * one_s > left_s)
    batch = left_s > one_s ? (size_t)(left_s / one_s) : 1;
  if (batch > plan->max_samples - s->count)
    batch = plan->max_samples - s->count;
  return batch > BATCH_MOST ? BATCH_MOST : batch;
}

static cairn_status extend(series *s, size_t batch) {
  cairn_status status = cairn_base_reserve(
      &s->samples, &s->capacity, s->count + batch, sizeof *s->samples);
  if (status == CAIRN_OK)
    status = sample_series(s, batch, s->m->k, s->samples + s->count);
  if (status)
    return status;
  s->count += batch;
  return cairn_timing__summarize(s->samples, s->count, s->plan->confidence,
                                 &s->m->summary);
}

/* Fixed number: so many that count; late ones are replaced, within reason. */
static cairn_status sample_fixed(series *s) {
  const size_t wanted = s->plan->samples;
  size_t tries = 0;
  while (is_ok(s) && s->m->summary.times.samples < wanted &&
         tries < 4 * wanted + 16) {
    const size_t batch = wanted - s->m->summary.times.samples;
    const cairn_status status = extend(s, batch);
    if (status)
      return status;
    tries += batch;
    if (start_anew(s)) {
      s->m->summary.times.samples = 0;
      tries = 0;
    }
  }
  if (is_ok(s))
    s->m->reason = s->m->summary.times.samples >= wanted
                       ? CAIRN_EXEC_REASON_FIXED
                       : CAIRN_EXEC_REASON_INVALID;
  return CAIRN_OK;
}

static cairn_status sample_until(series *s) {
  while (is_ok(s) && s->m->reason == CAIRN_EXEC_REASON_NONE) {
    const cairn_status status = extend(s, next_batch(s));
    if (status)
      return status;
    if (!start_anew(s) && is_ok(s))
      s->m->reason = why_stop(s);
  }
  if (s->m->reason == CAIRN_EXEC_REASON_PRUNED)
    s->m->outcome = CAIRN_BASE_OUTCOME_PRUNED;
  return CAIRN_OK;
}

static cairn_status all_of_it(series *s) {
  cairn_status status = first_run(s);
  if (status == CAIRN_OK && is_ok(s))
    status = warm_up(s);
  if (status == CAIRN_OK && is_ok(s))
    status = calibrate(s);
  if (status == CAIRN_OK && is_ok(s)) {
    s->start_s = now_s();
    status = s->plan->samples ? sample_fixed(s) : sample_until(s);
  }
  if (status == CAIRN_OK && s->m->reason == CAIRN_EXEC_REASON_INVALID &&
      s->m->summary.times.samples == 0) {
    s->m->outcome = CAIRN_BASE_OUTCOME_FAILED;
    snprintf(s->m->message, sizeof s->m->message,
             "no valid sample: some rank was always late at the start");
  }
  return status;
}

cairn_status cairn_exec_measure(cairn_exec *exec, uint64_t id,
                                const cairn_exec_plan *plan,
                                cairn_exec_measurement *measurement_p,
                                cairn_base_sample **keep, size_t *kept) {
  const double began_s = now_s();
  *measurement_p = (cairn_exec_measurement){.outcome = CAIRN_BASE_OUTCOME_OK,
                                            .start = exec->start};
  cairn_timing__summarize(NULL, 0, plan->confidence, &measurement_p->summary);
  series s = {.exec = exec,
              .plan = plan,
              .m = measurement_p,
              .id = id,
              .start_s = began_s};
  const cairn_status status = all_of_it(&s);
  measurement_p->spent_s = now_s() - began_s;
  if (keep && status == CAIRN_OK) {
    *keep = s.samples;
    *kept = s.count;
  } else {
    cairn_base_free(s.samples);
  }
  return status;
}
