/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/schedule/text.c - schedules to text and back, bound to a program.
 *
 * Reading binds words (or tokens) one by one; a `binder` holds which ops were
 * seen and what the numbers of streams and events in the text mean.  A record
 * always makes a new event, so a number that is recorded again stands for the
 * newest record, as with CUDA.
 */
#include "base/text-private.h"
#include "dag/program/program-state-private.h"
#include "dag/schedule/sequence-private.h"
#include <cairn/dag.h>

#include <limits.h>
#include <string.h>

/* ---- writing ---- */

/* Where things are in a schedule. */
typedef struct places {
  unsigned *at;     /* op -> position, UINT_MAX absent */
  unsigned *record; /* event -> position of its record, UINT_MAX none */
  unsigned *wait;   /* event -> position of its first wait, UINT_MAX none */
} places;

static void places_free(places *where) {
  cairn_base_free(where->at);
  cairn_base_free(where->record);
  cairn_base_free(where->wait);
}

static cairn_status places_fill(const cairn_dag_program *program,
                                const cairn_dag_item *items, size_t count,
                                places *where) {
  unsigned events = 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind >= CAIRN_DAG_ITEM_CER && items[i].id >= events)
      events = items[i].id + 1u;
  where->at = cairn_base_alloc(program->count, sizeof *where->at);
  where->record = cairn_base_alloc(events, sizeof *where->record);
  where->wait = cairn_base_alloc(events, sizeof *where->wait);
  if (!where->at || !where->record || !where->wait) {
    places_free(where);
    return CAIRN_NOMEM;
  }
  memset(where->at, 0xff, program->count * sizeof *where->at);
  memset(where->record, 0xff, events * sizeof *where->record);
  memset(where->wait, 0xff, events * sizeof *where->wait);
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_item *const item = &items[i];
    if (item->kind <= CAIRN_DAG_ITEM_GPU) {
      if (item->id < program->count)
        where->at[item->id] = (unsigned)i;
    } else {
      unsigned *const slot = item->kind == CAIRN_DAG_ITEM_CER
                                 ? &where->record[item->id]
                                 : &where->wait[item->id];
      if (*slot == UINT_MAX)
        *slot = (unsigned)i;
    }
  }
  return CAIRN_OK;
}

/* The GPU predecessor of b on the stream of the record at `record` that was
 * issued last before it; UINT_MAX if none. */
static unsigned last_served(const cairn_dag_program *program,
                            const cairn_dag_item *items, const places *where,
                            unsigned b, unsigned record) {
  unsigned best = UINT_MAX;
  for (uint32_t k = program->gpu_pred.row[b]; k < program->gpu_pred.row[b + 1];
       k++) {
    const unsigned a = program->gpu_pred.to[k], at = where->at[a];
    if (at < record && items[at].stream == items[record].stream &&
        (best == UINT_MAX || at > where->at[best]))
      best = a;
  }
  return best;
}

static int can_serve(const cairn_dag_item *wait, const cairn_dag_item *b) {
  return wait->kind == CAIRN_DAG_ITEM_CES
             ? b->kind == CAIRN_DAG_ITEM_CPU
             : b->kind == CAIRN_DAG_ITEM_GPU && b->stream == wait->stream;
}

/* The names of the wait at `wait`, by the edge it serves; where it serves
 * none: the record's last op before and the first op that could be served. */
static void name_wait(const cairn_dag_program *program,
                      const cairn_dag_item *items, size_t count,
                      const places *where, size_t wait, const char **a_p,
                      const char **b_p) {
  const unsigned record = where->record[items[wait].id];
  const char *first = "end";
  int found = 0;
  *a_p = "start";
  for (size_t i = wait + 1; i < count; i++) {
    if (!can_serve(&items[wait], &items[i]))
      continue;
    const unsigned b = items[i].id;
    const unsigned a = record == UINT_MAX
                           ? UINT_MAX
                           : last_served(program, items, where, b, record);
    if (!found)
      first = program->ops[b].name;
    found = 1;
    if (a == UINT_MAX)
      continue;
    *a_p = program->ops[a].name;
    *b_p = program->ops[b].name;
    return;
  }
  *b_p = first;
  for (size_t i = record == UINT_MAX ? 0 : record; i-- > 0;)
    if (items[i].kind == CAIRN_DAG_ITEM_GPU &&
        items[i].stream == items[record].stream) {
      *a_p = program->ops[items[i].id].name;
      return;
    }
}

/* A record nobody waits for takes the last op before it on its stream. */
static void name_record(const cairn_dag_program *program,
                        const cairn_dag_item *items, size_t count,
                        const places *where, size_t record, const char **a_p) {
  const unsigned wait = where->wait[items[record].id];
  const char *b;
  *a_p = "start";
  if (wait != UINT_MAX) {
    name_wait(program, items, count, where, wait, a_p, &b);
    return;
  }
  for (size_t i = record; i-- > 0;)
    if (items[i].kind == CAIRN_DAG_ITEM_GPU &&
        items[i].stream == items[record].stream) {
      *a_p = program->ops[items[i].id].name;
      return;
    }
}

