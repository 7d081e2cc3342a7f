/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/line.c - records as lines, with their checksum.
 * Invariant: members stand in a fixed order, so equal records are equal bytes.
 */
#include "journal/format-private.h"
#include "journal/journal-private.h"
#include "journal/json-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void hash_hex(const char *data, size_t length, char hex[17]) {
  snprintf(hex, 17, "%016" PRIx64, (uint64_t)XXH3_64bits(data, length));
}

void cairn_journal__line_seal(cairn_base_text *text, size_t start) {
  char hex[17];
  if (text->failed)
    return;
  hash_hex(text->data + start, text->length - start, hex);
  cairn_base_text_addf(text, ",\"x\":\"%s\"}\n", hex);
}

cairn_dag__damage cairn_journal__line_check(const char *line, size_t length,
                                            size_t *body_p) {
  char hex[17];
  if (length < CAIRN_DAG__SEAL + 1)
    return CAIRN_DAG__UNSEALED;
  const size_t body = length - CAIRN_DAG__SEAL;
  const char *const seal = line + body;
  if (memcmp(seal, ",\"x\":\"", 6) != 0 || memcmp(seal + 22, "\"}", 2) != 0)
    return CAIRN_DAG__UNSEALED;
  hash_hex(line, body, hex);
  *body_p = body;
  return memcmp(seal + 6, hex, 16) == 0 ? CAIRN_DAG__WHOLE
                                        : CAIRN_DAG__MISMATCH;
}

int cairn_dag__is_unborn(const char *data, size_t length) {
  static const char first[] = "{\"k\":\"header\",\"format\":1,\"cairn\":";
  _Static_assert(CAIRN_JOURNAL_FORMAT == 1, "the text above");
  const size_t known = sizeof first - 1;
  return length == 0 ||
         (memcmp(data, first, length < known ? length : known) == 0 &&
          memchr(data, '\n', length) == NULL);
}

/* ---- members ---- */

static void add_key(cairn_base_text *text, const char *key) {
  cairn_base_text_addf(text, ",\"%s\":", key);
}

static void add_text(cairn_base_text *text, const char *key,
                     const char *value) {
  add_key(text, key);
  cairn_journal__json_add_string(text, value);
}

static void add_number(cairn_base_text *text, const char *key, double value) {
  add_key(text, key);
  cairn_journal__json_add_number(text, value);
}

/* A count; 0 is unknown. */
static void add_count(cairn_base_text *text, const char *key, unsigned value) {
  add_key(text, key);
  if (value)
    cairn_base_text_addf(text, "%u", value);
  else
    cairn_base_text_add(text, "null");
}

static void add_list(cairn_base_text *text, const char *key,
                     const char *const *items, size_t count) {
  add_key(text, key);
  cairn_base_text_add(text, "[");
  for (size_t i = 0; i < count; i++) {
    cairn_base_text_add(text, i ? "," : "");
    cairn_journal__json_add_string(text, items[i]);
  }
  cairn_base_text_add(text, "]");
}

/* One of the facts; *count_p of them are there. */
static void add_fact(cairn_base_text *text, size_t *count_p,
                     const cairn_base_fact *fact) {
  if ((*count_p)++ == 0)
    add_key(text, "facts");
  cairn_base_text_add(text, *count_p == 1 ? "{" : ",");
  cairn_journal__json_add_string(text, fact->name);
  cairn_base_text_add(text, ":");
  if (fact->text)
    cairn_journal__json_add_string(text, fact->text);
  else
    cairn_journal__json_add_number(text, fact->number);
}

static void add_facts(cairn_base_text *text, const cairn_base_fact *fact,
                      size_t facts) {
  size_t count = 0;
  for (size_t i = 0; i < facts; i++)
    add_fact(text, &count, fact + i);
  cairn_base_text_add(text, count ? "}" : "");
}

static void add_interval(cairn_base_text *text, size_t *count_p,
                         const cairn_journal_result *r) {
  add_fact(text, count_p, &(cairn_base_fact){"low", NULL, r->times.low});
  add_fact(text, count_p, &(cairn_base_fact){"high", NULL, r->times.high});
  if (r->corrected)
    add_fact(text, count_p,
             &(cairn_base_fact){"uncorrected", NULL, r->uncorrected});
}

/* Members that stand among the facts have their places: the interval follows
 * the number of late samples where that is told, else it is first. */
static void add_result_facts(cairn_base_text *text,
                             const cairn_journal_result *r) {
  size_t count = 0;
  int told = 0;
  for (size_t i = 0; i < r->facts; i++)
    told |= strcmp(r->fact[i].name, "late") == 0;
  if (!told && (r->corrected || !isnan(r->times.low) || !isnan(r->times.high)))
    add_interval(text, &count, r);
  for (size_t i = 0; i < r->facts; i++) {
    add_fact(text, &count, r->fact + i);
    if (strcmp(r->fact[i].name, "late") == 0)
      add_interval(text, &count, r);
  }
  if (r->finalist)
    add_fact(text, &count, &(cairn_base_fact){"finalist", NULL, 1});
  cairn_base_text_add(text, count ? "}" : "");
}

/* ---- records ---- */

