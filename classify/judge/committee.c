/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/committee.c - scoring candidates by disagreement and spread.
 *
 * All schedules, measured first and candidates after, share one table of
 * features, so that candidates can vary in what the measured ones do not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "base/text-private.h"
#include "classify/data/count-private.h"
#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "classify/data/feature-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/judge/committee-private.h"
#include "classify/label/label-private.h"
#include "classify/tree/tree-private.h"

/* Plain trees disagree more and grow faster; but what is learned in the end is
 * a short tree, so some of the committee are. */
enum { SHORT_EVERY = 4, SHORT_TRIES = 4 };

void cairn_classify__committee_defaults(
    cairn_classify_committee_options *options) {
  *options = (cairn_classify_committee_options){.trees = 16,
                                                .first = 40,
                                                .rows = 0.7,
                                                .features = 0.6,
                                                .spread = 0.5,
                                                .seed = 1};
}

typedef struct committee {
  const cairn_classify_committee_options *options;
  const cairn_classify_features *features;
  const cairn_classify_labels *labels;
  size_t measured, rows;
  cairn_base_rng rng;
  uint32_t *votes;         /* candidates * classes */
  uint64_t *use, *columns; /* a tree's rows and features */
  uint16_t *label, *said;  /* for all rows */
} committee;

static void draw_part(committee *c, cairn_classify_table *t) {
  const size_t words = c->features->words;
  memset(c->use, 0, words * sizeof *c->use);
  for (size_t r = 0; r < c->measured; r++)
    if (cairn_base__rng_uniform(&c->rng) < c->options->rows)
      cairn_base__bits_set(c->use, r);
  t->features = 0;
  for (size_t f = 0; f < c->features->kept; f++)
    if (cairn_base__rng_uniform(&c->rng) < c->options->features)
      memcpy(c->columns + t->features++ * words,
             c->features->columns + f * words, words * sizeof *c->columns);
}

static cairn_status vote(committee *c) {
  cairn_classify_tree_options how;
  cairn_classify__tree_defaults(&how);
  cairn_classify_table t = {.columns = c->columns,
                            .rows = c->measured,
                            .words = c->features->words,
                            .use = c->use,
                            .label = c->label,
                            .classes = c->labels->classes};
  for (unsigned k = 0; k < c->options->trees; k++) {
    cairn_classify_tree *tree;
    draw_part(c, &t);
    how.tries = k % SHORT_EVERY == 0 ? SHORT_TRIES : 0;
    const cairn_status status = cairn_classify__tree_grow(&t, &how, &tree);
    if (status != CAIRN_OK)
      return status;
    cairn_classify__tree_predict(tree, c->columns, t.words, c->rows, c->said);
    for (size_t r = c->measured; r < c->rows; r++)
      c->votes[(r - c->measured) * t.classes + c->said[r]]++;
    cairn_classify__tree_free(tree);
  }
  return CAIRN_OK;
}

/* Entropy of the votes, as a share of the most there can be. */
static double disagreement(const committee *c, size_t candidate) {
  const unsigned classes = c->labels->classes;
  const uint32_t *votes = c->votes + candidate * classes;
  double sum = 0;
  for (unsigned k = 0; k < classes; k++) {
    const double p = (double)votes[k] / c->options->trees;
    sum -= p > 0 ? p * log2(p) : 0;
  }
  return sum / log2(classes);
}

/* near[i]: share of kept features in which candidate i differs from the
 * measured schedule most like it. */
static cairn_status spread(const cairn_classify_features *f, size_t measured,
                           double *near) {
  const size_t words = cairn_base__bits_words(f->kept), n = f->rows;
  uint64_t *row = cairn_base_zalloc(n * words, sizeof *row);
  if (!row)
    return CAIRN_NOMEM;
  for (size_t k = 0; k < f->kept; k++)
    for (size_t r = 0; r < n; r++)
      if (cairn_base__bits_test(f->columns + k * f->words, r))
        cairn_base__bits_set(row + r * words, k);
  for (size_t r = measured; r < n; r++) {
    size_t nearest;
    const uint32_t least =
        measured > 0 ? cairn_classify__nearest(row, words, r, NULL, measured, 1,
                                               0, &nearest)
                     : (uint32_t)f->kept;
    near[r - measured] = f->kept > 0 ? (double)least / (double)f->kept : 0;
  }
  cairn_base_free(row);
  return CAIRN_OK;
}

