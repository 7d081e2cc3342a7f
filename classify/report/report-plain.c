/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-plain.c - DOT of the tree, TSV of the schedules.
 */
#include <math.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/text-private.h"
#include "classify/data/data-private.h"
#include "classify/data/feature-private.h"
#include "classify/report/report-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"

/* A DOT string: quotes and backslashes escaped. */
static void quoted(cairn_base_text *text, const char *plain) {
  for (; *plain; plain++) {
    if (*plain == '"' || *plain == '\\')
      cairn_base_text_add(text, "\\");
    cairn_base__text_add_bytes(text, plain, 1);
  }
}

static void dot_node(const cairn_classify_analysis *a, size_t id,
                     cairn_base_text *text) {
  const cairn_classify_node *node = &a->tree->node[id];
  const uint32_t *n = a->tree->samples + id * a->tree->classes;
  cairn_base_text words = {0};
  cairn_base_text_addf(text, "  n%zu [label=\"", id);
  if (!cairn_classify__tree_is_leaf(a->tree, id)) {
    const cairn_classify_condition c = {node->feature, 1, {0, 0, 0}};
    cairn_classify__condition_word(&c, a->features, &words);
    quoted(text, words.data ? words.data : "");
    cairn_base_text_add(text, "?\\n");
  } else {
    cairn_base_text_addf(text, "class %u\\n", node->label);
  }
  for (unsigned c = 0; c < a->tree->classes; c++)
    cairn_base_text_addf(text, c ? " / %u" : "%u", n[c]);
  cairn_base_text_add(text, "\"];\n");
  if (!cairn_classify__tree_is_leaf(a->tree, id))
    cairn_base_text_addf(text,
                         "  n%zu -> n%u [label=\"yes\"];\n"
                         "  n%zu -> n%u [label=\"no\"];\n",
                         id, node->child + 1, id, node->child);
  text->failed |= words.failed;
  cairn_base_text_free(&words);
}

cairn_status cairn_classify__report_dot(const cairn_classify__page *page,
                                        cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  cairn_base_text_add(text, "digraph tree {\n  node [shape=box];\n");
  for (size_t i = 0; i < 2 * analysis->tree->leaves - 1; i++)
    dot_node(analysis, i, text);
  cairn_base_text_add(text, "}\n");
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_classify__report_tsv(const cairn_classify__page *page,
                                        cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  const cairn_classify_features *f = analysis->features;
  cairn_base_text_add(text, "id\ttime_s\tclass\theld_out_class");
  for (size_t c = 0; c < f->kept; c++) {
    cairn_base_text_add(text, "\t");
    cairn_classify__features_word(f, f->first[c], 1, text);
  }
  cairn_base_text_add(text, "\tschedule\n");
  for (size_t r = 0; r < f->rows; r++) {
    const cairn_classify_measure *m =
        cairn_classify__data_measure(analysis->data, r);
    cairn_base_text_addf(text, "%llu\t%.9g\t%u\t", (unsigned long long)m->id,
                         m->time, analysis->labels->label[r]);
    if (analysis->held_out)
      cairn_base_text_addf(text, "%u", analysis->held_out[r]);
    for (size_t c = 0; c < f->kept; c++)
      cairn_base_text_add(
          text,
          cairn_base__bits_test(f->columns + c * f->words, r) ? "\t1" : "\t0");
    cairn_base_text_addf(text, "\t%s\n",
                         cairn_classify__data_text(analysis->data, r));
  }
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}
