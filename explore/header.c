/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/header.c - the journal's header: what was searched, how and where.
 */
#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "exec/drive-private.h"
#include "explore/explore-private.h"
#include "journal/origin-private.h"
#include "mcts/search-private.h"

void cairn_explore__header_free(cairn_explore_header *store) {
  cairn_base_free(store->param_name);
  cairn_base_free(store->param_value);
  cairn_base_free(store->fact);
  cairn_base_text_free(&store->settings);
  cairn_base_text_free(&store->priors);
}

static cairn_status fill_params(const cairn_explore_session *session,
                                cairn_explore_header *store) {
  size_t count;
  const cairn_dag_param *param =
      cairn_dag__program_params(session->program, &count);
  store->param_name = cairn_base_alloc(count + 1, sizeof(char *));
  store->param_value = cairn_base_alloc(count + 1, sizeof(char *));
  if (store->param_name == NULL || store->param_value == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++) {
    store->param_name[i] = param[i].name;
    store->param_value[i] = param[i].value;
  }
  store->header.param_name = store->param_name;
  store->header.param_value = store->param_value;
  store->header.params = count;
  return CAIRN_OK;
}

/* Settings and priors change what the search proposes, so they are facts of
 * the run; absent when there are none. */
static cairn_status fill_facts(const cairn_explore_session *session,
                               cairn_explore_header *store) {
  const cairn_explore_options *o = session->options;
  const cairn_exec_info *info = session->ranks.exec != NULL
                                    ? cairn_exec__info_get(session->ranks.exec)
                                    : NULL;
  const size_t measured = info != NULL ? info->facts : 0;
  const char *backend =
      session->table != NULL
          ? cairn_journal__origin_backend(
                &cairn_explore__table_run(session->table)->header)
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
  store->header.fact = store->fact;
  store->header.facts = n;
  return store->settings.failed || store->priors.failed ? CAIRN_NOMEM
                                                        : CAIRN_OK;
}

cairn_status cairn_explore__header_fill(const cairn_explore_session *session,
                                        cairn_explore_header *store) {
  const cairn_explore_options *o = session->options;
  *store = (cairn_explore_header){0};
  store->header = (cairn_journal_header){
      .cairn = PACKAGE_VERSION,
      .program_name = cairn_dag_program_name(session->program),
      .program_digest = cairn_dag__program_digest(session->program),
      .program_graph = cairn_dag__program_graph(session->program),
      .streams = session->streams,
      .sync = o->sync == CAIRN_DAG_SYNC_MINIMAL ? "minimal" : "tidy",
      .strategy = cairn_mcts__strategy_name(session->search),
      .seed = o->seed,
      .objective = session->objective};
  session->source->describe(session, &store->header);
  const cairn_status status = fill_params(session, store);
  return status == CAIRN_OK ? fill_facts(session, store) : status;
}
