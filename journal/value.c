/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/value.c - the values of a journal's members, and records: a table
 * of members each.
 * Invariant: what moves while it grows (facts, list) is counted here and
 * pointed at by others after the last line.
 */
#include "journal/read-private.h"
#include "journal/sound-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <math.h>
#include <string.h>

/* ---- values ---- */

/* A string or null. */
int cairn_journal__read_text(cairn_dag__line *l, const char **text_p) {
  char *string;
  size_t length;
  if (cairn_journal__json_word(&l->json, "null")) {
    *text_p = NULL;
    return 1;
  }
  if (!cairn_journal__json_string(&l->json, &string, &length))
    return 0;
  *text_p = string;
  return 1;
}

/* Seconds, from 0; null is NAN. */
int cairn_journal__read_seconds(cairn_dag__line *l, double *number_p) {
  if (cairn_journal__json_word(&l->json, "null")) {
    *number_p = (double)NAN;
    return 1;
  }
  if (!cairn_journal__json_number(&l->json, number_p))
    return 0;
  return cairn_journal__time_check(&l->json, *number_p);
}

/* A whole number up to UINT_MAX; null is 0. */
int cairn_journal__read_count(cairn_dag__line *l, unsigned *count_p) {
  uint64_t value = 0;
  if (!cairn_journal__json_word(&l->json, "null") &&
      !cairn_journal__json_whole(&l->json, UINT32_MAX, &value))
    return 0;
  *count_p = (unsigned)value;
  return 1;
}

int cairn_journal__read_id(cairn_dag__line *l, uint64_t *id_p) {
  return cairn_journal__json_whole(&l->json, UINT64_C(1) << 53, id_p);
}

/* A whole number, as a string when above 2^53; null is 0. */
int cairn_journal__read_seed(cairn_dag__line *l, uint64_t *seed_p) {
  const char *text = NULL;
  uint64_t value = 0;
  const char c = cairn_journal__json_peek(&l->json);
  if (c != '"' && c != 'n')
    return cairn_journal__read_id(l, seed_p);
  if (!cairn_journal__read_text(l, &text))
    return 0;
  for (const char *at = text ? text : "0"; *at; at++) {
    if (*at < '0' || *at > '9' || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
      return cairn_journal__json_fail(&l->json, "expected a seed below 2^64");
  }
  *seed_p = value;
  return 1;
}

int cairn_journal__out_of_memory(cairn_dag__line *l) {
  l->no_memory = 1;
  return cairn_journal__json_fail(&l->json, "out of memory");
}

/* Members with strings or numbers, added to the facts of the run. */
int cairn_journal__read_facts(cairn_dag__line *l, size_t *count_p) {
  cairn_dag__reader *const r = l->r;
  char *name;
  int first = 1, more;
  *count_p = 0;
  if (!cairn_journal__json_take(&l->json, '{'))
    return cairn_journal__json_expected(&l->json, "an object");
  while ((more = cairn_journal__json_member(&l->json, &first, &name)) > 0) {
    const char c = cairn_journal__json_peek(&l->json);
    cairn_base_fact fact = {name, NULL, (double)NAN};
    if (c == '"' ? !cairn_journal__read_text(l, &fact.text)
                 : !cairn_journal__json_word(&l->json, "null") &&
                       !cairn_journal__json_number(&l->json, &fact.number))
      return 0;
    if (cairn_base_reserve(&r->facts, &r->fact_capacity, r->fact_count + 1,
                           sizeof *r->facts) != CAIRN_OK)
      return cairn_journal__out_of_memory(l);
    r->facts[r->fact_count++] = fact;
    (*count_p)++;
  }
  return more == 0;
}

int cairn_journal__list_add(cairn_dag__line *l, const char *string) {
  cairn_dag__reader *const r = l->r;
  if (cairn_base_reserve(&r->list, &r->list_capacity, r->list_count + 1,
                         sizeof *r->list) != CAIRN_OK)
    return cairn_journal__out_of_memory(l);
  r->list[r->list_count++] = string;
  return 1;
}

/* An array of strings, added to the list of the run. */
int cairn_journal__read_list(cairn_dag__line *l, size_t *count_p) {
  const size_t before = l->r->list_count;
  int first = 1, more;
  if (!cairn_journal__json_take(&l->json, '['))
    return cairn_journal__json_expected(&l->json, "an array");
  while ((more = cairn_journal__json_item(&l->json, &first)) > 0) {
    char *string;
    size_t length;
    if (!cairn_journal__json_string(&l->json, &string, &length) ||
        !cairn_journal__list_add(l, string))
      return 0;
  }
  *count_p = l->r->list_count - before;
  return more == 0;
}

/* An object of strings: names and values by turns in the list of the run. */
int cairn_journal__read_params(cairn_dag__line *l, size_t *count_p) {
  char *name;
  int first = 1, more;
  size_t count = 0;
  if (!cairn_journal__json_take(&l->json, '{'))
    return cairn_journal__json_expected(&l->json, "an object");
  while ((more = cairn_journal__json_member(&l->json, &first, &name)) > 0) {
    char *value;
    size_t length;
    if (!cairn_journal__json_string(&l->json, &value, &length) ||
        !cairn_journal__list_add(l, name) || !cairn_journal__list_add(l, value))
      return 0;
    count++;
  }
  *count_p = count;
  return more == 0;
}

/* ---- records ---- */

static size_t find_member(const cairn_dag__record *rec, const char *name) {
  size_t i = 0;
  while (i < rec->members && strcmp(name, rec->member[i]) != 0)
    i++;
  return i;
}

int cairn_journal__read_record(cairn_dag__line *l, const cairn_dag__record *rec,
                               void *out) {
  char *name;
  int first = 0, more; /* "k" was read */
  size_t i = 0;        /* members mostly come in the order of the table */
  while ((more = cairn_journal__json_member(&l->json, &first, &name)) > 0) {
    if (i >= rec->members || strcmp(name, rec->member[i]) != 0)
      i = find_member(rec, name);
    if (i == rec->members) {
      if (!cairn_journal__json_skip(&l->json))
        return 0;
      continue;
    }
    if (l->seen >> i & 1)
      return cairn_journal__json_fail(&l->json, "\"%s\" comes twice", name);
    l->seen |= UINT64_C(1) << i;
    if (!rec->read(l, i, out))
      return 0;
    i++;
  }
  for (i = 0; more == 0 && i < rec->members; i++)
    if (rec->needed >> i & 1 && !(l->seen >> i & 1))
      return cairn_journal__json_fail(&l->json, "expected \"%s\", found none",
                                      rec->member[i]);
  return more == 0 && cairn_journal__json_finish(&l->json);
}
