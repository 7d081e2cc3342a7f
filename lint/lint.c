/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/lint.c - what is wrong with a schedule or a program.
 *
 * Ops there, once; waits after their records; every demand met by the order of
 * two iterations; every wait for a message after the posts that it needs.
 * What is needless is lint-waste.c's affair.
 */
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 32000 /* two iterations must be counted in 16 bits */

/* ---- ops ---- */

static void check_ops(cairn_dag_linter *l) {
  const unsigned ops = cairn_dag_program_ops(l->program);
  const unsigned ends = (l->flags & CAIRN_LINT_OPEN) ? 1 : 0;
  for (unsigned i = ends; i < ops - ends; i++) {
    if (l->order.spot[i].position != SIZE_MAX)
      continue;
    cairn_base_text text = {0}, repair = {0};
    const char *const name = cairn_lint__name(l, i);
    cairn_base_text_addf(&text, "%s is never issued", name);
    cairn_base_text_addf(&repair, "issue %s", name);
    cairn_lint__add(l, CAIRN_LINT_FINDING_MISSING_OP, CAIRN_DAG_NO_POSITION,
                    &(cairn_dag_demand){.a = (uint16_t)i, .b = (uint16_t)i},
                    &text, &repair);
  }
  for (size_t i = 0; i < l->count; i++) {
    const cairn_dag_item item = l->items[i];
    if (item.kind > CAIRN_DAG_ITEM_GPU || l->order.spot[item.id].position == i)
      continue;
    cairn_base_text text = {0}, repair = {0};
    cairn_base_text_addf(&text, "%s is issued again (first as item %zu)",
                         cairn_lint__name(l, item.id),
                         l->order.spot[item.id].position);
    cairn_base_text_addf(&repair, "remove item %zu", i);
    cairn_lint__add(l, CAIRN_LINT_FINDING_REPEATED_OP, i,
                    &(cairn_dag_demand){.a = item.id, .b = item.id}, &text,
                    &repair);
  }
}

/* ---- events ---- */

/* Where the event is recorded from item `from` on, or SIZE_MAX. */
static size_t recorded_at(const cairn_dag_linter *l, unsigned event,
                          size_t from) {
  for (size_t i = from; i < l->count; i++)
    if (l->items[i].kind == CAIRN_DAG_ITEM_CER && l->items[i].id == event)
      return i;
  return SIZE_MAX;
}

static void unrecorded(cairn_dag_linter *l, size_t i) {
  const unsigned event = l->items[i].id;
  const unsigned long shown = cairn_lint__event(l->numbers, event);
  const size_t later = recorded_at(l, event, i);
  if (later != SIZE_MAX && (l->flags & CAIRN_LINT_OPEN))
    return; /* it waits for the former iteration's record */
  cairn_base_text text = {0}, repair = {0};
  if (later == SIZE_MAX) {
    cairn_base_text_addf(&text,
                         "wait for event #%lu, which is never recorded: CUDA "
                         "does not wait at all",
                         shown);
    cairn_base_text_addf(&repair,
                         "record event #%lu before item %zu, or remove the "
                         "wait",
                         shown, i);
  } else {
    cairn_base_text_addf(&text,
                         "wait for event #%lu, which is recorded only later "
                         "(item %zu): CUDA does not wait for it",
                         shown, later);
    cairn_base_text_addf(&repair, "move the record, item %zu, before item %zu",
                         later, i);
  }
  cairn_lint__add(l, CAIRN_LINT_FINDING_UNRECORDED_WAIT, i, NULL, &text,
                  &repair);
}

static void check_events(cairn_dag_linter *l) {
  for (size_t i = 0; i < l->count; i++) {
    const cairn_dag_item item = l->items[i];
    if (item.kind < CAIRN_DAG_ITEM_CER || item.kind > CAIRN_DAG_ITEM_CSW)
      continue;
    const size_t first = recorded_at(l, item.id, 0);
    if (item.kind != CAIRN_DAG_ITEM_CER) {
      if (first == SIZE_MAX || first > i)
        unrecorded(l, i);
    } else if (first < i) {
      cairn_base_text text = {0}, repair = {0};
      cairn_base_text_addf(&text,
                           "event #%lu is recorded again (first as item %zu); "
                           "later waits see the newer record only",
                           cairn_lint__event(l->numbers, item.id), first);
      cairn_base_text_addf(&repair, "use another event for item %zu", i);
      cairn_lint__add(l, CAIRN_LINT_FINDING_REPEATED_RECORD, i, NULL, &text,
                      &repair);
    }
  }
}

/* ---- demands ---- */

