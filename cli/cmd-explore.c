/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-explore.c - `cairn explore`: <cairn/explore.h> with the user's
 * options, and signals, crashes, progress and the exit code around it.
 */
#include "explore.h"

static volatile sig_atomic_t received;

static void catch_signal(int number) { received = number; }

static void catch_signals(void) {
  struct sigaction action = {.sa_handler = catch_signal,
                             .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  cairn_cli_catch_hangup(&action);
}

typedef struct explore_job {
  const explore_options *options;
  explore_progress shown;
} explore_job;

static void progress(void *context, const cairn_explore_progress *now) {
  explore_progress_show(&((explore_job *)context)->shown, now);
}

static void say(void *context, cairn_base_diag *diag, cairn_status status) {
  (void)context;
  cairn_cli_say(diag, status);
}

static cairn_status report(void *context, const cairn_explore_result *result) {
  const explore_options *o = ((explore_job *)context)->options;
  const cairn_status status = o->common.json ? explore_print_json(o, result)
                                             : explore_print_text(o, result);
  fflush(stdout); /* said, whatever becomes of the end of MPI */
  return status;
}

static void guard(void *context, cairn_explore_moment moment,
                  cairn_exec_options *exec) {
  (void)context;
  if (moment == CAIRN_EXPLORE_OPENED)
    cairn_cli_opened();
  else
    cairn_cli_watch_crashes(exec);
}

static cairn_status read_program(explore_options *o, cairn_base_diag *diag,
                                 cairn_dag_program **program_p) {
  cairn_status status = cairn_cli_check_shared(o->run.file, o->run.world, diag);
  if (status == CAIRN_OK)
    status =
        cairn_cli_read_program(o->run.file, &o->program, diag, program_p, NULL);
  return o->run.world == NULL
             ? status
             : cairn_exec_world_agree(o->run.world, status, diag);
}

static cairn_status explore(explore_options *o, cairn_base_diag *diag) {
  explore_job job = {
      .options = o,
      .shown = {.quiet = o->common.quiet, .budget = o->run.budget}};
  cairn_dag_program *program = NULL;
  cairn_status status = read_program(o, diag, &program);
  o->run.program = program;
  o->run.signal = &received;
  o->run.hooks = (cairn_explore_hooks){.context = &job,
                                       .progress = progress,
                                       .say = say,
                                       .report = report,
                                       .guard = guard};
  if (status == CAIRN_OK)
    status = cairn_explore_run(&o->run, diag, NULL);
  cairn_cli_say(diag, status);
  cairn_dag_program_free(program);
  return status;
}

static cairn_status explore_on_ranks(explore_options *o,
                                     cairn_base_diag *diag) {
  cairn_exec_world *world = NULL;
  cairn_status status = cairn_exec_world_open(NULL, diag, &world);
  catch_signals(); /* MPICH has put a handler of its own on SIGUSR1 */
  if (status == CAIRN_OK)
    status = cairn_cli_join(world, o->singleton, diag);
  o->run.world = world;
  if (status == CAIRN_OK)
    status = explore(o, diag);
  cairn_cli_say(diag, status);
  cairn_exec_world_close(world);
  return status;
}

static cairn_status run_job(explore_options *o) {
  cairn_base_diag *diag;
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (status != CAIRN_OK)
    return status;
  catch_signals();
  if (o->run.recorded == NULL)
    status = explore_on_ranks(o, diag);
  else if (cairn_cli_rank() == 0) /* under a launcher it replays alone */
    status = explore(o, diag);
  cairn_base_diag_free(diag);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  explore_options options;
  cairn_status status = explore_parse(self, argc, argv, &options);
  if (status == CAIRN_OK && options.list_strategies) {
    if (cairn_cli_rank() == 0)
      explore_print_strategies(stdout);
  } else if (status == CAIRN_OK && !cairn_cli_inject_help(&options.run.exec))
    status = run_job(&options);
  explore_options_free(&options);
  return status;
}

const cairn_cli_command cairn_cli_explore = {
    "explore", "PROGRAM.xml",
    "Search the schedules of a program: run, time and explain them", run};
