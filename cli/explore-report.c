/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-report.c - progress while a search runs, and its result as text
 * or JSON.
 *
 * Progress goes to standard error: on a terminal one line that is rewritten at
 * most five times a second, elsewhere a line every ten seconds.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exec/drive-private.h"
#include "explore.h"
#include "mcts/search-private.h"
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

double explore_now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- progress ---- */

void explore_progress_start(explore_job *job) {
  explore_progress *p = &job->progress;
  p->started_s = p->shown_s = explore_now_s();
  p->tty = isatty(STDERR_FILENO);
}

static void print_best(FILE *out, const explore_job *job) {
  uint64_t id;
  cairn_mcts_result best;
  if (cairn_mcts_best(job->search, &id) != CAIRN_OK)
    return;
  cairn_mcts_get(job->search, id, NULL, NULL, &best);
  cairn_base_print(out, ", best %.4g us (schedule %llu)", best.time_s * 1e6,
                   (unsigned long long)id);
}

void explore_progress_show(explore_job *job, int last) {
  explore_progress *p = &job->progress;
  if (job->options->common.quiet)
    return;
  const double now = explore_now_s();
  if (!last && now - p->shown_s < (p->tty ? 0.2 : 10))
    return;
  if (last && !p->drawn)
    return; /* short runs say nothing but their result */
  p->shown_s = now;
  p->drawn = 1;
  const uint64_t done = cairn_mcts_evaluations(job->search);
  cairn_base_print(stderr, "%s%llu",
                   p->tty ? "\r\033[K" : "cairn: ", (unsigned long long)done);
  if (job->options->budget > 0)
    cairn_base_print(stderr, "/%llu", (unsigned long long)job->options->budget);
  cairn_base_print(stderr, " schedules, %llu failed, %.3g/s",
                   (unsigned long long)cairn_mcts__failures(job->search),
                   (double)(done - p->resumed) /
                       fmax(now - p->started_s, 1e-3));
  print_best(stderr, job);
  fputs(!p->tty || last ? "\n" : "", stderr);
  fflush(stderr);
}

void explore_progress_note(explore_job *job, const char *format, ...) {
  explore_progress *p = &job->progress;
  va_list args;
  char line[512];
  const double now = explore_now_s();
  if (job->options->common.quiet)
    return;
  if (format == NULL) {
    if (p->noted && p->tty)
      fputs("\n", stderr);
    p->noted = 0;
    return;
  }
  if (now - p->shown_s < (p->tty ? 0.2 : 10))
    return;
  p->shown_s = now;
  p->noted = 1;
  va_start(args, format);
  cairn_base_vformat(line, sizeof line, format, args);
  va_end(args);
  cairn_base_print(stderr, p->tty ? "\r\033[K%s" : "cairn: %s\n", line);
  fflush(stderr);
}

/* ---- the result ---- */

/* The best schedule by the better numbers. */
static void refined_best(const explore_job *job, uint64_t *id_p,
                         double *time_p) {
  double best_s = INFINITY;
  for (size_t i = 0; i < job->refined.finalists; i++) {
    const uint64_t id = job->refined.finalist[i].estimate.id;
    if (id == EXPLORE_PROGRAM_ORDER)
      continue;
    const double time_s = cairn_base_times_objective(
        &job->kept[id].result.times, job->options->objective);
    if (time_s < best_s) {
      best_s = *time_p = time_s;
      *id_p = id;
    }
  }
}

static const char *best_text(const explore_job *job, uint64_t *id_p,
                             double *time_p, cairn_base_text *text) {
  const cairn_dag_item *items;
  size_t count;
  cairn_mcts_result best;
  if (cairn_mcts_best(job->search, id_p) != CAIRN_OK)
    return NULL;
  cairn_mcts_get(job->search, *id_p, &items, &count, &best);
  *time_p = best.time_s;
  if (job->refined.done)
    refined_best(job, id_p, time_p);
  cairn_mcts_get(job->search, *id_p, &items, &count, NULL);
  if (cairn_dag_schedule_format(job->program, items, count, text) != CAIRN_OK)
    return NULL;
  return text->data;
}

