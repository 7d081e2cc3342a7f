/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-import.c - cairn import: a foreign table of measured schedules
 * becomes a journal.
 */
#include "cli/cli.h"
#include <cairn/journal.h>

typedef struct import_options {
  const char *table, *journal;
  const char **rename; /* OLD=NEW */
  size_t renames, capacity;
} import_options;

enum { KEY_RENAME = CAIRN_CLI_KEY };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The journal to write; it must not exist yet",
     0},
    {"rename", KEY_RENAME, "OLD=NEW", 0,
     "Rename an operation, also inside the names of syncs; may be repeated", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  import_options *const in = state->input;
  switch (key) {
  case 'o':
    in->journal = arg;
    return 0;
  case KEY_RENAME:
    if (cairn_base_reserve(&in->rename, &in->capacity, in->renames + 1,
                           sizeof *in->rename) != CAIRN_OK)
      return ENOMEM;
    in->rename[in->renames++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (in->table)
      argp_error(state, "one TABLE only, found also '%s'", arg);
    in->table = arg;
    return 0;
  case ARGP_KEY_END:
    if (!in->table)
      argp_error(state, "TABLE is missing");
    if (!in->journal)
      argp_error(state, "-o FILE is missing: the journal to write");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static cairn_status print(const import_options *in,
                          const cairn_cli_common *common, size_t rows) {
  if (common->json)
    return cairn_cli_print_json(
        json_pack("{s:i, s:I, s:o, s:o}", "schema", 1, "schedules",
                  (json_int_t)rows, "table", cairn_cli_json_text(in->table),
                  "journal", cairn_cli_json_text(in->journal)));
  cairn_cli_print("%zu schedule%s from ", rows, rows == 1 ? "" : "s");
  cairn_cli_print_shown("", in->table, " written to ");
  cairn_cli_print_shown("", in->journal, "\n");
  return CAIRN_OK;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  import_options in = {0};
  cairn_cli_common common = {0};
  const cairn_cli_parser parser = {
      .options = options,
      .parse = parse,
      .doc =
          "Each row of TABLE is index|p01|p10|p50|p90|p99|stddev|op|op|..., "
          "times in seconds, each op a JSON object with \"name\" and, where "
          "it has them, \"stream\", \"event\" and \"kind\".  The older form "
          "with commas and ops as text, NAME(STREAM), is read too.  TABLE "
          "may be compressed (.gz, .xz).  Names of syncs are kept as recorded.",
      .input = &in,
      .common = &common};
  cairn_base_diag *diag = NULL;
  size_t rows = 0;
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK)
    status =
        cairn_journal_table_import(in.table, in.journal, in.rename, in.renames,
                                   PACKAGE_VERSION, diag, &rows);
  status = cairn_cli_say(diag, status);
  if (status == CAIRN_OK)
    status = print(&in, &common, rows);
  cairn_base_diag_free(diag);
  cairn_base_free(in.rename);
  return status;
}

const cairn_cli_command cairn_cli_import = {
    "import", "TABLE -o FILE", "Read a foreign table of measured schedules",
    run};
