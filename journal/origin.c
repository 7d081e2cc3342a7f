/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/origin.c - what differs between the origins of two runs, in words.
 *
 * Operations and their kinds are read from one schedule of each run, for every
 * schedule holds them all; edges are known by the graph's digest, which headers
 * written by older versions lack.
 */
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <stdarg.h>
#include <string.h>

#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "dag/program/program-state-private.h"
#include "dag/schedule/sequence-private.h"
#include "journal/journal-private.h"
#include "journal/origin-private.h"

/* One side of a comparison. */
typedef struct side {
  const cairn_journal_header *header;
  const char *schedule; /* NULL: none is known */
  const char *path;
  size_t line;
} side;

static void say(cairn_base_text *words, const char *format, ...)
    CAIRN_PRINTF(2, 3);

static void say(cairn_base_text *words, const char *format, ...) {
  char piece[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(piece, sizeof piece, format, args);
  va_end(args);
  if (words->length > 0)
    cairn_base_text_add(words, ", ");
  cairn_base_text_add(words, piece);
}

/* ---- the program ---- */

enum { OF_A = 1, OF_B = 2, GPU_IN_A = 4, GPU_IN_B = 8, MOST_NAMED = 3 };

/* The ops of both sides: a set of the bits above for each name. */
typedef struct op_table {
  cairn_dag_intern *names;
  uint8_t *seen;
  size_t room;
} op_table;

static cairn_status add_ops(op_table *t, const side *s, int second,
                            cairn_base_diag *diag) {
  cairn_dag_sequence sequence = {0};
  cairn_status status =
      cairn_dag__sequence_parse(s->schedule, strlen(s->schedule), t->names,
                                s->path, s->line, diag, &sequence);
  const size_t known = cairn_dag__intern_count(t->names), before = t->room;
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&t->seen, &t->room, known, sizeof *t->seen);
  if (status == CAIRN_OK && t->room > before)
    memset(t->seen + before, 0, t->room - before);
  for (size_t i = 0; i < sequence.count && status == CAIRN_OK; i++) {
    const cairn_dag_token *const token = &sequence.tokens[i];
    const int gpu = token->kind == CAIRN_DAG_ITEM_GPU;
    if (gpu || token->kind == CAIRN_DAG_ITEM_CPU)
      t->seen[token->name] |=
          (uint8_t)((gpu ? OF_A | GPU_IN_A : OF_A) << second);
  }
  cairn_dag__sequence_free(&sequence);
  return status;
}

static size_t say_ops(const op_table *t, cairn_base_text *words) {
  size_t found = 0;
  for (uint32_t i = 0; i < cairn_dag__intern_count(t->names); i++) {
    const char *const name = cairn_dag__intern_name(t->names, i);
    const unsigned seen = t->seen[i], of = seen & (OF_A | OF_B);
    if (of == 0 || strcmp(name, "start") == 0 || strcmp(name, "end") == 0)
      continue;
    const int kinds =
        of == (OF_A | OF_B) && !(seen & GPU_IN_A) != !(seen & GPU_IN_B);
    if (of == (OF_A | OF_B) && !kinds)
      continue;
    if (found++ >= MOST_NAMED)
      continue;
    if (kinds)
      say(words, "operation %s is one of the %s", name,
          seen & GPU_IN_A ? "GPU and of the CPU" : "CPU and of the GPU");
    else
      say(words, "operation %s is in the %s only", name,
          of == OF_A ? "first" : "second");
  }
  if (found > MOST_NAMED)
    say(words, "%zu more", found - MOST_NAMED);
  return found;
}

static cairn_status compare_ops(const side *a, const side *b,
                                cairn_base_diag *diag, cairn_base_text *words,
                                size_t *found_p) {
  op_table table = {0};
  *found_p = 0;
  if (!a->schedule || !b->schedule)
    return CAIRN_OK;
  cairn_status status = cairn_dag__intern_create(&table.names);
  if (status == CAIRN_OK)
    status = add_ops(&table, a, 0, diag);
  if (status == CAIRN_OK)
    status = add_ops(&table, b, 1, diag);
  if (status == CAIRN_OK)
    *found_p = say_ops(&table, words);
  cairn_dag__intern_free(table.names);
  cairn_base_free(table.seen);
  return status;
}

/* One of the two may not have been through a file yet, which replaces bytes
 * that are no UTF-8. */
static int same_text(const char *a, const char *b) {
  return !a || !b || cairn_base__utf8_equal(a, b);
}

static cairn_status compare_programs(const side *a, const side *b,
                                     cairn_base_diag *diag,
                                     cairn_base_text *words, int *other_p) {
  const cairn_journal_header *const x = a->header, *const y = b->header;
  size_t found;
  *other_p = 0;
  if (x->program_digest && y->program_digest &&
      strcmp(x->program_digest, y->program_digest) == 0)
    return CAIRN_OK;
  const cairn_status status = compare_ops(a, b, diag, words, &found);
  if (status != CAIRN_OK)
    return status;
  if (found == 0 && !same_text(x->program_graph, y->program_graph)) {
    const int seen = a->schedule && b->schedule;
    say(words, seen ? "the edges between the operations"
                    : "the operations or the edges between them");
    found = 1;
  }
  *other_p = found > 0;
  return CAIRN_OK;
}

/* ---- the conditions ---- */