static void unmet(cairn_dag_linter *l, const cairn_dag_demand *given) {
  const cairn_dag_spot *const spot = l->order.spot;
  cairn_dag_demand d = *given;
  if (d.either && spot[d.a].position > spot[d.b].position) {
    d.a = given->b;
    d.b = given->a;
  }
  cairn_base_text text = {0}, repair = {0};
  const char *const a = cairn_lint__name(l, d.a);
  const char *const b = cairn_lint__name(l, d.b);
  cairn_lint_finding_kind kind = CAIRN_LINT_FINDING_RACE;
  if (d.next)
    kind = CAIRN_LINT_FINDING_ITERATION_RACE;
  else if (d.what)
    kind = CAIRN_LINT_FINDING_DATA_RACE;
  else if (spot[d.a].position > spot[d.b].position)
    kind = CAIRN_LINT_FINDING_ORDER;
  if (kind == CAIRN_LINT_FINDING_ORDER)
    cairn_base_text_addf(&text, "%s is issued before %s, which it needs", b, a);
  else
    cairn_base_text_addf(&text, "%s%s can start before %s is complete",
                         d.next ? "the next iteration's " : "", b, a);
  if (d.what)
    cairn_base_text_addf(&text, " (both touch \"%s\"%s)", d.what,
                         d.either ? ", and the program has no edge" : "");
  cairn_lint__repair(l, &d, &repair);
  cairn_lint__add(l, kind, spot[d.b].position, &d, &text, &repair);
}

/* Is the missing order of a post and its wait reported as a hang already? */
static int is_hang(const cairn_dag_linter *l, const cairn_dag_demand *d) {
  for (size_t i = 0; i < l->report->count; i++) {
    const cairn_lint_finding *const f = &l->report->finding[i];
    if (f->kind == CAIRN_LINT_FINDING_DEADLOCK && f->from == d->a &&
        f->to == d->b)
      return !d->next;
  }
  return 0;
}

static void check_demands(cairn_dag_linter *l) {
  for (size_t i = 0; i < l->demands.count; i++) {
    const cairn_dag_demand *const d = &l->demands.demand[i];
    if (!cairn_lint__order_meets(&l->order, d) && !is_hang(l, d))
      unmet(l, d);
  }
}

/* An op of the program stands where messages use what it touches. */
static void forgotten_wait(cairn_dag_linter *l, const cairn_dag_demand *d) {
  cairn_base_text text = {0}, repair = {0};
  const char *const a = cairn_lint__name(l, d->a);
  const char *const b = cairn_lint__name(l, d->b);
  cairn_base_text_addf(&text,
                       "%s and %s both touch \"%s\", which messages use "
                       "between them",
                       a, b, d->what);
  cairn_base_text_addf(&repair, "let %s come after %s in the program", b, a);
  cairn_lint__add(l, CAIRN_LINT_FINDING_FORGOTTEN_EDGE, CAIRN_DAG_NO_POSITION,
                  d, &text, &repair);
}

/* Pairs ordered here by luck only. */
void cairn_lint__forgotten(cairn_dag_linter *l) {
  for (size_t i = 0; i < l->demands.count; i++) {
    const cairn_dag_demand d = l->demands.demand[i];
    if (!l->items && d.what && !d.next && !d.either)
      forgotten_wait(l, &d);
    if (!d.either || (l->items && !cairn_lint__order_meets(&l->order, &d)))
      continue;
    cairn_base_text text = {0}, repair = {0};
    const char *const a = cairn_lint__name(l, d.a);
    const char *const b = cairn_lint__name(l, d.b);
    cairn_base_text_addf(&text,
                         "%s and %s both touch \"%s\", but no path of the "
                         "program orders them",
                         a, b, d.what);
    cairn_base_text_addf(&repair,
                         "add %s to the 'after' of %s in the program, or %s "
                         "to that of %s",
                         a, b, b, a);
    cairn_lint__add(l, CAIRN_LINT_FINDING_FORGOTTEN_EDGE, CAIRN_DAG_NO_POSITION,
                    &d, &text, &repair);
  }
}

/* ---- messages ---- */

static void hang(cairn_dag_linter *l, const cairn_dag_need *need,
                 size_t position) {
  const char *const wait = cairn_lint__name(l, need->wait);
  const char *const post = cairn_lint__name(l, need->post);
  cairn_base_text text = {0}, repair = {0};
  cairn_base_text_addf(
      &text,
      need->own ? "%s waits for \"%s\", but %s, which posts it, is not "
                  "issued before: it hangs"
                : "%s waits for \"%s\", but %s, which posts its match "
                  "on the peers, is not issued before: all ranks hang",
      wait, need->message, post);
  if (position != CAIRN_DAG_NO_POSITION)
    cairn_base_text_addf(&repair, "issue %s before item %zu", post, position);
  else
    cairn_base_text_addf(&repair, "add %s to the 'after' of %s in the program",
                         post, wait);
  cairn_lint__add(
      l, CAIRN_LINT_FINDING_DEADLOCK, position,
      &(cairn_dag_demand){.a = (uint16_t)need->post, .b = (uint16_t)need->wait},
      &text, &repair);
}

