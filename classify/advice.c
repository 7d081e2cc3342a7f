/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/advice.c - what to do and what to avoid, in one sentence each.
 *
 * To follow: of the fastest class's rule sets the one that most surely leads
 * there (highest lower bound of its purity, Wilson's, so that a pure rule of
 * five schedules does not beat an almost pure one of hundreds); of those about
 * as sure the one that speaks least of syncs.  To avoid: the condition, or two
 * together, that most of the slowest class meet and least of the fastest.
 */
#include <string.h>

#include <cairn/classify.h>

#include "classify/report-private.h"

static const double AS_SURE = 0.02, LEAST_CONTRAST = 0.25;
static const double FAST_WEIGHT = 2, SECOND_COST = 0.05;
enum { MOST_CANDIDATES = 64 };

/* Does the condition name an inserted sync?  Harder to act on than an op. */
static unsigned syncs(const cairn_classify_analysis *a,
                      const cairn_classify_condition *c) {
  int value;
  const cairn_classify_features *f = a->features;
  const cairn_classify_feature *x =
      &f->varied[cairn_classify_features_read(f, c->column, c->value, &value)];
  unsigned sum = 0;
  for (int k = 0; k < 2; k++) {
    const char *name = cairn_dag_intern_name(f->names, k ? x->v : x->u);
    sum += strncmp(name, "CER", 3) == 0 || strncmp(name, "CES", 3) == 0 ||
           strncmp(name, "CSW", 3) == 0;
  }
  return sum;
}

const char *cairn_classify__legend(const cairn_classify_analysis *analysis) {
  unsigned sum = 0;
  for (size_t i = 0; i < analysis->rules->count; i++)
    for (size_t k = 0; k < analysis->rules->rule[i].conditions; k++)
      sum += syncs(analysis, &analysis->rules->rule[i].condition[k]);
  return sum == 0 ? NULL
                  : "CER-after-A: an event is recorded behind A in its stream. "
                    "CES-b4-B: the host waits for such an event before it "
                    "issues B. CSW-after-A-b4-B: the stream of B waits for A.";
}

int cairn_classify__asks_for_streams(const cairn_classify_analysis *analysis,
                                     const cairn_classify_rule *rule) {
  int value;
  const cairn_classify_features *f = analysis->features;
  for (size_t k = 0; k < rule->conditions; k++)
    if (f
            ->varied[cairn_classify_features_read(
                f, rule->condition[k].column, rule->condition[k].value, &value)]
            .kind == CAIRN_CLASSIFY_SAME)
      return 1;
  return 0;
}

static const cairn_classify_rule *
choose_rule(const cairn_classify_analysis *a) {
  const cairn_classify_rule *best = NULL;
  double surest = 0;
  unsigned fewest = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    const double low = cairn_classify_share_of(r->hits, r->samples).low;
    surest = r->id == 0 && low > surest ? low : surest;
  }
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    unsigned sum = 0;
    if (r->id != 0 ||
        cairn_classify_share_of(r->hits, r->samples).low < surest - AS_SURE)
      continue;
    for (size_t k = 0; k < r->conditions; k++)
      sum += syncs(a, &r->condition[k]);
    if (!best || sum < fewest) {
      best = r;
      fewest = sum;
    }
  }
  return best;
}

/* Counts those that follow, and finds the fastest of them. */
static cairn_status follow(const cairn_classify_analysis *a,
                           cairn_classify__advice *advice) {
  uint64_t *cover = cairn_base_alloc(a->table.words, sizeof *cover);
  if (!cover)
    return CAIRN_NOMEM;
  cairn_classify_rule_cover(advice->follow, &a->table, cover);
  advice->example = UINT32_MAX;
  for (size_t i = 0; i < a->labels->count; i++) {
    const uint32_t row = a->labels->order[i];
    if (!cairn_base_bits_test(cover, row))
      continue;
    if (advice->example == UINT32_MAX)
      advice->example = row;
    advice->follow_slowest += a->labels->label[row] + 1u == a->labels->classes;
  }
  cairn_base_free(cover);
  return CAIRN_OK;
}

typedef struct contest {
  const cairn_classify_analysis *a;
  cairn_classify_condition candidate[MOST_CANDIDATES];
  size_t candidates;
  double best;
  cairn_classify__advice *advice;
} contest;

/* Conditions of rules, the slowest class's first. */
static void collect(contest *c) {
  const cairn_classify_rules *rules = c->a->rules;
  for (size_t i = rules->count; i-- > 0;)
    for (size_t k = 0; k < rules->rule[i].conditions; k++) {
      const cairn_classify_condition *x = &rules->rule[i].condition[k];
      size_t j = 0;
      while (j < c->candidates && (c->candidate[j].column != x->column ||
                                   c->candidate[j].value != x->value))
        j++;
      if (j == c->candidates && j < MOST_CANDIDATES)
        c->candidate[c->candidates++] = *x;
    }
}

