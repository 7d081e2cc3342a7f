/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/identity.c - is a journal one of this very search?
 *
 * A resumed search must be the same search: strategy, settings, seed, streams,
 * sync and objective must equal the old header's, always.  Another program,
 * other parameters, ranks or devices are refused unless that is accepted.
 */
#include <stdio.h>

#include "base/text-private.h"
#include "explore/explore-private.h"

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
  const cairn_base_fact *fact = cairn_base_fact_find(h->fact, h->facts, name);
  return fact != NULL ? fact->text : "";
}

static uint64_t fact_number(const cairn_journal_header *h, const char *name) {
  const cairn_base_fact *fact = cairn_base_fact_find(h->fact, h->facts, name);
  return fact != NULL ? (uint64_t)fact->number : 0;
}

static const char *param_value(const cairn_journal_header *h,
                               const char *name) {
  for (size_t i = 0; i < h->params; i++)
    if (cairn_base__utf8_equal(h->param_name[i], name))
      return h->param_value[i];
  return NULL;
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
         compare_text(diag, path, "sync", old->sync, now->sync) +
         compare_text(diag, path, "objective", old->objective, now->objective);
}

static size_t compare_params(cairn_base_diag *diag, const char *path,
                             const cairn_journal_header *old,
                             const cairn_journal_header *now) {
  size_t found = 0;
  char what[CAIRN_DAG_MAX_NAME + 32];
  for (size_t i = 0; i < now->params; i++) {
    snprintf(what, sizeof what, "parameter %s", now->param_name[i]);
    found +=
        compare_text(diag, path, what, param_value(old, now->param_name[i]),
                     now->param_value[i]);
  }
  return found;
}

static void join_devices(const cairn_journal_header *h, cairn_base_text *text) {
  for (size_t i = 0; i < h->devices; i++)
    cairn_base_text_addf(text, "%s%s", i > 0 ? ", " : "", h->device[i]);
}

static size_t compare_world(cairn_base_diag *diag, const char *path,
                            const cairn_journal_header *old,
                            const cairn_journal_header *now) {
  cairn_base_text before = {0}, after = {0};
  join_devices(old, &before);
  join_devices(now, &after);
  size_t found =
      compare_text(diag, path, "program", old->program_name,
                   now->program_name) +
      compare_text(diag, path, "program digest", old->program_digest,
                   now->program_digest) +
      compare_params(diag, path, old, now) +
      compare_number(diag, path, "ranks", old->ranks, now->ranks) +
      compare_text(diag, path, "backend", old->backend, now->backend) +
      compare_text(diag, path, "devices", before.length ? before.data : "",
                   after.length ? after.data : "") +
      compare_number(diag, path, "gpu_aware", (uint64_t)(old->gpu_aware + 1),
                     (uint64_t)(now->gpu_aware + 1));
  cairn_base_text_free(&before);
  cairn_base_text_free(&after);
  return found;
}

/* What differs is told, whatever becomes of it. */
static cairn_status warn_of_differences(const char *path,
                                        const cairn_journal_header *old,
                                        const cairn_journal_header *now,
                                        cairn_base_diag *diag) {
  cairn_base_diag *said;
  const cairn_status status = cairn_base_diag_create(0, &said);
  if (status != CAIRN_OK)
    return status;
  if (compare_world(said, path, old, now) > 0)
    cairn_base_diag_error(said, "results from here on are not comparable with "
                                "those before (--accept-different)");
  for (size_t i = 0; i < cairn_base_diag_count(said); i++) {
    const cairn_base_message *const m = cairn_base_diag_get(said, i);
    cairn_base_diag_add(diag, CAIRN_BASE_WARNING, m->file, m->line, "%s",
                        m->text);
  }
  cairn_base_diag_free(said);
  return CAIRN_OK;
}

cairn_status cairn_explore__identity_check(const char *path,
                                           const cairn_journal_header *old,
                                           const cairn_journal_header *now,
                                           int accept_different,
                                           cairn_base_diag *diag) {
  if (compare_search(diag, path, old, now) > 0) {
    cairn_base_diag_error(diag,
                          "this is another search: start a new journal, "
                          "with --prior %s to learn from the old one",
                          path);
    return CAIRN_USAGE;
  }
  if (accept_different)
    return warn_of_differences(path, old, now, diag);
  if (compare_world(diag, path, old, now) > 0) {
    cairn_base_diag_error(diag, "not resumed: results would not be comparable "
                                "(--accept-different resumes all the same)");
    return CAIRN_USAGE;
  }
  return CAIRN_OK;
}