static void format_item(const cairn_dag_program *program,
                        const cairn_dag_item *items, size_t count,
                        const places *where, size_t i, cairn_base_text *text) {
  const cairn_dag_item *const item = &items[i];
  const char *a, *b;
  switch (item->kind) {
  case CAIRN_DAG_ITEM_CPU:
    cairn_base_text_add(text, program->ops[item->id].name);
    break;
  case CAIRN_DAG_ITEM_GPU:
    cairn_base_text_addf(text, "%s@%u", program->ops[item->id].name,
                         item->stream);
    break;
  case CAIRN_DAG_ITEM_CER:
    name_record(program, items, count, where, i, &a);
    cairn_base_text_addf(text, "CER-after-%s@%u#%u", a, item->stream, item->id);
    break;
  case CAIRN_DAG_ITEM_CES:
    name_wait(program, items, count, where, i, &a, &b);
    cairn_base_text_addf(text, "CES-b4-%s#%u", b, item->id);
    break;
  default:
    name_wait(program, items, count, where, i, &a, &b);
    cairn_base_text_addf(text, "CSW-after-%s-b4-%s@%u#%u", a, b, item->stream,
                         item->id);
  }
}

cairn_status cairn_dag_schedule_format(const cairn_dag_program *program,
                                       const cairn_dag_item *items,
                                       size_t count, cairn_base_text *text) {
  places where = {0};
  if (places_fill(program, items, count, &where) != CAIRN_OK)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++) {
    if (i)
      cairn_base__text_add_bytes(text, " ", 1);
    format_item(program, items, count, &where, i, text);
  }
  places_free(&where);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

/* ---- reading ---- */

typedef struct binder {
  const cairn_dag_program *program;
  cairn_base_diag *diag;
  cairn_dag_schedule *schedule;
  uint8_t *seen;       /* op -> seen */
  int32_t *event;      /* number in the text -> event, -1 */
  size_t event_room;   /* numbers that `event` has room for */
  unsigned events;     /* given so far */
  int16_t stream[256]; /* number in the text -> stream, -1 */
  unsigned streams;
} binder;

static cairn_status binder_init(binder *bind, const cairn_dag_program *program,
                                cairn_base_diag *diag,
                                cairn_dag_schedule *schedule) {
  memset(bind, 0, sizeof *bind);
  bind->program = program;
  bind->diag = diag;
  bind->schedule = schedule;
  bind->seen = cairn_base_zalloc(program->count, 1);
  if (!bind->seen)
    return CAIRN_NOMEM;
  memset(bind->stream, 0xff, sizeof bind->stream);
  schedule->count = 0;
  return CAIRN_OK;
}

static void binder_free(binder *bind) {
  cairn_base_free(bind->seen);
  cairn_base_free(bind->event);
}

/* Makes room for an event's number in the text; most are small. */
static cairn_status binder_reserve(binder *bind, size_t number) {
  const size_t before = bind->event_room;
  if (number < before)
    return CAIRN_OK;
  if (cairn_base_reserve(&bind->event, &bind->event_room, number + 1,
                         sizeof *bind->event) != CAIRN_OK)
    return CAIRN_NOMEM;
  memset(bind->event + before, 0xff,
         (bind->event_room - before) * sizeof *bind->event);
  return CAIRN_OK;
}

/* Longer text is cut in messages. */
static int shown(size_t length) { return (int)(length < 80 ? length : 80); }

static const char *nearest_op(const cairn_dag_program *program,
                              const char *name, size_t length) {
  char word[65];
  const char *nearest = NULL;
  size_t best = 3;
  if (length >= sizeof word)
    return NULL;
  memcpy(word, name, length);
  word[length] = '\0';
  for (size_t i = 0; i < program->count; i++) {
    const size_t distance =
        cairn_base__text_distance(word, program->ops[i].name);
    if (distance < best && 2 * distance < length + 1) {
      best = distance;
      nearest = program->ops[i].name;
    }
  }
  return nearest;
}

static cairn_status bind_op(binder *bind, const cairn_dag__word *word,
                            cairn_dag_item *item) {
  const cairn_dag_program *const program = bind->program;
  const uint32_t id =
      cairn_dag__intern_find(program->names, word->text, word->name_length);
  const int length = shown(word->name_length);
  if (id == UINT32_MAX) {
    const char *const near = nearest_op(program, word->text, word->name_length);
    cairn_base_diag_error(bind->diag,
                          "item %zu of the schedule, \"%.*s\", is no "
                          "operation of program %s%s%s%s",
                          word->position, length, word->text, program->name,
                          near ? "; did you mean \"" : "", near ? near : "",
                          near ? "\"?" : "");
    return CAIRN_INPUT;
  }
  if (bind->seen[id]) {
    cairn_base_diag_error(bind->diag,
                          "item %zu of the schedule, \"%.*s\", is there twice",
                          word->position, length, word->text);
    return CAIRN_INPUT;
  }
  if ((program->ops[id].kind == CAIRN_DAG_GPU) != word->has_stream) {
    cairn_base_diag_error(bind->diag,
                          "item %zu of the schedule, \"%.*s\", is a %s "
                          "operation: write it %s@stream",
                          word->position, length, word->text,
                          word->has_stream ? "CPU" : "GPU",
                          word->has_stream ? "without " : "op");
    return CAIRN_INPUT;
  }
  bind->seen[id] = 1;
  item->id = (uint16_t)id;
  return CAIRN_OK;
}

