/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/text.c - sequences in and out: text to items, and items to a plain
 * schedule.
 *
 * Streams are numbered by first use; what the text calls them is kept.  An
 * event that is recorded again gets a new number, so each event of the result
 * is recorded at most once; a wait before any record shares its number with the
 * first record to come.
 */
#include "dag/program/program-private.h"
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 512

typedef struct number { /* of an event, in the text and here */
  unsigned long text;
  uint16_t id;
  int recorded;
} number;

typedef struct reader {
  const cairn_dag_program *program;
  cairn_base_diag *diag;
  cairn_dag_schedule *out;
  cairn_lint_numbers *numbers;
  number *event;
  size_t events, events_room;
  unsigned next_event;
  size_t position;
  char token[NAME_MAX_BYTES];
} reader;

static cairn_status bad(reader *r, const char *what) {
  cairn_base_diag_error(r->diag, "item %zu, \"%s\": %s", r->position, r->token,
                        what);
  return CAIRN_INPUT;
}

/* The number after `mark` in the token; 1 when there is one. */
static int number_after(const char *token, char mark, unsigned long *value) {
  const char *const at = strrchr(token, mark);
  char *end;
  if (!at || !cairn_base_is_digit(at[1]))
    return 0;
  *value = strtoul(at + 1, &end, 10);
  return *end == '\0' || *end == '#';
}

static cairn_status read_stream(reader *r, uint8_t *stream) {
  unsigned long value;
  if (!number_after(r->token, '@', &value))
    return bad(r, "a stream is needed, as in op@0");
  cairn_lint_numbers *const n = r->numbers;
  for (unsigned s = 0; s < n->streams; s++)
    if (n->stream[s] == value) {
      *stream = (uint8_t)s;
      return CAIRN_OK;
    }
  if (n->streams == CAIRN_DAG_MAX_STREAMS)
    return bad(r, "more than 32 streams");
  *stream = (uint8_t)n->streams;
  n->stream[n->streams++] = value;
  return CAIRN_OK;
}

static cairn_status read_event(reader *r, int record, uint16_t *id) {
  unsigned long value;
  if (!number_after(r->token, '#', &value))
    return bad(r, "an event is needed, as in CES-b4-op#0");
  for (size_t i = r->events; i-- > 0;) {
    number *const n = &r->event[i];
    if (n->text != value)
      continue;
    if (record && n->recorded)
      break; /* a new one */
    n->recorded |= record;
    *id = n->id;
    return CAIRN_OK;
  }
  if (r->next_event > UINT16_MAX)
    return bad(r, "more than 65536 events");
  cairn_lint_numbers *const all = r->numbers;
  cairn_status status = cairn_base_reserve(&r->event, &r->events_room,
                                           r->events + 1, sizeof *r->event);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&all->event, &all->capacity, all->events + 1,
                                sizeof *all->event);
  if (status != CAIRN_OK)
    return status;
  all->event[all->events++] = value;
  *id = (uint16_t)r->next_event++;
  r->event[r->events++] = (number){value, *id, record};
  return CAIRN_OK;
}

static int sync_kind(const char *token) {
  static const struct {
    const char *text;
    int kind;
  } kinds[] = {{"CER", CAIRN_DAG_ITEM_CER},
               {"CES", CAIRN_DAG_ITEM_CES},
               {"CSW", CAIRN_DAG_ITEM_CSW},
               {"CSS", CAIRN_DAG_STEP_STREAM_SYNC},
               {"CDS", CAIRN_DAG_STEP_DEVICE_SYNC}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(token, kinds[i].text, 3) == 0)
      return kinds[i].kind;
  return -1;
}

static cairn_status read_sync(reader *r, cairn_dag_item *item) {
  const int kind = sync_kind(r->token);
  cairn_status status = CAIRN_OK;
  if (kind < 0)
    return bad(r, "no such op in the program");
  item->kind = (uint8_t)kind;
  if (kind == CAIRN_DAG_ITEM_CER || kind == CAIRN_DAG_ITEM_CSW ||
      kind == CAIRN_DAG_STEP_STREAM_SYNC)
    status = read_stream(r, &item->stream);
  if (status == CAIRN_OK && kind <= CAIRN_DAG_ITEM_CSW)
    status = read_event(r, kind == CAIRN_DAG_ITEM_CER, &item->id);
  return status;
}

