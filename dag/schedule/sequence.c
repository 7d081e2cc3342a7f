/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/schedule/sequence.c - the text of a schedule: items separated by white
 * space.
 *
 *   op   op@stream   CER...@stream#event   CES...#event   CSW...@stream#event
 *
 * An item's kind is its first three letters; names of ops begin with none of
 * the three.  cairn_dag__word_next is the one place that knows this grammar; it
 * serves the sequences here and the schedules of dag/schedule/text.c.
 */
#include "dag/program/program-state-private.h"
#include "dag/schedule/sequence-private.h"
#include <cairn/dag.h>

#include <string.h>

static int is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A decimal number of at most `most` in all of text[0..length). */
static int read_number(const char *text, size_t length, unsigned most,
                       unsigned *number_p) {
  unsigned number = 0;
  if (length == 0)
    return 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return 0;
    number = number * 10 + (unsigned)(text[i] - '0');
    if (number > most)
      return 0;
  }
  *number_p = number;
  return 1;
}

static cairn_dag_item_kind kind_of(const char *text, size_t length) {
  if (length >= 3 && memcmp(text, "CER", 3) == 0)
    return CAIRN_DAG_ITEM_CER;
  if (length >= 3 && memcmp(text, "CES", 3) == 0)
    return CAIRN_DAG_ITEM_CES;
  if (length >= 3 && memcmp(text, "CSW", 3) == 0)
    return CAIRN_DAG_ITEM_CSW;
  return CAIRN_DAG_ITEM_CPU; /* or GPU: the stream tells */
}

static int split_word(cairn_dag__word *word, const char **why_p) {
  const char *const text = word->text, *const end = text + word->length;
  const char *hash = memchr(text, '#', word->length);
  const char *const limit = hash ? hash : end;
  const char *const at = memchr(text, '@', (size_t)(limit - text));
  word->kind = kind_of(text, word->length);
  word->name_length = (size_t)((at ? at : limit) - text);
  word->has_stream = at != NULL;
  word->stream = word->event = 0;
  if (word->name_length == 0)
    *why_p = "it has no name";
  else if (memchr(text, '\0', word->length))
    *why_p = "it holds a NUL byte";
  else if (word->name_length > 4 * CAIRN_DAG_MAX_NAME)
    *why_p = "its name is too long";
  else if (at &&
           !read_number(at + 1, (size_t)(limit - at) - 1, 255, &word->stream))
    *why_p = "after @ a stream number from 0 to 255 is expected";
  else if (hash && !read_number(hash + 1, (size_t)(end - hash) - 1, 65535,
                                &word->event))
    *why_p = "after # an event number from 0 to 65535 is expected";
  else if (word->kind == CAIRN_DAG_ITEM_CPU && hash)
    *why_p = "an operation has no event";
  else if (word->kind >= CAIRN_DAG_ITEM_CER && !hash)
    *why_p = "a sync needs its event, #number";
  else if ((word->kind == CAIRN_DAG_ITEM_CER ||
            word->kind == CAIRN_DAG_ITEM_CSW) &&
           !at)
    *why_p = "it needs its stream, @number";
  else
    return 1;
  return 0;
}

int cairn_dag__word_next(const char **cursor, const char *end,
                         cairn_dag__word *word, const char **why_p) {
  const char *p = *cursor;
  while (p < end && is_space(*p))
    p++;
  if (p == end)
    return 0;
  word->text = p;
  while (p < end && !is_space(*p))
    p++;
  word->length = (size_t)(p - word->text);
  *cursor = p;
  if (!split_word(word, why_p))
    return -1;
  if (word->kind == CAIRN_DAG_ITEM_CPU && word->has_stream)
    word->kind = CAIRN_DAG_ITEM_GPU;
  return 1;
}

void cairn_dag__sequence_free(cairn_dag_sequence *sequence) {
  cairn_base_free(sequence->tokens);
  memset(sequence, 0, sizeof *sequence);
}

static cairn_status add_token(cairn_dag_sequence *sequence,
                              cairn_dag_intern *intern,
                              const cairn_dag__word *word) {
  cairn_dag_token token;
  memset(&token, 0, sizeof token);
  if (cairn_dag__intern_add(intern, word->text, word->name_length,
                            &token.name) != CAIRN_OK ||
      cairn_base_reserve(&sequence->tokens, &sequence->capacity,
                         sequence->count + 1, sizeof token) != CAIRN_OK)
    return CAIRN_NOMEM;
  token.kind = (uint8_t)word->kind;
  token.stream = (uint8_t)word->stream;
  token.event = (uint16_t)word->event;
  sequence->tokens[sequence->count++] = token;
  return CAIRN_OK;
}

cairn_status cairn_dag__sequence_parse(const char *text, size_t length,
                                       cairn_dag_intern *intern,
                                       const char *file, size_t line,
                                       cairn_base_diag *diag,
                                       cairn_dag_sequence *sequence) {
  const char *cursor = text, *const end = text + length, *why = NULL;
  cairn_dag__word word;
  cairn_status status = CAIRN_OK;
  int got;
  sequence->count = 0;
  while ((got = cairn_dag__word_next(&cursor, end, &word, &why)) > 0) {
    status = add_token(sequence, intern, &word);
    if (status != CAIRN_OK)
      return status;
  }
  if (got < 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, file, line,
                        "item %zu of the schedule, \"%.*s\", cannot be read: "
                        "%s",
                        sequence->count,
                        (int)(word.length < 80 ? word.length : 80), word.text,
                        why);
    return CAIRN_INPUT;
  }
  if (sequence->count == 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, file, line,
                        "the schedule is empty");
    return CAIRN_INPUT;
  }
  return CAIRN_OK;
}
