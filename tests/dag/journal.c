/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/journal.c - what is written is read back equal; every cut of a
 * journal of 200 records is read without losing a whole record; resuming mends
 * it; a failing write leaves no damage; a second writer is refused.
 */
#include "base/file-private.h"
#include "base/rng-private.h"
#include "base/text-private.h"
#include "journal/journal-private.h"
#include "tests/dag/journal-tools.h"
#include <cairn/journal.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *const path = "run.jsonl";

static cairn_journal *open_journal(cairn_journal_mode mode,
                                   const cairn_journal_header *header) {
  cairn_base_diag *const diag = tools_diag();
  cairn_journal *journal = NULL;
  const cairn_status status =
      cairn_journal__open(path, mode, header, diag, &journal);
  CHECK(status == CAIRN_OK, "status %d: %s", (int)status, tools_first(diag));
  cairn_base_diag_free(diag);
  if (!journal)
    exit(1);
  return journal;
}

static cairn_journal_run *read_journal(unsigned flags) {
  cairn_base_diag *const diag = tools_diag();
  cairn_journal_run *run = NULL;
  const cairn_status status = cairn_journal_run_read(path, flags, diag, &run);
  CHECK(status == CAIRN_OK, "status %d: %s", (int)status, tools_first(diag));
  cairn_base_diag_free(diag);
  if (!run)
    exit(1);
  return run;
}

static int same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static int same_number(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* ---- there and back ---- */

static void write_rich(const cairn_journal_header *header,
                       const cairn_journal_result *results, size_t count) {
  cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, header);
  for (size_t i = 0; i < count; i++) {
    CHECK(cairn_journal__append_begin(journal, results[i].id,
                                      results[i].schedule, NULL) == CAIRN_OK,
          "begin %zu", i);
    CHECK(cairn_journal__append_result(journal, &results[i], NULL) == CAIRN_OK,
          "result %zu", i);
  }
  CHECK(cairn_journal__append_begin(journal, 9999, "start last end", NULL) ==
            CAIRN_OK,
        "begin");
  CHECK(cairn_journal__append_end(journal, count, "budget", NULL) == CAIRN_OK,
        "end");
  cairn_journal__close(journal);
}

static void compare_header(const cairn_journal_header *a,
                           const cairn_journal_header *b) {
  CHECK(same(a->cairn, b->cairn) && same(a->program_name, b->program_name) &&
            same(a->program_digest, b->program_digest) &&
            same(a->backend, b->backend) && same(a->driver, b->driver) &&
            same(a->mpi, b->mpi) && same(a->sync, b->sync) &&
            same(a->strategy, b->strategy) && same(a->objective, b->objective),
        "texts of the header");
  CHECK(a->params == b->params && a->hosts == b->hosts &&
            a->devices == b->devices && a->facts == b->facts,
        "counts of the header");
  for (size_t i = 0; i < a->params; i++)
    CHECK(same(a->param_name[i], b->param_name[i]) &&
              same(a->param_value[i], b->param_value[i]),
          "parameter %zu", i);
  for (size_t i = 0; i < a->hosts; i++)
    CHECK(same(a->host[i], b->host[i]), "host %zu", i);
  for (size_t i = 0; i < a->devices; i++)
    CHECK(same(a->device[i], b->device[i]), "device %zu", i);
  for (size_t i = 0; i < a->facts; i++)
    CHECK(same(a->fact[i].name, b->fact[i].name) &&
              same(a->fact[i].text, b->fact[i].text) &&
              (a->fact[i].text ||
               same_number(a->fact[i].number, b->fact[i].number)),
          "fact %zu", i);
  CHECK(a->ranks == b->ranks && a->streams == b->streams &&
            a->gpu_aware == b->gpu_aware && a->seed == b->seed,
        "numbers of the header");
}

static void compare_result(const cairn_journal_result *a,
                           const cairn_journal_result *b) {
  CHECK(a->id == b->id && same(a->schedule, b->schedule) &&
            a->outcome == b->outcome && a->times.samples == b->times.samples &&
            same(a->message, b->message) && a->facts == b->facts,
        "result %" PRIu64, a->id);
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    CHECK(same_number(a->times.p[i], b->times.p[i]), "percentile %d", i);
  CHECK(same_number(a->times.stddev, b->times.stddev) &&
            same_number(a->times.skew, b->times.skew) &&
            same_number(a->at, b->at),
        "numbers of result %" PRIu64, a->id);
  for (size_t i = 0; i < a->facts; i++)
    CHECK(same(a->fact[i].name, b->fact[i].name) &&
              same(a->fact[i].text, b->fact[i].text),
          "fact %zu of result %" PRIu64, i, a->id);
}