static const char *stop_text(const explore_job *job) {
  return cairn_mcts_stop_text(cairn_mcts_stop_reason(job->search));
}

static json_t *best_json(const explore_job *job) {
  uint64_t id;
  double time_s;
  cairn_base_text text = {0};
  const char *schedule = best_text(job, &id, &time_s, &text);
  json_t *object =
      schedule == NULL
          ? json_null()
          : json_pack("{s:o, s:f, s:s}", "id", cairn_cli_json_integer(id),
                      "time", time_s, "schedule", schedule);
  cairn_base_text_free(&text);
  return object;
}

static json_t *curve_json(const explore_job *job) {
  size_t count;
  const cairn_mcts_point *point = cairn_mcts__curve(job->search, &count);
  json_t *curve = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(
        curve, json_pack("[o, f]", cairn_cli_json_integer(point[i].evaluations),
                         point[i].time_s));
  return curve;
}

/* Evaluations until a schedule of this time was measured; 0: none was.  With
 * noise the recorded time counts, not the one drawn. */
static uint64_t evaluations_to(const explore_job *job, double target_s) {
  if (job->options->noise == 0)
    return cairn_mcts__evaluations_to(job->search, target_s);
  for (uint64_t id = 0; id < cairn_mcts_evaluations(job->search); id++) {
    const cairn_dag_item *items;
    const cairn_journal_result *found;
    size_t count;
    cairn_mcts_get(job->search, id, &items, &count, NULL);
    found = cairn_explore__table_find(job->table, items, count);
    if (found != NULL &&
        cairn_base_times_objective(&found->times, job->options->objective) <=
            target_s)
      return id + 1;
  }
  return 0;
}

/* Evaluations until the best was within 5, 1 and 0 % of the recorded best. */
static json_t *to_json(const explore_job *job) {
  static const struct {
    const char *name;
    double factor;
  } target[] = {{"5%", 1.05}, {"1%", 1.01}, {"0%", 1}};
  const double best =
      cairn_explore__table_best(job->table, job->options->objective);
  json_t *to = json_object();
  for (size_t i = 0; i < sizeof target / sizeof target[0]; i++) {
    const uint64_t n = evaluations_to(job, best * target[i].factor);
    json_object_set_new(to, target[i].name,
                        n == 0 ? json_null() : cairn_cli_json_integer(n));
  }
  return to;
}

/* As `cairn classify --format json`; null without a good result. */
static cairn_status explanation_json(explore_job *job, json_t **json_p) {
  cairn_base_text text = {0};
  cairn_status status = explore_explain(job, 1, &text);
  *json_p = status == CAIRN_OK ? json_loadb(text.data, text.length, 0, NULL)
                               : json_null();
  cairn_base_text_free(&text);
  if (status == CAIRN_FINDINGS)
    return CAIRN_OK;
  return status == CAIRN_OK && *json_p == NULL ? CAIRN_NOMEM : status;
}

static cairn_status print_json(explore_job *job) {
  json_t *object = json_pack(
      "{s:i, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "schema", 1,
      "program", cairn_dag_program_name(job->program), "strategy",
      cairn_mcts__strategy_name(job->search), "seed",
      cairn_cli_json_integer(job->options->seed), "evaluations",
      cairn_cli_json_integer(cairn_mcts_evaluations(job->search)), "failed",
      cairn_cli_json_integer(cairn_mcts__failures(job->search)), "stopped",
      stop_text(job), "best", best_json(job), "curve", curve_json(job),
      "journal", cairn_cli_json_text(job->journal_path));
  if (object != NULL)
    json_object_set_new(object, "failures", explore_failures_json(job));
  if (object != NULL && job->table != NULL)
    json_object_set_new(object, "to", to_json(job));
  if (object != NULL && job->exec != NULL)
    json_object_set_new(object, "noise", explore_trust_json(job));
  if (object != NULL)
    json_object_set_new(object, "refined", explore_refine_json(job));
  json_t *explanation;
  cairn_status status = explanation_json(job, &explanation);
  if (object != NULL && status == CAIRN_OK)
    json_object_set_new(object, "classification", explanation);
  if (status == CAIRN_OK)
    return cairn_cli_print_json(object);
  json_decref(object);
  return status;
}

