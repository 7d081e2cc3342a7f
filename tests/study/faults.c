/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/faults.c - landscapes, competitions, settings and estimates of a
 * small space while each allocation fails in turn.
 */
#include "tests/faults.h"

#include "tests/study/made.h"

static char path[] = "/tmp/cairn-study-XXXXXX";
static cairn_dag_program *program;

static cairn_dag_program *make_program(void) {
  static const char *const name[] = {"a", "b", "c", "d"};
  cairn_dag_program *p = NULL;
  unsigned id[4];
  int bad = cairn_dag_program_create("made", &p) != CAIRN_OK;
  for (int i = 0; i < 4 && !bad; i++) {
    const cairn_dag_op op = {.name = name[i],
                             .kind = i == 2 ? CAIRN_DAG_CPU : CAIRN_DAG_GPU};
    bad = cairn_dag_program_add_op(p, &op, NULL, &id[i]) != CAIRN_OK;
  }
  bad = bad || cairn_dag_program_add_edge(p, id[0], id[2], NULL) ||
        cairn_dag_program_add_edge(p, id[1], id[3], NULL) ||
        cairn_dag_program_set_streams(p, 2) || cairn_dag_program_seal(p, NULL);
  if (!bad)
    return p;
  cairn_dag_program_free(p);
  return NULL;
}

static cairn_status read_one(const cairn_dag_program *with,
                             cairn_study_space **space_p) {
  const cairn_study_reading how = {.program = with};
  const char *const file = path;
  return cairn_study__spaces_read(&file, 1, &how, NULL, space_p);
}

static void add_digest(const cairn_base_text *text, uint64_t *digest_p) {
  *digest_p = faults_digest(1, text->data, text->length);
}

static cairn_status landscape(const char *name, uint64_t *digest_p) {
  cairn_study_landscape_options options = {
      .kinds = CAIRN_DAG_NEIGHBOUR_ANY,
      .sample = strcmp(name, "descents") == 0 ? 20 : 0};
  cairn_study_space *space = NULL;
  cairn_study_landscape *l = NULL;
  cairn_base_text text = {0};
  cairn_status status = read_one(NULL, &space);
  if (!status)
    status = cairn_study__space_landscape(space, &options, NULL, &l);
  for (int f = CAIRN_STUDY_TEXT; f <= CAIRN_STUDY_HTML && !status; f++)
    status =
        cairn_study__landscapes_format(&l, 1, (cairn_study_format)f, &text);
  if (!status)
    add_digest(&text, digest_p);
  cairn_base_text_free(&text);
  cairn_study__landscape_free(l);
  cairn_study__space_free(space);
  return status;
}

static cairn_status contest(const char *name, uint64_t *digest_p) {
  static const char *const strategy[] = {"random", "ils:kick=2"};
  static const uint64_t budget[] = {3, 6};
  const cairn_study_racing racing = {.strategy = strategy,
                                     .strategies = 2,
                                     .budget = budget,
                                     .budgets = 2,
                                     .runs = 2,
                                     .jobs = 1};
  const cairn_study_judging how = {0};
  cairn_study_space *space = NULL;
  cairn_study_contest *c = NULL;
  cairn_study_verdict *v = NULL;
  cairn_base_text text = {0};
  cairn_status status = read_one(program, &space);
  (void)name;
  if (!status)
    status = cairn_study__compete(&space, 1, &racing, NULL, &c);
  if (!status)
    status = cairn_study__judge(c, &how, &v);
  for (int f = CAIRN_STUDY_TEXT; f <= CAIRN_STUDY_HTML && !status; f++)
    status = cairn_study__verdict_format(v, (cairn_study_format)f, &text);
  if (!status)
    add_digest(&text, digest_p);
  cairn_base_text_free(&text);
  cairn_study__verdict_free(v);
  cairn_study__contest_free(c);
  cairn_study__space_free(space);
  return status;
}

static cairn_status settings(const char *name, uint64_t *digest_p) {
  static const char *const grid[] = {"kick=1,2"};
  static const uint64_t budget[] = {4};
  const cairn_study_tuning how = {.strategy = "ils",
                                  .grid = grid,
                                  .dimensions = 1,
                                  .budget = budget,
                                  .budgets = 1,
                                  .repetitions = 2,
                                  .jobs = 1};
  cairn_study_space *space = NULL;
  cairn_study_choice *choice = NULL;
  cairn_base_text text = {0};
  cairn_status status = read_one(program, &space);
  (void)name;
  if (!status)
    status = cairn_study__choose(&space, 1, NULL, 0, &how, NULL, &choice);
  for (int f = CAIRN_STUDY_TEXT; f <= CAIRN_STUDY_HTML && !status; f++)
    status = cairn_study__choice_format(choice, (cairn_study_format)f, &text);
  if (!status)
    add_digest(&text, digest_p);
  cairn_base_text_free(&text);
  cairn_study__choice_free(choice);
  cairn_study__space_free(space);
  return status;
}

int main(void) {
  static const faults_scenario scenario[] = {{"landscape", landscape},
                                             {"descents", landscape},
                                             {"contest", contest},
                                             {"settings", settings}};
  const int file = mkstemp(path);
  if (file < 0 || !(program = make_program()))
    return 99;
  (void)close(file);
  if (!made_space(path, program, 2, 5, 1))
    return 99;
  for (size_t i = 0; i < sizeof scenario / sizeof *scenario; i++)
    (void)faults_loop(&scenario[i], i < 2 ? 1 : 3);
  cairn_dag_program_free(program);
  (void)unlink(path);
  return faults_failed != 0;
}