static double random_seconds(cairn_base_rng *rng) {
  double value;
  const uint64_t kind = cairn_base__rng_next(rng) % 4;
  uint64_t bits = cairn_base__rng_next(rng) >> 1;
  if (kind == 0)
    return (double)NAN;
  if (kind == 1)
    return (double)(bits % 1000000) * 1e-9;
  if (kind == 2)
    return cairn_base__rng_uniform(rng);
  memcpy(&value, &bits, sizeof value); /* any positive double a clock gives */
  return isnormal(value) ? value : 0;
}

/* Random times whose known percentiles do not fall. */
static void fill_random(cairn_base_rng *rng, cairn_journal_result *r) {
  cairn_base_times *const t = &r->times;
  double *const numbers[] = {&t->p[0], &t->p[1],   &t->p[2], &t->p[3],
                             &t->p[4], &t->stddev, &t->skew, &r->at};
  double most = 0;
  for (size_t k = 0; k < 8; k++) {
    *numbers[k] = random_seconds(rng);
    if (k < 5 && *numbers[k] < most)
      *numbers[k] = most;
    else if (k < 5 && !isnan(*numbers[k]))
      most = *numbers[k];
  }
}

static void test_there_and_back(void) {
  static const char *const names[] = {"rows", "a.b"},
                           *const values[] = {
                               "150000",
                               "quote \" backslash \\ tab \t umlaut \xc3\xa4"};
  static const char *const hosts[] = {"n1", "n2"}, *const devices[] = {"H200"};
  const cairn_base_fact facts[] = {{"clock", "monotonic", 0},
                                   {"slack", NULL, 1e-6},
                                   {"unknown", NULL, (double)NAN}};
  const cairn_journal_header header = {.cairn = "0.1",
                                       .program_name = "spmv",
                                       .program_digest = "00ff",
                                       .param_name = names,
                                       .param_value = values,
                                       .params = 2,
                                       .ranks = 4,
                                       .streams = 2,
                                       .host = hosts,
                                       .hosts = 2,
                                       .backend = "cuda",
                                       .device = devices,
                                       .devices = 1,
                                       .driver = "13.0",
                                       .gpu_aware = 1,
                                       .sync = "tidy",
                                       .strategy = "coverage",
                                       .seed = UINT64_MAX,
                                       .objective = "p50",
                                       .fact = facts,
                                       .facts = 3};
  enum { COUNT = 500 };
  static char schedule[COUNT][64];
  cairn_journal_result *const results = calloc(COUNT, sizeof *results);
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 7);
  for (size_t i = 0; i < COUNT; i++) {
    cairn_journal_result *const r = &results[i];
    snprintf(schedule[i], sizeof schedule[i],
             "start a@0 CER-after-a@0#%zu CES-b4-end#%zu end", i, i);
    *r = tools_result(i, schedule[i]);
    fill_random(&rng, r);
    r->outcome = (cairn_base_outcome)(i % 7);
    r->times.samples = (unsigned)(i % 3);
    r->message = i % 7 ? "op \"y\": CUDA error 700\nline two\x01" : NULL;
    r->fact = i % 5 ? facts : NULL;
    r->facts = i % 5 ? i % 4 : 0;
  }
  write_rich(&header, results, COUNT);
  cairn_journal_run *const run = read_journal(0);
  compare_header(&header, &run->header);
  CHECK(run->results == COUNT, "%zu results", run->results);
  for (size_t i = 0; i < run->results && i < COUNT; i++)
    compare_result(&results[i], &run->result[i]);
  CHECK(run->begun_count == 1 && run->begun[0].id == 9999 &&
            same(run->begun[0].schedule, "start last end"),
        "%zu begun", run->begun_count);
  CHECK(same(run->end_reason, "budget") && run->end_count == COUNT &&
            !run->torn,
        "end %s", run->end_reason);
  CHECK(run->result[0].line == 3, "line %zu", run->result[0].line);
  cairn_journal_run_free(run);
  free(results);
  unlink(path);
}