static cairn_status hold(committee *c, double *score) {
  const size_t candidates = c->rows - c->measured;
  const size_t words = c->features->words;
  c->votes =
      cairn_base_zalloc(candidates * c->labels->classes, sizeof *c->votes);
  c->use = cairn_base_alloc(words, sizeof *c->use);
  c->columns = cairn_base_alloc(c->features->kept * words, sizeof *c->columns);
  c->label = cairn_base_zalloc(c->rows, sizeof *c->label);
  c->said = cairn_base_alloc(c->rows, sizeof *c->said);
  cairn_status status = CAIRN_NOMEM;
  if (c->votes && c->use && c->columns && c->label && c->said) {
    memcpy(c->label, c->labels->label, c->measured * sizeof *c->label);
    status = vote(c);
  }
  for (size_t i = 0; status == CAIRN_OK && i < candidates; i++)
    score[i] = (1 - c->options->spread) * disagreement(c, i) +
               c->options->spread * score[i];
  cairn_base_free(c->votes);
  cairn_base_free(c->use);
  cairn_base_free(c->columns);
  cairn_base_free(c->label);
  cairn_base_free(c->said);
  return status;
}

/* Measured rows come first in `all`. */
static cairn_status score_all(const cairn_classify_data *measured,
                              const cairn_classify_data *all,
                              const cairn_classify_committee_options *options,
                              double *score) {
  cairn_classify_features *features = NULL;
  cairn_classify_labels *labels = NULL;
  cairn_status status = cairn_classify__features_build(all, &features);
  if (status == CAIRN_OK)
    status = spread(features, measured->count, score);
  if (status == CAIRN_OK && measured->count > options->first) {
    cairn_classify_label_options how;
    cairn_classify__label_defaults(&how);
    how.resamples = 0;
    status = cairn_classify__data_label(measured, &how, &labels);
  }
  if (status == CAIRN_OK && labels && labels->classes > 1) {
    committee c = {.options = options,
                   .features = features,
                   .labels = labels,
                   .measured = measured->count,
                   .rows = all->count};
    cairn_base__rng_seed(&c.rng, options->seed ^ measured->count);
    status = hold(&c, score);
  }
  cairn_classify__labels_free(labels);
  cairn_classify__features_free(features);
  return status;
}

static cairn_status add_rows(const cairn_classify_data *from,
                             cairn_classify_data *to) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < from->count && status == CAIRN_OK; i++)
    status = cairn_classify__data_add(to, from->text[i], strlen(from->text[i]),
                                      &from->measure[i], NULL, 0, NULL);
  return status;
}

cairn_status cairn_classify__committee(
    const cairn_classify_data *measured, const cairn_classify_data *candidates,
    const cairn_classify_committee_options *options, double *score) {
  cairn_classify_data *all = NULL;
  if (candidates->count == 0)
    return CAIRN_INPUT;
  cairn_status status = cairn_classify_data_create(&all);
  if (status == CAIRN_OK)
    status = add_rows(measured, all);
  if (status == CAIRN_OK)
    status = add_rows(candidates, all);
  if (status == CAIRN_OK)
    status = score_all(measured, all, options, score);
  cairn_classify_data_free(all);
  return status;
}

static cairn_status add_lessons(const cairn_dag_program *program,
                                const cairn_classify_lesson *lesson,
                                size_t count, int measured,
                                cairn_classify_data *data) {
  cairn_base_text text = {0};
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
    if (measured && !isfinite(lesson[i].time_s))
      continue;
    cairn_classify_measure m = {.time = measured ? lesson[i].time_s : 1,
                                .times = CAIRN_BASE_TIMES_UNKNOWN};
    cairn_base__text_clear(&text);
    status = cairn_dag_schedule_format(program, lesson[i].items,
                                       lesson[i].count, &text);
    if (status == CAIRN_OK)
      status = cairn_classify__data_add(data, text.data, text.length, &m, NULL,
                                        0, NULL);
  }
  cairn_base_text_free(&text);
  return status;
}

cairn_status cairn_classify__committee_items(
    const cairn_dag_program *program, const cairn_classify_lesson *measured,
    size_t measured_count, const cairn_classify_lesson *candidate,
    size_t candidate_count, const cairn_classify_committee_options *options,
    double *score) {
  cairn_classify_data *all = NULL, *known = NULL;
  uint32_t *row = NULL;
  if (candidate_count == 0)
    return CAIRN_INPUT;
  cairn_status status = cairn_classify_data_create(&all);
  if (status == CAIRN_OK)
    status = add_lessons(program, measured, measured_count, 1, all);
  const size_t usable = status == CAIRN_OK ? all->count : 0;
  if (status == CAIRN_OK)
    status = add_lessons(program, candidate, candidate_count, 0, all);
  row = cairn_base_alloc(usable, sizeof *row);
  if (!row)
    status = CAIRN_NOMEM;
  for (uint32_t i = 0; status == CAIRN_OK && i < usable; i++)
    row[i] = i;
  if (status == CAIRN_OK)
    status = cairn_classify__data_pick(all, row, usable, &known);
  if (status == CAIRN_OK)
    status = score_all(known, all, options, score);
  cairn_classify_data_free(known);
  cairn_classify_data_free(all);
  cairn_base_free(row);
  return status;
}
