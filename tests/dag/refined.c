/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/refined.c - refined results in the journal: the bytes that are
 * written, which numbers a reader sees, every cut in the middle of them, going
 * on after it, a write that fails, and records that fit nothing.
 */
#include "journal/journal-private.h"
#include "tests/dag/journal-tools.h"
#include <cairn/journal.h>

#include <errno.h>

static const char *const path = "run.jsonl";

/* What two refined results look like, written by hand. */
static const char GOLDEN[] =
    "{\"k\":\"refined\",\"id\":0,\"schedule\":\"start a "
    "end\",\"status\":\"ok\","
    "\"samples\":14,\"p01\":0.25,\"p10\":0.5,\"p50\":1,\"p90\":16,\"p99\":32,"
    "\"stddev\":0.125,\"skew\":0,\"at\":0,\"facts\":{\"low\":0.75,\"high\":1.5}"
    ","
    "\"x\":\"*\"}\n"
    "{\"k\":\"refined\",\"id\":1,\"schedule\":\"start b end\",\"status\":"
    "\"pruned\",\"samples\":14,\"p01\":0.25,\"p10\":0.5,\"p50\":8,\"p90\":16,"
    "\"p99\":32,\"stddev\":0.125,\"skew\":0,\"at\":1,\"facts\":{\"low\":0.75,"
    "\"high\":1.5,\"uncorrected\":9,\"last_rank\":0,\"why\":\"ci\","
    "\"finalist\":1},\"x\":\"*\"}\n";

/* As measured first: the interval stands after the number of late samples. */
static const char MEASURED[] =
    "{\"k\":\"result\",\"id\":0,\"schedule\":\"start a end\",\"status\":\"ok\","
    "\"samples\":5,\"p01\":1e-05,\"p10\":1.5e-05,\"p50\":2e-05,\"p90\":3e-05,"
    "\"p99\":4e-05,\"stddev\":1e-07,\"skew\":0,\"at\":0,\"facts\":{\"why\":"
    "\"fixed\",\"late\":1,\"low\":null,\"high\":3e-05,\"last_rank\":2},"
    "\"x\":\"*\"}\n";

static const cairn_base_fact fact[] = {{"last_rank", NULL, 0},
                                       {"why", "ci", 0}};

static void better(cairn_journal_result result[2], double first,
                   double second) {
  for (int i = 0; i < 2; i++) {
    result[i] = (cairn_journal_result){
        .id = (uint64_t)i,
        .schedule = i ? "start b end" : "start a end",
        .outcome = i ? CAIRN_BASE_OUTCOME_PRUNED : CAIRN_BASE_OUTCOME_OK,
        .times = {.samples = 14,
                  .p = {0.25, 0.5, i ? second : first, 16, 32},
                  .stddev = 0.125,
                  .low = 0.75,
                  .high = 1.5},
        .at = i,
        .corrected = i,
        .uncorrected = 9,
        .finalist = i,
        .fact = i ? fact : NULL,
        .facts = i ? 2 : 0};
  }
}

static cairn_journal *open_journal(cairn_journal_mode mode) {
  const cairn_journal_header header = tools_header();
  cairn_journal *journal = NULL;
  CHECK(cairn_journal__open(path, mode, &header, NULL, &journal) == CAIRN_OK,
        "open");
  if (!journal)
    exit(1);
  return journal;
}

/* Two results as first measured (p50 2e-5). */
static cairn_journal *write_results(void) {
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW);
  cairn_journal_result a = tools_result(0, "start a end");
  cairn_journal_result b = tools_result(1, "start b end");
  b.outcome = CAIRN_BASE_OUTCOME_PRUNED;
  CHECK(cairn_journal__append_result(journal, &a, NULL) == CAIRN_OK, "result");
  CHECK(cairn_journal__append_result(journal, &b, NULL) == CAIRN_OK, "result");
  return journal;
}

static void refine(cairn_journal *journal, double first, double second,
                   cairn_status expected) {
  cairn_journal_result result[2];
  better(result, first, second);
  const cairn_status status =
      cairn_journal__append_refined(journal, result, 2, NULL);
  CHECK(status == expected, "refined: %d", (int)status);
}

static size_t slurp(char *data, size_t size) {
  FILE *file = fopen(path, "rb");
  const size_t length = file ? fread(data, 1, size, file) : 0;
  if (file)
    fclose(file);
  return length;
}