static void add_program(cairn_base_text *text,
                        const cairn_journal_header *header) {
  cairn_base_text_add(text, ",\"program\":{\"name\":");
  cairn_journal__json_add_string(text, header->program_name);
  add_text(text, "digest", header->program_digest);
  if (header->program_graph)
    add_text(text, "graph", header->program_graph);
  cairn_base_text_add(text, "}");
  add_key(text, "params");
  cairn_base_text_add(text, "{");
  for (size_t i = 0; i < header->params; i++) {
    cairn_base_text_add(text, i ? "," : "");
    cairn_journal__json_add_string(text, header->param_name[i]);
    cairn_base_text_add(text, ":");
    cairn_journal__json_add_string(text, header->param_value[i]);
  }
  cairn_base_text_add(text, "}");
}

void cairn_journal__header_format(cairn_base_text *text,
                                  const cairn_journal_header *header) {
  const size_t start = text->length;
  cairn_base_text_addf(text, "{\"k\":\"header\",\"format\":%d",
                       CAIRN_JOURNAL_FORMAT);
  add_text(text, "cairn", header->cairn);
  add_program(text, header);
  add_count(text, "ranks", header->ranks);
  add_list(text, "hosts", header->host, header->hosts);
  add_text(text, "backend", header->backend);
  add_list(text, "devices", header->device, header->devices);
  add_text(text, "driver", header->driver);
  add_text(text, "mpi", header->mpi);
  add_key(text, "gpu_aware");
  cairn_base_text_add(text, header->gpu_aware < 0 ? "null"
                            : header->gpu_aware   ? "true"
                                                  : "false");
  add_count(text, "streams", header->streams);
  add_text(text, "sync", header->sync);
  add_text(text, "strategy", header->strategy);
  add_key(text, "seed");
  cairn_journal__json_add_whole(text, header->seed);
  add_text(text, "objective", header->objective);
  add_facts(text, header->fact, header->facts);
  cairn_journal__line_seal(text, start);
}

void cairn_journal__result_format(cairn_base_text *text, const char *kind,
                                  const cairn_journal_result *result) {
  const size_t start = text->length;
  cairn_base_text_addf(text, "{\"k\":\"%s\",\"id\":%" PRIu64, kind, result->id);
  add_text(text, "schedule", result->schedule);
  add_text(text, "status", cairn_base_outcome_text(result->outcome));
  add_key(text, "samples");
  if (result->times.samples || result->outcome != CAIRN_BASE_OUTCOME_OK)
    cairn_base_text_addf(text, "%u", result->times.samples);
  else
    cairn_base_text_add(text, "null");
#define ADD_PERCENTILE(name, key, percent)                                     \
  add_number(text, key, result->times.p[CAIRN_BASE_##name]);
  CAIRN_BASE_PERCENTILE_TABLE(ADD_PERCENTILE)
#undef ADD_PERCENTILE
  add_number(text, "stddev", result->times.stddev);
  add_number(text, "skew", result->times.skew);
  add_number(text, "at", result->at);
  if (result->message)
    add_text(text, "message", result->message);
  add_result_facts(text, result);
  cairn_journal__line_seal(text, start);
}

void cairn_journal__begin_format(cairn_base_text *text, uint64_t id,
                                 const char *schedule) {
  const size_t start = text->length;
  cairn_base_text_addf(text, "{\"k\":\"begin\",\"id\":%" PRIu64, id);
  add_text(text, "schedule", schedule);
  cairn_journal__line_seal(text, start);
}

void cairn_dag__death_format(cairn_base_text *text, uint64_t id,
                             const char *message) {
  const size_t start = text->length;
  cairn_base_text_addf(text, "{\"k\":\"death\",\"id\":%" PRIu64, id);
  add_text(text, "message", message);
  cairn_journal__line_seal(text, start);
}

void cairn_journal__end_format(cairn_base_text *text, uint64_t count,
                               const char *reason) {
  const size_t start = text->length;
  cairn_base_text_addf(text, "{\"k\":\"end\",\"count\":%" PRIu64, count);
  add_text(text, "reason", reason);
  cairn_journal__line_seal(text, start);
}

const char *cairn_base_outcome_text(cairn_base_outcome outcome) {
  static const char *const texts[] = {
#define OUTCOME_TEXT(name, text) text,
      CAIRN_BASE_OUTCOME_TABLE(OUTCOME_TEXT)
#undef OUTCOME_TEXT
  };
  const size_t i = (size_t)outcome;
  return i < sizeof texts / sizeof *texts ? texts[i] : "unknown";
}

const cairn_base_fact *cairn_journal__fact_find(const cairn_base_fact *fact,
                                                size_t facts,
                                                const char *name) {
  for (size_t i = 0; i < facts; i++)
    if (strcmp(fact[i].name, name) == 0)
      return fact + i;
  return NULL;
}

cairn_journal_result cairn_journal__result_blank(uint64_t id,
                                                 const char *schedule,
                                                 cairn_base_outcome outcome) {
  return (cairn_journal_result){.id = id,
                                .schedule = schedule,
                                .outcome = outcome,
                                .times = CAIRN_BASE_TIMES_UNKNOWN};
}
