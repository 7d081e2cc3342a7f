/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/policy.c - what the supervisor decides: is the job over, was an
 * attempt of use, what is a death to its schedule, which signal is passed on.
 * Nothing here looks at the world.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "exec/launch/launch-private.h"

/* ---- between two attempts ---- */

static int is_measured(cairn_base_outcome outcome) {
  return outcome == CAIRN_BASE_OUTCOME_OK ||
         outcome == CAIRN_BASE_OUTCOME_PRUNED ||
         outcome == CAIRN_BASE_OUTCOME_FAILED ||
         outcome == CAIRN_BASE_OUTCOME_WRONG;
}

cairn_exec_launch_state
cairn_exec__launch_state_of(const cairn_journal_run *run) {
  cairn_exec_launch_state s = {.results = run->results,
                               .begun = run->begun_count,
                               .guilty = UINT64_MAX,
                               .ended = run->end_reason != NULL};
  for (size_t i = 0; i < run->results; i++)
    s.measured += is_measured(run->result[i].outcome) ? 1 : 0;
  if (s.begun) {
    s.guilty = run->begun[s.begun - 1].id;
    s.deaths = run->begun[s.begun - 1].times;
  }
  s.by_signal = s.ended && strcmp(run->end_reason, "signal") == 0;
  return s;
}

/* A supervisor is not tied to the terminal as a job is: a hang-up stops the
 * job, which can go on. */
static cairn_status status_of_signal(int number) {
  return number == SIGHUP ? CAIRN_RESUMABLE
                          : cairn_base_status_of_signal(number);
}

/* Statuses with which a finished or refused job may leave. */
static cairn_status status_of_code(int code) {
  switch (code) {
  case 1:
    return CAIRN_FINDINGS;
  case 2:
    return CAIRN_USAGE;
  case 3:
    return CAIRN_INPUT;
  case 4:
    return CAIRN_ENV;
  case 5:
    return CAIRN_FAILED;
  case 130:
    return CAIRN_INTERRUPTED;
  case 143:
    return CAIRN_TERMINATED;
  default:
    return CAIRN_OK;
  }
}

int cairn_exec__launch_is_over(const cairn_exec_launch_end *end,
                               const cairn_exec_launch_state *before,
                               const cairn_exec_launch_state *now,
                               cairn_status *status_p) {
  const int touched =
      now->results != before->results || now->begun != before->begun;
  /* a rank that dies can leave any code: once schedules were run, it says
   * nothing */
  const int refused =
      (end->code >= 2 && end->code <= 4 && !touched) || end->code == 127;
  if (end->signal) {
    *status_p = status_of_signal(end->signal);
    return 1;
  }
  if (now->by_signal) { /* told by somebody else */
    const cairn_status told = status_of_code(end->code);
    *status_p = told == CAIRN_OK ? CAIRN_RESUMABLE : told;
    return 1;
  }
  const int news = touched || !before->ended || end->code == 0;
  if (now->ended && news && !refused) {
    *status_p =
        end->code == 1 || end->code == 5 ? status_of_code(end->code) : CAIRN_OK;
    return 1;
  }
  if (refused) {
    *status_p = end->code == 127 ? CAIRN_ENV : status_of_code(end->code);
    return 1;
  }
  return 0;
}

/* Has the attempt only died once more in the schedule of the one before? */
static int died_again(const cairn_exec_launch_state *before,
                      const cairn_exec_launch_state *now) {
  if (before->begun == 0)
    return 0;
  return now->begun
             ? now->guilty == before->guilty && now->deaths > before->deaths
             : now->results == before->results + 1;
}

unsigned cairn_exec__launch_fruitless(unsigned fruitless,
                                      const cairn_exec_launch_state *before,
                                      const cairn_exec_launch_state *now) {
  if (now->measured > before->measured)
    return 0;
  return died_again(before, now) ? fruitless : fruitless + 1;
}

double cairn_exec__launch_pause_s(unsigned fruitless) {
  return fruitless < 5 ? 0.1 * (1u << fruitless) : 3.0;
}

/* ---- deaths ---- */

int cairn_exec__launch_died_first(const cairn_exec_blackbox *box, size_t i,
                                  const int *gone, size_t count) {
  const cairn_exec_whereabouts me = cairn_exec__blackbox_rank(box, i);
  const size_t ranks = cairn_exec__blackbox_ranks(box);
  size_t mine = count; /* my place in the order */
  for (size_t k = count; k-- > 0;)
    mine = gone[k] == me.rank ? k : mine;
  /* ranks of other hosts may have gone earlier, unseen */
  const int sure = mine < count && ranks == (size_t)me.ranks;
  for (size_t j = 0; j < ranks; j++) {
    const cairn_exec_whereabouts other = cairn_exec__blackbox_rank(box, j);
    for (size_t k = 0; k < mine && mine < count; k++)
      if (gone[k] == other.rank && !other.closed)
        return 0; /* a consequence */
  }
  return !me.closed && (me.signal != 0 || sure);
}

cairn_base_outcome cairn_exec__launch_verdict(size_t crashed, unsigned deaths) {
  return crashed > 0                   ? CAIRN_BASE_OUTCOME_CRASHED
         : deaths >= CAIRN_EXEC_DEATHS ? CAIRN_BASE_OUTCOME_QUARANTINED
                                       : CAIRN_BASE_OUTCOME_OK;
}

/* ---- signals ---- */

int cairn_exec__launch_keeps(const char *status, const char *sleeps,
                             int number) {
  static const char *const heads[] = {"\nSigBlk:", "\nSigIgn:", "\nSigCgt:"};
  unsigned long long bits, kept = 0;
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    const char *const at = strstr(status, heads[i]);
    if (at != NULL && sscanf(at + strlen(heads[i]), " %llx", &bits) == 1)
      kept |= bits;
  }
  /* signals that sigwait waits for do not count as blocked meanwhile */
  return *status != '\0' && ((kept >> (number - 1) & 1) != 0 ||
                             strstr(sleeps, "sigtimedwait") != NULL);
}

int cairn_exec__launch_pass_on(int number, int keeps) {
  return number == SIGINT || (number == SIGUSR1 && keeps) ? number : SIGTERM;
}

/* ---- the command ---- */

const char *cairn_exec__launch_journal_of(char *const *command) {
  const char *found = NULL;
  for (size_t i = 0; command[i] != NULL; i++) {
    const char *const word = command[i];
    if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)
      found = command[i + 1] != NULL ? command[i + 1] : found;
    else if (strncmp(word, "--output=", 9) == 0)
      found = word + 9;
    else if (strncmp(word, "-o", 2) == 0)
      found = word + 2;
  }
  return found;
}

size_t cairn_exec__launch_resumed(char *const *command, char **resumed) {
  static char resume[] = "--resume";
  size_t words = 0;
  int there = 0;
  for (; command[words] != NULL; words++) {
    resumed[words] = command[words];
    there |= strcmp(command[words], resume) == 0;
  }
  if (!there)
    resumed[words++] = resume;
  resumed[words] = NULL;
  return words;
}
