/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-journal.c - the journal of a run: its header, going on with an
 * old one, and schedules that killed an earlier process.
 *
 * A resumed search must be the same search: strategy, settings, seed, streams,
 * sync and objective must equal the old header's, always.  Another program,
 * other parameters, ranks or devices are refused unless --accept-different.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "exec/drive-private.h"
#include "exec/world-private.h"
#include "explore.h"
#include "journal/journal-private.h"
#include "journal/origin-private.h"
#include "mcts/search-private.h"
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

/* ---- the header ---- */

typedef struct header_store {
  const char **param_name, **param_value;
  cairn_base_fact *fact;
  cairn_base_text settings, priors;
} header_store;

static void store_free(header_store *store) {
  cairn_base_free(store->param_name);
  cairn_base_free(store->param_value);
  cairn_base_free(store->fact);
  cairn_base_text_free(&store->settings);
  cairn_base_text_free(&store->priors);
}

static cairn_status fill_params(const explore_job *job, header_store *store,
                                cairn_journal_header *h) {
  size_t count;
  const cairn_dag_param *param =
      cairn_dag__program_params(job->program, &count);
  store->param_name = cairn_base_alloc(count + 1, sizeof(char *));
  store->param_value = cairn_base_alloc(count + 1, sizeof(char *));
  if (store->param_name == NULL || store->param_value == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++) {
    store->param_name[i] = param[i].name;
    store->param_value[i] = param[i].value;
  }
  h->param_name = store->param_name;
  h->param_value = store->param_value;
  h->params = count;
  return CAIRN_OK;
}

/* Settings and priors change what the search proposes, so they are facts of
 * the run; absent when there are none. */
static cairn_status fill_facts(const explore_job *job, header_store *store,
                               cairn_journal_header *h) {
  const explore_options *o = job->options;
  const cairn_exec_info *info =
      job->exec != NULL ? cairn_exec__info_get(job->exec) : NULL;
  const size_t measured = info != NULL ? info->facts : 0;
  const char *const backend =
      job->table != NULL ? cairn_journal__origin_backend(
                               &cairn_explore__table_run(job->table)->header)
                         : NULL;
  store->fact = cairn_base_alloc(measured + 4, sizeof *store->fact);
  if (store->fact == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < o->settings; i++)
    cairn_base_text_addf(&store->settings, "%s%s=%s", i > 0 ? " " : "",
                         o->setting[i].name, o->setting[i].value);
  for (size_t i = 0; i < o->priors; i++)
    cairn_base_text_addf(&store->priors, "%s%s", i > 0 ? " " : "", o->prior[i]);
  size_t n = 0;
  if (store->settings.length > 0)
    store->fact[n++] = (cairn_base_fact){"settings", store->settings.data, 0};
  if (store->priors.length > 0)
    store->fact[n++] = (cairn_base_fact){"priors", store->priors.data, 0};
  if (backend != NULL)
    store->fact[n++] = (cairn_base_fact){"recorded_backend", backend, 0};
  if (o->noise > 0)
    store->fact[n++] = (cairn_base_fact){"drawn_samples", NULL, o->noise};
  for (size_t i = 0; i < measured; i++)
    store->fact[n++] = info->fact[i];
  h->fact = store->fact;
  h->facts = n;
  return store->settings.failed || store->priors.failed ? CAIRN_NOMEM
                                                        : CAIRN_OK;
}

static void fill_machine(const explore_job *job, cairn_journal_header *h) {
  if (job->table != NULL) {
    const cairn_journal_header *const recorded =
        &cairn_explore__table_run(job->table)->header;
    h->ranks = recorded->ranks;
    h->device = recorded->device;
    h->devices = recorded->devices;
    h->backend = "replay";
    h->gpu_aware = -1;
    return;
  }
  const cairn_exec_info *info = cairn_exec__info_get(job->exec);
  h->ranks = (unsigned)cairn_exec_world_size(job->world);
  h->hosts = cairn_exec__world_hosts(job->world, &h->host);
  h->mpi = cairn_exec__world_library(job->world);
  h->backend = info->backend;
  h->device = info->device;
  h->devices = info->devices;
  h->driver = info->driver;
  h->gpu_aware = info->gpu_aware;
}

