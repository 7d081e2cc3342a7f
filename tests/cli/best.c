/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/cli/best.c - which schedule RUN:best means: a finalist of explore
 * before one that was only measured again, that before one measured once,
 * whatever the times are; among equals the fastest; a pruned one when it was
 * measured again, never a failed one.  $CAIRN writes it as C, whose head says
 * the schedule.
 */
#include "journal/journal-private.h"
#include "tests/dag/journal-tools.h"
#include <cairn/journal.h>

enum { SCHEDULES = 6 };

static const char *const schedule[SCHEDULES] = {
    "start Left@0 Right@0 CER-after-Right@0#0 CES-b4-Sum#0 Sum end",
    "start Right@0 Left@0 CER-after-Left@0#0 CES-b4-Sum#0 Sum end",
    "start Left@0 Right@1 CER-after-Left@0#0 CER-after-Right@1#1 CES-b4-Sum#0 "
    "CES-b4-Sum#1 Sum end",
    "start Left@0 CER-after-Left@0#0 Right@1 CER-after-Right@1#1 CES-b4-Sum#0 "
    "CES-b4-Sum#1 Sum end",
    "start Right@0 CER-after-Right@0#0 Left@1 CER-after-Left@1#1 CES-b4-Sum#0 "
    "CES-b4-Sum#1 Sum end",
    "start Right@0 Left@1 CER-after-Right@0#0 CER-after-Left@1#1 CES-b4-Sum#0 "
    "CES-b4-Sum#1 Sum end"};

/* What is known of a schedule: 'o'k, 'p'runed or 'f'ailed; its time; then
 * nothing, 'r' measured again or 'f'inalist, and the time of that. */
typedef struct known {
  char status;
  double first;
  char again;
  double second;
} known;

static cairn_journal_result result_of(int id, double time_s) {
  cairn_journal_result r = tools_result((uint64_t)id, schedule[id]);
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    r.times.p[i] = time_s;
  return r;
}

static void write_journal(const known *k, int count) {
  const cairn_journal_header header = tools_header();
  cairn_journal *journal = NULL;
  if (cairn_journal__open("run.jsonl", CAIRN_JOURNAL_NEW, &header, NULL,
                          &journal) != CAIRN_OK)
    exit(99);
  for (int i = 0; i < count; i++) {
    cairn_journal_result r = result_of(i, k[i].first);
    r.outcome = k[i].status == 'p'   ? CAIRN_BASE_OUTCOME_PRUNED
                : k[i].status == 'f' ? CAIRN_BASE_OUTCOME_FAILED
                                     : CAIRN_BASE_OUTCOME_OK;
    CHECK(cairn_journal__append_result(journal, &r, NULL) == CAIRN_OK, "%d", i);
  }
  for (int i = 0; i < count; i++) {
    cairn_journal_result r = result_of(i, k[i].second);
    r.corrected = 1;
    r.finalist = k[i].again == 'f';
    if (k[i].again != 0)
      CHECK(cairn_journal__append_refined(journal, &r, 1, NULL) == CAIRN_OK,
            "%d", i);
  }
  cairn_journal__close(journal);
}

/* The position of the schedule that cairn takes, -1 if none. */
static int taken(void) {
  char command[4096], line[512];
  int found = -1;
  snprintf(command, sizeof command,
           "%s run %s/examples/hello/hello.xml --schedule run.jsonl:best "
           "--emit c 2>err",
           getenv("CAIRN"), getenv("top_srcdir"));
  FILE *out = popen(command, "r");
  while (out && fgets(line, sizeof line, out))
    for (int i = 0; i < SCHEDULES; i++)
      if (strncmp(line, " *   ", 5) == 0 &&
          strncmp(line + 5, schedule[i], strcspn(line + 5, "\n")) == 0)
        found = i;
  if (out)
    pclose(out);
  unlink("err");
  return found;
}

static void expect(int best, const known *k, int count) {
  write_journal(k, count);
  const int found = taken();
  CHECK(found == best, "took %d, expected %d", found, best);
  unlink("run.jsonl");
}
#define EXPECT(best, ...)                                                      \
  expect(best, (const known[]){__VA_ARGS__},                                   \
         sizeof(const known[]){__VA_ARGS__} / sizeof(known))

int main(void) {
  char folder[64];
  if (!getenv("CAIRN") || !getenv("top_srcdir"))
    return 99;
  char source[2048], cairn[2048];
  if (realpath(getenv("top_srcdir"), cairn) == NULL)
    return 99;
  snprintf(source, sizeof source, "%s", cairn);
  setenv("top_srcdir", source, 1);
  if (realpath(getenv("CAIRN"), cairn) != NULL)
    setenv("CAIRN", cairn, 1);
  tools_enter(folder);
  EXPECT(1, {'o', 3, 0, 0}, {'o', 2, 0, 0}, {'o', 4, 0, 0});
  EXPECT(0, {'o', 3, 0, 0}, {'f', 2, 0, 0}, {'p', 1, 0, 0});
  EXPECT(2, {'o', 3, 0, 0}, {'o', 1, 0, 0}, {'o', 4, 'r', 5});
  EXPECT(3, {'o', 3, 'f', 7}, {'o', 1, 0, 0}, {'o', 4, 'r', 5},
         {'o', 9, 'f', 6});
  EXPECT(1, {'o', 3, 'f', 7}, {'p', 1, 'f', 6.5}, {'f', 1, 0, 0});
  EXPECT(-1, {'f', 3, 0, 0}, {'p', 1, 0, 0});
  tools_leave(folder);
  return tools_fails > 0;
}
