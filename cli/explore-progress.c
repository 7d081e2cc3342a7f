/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-progress.c - what is shown on standard error while `cairn
 * explore` runs: on a terminal one line that is rewritten at most five times a
 * second, elsewhere a line every ten seconds.
 */
#include <math.h>
#include <unistd.h>

#include "explore.h"

/* Is it time for another line? */
static int is_due(const explore_progress *shown, double now_s) {
  return now_s - shown->shown_s >= (shown->tty ? 0.2 : 10);
}

static void show_search(explore_progress *shown,
                        const cairn_explore_progress *p) {
  const int last = p->phase == CAIRN_EXPLORE_SEARCHED;
  if (last ? !shown->drawn /* short runs say nothing but their result */
           : !is_due(shown, p->elapsed_s))
    return;
  shown->shown_s = p->elapsed_s;
  shown->drawn = 1;
  cairn_base_print(stderr, "%s%llu", shown->tty ? "\r\033[K" : "cairn: ",
                   (unsigned long long)p->evaluations);
  if (shown->budget > 0)
    cairn_base_print(stderr, "/%llu", (unsigned long long)shown->budget);
  cairn_base_print(stderr, " schedules, %llu failed, %.3g/s",
                   (unsigned long long)p->failures,
                   (double)(p->evaluations - p->resumed) /
                       fmax(p->elapsed_s, 1e-3));
  if (p->has_best)
    cairn_base_print(stderr, ", best %.4g us (schedule %llu)", p->best_s * 1e6,
                     (unsigned long long)p->best);
  fputs(!shown->tty || last ? "\n" : "", stderr);
  fflush(stderr);
}

static void show_refining(explore_progress *shown,
                          const cairn_explore_progress *p) {
  if (!is_due(shown, p->elapsed_s))
    return;
  shown->shown_s = p->elapsed_s;
  shown->noted = 1;
  cairn_base_print(stderr,
                   "%smeasuring %zu schedules again, side by side: round %u, "
                   "%.0f of about %.0f s%s",
                   shown->tty ? "\r\033[K" : "cairn: ", p->schedules, p->round,
                   p->spent_s, p->announced_s, shown->tty ? "" : "\n");
  fflush(stderr);
}

void explore_progress_show(explore_progress *shown,
                           const cairn_explore_progress *progress) {
  if (shown->quiet)
    return;
  switch (progress->phase) {
  case CAIRN_EXPLORE_STARTED:
    shown->shown_s = progress->elapsed_s;
    shown->tty = isatty(STDERR_FILENO);
    break;
  case CAIRN_EXPLORE_REFINING:
    show_refining(shown, progress);
    break;
  case CAIRN_EXPLORE_REFINED:
    if (shown->noted && shown->tty)
      fputs("\n", stderr);
    shown->noted = 0;
    break;
  default:
    show_search(shown, progress);
    break;
  }
}