static cairn_status fill_header(const explore_job *job, header_store *store,
                                cairn_journal_header *h) {
  const explore_options *o = job->options;
  *h = (cairn_journal_header){
      .cairn = PACKAGE_VERSION,
      .program_name = cairn_dag_program_name(job->program),
      .program_digest = cairn_dag__program_digest(job->program),
      .program_graph = cairn_dag__program_graph(job->program),
      .streams = job->streams,
      .sync = o->program.sync == CAIRN_DAG_SYNC_MINIMAL ? "minimal" : "tidy",
      .strategy = cairn_mcts__strategy_name(job->search),
      .seed = o->seed,
      .objective = o->objective};
  fill_machine(job, h);
  cairn_status status = fill_params(job, store, h);
  return status == CAIRN_OK ? fill_facts(job, store, h) : status;
}

/* ---- comparing headers ---- */

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

/* --accept-different: what differs is told all the same. */
static cairn_status warn_of_differences(explore_job *job,
                                        const cairn_journal_header *now) {
  cairn_base_diag *said;
  const cairn_status status = cairn_base_diag_create(0, &said);
  if (status != CAIRN_OK)
    return status;
  if (compare_world(said, job->journal_path, &job->old->header, now) > 0)
    cairn_base_diag_error(said, "results from here on are not comparable with "
                                "those before (--accept-different)");
  for (size_t i = 0; i < cairn_base_diag_count(said); i++) {
    const cairn_base_message *const m = cairn_base_diag_get(said, i);
    cairn_base_diag_add(job->diag, CAIRN_BASE_WARNING, m->file, m->line, "%s",
                        m->text);
  }
  cairn_base_diag_free(said);
  return CAIRN_OK;
}

static cairn_status compare_headers(explore_job *job,
                                    const cairn_journal_header *now) {
  const cairn_journal_header *old = &job->old->header;
  const char *path = job->journal_path;
  cairn_base_diag *diag = job->diag;
  if (compare_search(diag, path, old, now) > 0) {
    cairn_base_diag_error(diag,
                          "this is another search: start a new journal, "
                          "with --prior %s to learn from the old one",
                          path);
    return CAIRN_USAGE;
  }
  if (job->options->accept_different)
    return warn_of_differences(job, now);
  if (compare_world(diag, path, old, now) > 0) {
    cairn_base_diag_error(diag, "not resumed: results would not be comparable "
                                "(--accept-different resumes all the same)");
    return CAIRN_USAGE;
  }
  return CAIRN_OK;
}

/* ---- opening ---- */

static cairn_status choose_path(explore_job *job) {
  const explore_options *o = job->options;
  cairn_base_text path = {0};
  if (o->output != NULL)
    cairn_base_text_add(&path, o->output);
  else {
    cairn_base_text_add(&path, "run.jsonl");
    for (unsigned i = 2; access(path.data, F_OK) == 0; i++) {
      cairn_base_text_clear(&path);
      cairn_base_text_addf(&path, "run-%u.jsonl", i);
      if (path.failed)
        break;
    }
  }
  job->journal_path = path.data;
  if (path.failed)
    return CAIRN_NOMEM;
  return CAIRN_OK;
}

static int exists(const char *path) { return access(path, F_OK) == 0; }

/* A process killed while it wrote the header leaves the beginning of one:
 * nothing was measured yet.  What is no journal is refused, and left alone. */
static cairn_status read_old(explore_job *job) {
  const char *path = job->journal_path;
  const cairn_status status = cairn_journal_run_read(
      path,
      CAIRN_JOURNAL_RUN_AS_MEASURED | CAIRN_JOURNAL_RUN_UNBORN |
          CAIRN_JOURNAL_RUN_REGULAR,
      job->diag, &job->old);
  if (status != CAIRN_OK || job->old->header.cairn != NULL)
    return status;
  cairn_journal_run_free(job->old);
  job->old = NULL;
  cairn_base_diag_add(job->diag, CAIRN_BASE_NOTE, path, 0,
                      "holds nothing yet: starting it");
  return CAIRN_OK;
}

