/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-lint.c - cairn lint: what is wrong with a schedule, and what is
 * needless in it.
 */
#include <string.h>

#include "cli/lint.h"
#include <cairn/lint.h>

typedef struct lint {
  const char *program_path;
  const char **schedule; /* the first is linted, the others compared */
  size_t schedules, schedules_room;
  const char **map;
  size_t maps, maps_room;
  cairn_lint_mapped *mapped; /* by --map, over all logs */
  size_t iteration;
  const char *among; /* a journal to place the order in, or NULL */
  int wrong_only;
  cairn_cli_common common;
  cairn_cli_program program_options;
  /* while running */
  cairn_base_diag *diag;
  cairn_dag_program *program;
  cairn_dag_schedule sequence;
  cairn_lint_numbers numbers;  /* of the text; of a log: none */
  cairn_lint_capture *capture; /* NULL: not from a log */
  cairn_lint_report *report;
  int placed;
  cairn_classify_place place;
} lint;

enum {
  KEY_SCHEDULE = CAIRN_CLI_KEY,
  KEY_MAP,
  KEY_ITERATION,
  KEY_AMONG,
  KEY_WRONG
};

static const struct argp_option options[] = {
    {"schedule", KEY_SCHEDULE, "WHAT", 0,
     "JOURNAL:ID, JOURNAL:best, a file with the text of a schedule, or a log "
     "of libcairn-capture; again for the logs of other ranks",
     0},
    {"map", KEY_MAP, "NAME=OP", 0,
     "In a log, calls of kernel or function NAME are operation OP; NAME#K: "
     "the K-th such call of an iteration; may be repeated",
     0},
    {"iteration", KEY_ITERATION, "N", 0,
     "In a log, the iteration to check, from 0 (one in the middle)", 0},
    {"among", KEY_AMONG, "RUN.jsonl", 0,
     "Say where the order stands among the schedules measured in this journal",
     0},
    {"wrong-only", KEY_WRONG, NULL, 0,
     "Report what is wrong, not what is needless", 0},
    {0}};

static error_t append(const char ***list, size_t *count, size_t *room,
                      const char *arg) {
  if (cairn_base_reserve(list, room, *count + 1, sizeof **list) != CAIRN_OK)
    return ENOMEM;
  (*list)[(*count)++] = arg;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  lint *const in = state->input;
  switch (key) {
  case KEY_SCHEDULE:
    return append(&in->schedule, &in->schedules, &in->schedules_room, arg);
  case KEY_MAP:
    return append(&in->map, &in->maps, &in->maps_room, arg);
  case KEY_ITERATION:
    in->iteration =
        (size_t)cairn_cli_integer(state, "--iteration", arg, 0, 1000000000);
    return 0;
  case KEY_AMONG:
    in->among = arg;
    return 0;
  case KEY_WRONG:
    in->wrong_only = 1;
    return 0;
  case ARGP_KEY_ARG:
    if (in->program_path)
      argp_error(state, "one PROGRAM.xml only, found also '%s'", arg);
    in->program_path = arg;
    return 0;
  case ARGP_KEY_END:
    if (!in->program_path)
      argp_error(state, "PROGRAM.xml is missing");
    if (!in->schedules)
      argp_error(state, "--schedule is missing");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- reading ---- */

/* A kernel may run on some ranks only, so one log that uses a map will do. */
static void join_mapped(lint *in, cairn_lint_capture *capture) {
  for (size_t i = 0; i < in->maps; i++) {
    cairn_lint_mapped *const all = &in->mapped[i];
    cairn_lint_mapped *const one = &capture->mapped[i];
    all->used |= one->used;
    if (one->calls > all->calls)
      all->calls = one->calls;
    if (!all->nearest) {
      all->nearest = one->nearest;
      one->nearest = NULL;
    }
  }
}

/* The maps that no log used. */
static cairn_status judge_maps(lint *in) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < in->maps; i++) {
    const cairn_lint_mapped *const m = &in->mapped[i];
    const int name = (int)strcspn(in->map[i], "#=");
    if (m->used)
      continue;
    status = CAIRN_USAGE;
    if (!in->capture)
      cairn_base_diag_error(in->diag,
                            "--map \"%s\": %s is no log of libcairn-capture",
                            in->map[i], in->schedule[0]);
    else if (m->calls)
      cairn_base_diag_error(in->diag,
                            "--map \"%s\": no iteration has so many calls of "
                            "%.*s (%lu at most)",
                            in->map[i], name, in->map[i], m->calls);
    else
      cairn_base_diag_error(
          in->diag,
          "--map \"%s\": no call of the log%s is named \"%.*s\"%s%s%s",
          in->map[i], in->schedules > 1 ? "s" : "", name, in->map[i],
          m->nearest ? "; did you mean \"" : "", m->nearest ? m->nearest : "",
          m->nearest ? "\"?" : "");
  }
  return status;
}

