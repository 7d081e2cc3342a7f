/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/death.c - what the ranks of a job that died have left, in words
 * for the user and as the result of the schedule that was being measured.
 *
 * It is written here and not by the job that resumes, so that it is there
 * however and whenever the search goes on.
 *
 * A rank that aborts may do so because its MPI library has seen another die:
 * a big process may be long in dying, and be seen before it is gone.  So with
 * an abort all ranks are named.
 */
#include <math.h>
#include <signal.h>

#include <cairn/dag.h>
#include <cairn/exec.h>
#include <cairn/journal.h>

#include "base/text-private.h"
#include "exec/blackbox-private.h"
#include "exec/launch/launch-private.h"
#include "journal/journal-private.h"

enum { NAMED_MOST = 8 }; /* ranks in a result's message */

typedef struct death {
  const cairn_exec_launch_end *end;
  const cairn_exec_blackbox *box;
  size_t ranks, dead;                  /* dead 0: not known who */
  size_t aborted;                      /* of the dead, by SIGABRT */
  size_t crashed;                      /* of the dead, by a fault */
  const struct cairn_dag_begun *begun; /* without a result; or NULL */
} death;

/* The watchdog has told it all (in the journal too, unless rank 0 is the one
 * that died, and another waited for it), or the ranks have left in good order.
 */
static int is_known(const death *d) {
  size_t closed = 0;
  for (size_t i = 0; i < d->ranks; i++) {
    const cairn_exec_whereabouts rank = cairn_exec__blackbox_rank(d->box, i);
    if (rank.hung && d->begun == NULL)
      return 1;
    closed += rank.closed != 0;
  }
  return closed == d->ranks;
}

static int died(const death *d, size_t i) {
  return !d->end->stalled &&
         cairn_exec__launch_recorder_died(d->end->recorder, i);
}

static void how_text(const death *d, size_t i, char *text, size_t size) {
  const cairn_exec_whereabouts rank = cairn_exec__blackbox_rank(d->box, i);
  if (!died(d, i))
    snprintf(text, size, "%s",
             d->aborted > 0 ? " ended about then"
             : d->dead > 0  ? " ended after it"
                            : " stood last");
  else if (rank.signal == CAIRN_EXEC_EXITED)
    snprintf(text, size, " called exit");
  else if (rank.signal)
    snprintf(text, size, " died of signal %d", rank.signal);
  else
    snprintf(text, size, " died");
}

/* Ids are the journal's only while a schedule is measured for the first time.
 */
static void which_text(const death *d, size_t i, int always, char *text,
                       size_t size) {
  const cairn_exec_whereabouts rank = cairn_exec__blackbox_rank(d->box, i);
  text[0] = '\0';
  if (d->begun != NULL && rank.id != UINT64_MAX &&
      (always || rank.id != d->begun->id))
    snprintf(text, size, " in schedule %llu", (unsigned long long)rank.id);
}

static void say(const death *d, int of_dead) {
  char how[64], which[64], where[1024];
  for (size_t i = 0; i < d->ranks; i++) {
    const cairn_exec_whereabouts rank = cairn_exec__blackbox_rank(d->box, i);
    if (rank.closed || died(d, i) != of_dead)
      continue;
    how_text(d, i, how, sizeof how);
    which_text(d, i, 1, which, sizeof which);
    cairn_exec__blackbox_text(d->box, i, where, sizeof where);
    cairn_base_log(CAIRN_BASE_LOG_WARNING, "launch: rank %d%s%s: %s", rank.rank,
                   how, which, where);
  }
}

/* Those who are `of_dead` or not, to a number in all. */
static void name_ranks(const death *d, int of_dead, size_t *named_p,
                       cairn_base_text *text) {
  char how[64], which[64], where[1024];
  for (size_t i = 0; i < d->ranks; i++) {
    const cairn_exec_whereabouts rank = cairn_exec__blackbox_rank(d->box, i);
    if (rank.closed || died(d, i) != of_dead || ++*named_p > NAMED_MOST)
      continue;
    how_text(d, i, how, sizeof how);
    which_text(d, i, 0, which, sizeof which);
    cairn_exec__blackbox_text(d->box, i, where, sizeof where);
    cairn_base_text_addf(text, "%srank %d%s%s: %s", text->length ? "; " : "",
                         rank.rank, how, which, where);
  }
}