/* Weighs one condition, or two together (y not NULL). */
static void weigh(contest *c, const cairn_classify_condition *x,
                  const cairn_classify_condition *y) {
  const cairn_classify_table *t = &c->a->table;
  const uint32_t *n = c->a->tree->samples;
  const unsigned last = t->classes - 1;
  const uint64_t *bx = t->columns + x->column * t->words;
  const uint64_t *by = y ? t->columns + y->column * t->words : bx;
  const int vy = y ? y->value : x->value;
  size_t all = 0, slow = 0, fast = 0;
  for (size_t r = 0; r < t->rows; r++) {
    if (cairn_base_bits_test(bx, r) != x->value ||
        cairn_base_bits_test(by, r) != vy)
      continue;
    all++;
    slow += t->label[r] == last;
    fast += t->label[r] == 0;
  }
  const double contrast = (double)slow / n[last] -
                          FAST_WEIGHT * (double)fast / n[0] -
                          (y ? SECOND_COST : 0);
  if (contrast <= c->best)
    return;
  c->best = contrast;
  c->advice->avoid[0] = *x;
  c->advice->avoid[1] = y ? *y : *x;
  c->advice->avoids = y ? 2 : 1;
  c->advice->all = all;
  c->advice->slowest = slow;
  c->advice->fastest = fast;
}

cairn_status
cairn_classify__advice_make(const cairn_classify_analysis *analysis,
                            cairn_classify__advice *advice) {
  contest c = {.a = analysis, .best = LEAST_CONTRAST, .advice = advice};
  *advice = (cairn_classify__advice){.follow = choose_rule(analysis)};
  if (!advice->follow)
    return CAIRN_OK;
  collect(&c);
  for (size_t i = 0; i < c.candidates; i++) {
    weigh(&c, &c.candidate[i], NULL);
    for (size_t j = 0; j < i; j++)
      weigh(&c, &c.candidate[j], &c.candidate[i]);
  }
  return follow(analysis, advice);
}

void cairn_classify__follow_text(const cairn_classify__advice *advice,
                                 cairn_base_text *text) {
  const cairn_classify_rule *r = advice->follow;
  cairn_base_text_addf(text,
                       "%u of the %u schedules that do so are in the fastest "
                       "class, %zu in the slowest",
                       r->hits, r->samples, advice->follow_slowest);
}

static void count_of(size_t count, uint32_t all, const char *what,
                     cairn_base_text *text) {
  if (count == 0)
    cairn_base_text_addf(text, "none of the %u %s", all, what);
  else
    cairn_base_text_addf(text, "%zu of the %u %s", count, all, what);
}

void cairn_classify__avoid_text(const cairn_classify_analysis *analysis,
                                const cairn_classify__advice *advice,
                                cairn_base_text *text) {
  const uint32_t *n = analysis->tree->samples;
  cairn_base_text_addf(text, "%zu of the %zu schedules do it: ", advice->all,
                       analysis->labels->count);
  count_of(advice->slowest, n[analysis->table.classes - 1], "slowest", text);
  cairn_base_text_add(text, ", ");
  count_of(advice->fastest, n[0], "fastest", text);
}

/* Ops of the schedule in order; stream < 0: all but start and end, else the GPU
 * ops of that stream. */
static size_t list_ops(const cairn_classify_analysis *a, size_t row, int stream,
                       cairn_base_text *text) {
  size_t count, said = 0;
  const cairn_dag_token *token =
      cairn_classify_data_tokens(a->data, row, &count);
  const cairn_dag_intern *names = cairn_classify_data_names(a->data);
  for (size_t i = 0; i < count; i++) {
    const char *name = cairn_dag_intern_name(names, token[i].name);
    const int gpu = token[i].kind == CAIRN_DAG_ITEM_GPU;
    if (!gpu && (stream >= 0 || token[i].kind != CAIRN_DAG_ITEM_CPU ||
                 strcmp(name, "start") == 0 || strcmp(name, "end") == 0))
      continue;
    if (stream >= 0 && token[i].stream != stream)
      continue;
    cairn_base_text_add(text, said++ ? ", " : "");
    cairn_base_text_add(text, name);
  }
  return said;
}

void cairn_classify__order_text(const cairn_classify_analysis *analysis,
                                size_t row, cairn_base_text *text) {
  (void)list_ops(analysis, row, -1, text);
}

void cairn_classify__streams_text(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text) {
  int said = 0;
  for (int stream = 0; stream < 256; stream++) {
    cairn_base_text ops = {0};
    const size_t count = list_ops(analysis, row, stream, &ops);
    if (count > 0)
      cairn_base_text_addf(text, "%s%s%s", said++ ? "; " : "",
                           ops.data ? ops.data : "",
                           count > 1 ? " in one stream" : " in its own");
    text->failed |= ops.failed;
    cairn_base_text_free(&ops);
  }
}