static cairn_status read_capture(lint *in, const char *path, const char *text,
                                 cairn_lint_capture **capture_p) {
  const cairn_status status =
      cairn_lint_capture_read(in->program, path, text, in->map, in->maps,
                              in->iteration, in->diag, capture_p);
  if (status == CAIRN_OK)
    join_mapped(in, *capture_p);
  if (status == CAIRN_OK && (*capture_p)->different)
    cairn_base_diag_add(in->diag, CAIRN_BASE_NOTE, path, 0,
                        "of %zu iterations %zu issue other items than "
                        "iteration %zu, the one checked",
                        (*capture_p)->iterations, (*capture_p)->different,
                        (*capture_p)->iteration);
  return status;
}

static cairn_status read_sequence(lint *in) {
  char *text;
  cairn_status status =
      cairn_cli_schedule_text(in->schedule[0], in->diag, &text);
  if (status != CAIRN_OK)
    return status;
  if (cairn_lint_capture_is(text)) {
    status = read_capture(in, in->schedule[0], text, &in->capture);
    if (status == CAIRN_OK)
      status = cairn_dag_schedule_set(&in->sequence, in->capture->items,
                                      in->capture->count);
  } else {
    status = cairn_cli_one_line(in->schedule[0], text, in->diag);
    if (status == CAIRN_OK)
      status = cairn_lint_parse(in->program, text, in->diag, &in->sequence,
                                &in->numbers);
  }
  cairn_base_free(text);
  return status;
}

/* ---- other ranks ---- */

static int has_messages(const lint *in, cairn_dag_item item) {
  if (item.kind != CAIRN_DAG_ITEM_CPU)
    return 0;
  const cairn_dag_op *const op = cairn_dag_program_op(in->program, item.id);
  return op->posts.count + op->waits.count > 0;
}

/* The next item from *at on that posts or waits, or SIZE_MAX. */
static size_t next_message(const lint *in, const cairn_dag_item *items,
                           size_t count, size_t at) {
  while (at < count && !has_messages(in, items[at]))
    at++;
  return at < count ? at : SIZE_MAX;
}

static cairn_status add_difference(lint *in, size_t position, unsigned here,
                                   unsigned there, unsigned rank) {
  cairn_lint_report *const r = in->report;
  cairn_base_text text = {0}, repair = {0};
  const char *const mine = cairn_dag_program_op(in->program, here)->name;
  const char *const other = cairn_dag_program_op(in->program, there)->name;
  cairn_base_text_addf(&text,
                       "%s stands here, but rank %u issues %s: ranks that "
                       "post and wait in different orders can hang",
                       mine, rank, other);
  cairn_base_text_addf(&repair, "issue messages in one order on all ranks");
  if (text.failed || repair.failed ||
      cairn_base_reserve(&r->finding, &r->capacity, r->count + 1,
                         sizeof *r->finding) != CAIRN_OK) {
    cairn_base_text_free(&text);
    cairn_base_text_free(&repair);
    return CAIRN_NOMEM;
  }
  r->finding[r->count++] = (cairn_lint_finding){CAIRN_LINT_FINDING_RANKS_DIFFER,
                                                position,
                                                here,
                                                there,
                                                0,
                                                text.data,
                                                repair.data};
  r->legal = 0;
  return CAIRN_OK;
}

static cairn_status compare(lint *in, const cairn_lint_capture *other) {
  const cairn_dag_item *const items = in->sequence.items;
  const unsigned end = cairn_dag_program_ops(in->program) - 1;
  size_t i = 0, k = 0;
  for (;; i++, k++) {
    i = next_message(in, items, in->sequence.count, i);
    k = next_message(in, other->items, other->count, k);
    if (i == SIZE_MAX && k == SIZE_MAX)
      return CAIRN_OK;
    const unsigned here = i == SIZE_MAX ? end : items[i].id;
    const unsigned there = k == SIZE_MAX ? end : other->items[k].id;
    if (here != there)
      return add_difference(in, i, here, there, other->rank);
  }
}

