/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/main.c - finds the subcommand, runs it, makes sure that its output
 * arrived, and turns its status into the exit code.  The only place that
 * decides how the process ends.
 */
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "cli.h"
#include "version.h"

static const cairn_cli_command *const commands[] = {
#define CAIRN_CLI_ENTRY(id, name) &cairn_cli_##id,
    CAIRN_CLI_COMMANDS(CAIRN_CLI_ENTRY)
#undef CAIRN_CLI_ENTRY
};
static const char *const command_names[] = {
#define CAIRN_CLI_NAME(id, name) name,
    CAIRN_CLI_COMMANDS(CAIRN_CLI_NAME)
#undef CAIRN_CLI_NAME
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out) {
  fputs("Usage: cairn COMMAND [OPTION...] [ARGUMENT...]\n"
        "Searches the schedules of a CUDA+MPI program, runs and times them,\n"
        "and explains in words what makes the fast ones fast.\n\n",
        out);
  for (size_t i = 0; i < COMMANDS; i++)
    cairn_base_print(out, "  %-14s%s\n", commands[i]->name,
                     commands[i]->summary);
  fputs("\n"
        "  cairn COMMAND --help       options of a command\n"
        "  cairn --version [--verbose]  version, features and libraries\n\n"
        "Exit codes: 0 ok, 1 findings or nothing usable, 2 usage, 3 bad "
        "input,\n4 environment, 5 failed schedules with --strict, 75 stopped "
        "and resumable,\n130 and 143 interrupted.  See cairn(1).\n",
        out);
}

static const cairn_cli_command *find_command(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static cairn_status unknown_command(const char *word) {
  if (cairn_cli_rank() != 0)
    return CAIRN_USAGE;
  const char *near = cairn_base_text_nearest(word, command_names, COMMANDS);
  cairn_base_text text = {0};
  cairn_base_text_add_shown(&text, word, 0);
  cairn_base_print(stderr, "cairn: error: unknown %s \"%s\"",
                   word[0] == '-' ? "option" : "command",
                   text.data != NULL ? text.data : "");
  cairn_base_text_free(&text);
  if (near != NULL)
    cairn_base_print(stderr, ": did you mean \"%s\"?", near);
  fputs("\nTry \"cairn --help\".\n", stderr);
  return CAIRN_USAGE;
}

/* Is it started once a rank, of which 0 speaks?  The others are no MPI jobs,
 * whatever the environment says. */
static int is_of_ranks(const cairn_cli_command *command) {
  return command == &cairn_cli_explore || command == &cairn_cli_run ||
         command == &cairn_cli_doctor;
}

static cairn_status run_command(const cairn_cli_command *command, int argc,
                                char **argv) {
  cairn_base_text name = {0};
  cairn_base_text_addf(&name, "cairn %s", command->name);
  if (name.failed)
    return CAIRN_NOMEM;
  argv[0] = name.data;
  if (!is_of_ranks(command))
    cairn_cli_set_rank(0);
  cairn_status status = command->run(command, argc, argv);
  status = cairn_cli_excuse(command->name, status);
  cairn_base_text_free(&name);
  return status;
}

static int is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 ||
         strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* `cairn --version` takes --verbose or -v only. */
static cairn_status version(int argc, char **argv) {
  int verbose = 0;
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--verbose") != 0 && strcmp(argv[i], "-v") != 0)
      return unknown_command(argv[i]);
    verbose = 1;
  }
  if (cairn_cli_rank() == 0)
    cairn_cli_print_version(stdout, verbose);
  return CAIRN_OK;
}

static cairn_status dispatch(int argc, char **argv) {
  if (argc < 2) {
    if (cairn_cli_rank() == 0)
      print_usage(stderr);
    return CAIRN_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "help") == 0 && argc > 2) {
    const cairn_cli_command *command = find_command(argv[2]);
    char help[] = "--help";
    char *help_argv[] = {argv[0], help, NULL};
    return command == NULL ? unknown_command(argv[2])
                           : run_command(command, 2, help_argv);
  }
  if (is_help(word)) {
    if (cairn_cli_rank() == 0)
      print_usage(stdout);
    return CAIRN_OK;
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
    return version(argc, argv);
  const cairn_cli_command *command = find_command(word);
  if (command == NULL)
    return unknown_command(word);
  return run_command(command, argc - 1, argv + 1);
}

/* For this thread, whatever locale a library or plugin sets. */
static void numbers_as_in_c(void) {
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c != (locale_t)0)
    uselocale(c);
}

int main(int argc, char **argv) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, NULL);
  numbers_as_in_c();
  argp_err_exit_status = cairn_base_status_exit_code(CAIRN_USAGE);
  cairn_status status = cairn_cli_stack();
  if (status == CAIRN_OK)
    status = dispatch(argc, argv);
  status = cairn_cli_close_output(status);
  return cairn_base_status_exit_code(status);
}