static cairn_status too_many(const binder *bind, const cairn_dag__word *word,
                             const char *what, int most) {
  cairn_base_diag_error(
      bind->diag, "item %zu of the schedule, \"%.*s\": more than %d %s",
      word->position, shown(word->length), word->text, most, what);
  return CAIRN_INPUT;
}

/* Appends one item; streams and events are numbered as they come. */
static cairn_status bind_word(binder *bind, const cairn_dag__word *word) {
  cairn_dag_item item = {(uint8_t)word->kind, 0, 0};
  cairn_status status = CAIRN_OK;
  if (word->kind <= CAIRN_DAG_ITEM_GPU) {
    status = bind_op(bind, word, &item);
  } else {
    if (binder_reserve(bind, word->event) != CAIRN_OK)
      return CAIRN_NOMEM;
    int32_t *const event = &bind->event[word->event];
    if (*event < 0 || word->kind == CAIRN_DAG_ITEM_CER) {
      if (bind->events == UINT16_MAX)
        return too_many(bind, word, "events", UINT16_MAX);
      *event = (int32_t)bind->events++;
    }
    item.id = (uint16_t)*event;
  }
  if (status == CAIRN_OK && word->has_stream &&
      word->kind != CAIRN_DAG_ITEM_CES) {
    int16_t *const stream = &bind->stream[word->stream];
    if (*stream < 0) {
      if (bind->streams == CAIRN_DAG_MAX_STREAMS)
        return too_many(bind, word, "streams", CAIRN_DAG_MAX_STREAMS);
      *stream = (int16_t)bind->streams++;
    }
    item.stream = (uint8_t)*stream;
  }
  if (status != CAIRN_OK)
    return status;
  cairn_dag_schedule *const schedule = bind->schedule;
  if (cairn_base_reserve(&schedule->items, &schedule->capacity,
                         schedule->count + 1, sizeof item) != CAIRN_OK)
    return CAIRN_NOMEM;
  schedule->items[schedule->count++] = item;
  return CAIRN_OK;
}

static cairn_status bind_finish(binder *bind) {
  const cairn_dag_program *const program = bind->program;
  size_t missing = 0, first = 0;
  for (size_t i = program->count; i-- > 0;)
    if (!bind->seen[i]) {
      missing++;
      first = i;
    }
  if (missing == 0)
    return CAIRN_OK;
  if (missing == 1)
    cairn_base_diag_error(bind->diag,
                          "operation \"%s\" is missing in the schedule",
                          program->ops[first].name);
  else
    cairn_base_diag_error(bind->diag,
                          "operation \"%s\" and %zu others are missing in the "
                          "schedule",
                          program->ops[first].name, missing - 1);
  return CAIRN_INPUT;
}

cairn_status cairn_dag_schedule_parse(const cairn_dag_program *program,
                                      const char *text, cairn_base_diag *diag,
                                      cairn_dag_schedule *schedule) {
  const char *cursor = text, *const end = text + strlen(text), *why = NULL;
  binder bind;
  cairn_dag__word word;
  int got = 1;
  cairn_status status = binder_init(&bind, program, diag, schedule);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; status == CAIRN_OK; i++) {
    got = cairn_dag__word_next(&cursor, end, &word, &why);
    if (got <= 0)
      break;
    word.position = i;
    status = bind_word(&bind, &word);
  }
  if (got < 0) {
    cairn_base_diag_error(diag,
                          "item %zu of the schedule, \"%.*s\", cannot be "
                          "read: %s",
                          schedule->count, shown(word.length), word.text, why);
    status = CAIRN_INPUT;
  }
  if (status == CAIRN_OK)
    status = bind_finish(&bind);
  binder_free(&bind);
  return status;
}

cairn_status cairn_dag__sequence_bind(const cairn_dag_sequence *sequence,
                                      const cairn_dag_intern *intern,
                                      const cairn_dag_program *program,
                                      cairn_base_diag *diag,
                                      cairn_dag_schedule *schedule) {
  binder bind;
  cairn_status status = binder_init(&bind, program, diag, schedule);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < sequence->count && status == CAIRN_OK; i++) {
    const cairn_dag_token *const token = &sequence->tokens[i];
    const char *const name = cairn_dag__intern_name(intern, token->name);
    const size_t length = strlen(name);
    const cairn_dag__word word = {name,
                                  length,
                                  length,
                                  i,
                                  (cairn_dag_item_kind)token->kind,
                                  token->kind != CAIRN_DAG_ITEM_CPU &&
                                      token->kind != CAIRN_DAG_ITEM_CES,
                                  token->stream,
                                  token->event};
    status = bind_word(&bind, &word);
  }
  if (status == CAIRN_OK)
    status = bind_finish(&bind);
  binder_free(&bind);
  return status;
}
