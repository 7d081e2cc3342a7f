/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/base/base.c - base against values from elsewhere: xoshiro256** and
 * splitmix64 against their published outputs, percentiles and deviation against
 * NumPy's, compressed files against gzip and xz, the rest against its own
 * comments.
 */
#include "base/bits-private.h"
#include "base/diag-private.h"
#include "base/file-private.h"
#include "base/mem-private.h"
#include "base/rng-private.h"
#include "base/stats-private.h"
#include "base/text-private.h"
#include "base/times-private.h"
#include <cairn/base.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int fails;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
      fails++;                                                                 \
    }                                                                          \
  } while (0)

static void test_rng(void) {
  /* the state 1, 2, 3, 4: as in the reference implementation */
  static const uint64_t wanted[] = {UINT64_C(11520),
                                    0,
                                    UINT64_C(1509978240),
                                    UINT64_C(1215971899390074240),
                                    UINT64_C(1216172134540287360),
                                    UINT64_C(607988272756665600),
                                    UINT64_C(16172922978634559625),
                                    UINT64_C(8476171486693032832)};
  cairn_base_rng rng = {{1, 2, 3, 4}}, copy, child;
  unsigned seen[7] = {0};
  int items[50];
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 8; i++)
    CHECK(cairn_base__rng_next(&rng) == wanted[i]);
  /* seeding is splitmix64 */
  cairn_base__rng_seed(&rng, 1234567);
  CHECK(rng.s[0] == UINT64_C(6457827717110365317) &&
        rng.s[1] == UINT64_C(3203168211198807973) &&
        rng.s[2] == UINT64_C(9817491932198370423) &&
        rng.s[3] == UINT64_C(4593380528125082431));
  copy = rng;
  CHECK(cairn_base__rng_next(&rng) == cairn_base__rng_next(&copy));
  cairn_base__rng_fork(&rng, &child);
  CHECK(cairn_base__rng_next(&rng) != cairn_base__rng_next(&child));
  for (int i = 0; i < 70000; i++)
    seen[cairn_base__rng_below(&rng, 7)]++;
  for (int i = 0; i < 7; i++) /* 10,000 each, five deviations are 463 */
    CHECK(seen[i] > 9500 && seen[i] < 10500);
  for (int i = 0; i < 100000; i++) {
    const double x = cairn_base__rng_normal(&rng);
    sum += x;
    squares += x * x;
  }
  CHECK(fabs(sum / 100000) < 0.016 && fabs(squares / 100000 - 1) < 0.023);
  for (int i = 0; i < 50; i++)
    items[i] = i;
  cairn_base__rng_shuffle(&rng, items, 50, sizeof *items);
  int moved = 0, total = 0;
  for (int i = 0; i < 50; i++) {
    moved += items[i] != i;
    total += items[i];
  }
  CHECK(moved > 30 && total == 49 * 50 / 2);
  CHECK(cairn_base__rng_below(&rng, 1) == 0);
}

static void test_stats(void) {
  double values[] = {3, 1, (double)NAN, 2, 4};
  double five[] = {15, 20, 35, 40, 50};
  cairn_base__stats_sort(values, 5);
  CHECK(values[0] == 1 && values[3] == 4 && isnan(values[4]));
  /* numpy.percentile([15, 20, 35, 40, 50], ...) */
  CHECK(fabs(cairn_base__stats_percentile(five, 5, 5) - 16) < 1e-12);
  CHECK(fabs(cairn_base__stats_percentile(five, 5, 40) - 29) < 1e-12);
  CHECK(cairn_base__stats_percentile(five, 5, 0) == 15);
  CHECK(cairn_base__stats_percentile(five, 5, 100) == 50);
  CHECK(cairn_base__stats_percentile(five, 1, 73) == 15);
  CHECK(cairn_base__stats_mean(five, 5) == 32);
  /* numpy.std(..., ddof=1) */
  CHECK(fabs(cairn_base__stats_stddev(five, 5) - 14.404860290887934) < 1e-12);
  CHECK(cairn_base__stats_stddev(five, 1) == 0);
  double even[] = {4, 1, 3, 2};
  CHECK(cairn_base__stats_median(even, 4) == 2.5);
  CHECK(cairn_base__stats_median(five, 5) == 35);
}

