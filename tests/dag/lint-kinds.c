/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/lint-kinds.c - each kind of finding, with its place, its edge and
 * the repair; captured logs; and what happens when memory runs out.
 */
#include "base/mem-private.h"
#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>
#include <cairn/lint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(ok)                                                              \
  do {                                                                         \
    if (!(ok)) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok);                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static const char exchange_xml[] =
    "<program name=\"exchange\">\n"
    "<gpu name=\"a\"/><gpu name=\"b\" after=\"a\"/>\n"
    "<cpu name=\"recv\" posts=\"r\" from=\"s\"/>\n"
    "<cpu name=\"send\" after=\"a\" posts=\"s\"/>\n"
    "<cpu name=\"wait\" after=\"send recv\" waits=\"r s\"/>\n"
    "<gpu name=\"c\" after=\"wait\"/>\n"
    "</program>\n";

/* d and e share a buffer and have no edge; f reads what d writes. */
static const char buffers_xml[] =
    "<program name=\"buffers\">\n"
    "<gpu name=\"d\" writes=\"x\"/><gpu name=\"e\" reads=\"x\"/>\n"
    "<gpu name=\"f\" after=\"d\" reads=\"x\" writes=\"y\"/>\n"
    "</program>\n";

/* The wait can stand before the receive. */
static const char hang_xml[] =
    "<program name=\"hang\">\n"
    "<cpu name=\"send\" posts=\"s\"/>\n"
    "<cpu name=\"recv\" posts=\"r\" from=\"s\"/>\n"
    "<cpu name=\"done\" after=\"send\" waits=\"s\"/>\n"
    "<cpu name=\"got\" after=\"recv send\" "
    "waits=\"r\"/>\n"
    "</program>\n";

static cairn_dag_program *read_program(const char *xml) {
  cairn_dag_program *p;
  cairn_base_diag *diag;
  CHECK(cairn_base_diag_create(0, &diag) == CAIRN_OK);
  const cairn_status status =
      cairn_dag_program_read_memory(xml, strlen(xml), "test.xml", diag, &p);
  cairn_base_diag_print(diag, stderr);
  cairn_base_diag_free(diag);
  CHECK(status == CAIRN_OK);
  return p;
}

/* "kind position from>to; ..." of a report. */
static void digest(const cairn_dag_program *p, const cairn_lint_report *r,
                   cairn_base_text *text) {
  cairn_base__text_clear(text);
  cairn_base_text_add(text, "");
  for (size_t i = 0; i < r->count; i++) {
    const cairn_lint_finding *const f = &r->finding[i];
    CHECK(f->text && f->repair);
    cairn_base_text_addf(text, "%s%s", i ? "; " : "",
                         cairn_lint_finding_text(f->kind));
    if (f->position != CAIRN_DAG_NO_POSITION)
      cairn_base_text_addf(text, " %zu", f->position);
    if (f->from != CAIRN_DAG_NO_OP)
      cairn_base_text_addf(text, " %s>%s%s",
                           cairn_dag_program_op(p, f->from)->name,
                           f->next_iteration ? "next " : "",
                           cairn_dag_program_op(p, f->to)->name);
  }
  CHECK(!text->failed);
}

static void expect(const cairn_dag_program *p, unsigned flags,
                   const char *sequence, const char *wanted,
                   const char *repair) {
  cairn_dag_schedule s = {0};
  cairn_lint_numbers numbers = {0};
  cairn_lint_report *report;
  cairn_base_text text = {0};
  CHECK(cairn_lint_parse(p, sequence, NULL, &s, &numbers) == CAIRN_OK);
  CHECK(cairn_lint(p, s.items, s.count, flags, &numbers, &report) == CAIRN_OK);
  digest(p, report, &text);
  const char *const found = text.data ? text.data : "";
  if (strcmp(found, wanted) != 0) {
    fprintf(stderr, "%s:\n  found  %s\n  wanted %s\n", sequence, found, wanted);
    exit(1);
  }
  if (repair && !strstr(report->finding[0].repair, repair)) {
    fprintf(stderr, "%s:\n  repair %s\n  wanted %s\n", sequence,
            report->finding[0].repair, repair);
    exit(1);
  }
  cairn_base_text_free(&text);
  cairn_lint_report_free(report);
  cairn_dag_schedule_free(&s);
  cairn_base_free(numbers.event);
}