static int print_share(explore_job *job) {
  double share;
  cairn_dag_size size;
  if (cairn_mcts__share(job->search, &share, &size) != CAIRN_OK)
    return 0;
  cairn_cli_print(" of %s%.*g (%.3g %%)", size.exact ? "" : "about ",
                  size.exact ? 15 : 3, size.count, share * 100);
  return 1;
}

static const char *stop_words(cairn_mcts_stop reason) {
  switch (reason) {
  case CAIRN_MCTS_BUDGET:
    return "the budget is used up";
  case CAIRN_MCTS_TIME:
    return "the time is used up";
  case CAIRN_MCTS_EXHAUSTED:
    return "the space is exhausted";
  case CAIRN_MCTS_SIGNAL:
    return "a signal came";
  default:
    return "the search was ended";
  }
}

static void print_machine(const explore_job *job) {
  if (job->table != NULL) {
    cairn_cli_print_shown("Replayed:  ", job->options->recorded, "\n");
    return;
  }
  const cairn_exec_info *info = cairn_exec__info_get(job->exec);
  cairn_cli_print("Ran on:    backend %s, %d rank%s", info->backend,
                  cairn_exec_world_size(job->world),
                  cairn_exec_world_size(job->world) == 1 ? "" : "s");
  for (size_t i = 0; i < info->devices; i++)
    cairn_cli_print_shown(", ", info->device[i], "");
  cairn_cli_print("%s\n", job->plan.verify ? "; results verified" : "");
}

static cairn_status print_text(explore_job *job) {
  uint64_t id;
  double time_s;
  cairn_base_text text = {0};
  cairn_cli_print("Program:   %s, %u stream%s, strategy %s, seed %llu\n",
                  cairn_dag_program_name(job->program), job->streams,
                  job->streams == 1 ? "" : "s",
                  cairn_mcts__strategy_name(job->search),
                  (unsigned long long)job->options->seed);
  print_machine(job);
  cairn_cli_print("Measured:  %llu",
                  (unsigned long long)cairn_mcts_evaluations(job->search));
  const int share = print_share(job);
  cairn_cli_print(" schedule%s, %llu failed; %s\n",
                  share || cairn_mcts_evaluations(job->search) != 1 ? "s" : "",
                  (unsigned long long)cairn_mcts__failures(job->search),
                  stop_words(cairn_mcts_stop_reason(job->search)));
  explore_failures_print(job);
  if (job->exec != NULL)
    explore_trust_print(job);
  const char *schedule = best_text(job, &id, &time_s, &text);
  if (schedule != NULL)
    cairn_cli_print("Best:      %.4f us (%s), schedule %llu\n  %s\n",
                    time_s * 1e6, job->options->objective,
                    (unsigned long long)id, schedule);
  explore_refine_print(job);
  cairn_base_text_clear(&text);
  cairn_status status = explore_explain(job, 0, &text);
  if (status == CAIRN_OK)
    cairn_cli_print("\n%s\n", text.data);
  cairn_base_text_free(&text);
  if (job->journal_path != NULL)
    cairn_cli_print_shown("Journal:   ", job->journal_path, "\n");
  return status == CAIRN_FINDINGS ? CAIRN_OK : status;
}

static cairn_status write_dot(explore_job *job) {
  enum { LEVELS = 5, WIDTH = 6 };
  cairn_base_text text = {0};
  cairn_status status = cairn_mcts__view_dot(job->search, LEVELS, WIDTH, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_base_file_write(job->options->dot, text.data, text.length,
                                   job->diag);
  cairn_base_text_free(&text);
  return status;
}

cairn_status explore_finish(explore_job *job) {
  cairn_status status =
      job->options->common.json ? print_json(job) : print_text(job);
  fflush(stdout); /* said, whatever becomes of the end of MPI */
  if (status == CAIRN_OK && job->options->dot != NULL)
    status = write_dot(job);
  return status;
}
