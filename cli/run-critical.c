/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/run-critical.c - `cairn run --critical-path`: where the time of a
 * schedule goes.
 */
#include "run.h"
#include <cairn/exec.h>

enum { TRACES = 11 };

cairn_status run_critical_find(cairn_exec *exec,
                               const cairn_dag_program *program,
                               const cairn_dag_schedule *schedule,
                               cairn_exec_critical *critical_p) {
  return cairn_exec_critical_measure(exec, 0, program, schedule->items,
                                     schedule->count, TRACES, critical_p);
}

/* ---- names ---- */

/* The words of the schedule's text, by position; `text` holds them. */
static char **words(const cairn_dag_program *program,
                    const cairn_dag_schedule *schedule, cairn_base_text *text) {
  char **word = cairn_base_zalloc(schedule->count + 1, sizeof *word);
  if (word == NULL ||
      cairn_dag_schedule_format(program, schedule->items, schedule->count,
                                text) != CAIRN_OK ||
      text->failed) {
    cairn_base_free(word);
    return NULL;
  }
  char *at = text->data;
  for (size_t i = 0; i < schedule->count; i++) {
    word[i] = at;
    while (*at != ' ' && *at != '\0')
      at++;
    if (*at != '\0')
      *at++ = '\0';
  }
  return word;
}

/* ---- in words ---- */

static void print_step(const cairn_exec_step *s, const char *word,
                       const cairn_dag_item *item) {
  char where[24] = "host";
  if (s->on_stream)
    snprintf(where, sizeof where, "stream %u", item->stream);
  cairn_cli_print(
      "  %10.3f %9.3f %9.3f  %4d  %-9s  %s%s, when %s\n", 1e6 * s->from_s,
      1e6 * (s->start_s - s->from_s), 1e6 * (s->stop_s - s->start_s), s->rank,
      where, item->kind == CAIRN_DAG_ITEM_GPU && !s->on_stream ? "launch " : "",
      word, cairn_exec_because_text(s->because));
}

static double share(const cairn_exec_critical *c, double part_s) {
  return c->span_s > 0 ? 100 * part_s / c->span_s : 0;
}

static void print_bound(const cairn_exec_critical *c,
                        const cairn_dag_program *program) {
  cairn_cli_print("lower bound  %.3f us, whatever the order and the streams: ",
                  1e6 * c->bound_s);
  for (size_t i = 0; i < c->bound_ops; i++) {
    const char *name = cairn_dag_program_op(program, c->bound_op[i])->name;
    if (i > 0 && c->bound_rank[i] != c->bound_rank[i - 1])
      cairn_cli_print(" => rank %d: %s", c->bound_rank[i], name);
    else
      cairn_cli_print("%s%s", i > 0 ? " " : "", name);
  }
  cairn_cli_print("\ngap          %.3f us, %.1f %% of the span\n",
                  1e6 * (c->span_s - c->bound_s),
                  share(c, c->span_s - c->bound_s));
}

cairn_status run_critical_print(const cairn_exec_critical *c,
                                const cairn_dag_program *program,
                                const cairn_dag_schedule *schedule) {
  cairn_base_text text = {0};
  char **word = words(program, schedule, &text);
  if (word == NULL) {
    cairn_base_text_free(&text);
    return CAIRN_NOMEM;
  }
  cairn_cli_print(
      "critical path of a traced execution (the median of %d): %.3f us\n"
      "  %10s %9s %9s  %4s  %-9s  %s\n",
      TRACES, 1e6 * c->span_s, "from us", "delay us", "work us", "rank",
      "where", "what");
  for (size_t i = 0; i < c->steps; i++)
    print_step(&c->step[i], word[c->step[i].item],
               &schedule->items[c->step[i].item]);
  cairn_cli_print(
      "  GPU ops %.3f us (%.0f %%), host calls %.3f us (%.0f %%), messages "
      "and signals %.3f us (%.0f %%), delays %.3f us (%.0f %%)\n",
      1e6 * c->gpu_s, share(c, c->gpu_s), 1e6 * c->host_s, share(c, c->host_s),
      1e6 * c->wait_s, share(c, c->wait_s), 1e6 * c->delay_s,
      share(c, c->delay_s));
  print_bound(c, program);
  cairn_base_free(word);
  cairn_base_text_free(&text);
  return CAIRN_OK;
}

/* ---- JSON ---- */

static json_t *steps_json(const cairn_exec_critical *c, char **word,
                          const cairn_dag_schedule *schedule) {
  json_t *list = json_array();
  for (size_t i = 0; i < c->steps; i++) {
    const cairn_exec_step *s = &c->step[i];
    json_array_append_new(
        list,
        json_pack("{s:i, s:i, s:s, s:o, s:s, s:f, s:f, s:f}", "rank", s->rank,
                  "position", (int)s->item, "item", word[s->item], "stream",
                  s->on_stream ? json_integer(schedule->items[s->item].stream)
                               : json_null(),
                  "because", cairn_exec_because_text(s->because), "from",
                  s->from_s, "start", s->start_s, "stop", s->stop_s));
  }
  return list;
}

static json_t *chain_json(const cairn_exec_critical *c,
                          const cairn_dag_program *program) {
  json_t *list = json_array();
  for (size_t i = 0; i < c->bound_ops; i++)
    json_array_append_new(
        list, json_pack("{s:i, s:s}", "rank", c->bound_rank[i], "op",
                        cairn_dag_program_op(program, c->bound_op[i])->name));
  return list;
}

json_t *run_critical_json(const cairn_exec_critical *c,
                          const cairn_dag_program *program,
                          const cairn_dag_schedule *schedule) {
  cairn_base_text text = {0};
  char **word = words(program, schedule, &text);
  json_t *object =
      word == NULL
          ? NULL
          : json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:o}", "span",
                      c->span_s, "bound", c->bound_s, "gap",
                      c->span_s - c->bound_s, "gpu", c->gpu_s, "host",
                      c->host_s, "messages", c->wait_s, "delay", c->delay_s,
                      "steps", steps_json(c, word, schedule), "chain",
                      chain_json(c, program));
  cairn_base_free(word);
  cairn_base_text_free(&text);
  return object;
}
