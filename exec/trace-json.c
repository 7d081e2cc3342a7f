/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/trace-json.c - a traced execution as a timeline for chrome://tracing
 * and Perfetto (the Trace Event Format: "X" slices, "s" and "f" flows, "M"
 * names).  Process: rank.  Thread 0: the control thread; thread s + 1: stream
 * s.  Times in microseconds since the common start.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format-private.h"
#include "dag/program/program-private.h"
#include "exec/drive-private.h"
#include <cairn/exec.h>

typedef struct tracer {
  const cairn_dag_program *program;
  const cairn_dag_item *items;
  size_t count;
  const cairn_exec_event *events;
  size_t events_count;
  int ranks;
  const cairn_exec_event **at; /* rank * count + item, NULL: not there */
  size_t *position;            /* of each op, SIZE_MAX: none */
  char **name;                 /* of each item */
  json_t *list;
  int failed;
  json_int_t flow; /* the next flow's number */
} tracer;

static int is_gpu(const tracer *t, size_t item) {
  return t->items[item].kind == CAIRN_DAG_ITEM_GPU;
}

static int is_op(const tracer *t, size_t item) {
  return t->items[item].kind == CAIRN_DAG_ITEM_CPU || is_gpu(t, item);
}

static const cairn_exec_event *event_of(const tracer *t, int rank,
                                        size_t item) {
  return t->at[(size_t)rank * t->count + item];
}

static void append(tracer *t, json_t *object) {
  if (object == NULL || json_array_append_new(t->list, object) != 0)
    t->failed = 1;
}

/* ---- names of processes and tracks ---- */

static void add_name(tracer *t, const char *what, int rank, unsigned track,
                     const char *format, unsigned number) {
  char name[64];
  snprintf(name, sizeof name, format, number);
  append(t, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name", what, "ph", "M",
                      "pid", rank, "tid", (int)track, "args", "name", name));
}

static void add_tracks(tracer *t) {
  unsigned streams = 0;
  for (size_t i = 0; i < t->count; i++)
    if (is_gpu(t, i) && t->items[i].stream >= streams)
      streams = t->items[i].stream + 1u;
  for (int rank = 0; rank < t->ranks; rank++) {
    add_name(t, "process_name", rank, 0, "rank %u", (unsigned)rank);
    add_name(t, "thread_name", rank, 0, "control thread", 0);
    for (unsigned s = 0; s < streams; s++)
      add_name(t, "thread_name", rank, s + 1, "stream %u", s);
  }
}

/* ---- slices ---- */

static void add_slice(tracer *t, const char *name, const char *category,
                      int rank, unsigned track, double start_s, double stop_s,
                      size_t item) {
  append(t, json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:{s:I}}", "name",
                      name, "cat", category, "ph", "X", "pid", rank, "tid",
                      (int)track, "ts", 1e6 * start_s, "dur",
                      1e6 * (stop_s > start_s ? stop_s - start_s : 0), "args",
                      "position", (json_int_t)item));
}

static void add_slices(tracer *t) {
  char name[CAIRN_DAG_MAX_NAME + 16];
  for (size_t i = 0; i < t->events_count; i++) {
    const cairn_exec_event *e = t->events + i;
    if (e->item >= t->count)
      continue;
    const char *own = t->name[e->item];
    if (is_gpu(t, e->item)) {
      snprintf(name, sizeof name, "launch %s", own);
      add_slice(t, name, "launch", e->rank, 0, e->issue_s, e->issued_s,
                e->item);
      add_slice(t, own, "gpu", e->rank, t->items[e->item].stream + 1u,
                e->start_s, e->stop_s, e->item);
    } else {
      add_slice(t, own, is_op(t, e->item) ? "cpu" : "sync", e->rank, 0,
                e->issue_s, e->issued_s, e->item);
    }
  }
}

/* ---- flows ---- */

static void add_end(tracer *t, const char *category, const char *phase,
                    int rank, unsigned track, double time_s) {
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:f}", "name", category, "cat",
                category, "ph", phase, "id", t->flow, "pid", rank, "tid",
                (int)track, "ts", 1e6 * time_s);
  if (object != NULL && phase[0] == 'f') /* bound to the slice around it */
    t->failed |= json_object_set_new(object, "bp", json_string("e"));
  append(t, object);
}

static unsigned track_of(const tracer *t, size_t item) {
  return is_gpu(t, item) ? t->items[item].stream + 1u : 0;
}

/* From inside the slice of one item to the start of another's. */
static void add_flow(tracer *t, const char *category, int from_rank,
                     size_t from, int to_rank, size_t to) {
  const cairn_exec_event *a = event_of(t, from_rank, from),
                         *b = event_of(t, to_rank, to);
  if (a == NULL || b == NULL)
    return;
  t->flow++;
  add_end(t, category, "s", from_rank, track_of(t, from),
          is_gpu(t, from) ? a->start_s : a->issue_s);
  add_end(t, category, "f", to_rank, track_of(t, to),
          is_gpu(t, to) ? b->start_s : b->issued_s);
}

static void add_launches(tracer *t) {
  for (size_t i = 0; i < t->events_count; i++) {
    const cairn_exec_event *e = t->events + i;
    if (e->item >= t->count || !is_gpu(t, e->item))
      continue;
    t->flow++;
    add_end(t, "launch", "s", e->rank, 0, e->issue_s);
    add_end(t, "launch", "f", e->rank, track_of(t, e->item), e->start_s);
  }
}

