/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-run.c - `cairn run`: one schedule, run on all ranks, verified, timed,
 * and traced if asked; or written as C.
 */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "run.h"
#include <cairn/exec.h>

enum {
  KEY_SCHEDULE = CAIRN_CLI_KEY,
  KEY_BACKEND,
  KEY_SAMPLES,
  KEY_PRECISION,
  KEY_TIME,
  KEY_VERIFY,
  KEY_TRACE,
  KEY_CRITICAL,
  KEY_EMIT
};

static const struct argp_option options[] = {
    {"schedule", KEY_SCHEDULE, "order|RUN:best|RUN:ID|FILE", 0,
     "Which schedule: program order, an entry of a journal, or the text in a "
     "file (order)",
     1},
    {"verify", KEY_VERIFY, 0, 0,
     "Insist that results are checked (they are where the plugin can)", 2},
    {"trace", KEY_TRACE, "FILE", 0,
     "Write when each item ran, in the trace format of chrome://tracing and "
     "Perfetto",
     2},
    {"critical-path", KEY_CRITICAL, 0, 0,
     "Show where the time goes: the critical path of a traced execution, the "
     "lower bound of its dependencies, and the gap between them",
     2},
    {"emit", KEY_EMIT, "c", 0,
     "Print the schedule as a C function instead of running it", 2},
    {"backend", KEY_BACKEND, "auto|cuda|host", 0,
     "What runs the operations (auto)", 3},
    {"samples", KEY_SAMPLES, "N", 0,
     "Take exactly N samples (until the time is precise)", 3},
    {"precision", KEY_PRECISION, "PERCENT", 0,
     "Sample until the median is known to so much (0.5)", 3},
    {"time", KEY_TIME, "SECONDS", 0, "Sample no longer than this (10)", 3},
    {0}};

typedef struct run_options {
  cairn_cli_common common;
  cairn_cli_program program;
  const char *file, *schedule, *trace;
  cairn_exec_options exec;
  unsigned samples;
  double precision, time_s;
  int verify, emit, critical, singleton;
} run_options;

typedef struct run_job {
  const run_options *options;
  cairn_base_diag *diag;
  cairn_exec_world *world;
  cairn_dag_program *program;
  cairn_dag_schedule schedule;
  cairn_exec *exec;
  cairn_exec_measurement measurement;
  cairn_exec_load load;
  cairn_exec_critical critical; /* no steps: not asked for */
} run_job;

static volatile sig_atomic_t signal_seen;

static void catch_signal(int number) { signal_seen = number; }