static void check_exchange(void) {
  cairn_dag_program *const p = read_program(exchange_xml);
  const char *clean = "start a@0 CER@0#0 b@0 recv CES#0 send wait c@0 CER@0#1 "
                      "CES#1 end";
  expect(p, 0, clean, "", NULL);
  /* a race: no record at all; a record; a wait that comes too late */
  expect(p, 0, "start a@0 b@1 recv CDS send wait c@1 CSS@1 CSS@0 end",
         "race 2 a>b; needless-device-sync 4 a>send; redundant-host-sync 9",
         "record an event on stream 0 after item 1 (a)");
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@0 CER@0#0 b@1 recv CSS@0 send wait c@1 CSS@1 end",
         "race 3 a>b", "let stream 1 wait for event #0 (item 2)");
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@0 CER@0#0 b@1 CSW@1#0 CES#0 recv send wait c@1 CSS@1 end",
         "race 3 a>b", "move item 4, the wait for event #0, before item 3");
  expect(p, 0, "start b@0 a@0 CER@0#0 CES#0 recv send wait c@0 CSS@0 end",
         "order 1 a>b", "issue a before item 1");
  /* void waits */
  expect(p, 0, "start a@0 CSW@1#7 b@0 recv CSS@0 send wait c@0 CSS@0 end",
         "unrecorded-wait 2", "record event #7 before item 2");
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@0 CSW@1#0 b@1 CER@0#0 recv CSS@0 send wait c@1 CSS@1 end",
         "unrecorded-wait 2; race 3 a>b", "move the record, item 4");
  /* ops */
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@0 recv CSS@0 send wait c@0 a@0 CSS@0 end",
         "repeated-op 7 a>a; missing-op b>b", "remove item 7");
  /* hangs */
  expect(p, 0, "start a@0 CER@0#0 b@0 CES#0 send wait recv c@0 CSS@0 end",
         "deadlock 6 recv>wait", "issue recv before item 6");
  /* needless */
  expect(p, 0,
         "start a@0 CER@0#0 b@0 recv CES#0 CER@0#3 send wait c@0 CSS@0 end",
         "redundant-record 6", "remove item 6");
  expect(p, 0,
         "start a@0 CER@0#0 recv CES#0 CSW@1#0 b@1 send wait c@1 CSS@1 end",
         "redundant-stream-wait 5 a>b", "remove item 5");
  expect(p, 0, "start a@0 b@0 recv CSS@0 CSS@0 send wait c@0 CSS@0 end",
         "redundant-host-sync 5 a>send", "remove item 5");
  expect(p, 0, "start a@0 b@0 recv CDS send wait c@0 CDS end",
         "needless-device-sync 4 a>send", "after item 1 (a) and let the host");
  expect(p, 0, "start a@0 b@0 CDS recv CSS@0 send wait c@0 CDS end",
         "needless-device-sync 3 a>send", "remove item 3");
  cairn_dag_program_free(p);
}

