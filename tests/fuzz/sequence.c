/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/sequence.c - bytes as the choices that make a whole schedule: the
 * fuzzer would seldom find one letter by letter.
 */
#include "dag/program/program-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

enum { STREAMS = 3, MOST_OPS = 16, MOST_STEPS = 40 };

typedef struct maker {
  const cairn_dag_program *program;
  cairn_base_text *text;
  unsigned char issued[MOST_OPS];
  unsigned events;
} maker;

static int is_ready(const maker *m, unsigned op) {
  size_t count;
  const unsigned *const preds =
      cairn_dag__program_preds(m->program, op, &count);
  for (size_t i = 0; i < count; i++)
    if (preds[i] != 0 && !m->issued[preds[i]])
      return 0;
  return 1;
}

/* The k-th op that is left, of those that are ready when `ready`; 0: none. */
static unsigned choose(const maker *m, unsigned k, int ready) {
  unsigned left[MOST_OPS], count = 0;
  for (unsigned op = 1; op + 1 < cairn_dag_program_ops(m->program); op++)
    if (!m->issued[op] && (!ready || is_ready(m, op)))
      left[count++] = op;
  return count ? left[k % count] : 0;
}

static void issue(maker *m, unsigned op, unsigned stream) {
  const cairn_dag_op *const o = cairn_dag_program_op(m->program, op);
  m->issued[op] = 1;
  cairn_base_text_addf(m->text, " %s", o->name);
  if (o->kind == CAIRN_DAG_GPU)
    cairn_base_text_addf(m->text, "@%u", stream % STREAMS);
}

/* Two bits say what comes, the others of what. */
static void step(maker *m, unsigned b) {
  const unsigned what = b & 3, arg = b >> 2;
  if (what < 2) {
    const unsigned op = choose(m, arg >> 2, (arg & 31) != 31);
    if (op)
      issue(m, op, arg & 3);
  } else if (what == 2) {
    cairn_base_text_addf(m->text, " CER@%u#%u", arg % STREAMS, m->events++);
  } else if (m->events && arg & 1) {
    cairn_base_text_addf(m->text, " CES#%u",
                         m->events - 1 - (arg >> 1) % m->events);
  } else if (m->events) {
    cairn_base_text_addf(m->text, " CSW@%u#%u", (arg >> 1) % STREAMS,
                         m->events - 1 - (arg >> 3) % m->events);
  }
}

void fuzz_sequence(const cairn_dag_program *program, const uint8_t *data,
                   size_t size, cairn_base_text *text) {
  maker m = {.program = program, .text = text};
  if (cairn_dag_program_ops(program) > MOST_OPS)
    abort();
  cairn_base_text_add(text, "start");
  for (size_t i = 0; i < size && i < MOST_STEPS; i++)
    step(&m, data[i]);
  for (unsigned op; (op = choose(&m, 0, 1)) != 0;)
    issue(&m, op, 0);
  for (unsigned stream = 0; stream < STREAMS; stream++, m.events++)
    if (size > 0 && data[size - 1] & (1u << stream))
      cairn_base_text_addf(text, " CER@%u#%u CES#%u", stream, m.events,
                           m.events);
  cairn_base_text_add(text, " end");
  if (text->failed)
    abort();
}
