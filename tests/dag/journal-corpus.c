/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/journal-corpus.c - journals and tables that must be refused, each
 * with the exact messages; a refused table leaves no journal.
 */
#include "tests/dag/corpus.h"
#include "tests/dag/journal-tools.h"
#include <cairn/journal.h>

/* The input, sealed; its last newline is there unless it ends with <NONL>. */
static void write_journal(const corpus_case *c) {
  static const char none[] = "<NONL>";
  const size_t mark = sizeof none - 1;
  const int cut =
      c->length >= mark && memcmp(c->input + c->length - mark, none, mark) == 0;
  cairn_base_text all = {0};
  cairn_base_text_add(&all, "");
  tools_seal_all(&all, c->input, c->length - (cut ? mark : 0));
  if (!cut)
    cairn_base_text_add(&all, "\n");
  tools_write("run.jsonl", all.data, all.length);
  cairn_base_text_free(&all);
}

static void run_journal(const corpus_case *c, cairn_base_text *found) {
  cairn_base_diag *const diag = tools_diag();
  cairn_journal_run *run = NULL, *salvaged = NULL;
  write_journal(c);
  const cairn_status status =
      cairn_journal_run_read("run.jsonl", CAIRN_JOURNAL_RUN_STRICT, diag, &run);
  corpus_messages(diag, found);
  if (status == CAIRN_OK)
    cairn_base_text_addf(found, "ok: %zu results\n", run->results);
  else if (status != CAIRN_INPUT)
    cairn_base_text_addf(found, "status %d\n", (int)status);
  cairn_base_diag_free(diag);
  cairn_journal_run_free(run);
  if (cairn_journal_run_read("run.jsonl", CAIRN_JOURNAL_RUN_SALVAGE, NULL,
                             &salvaged) == CAIRN_OK)
    CHECK(salvaged->results > 0, "%s: nothing salvaged", c->name);
  cairn_journal_run_free(salvaged);
  unlink("run.jsonl");
}

/* As run_journal, for "one-newline" and "empty", whose input has no line. */
static void run_journal_case(const corpus_case *c, cairn_base_text *found) {
  if (strcmp(c->name, "empty") == 0) {
    corpus_case bare = *c;
    char nothing[] = "<NONL>";
    bare.input = nothing;
    bare.length = sizeof nothing - 1;
    run_journal(&bare, found);
  } else {
    run_journal(c, found);
  }
}

static void run_table(const corpus_case *c, cairn_base_text *found) {
  cairn_base_diag *const diag = tools_diag();
  size_t rows = 0;
  tools_write("table", c->input, c->length);
  const cairn_status status = cairn_journal_table_import(
      "table", "out.jsonl", NULL, 0, "t", diag, &rows);
  corpus_messages(diag, found);
  if (status == CAIRN_OK)
    cairn_base_text_addf(found, "ok: %zu rows\n", rows);
  CHECK((access("out.jsonl", F_OK) == 0) == (status == CAIRN_OK),
        "%s: status %d", c->name, (int)status);
  unlink("out.jsonl");
  unlink("table");
  cairn_base_diag_free(diag);
}

int main(void) {
  char folder[64];
  tools_enter(folder);
  const int journals = corpus_check("journal-bad.txt", run_journal_case);
  const int tables = corpus_check("table-bad.txt", run_table);
  tools_leave(folder);
  return journals || tables || tools_fails;
}
