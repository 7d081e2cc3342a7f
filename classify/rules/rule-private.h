/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/rules/rule-private.h - rules: what the schedules of a class have in
 * common, in words, with evidence.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_RULES_RULE_PRIVATE_H
#define CAIRN_CLASSIFY_RULES_RULE_PRIVATE_H

#include "classify/data/feature-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

/* Rules of the tree in use.  CAIRN_NOMEM. */
cairn_status cairn_classify__rules_derive(const cairn_classify_tree *tree,
                                          const cairn_classify_table *table,
                                          cairn_classify_rules **rules_p);
void cairn_classify__rules_free(cairn_classify_rules *rules);

/* Rows that meet all of some conditions, and those that satisfy a rule: a bit
 * set of table->words words. */
void cairn_classify__conditions_cover(const cairn_classify_condition *condition,
                                      size_t conditions,
                                      const cairn_classify_table *table,
                                      uint64_t *cover);
void cairn_classify__rule_cover(const cairn_classify_rule *rule,
                                const cairn_classify_table *table,
                                uint64_t *cover);

/* Looks for the counterfactual pair of every condition: `with` satisfies the
 * rule and is of its class, `without` is of another class where there is one.
 * Ties: lowest rows.  CAIRN_NOMEM. */
cairn_status cairn_classify__rules_pair(cairn_classify_rules *rules,
                                        const cairn_classify_table *table);

/* Appends a condition in words. */
void cairn_classify__condition_word(const cairn_classify_condition *condition,
                                    const cairn_classify_features *features,
                                    cairn_base_text *text);

#endif
