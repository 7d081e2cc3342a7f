/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/data-named.c - schedules under the names that other schedules
 * use for the same syncs.
 *
 * The names of syncs are free: a sync is what it does.  Its role: for a record
 * the operation before it in its stream and what waits for it; for a wait the
 * operation that was recorded and the one that is held up.
 */
#include <string.h>

#include <cairn/classify.h>

#include "base/text-private.h"
#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "dag/schedule/sequence-private.h"

enum { NONE = UINT32_MAX };

static int is_op(const cairn_dag_token *t) {
  return t->kind == CAIRN_DAG_ITEM_CPU || t->kind == CAIRN_DAG_ITEM_GPU;
}

/* The next op from `at` on, of a stream unless it is -1. */
static const cairn_dag_token *next_op(const cairn_dag_sequence *s, size_t at,
                                      int stream) {
  for (; at < s->count; at++) {
    const cairn_dag_token *const t = &s->tokens[at];
    if (stream < 0 ? is_op(t)
                   : t->kind == CAIRN_DAG_ITEM_GPU && t->stream == stream)
      return t;
  }
  return NULL;
}

/* The last GPU op of a stream before `at`. */
static const cairn_dag_token *last_op(const cairn_dag_sequence *s, size_t at,
                                      unsigned stream) {
  while (at-- > 0)
    if (s->tokens[at].kind == CAIRN_DAG_ITEM_GPU &&
        s->tokens[at].stream == stream)
      return &s->tokens[at];
  return NULL;
}

/* Where the event that a wait waits for was recorded, or its own place. */
static size_t recorded_at(const cairn_dag_sequence *s, size_t wait) {
  for (size_t i = wait; i-- > 0;)
    if (s->tokens[i].kind == CAIRN_DAG_ITEM_CER &&
        s->tokens[i].event == s->tokens[wait].event)
      return i;
  return wait;
}

/* The first wait for what is recorded at `record`; the end: none. */
static size_t waited_at(const cairn_dag_sequence *s, size_t record) {
  for (size_t i = record + 1; i < s->count; i++) {
    const cairn_dag_token *const t = &s->tokens[i];
    if (!is_op(t) && t->event == s->tokens[record].event)
      return t->kind == CAIRN_DAG_ITEM_CER ? s->count : i;
  }
  return s->count;
}

static void add_name(const cairn_dag_intern *names, const cairn_dag_token *t,
                     cairn_base_text *text) {
  cairn_base_text_addf(text, " %s",
                       t ? cairn_dag__intern_name(names, t->name) : "-");
}

static void role(const cairn_classify_data *data, const cairn_dag_sequence *s,
                 size_t at, cairn_base_text *text) {
  const int record = s->tokens[at].kind == CAIRN_DAG_ITEM_CER;
  const size_t from = record ? at : recorded_at(s, at);
  const size_t to = record ? waited_at(s, at) : at;
  cairn_base__text_clear(text);
  cairn_base_text_addf(text, "%u", (unsigned)s->tokens[at].kind);
  if (s->tokens[from].kind == CAIRN_DAG_ITEM_CER)
    add_name(data->names, last_op(s, from, s->tokens[from].stream), text);
  if (to == s->count)
    return;
  const cairn_dag_token *const wait = &s->tokens[to];
  const int in_stream = wait->kind == CAIRN_DAG_ITEM_CSW;
  cairn_base_text_add(text, in_stream ? " stream" : " host");
  add_name(data->names, next_op(s, to, in_stream ? wait->stream : -1), text);
}

/* ---- what the roles are called ---- */

typedef struct calling {
  cairn_dag_intern *roles, *pairs; /* roles; "role=name" */
  uint32_t *name;                  /* of each role: the first seen */
  size_t room;
  cairn_base_text text;
} calling;

static cairn_status note(calling *c, const char *name, uint32_t id) {
  const size_t before = cairn_dag__intern_count(c->roles);
  uint32_t at, pair;
  cairn_status status = c->text.failed ? CAIRN_NOMEM : CAIRN_OK;
  if (status == CAIRN_OK)
    status = cairn_dag__intern_add(c->roles, c->text.data, c->text.length, &at);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&c->name, &c->room, at + 1u, sizeof *c->name);
  if (status != CAIRN_OK)
    return status;
  if (at >= before)
    c->name[at] = id;
  cairn_base_text_addf(&c->text, "=%s", name);
  return c->text.failed ? CAIRN_NOMEM
                        : cairn_dag__intern_add(c->pairs, c->text.data,
                                                c->text.length, &pair);
}