/* The exact bytes of a record, and numbers in the fewest digits. */
static void test_bytes(void) {
  const cairn_journal_header header = tools_header();
  cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  cairn_journal_result r = tools_result(17, "start a@0 end");
  char *data;
  size_t length;
  cairn_base_text wanted = {0};
  static const double p[] = {0.1, 1.0 / 3, 5.64374e-05, (double)NAN, 1e300};
  memcpy(r.times.p, p, sizeof p);
  r.at = 12.3;
  (void)cairn_journal__append_result(journal, &r, NULL);
  cairn_journal__close(journal);
  if (cairn_base_file_read(path, 1 << 20, NULL, &data, &length) != CAIRN_OK)
    exit(1);
  static const char line[] =
      "{\"k\":\"result\",\"id\":17,\"schedule\":\"start a@0 end\","
      "\"status\":\"ok\",\"samples\":5,\"p01\":0.1,"
      "\"p10\":0.3333333333333333,\"p50\":5.64374e-05,\"p90\":null,"
      "\"p99\":1e+300,\"stddev\":1e-07,\"skew\":0,\"at\":12.3,\"x\":\"*\"}";
  tools_seal(&wanted, line, sizeof line - 1);
  const char *const second = strchr(data, '\n') + 1;
  CHECK(strncmp(second, wanted.data, wanted.length) == 0 &&
            strlen(second) == wanted.length + 1,
        "%s instead of %s", second, wanted.data);
  cairn_base_text_free(&wanted);
  cairn_base_free(data);
  unlink(path);
}

/* ---- cut at every byte ---- */

enum { RECORDS = 200 };

/* Writes header + RECORDS results; offsets[i]: end of line i. */
static size_t write_small(size_t *offsets) {
  const cairn_journal_header header = tools_header();
  struct stat info;
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  for (size_t i = 0; i <= RECORDS; i++) {
    if (stat(path, &info) != 0)
      exit(1);
    offsets[i] = (size_t)info.st_size;
    cairn_journal_result r = tools_result(i, tools_schedule(i));
    if (i < RECORDS)
      (void)cairn_journal__append_result(journal, &r, NULL);
  }
  cairn_journal__close(journal);
  return offsets[RECORDS];
}

/* Records that a file of `size` bytes holds: the newline is not needed. */
static size_t whole_records(const size_t *offsets, size_t size) {
  size_t lines = 0;
  while (lines <= RECORDS && offsets[lines] - 1 <= size)
    lines++;
  return lines;
}

static void test_cut_everywhere(void) {
  size_t offsets[RECORDS + 1];
  const size_t size = write_small(offsets);
  for (size_t cut = size; cut-- > 0;) {
    cairn_journal_run *run = NULL;
    const size_t lines = whole_records(offsets, cut);
    if (truncate(path, (off_t)cut) != 0)
      exit(1);
    const cairn_status status =
        cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_UNBORN, NULL, &run);
    CHECK(status == CAIRN_OK, "cut at %zu: status %d", cut, (int)status);
    if (!run)
      break;
    CHECK(run->results == (lines ? lines - 1 : 0),
          "cut at %zu: %zu results of %zu lines", cut, run->results, lines);
    const size_t whole = lines ? offsets[lines - 1] : 0;
    CHECK(run->torn == (cut > whole), "cut at %zu: torn %d", cut, run->torn);
    cairn_journal_run_free(run);
    if (lines == 0)
      CHECK(cairn_journal_run_read(path, 0, NULL, &run) == CAIRN_INPUT,
            "no header at %zu", cut);
  }
  unlink(path);
}

/* Cut, resumed, one record added: nothing is lost, nothing damaged. */
static void test_resume(void) {
  size_t offsets[RECORDS + 1];
  const cairn_journal_header header = tools_header();
  const size_t size = write_small(offsets), last = offsets[RECORDS - 1];
  /* around every 20th record, and at each byte of the last one */
  for (size_t cut = size; cut-- > 0;) {
    int near = cut > last;
    for (size_t i = 0; i <= RECORDS; i += 20)
      near |= cut + 2 >= offsets[i] && cut <= offsets[i] + 1;
    if (!near && cut > 3)
      continue;
    const size_t lines = whole_records(offsets, cut);
    if (truncate(path, (off_t)cut) != 0)
      exit(1);
    cairn_journal *const journal = open_journal(CAIRN_JOURNAL_RESUME, &header);
    const cairn_journal_result r = tools_result(1000, "start b end");
    CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_OK, "%zu",
          cut);
    cairn_journal__close(journal);
    cairn_journal_run *const run = read_journal(0);
    CHECK(run->results == (lines ? lines - 1 : 0) + 1 && !run->torn &&
              run->result[run->results - 1].id == 1000,
          "cut at %zu: %zu results", cut, run->results);
    cairn_journal_run_free(run);
  }
  unlink(path);
}