static void check_messages(cairn_dag_linter *l) {
  cairn_dag_need *need;
  size_t count;
  const cairn_status status =
      cairn_dag__needs_create(l->program, &need, &count);
  if (status != CAIRN_OK) {
    l->status = status;
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t wait = l->order.spot[need[i].wait].position;
    if (wait != SIZE_MAX && l->order.spot[need[i].post].position > wait)
      hang(l, &need[i], wait);
  }
  cairn_base_free(need);
}

/* ---- front ---- */

static int by_position(const void *left, const void *right) {
  const cairn_lint_finding *const a = left, *const b = right;
  if (a->position != b->position)
    return a->position < b->position ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static cairn_status finish(cairn_dag_linter *l, cairn_lint_report **report_p) {
  cairn_lint__order_free(&l->order);
  cairn_dag__reach_free(&l->reach);
  cairn_base_free(l->demands.demand);
  cairn_base_free(l->left);
  if (l->status != CAIRN_OK) {
    cairn_lint_report_free(l->report);
    return l->status;
  }
  if (l->report->count)
    qsort(l->report->finding, l->report->count, sizeof *l->report->finding,
          by_position);
  *report_p = l->report;
  return CAIRN_OK;
}

static void prepare(cairn_dag_linter *l) {
  l->report = cairn_base_zalloc(1, sizeof *l->report);
  l->status =
      l->report ? cairn_dag__reach_create(l->program, &l->reach) : CAIRN_NOMEM;
  if (l->report)
    l->report->legal = 1;
  if (l->status == CAIRN_OK)
    l->status = cairn_lint__demands_create(
        l->program, &l->reach, !(l->flags & CAIRN_LINT_OPEN), &l->demands);
}

static int in_range(const cairn_dag_program *program, cairn_dag_item item) {
  if (item.kind <= CAIRN_DAG_ITEM_GPU)
    return item.id < cairn_dag_program_ops(program) &&
           (cairn_dag_program_op(program, item.id)->kind == CAIRN_DAG_GPU) ==
               (item.kind == CAIRN_DAG_ITEM_GPU) &&
           item.stream < CAIRN_DAG_MAX_STREAMS;
  return item.kind <= CAIRN_DAG_STEP_NONE &&
         item.stream < CAIRN_DAG_MAX_STREAMS;
}

cairn_status cairn_lint(const cairn_dag_program *program,
                        const cairn_dag_item *items, size_t count,
                        unsigned flags, const cairn_lint_numbers *numbers,
                        cairn_lint_report **report_p) {
  for (size_t i = 0; i < count; i++)
    if (!in_range(program, items[i]))
      return CAIRN_INPUT;
  if (count > MAX_ITEMS)
    return CAIRN_INPUT;
  cairn_dag_linter l = {.program = program,
                        .items = items,
                        .count = count,
                        .flags = flags,
                        .numbers = numbers};
  prepare(&l);
  if (l.status == CAIRN_OK)
    l.status = cairn_lint__order_create(program, items, count, &l.order);
  if (l.status != CAIRN_OK)
    return finish(&l, report_p);
  cairn_lint__order_run(&l.order, items);
  check_ops(&l);
  check_events(&l);
  check_messages(&l);
  check_demands(&l);
  if (!(flags & CAIRN_LINT_WRONG_ONLY)) {
    cairn_lint__forgotten(&l);
    cairn_lint__waste(&l);
  }
  return finish(&l, report_p);
}

cairn_status cairn_lint_program(const cairn_dag_program *program,
                                cairn_lint_report **report_p) {
  cairn_dag_linter l = {.program = program};
  prepare(&l);
  cairn_dag_deadlock *list = NULL;
  size_t count = 0;
  if (l.status == CAIRN_OK)
    l.status = cairn_dag_program_deadlocks(program, &list, &count);
  for (size_t i = 0; l.status == CAIRN_OK && i < count; i++)
    hang(&l, &list[i], CAIRN_DAG_NO_POSITION);
  cairn_base_free(list);
  if (l.status == CAIRN_OK)
    cairn_lint__forgotten(&l);
  return finish(&l, report_p);
}
