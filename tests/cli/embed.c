/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/cli/embed.c - an application that embeds cairn and has set a locale:
 * embed PROGRAM.xml RUN.jsonl FOLDER reads, writes and explains as the command
 * does, without the command's own care.  test-text.sh runs it in two locales
 * and compares what it wrote.  Prints the locale's decimal point.
 */
#include <cairn/classify.h>
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int need(int good, const char *what) {
  if (!good)
    fprintf(stderr, "embed: %s failed\n", what);
  return good;
}

static int write_text(const char *folder, const char *name,
                      cairn_base_text *text, cairn_base_diag *diag) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int good =
      !text->failed &&
      cairn_base_file_write(path, text->data, text->length, diag) == CAIRN_OK;
  cairn_base_text_free(text);
  return need(good, name);
}

static int explain(const cairn_journal_run *run, const char *folder,
                   cairn_base_diag *diag) {
  cairn_classify_data *data;
  cairn_classify_analysis *analysis;
  cairn_classify_options how;
  cairn_base_text text = {0};
  const cairn_classify_fact fact = {"host", "n\xc3\xb6rd"};
  cairn_classify_defaults(&how);
  if (!need(cairn_classify_data_create(&data) == CAIRN_OK &&
                cairn_classify_data_add_run(data, run, NULL, 0, diag) ==
                    CAIRN_OK &&
                cairn_classify_analyse(data, &how, &analysis) == CAIRN_OK,
            "analysis"))
    return 0;
  const int good = cairn_classify_report_write(analysis, &fact, 1, folder,
                                               diag) == CAIRN_OK &&
                   cairn_classify_report(analysis, CAIRN_CLASSIFY_TEXT, NULL, 0,
                                         &text) == CAIRN_OK &&
                   write_text(folder, "report.txt", &text, diag);
  cairn_classify_analysis_free(analysis);
  cairn_classify_data_free(data);
  return need(good, "reports");
}

/* Every number of the journal, printed again: what strtod made of it. */
static int list_times(const cairn_journal_run *run, const char *folder,
                      cairn_base_diag *diag) {
  cairn_base_text text = {0};
  for (size_t i = 0; i < run->results; i++)
    cairn_base_text_addf(&text, "%a %.9f\n",
                         run->result[i].times.p[CAIRN_BASE_P50],
                         1e6 * run->result[i].times.p[CAIRN_BASE_P10]);
  return write_text(folder, "times.txt", &text, diag);
}

/* Numbers that users write take a point, whatever the locale says. */
static int set_numbers(const cairn_dag_program *program,
                       cairn_base_diag *diag) {
  const cairn_mcts_setting setting = {"c", "0.5"};
  const cairn_mcts_options how = {
      .strategy = "coverage", .setting = &setting, .settings = 1};
  cairn_mcts *search = NULL;
  char digits[32], *end;
  cairn_base_format(digits, sizeof digits, "%.3f", 1234.5);
  const double half = cairn_base_to_double("0.5x", &end);
  if (!need(strcmp(digits, "1234.500") == 0 && half > 0.4 && half < 0.6 &&
                *end == 'x',
            "numbers") ||
      !need(cairn_mcts_create(program, &how, diag, &search) == CAIRN_OK,
            "a setting"))
    return 0;
  cairn_mcts_free(search);
  return 1;
}

int main(int argc, char **argv) {
  cairn_base_diag *diag;
  cairn_dag_program *program;
  cairn_journal_run *run;
  if (argc != 4 || cairn_base_diag_create(0, &diag) != CAIRN_OK)
    return 2;
  setlocale(LC_ALL, "");
  printf("%s\n", localeconv()->decimal_point);
  int good = need(cairn_dag_program_read(argv[1], diag, &program) == CAIRN_OK,
                  argv[1]) &&
             need(cairn_journal_run_read(argv[2], CAIRN_JOURNAL_RUN_STRICT,
                                         diag, &run) == CAIRN_OK,
                  argv[2]);
  if (good) {
    good = list_times(run, argv[3], diag) && explain(run, argv[3], diag) &&
           set_numbers(program, diag);
    cairn_journal_run_free(run);
    cairn_dag_program_free(program);
  }
  cairn_base_diag_print(diag, stderr);
  cairn_base_diag_free(diag);
  return good ? 0 : 1;
}