/* Streams and events are named as the text does, whatever our numbers are. */
static void check_names(void) {
  cairn_dag_program *const p = read_program(exchange_xml);
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@7 b@70000 recv CDS send wait c@70000 CDS end", "race 2 a>b",
         "record an event on stream 7 after item 1 (a): CER@7, and let stream "
         "70000 wait for it before item 2 (b): CSW@70000");
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@5 CER@5#99 b@4 CSS@5 recv send wait c@4 CSS@4 end",
         "race 3 a>b",
         "let stream 4 wait for event #99 (item 2) before item 3 (b): CSW@4");
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start a@5 CER@5#99 b@4 CSW@4#99 CES#99 recv send wait c@4 CSS@4 end",
         "race 3 a>b", "move item 4, the wait for event #99, before item 3");
  /* recorded again: another event for us, the same name for the user */
  expect(p, CAIRN_LINT_WRONG_ONLY,
         "start CER@3#8 a@3 CER@3#8 b@9 recv CES#8 send wait c@9 CSS@9 end",
         "race 4 a>b", "move item 6, the wait for event #8, before item 4");
  expect(p, 0, "start a@6 b@6 recv CDS send wait c@6 CDS end",
         "needless-device-sync 4 a>send", "record an event on stream 6 after");
  static const char every[] = "a@5 CER@5#9 CSW@8#9 CES#9 CER@5#9 CSS@8 CDS";
  cairn_dag_schedule s = {0};
  cairn_lint_numbers numbers = {0};
  cairn_base_text text = {0};
  for (int again = 0; again < 2; again++)
    CHECK(cairn_lint_parse(p, every, NULL, &s, &numbers) == CAIRN_OK);
  for (size_t i = 0; i < s.count; i++) {
    cairn_base_text_add(&text, i ? " " : "");
    cairn_lint_item(p, s.items[i], &numbers, &text);
  }
  CHECK(strcmp(text.data, every) == 0);
  cairn_base_text_free(&text);
  cairn_base_free(numbers.event);
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(p);
}

static void check_buffers(void) {
  cairn_dag_program *const p = read_program(buffers_xml);
  cairn_lint_report *report;
  cairn_base_text text = {0};
  expect(p, 0, "start d@0 e@1 f@0 CDS end", "data-race 2 d>e", NULL);
  expect(p, 0, "start d@0 e@0 f@0 CSS@0 end", "forgotten-edge d>e", NULL);
  /* host sync that a stream could wait for */
  expect(p, 0, "start d@0 e@0 CER@0#0 CES#0 f@1 CDS end",
         "replaceable-host-sync 4 d>f; forgotten-edge d>e",
         "let stream 1 wait for event #0 (CSW)");
  /* iterations that overlap: e of one meets d of the next */
  expect(p, CAIRN_LINT_OPEN, "d@0 e@0 f@0", "forgotten-edge d>e", NULL);
  expect(p, CAIRN_LINT_OPEN | CAIRN_LINT_WRONG_ONLY,
         "d@0 CER@0#0 CSW@1#0 e@1 f@0", "iteration-race 0 e>next d", NULL);
  /* the wait for the former iteration's event repairs it */
  expect(p, CAIRN_LINT_OPEN | CAIRN_LINT_WRONG_ONLY,
         "CSW@0#1 d@0 CER@0#0 CSW@1#0 e@1 CER@1#1 f@0", "", NULL);
  CHECK(cairn_lint_program(p, &report) == CAIRN_OK);
  digest(p, report, &text);
  CHECK(strcmp(text.data, "forgotten-edge d>e") == 0);
  cairn_lint_report_free(report);
  cairn_base_text_free(&text);
  cairn_dag_program_free(p);
}

static void check_hang(void) {
  cairn_dag_program *const p = read_program(hang_xml);
  cairn_dag_prover *prover;
  cairn_dag_deadlock *list;
  cairn_dag_schedule shown = {0};
  cairn_base_diag *diag;
  size_t count;
  CHECK(cairn_dag__prover_create(p, &prover) == CAIRN_OK);
  CHECK(cairn_dag_program_deadlocks(p, &list, &count) == CAIRN_OK);
  CHECK(count == 1 && !list[0].own && strcmp(list[0].message, "s") == 0);
  CHECK(list[0].wait == cairn_dag__program_find(p, "done"));
  CHECK(list[0].post == cairn_dag__program_find(p, "recv"));
  CHECK(cairn_dag_deadlock_show(p, &list[0], &shown) == CAIRN_OK);
  CHECK(cairn_dag__prover_legal(prover, shown.items, shown.count));
  CHECK(cairn_dag__prover_hangs(prover, shown.items, shown.count));
  CHECK(cairn_base_diag_create(0, &diag) == CAIRN_OK);
  CHECK(cairn_dag_program_deadlock_free(p, diag) == CAIRN_INPUT);
  CHECK(cairn_base_diag_errors(diag) == 1);
  CHECK(cairn_base_diag_get(diag, 0)->line == 4);
  CHECK(strstr(cairn_base_diag_get(diag, 0)->text,
               "add recv to the 'after' of done"));
  cairn_base_diag_free(diag);
  cairn_dag_schedule_free(&shown);
  cairn_base_free(list);
  cairn_dag__prover_free(prover);
  cairn_dag_program_free(p);
}