static cairn_status open_with(explore_job *job,
                              const cairn_journal_header *now) {
  cairn_journal_mode mode = CAIRN_JOURNAL_NEW;
  if (exists(job->journal_path)) {
    if (!job->options->resume) {
      cairn_base_diag_error(job->diag,
                            "%s exists: go on with it (--resume) or choose "
                            "another file (-o)",
                            job->journal_path);
      return CAIRN_USAGE;
    }
    cairn_status status = read_old(job);
    if (status == CAIRN_OK && job->old != NULL)
      status = compare_headers(job, now);
    if (status != CAIRN_OK)
      return status;
    mode = CAIRN_JOURNAL_RESUME;
  }
  cairn_status status = cairn_journal__open(job->journal_path, mode, now,
                                            job->diag, &job->journal);
  int error = 0;
  const size_t failing =
      job->exec != NULL ? cairn_exec__inject_write(job->exec, &error) : 0;
  if (status == CAIRN_OK && failing > 0)
    cairn_journal__inject(job->journal, failing, error);
  return status;
}

cairn_status explore_journal_open(explore_job *job) {
  if (job->table != NULL && job->options->output == NULL)
    return CAIRN_OK; /* nothing is lost: a replay costs nothing */
  cairn_journal_header header;
  header_store store = {0};
  cairn_status status = choose_path(job);
  if (status == CAIRN_OK)
    status = fill_header(job, &store, &header);
  if (status == CAIRN_OK)
    status = open_with(job, &header);
  store_free(&store);
  return status;
}

/* ---- what the old journal holds ---- */

cairn_mcts_result explore_result_of(const explore_job *job,
                                    const cairn_journal_result *result) {
  cairn_mcts_result told = {.outcome = result->outcome,
                            .time_s = cairn_base_times_objective(
                                &result->times, job->options->objective),
                            .low_s = NAN,
                            .high_s = NAN,
                            .samples = result->times.samples};
  if (result->outcome == CAIRN_BASE_OUTCOME_OK && !(told.time_s > 0))
    told.outcome = CAIRN_BASE_OUTCOME_FAILED; /* no time: of no use */
  if (told.outcome != CAIRN_BASE_OUTCOME_OK &&
      told.outcome != CAIRN_BASE_OUTCOME_PRUNED)
    told.time_s = NAN;
  return told;
}

static cairn_status tell(explore_job *job, const cairn_journal_result *result,
                         cairn_dag_schedule *schedule) {
  cairn_status status = cairn_dag_schedule_parse(job->program, result->schedule,
                                                 job->diag, schedule);
  if (status != CAIRN_OK)
    return status;
  const cairn_mcts_result told = explore_result_of(job, result);
  status = explore_keep(job, result);
  if (status != CAIRN_OK)
    return status;
  return cairn_mcts__resume(job->search, schedule->items, schedule->count,
                            &told, job->diag);
}

cairn_status explore_journal_replay(explore_job *job) {
  if (job->old == NULL)
    return CAIRN_OK;
  cairn_dag_schedule schedule = {0};
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < job->old->results && status == CAIRN_OK; i++) {
    status = tell(job, &job->old->result[i], &schedule);
    if (status == CAIRN_INPUT)
      cairn_base_diag_add(job->diag, CAIRN_BASE_ERROR, job->journal_path,
                          job->old->result[i].line,
                          "this search would not have measured this schedule");
    job->at_s = job->old->result[i].at;
  }
  cairn_dag_schedule_free(&schedule);
  if (!isfinite(job->at_s))
    job->at_s = 0;
  job->progress.resumed = job->old->results;
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

/* A schedule begun by a process that neither reported nor ended properly may
 * have brought the process down, or something else has: a full disk, the
 * kernel for lack of memory, a power cut.  So it gets further chances.  A
 * replay runs nothing, so nothing can be guilty. */
unsigned explore_journal_deaths(const explore_job *job,
                                const cairn_mcts_proposal *proposal) {
  const cairn_journal_run *old = job->old;
  if (old == NULL || old->end_reason != NULL || job->table != NULL)
    return 0;
  for (size_t i = 0; i < old->begun_count; i++)
    if (old->begun[i].id == proposal->id &&
        strcmp(old->begun[i].schedule, job->text.data) == 0)
      return old->begun[i].times;
  return 0;
}