/* The medians that a reader sees. */
static void see(unsigned flags, double a, double b, const char *when) {
  cairn_base_diag *diag = tools_diag();
  cairn_journal_run *run = NULL;
  const cairn_status status = cairn_journal_run_read(path, flags, diag, &run);
  CHECK(status == CAIRN_OK, "%s: %s", when, tools_first(diag));
  if (run) {
    CHECK(run->results == 2, "%s: %zu results", when, run->results);
    CHECK(run->result[0].times.p[CAIRN_BASE_P50] == a &&
              run->result[1].times.p[CAIRN_BASE_P50] == b,
          "%s: %g %g, expected %g %g", when,
          run->result[0].times.p[CAIRN_BASE_P50],
          run->result[1].times.p[CAIRN_BASE_P50], a, b);
    CHECK(run->result[1].outcome == CAIRN_BASE_OUTCOME_PRUNED, "%s", when);
    CHECK(run->result[1].at == 1, "%s: at %g", when, run->result[1].at);
  }
  cairn_journal_run_free(run);
  cairn_base_diag_free(diag);
}

static void bytes_and_readers(void) {
  cairn_base_text golden = {0};
  char data[4096];
  cairn_journal *journal = write_results();
  const size_t before = slurp(data, sizeof data);
  refine(journal, 1, 8, CAIRN_OK);
  cairn_journal__close(journal);
  tools_seal_all(&golden, GOLDEN, strlen(GOLDEN));
  const size_t length = slurp(data, sizeof data);
  CHECK(length - before == golden.length &&
            memcmp(data + before, golden.data, golden.length) == 0,
        "written:\n%.*sexpected:\n%s", (int)(length - before), data + before,
        golden.data);
  see(0, 1, 8, "refined");
  see(CAIRN_JOURNAL_RUN_AS_MEASURED, 2e-5, 2e-5, "as measured");
  cairn_base_text_free(&golden);
}

/* Facts that something depends on are members of a result, in their places
 * among the others in the file. */
static void members_among_facts(void) {
  static const cairn_base_fact facts[] = {
      {"why", "fixed", 0}, {"late", NULL, 1}, {"last_rank", NULL, 2}};
  cairn_base_text golden = {0};
  cairn_journal_result r = tools_result(0, "start a end");
  char data[4096];
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW);
  const size_t before = slurp(data, sizeof data);
  r.times.high = 3e-5;
  r.fact = facts;
  r.facts = 3;
  CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_OK, "result");
  cairn_journal__close(journal);
  tools_seal_all(&golden, MEASURED, strlen(MEASURED));
  const size_t length = slurp(data, sizeof data);
  CHECK(length - before == golden.length &&
            memcmp(data + before, golden.data, golden.length) == 0,
        "written:\n%.*sexpected:\n%s", (int)(length - before), data + before,
        golden.data);
  cairn_base_text_free(&golden);
  unlink(path);
}

/* What was written is read into the members, and is no fact there. */
static void members_read(void) {
  cairn_journal_run *run = NULL;
  cairn_journal *journal = write_results();
  refine(journal, 1, 8, CAIRN_OK);
  cairn_journal__close(journal);
  CHECK(cairn_journal_run_read(path, 0, NULL, &run) == CAIRN_OK, "read");
  for (size_t i = 0; run && i < run->results; i++) {
    const cairn_journal_result *const r = &run->result[i];
    CHECK(r->times.low == 0.75 && r->times.high == 1.5, "interval %zu", i);
    CHECK(r->corrected == (int)i && r->finalist == (int)i, "flags %zu", i);
    CHECK(!i || r->uncorrected == 9, "uncorrected %g", r->uncorrected);
    CHECK(r->facts == (i ? 2 : 0) && (!i || strcmp(r->fact[1].text, "ci") == 0),
          "%zu facts of %zu", r->facts, i);
  }
  cairn_journal_run_free(run);
  unlink(path);
}

/* Cut anywhere in the refined records: whole ones count, a torn one is
 * dropped; going on cuts it off, and later numbers win. */
