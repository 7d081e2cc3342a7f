/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/advice.c - what to do and what to avoid, in one sentence
 * each.
 *
 * To follow: of the fastest class's rule sets the one that most surely leads
 * there (highest lower bound of its purity, Wilson's, so that a pure rule of
 * five schedules does not beat an almost pure one of hundreds); of those about
 * as sure the one that speaks least of syncs.
 *
 * To avoid: a condition, two together, or a rule set of the slowest class.  A
 * warning that schedules heed must make them slowest less often, so it is given
 * only when (nearly) all that meet it are slowest, and of these sets the
 * largest; failing that, when the share is at least twice that of all
 * schedules, and then the purest.
 */
#include <string.h>

#include "classify/data/data-private.h"
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/feature-private.h"
#include "classify/judge/evaluate-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "dag/schedule/sequence-private.h"

static const double AS_SURE = 0.02;
/* A set of share s of the slowest class is sure when s >= SURE and it leaves at
 * most half of the others that all schedules have; it is telling when s is at
 * least LIFT times the share of all.  Of sure sets, each schedule that is not
 * slowest weighs as much as SURE / (1 - SURE) that are, and each condition but
 * the first as much as MORE_COST of the slowest class. */
static const double SURE = 0.9, LIFT = 2, MORE_COST = 0.05;
enum { MOST_CANDIDATES = 64 };

/* Does the condition name an inserted sync?  Harder to act on than an op. */
static unsigned syncs(const cairn_classify_analysis *a,
                      const cairn_classify_condition *c) {
  int value;
  const cairn_classify_features *f = a->features;
  const cairn_classify_feature *x =
      &f->varied[cairn_classify__features_read(f, c->column, c->value, &value)];
  unsigned sum = 0;
  for (int k = 0; k < 2; k++) {
    const char *name = cairn_dag__intern_name(f->names, k ? x->v : x->u);
    sum += strncmp(name, "CER", 3) == 0 || strncmp(name, "CES", 3) == 0 ||
           strncmp(name, "CSW", 3) == 0;
  }
  return sum;
}

const char *cairn_classify__legend(void) {
  return "A before B: A is issued before B. A@1: A is issued into stream 1; "
         "#0: "
         "event 0. Syncs: CER-after-A or CER-b4-B: an event is recorded in a "
         "stream, behind all that is in it, after A or for B. CES-b4-B: the "
         "host waits for such an event before it issues B. CSW-after-A-b4-B or "
         "CSWE-after-A: the stream of B waits for the event after A.";
}

static const cairn_classify_rule *
choose_rule(const cairn_classify_analysis *a) {
  const cairn_classify_rule *best = NULL;
  double surest = 0;
  unsigned fewest = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    const double low = cairn_classify__share_of(r->hits, r->samples).low;
    surest = r->id == 0 && low > surest ? low : surest;
  }
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    unsigned sum = 0;
    if (r->id != 0 ||
        cairn_classify__share_of(r->hits, r->samples).low < surest - AS_SURE)
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
static void follow(const cairn_classify_analysis *a,
                   cairn_classify__advice *advice, uint64_t *cover) {
  cairn_classify__rule_cover(advice->follow, &a->table, cover);
  advice->example = UINT32_MAX;
  for (size_t i = 0; i < a->labels->count; i++) {
    const uint32_t row = a->labels->order[i];
    if (!cairn_base__bits_test(cover, row))
      continue;
    if (advice->example == UINT32_MAX)
      advice->example = row;
    advice->follow_slowest += a->labels->label[row] + 1u == a->labels->classes;
  }
}

