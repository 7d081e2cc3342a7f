/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/place.c - where one order stands among measured schedules: its
 * own time and rank when it was measured, else the class that the rules of the
 * measured ones give it.
 */
#include <math.h>
#include <string.h>

#include "classify/data/feature-private.h"
#include "classify/label/label-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>
#include <cairn/journal.h>

#include "classify/data/data-private.h"
#include "dag/schedule/sequence-private.h"

static cairn_status read_measured(const char *path, cairn_base_diag *diag,
                                  cairn_classify_data *data) {
  cairn_journal_run *run;
  cairn_status status =
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, diag, &run);
  if (status != CAIRN_OK)
    return status;
  status = cairn_classify_data_add_run(data, run, NULL, 0, diag);
  cairn_journal_run_free(run);
  if (status == CAIRN_OK && cairn_classify_data_count(data) == 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "no schedule was measured");
    status = CAIRN_INPUT;
  }
  return status;
}

/* The first operation of the first schedule of `a` that is none of the first
 * schedule of `b`, or NULL: schedules hold all operations of their program. */
static const char *odd_op(const cairn_classify_data *a,
                          const cairn_classify_data *b) {
  size_t count, others;
  const cairn_dag_token *const token =
      cairn_classify__data_tokens(a, 0, &count);
  const cairn_dag_token *const other =
      cairn_classify__data_tokens(b, 0, &others);
  for (size_t i = 0; i < count; i++) {
    const char *const name =
        cairn_dag__intern_name(cairn_classify__data_names(a), token[i].name);
    size_t k = 0;
    while (k < others &&
           strcmp(name, cairn_dag__intern_name(cairn_classify__data_names(b),
                                               other[k].name)) != 0)
      k++;
    if (token[i].kind <= CAIRN_DAG_ITEM_GPU && k == others)
      return name;
  }
  return NULL;
}

/* A journal of another program says nothing. */
static cairn_status same_program(const char *path,
                                 const cairn_classify_data *all,
                                 const cairn_classify_data *one,
                                 cairn_base_diag *diag) {
  const char *const here = odd_op(one, all), *const there = odd_op(all, one);
  if (here == NULL && there == NULL)
    return CAIRN_OK;
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                      here ? "its schedules have no operation %s: the journal "
                             "of another program?"
                           : "its schedules have an operation %s, which this "
                             "program has not: the journal of another program?",
                      here ? here : there);
  return CAIRN_INPUT;
}

static void place_measured(const cairn_classify_analysis *a, size_t row,
                           cairn_classify_place *place) {
  const size_t count = cairn_classify_data_count(a->data);
  place->measured = 1;
  place->time = cairn_classify__data_measure(a->data, row)->time;
  place->rank = 1;
  for (size_t i = 0; i < count; i++)
    place->rank += cairn_classify__data_measure(a->data, i)->time < place->time;
  place->class_id = a->labels->label[row] + 1u;
}

static cairn_status place_predicted(const cairn_classify_analysis *a,
                                    const cairn_classify_data *one,
                                    cairn_classify_place *place) {
  cairn_classify_data *named;
  uint64_t *columns;
  uint16_t label;
  if (a->verdict != CAIRN_CLASSIFY_RULES)
    return CAIRN_OK;
  cairn_status status = cairn_classify__data_named_as(a->data, one, &named);
  if (status != CAIRN_OK)
    return status;
  status = cairn_classify__features_apply(a->features, named, &columns);
  cairn_classify_data_free(named);
  if (status != CAIRN_OK)
    return status;
  cairn_classify__tree_predict(a->tree, columns, 1, 1, &label);
  cairn_base_free(columns);
  place->class_id = label + 1u;
  place->held_out = a->accuracy.agreement.value;
  return CAIRN_OK;
}

static cairn_status place_one(const char *path, const cairn_classify_data *all,
                              const cairn_classify_data *one,
                              cairn_base_diag *diag,
                              cairn_classify_place *place) {
  cairn_classify_options how;
  cairn_classify_analysis *a = NULL;
  uint32_t row;
  cairn_status status = same_program(path, all, one, diag);
  if (status == CAIRN_OK)
    status = cairn_classify__data_match(one, all, &row);
  cairn_classify_defaults(&how);
  how.pairs = 0;
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(all, &how, &a);
  if (status != CAIRN_OK)
    return status;
  place->schedules = cairn_classify_data_count(all);
  place->classes = a->labels->classes;
  place->fastest = a->labels->sorted[0];
  if (row != UINT32_MAX)
    place_measured(a, row, place);
  else
    status = place_predicted(a, one, place);
  if (place->class_id > 0)
    cairn_classify__labels_class(a->labels, place->class_id - 1, &place->low,
                                 &place->high);
  cairn_classify_analysis_free(a);
  return status;
}

cairn_status cairn_classify_place_among(const char *path, const char *text,
                                        cairn_base_diag *diag,
                                        cairn_classify_place *place) {
  const cairn_classify_measure unknown = {
      0, 1, CAIRN_BASE_TIMES_UNKNOWN}; /* a time is needed, and not used */
  cairn_classify_data *all = NULL, *one = NULL;
  *place = (cairn_classify_place){
      .time = NAN, .low = NAN, .high = NAN, .held_out = NAN};
  cairn_status status = cairn_classify_data_create(&all);
  if (status == CAIRN_OK)
    status = cairn_classify_data_create(&one);
  if (status == CAIRN_OK)
    status = read_measured(path, diag, all);
  if (status == CAIRN_OK)
    status = cairn_classify__data_add(one, text, strlen(text), &unknown, NULL,
                                      0, diag);
  if (status == CAIRN_OK)
    status = place_one(path, all, one, diag, place);
  cairn_classify_data_free(one);
  cairn_classify_data_free(all);
  return status;
}