static cairn_status read_item(reader *r) {
  cairn_dag_item item = {0, 0, 0};
  cairn_status status = CAIRN_OK;
  char name[NAME_MAX_BYTES];
  memcpy(name, r->token, sizeof name);
  name[strcspn(name, "@")] = '\0';
  const unsigned op = cairn_dag__program_find(r->program, name);
  if (op == UINT_MAX) {
    status = read_sync(r, &item);
  } else {
    item.id = (uint16_t)op;
    const int gpu = cairn_dag_program_op(r->program, op)->kind == CAIRN_DAG_GPU;
    item.kind = gpu ? CAIRN_DAG_ITEM_GPU : CAIRN_DAG_ITEM_CPU;
    if (gpu)
      status = read_stream(r, &item.stream);
    else if (strchr(r->token, '@'))
      status = bad(r, "a CPU op has no stream");
  }
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&r->out->items, &r->out->capacity,
                                r->out->count + 1, sizeof item);
  if (status == CAIRN_OK)
    r->out->items[r->out->count++] = item;
  return status;
}

cairn_status cairn_lint_parse(const cairn_dag_program *program,
                              const char *text, cairn_base_diag *diag,
                              cairn_dag_schedule *sequence,
                              cairn_lint_numbers *numbers) {
  cairn_lint_numbers own = {0};
  reader r = {.program = program,
              .diag = diag,
              .out = sequence,
              .numbers = numbers ? numbers : &own};
  cairn_status status = CAIRN_OK;
  r.numbers->streams = 0;
  r.numbers->events = 0;
  sequence->count = 0;
  while (status == CAIRN_OK && *(text += strspn(text, " \t\r\n"))) {
    const size_t length = strcspn(text, " \t\r\n");
    if (length >= sizeof r.token) {
      cairn_base_diag_error(diag, "item %zu is too long", r.position);
      status = CAIRN_INPUT;
      break;
    }
    memcpy(r.token, text, length);
    r.token[length] = '\0';
    status = read_item(&r);
    text += length;
    r.position++;
  }
  cairn_base_free(r.event);
  cairn_base_free(own.event);
  return status;
}

void cairn_lint_item(const cairn_dag_program *program, cairn_dag_item item,
                     const cairn_lint_numbers *numbers, cairn_base_text *text) {
  const unsigned long stream = cairn_lint__stream(numbers, item.stream);
  const unsigned long event = cairn_lint__event(numbers, item.id);
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CPU:
    cairn_base_text_add(text, cairn_dag_program_op(program, item.id)->name);
    break;
  case CAIRN_DAG_ITEM_GPU:
    cairn_base_text_addf(text, "%s@%lu",
                         cairn_dag_program_op(program, item.id)->name, stream);
    break;
  case CAIRN_DAG_ITEM_CER:
    cairn_base_text_addf(text, "CER@%lu#%lu", stream, event);
    break;
  case CAIRN_DAG_ITEM_CES:
    cairn_base_text_addf(text, "CES#%lu", event);
    break;
  case CAIRN_DAG_ITEM_CSW:
    cairn_base_text_addf(text, "CSW@%lu#%lu", stream, event);
    break;
  case CAIRN_DAG_STEP_STREAM_SYNC:
    cairn_base_text_addf(text, "CSS@%lu", stream);
    break;
  case CAIRN_DAG_STEP_DEVICE_SYNC:
    cairn_base_text_add(text, "CDS");
    break;
  case CAIRN_DAG_STEP_FOLLOW:
    cairn_base_text_addf(text, "(stream %lu follows stream %lu)", stream,
                         cairn_lint__stream(numbers, item.id));
    break;
  default:
    cairn_base_text_add(text, "-");
  }
}

/* ---- plain schedules ---- */

typedef struct writer {
  cairn_dag_schedule *out;
  unsigned next_event;
  uint32_t used;  /* streams with work so far */
  uint32_t waits; /* streams that have waited for others, with work or not */
  cairn_status status;
} writer;