/* ---- failing writes ---- */

static void fail_at(size_t n, int error) {
  const cairn_journal_header header = tools_header();
  cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  cairn_base_diag *const diag = tools_diag();
  size_t done = 0;
  cairn_journal__inject(journal, n, error);
  for (size_t i = 0; i < 12; i++) {
    const cairn_journal_result r = tools_result(i, tools_schedule(i));
    const cairn_status status = cairn_journal__append_result(journal, &r, diag);
    CHECK(status == (i + 1 == n ? CAIRN_IO : CAIRN_OK), "%zu of %zu: %d", i, n,
          (int)status);
    done += status == CAIRN_OK;
  }
  CHECK(strstr(tools_first(diag), strerror(error)), "%s", tools_first(diag));
  CHECK(same(cairn_base_diag_get(diag, 0)->file, path), "file named");
  cairn_base_diag_free(diag);
  cairn_journal__close(journal);
  cairn_journal_run *const run = read_journal(0);
  CHECK(run->results == done && done == 11 && !run->torn, "%zu of %zu",
        run->results, done);
  cairn_journal_run_free(run);
  unlink(path);
}

static void test_failing_writes(void) {
  for (size_t n = 1; n <= 12; n++) {
    fail_at(n, ENOSPC);
    fail_at(n, EIO);
  }
}

/* ---- opening ---- */

static void test_refusals(void) {
  const cairn_journal_header header = tools_header();
  cairn_base_diag *diag = tools_diag();
  cairn_journal *other = NULL;
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  CHECK(cairn_journal__open(path, CAIRN_JOURNAL_NEW, &header, diag, &other) ==
            CAIRN_USAGE,
        "an existing file");
  CHECK(strstr(tools_first(diag), "exists already"), "%s", tools_first(diag));
  cairn_base_diag_free(diag);
  diag = tools_diag();
  CHECK(cairn_journal__open(path, CAIRN_JOURNAL_RESUME, &header, diag,
                            &other) == CAIRN_USAGE,
        "a second writer");
  char pid[40];
  snprintf(pid, sizeof pid, "process %ld is writing it", (long)getpid());
  CHECK(strstr(tools_first(diag), pid) || access("/proc/locks", R_OK) != 0,
        "%s", tools_first(diag));
  cairn_base_diag_free(diag);
  cairn_journal__close(journal);
  journal = open_journal(CAIRN_JOURNAL_RESUME, &header); /* free again */
  cairn_journal__close(journal);
  tools_write(path, "\x1f\x8b nonsense", 11);
  CHECK(cairn_journal__open(path, CAIRN_JOURNAL_RESUME, &header, NULL,
                            &other) == CAIRN_INPUT,
        "a compressed file");
  unlink(path);
  CHECK(cairn_journal__open("none/run.jsonl", CAIRN_JOURNAL_NEW, &header, NULL,
                            &other) == CAIRN_IO,
        "no such folder");
  CHECK(cairn_journal__open("/dev/null", CAIRN_JOURNAL_RESUME, &header, NULL,
                            &other) == CAIRN_INPUT,
        "a device");
}

static void test_end_and_more(void) {
  const cairn_journal_header header = tools_header();
  cairn_journal_result r = tools_result(0, "start a end");
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  (void)cairn_journal__append_result(journal, &r, NULL);
  (void)cairn_journal__append_end(journal, 1, "time", NULL);
  cairn_journal__close(journal);
  journal = open_journal(CAIRN_JOURNAL_RESUME, &header);
  r.id = 1;
  r.schedule = "start b end";
  (void)cairn_journal__append_result(journal, &r, NULL);
  cairn_journal__close(journal);
  cairn_journal_run *run = read_journal(0);
  CHECK(run->results == 2 && !run->end_reason, "%zu, %s", run->results,
        run->end_reason ? run->end_reason : "no end");
  cairn_journal_run_free(run);
  CHECK(cairn_base_times_objective(&r.times, "p10") ==
                r.times.p[CAIRN_BASE_P10] &&
            cairn_base_times_objective(&r.times, "p99") ==
                r.times.p[CAIRN_BASE_P99] &&
            isnan(cairn_base_times_objective(&r.times, "p17")),
        "objectives");
  CHECK(same(cairn_base_outcome_text(CAIRN_BASE_OUTCOME_PRUNED), "pruned"),
        "outcome");
  unlink(path);
}

