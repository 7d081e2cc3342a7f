/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-rule.h - rules: what the schedules of a class have in
 * common, in words, with evidence.
 *
 * A rule set is the path to a leaf, made minimal: as long as a condition can be
 * dropped without lowering the purity it is dropped, the one whose loss brings
 * most schedules first.  So dropping any condition of a printed rule set lowers
 * its purity.  Equal rule sets are printed once.
 */
#ifndef CAIRN_CLASSIFY_RULE_H
#define CAIRN_CLASSIFY_RULE_H

#include "classify-feature.h"
#include "classify-tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two measured schedules that differ in one condition and in as few other kept
 * features as possible. */
typedef struct cairn_classify_pair {
  uint32_t with, without; /* rows; UINT32_MAX: there is no such pair */
  uint32_t others;        /* other kept features in which they differ */
} cairn_classify_pair;

typedef struct cairn_classify_condition {
  uint32_t column; /* kept column */
  int value;
  cairn_classify_pair pair;
} cairn_classify_condition;

typedef struct cairn_classify_rule {
  unsigned id;            /* class */
  uint32_t leaf;          /* node it comes from */
  uint32_t samples, hits; /* schedules that satisfy it; those of its class */
  double purity;          /* hits / samples */
  double held_out; /* share of its schedules that trees grown without them
                      class rightly; NAN: not known */
  cairn_classify_condition *condition;
  size_t conditions;
} cairn_classify_rule;

/* Free with cairn_classify_rules_free. */
typedef struct cairn_classify_rules {
  size_t count;
  cairn_classify_rule *rule; /* by class, purity, samples */
} cairn_classify_rules;

/* Rules of the tree in use.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_rules_derive(
    const cairn_classify_tree *tree, const cairn_classify_table *table,
    cairn_classify_rules **rules_p);
CAIRN_API void cairn_classify_rules_free(cairn_classify_rules *rules);

/* Rows that meet all of some conditions, and those that satisfy a rule: a bit
 * set of table->words words. */
CAIRN_API void cairn_classify_conditions_cover(
    const cairn_classify_condition *condition, size_t conditions,
    const cairn_classify_table *table, uint64_t *cover);
CAIRN_API void cairn_classify_rule_cover(const cairn_classify_rule *rule,
                                         const cairn_classify_table *table,
                                         uint64_t *cover);

/* Looks for the counterfactual pair of every condition: `with` satisfies the
 * rule and is of its class, `without` is of another class where there is one.
 * Ties: lowest rows.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_rules_pair(
    cairn_classify_rules *rules, const cairn_classify_table *table);

/* Appends a condition in words. */
CAIRN_API void
cairn_classify_condition_word(const cairn_classify_condition *condition,
                              const cairn_classify_features *features,
                              cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif
