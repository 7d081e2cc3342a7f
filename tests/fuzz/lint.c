/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/lint.c - lints a sequence and holds the linter against the
 * prover, which knows nothing of it.
 */
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/lint.h>

#include <stdlib.h>
#include <string.h>

static int counts(const cairn_lint_report *report) {
  int wrong = 0;
  for (size_t i = 0; i < report->count; i++) {
    const cairn_lint_finding *const f = &report->finding[i];
    wrong |= cairn_lint_finding_wrong(f->kind);
    fuzz_promise(f->text && f->text[0] && f->repair && f->repair[0],
                 "a finding without words");
    fuzz_promise(i == 0 || f[-1].position <= f->position,
                 "findings out of order");
  }
  return wrong;
}

cairn_dag_prover *fuzz_prover(const cairn_dag_program *program) {
  static struct {
    const cairn_dag_program *program;
    cairn_dag_prover *prover;
  } known[4];
  size_t i = 0;
  while (known[i].program && known[i].program != program)
    if (++i == sizeof known / sizeof *known)
      abort();
  if (!known[i].program &&
      cairn_dag__prover_create(program, &known[i].prover) != CAIRN_OK)
    abort();
  known[i].program = program;
  return known[i].prover;
}

/* Does each event's record stand before its waits?  A wait for the record of
 * the iteration before is illegal in a plain schedule; read again, it is for an
 * event of its own. */
static int are_recorded(const cairn_dag_schedule *s) {
  for (size_t i = 0; i < s->count; i++) {
    size_t k = 0;
    if (s->items[i].kind != CAIRN_DAG_ITEM_CES &&
        s->items[i].kind != CAIRN_DAG_ITEM_CSW)
      continue;
    while (k < i && (s->items[k].kind != CAIRN_DAG_ITEM_CER ||
                     s->items[k].id != s->items[i].id))
      k++;
    if (k == i)
      return 0;
  }
  return 1;
}

/* As a plain schedule: legal if the linter says so, and its text is read as
 * the same schedule. */
static void as_plain(const cairn_dag_program *program,
                     cairn_dag_schedule *plain, int legal) {
  cairn_dag_prover *const prover = fuzz_prover(program);
  cairn_dag_schedule again = {0};
  cairn_base_text text = {0};
  plain->count = cairn_dag_schedule_tidy_relays(plain->items, plain->count);
  if (legal)
    fuzz_promise(
        cairn_dag__prover_legal(prover, plain->items, plain->count) &&
            !cairn_dag__prover_hangs(prover, plain->items, plain->count),
        "legal to the linter, not to the prover");
  if (cairn_dag_schedule_format(program, plain->items, plain->count, &text) !=
      CAIRN_OK)
    abort();
  fuzz_promise(cairn_dag_schedule_parse(program, text.data, NULL, &again) ==
                   CAIRN_OK,
               "its plain text is refused");
  fuzz_promise(!are_recorded(plain) ||
                   (again.count == plain->count &&
                    memcmp(again.items, plain->items,
                           again.count * sizeof *again.items) == 0),
               "its plain text is another schedule");
  cairn_dag_schedule_free(&again);
  cairn_base_text_free(&text);
}

int fuzz_lint(const cairn_dag_program *program, const cairn_dag_item *items,
              size_t count, int open) {
  cairn_lint_report *report = NULL, *wrong = NULL;
  cairn_dag_schedule plain = {0};
  const unsigned flags = open ? CAIRN_LINT_OPEN : CAIRN_LINT_DEFAULT;
  if (cairn_lint(program, items, count, flags, NULL, &report) != CAIRN_OK ||
      cairn_lint(program, items, count, flags | CAIRN_LINT_WRONG_ONLY, NULL,
                 &wrong) != CAIRN_OK)
    abort();
  const int legal = report->legal;
  fuzz_promise(legal == !counts(report), "legal with something wrong");
  fuzz_promise(legal == wrong->legal, "what is wrong depends on what is asked");
  for (size_t i = 0; i < wrong->count; i++)
    fuzz_promise(cairn_lint_finding_wrong(wrong->finding[i].kind),
                 "what is needless, unasked");
  if (cairn_lint_plain(program, items, count, NULL, &plain) == CAIRN_OK)
    as_plain(program, &plain, legal && !open);
  cairn_dag_schedule_free(&plain);
  cairn_lint_report_free(report);
  cairn_lint_report_free(wrong);
  return legal;
}