/* The file as it is. */
static char *bytes_of(const char *name) {
  char *data = NULL;
  size_t length;
  if (cairn_base__file_read_regular(name, 1 << 20, NULL, &data, &length) !=
      CAIRN_OK)
    exit(1);
  return data;
}

/* What is no journal is refused and stays as it is; the beginning of a header,
 * to the last byte, is gone on with. */
static void test_not_ours(void) {
  static const char *const foreign[] = {
      "precious data",
      "precious data\n",
      "{\"a\":1}",
      "{\"a\":1}\nprecious",
      "{\"k\":\"header\"}\n",
      "{\"k\":\"header\",\"format\":2,\"cairn\":\"9",
      "{\"k\":\"result\",\"i",
      "\n",
      "{\"k\":\"header\",\"format\":1,\"cairn\":\"0.1.0\"\nprecious"};
  const cairn_journal_header header = tools_header();
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    cairn_journal *journal = NULL;
    cairn_journal_run *run = NULL;
    tools_write(path, foreign[i], strlen(foreign[i]));
    CHECK(cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_UNBORN, NULL, &run) ==
              CAIRN_INPUT,
          "%s: read", foreign[i]);
    CHECK(cairn_journal__open(path, CAIRN_JOURNAL_RESUME, &header, NULL,
                              &journal) == CAIRN_INPUT,
          "%s: resumed", foreign[i]);
    char *const after = bytes_of(path);
    CHECK(same(after, foreign[i]), "%s became %s", foreign[i], after);
    cairn_base_free(after);
    unlink(path);
  }
  CHECK(mkfifo(path, 0600) == 0, "mkfifo");
  cairn_journal *journal = NULL;
  CHECK(cairn_journal__open(path, CAIRN_JOURNAL_RESUME, &header, NULL,
                            &journal) == CAIRN_INPUT,
        "a pipe");
  cairn_journal_run *run = NULL;
  CHECK(cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_REGULAR, NULL, &run) ==
            CAIRN_INPUT,
        "a pipe");
  unlink(path);
}

/* The file that is written vanishes, moves, or is replaced. */
static void test_vanished(void) {
  const cairn_journal_header header = tools_header();
  const cairn_journal_result r = tools_result(0, "start a end");
  static const char *const says[] = {"was removed", "was moved away",
                                     "was replaced by another file"};
  for (int what = 0; what < 3; what++) {
    cairn_base_diag *const diag = tools_diag();
    cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, &header);
    if (what == 0)
      unlink(path);
    else
      CHECK(rename(path, "elsewhere") == 0, "rename");
    if (what == 2)
      tools_write(path, "mine", 4);
    CHECK(cairn_journal__append_result(journal, &r, diag) == CAIRN_IO, "%s",
          says[what]);
    CHECK(strstr(tools_first(diag), says[what]), "%s", tools_first(diag));
    cairn_journal__close(journal);
    cairn_base_diag_free(diag);
    if (what == 2) {
      char *const after = bytes_of(path);
      CHECK(same(after, "mine"), "became %s", after);
      cairn_base_free(after);
    }
    unlink(path);
    unlink("elsewhere");
  }
}

/* A relative path stays good when the process changes its folder. */
static void test_other_folder(void) {
  const cairn_journal_header header = tools_header();
  const cairn_journal_result r = tools_result(0, "start a end");
  char folder[4096];
  cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  CHECK(getcwd(folder, sizeof folder) && chdir("/") == 0, "chdir");
  CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_OK,
        "elsewhere");
  CHECK(chdir(folder) == 0, "chdir");
  cairn_journal__close(journal);
  unlink(path);
}