const char *cairn_journal__origin_backend(const cairn_journal_header *header) {
  const char *const backend = header->backend;
  if (!backend || strcmp(backend, "import") == 0)
    return NULL;
  if (strcmp(backend, "replay") != 0)
    return backend;
  const cairn_base_fact *const fact =
      cairn_journal__fact_find(header->fact, header->facts, "recorded_backend");
  return fact ? fact->text : NULL;
}

static void compare_text(const char *what, const char *a, const char *b,
                         cairn_base_text *words) {
  if (!same_text(a, b))
    say(words, "%s is \"%s\" and \"%s\"", what, a, b);
}

static const char *param_of(const cairn_journal_header *h, const char *name) {
  for (size_t i = 0; i < h->params; i++)
    if (cairn_base__utf8_equal(h->param_name[i], name))
      return h->param_value[i];
  return NULL;
}

static void compare_params(const cairn_journal_header *a,
                           const cairn_journal_header *b,
                           cairn_base_text *words) {
  char what[CAIRN_DAG_MAX_NAME + 16];
  for (size_t i = 0; i < a->params; i++) {
    snprintf(what, sizeof what, "parameter %s", a->param_name[i]);
    compare_text(what, a->param_value[i], param_of(b, a->param_name[i]), words);
  }
}

/* Devices joined with commas; NULL in the text when none are known. */
static void join_devices(const cairn_journal_header *h, cairn_base_text *text) {
  for (size_t i = 0; i < h->devices; i++)
    cairn_base_text_addf(text, "%s%s", i > 0 ? ", " : "", h->device[i]);
}

static cairn_status compare_devices(const cairn_journal_header *a,
                                    const cairn_journal_header *b,
                                    cairn_base_text *words) {
  cairn_base_text first = {0}, second = {0};
  join_devices(a, &first);
  join_devices(b, &second);
  const int failed = first.failed || second.failed;
  if (!failed && first.length > 0 && second.length > 0)
    compare_text("the device", first.data, second.data, words);
  cairn_base_text_free(&first);
  cairn_base_text_free(&second);
  return failed ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status compare_conditions(const cairn_journal_header *a,
                                       const cairn_journal_header *b,
                                       const char *objective,
                                       cairn_base_text *words) {
  compare_params(a, b, words);
  if (a->ranks > 0 && b->ranks > 0 && a->ranks != b->ranks)
    say(words, "the number of ranks is %u and %u", a->ranks, b->ranks);
  compare_text("the backend", cairn_journal__origin_backend(a),
               cairn_journal__origin_backend(b), words);
  const cairn_status status = compare_devices(a, b, words);
  if (!objective)
    compare_text("the objective", a->objective, b->objective, words);
  return status;
}

/* ---- the whole ---- */

static side side_of(const cairn_journal_run *run) {
  side s = {.header = &run->header, .path = run->path};
  if (run->results > 0) {
    s.schedule = run->result[0].schedule;
    s.line = run->result[0].line;
  } else if (run->begun_count > 0) {
    s.schedule = run->begun[0].schedule;
    s.line = run->begun[0].line;
  }
  return s;
}

cairn_status cairn_journal_origin_compare(const cairn_journal_run *a,
                                          const cairn_journal_run *b,
                                          const char *objective,
                                          cairn_base_diag *diag,
                                          cairn_journal_origin *origin_p,
                                          cairn_base_text *words) {
  const side x = side_of(a), y = side_of(b);
  const size_t before = words->length;
  int other;
  cairn_status status = compare_programs(&x, &y, diag, words, &other);
  if (status == CAIRN_OK && !other)
    status = compare_conditions(x.header, y.header, objective, words);
  if (status == CAIRN_OK && words->failed)
    status = CAIRN_NOMEM;
  if (status != CAIRN_OK)
    return status;
  *origin_p = other                    ? CAIRN_JOURNAL_ORIGIN_PROGRAM
              : words->length > before ? CAIRN_JOURNAL_ORIGIN_CONDITIONS
                                       : CAIRN_JOURNAL_ORIGIN_SAME;
  return CAIRN_OK;
}

cairn_status cairn_journal_origin_of_program(const cairn_journal_run *run,
                                             const cairn_dag_program *program,
                                             cairn_base_diag *diag,
                                             cairn_journal_origin *origin_p,
                                             cairn_base_text *words) {
  const cairn_journal_header header = {
      .program_digest = cairn_dag__program_digest(program),
      .program_graph = cairn_dag__program_graph(program)};
  const side x = side_of(run);
  cairn_base_text ops = {0};
  int other = 0;
  for (unsigned i = 0; i < cairn_dag_program_ops(program); i++) {
    const cairn_dag_op *const op = cairn_dag_program_op(program, i);
    cairn_base_text_addf(&ops, "%s%s%s", i > 0 ? " " : "", op->name,
                         op->kind == CAIRN_DAG_GPU ? "@0" : "");
  }
  const side y = {.header = &header, .schedule = ops.data};
  cairn_status status =
      ops.failed ? CAIRN_NOMEM : compare_programs(&x, &y, diag, words, &other);
  cairn_base_text_free(&ops);
  if (status == CAIRN_OK && words->failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    *origin_p =
        other ? CAIRN_JOURNAL_ORIGIN_PROGRAM : CAIRN_JOURNAL_ORIGIN_SAME;
  return status;
}