static void test_times(void) {
  double samples[] = {35, 15, 50, 20, 40};
  const cairn_base_times unknown = cairn_base__times_of_samples(samples, 0);
  const cairn_base_times one = cairn_base__times_of_samples(samples, 1);
  const cairn_base_times t = cairn_base__times_of_samples(samples, 5);
  /* numpy.percentile([15, 20, 35, 40, 50], [1, 10, 50, 90, 99]) */
  static const double expected[] = {15.2, 17, 35, 46, 49.6};
  CHECK(unknown.samples == 0 && !cairn_base__times_known(&unknown));
  CHECK(one.samples == 1 && one.p[CAIRN_BASE_P99] == 35 && isnan(one.stddev));
  CHECK(t.samples == 5 && cairn_base__times_known(&t));
  CHECK(isnan(t.skew) && isnan(t.low) && isnan(t.high));
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    CHECK(fabs(t.p[i] - expected[i]) < 1e-12);
  CHECK(cairn_base_times_objective(&t, "p90") == t.p[CAIRN_BASE_P90]);
  CHECK(cairn_base_times_objective(&t, "median") == 35);
  CHECK(cairn_base_times_objective(&t, "stddev") == t.stddev);
  CHECK(isnan(cairn_base_times_objective(&t, "skew")));
  CHECK(isnan(cairn_base_times_objective(&t, "p17")));
  CHECK(isnan(cairn_base_times_objective(&t, NULL)));
  /* straight lines between the five, flat outside */
  static const double p[] = {1, 2, 6, 10, 28};
  static const double at[][2] = {
      {0, 1},   {0.01, 1}, {0.055, 1.5}, {0.1, 2},   {0.3, 4}, {0.5, 6},
      {0.7, 8}, {0.9, 10}, {0.95, 20},   {0.99, 28}, {1, 28}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    CHECK(fabs(cairn_base__times_quantile(p, at[i][0]) - at[i][1]) < 1e-12);
}

static void test_text(void) {
  static const char *const words[] = {"after", "call", "posts"};
  cairn_base_text text = {0};
  char long_word[80];
  CHECK(cairn_base__text_distance("kitten", "sitting") == 3);
  CHECK(cairn_base__text_distance("ab", "ba") == 1);
  CHECK(cairn_base__text_distance("", "abc") == 3);
  CHECK(cairn_base__text_distance("same", "same") == 0);
  memset(long_word, 'x', 79);
  long_word[79] = '\0';
  CHECK(cairn_base__text_distance(long_word, "x") == SIZE_MAX);
  CHECK(cairn_base_text_nearest("aftre", words, 3) == words[0]);
  CHECK(cairn_base_text_nearest("xyzzy", words, 3) == NULL);
  CHECK(cairn_base_text_nearest("ca", words, 3) == NULL);
  cairn_base_text_addf(&text, "%d-%s", 7, "x");
  cairn_base__text_add_bytes(&text, "\0y", 2);
  CHECK(text.length == 5 && memcmp(text.data, "7-x\0y", 6) == 0);
  cairn_base__text_clear(&text);
  CHECK(text.length == 0 && text.data[0] == '\0');
  cairn_base__mem_fail(1, 1);
  for (int i = 0; i < 1000; i++)
    cairn_base_text_add(&text, "0123456789");
  cairn_base__mem_fail(0, 0);
  CHECK(text.failed);
  cairn_base_text_free(&text);
}

static void test_memory(void) {
  int *array = NULL;
  size_t capacity = 0;
  CHECK(cairn_base_alloc(SIZE_MAX / 2, 4) == NULL);
  CHECK(cairn_base_zalloc(SIZE_MAX, 2) == NULL);
  cairn_base_free(cairn_base_alloc(0, 8));
  CHECK(cairn_base_reserve(&array, &capacity, 100, sizeof *array) == CAIRN_OK &&
        capacity >= 100);
  array[99] = 5;
  CHECK(cairn_base_reserve(&array, &capacity, SIZE_MAX / 2, sizeof *array) ==
            CAIRN_NOMEM &&
        array[99] == 5);
  cairn_base_free(array);
  cairn_base__mem_fail(2, 0);
  void *const one = cairn_base_alloc(1, 1), *const two = cairn_base_alloc(1, 1),
              *const three = cairn_base_alloc(1, 1);
  CHECK(one && !two && three && cairn_base__mem_count() == 3);
  cairn_base__mem_fail(0, 0);
  cairn_base_free(one);
  cairn_base_free(three);
}

static void test_diag(void) {
  cairn_base_diag *diag = NULL;
  char *printed = NULL;
  size_t length;
  CHECK(cairn_base_diag_create(2, &diag) == CAIRN_OK);
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, "f", 9, "late");
  cairn_base_diag_add(diag, CAIRN_BASE_WARNING, "f", 3, "early %d", 1);
  cairn_base_diag_error(diag, "no place");
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, "f", 1, "one too many");
  cairn_base_diag_add(diag, CAIRN_BASE_NOTE, "e", 0, "whole file");
  CHECK(cairn_base_diag_errors(diag) == 3 && cairn_base_diag_count(diag) == 4);
  cairn_base__diag_sort(diag);
  FILE *const out = open_memstream(&printed, &length);
  cairn_base_diag_print(diag, out);
  fclose(out);
  CHECK(strcmp(printed, "cairn: error: no place\ne: note: whole file\n"
                        "f:3: warning: early 1\nf:9: error: late\n"
                        "cairn: 1 more errors\n") == 0);
  CHECK(cairn_base_diag_count(diag) == 0 && cairn_base_diag_errors(diag) == 0);
  free(printed);
  cairn_base_diag_free(diag);
  cairn_base_diag_error(NULL, "nobody hears");
  cairn_base__diag_sort(NULL);
  CHECK(cairn_base_diag_errors(NULL) == 0);
}

