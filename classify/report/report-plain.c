/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-plain.c - DOT of the tree, TSV of the schedules, and
 * the folder that holds all reports.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/file-private.h"
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

cairn_status cairn_classify__report_dot(const cairn_classify_analysis *analysis,
                                        cairn_base_text *text) {
  cairn_base_text_add(text, "digraph tree {\n  node [shape=box];\n");
  for (size_t i = 0; i < 2 * analysis->tree->leaves - 1; i++)
    dot_node(analysis, i, text);
  cairn_base_text_add(text, "}\n");
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_classify__report_tsv(const cairn_classify_analysis *analysis,
                                        cairn_base_text *text) {
  const cairn_classify_features *f = analysis->features;
  cairn_base_text_add(text, "id\ttime_s\tclass\theld_out_class");
  for (size_t c = 0; c < f->kept; c++) {
    cairn_base_text_add(text, "\t");
    cairn_classify__features_word(f, f->first[c], 1, text);
  }
  cairn_base_text_add(text, "\tschedule\n");
  for (size_t r = 0; r < f->rows; r++) {
    const cairn_classify_measure *m =
        cairn_classify_data_measure(analysis->data, r);
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

/* Writes one file of the folder; text NULL: only finds out whether it could.
 * A pipe of this name is none that was asked for. */
static cairn_status put_at(const char *path, const cairn_base_text *text,
                           cairn_base_diag *diag) {
  if (cairn_base_file_is_stream(path)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "cannot write: not a regular file");
    return CAIRN_IO;
  }
  return text ? cairn_base_file_write(path, text->data, text->length, diag)
              : cairn_base__file_can_write(path, diag);
}

static cairn_status put(const char *folder, const char *name,
                        cairn_base_text *text, cairn_status status,
                        cairn_base_diag *diag) {
  cairn_base_text path = {0};
  if (status == CAIRN_OK) {
    cairn_base_text_addf(&path, "%s/%s", folder, name);
    status = path.failed || (text && text->failed)
                 ? CAIRN_NOMEM
                 : put_at(path.data, text, diag);
  }
  cairn_base_text_free(&path);
  if (text)
    cairn_base_text_clear(text);
  return status;
}

static cairn_status make_folder(const char *folder, cairn_base_diag *diag) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "%s: cannot make the folder: %s", folder,
                        strerror(errno));
  return CAIRN_IO;
}

cairn_status cairn_classify__report_can_write(const char *folder,
                                              cairn_base_diag *diag) {
  static const char *const names[] = {"report.html", "report.md", "report.json",
                                      "tree.dot", "schedules.tsv"};
  cairn_status status = make_folder(folder, diag);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    status = put(folder, names[i], NULL, status, diag);
  return status;
}

cairn_status
cairn_classify_report_write(const cairn_classify_analysis *analysis,
                            const cairn_classify_fact *fact, size_t facts,
                            const char *folder, cairn_base_diag *diag) {
  cairn_base_text text = {0};
  cairn_status status = make_folder(folder, diag);
  if (status == CAIRN_OK)
    status = cairn_classify__report_html(analysis, fact, facts, &text);
  status = put(folder, "report.html", &text, status, diag);
  if (status == CAIRN_OK)
    status = put(folder, "report.md", &text,
                 cairn_classify__report_markdown(analysis, &text), diag);
  if (status == CAIRN_OK)
    status = put(folder, "report.json", &text,
                 cairn_classify_report_json(analysis, &text), diag);
  if (status == CAIRN_OK)
    status = put(folder, "tree.dot", &text,
                 cairn_classify__report_dot(analysis, &text), diag);
  if (status == CAIRN_OK)
    status = put(folder, "schedules.tsv", &text,
                 cairn_classify__report_tsv(analysis, &text), diag);
  cairn_base_text_free(&text);
  return status;
}
