/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/identity.c - is a journal one of this very search?
 *
 * A resumed search must be the same search: strategy, settings, seed, streams
 * and sync must equal the old header's, always.  It must be of the same program
 * too; other parameters, ranks, devices, backend or objective are refused
 * unless they are accepted.
 */
#include <stdio.h>
#include <string.h>

#include "base/text-private.h"
#include "explore/explore-private.h"
#include "journal/journal-private.h"

static void differs(cairn_base_diag *diag, const char *path, const char *what,
                    const char *old, const char *now) {
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 1,
                      "%s differs: \"%s\" in the journal, \"%s\" now", what,
                      old != NULL ? old : "unknown",
                      now != NULL ? now : "unknown");
}

static size_t compare_text(cairn_base_diag *diag, const char *path,
                           const char *what, const char *old, const char *now) {
  if (old == now ||
      (old != NULL && now != NULL && cairn_base__utf8_equal(now, old)))
    return 0;
  differs(diag, path, what, old, now);
  return 1;
}

static size_t compare_number(cairn_base_diag *diag, const char *path,
                             const char *what, uint64_t old, uint64_t now) {
  if (old == now)
    return 0;
  char before[24], after[24];
  snprintf(before, sizeof before, "%llu", (unsigned long long)old);
  snprintf(after, sizeof after, "%llu", (unsigned long long)now);
  differs(diag, path, what, before, after);
  return 1;
}

static const char *fact_text(const cairn_journal_header *h, const char *name) {
  const cairn_base_fact *fact =
      cairn_journal__fact_find(h->fact, h->facts, name);
  return fact != NULL ? fact->text : "";
}

static uint64_t fact_number(const cairn_journal_header *h, const char *name) {
  const cairn_base_fact *fact =
      cairn_journal__fact_find(h->fact, h->facts, name);
  return fact != NULL ? (uint64_t)fact->number : 0;
}

/* A strategy that is gone cannot go on: nothing else is worth comparing. */
static int was_removed(cairn_base_diag *diag, const char *path,
                       const char *strategy) {
  const char *instead =
      strategy != NULL ? cairn_mcts_strategy_instead(strategy) : NULL;
  if (instead != NULL)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 1,
                        "strategy \"%s\" was removed and cannot go on; use "
                        "--strategy %s instead",
                        strategy, instead);
  return instead != NULL;
}

static size_t compare_search(cairn_base_diag *diag, const char *path,
                             const cairn_journal_header *old,
                             const cairn_journal_header *now) {
  if (was_removed(diag, path, old->strategy))
    return 1;
  return compare_text(diag, path, "strategy", old->strategy, now->strategy) +
         compare_text(diag, path, "strategy settings (--set)",
                      fact_text(old, "settings"), fact_text(now, "settings")) +
         compare_text(diag, path, "--prior", fact_text(old, "priors"),
                      fact_text(now, "priors")) +
         compare_number(diag, path, "seed", old->seed, now->seed) +
         compare_number(diag, path, "--noise",
                        fact_number(old, "drawn_samples"),
                        fact_number(now, "drawn_samples")) +
         compare_number(diag, path, "streams", old->streams, now->streams) +
         compare_text(diag, path, "sync", old->sync, now->sync);
}

/* ---- the world ---- */

static int is_replay(const cairn_journal_header *h) {
  return h->backend != NULL && strcmp(h->backend, "replay") == 0;
}

static void add_words(cairn_base_text *words, const char *more) {
  cairn_base_text_addf(words, "%s%s", words->length > 0 ? ", " : "", more);
}

/* What counts for a search that goes on, beyond the origin of results: these
 * were not taken by the same means. */
static void compare_means(const cairn_journal_header *old,
                          const cairn_journal_header *now,
                          cairn_base_text *words) {
  if (is_replay(old) != is_replay(now))
    add_words(words, is_replay(old) ? "only the first is a replay"
                                    : "only the second is a replay");
  if (old->gpu_aware >= 0 && now->gpu_aware >= 0 &&
      old->gpu_aware != now->gpu_aware)
    add_words(words, old->gpu_aware ? "only the first has a GPU-aware MPI"
                                    : "only the second has a GPU-aware MPI");
}

static cairn_status check_program(const cairn_journal_run *old,
                                  const cairn_dag_program *program,
                                  cairn_base_diag *diag) {
  cairn_base_text words = {0};
  cairn_journal_origin origin = CAIRN_JOURNAL_ORIGIN_SAME;
  cairn_status status =
      cairn_journal_origin_of_program(old, program, diag, &origin, &words);
  if (status == CAIRN_OK && origin != CAIRN_JOURNAL_ORIGIN_SAME) {
    cairn_base_diag_error(diag,
                          "%s (the first) is the journal of another program "
                          "than \"%s\" (the second): %s",
                          old->path, cairn_dag_program_name(program),
                          words.data);
    status = CAIRN_INPUT;
  }
  cairn_base_text_free(&words);
  return status;
}

/* What differs is told, whatever becomes of it. */
static cairn_status judge(const char *path, const char *words,
                          int accept_different, cairn_base_diag *diag) {
  cairn_base_diag_add(
      diag, accept_different ? CAIRN_BASE_WARNING : CAIRN_BASE_ERROR, NULL, 0,
      "%s (the first) and this run (the second) differ: %s", path, words);
  cairn_base_diag_add(
      diag, accept_different ? CAIRN_BASE_WARNING : CAIRN_BASE_ERROR, NULL, 0,
      "%s",
      accept_different ? "results from here on are not comparable with "
                         "those before (--accept-different)"
                       : "not resumed: results would not be comparable "
                         "(--accept-different resumes all the same)");
  return accept_different ? CAIRN_OK : CAIRN_INPUT;
}

static cairn_status check_world(const cairn_journal_run *old,
                                const cairn_journal_header *now,
                                int accept_different, cairn_base_diag *diag) {
  const cairn_journal_run run = {.path = "this run", .header = *now};
  cairn_base_text words = {0};
  cairn_journal_origin origin;
  cairn_status status =
      cairn_journal_origin_compare(old, &run, NULL, diag, &origin, &words);
  if (status == CAIRN_OK)
    compare_means(&old->header, now, &words);
  if (status == CAIRN_OK && words.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK && words.length > 0)
    status = judge(old->path, words.data, accept_different, diag);
  cairn_base_text_free(&words);
  return status;
}

cairn_status cairn_explore__identity_check(const cairn_journal_run *old,
                                           const cairn_dag_program *program,
                                           const cairn_journal_header *now,
                                           int accept_different,
                                           cairn_base_diag *diag) {
  const cairn_status status = check_program(old, program, diag);
  if (status != CAIRN_OK)
    return status;
  if (compare_search(diag, old->path, &old->header, now) > 0) {
    cairn_base_diag_error(diag,
                          "this is another search: start a new journal, "
                          "with --prior %s to learn from the old one",
                          old->path);
    return CAIRN_USAGE;
  }
  return check_world(old, now, accept_different, diag);
}