static cairn_status learn(calling *c, const cairn_classify_data *like) {
  cairn_status status = cairn_dag__intern_create(&c->roles);
  if (status == CAIRN_OK)
    status = cairn_dag__intern_create(&c->pairs);
  for (size_t i = 0; i < like->count && status == CAIRN_OK; i++) {
    const cairn_dag_sequence *const s = &like->sequence[i];
    for (size_t k = 0; k < s->count && status == CAIRN_OK; k++) {
      if (is_op(&s->tokens[k]))
        continue;
      role(like, s, k, &c->text);
      status = note(c, cairn_dag__intern_name(like->names, s->tokens[k].name),
                    s->tokens[k].name);
    }
  }
  return status;
}

/* Is the string there?  A new one is added, past the count that is known. */
static cairn_status known(cairn_dag_intern *intern, const cairn_base_text *text,
                          size_t count, uint32_t *id_p) {
  if (text->failed)
    return CAIRN_NOMEM;
  const cairn_status status =
      cairn_dag__intern_add(intern, text->data, text->length, id_p);
  if (status == CAIRN_OK && *id_p >= count)
    *id_p = NONE;
  return status;
}

/* The name that a sync shall have: its own when it is used for its role. */
static cairn_status call(calling *c, size_t roles, size_t pairs,
                         const cairn_classify_data *like, const char *own,
                         const char **name_p) {
  uint32_t at = NONE, pair = NONE;
  cairn_status status = known(c->roles, &c->text, roles, &at);
  *name_p = own;
  if (status != CAIRN_OK || at == NONE)
    return status;
  cairn_base_text_addf(&c->text, "=%s", own);
  status = known(c->pairs, &c->text, pairs, &pair);
  if (status == CAIRN_OK && pair == NONE)
    *name_p = cairn_dag__intern_name(like->names, c->name[at]);
  return status;
}

static void add_token(const cairn_dag_token *t, const char *name,
                      cairn_base_text *text) {
  cairn_base_text_addf(text, "%s%s", text->length > 0 ? " " : "", name);
  if (t->kind != CAIRN_DAG_ITEM_CPU && t->kind != CAIRN_DAG_ITEM_CES)
    cairn_base_text_addf(text, "@%u", (unsigned)t->stream);
  if (!is_op(t))
    cairn_base_text_addf(text, "#%u", (unsigned)t->event);
}

static cairn_status rename_row(calling *c, size_t roles, size_t pairs,
                               const cairn_classify_data *like,
                               const cairn_classify_data *other, size_t row,
                               cairn_base_text *text) {
  const cairn_dag_sequence *const s = &other->sequence[row];
  cairn_status status = CAIRN_OK;
  cairn_base__text_clear(text);
  for (size_t k = 0; k < s->count && status == CAIRN_OK; k++) {
    const cairn_dag_token *const t = &s->tokens[k];
    const char *name = cairn_dag__intern_name(other->names, t->name);
    if (!is_op(t)) {
      role(other, s, k, &c->text);
      status = call(c, roles, pairs, like, name, &name);
    }
    add_token(t, name, text);
  }
  return status == CAIRN_OK && text->failed ? CAIRN_NOMEM : status;
}

static cairn_status rename_all(calling *c, const cairn_classify_data *like,
                               const cairn_classify_data *other,
                               const uint32_t *match,
                               cairn_classify_data *named) {
  const size_t roles = cairn_dag__intern_count(c->roles);
  const size_t pairs = cairn_dag__intern_count(c->pairs);
  cairn_base_text text = {0};
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < other->count && status == CAIRN_OK; i++) {
    if (match[i] == UINT32_MAX)
      status = rename_row(c, roles, pairs, like, other, i, &text);
    else {
      cairn_base__text_clear(&text);
      cairn_base_text_add(&text, like->text[match[i]]);
      status = text.failed ? CAIRN_NOMEM : CAIRN_OK;
    }
    if (status == CAIRN_OK)
      status = cairn_classify__data_add(named, text.data, text.length,
                                        &other->measure[i], NULL, 0, NULL);
  }
  cairn_base_text_free(&text);
  return status;
}

cairn_status cairn_classify__data_named_as(const cairn_classify_data *like,
                                           const cairn_classify_data *other,
                                           cairn_classify_data **named_p) {
  calling c = {0};
  cairn_classify_data *named = NULL;
  uint32_t *match = cairn_base_alloc(other->count, sizeof *match);
  cairn_status status =
      match ? cairn_classify_data_create(&named) : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_classify__data_match(other, like, match);
  if (status == CAIRN_OK)
    status = learn(&c, like);
  if (status == CAIRN_OK)
    status = rename_all(&c, like, other, match, named);
  cairn_dag__intern_free(c.roles);
  cairn_dag__intern_free(c.pairs);
  cairn_base_free(c.name);
  cairn_base_text_free(&c.text);
  cairn_base_free(match);
  if (status == CAIRN_OK)
    *named_p = named;
  else
    cairn_classify_data_free(named);
  return status;
}