static void catch_signals(void) {
  struct sigaction action = {.sa_handler = catch_signal,
                             .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  cairn_cli_catch_hangup(&action);
}

/* ---- options ---- */

static int parse_what(run_options *o, int key, char *arg,
                      const struct argp_state *state) {
  static const char *const backends[] = {"auto", "cuda", "host"};
  switch (key) {
  case KEY_BACKEND:
    o->exec.backend =
        backends[cairn_cli_choice(state, "--backend", arg, backends, 3)];
    return 1;
  case KEY_SCHEDULE:
    o->schedule = arg;
    return 1;
  case KEY_TRACE:
    o->trace = arg;
    return 1;
  case KEY_CRITICAL:
    o->critical = 1;
    return 1;
  case KEY_EMIT:
    cairn_cli_choice(state, "--emit", arg, (const char *const[]){"c"}, 1);
    o->emit = 1;
    return 1;
  case KEY_VERIFY:
    o->verify = 1;
    return 1;
  case KEY_SAMPLES:
    o->samples =
        (unsigned)cairn_cli_integer(state, "--samples", arg, 1, 1000000);
    return 1;
  case KEY_PRECISION:
    o->precision = cairn_cli_number(state, "--precision", arg, 1e-3, 100);
    return 1;
  case KEY_TIME:
    o->time_s = cairn_cli_number(state, "--time", arg, 1e-3, 1e6);
    return 1;
  default:
    return 0;
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  run_options *o = state->input;
  if (parse_what(o, key, arg, state))
    return 0;
  if (key == ARGP_KEY_ARG) {
    if (o->file != NULL)
      argp_error(state, "unexpected argument \"%s\"", arg);
    o->file = arg;
    return 0;
  }
  if (key == ARGP_KEY_END && o->file == NULL &&
      !cairn_cli_asks_injects(&o->exec))
    argp_error(state, "expected a program file");
  return ARGP_ERR_UNKNOWN;
}

/* ---- results ---- */

static cairn_status schedule_text(const run_job *job, cairn_base_text *text) {
  const cairn_status status = cairn_dag_schedule_format(
      job->program, job->schedule.items, job->schedule.count, text);
  return status == CAIRN_OK && text->failed ? CAIRN_NOMEM : status;
}

/* What disturbed it, if anything did. */
static void print_load(const cairn_exec_load *l) {
  if (l->lost > 0)
    cairn_cli_print("lost      %u of %u samples, left out: a rank lost its "
                    "processor%s\n",
                    l->lost, l->samples,
                    l->stopped > 0 ? " (it was stopped)" : "");
  if (l->shared > 0)
    cairn_cli_print_shown("shared    ", l->sharing, ": times mean little\n");
  if (l->disturbed > 0) {
    cairn_cli_print_shown("others    ", l->strangest, "");
    cairn_cli_print(" used up to %.2g processors that the ranks run on\n",
                    l->stranger);
  }
}

static void print_text(const run_job *job, const char *schedule) {
  const cairn_exec_measurement *m = &job->measurement;
  const cairn_base_summary *s = &m->summary;
  cairn_cli_print("schedule  %s\n", schedule);
  cairn_cli_print("status    %s", cairn_base_outcome_text(m->outcome));
  cairn_cli_print_shown(m->message[0] != '\0' ? ": " : "", m->message, "\n");
  if (m->outcome != CAIRN_BASE_OUTCOME_OK)
    return;
  cairn_cli_print("samples   %u of %u executions each, %zu late; stopped: %s\n",
                  s->times.samples, m->k, s->late,
                  cairn_exec_reason_text(m->reason));
  cairn_cli_print("time      median %.4f us", 1e6 * s->times.p[CAIRN_BASE_P50]);
  if (!isnan(s->times.low))
    cairn_cli_print(", 95 %% interval %.4f to %.4f us", 1e6 * s->times.low,
                    1e6 * s->times.high);
  cairn_cli_print("\npercentiles");
#define PRINT_PERCENTILE(name, text, percent)                                  \
  cairn_cli_print("  " text " %.4f", 1e6 * s->times.p[CAIRN_BASE_##name]);
  CAIRN_BASE_PERCENTILE_TABLE(PRINT_PERCENTILE)
#undef PRINT_PERCENTILE
  cairn_cli_print(
      " us\nranks     skew %.4f us; rank %d was last in %.0f %% of samples\n",
      1e6 * s->times.skew, s->last_rank, 100 * s->last_share);
  print_load(&job->load);
}

static cairn_status print_json(const run_job *job, const char *schedule) {
  const cairn_exec_measurement *m = &job->measurement;
  const cairn_base_summary *s = &m->summary;
  json_t *path =
      job->critical.steps > 0
          ? run_critical_json(&job->critical, job->program, &job->schedule)
          : NULL;
  return cairn_cli_print_json(json_pack(
      "{s:i,s:s,s:s,s:o*,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:s,"
      "s:s,s:i,s:o,s:o,s:o*}",
      "schema", 1, "schedule", schedule, "status",
      cairn_base_outcome_text(m->outcome), "message",
      m->message[0] != '\0' ? cairn_cli_json_text(m->message) : NULL, "samples",
      (json_int_t)s->times.samples, "late", (json_int_t)s->late, "k",
      (json_int_t)m->k, "p01",
      cairn_cli_json_number(s->times.p[CAIRN_BASE_P01]), "p10",
      cairn_cli_json_number(s->times.p[CAIRN_BASE_P10]), "p50",
      cairn_cli_json_number(s->times.p[CAIRN_BASE_P50]), "p90",
      cairn_cli_json_number(s->times.p[CAIRN_BASE_P90]), "p99",
      cairn_cli_json_number(s->times.p[CAIRN_BASE_P99]), "stddev",
      cairn_cli_json_number(s->times.stddev), "low",
      cairn_cli_json_number(s->times.low), "high",
      cairn_cli_json_number(s->times.high), "skew",
      cairn_cli_json_number(s->times.skew), "why",
      cairn_exec_reason_text(m->reason), "start",
      m->start == CAIRN_EXEC_START_BARRIER ? "barrier" : "deadline", "lost",
      (int)job->load.lost, "sharing",
      cairn_cli_json_text(job->load.shared > 0 ? job->load.sharing : NULL),
      "strangest",
      cairn_cli_json_text(job->load.disturbed > 0 ? job->load.strangest : NULL),
      "critical_path", path));
}

static cairn_status print(const run_job *job) {
  if (job->measurement.outcome != CAIRN_BASE_OUTCOME_OK)
    cairn_cli_told(); /* it is the result */
  cairn_base_text text = {0};
  cairn_status status = schedule_text(job, &text);
  if (status == CAIRN_OK && job->options->common.json)
    status = print_json(job, text.data);
  else if (status == CAIRN_OK) {
    print_text(job, text.data);
    if (job->critical.steps > 0)
      status = run_critical_print(&job->critical, job->program, &job->schedule);
  }
  cairn_base_text_free(&text);
  return status;
}

/* ---- the trace, and C ---- */

static cairn_status write_trace(const run_job *job,
                                const cairn_exec_event *event, size_t count) {
  cairn_base_text text = {0};
  cairn_status status =
      cairn_exec_trace_json(job->program, job->schedule.items,
                            job->schedule.count, event, count, &text);
  if (status == CAIRN_OK)
    status = cairn_base_file_write(job->options->trace, text.data, text.length,
                                   job->diag);
  cairn_base_text_free(&text);
  return status;
}

/* Rank 0 alone, without MPI: nothing is run. */
static cairn_status emit(run_job *job) {
  const run_options *o = job->options;
  cairn_base_text text = {0};
  if (cairn_cli_rank() != 0)
    return CAIRN_OK;
  cairn_status status = cairn_cli_read_program(o->file, &o->program, job->diag,
                                               &job->program, NULL);
  if (status == CAIRN_OK)
    status = cairn_cli_read_schedule(o->schedule, job->program, job->diag,
                                     &job->schedule);
  if (status == CAIRN_OK)
    status = cairn_exec_emit_c(job->program, job->schedule.items,
                               job->schedule.count, &text);
  if (status == CAIRN_OK)
    fputs(text.data, stdout);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status trace(run_job *job) {
  cairn_exec_event *event = NULL;
  size_t count = 0;
  cairn_base_execution outcome;
  cairn_status status =
      cairn_exec_trace(job->exec, 0, &event, &count, &outcome);
  if (status == CAIRN_OK)
    status = write_trace(job, event, count);
  cairn_base_free(event);
  return status;
}

/* ---- the job ---- */

/* The trace must not fall upon what is read: the schedule's name may end with
 * an entry of a journal (run.jsonl:best). */
static cairn_status check_trace(const run_job *job) {
  const run_options *o = job->options;
  const char *const colon = o->schedule ? strrchr(o->schedule, ':') : NULL;
  char *const journal =
      colon ? cairn_base_strndup(o->schedule, (size_t)(colon - o->schedule))
            : NULL;
  const char *const input[] = {o->file, o->schedule, journal};
  const cairn_status status =
      cairn_cli_check_output("--trace", o->trace, input, 3, job->diag);
  cairn_base_free(journal);
  return status;
}

static cairn_status open_all(run_job *job) {
  const run_options *o = job->options;
  cairn_exec_options e = o->exec;
  cairn_status status = cairn_exec_world_open(NULL, job->diag, &job->world);
  catch_signals(); /* MPICH has put a handler of its own on SIGUSR1 */
  if (status == CAIRN_OK)
    status = cairn_cli_join(job->world, o->singleton, job->diag);
  if (status != CAIRN_OK)
    return status;
  status = cairn_cli_check_shared(o->file, job->world, job->diag);
  if (status == CAIRN_OK)
    status = cairn_cli_read_program(o->file, &o->program, job->diag,
                                    &job->program, &e.streams);
  status = cairn_exec_world_agree(job->world, status, job->diag);
  if (status != CAIRN_OK)
    return status;
  if (cairn_exec_world_rank(job->world) == 0)
    status = check_trace(job);
  if (status == CAIRN_OK && cairn_exec_world_rank(job->world) == 0)
    status = cairn_cli_read_schedule(o->schedule, job->program, job->diag,
                                     &job->schedule);
  status = cairn_exec_world_agree(job->world, status, job->diag);
  if (status != CAIRN_OK)
    return status;
  e.program_path = o->file;
  e.signal = &signal_seen;
  cairn_cli_watch_crashes(&e);
  status = cairn_exec_open(job->world, job->program, &e, job->diag, &job->exec);
  if (status == CAIRN_OK)
    cairn_cli_opened();
  return status;
}

static cairn_status status_of(const run_job *job) {
  const int number = cairn_exec_signal(job->exec);
  if (number != 0)
    return cairn_base_status_of_signal(number);
  return job->measurement.outcome == CAIRN_BASE_OUTCOME_OK ? CAIRN_OK
                                                           : CAIRN_FINDINGS;
}

static cairn_status drive(run_job *job) {
  const run_options *o = job->options;
  cairn_exec_plan plan;
  cairn_exec_plan_default(job->exec, &plan);
  plan.samples = o->samples;
  plan.half = o->precision / 100;
  plan.max_s = o->time_s;
  plan.max_samples = 1000000;
  if (o->verify && !plan.verify) {
    cairn_base_diag_error(job->diag, "--verify: the plugin has no verify "
                                     "function");
    return CAIRN_ENV;
  }
  cairn_status status = cairn_exec_prepare(job->exec, 0, job->schedule.items,
                                           job->schedule.count, job->diag);
  if (status == CAIRN_OK)
    status =
        cairn_exec_measure(job->exec, 0, &plan, &job->measurement, NULL, NULL);
  job->load = cairn_exec_load_report(job->exec);
  if (status == CAIRN_OK && o->critical &&
      job->measurement.outcome == CAIRN_BASE_OUTCOME_OK)
    status = run_critical_find(job->exec, job->program, &job->schedule,
                               &job->critical);
  if (status == CAIRN_OK || status == CAIRN_RESUMABLE) {
    const cairn_status printed = print(job);
    fflush(stdout); /* said, whatever becomes of the end of MPI */
    status = status == CAIRN_OK ? printed : status;
  }
  if (status == CAIRN_OK && o->trace != NULL)
    status = trace(job);
  return status == CAIRN_OK ? status_of(job) : status;
}

static cairn_status run_all(run_job *job) {
  cairn_status status = open_all(job);
  if (status != CAIRN_OK)
    return status;
  if (cairn_exec_world_rank(job->world) != 0)
    return cairn_exec_serve(job->exec);
  status = drive(job);
  const cairn_status stopped = cairn_exec_stop(job->exec, status);
  return status == CAIRN_OK ? stopped : status;
}

static cairn_status run_job_of(const run_options *o) {
  run_job job = {.options = o};
  cairn_status status = cairn_base_diag_create(0, &job.diag);
  if (status != CAIRN_OK)
    return status;
  catch_signals();
  status = o->emit ? emit(&job) : run_all(&job);
  cairn_cli_say(job.diag, status);
  cairn_exec_close(job.exec);
  cairn_cli_watch_crashes(NULL);
  cairn_exec_critical_free(&job.critical);
  cairn_dag_schedule_free(&job.schedule);
  cairn_dag_program_free(job.program);
  cairn_exec_world_close(job.world);
  cairn_base_diag_free(job.diag);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  run_options o = {.precision = 0.5, .time_s = 10};
  cairn_exec_options_default(&o.exec);
  const cairn_cli_parser parser = {
      options, parse, NULL, &o, &o.common, &o.program, &o.exec, &o.singleton};
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK && !cairn_cli_inject_help(&o.exec))
    status = run_job_of(&o);
  cairn_cli_program_free(&o.program);
  return status;
}

const cairn_cli_command cairn_cli_run = {
    "run", "PROGRAM.xml", "Run one schedule on all ranks and time it", run};