/* The program's edges, without those of start and end. */
static void add_edges(tracer *t) {
  unsigned last = cairn_dag_program_ops(t->program) - 1;
  for (unsigned op = 1; op < last; op++) {
    size_t count;
    const unsigned *pred = cairn_dag__program_preds(t->program, op, &count);
    for (size_t k = 0; k < count; k++)
      for (int rank = 0; rank < t->ranks && pred[k] != 0; rank++)
        if (t->position[pred[k]] != SIZE_MAX && t->position[op] != SIZE_MAX)
          add_flow(t, "edge", rank, t->position[pred[k]], rank,
                   t->position[op]);
  }
}

static int has(const cairn_dag_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->name[i], name) == 0)
      return 1;
  return 0;
}

/* The op that posts a message, 0 (start) when there is none. */
static unsigned poster(const tracer *t, const char *message) {
  unsigned last = cairn_dag_program_ops(t->program) - 1;
  for (unsigned op = 1; op < last; op++)
    if (has(&cairn_dag_program_op(t->program, op)->posts, message))
      return op;
  return 0;
}

/* Arrows of one receive: the peers' post -> the op that waits for it. */
static void add_message(tracer *t, const char *received, const char *sent) {
  unsigned last = cairn_dag_program_ops(t->program) - 1;
  unsigned sender = poster(t, sent);
  for (unsigned op = 1; op < last && sender != 0; op++) {
    if (!has(&cairn_dag_program_op(t->program, op)->waits, received))
      continue;
    size_t from = t->position[sender], to = t->position[op];
    if (from == SIZE_MAX || to == SIZE_MAX)
      continue;
    for (int a = 0; a < t->ranks; a++)
      for (int b = 0; b < t->ranks; b++)
        if (a != b || t->ranks == 1)
          add_flow(t, "message", a, from, b, to);
  }
}

static void add_messages(tracer *t) {
  unsigned last = cairn_dag_program_ops(t->program) - 1;
  for (unsigned id = 1; id < last; id++) {
    const cairn_dag_op *op = cairn_dag_program_op(t->program, id);
    for (size_t i = 0; i < op->posts.count && op->from.count > 0; i++)
      add_message(t, op->posts.name[i],
                  op->from.name[op->from.count == 1 ? 0 : i]);
  }
}

/* ---- all of it ---- */

/* Names as in the schedule's text, without stream and event. */
static cairn_status name_items(tracer *t, cairn_base_text *text) {
  cairn_status status =
      cairn_dag_schedule_format(t->program, t->items, t->count, text);
  if (status != CAIRN_OK)
    return status;
  char *rest = text->data;
  for (size_t i = 0; i < t->count; i++) {
    char *word = strtok_r(i == 0 ? text->data : NULL, " ", &rest);
    if (word == NULL)
      return CAIRN_INTERNAL;
    word[strcspn(word, "@#")] = 0;
    t->name[i] = word;
  }
  return CAIRN_OK;
}

static cairn_status index_events(tracer *t) {
  for (size_t i = 0; i < t->events_count; i++)
    if (t->events[i].rank >= t->ranks)
      t->ranks = t->events[i].rank + 1;
  unsigned ops = cairn_dag_program_ops(t->program);
  t->at = cairn_base_zalloc((size_t)t->ranks * t->count + 1, sizeof *t->at);
  t->position = cairn_base_alloc(ops, sizeof *t->position);
  t->name = cairn_base_zalloc(t->count + 1, sizeof *t->name);
  if (t->at == NULL || t->position == NULL || t->name == NULL)
    return CAIRN_NOMEM;
  for (unsigned op = 0; op < ops; op++)
    t->position[op] = SIZE_MAX;
  for (size_t i = 0; i < t->count; i++)
    if (is_op(t, i))
      t->position[t->items[i].id] = i;
  for (size_t i = 0; i < t->events_count; i++) {
    const cairn_exec_event *e = t->events + i;
    if (e->rank >= 0 && e->item < t->count)
      t->at[(size_t)e->rank * t->count + e->item] = e;
  }
  return CAIRN_OK;
}

static cairn_status write_trace(tracer *t, cairn_base_text *text) {
  add_tracks(t);
  add_slices(t);
  add_launches(t);
  add_edges(t);
  add_messages(t);
  if (t->failed)
    return CAIRN_NOMEM;
  json_t *root = json_pack(
      "{s:s, s:{s:s}, s:O}", "displayTimeUnit", "ns", "otherData", "program",
      cairn_dag_program_name(t->program), "traceEvents", t->list);
  const locale_t before = cairn_base__locale_enter(); /* jansson minds it */
  char *dump =
      root == NULL ? NULL : json_dumps(root, JSON_COMPACT | JSON_ENSURE_ASCII);
  cairn_base__locale_leave(before);
  if (dump != NULL) {
    cairn_base_text_add(text, dump);
    cairn_base_text_add(text, "\n");
  }
  cairn_status status = dump == NULL || text->failed ? CAIRN_NOMEM : CAIRN_OK;
  free(dump);
  json_decref(root);
  return status;
}

cairn_status cairn_exec_trace_json(const cairn_dag_program *program,
                                   const cairn_dag_item *items, size_t count,
                                   const cairn_exec_event *events,
                                   size_t events_count, cairn_base_text *text) {
  cairn_base_text names = {0};
  tracer t = {.program = program,
              .items = items,
              .count = count,
              .events = events,
              .events_count = events_count,
              .list = json_array()};
  cairn_status status = t.list == NULL ? CAIRN_NOMEM : index_events(&t);
  if (status == CAIRN_OK)
    status = name_items(&t, &names);
  if (status == CAIRN_OK)
    status = write_trace(&t, text);
  json_decref(t.list);
  cairn_base_free(t.at);
  cairn_base_free(t.position);
  cairn_base_free(t.name);
  cairn_base_text_free(&names);
  return status;
}