/* The dead ranks; the others too when those may be the cause. */
static void write_message(const death *d, cairn_base_text *text) {
  size_t named = 0;
  if (d->dead == 0)
    cairn_base_text_add(text, d->end->stalled
                                  ? "the journal had stopped growing"
                                  : "which rank died first is not known");
  name_ranks(d, 1, &named, text);
  if (d->dead == 0 || d->aborted > 0)
    name_ranks(d, 0, &named, text);
  if (named > NAMED_MOST)
    cairn_base_text_addf(text, "; and %zu more", named - NAMED_MOST);
}

/* There may be no journal yet. */
static cairn_journal_run *read_journal(const char *path) {
  cairn_journal_run *run;
  return cairn_journal_run_read(
             path, CAIRN_JOURNAL_RUN_UNBORN | CAIRN_JOURNAL_RUN_REGULAR, NULL,
             &run) == CAIRN_OK
             ? run
             : NULL;
}

static cairn_base_outcome outcome_of(const death *d) {
  return cairn_exec__launch_verdict(d->crashed, d->begun->times);
}

static cairn_status write_down(const death *d, const cairn_journal_run *run,
                               const char *message, cairn_journal *journal) {
  const cairn_base_outcome outcome = outcome_of(d);
  const double at = run->results ? run->result[run->results - 1].at : 0;
  if (outcome == CAIRN_BASE_OUTCOME_OK)
    return cairn_journal__death(journal, d->begun->id, message, NULL);
  cairn_journal_result result =
      cairn_journal__result_blank(d->begun->id, d->begun->schedule, outcome);
  result.at = isfinite(at) ? at : 0;
  result.message = message;
  return cairn_journal__append_result(journal, &result, NULL);
}

static void record(const death *d, const cairn_journal_run *run,
                   const char *path) {
  cairn_base_text words = {0}, message = {0};
  cairn_journal *journal;
  write_message(d, &words);
  if (outcome_of(d) == CAIRN_BASE_OUTCOME_QUARANTINED)
    cairn_base_text_addf(&message,
                         "the job died %u times while it ran this schedule; "
                         "the last time: ",
                         d->begun->times);
  cairn_base__text_add_bytes(&message, words.data ? words.data : "",
                             words.length);
  /* a failure is none of ours: the job that resumes will see it, and counts
   * the deaths by their `begin` */
  if (!words.failed && !message.failed &&
      cairn_journal__open(path, CAIRN_JOURNAL_RESUME, NULL, NULL, &journal) ==
          CAIRN_OK) {
    (void)write_down(d, run, message.data, journal);
    cairn_journal__close(journal);
  }
  cairn_base_text_free(&words);
  cairn_base_text_free(&message);
}

static void say_chances(const death *d) {
  const unsigned long long id = d->begun->id;
  switch (outcome_of(d)) {
  case CAIRN_BASE_OUTCOME_OK:
    cairn_base_log(CAIRN_BASE_LOG_WARNING,
                   "launch: death %u of %d in schedule %llu: it is measured "
                   "again, for the cause may be another",
                   d->begun->times, CAIRN_EXEC_DEATHS, id);
    break;
  case CAIRN_BASE_OUTCOME_QUARANTINED:
    cairn_base_log(CAIRN_BASE_LOG_WARNING,
                   "launch: schedule %llu is not run again after %u deaths", id,
                   d->begun->times);
    break;
  default:
    break;
  }
}

/* A rank was stopped: no fault of the schedule. */
static int was_suspended(const death *d) {
  for (size_t i = 0; i < d->ranks; i++)
    if (cairn_exec__blackbox_rank(d->box, i).suspended)
      return 1;
  return 0;
}

static void tell(death *d, const cairn_journal_run *run, const char *path) {
  for (size_t i = 0; i < d->ranks; i++)
    if (died(d, i)) {
      const int number = cairn_exec__blackbox_rank(d->box, i).signal;
      d->dead++;
      d->aborted += number == SIGABRT;
      d->crashed += number != 0 && number != SIGABRT;
    }
  say(d, 1);
  say(d, 0);
  if (d->begun == NULL || was_suspended(d))
    return;
  record(d, run, path);
  say_chances(d);
}

void cairn_exec__launch_death(const cairn_exec_launch_end *end,
                              const char *journal) {
  death d = {.end = end,
             .box = cairn_exec__launch_recorder_read(end->recorder)};
  if (d.box == NULL)
    return;
  cairn_journal_run *const run = read_journal(journal);
  d.ranks = cairn_exec__blackbox_ranks(d.box);
  if (run != NULL && run->begun_count > 0)
    d.begun = &run->begun[run->begun_count - 1];
  if (d.ranks > 0 && !is_known(&d))
    tell(&d, run, journal);
  cairn_journal_run_free(run);
}