/* One `end`, the last record: equal bytes when nothing is added. */
static void test_one_end(void) {
  const cairn_journal_header header = tools_header();
  cairn_journal_result r = tools_result(0, "start a end");
  cairn_journal *journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  (void)cairn_journal__append_result(journal, &r, NULL);
  (void)cairn_journal__append_end(journal, 1, "signal", NULL);
  (void)cairn_journal__append_end(journal, 1, "signal", NULL);
  cairn_journal__close(journal);
  char *const before = bytes_of(path);
  for (int i = 0; i < 3; i++) {
    journal = open_journal(CAIRN_JOURNAL_RESUME, &header);
    CHECK(cairn_journal__append_end(journal, 1, "signal", NULL) == CAIRN_OK,
          "end");
    cairn_journal__close(journal);
    char *const after = bytes_of(path);
    CHECK(same(after, before), "became %s", after);
    cairn_base_free(after);
  }
  journal = open_journal(CAIRN_JOURNAL_RESUME, &header);
  r = tools_result(1, "start b end");
  (void)cairn_journal__append_result(journal, &r, NULL);
  (void)cairn_journal__append_end(journal, 2, "budget", NULL);
  (void)cairn_journal__append_end(journal, 2, "time", NULL);
  cairn_journal__close(journal);
  char *const all = bytes_of(path);
  const char *const end = strstr(all, "\"k\":\"end\"");
  CHECK(end && !strstr(end + 1, "\"k\":\"end\"") && strstr(end, "time"), "%s",
        all);
  cairn_journal_run *const run = read_journal(0);
  CHECK(run->results == 2 && run->end_count == 2, "%zu results", run->results);
  cairn_journal_run_free(run);
  cairn_base_free(all);
  cairn_base_free(before);
  unlink(path);
}

/* How often a schedule was begun; a result that finds no room takes its `begin`
 * with it, so that the schedule is not blamed. */
static void test_deaths(void) {
  const cairn_journal_header header = tools_header();
  cairn_journal_result r = tools_result(0, "start a end");
  cairn_journal *const journal = open_journal(CAIRN_JOURNAL_NEW, &header);
  (void)cairn_journal__append_begin(journal, 0, "start a end", NULL);
  (void)cairn_journal__append_result(journal, &r, NULL);
  for (int i = 0; i < 3; i++) {
    (void)cairn_journal__append_begin(journal, 1, "start b end", NULL);
    if (i < 2)
      (void)cairn_journal__death(journal, 1, "rank 0 died", NULL);
  }
  cairn_journal_run *run = read_journal(0);
  CHECK(run->begun_count == 1 && run->begun[0].times == 3, "%zu, %u times",
        run->begun_count, run->begun_count ? run->begun[0].times : 0);
  cairn_journal_run_free(run);
  r = tools_result(1, "start b end");
  cairn_journal__inject(journal, 1, ENOSPC);
  CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_IO, "no room");
  run = read_journal(0);
  CHECK(run->begun_count == 1 && run->begun[0].times == 2 && !run->torn,
        "%zu begun", run->begun_count);
  cairn_journal_run_free(run);
  cairn_journal__inject(journal, 1, ENOSPC); /* only the last begin */
  CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_IO, "no room");
  run = read_journal(0);
  CHECK(run->begun_count == 1 && run->begun[0].times == 2, "%zu begun",
        run->begun_count);
  cairn_journal_run_free(run);
  cairn_journal__close(journal);
  unlink(path);
}

/* Many results: reading stays linear. */
static void test_many(size_t count) {
  cairn_base_text all = {0}, line = {0};
  static const char first[] = "{\"k\":\"header\",\"format\":1,\"x\":\"*\"}";
  tools_seal(&all, first, sizeof first - 1);
  cairn_base_text_add(&all, "\n");
  for (size_t i = 0; i < count; i++) {
    cairn_base__text_clear(&line);
    /* ids downwards: they must be sorted to find repeated ones */
    cairn_base_text_addf(&line,
                         "{\"k\":\"result\",\"id\":%zu,\"schedule\":\"start "
                         "a@0 b%zu end\",\"status\":\"ok\",\"p10\":1.25e-05,"
                         "\"x\":\"*\"}",
                         count - i, i);
    tools_seal(&all, line.data, line.length);
    cairn_base_text_add(&all, "\n");
  }
  tools_write(path, all.data, all.length);
  cairn_journal_run *const run = read_journal(0);
  CHECK(run->results == count && run->result[count - 1].id == 1, "%zu",
        run->results);
  cairn_journal_run_free(run);
  cairn_base_text_free(&all);
  cairn_base_text_free(&line);
  unlink(path);
}

int main(void) {
  char folder[64];
  tools_enter(folder);
  test_there_and_back();
  test_bytes();
  test_cut_everywhere();
  test_resume();
  test_failing_writes();
  test_refusals();
  test_end_and_more();
  test_not_ours();
  test_vanished();
  test_other_folder();
  test_one_end();
  test_deaths();
  test_many(getenv("CAIRN_LONG") ? 200000 : 20000);
  tools_leave(folder);
  return tools_fails ? 1 : 0;
}