static cairn_status compare_ranks(lint *in) {
  cairn_status status = CAIRN_OK;
  for (size_t s = 1; status == CAIRN_OK && s < in->schedules; s++) {
    cairn_lint_capture *other;
    char *text;
    status = cairn_cli_schedule_text(in->schedule[s], in->diag, &text);
    if (status != CAIRN_OK)
      return status;
    if (!in->capture || !cairn_lint_capture_is(text)) {
      cairn_base_diag_error(in->diag,
                            "several --schedule: logs of libcairn-capture "
                            "only");
      status = CAIRN_USAGE;
    } else {
      status = read_capture(in, in->schedule[s], text, &other);
      if (status == CAIRN_OK) {
        status = compare(in, other);
        cairn_lint_capture_free(other);
      }
    }
    cairn_base_free(text);
  }
  return status;
}

/* ---- output ---- */

static const char *op_name(const lint *in, unsigned op) {
  return cairn_dag_program_op(in->program, op)->name;
}

static size_t line_of(const lint *in, size_t position) {
  return in->capture && position < in->capture->count
             ? in->capture->line[position]
             : 0;
}

/* The linted sequence as a plain schedule's text, for classify and run; NULL
 * when an op is missing. */
static char *plain_text(const lint *in) {
  cairn_dag_schedule plain = {0};
  cairn_base_text text = {0};
  if (cairn_lint_plain(in->program, in->sequence.items, in->sequence.count,
                       NULL, &plain) == CAIRN_OK) {
    plain.count = cairn_dag_schedule_tidy_relays(plain.items, plain.count);
    if (cairn_dag_schedule_format(in->program, plain.items, plain.count,
                                  &text) != CAIRN_OK ||
        text.failed)
      cairn_base_text_free(&text);
  }
  cairn_dag_schedule_free(&plain);
  return text.data;
}

static int is_wrong(const lint *in) {
  for (size_t i = 0; i < in->report->count; i++)
    if (cairn_lint_finding_wrong(in->report->finding[i].kind))
      return 1;
  return 0;
}

/* Are the measured schedules those of this program? */
static cairn_status check_among(const lint *in) {
  cairn_journal_run *run;
  cairn_status status = cairn_journal_run_read(
      in->among, CAIRN_JOURNAL_RUN_STRICT, in->diag, &run);
  if (status != CAIRN_OK)
    return status;
  status = cairn_cli_of_program(run, in->program, in->diag);
  cairn_journal_run_free(run);
  return status;
}

/* An order that is wrong has no place: its time means nothing. */
static cairn_status place(lint *in) {
  if (in->among == NULL)
    return CAIRN_OK;
  cairn_status status = check_among(in);
  if (status != CAIRN_OK)
    return status;
  char *const text = is_wrong(in) ? NULL : plain_text(in);
  if (text == NULL) {
    cairn_base_diag_add(in->diag, CAIRN_BASE_NOTE, in->among, 0,
                        "the order is not placed among these: it is wrong");
    return CAIRN_OK;
  }
  status = cairn_classify_place_among(in->among, text, in->diag, &in->place);
  in->placed = status == CAIRN_OK;
  cairn_base_free(text);
  return status;
}

static json_t *finding_json(const lint *in, const cairn_lint_finding *f) {
  const size_t line = line_of(in, f->position);
  json_t *const edge =
      f->from == CAIRN_DAG_NO_OP
          ? json_null()
          : json_pack("[s, s]", op_name(in, f->from), op_name(in, f->to));
  json_t *const position = f->position == CAIRN_DAG_NO_POSITION
                               ? json_null()
                               : json_integer((json_int_t)f->position);
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "kind",
                   cairn_lint_finding_text(f->kind), "position", position,
                   "edge", edge, "repair", cairn_cli_json_text(f->repair),
                   "text", cairn_cli_json_text(f->text), "wrong",
                   cairn_lint_finding_wrong(f->kind), "next_iteration",
                   f->next_iteration, "line",
                   line ? json_integer((json_int_t)line) : json_null());
}

static cairn_status print_json(const lint *in) {
  json_t *const list = json_array();
  for (size_t i = 0; i < in->report->count; i++)
    json_array_append_new(list, finding_json(in, &in->report->finding[i]));
  char *const text = plain_text(in);
  json_t *const object = json_pack(
      "{s:i, s:b, s:s, s:I, s:o, s:b, s:o, s:o*}", "schema", 1, "legal",
      in->report->legal, "program", cairn_dag_program_name(in->program),
      "items", (json_int_t)in->sequence.count, "findings", list, "joined",
      !(in->capture && in->capture->open), "schedule",
      cairn_cli_json_text(text), "place",
      in->placed ? lint_place_json(&in->place) : NULL);
  cairn_base_free(text);
  return cairn_cli_print_json(object);
}