static void put(writer *w, unsigned kind, unsigned stream, unsigned id) {
  if (w->status == CAIRN_OK)
    w->status = cairn_base_reserve(&w->out->items, &w->out->capacity,
                                   w->out->count + 1, sizeof *w->out->items);
  if (w->status == CAIRN_OK && id > UINT16_MAX)
    w->status = CAIRN_INPUT;
  if (w->status == CAIRN_OK)
    w->out->items[w->out->count++] =
        (cairn_dag_item){(uint8_t)kind, (uint8_t)stream, (uint16_t)id};
}

static void join_host(writer *w, uint32_t streams) {
  for (unsigned s = 0; s < CAIRN_DAG_MAX_STREAMS; s++)
    if (streams >> s & 1) {
      put(w, CAIRN_DAG_ITEM_CER, s, w->next_event);
      put(w, CAIRN_DAG_ITEM_CES, 0, w->next_event++);
    }
}

static void put_step(writer *w, cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_STEP_STREAM_SYNC:
    join_host(w, (w->used | w->waits) & UINT32_C(1) << item.stream);
    break;
  case CAIRN_DAG_STEP_DEVICE_SYNC:
    join_host(w, w->used);
    break;
  case CAIRN_DAG_STEP_FOLLOW:
    if ((w->used | w->waits) >> (item.id % 32) & 1) {
      put(w, CAIRN_DAG_ITEM_CER, item.id % 32, w->next_event);
      put(w, CAIRN_DAG_ITEM_CSW, item.stream, w->next_event++);
      w->waits |= UINT32_C(1) << item.stream;
    }
    break;
  case CAIRN_DAG_STEP_NONE:
    break;
  default:
    put(w, item.kind, item.stream, item.id);
    if (item.kind == CAIRN_DAG_ITEM_GPU)
      w->used |= UINT32_C(1) << item.stream;
    if (item.kind == CAIRN_DAG_ITEM_CSW)
      w->waits |= UINT32_C(1) << item.stream;
  }
}

/* How often each op occurs; CAIRN_INPUT unless once (start and end: at most
 * once, in *ends_p as bits 0 and 1). */
static cairn_status count_ops(const cairn_dag_program *program,
                              const cairn_dag_item *items, size_t count,
                              cairn_base_diag *diag, unsigned *ends_p) {
  const unsigned ops = cairn_dag_program_ops(program);
  unsigned *const times = cairn_base_zalloc(ops, sizeof *times);
  if (!times)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU && items[i].id < ops)
      times[items[i].id]++;
  cairn_status status = CAIRN_OK;
  for (unsigned i = 0; i < ops; i++) {
    const int end = i == 0 || i == ops - 1;
    if (times[i] == 1 || (end && times[i] == 0))
      continue;
    cairn_base_diag_error(diag, "%s is issued %u times, not once",
                          cairn_dag_program_op(program, i)->name, times[i]);
    status = CAIRN_INPUT;
  }
  *ends_p = (times[0] ? 1U : 0U) | (times[ops - 1] ? 2U : 0U);
  cairn_base_free(times);
  return status;
}

cairn_status cairn_lint_plain(const cairn_dag_program *program,
                              const cairn_dag_item *items, size_t count,
                              cairn_base_diag *diag,
                              cairn_dag_schedule *schedule) {
  unsigned ends;
  writer w = {.out = schedule};
  w.status = count_ops(program, items, count, diag, &ends);
  if (w.status != CAIRN_OK)
    return w.status;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind >= CAIRN_DAG_ITEM_CER &&
        items[i].kind <= CAIRN_DAG_ITEM_CSW && items[i].id >= w.next_event)
      w.next_event = items[i].id + 1U;
  schedule->count = 0;
  if (!(ends & 1))
    put(&w, CAIRN_DAG_ITEM_CPU, 0, 0);
  for (size_t i = 0; i < count; i++)
    put_step(&w, items[i]);
  if (!(ends & 2)) {
    join_host(&w, w.used);
    put(&w, CAIRN_DAG_ITEM_CPU, 0, cairn_dag_program_ops(program) - 1);
  }
  return w.status;
}
