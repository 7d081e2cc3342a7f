/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/crash.c - a rank that crashes says where it stands, then crashes as it
 * would have without us: the action that was there before is put back, and the
 * fault, or a copy of the signal, meets it.
 */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include <cairn/exec.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

/* A handler has nothing but globals. */
static cairn_exec *volatile watched;
static int is_open;
static struct sigaction before[CRASHES];

static void crash(int number, siginfo_t *info, void *context) {
  cairn_exec *const exec = watched;
  (void)context;
  if (exec != NULL)
    cairn_exec_dying(exec, number);
  for (int i = 0; i < CRASHES; i++)
    if (crashes[i] == number)
      sigaction(number, &before[i], NULL);
  if (info->si_code <= 0) /* sent: it will not come again by itself */
    raise(number);
}

/* exit, called by the plugin: the job has not ended well, whatever code it
 * was given.  The other ranks are ended by the launcher. */
static void leave(void) {
  if (watched == NULL || !cairn_exec_dying(watched, CAIRN_EXEC_EXITED))
    return;
  const cairn_status status =
      is_open ? CAIRN_RESUMABLE : CAIRN_ENV; /* in setup: of no use again */
  _exit(cairn_base_status_exit_code(status));
}

void cairn_cli_watch_crashes(cairn_exec_options *options) {
  const struct sigaction action = {.sa_sigaction = crash,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK};
  static int was, registered;
  const int now = options != NULL;
  is_open = 0;
  if (now) {
    options->self = &watched;
    if (!registered)
      registered = atexit(leave) == 0;
  }
  for (int i = 0; i < CRASHES && was != now; i++) {
    if (now)
      sigaction(crashes[i], &action, &before[i]);
    else
      sigaction(crashes[i], &before[i], NULL);
  }
  was = now;
}

void cairn_cli_opened(void) { is_open = 1; }

/* Was SIGHUP ignored when the process began (nohup)?  UCX puts a handler there
 * when it is loaded, so this looks before any library does anything. */
static volatile sig_atomic_t hangup_ignored;

static void look_early(void) {
  struct sigaction now;
  hangup_ignored =
      sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const early)(void) = look_early;

void cairn_cli_catch_hangup(const struct sigaction *action) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGHUP, hangup_ignored ? &ignore : action, NULL);
}