/* Reads a file and compares; `wanted` NULL: it must be refused with `says`. */
static void expect(const char *path, size_t limit, const char *wanted,
                   const char *says) {
  cairn_base_diag *diag = NULL;
  char *data = NULL;
  size_t length = 0;
  CHECK(cairn_base_diag_create(0, &diag) == CAIRN_OK);
  const cairn_status status =
      cairn_base_file_read(path, limit, diag, &data, &length);
  if (wanted) {
    CHECK(status == CAIRN_OK && length == strlen(wanted) &&
          strcmp(data, wanted) == 0);
  } else {
    CHECK(status == CAIRN_INPUT && cairn_base_diag_count(diag) == 1);
    CHECK(strstr(cairn_base_diag_get(diag, 0)->text, says));
  }
  if (status == CAIRN_OK)
    cairn_base_free(data);
  cairn_base_diag_free(diag);
}

static void run(const char *command) {
  if (system(command) != 0)
    printf("skipped: %s\n", command);
}

static void test_files(void) {
  char folder[] = "/tmp/cairn-base-XXXXXX";
  char line[2001];
  if (!mkdtemp(folder) || chdir(folder) != 0)
    exit(99);
  memset(line, 'x', 2000);
  line[2000] = '\0';
  CHECK(cairn_base_file_write("f", line, 2000, NULL) == CAIRN_OK);
  expect("f", 2000, line, NULL);
  expect("f", 1999, NULL, "larger than 1999 bytes");
  CHECK(cairn_base_file_write("f", "ab", 2, NULL) == CAIRN_OK); /* replaced */
  expect("f", 100, "ab", NULL);
  CHECK(cairn_base_file_write("none/f", "ab", 2, NULL) == CAIRN_IO);
  CHECK(cairn_base_file_write("empty", "", 0, NULL) == CAIRN_OK);
  expect("empty", 0, "", NULL);
  expect("missing", 100, NULL, "cannot open");
  expect(".", 100, NULL, "not a regular file");
  expect("/dev/zero", 100, NULL, "not a regular file");
  CHECK(cairn_base_file_write("f", line, 2000, NULL) == CAIRN_OK);
  run("gzip -c f >f.gz && cat f.gz f.gz >two.gz && head -c 20 f.gz >cut.gz");
  run("xz -c f >f.xz && head -c 40 f.xz >cut.xz");
  if (access("f.gz", R_OK) == 0) {
    char *data;
    size_t length;
    expect("f.gz", 2000, line, NULL);
    expect("f.gz", 1999, NULL, "after unpacking");
    expect("cut.gz", 2000, NULL, "damaged or cut-off");
    CHECK(cairn_base_file_read("two.gz", 4000, NULL, &data, &length) ==
              CAIRN_OK &&
          length == 4000);
    cairn_base_free(data);
  }
  if (access("f.xz", R_OK) == 0) {
    expect("f.xz", 2000, line, NULL);
    expect("f.xz", 1999, NULL, "after unpacking");
    expect("cut.xz", 2000, NULL, "damaged or cut-off");
  }
  run("rm -f f f.gz two.gz cut.gz f.xz cut.xz empty");
  CHECK(chdir("/") == 0 && rmdir(folder) == 0); /* nothing else is left */
}

