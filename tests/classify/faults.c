/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/classify/faults.c - classes, rules, evaluation and all reports of a
 * small run while each allocation fails in turn.  A report that could not be
 * written leaves no file behind.
 */
#include "tests/faults.h"
#include "classify/data/data-private.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cairn/classify.h>

enum { SCHEDULES = 40 };

static char folder[] = "/tmp/cairn-faults-XXXXXX";

/* Two classes: y on the stream of x, or not. */
static cairn_status fill(cairn_classify_data *data) {
  cairn_status status = CAIRN_OK;
  for (unsigned i = 0; i < SCHEDULES && status == CAIRN_OK; i++) {
    char text[200];
    const double time = (i % 2 ? 2e-5 : 1e-5) * (1 + 0.0004 * (i / 2));
    const cairn_classify_measure measure = {
        .id = i,
        .time = time,
        .times.p = {time * 0.99, time, time * 1.01, time * 1.02, time * 1.03}};
    const int length =
        snprintf(text, sizeof text,
                 i % 2 ? "start x@0 %s CER-after-x@0#0 y@1 CES-b4-end#0 end"
                       : "start x@0 %s y@0 CER-after-y@0#0 CES-b4-end#0 end",
                 i / 2 % 2 ? "a b" : "b a");
    status = cairn_classify__data_add(data, text, (size_t)length, &measure,
                                      "run.jsonl", i + 2, NULL);
  }
  return status;
}

static cairn_status reports(cairn_classify_analysis *analysis,
                            uint64_t *digest_p) {
  cairn_base_text text = {0};
  cairn_status status =
      cairn_classify_report(analysis, CAIRN_CLASSIFY_TEXT, NULL, 0, &text);
  if (status == CAIRN_OK)
    status =
        cairn_classify_report(analysis, CAIRN_CLASSIFY_JSON, NULL, 0, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    *digest_p = faults_digest(1, text.data, text.length);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status classify(const char *labels, uint64_t *digest_p) {
  cairn_classify_options how;
  cairn_classify_analysis *analysis = NULL;
  cairn_classify_data *data = NULL;
  cairn_classify_defaults(&how);
  (void)labels;
  cairn_status status = cairn_classify_data_create(&data);
  if (status == CAIRN_OK)
    status = fill(data);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(data, &how, &analysis);
  if (status == CAIRN_OK)
    status = cairn_classify_evaluate(analysis, data, 2);
  if (status == CAIRN_OK)
    status = reports(analysis, digest_p);
  cairn_classify_analysis_free(analysis);
  cairn_classify_data_free(data);
  return status;
}

/* Removes the files of the folder; temporary ones must not be there. */
static void clean(const char *name) {
  DIR *const files = opendir(folder);
  const struct dirent *entry;
  while (files && (entry = readdir(files)) != NULL) {
    char path[400];
    snprintf(path, sizeof path, "%s/%.255s", folder, entry->d_name);
    if (strstr(entry->d_name, ".tmp"))
      faults_wrong(name, 0, 0, entry->d_name, 0);
    if (entry->d_name[0] != '.')
      unlink(path);
  }
  if (files)
    closedir(files);
}

static cairn_status write_all(const char *name, uint64_t *digest_p) {
  static const cairn_classify_fact fact[] = {{"program", "p"}};
  cairn_classify_options how;
  cairn_classify_analysis *analysis = NULL;
  cairn_classify_data *data = NULL;
  cairn_classify_defaults(&how);
  cairn_status status = cairn_classify_data_create(&data);
  if (status == CAIRN_OK)
    status = fill(data);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(data, &how, &analysis);
  if (status == CAIRN_OK)
    status = cairn_classify_report_write(analysis, fact, 1, folder, NULL);
  *digest_p = 1;
  clean(name);
  cairn_classify_analysis_free(analysis);
  cairn_classify_data_free(data);
  return status;
}

int main(void) {
  static const faults_scenario all[] = {{"classes and rules", classify},
                                        {"reports", write_all}};
  size_t points = 0;
  const size_t step = getenv("CAIRN_LONG") ? 1 : 5;
  if (!mkdtemp(folder))
    return 99;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    points += faults_loop(&all[i], step);
  clean("the end");
  rmdir(folder);
  printf("%zu points, %d wrong\n", points, faults_failed);
  return faults_failed > 0;
}