/* ---- logs ---- */

static void expect_log(const cairn_dag_program *p, const char *log,
                       const char *sequence, int open, size_t iterations) {
  cairn_lint_capture *capture;
  cairn_base_text text = {0};
  CHECK(cairn_lint_capture_is(log));
  CHECK(cairn_lint_capture_read(p, "test.log", log, NULL, 0,
                                CAIRN_LINT_CAPTURE_NO_ITERATION, NULL,
                                &capture) == CAIRN_OK);
  for (size_t i = 0; i < capture->count; i++) {
    if (i)
      cairn_base_text_add(&text, " ");
    cairn_lint_item(p, capture->items[i], NULL, &text);
  }
  if (strcmp(text.data, sequence) != 0 || capture->open != open ||
      capture->iterations != iterations) {
    fprintf(stderr, "%s\n  found  %s (open %d, iterations %zu)\n  wanted %s\n",
            log, text.data, capture->open, capture->iterations, sequence);
    exit(1);
  }
  cairn_base_text_free(&text);
  cairn_lint_capture_free(capture);
}

#define HEAD "cairn-capture 1 rank 0 of 1 cudart shared \n"

static void check_logs(void) {
  cairn_dag_program *p = read_program(buffers_xml);
  expect_log(p,
             HEAD "stream 1 nonblocking\nlaunch 1 d\nlaunch 1 _Z1ePd\n"
                  "launch 1 f\nstreamsync 1\nlaunch 1 d\nlaunch 1 e\n",
             "start d@0 e@0 f@0 CSS@0 end", 0, 2);
  /* no join: open; events of the former iteration */
  expect_log(p,
             HEAD "mark\nstreamwait 1 9\nlaunch 1 d\nlaunch 2 e\nrecord 9 2\n"
                  "launch 1 f\nmark\nlaunch 1 d\n",
             "CSW@0#3 d@0 e@1 CER@1#3 f@0", 1, 2);
  /* the legacy default stream orders the blocking ones */
  expect_log(p,
             HEAD "stream 1 blocking\nlaunch 1 d\nlaunch 0 e\nlaunch 1 f\n"
                  "devicesync\n",
             "start (stream 0 follows stream 1) d@0 (stream 1 follows stream "
             "0) e@1 (stream 0 follows stream 1) f@0 CDS end",
             0, 1);
  cairn_dag_program_free(p);
  p = read_program(exchange_xml);
  expect_log(p,
             HEAD "launch 1 a\nlaunch 1 b\nrecv MPI_Irecv 1\nrecv MPI_Irecv 2\n"
                  "streamsync 1\nsend MPI_Isend 3\nwait MPI_Waitall 2 1 3\n"
                  "launch 1 c\nstreamsync 1\n",
             "start a@0 b@0 recv CSS@0 send wait c@0 CSS@0 end", 0, 1);
  cairn_lint_capture *capture;
  CHECK(cairn_lint_capture_read(p, "x", HEAD "what is this\n", NULL, 0, 0, NULL,
                                &capture) == CAIRN_INPUT);
  CHECK(cairn_lint_capture_read(p, "x", HEAD "launch x a\n", NULL, 0, 0, NULL,
                                &capture) == CAIRN_INPUT);
  CHECK(cairn_lint_capture_read(p, "x", HEAD, NULL, 0, 0, NULL, &capture) ==
        CAIRN_INPUT);
  CHECK(cairn_lint_capture_read(p, "x", HEAD "mpi a\n", NULL, 0, 0, NULL,
                                &capture) == CAIRN_INPUT);
  cairn_dag_program_free(p);
}