/* Inputs that are pipes: named ones are read to their end, others refused at
 * once (a FIFO without a writer would hold us for ever). */
static void test_pipes_in(void) {
  char folder[] = "/tmp/cairn-base-XXXXXX";
  char path[32], *data;
  size_t length;
  int ends[2];
  if (!mkdtemp(folder) || chdir(folder) != 0)
    exit(99);
  CHECK(mkfifo("fifo", 0600) == 0);
  CHECK(cairn_base__file_read_regular("fifo", 9, NULL, &data, &length) ==
        CAIRN_INPUT);
  const pid_t child = fork();
  if (child == 0) { /* late, and in two parts */
    usleep(50000);
    const int fd = open("fifo", O_WRONLY);
    const ssize_t one = write(fd, "on", 2);
    usleep(50000);
    _exit(one == 2 && write(fd, "e\n", 2) == 2 ? 0 : 1);
  }
  expect("fifo", 9, "one\n", NULL);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(pipe(ends) == 0 && write(ends[1], "12345", 5) == 5);
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  expect(path, 4, NULL, "larger than 4 bytes");
  close(ends[0]);
  expect(path, 4, NULL, "cannot open");
  CHECK(unlink("fifo") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
}

/* The bytes of a file. */
static int holds(const char *path, const char *wanted) {
  char *data;
  size_t length;
  if (cairn_base__file_read_regular(path, 100, NULL, &data, &length) !=
      CAIRN_OK)
    return 0;
  const int same = strcmp(data, wanted) == 0;
  cairn_base_free(data);
  return same;
}

/* Outputs: links and pipes stay what they are, and asking leaves no trace. */
static void test_outputs(void) {
  char folder[] = "/tmp/cairn-base-XXXXXX", path[32], got[8];
  struct stat info;
  int ends[2];
  if (!mkdtemp(folder) || chdir(folder) != 0)
    exit(99);
  CHECK(mkdir("sub", 0700) == 0 && symlink("sub/real", "link") == 0);
  CHECK(cairn_base__file_can_write("link", NULL) == CAIRN_IO); /* nowhere */
  CHECK(cairn_base_file_write("sub/real", "a", 1, NULL) == CAIRN_OK);
  CHECK(cairn_base__file_can_write("link", NULL) == CAIRN_OK);
  CHECK(cairn_base_file_write("link", "b", 1, NULL) == CAIRN_OK);
  CHECK(lstat("link", &info) == 0 && S_ISLNK(info.st_mode));
  CHECK(holds("sub/real", "b") && cairn_base__file_same("link", "sub/real"));
  CHECK(!cairn_base__file_same("link", "none"));
  /* a descriptor that leads to a file goes on where it stands */
  const int fd = open("sub/real", O_WRONLY | O_APPEND);
  snprintf(path, sizeof path, "/dev/fd/%d", fd);
  CHECK(cairn_base_file_is_stream(path) && !cairn_base_file_is_stream("link"));
  CHECK(cairn_base__file_can_write(path, NULL) == CAIRN_OK);
  CHECK(cairn_base_file_write(path, "c", 1, NULL) == CAIRN_OK);
  close(fd);
  CHECK(holds("sub/real", "bc"));
  CHECK(pipe(ends) == 0);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
  CHECK(cairn_base_file_write(path, "pipe", 4, NULL) == CAIRN_OK);
  CHECK(read(ends[0], got, sizeof got) == 4 && memcmp(got, "pipe", 4) == 0);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  CHECK(cairn_base__file_can_write(path, NULL) == CAIRN_IO); /* the other end */
  close(ends[0]);
  close(ends[1]);
  CHECK(mkfifo("fifo", 0600) == 0);
  CHECK(cairn_base__file_can_write("fifo", NULL) == CAIRN_OK); /* no waiting */
  CHECK(cairn_base__file_can_write("sub", NULL) == CAIRN_IO);
  CHECK(cairn_base__file_can_write("sub/real/x", NULL) == CAIRN_IO);
  CHECK(cairn_base__file_can_write("none/x", NULL) == CAIRN_IO);
  CHECK(cairn_base__file_can_write("new", NULL) == CAIRN_OK);
  CHECK(access("new", F_OK) != 0);
  CHECK(chmod("sub/real", 0400) == 0);
  CHECK(cairn_base__file_can_write("link", NULL) ==
        (geteuid() == 0 ? CAIRN_OK : CAIRN_IO));
  CHECK(unlink("fifo") == 0 && unlink("link") == 0 && unlink("sub/real") == 0 &&
        rmdir("sub") == 0);
  CHECK(chdir("/") == 0 && rmdir(folder) == 0); /* nothing else is left */
}

static void test_status(void) {
  CHECK(cairn_base_status_exit_code(CAIRN_OK) == 0);
  CHECK(cairn_base_status_exit_code(CAIRN_USAGE) == 2);
  CHECK(cairn_base_status_exit_code(CAIRN_INPUT) == 3);
  CHECK(cairn_base_status_exit_code(CAIRN_RESUMABLE) == 75);
  CHECK(strcmp(cairn_base_status_text((cairn_status)999), "unknown status") ==
        0);
  CHECK(cairn_base__bits_words(65) == 2 && cairn_base__bits_lowest(8) == 3 &&
        cairn_base__bits_popcount(7) == 3);
}

static int shown_is(const char *string, int lines, const char *wanted) {
  cairn_base_text text = {0};
  cairn_base_text_add(&text, "");
  cairn_base_text_add_shown(&text, string, lines);
  const int same = strcmp(text.data, wanted) == 0;
  if (!same)
    printf("\"%s\" instead of \"%s\"\n", text.data, wanted);
  cairn_base_text_free(&text);
  return same;
}

static int utf8_is(const char *string, const char *wanted) {
  char *const text = cairn_base_utf8(string);
  const int same = strcmp(text, wanted) == 0;
  cairn_base_free(text);
  return same;
}

static void test_shown(void) {
  CHECK(shown_is("", 0, ""));
  CHECK(shown_is("plain \\ text", 0, "plain \\ text"));
  CHECK(shown_is("n\xc3\xb6rd \xe4\xb8\xad \xf0\x9f\x98\x80", 0,
                 "n\xc3\xb6rd \xe4\xb8\xad \xf0\x9f\x98\x80"));
  CHECK(shown_is("a\nb\tc\rd", 0, "a\\nb\\tc\\rd"));
  CHECK(shown_is("a\nb\tc\rd", 1, "a\nb\tc\\rd"));
  CHECK(shown_is("\033[31m\a\x7f", 1, "\\x1b[31m\\x07\\x7f"));
  CHECK(shown_is("\xc2\x9b"
                 "31m\xc2\x85",
                 0, "\\u009b31m\\u0085")); /* C1 */
  CHECK(shown_is("\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", 0,
                 "\\u202e\\u2066\\u061c")); /* direction */
  CHECK(shown_is("a\xc2\xa0"
                 "b\xe2\x80\xa8\xef\xbb\xbf",
                 0, "a\\u00a0b\\u2028\\ufeff"));
  CHECK(shown_is("\xf3\xa0\x80\x81", 0, "\\U000e0001")); /* tags */
  CHECK(shown_is("l\xe4uf\xff\xc0\x80\xed\xa0\x80", 0,
                 "l\\xe4uf\\xff\\xc0\\x80\\xed\\xa0\\x80"));
  CHECK(shown_is("cut \xe2\x80", 0, "cut \\xe2\\x80"));

  CHECK(utf8_is("", "") && utf8_is("n\xc3\xb6rd", "n\xc3\xb6rd"));
  CHECK(utf8_is("l\xe4uf", "l\xef\xbf\xbduf"));
  CHECK(utf8_is("\xc3", "\xef\xbf\xbd"));
  CHECK(utf8_is("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
  CHECK(cairn_base__utf8_equal("l\xe4uf", "l\xef\xbf\xbduf"));
  CHECK(cairn_base__utf8_equal("l\xe4uf", "l\xf6uf"));
  CHECK(!cairn_base__utf8_equal("l\xe4uf", "lauf"));
  CHECK(!cairn_base__utf8_equal("a", "ab") && cairn_base__utf8_equal("", ""));
}

int main(void) {
  test_shown();
  test_rng();
  test_stats();
  test_times();
  test_text();
  test_memory();
  test_diag();
  test_files();
  test_pipes_in();
  test_outputs();
  test_status();
  return fails ? 1 : 0;
}