static void every_cut(void) {
  char data[4096], when[40];
  const size_t length = slurp(data, sizeof data);
  data[length < sizeof data ? length : sizeof data - 1] = 0;
  const char *first = strstr(data, "{\"k\":\"refined\"");
  const char *second = strstr(first + 1, "{\"k\":\"refined\"");
  const size_t begin = (size_t)(first - data), middle = (size_t)(second - data);
  for (size_t cut = begin; cut <= length; cut++) {
    /* a record is whole with or without its newline */
    const double a = cut >= middle - 1 ? 1 : 2e-5;
    const double b = cut >= length - 1 ? 8 : 2e-5;
    snprintf(when, sizeof when, "cut at %zu", cut);
    tools_write(path, data, cut);
    see(0, a, b, when);
    cairn_journal *journal = open_journal(CAIRN_JOURNAL_RESUME);
    refine(journal, 3, 5, CAIRN_OK);
    cairn_journal__close(journal);
    see(0, 3, 5, when);
    see(CAIRN_JOURNAL_RUN_AS_MEASURED, 2e-5, 2e-5, when);
  }
}

static void failing_write(void) {
  char before[4096], after[4096];
  unlink(path);
  cairn_journal *journal = write_results();
  const size_t length = slurp(before, sizeof before);
  cairn_journal__inject(journal, 1, ENOSPC);
  refine(journal, 1, 8, CAIRN_IO);
  CHECK(slurp(after, sizeof after) == length &&
            memcmp(before, after, length) == 0,
        "half a record was left");
  refine(journal, 1, 8, CAIRN_OK);
  cairn_journal__close(journal);
  see(0, 1, 8, "after a failed write");
}

static void refused(const char *line, const char *words) {
  cairn_base_text text = {0};
  cairn_base_diag *diag = tools_diag();
  cairn_journal_run *run = NULL;
  static const char HEAD[] = "{\"k\":\"header\",\"format\":1,\"cairn\":\"t\","
                             "\"objective\":\"p10\",\"x\":"
                             "\"*\"}\n{\"k\":\"result\",\"id\":0,\"schedule\":"
                             "\"start a end\",\"status\":"
                             "\"ok\",\"p50\":1,\"x\":\"*\"}\n";
  tools_seal_all(&text, HEAD, strlen(HEAD));
  tools_seal_all(&text, line, strlen(line));
  tools_write(path, text.data, text.length);
  CHECK(cairn_journal_run_read(path, 0, diag, &run) == CAIRN_INPUT, "%s", line);
  CHECK(strstr(tools_first(diag), words), "\"%s\" lacks \"%s\"",
        tools_first(diag), words);
  cairn_journal_run_free(run);
  cairn_base_diag_free(diag);
  cairn_base_text_free(&text);
}

/* One schedule under two ids: of no use, but the first can be salvaged, with
 * its own numbers. */
static void twins(void) {
  cairn_journal_result r = tools_result(4, "start a end");
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW);
  cairn_journal_run *run = NULL;
  (void)cairn_journal__append_result(journal, &r, NULL);
  r.id = 2;
  (void)cairn_journal__append_result(journal, &r, NULL);
  r.times.p[CAIRN_BASE_P50] = 2.5e-5;
  (void)cairn_journal__append_refined(journal, &r, 1, NULL);
  cairn_journal__close(journal);
  CHECK(cairn_journal_run_read(path, 0, NULL, &run) == CAIRN_INPUT, "read");
  CHECK(cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_SALVAGE, NULL, &run) ==
            CAIRN_OK,
        "salvage");
  CHECK(run && run->results == 1 && run->result[0].id == 4 &&
            run->result[0].times.p[CAIRN_BASE_P50] == 2e-5,
        "%zu results", run ? run->results : 0);
  cairn_journal_run_free(run);
  unlink(path);
}

int main(void) {
  char folder[64];
  tools_enter(folder);
  members_among_facts();
  members_read();
  bytes_and_readers();
  every_cut();
  failing_write();
  refused("{\"k\":\"refined\",\"id\":7,\"schedule\":\"start a end\",\"status\":"
          "\"ok\",\"p50\":1,\"x\":\"*\"}\n",
          "id 7, which has no result");
  refused("{\"k\":\"refined\",\"id\":0,\"schedule\":\"start b end\",\"status\":"
          "\"ok\",\"p50\":1,\"x\":\"*\"}\n",
          "which has no result of this schedule");
  unlink(path);
  twins();
  tools_leave(folder);
  printf("%d failed\n", tools_fails);
  return tools_fails != 0;
}