typedef struct contest {
  const cairn_classify_analysis *a;
  cairn_classify_condition candidate[MOST_CANDIDATES];
  size_t candidates;
  uint64_t *slowest, *cover; /* rows of the slowest class; those weighed */
  double best;
  int sure; /* the best so far is */
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

/* Weighs some conditions together: a sure set beats one that is not. */
static void weigh(contest *c, const cairn_classify_condition *x, size_t count) {
  const cairn_classify_table *t = &c->a->table;
  const double last = c->a->tree->samples[t->classes - 1];
  const double base = last / (double)t->rows;
  size_t all = 0, slow = 0;
  cairn_classify__conditions_cover(x, count, t, c->cover);
  for (size_t w = 0; w < t->words; w++) {
    all += cairn_base__bits_popcount(c->cover[w]);
    slow += cairn_base__bits_popcount(c->cover[w] & c->slowest[w]);
  }
  if (all == 0)
    return;
  const double share = (double)slow / (double)all;
  const int sure = share >= SURE && 1 - share <= (1 - base) / 2;
  if (sure < c->sure || (!sure && share < LIFT * base))
    return;
  const double score = sure ? (double)slow -
                                  SURE / (1 - SURE) * (double)(all - slow) -
                                  MORE_COST * last * (double)(count - 1)
                            : cairn_classify__share_of(slow, all).low;
  if (sure == c->sure && c->advice->avoids > 0 && score <= c->best)
    return;
  c->best = score;
  c->sure = sure;
  memcpy(c->advice->avoid, x, count * sizeof *x);
  c->advice->avoids = count;
  c->advice->all = all;
  c->advice->slowest = slow;
}

/* Finds what to avoid. */
static void warn(contest *c) {
  const cairn_classify_table *t = &c->a->table;
  const cairn_classify_rules *rules = c->a->rules;
  for (size_t r = 0; r < t->rows; r++)
    if (t->label[r] + 1u == t->classes)
      cairn_base__bits_set(c->slowest, r);
  collect(c);
  for (size_t i = 0; i < c->candidates; i++) {
    weigh(c, &c->candidate[i], 1);
    for (size_t j = 0; j < i; j++)
      weigh(c, (cairn_classify_condition[]){c->candidate[j], c->candidate[i]},
            2);
  }
  for (size_t i = 0; i < rules->count; i++)
    if (rules->rule[i].id + 1u == t->classes &&
        rules->rule[i].conditions <= CAIRN_CLASSIFY__MOST_AVOID)
      weigh(c, rules->rule[i].condition, rules->rule[i].conditions);
}

cairn_status
cairn_classify__advice_make(const cairn_classify_analysis *analysis,
                            cairn_classify__advice *advice) {
  contest c = {.a = analysis, .advice = advice};
  *advice = (cairn_classify__advice){.follow = choose_rule(analysis)};
  if (!advice->follow)
    return CAIRN_OK;
  c.slowest = cairn_base_zalloc(analysis->table.words, sizeof *c.slowest);
  c.cover = cairn_base_alloc(analysis->table.words, sizeof *c.cover);
  const int made = c.slowest && c.cover;
  if (made) {
    warn(&c);
    follow(analysis, advice, c.cover);
  }
  cairn_base_free(c.slowest);
  cairn_base_free(c.cover);
  return made ? CAIRN_OK : CAIRN_NOMEM;
}

void cairn_classify__follow_text(const cairn_classify__advice *advice,
                                 cairn_base_text *text) {
  const cairn_classify_rule *r = advice->follow;
  cairn_base_text_addf(text,
                       "%u of the %u schedules measured that do so are in the "
                       "fastest class, %zu in the slowest",
                       r->hits, r->samples, advice->follow_slowest);
}

void cairn_classify__avoid_text(const cairn_classify_analysis *analysis,
                                const cairn_classify__advice *advice,
                                cairn_base_text *text) {
  const size_t rows = analysis->table.rows;
  const size_t last = analysis->tree->samples[analysis->table.classes - 1];
  cairn_base_text_addf(text,
                       "%zu of the %zu such schedules measured are in the "
                       "slowest class, %zu of the %zu others",
                       advice->slowest, advice->all, last - advice->slowest,
                       rows - advice->all);
}

/* A schedule's tokens, for telling it in words. */
typedef struct telling {
  const cairn_dag_token *token;
  size_t count;
  const cairn_dag_intern *names;
} telling;

static telling tell(const cairn_classify_analysis *a, size_t row) {
  telling t = {.names = cairn_classify__data_names(a->data)};
  t.token = cairn_classify__data_tokens(a->data, row, &t.count);
  return t;
}

static const char *name_of(const telling *t, size_t i) {
  return cairn_dag__intern_name(t->names, t->token[i].name);
}

/* Appends what the event recorded at token i waits for: the last op issued
 * into its stream so far. */
static void after_what(const telling *t, size_t i, cairn_base_text *text) {
  for (size_t k = i; k-- > 0;)
    if (t->token[k].kind == CAIRN_DAG_ITEM_GPU &&
        t->token[k].stream == t->token[i].stream) {
      cairn_base_text_addf(text, " after %s", name_of(t, k));
      return;
    }
}

/* "it", or "the event after A": the event that token i waits for. */
static void which_event(const telling *t, size_t i, cairn_base_text *text) {
  size_t k = i;
  while (k > 0 && (t->token[k - 1].kind != CAIRN_DAG_ITEM_CER ||
                   t->token[k - 1].event != t->token[i].event))
    k--;
  if (k == i) {
    cairn_base_text_add(text, "it");
    return;
  }
  cairn_base_text_add(text, "the event");
  if (k > 0)
    after_what(t, k - 1, text);
}

static void item_words(const telling *t, size_t i, cairn_base_text *text) {
  size_t k = i + 1;
  switch (t->token[i].kind) {
  case CAIRN_DAG_ITEM_CER:
    cairn_base_text_add(text, "record an event");
    after_what(t, i, text);
    return;
  case CAIRN_DAG_ITEM_CES:
    cairn_base_text_add(text, "the host waits for ");
    which_event(t, i, text);
    return;
  case CAIRN_DAG_ITEM_CSW:
    while (k < t->count && (t->token[k].kind != CAIRN_DAG_ITEM_GPU ||
                            t->token[k].stream != t->token[i].stream))
      k++;
    cairn_base_text_addf(text, "the stream of %s waits for ",
                         k < t->count ? name_of(t, k) : "nothing more");
    which_event(t, i, text);
    return;
  default:
    cairn_base_text_add(text, name_of(t, i));
  }
}

void cairn_classify__order_text(const cairn_classify_analysis *analysis,
                                size_t row, cairn_base_text *text) {
  const telling t = tell(analysis, row);
  size_t said = 0;
  for (size_t i = 0; i < t.count; i++) {
    if (t.token[i].kind == CAIRN_DAG_ITEM_CPU &&
        (strcmp(name_of(&t, i), "start") == 0 ||
         strcmp(name_of(&t, i), "end") == 0))
      continue;
    cairn_base_text_add(text, said++ ? ", " : "");
    item_words(&t, i, text);
  }
}

void cairn_classify__streams_text(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text) {
  const telling t = tell(analysis, row);
  unsigned char said[256] = {0};
  int streams = 0;
  for (size_t i = 0; i < t.count; i++) {
    const unsigned stream = t.token[i].stream;
    if (t.token[i].kind != CAIRN_DAG_ITEM_GPU || said[stream])
      continue;
    said[stream] = 1;
    cairn_base_text_add(text, streams ? " and " : "");
    for (size_t k = i; k < t.count; k++)
      if (t.token[k].kind == CAIRN_DAG_ITEM_GPU && t.token[k].stream == stream)
        cairn_base_text_addf(text, "%s%s", k > i ? ", " : "", name_of(&t, k));
    cairn_base_text_add(text, streams++ ? " in another" : " in one stream");
  }
}

void cairn_classify__example_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify__advice *advice,
                                  cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(analysis->labels);
  const cairn_classify_measure *m =
      cairn_classify__data_measure(analysis->data, advice->example);
  cairn_base_text_addf(text, "The fastest of them (id %llu, ",
                       (unsigned long long)m->id);
  cairn_classify__time(text, unit, m->time);
  cairn_base_text_addf(text, " %s) uses ", unit.name);
  cairn_classify__streams_text(analysis, advice->example, text);
}
