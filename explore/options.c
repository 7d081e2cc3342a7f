/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/options.c - defaults, and what follows from options.
 */
#include "base/clock-private.h"
#include "explore/explore-private.h"

void cairn_explore_options_default(cairn_explore_options *options) {
  *options = (cairn_explore_options){.sync = CAIRN_DAG_SYNC_TIDY};
  cairn_exec_options_default(&options->exec);
}

int cairn_explore__signalled(const cairn_explore_session *session) {
  const volatile sig_atomic_t *own = session->options->signal;
  if (own != NULL && *own != 0)
    return *own;
  return session->ranks.exec != NULL ? cairn_exec_signal(session->ranks.exec)
                                     : 0;
}

int cairn_explore__wants_refining(const cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  if (session->source->bench == NULL || cairn_explore__signalled(session))
    return 0;
  return o->refine == CAIRN_EXPLORE_REFINE_AUTO
             ? o->samples == 0
             : o->refine != CAIRN_EXPLORE_REFINE_NO;
}

double cairn_explore__at_s(const cairn_explore_session *session) {
  return session->at_s + cairn_base__now_s() - session->started_s;
}

void cairn_explore__tell(const cairn_explore_session *session,
                         cairn_explore_progress *progress) {
  const cairn_explore_hooks *hooks = &session->options->hooks;
  if (hooks->progress == NULL)
    return;
  progress->elapsed_s = cairn_base__now_s() - session->started_s;
  hooks->progress(hooks->context, progress);
}