static cairn_status print_finding(const lint *in, const cairn_lint_finding *f) {
  cairn_base_text at = {0};
  const size_t line = line_of(in, f->position);
  if (f->position == CAIRN_DAG_NO_POSITION) {
    cairn_base_text_add(&at, "program");
  } else {
    cairn_base_text_addf(&at, "item %zu, ", f->position);
    cairn_lint_item(in->program, in->sequence.items[f->position], &in->numbers,
                    &at);
  }
  if (line)
    cairn_base_text_addf(&at, " (line %zu)", line);
  if (at.failed) {
    cairn_base_text_free(&at);
    return CAIRN_NOMEM;
  }
  cairn_cli_print_shown("", at.data, "");
  cairn_cli_print(": %s: ", cairn_lint_finding_text(f->kind));
  cairn_base_text_free(&at);
  if (f->from != CAIRN_DAG_NO_OP && f->from != f->to)
    cairn_cli_print("%s -> %s: ", op_name(in, f->from), op_name(in, f->to));
  cairn_cli_print_shown("", f->text, "\n");
  cairn_cli_print_shown("    repair: ", f->repair, "\n");
  return CAIRN_OK;
}

static cairn_status print_text(const lint *in) {
  cairn_status status = CAIRN_OK;
  size_t wrong = 0;
  for (size_t i = 0; status == CAIRN_OK && i < in->report->count; i++) {
    status = print_finding(in, &in->report->finding[i]);
    wrong += (size_t)cairn_lint_finding_wrong(in->report->finding[i].kind);
  }
  if (in->capture && in->capture->open)
    cairn_cli_print(
        "iterations overlap: what must not is known from reads and writes "
        "only\n");
  if (in->report->count == 0)
    cairn_cli_print("clean: %zu items, every edge covered\n",
                    in->sequence.count);
  else
    cairn_cli_print("%zu finding%s: %zu wrong, %zu needless or doubtful\n",
                    in->report->count, in->report->count == 1 ? "" : "s", wrong,
                    in->report->count - wrong);
  if (in->placed)
    lint_place_print(&in->place);
  return status;
}

static cairn_status check(lint *in) {
  cairn_status status = cairn_cli_read_program(
      in->program_path, &in->program_options, in->diag, &in->program, NULL);
  if (status == CAIRN_OK &&
      !(in->mapped = cairn_base_zalloc(in->maps, sizeof *in->mapped)))
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = read_sequence(in);
  if (status == CAIRN_OK)
    status =
        cairn_lint(in->program, in->sequence.items, in->sequence.count,
                   (in->capture && in->capture->open ? CAIRN_LINT_OPEN : 0u) |
                       (in->wrong_only ? CAIRN_LINT_WRONG_ONLY : 0u),
                   &in->numbers, &in->report);
  if (status == CAIRN_OK)
    status = compare_ranks(in);
  if (status == CAIRN_OK)
    status = judge_maps(in);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = place(in);
  return cairn_cli_say(in->diag, status);
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  lint in = {.iteration = CAIRN_LINT_CAPTURE_NO_ITERATION};
  const cairn_cli_parser parser = {
      .options = options,
      .parse = parse,
      .doc = "Exit code 0: clean, 1: findings.  The findings, with a picture "
             "each, are in cairn-lint(7).",
      .input = &in,
      .common = &in.common,
      .program = &in.program_options};
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &in.diag);
  if (status == CAIRN_OK)
    status = check(&in);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = in.common.json ? print_json(&in) : print_text(&in);
  if (status == CAIRN_OK && in.report->count) {
    cairn_cli_told();
    status = CAIRN_FINDINGS;
  }
  cairn_lint_report_free(in.report);
  cairn_lint_capture_free(in.capture);
  cairn_dag_schedule_free(&in.sequence);
  cairn_base_free(in.numbers.event);
  cairn_dag_program_free(in.program);
  cairn_base_diag_free(in.diag);
  cairn_cli_program_free(&in.program_options);
  cairn_base_free(in.schedule);
  for (size_t i = 0; in.mapped && i < in.maps; i++)
    cairn_base_free(in.mapped[i].nearest);
  cairn_base_free(in.mapped);
  cairn_base_free(in.map);
  return status;
}

const cairn_cli_command cairn_cli_lint = {
    "lint", "PROGRAM.xml --schedule WHAT",
    "find missing and needless syncs and deadlocks of a schedule", run};