static void check_parse(void) {
  cairn_dag_program *const p = read_program(exchange_xml);
  static const char *const bad[] = {"start nope", "a",           "a@x",
                                    "CER@0",      "CES",         "CSW#1",
                                    "recv@0",     "CER@0#70000x"};
  cairn_dag_schedule s = {0}, plain = {0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(cairn_lint_parse(p, bad[i], NULL, &s, NULL) == CAIRN_INPUT);
  CHECK(cairn_lint_parse(p, "a@5 b@5 recv CDS send wait c@7 CSS@7", NULL, &s,
                         NULL) == CAIRN_OK);
  CHECK(cairn_lint_plain(p, s.items, s.count, NULL, &plain) == CAIRN_OK);
  cairn_base_text text = {0};
  plain.count = cairn_dag__schedule_tidy(plain.items, plain.count);
  CHECK(cairn_dag_schedule_format(p, plain.items, plain.count, &text) ==
        CAIRN_OK);
  cairn_dag_prover *prover;
  CHECK(cairn_dag__prover_create(p, &prover) == CAIRN_OK);
  CHECK(cairn_dag__prover_legal(prover, plain.items, plain.count));
  CHECK(strncmp(text.data, "start a@0 b@0 recv CER", 22) == 0);
  cairn_dag__prover_free(prover);
  cairn_base_text_free(&text);
  cairn_dag_schedule_free(&s);
  cairn_dag_schedule_free(&plain);
  cairn_dag_program_free(p);
}

/* ---- memory ---- */

static cairn_status all_of(const cairn_dag_program *p,
                           const cairn_dag_item *items, size_t count) {
  cairn_lint_report *report;
  static const char *const map = "othre=a";
  cairn_lint_capture *capture;
  cairn_dag_deadlock *list;
  cairn_dag_schedule s = {0};
  size_t deadlocks;
  cairn_status status = cairn_lint(p, items, count, 0, NULL, &report);
  if (status == CAIRN_OK)
    cairn_lint_report_free(report);
  if (status == CAIRN_OK)
    status = cairn_lint_parse(p, "a@0 CER@0#1 CES#1", NULL, &s, NULL);
  cairn_dag_schedule_free(&s);
  if (status == CAIRN_OK)
    status = cairn_lint_plain(p, items, count, NULL, &s);
  cairn_dag_schedule_free(&s);
  if (status == CAIRN_OK)
    status = cairn_dag_program_deadlocks(p, &list, &deadlocks);
  if (status == CAIRN_OK)
    cairn_base_free(list);
  if (status != CAIRN_OK)
    return status;
  status = cairn_lint_capture_read(
      p, "x",
      HEAD "launch 1 a\nrecord 1 1\nrecv MPI_Irecv 1\nhostwait 1\n"
           "send MPI_Isend 2\nwait MPI_Wait 1\nmpi other\nstreamsync 1\n",
      &map, 1, 0, NULL, &capture);
  if (status != CAIRN_OK)
    return status;
  CHECK(!capture->mapped[0].used && capture->mapped[0].nearest);
  CHECK(strcmp(capture->mapped[0].nearest, "other") == 0);
  cairn_lint_capture_free(capture);
  return status;
}

static void check_memory(void) {
  cairn_dag_program *const p = read_program(exchange_xml);
  cairn_dag_schedule s = {0};
  CHECK(cairn_lint_parse(p,
                         "start a@0 b@1 CSW@1#3 CER@0#4 recv CDS CSS@1 "
                         "send wait c@1 CSS@1 CSS@0 end",
                         NULL, &s, NULL) == CAIRN_OK);
  size_t n = 1;
  for (int forever = 0; forever < 2; forever++)
    for (n = 1;; n++) {
      cairn_base__mem_fail(n, forever);
      const cairn_status status = all_of(p, s.items, s.count);
      const size_t asked = cairn_base__mem_count();
      cairn_base__mem_fail(0, 0);
      if (asked < n) {
        CHECK(status == CAIRN_OK);
        break;
      }
      CHECK(status == CAIRN_NOMEM);
    }
  printf("%zu allocations failed, each in turn\n", n - 1);
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(p);
}

int main(void) {
  check_exchange();
  check_names();
  check_buffers();
  check_hang();
  check_logs();
  check_parse();
  check_memory();
  CHECK(strcmp(cairn_lint_finding_text((cairn_lint_finding_kind)99),
               "unknown") == 0);
  return 0;
}
