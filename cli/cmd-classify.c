/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-classify.c - cairn classify: classes, tree and rules of measured
 * schedules.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cairn/classify.h>
#include <cairn/journal.h>

#include "cli.h"

enum {
  KEY_LABELS = CAIRN_CLI_KEY,
  KEY_PEAKS,
  KEY_PERCENTILE,
  KEY_BANDWIDTH,
  KEY_RESAMPLES,
  KEY_TREE,
  KEY_LEAVES,
  KEY_DEPTH,
  KEY_CRITERION,
  KEY_UNBALANCED,
  KEY_MIN_DECREASE,
  KEY_FOLDS,
  KEY_SEED,
  KEY_OBJECTIVE,
  KEY_REPORT,
  KEY_EVALUATE,
  KEY_FIRST,
  KEY_ACROSS,
  KEY_SALVAGE
};

static const struct argp_option options[] = {
    {"labels", KEY_LABELS, "density|convolution|prominence", 0,
     "How classes are found (density)", 1},
    {"peaks-of", KEY_PEAKS, "convolution|prominence", 0,
     "Step convolution; a peak is kept when its prominence exceeds the "
     "percentile of the convolution's values, or of all prominences",
     1},
    {"percentile", KEY_PERCENTILE, "P", 0,
     "The percentile of --peaks-of, 0 to 100 (98)", 1},
    {"bandwidth", KEY_BANDWIDTH, "PERCENT", 0,
     "Width of the density's kernel in percent of the time (from the noise)",
     1},
    {"resamples", KEY_RESAMPLES, "N", 0,
     "Redraws that a boundary must survive; 0: no check (50)", 1},
    {"tree", KEY_TREE, "short|cart", 0,
     "Try several splits near the root for a short tree, or grow greedily "
     "(short; cart with --leaves or the step convolution)",
     2},
    {"leaves", KEY_LEAVES, "N", 0,
     "Leaves of the tree (until the error stops falling)", 2},
    {"depth", KEY_DEPTH, "N", 0, "Depth of the tree, at most", 2},
    {"criterion", KEY_CRITERION, "entropy|gini", 0,
     "Impurity that splits lower (entropy)", 2},
    {"unbalanced", KEY_UNBALANCED, 0, 0,
     "Schedules weigh the same, not classes", 2},
    {"min-decrease", KEY_MIN_DECREASE, "X", 0,
     "Least weighted decrease of impurity of a split (0.001)", 2},
    {"folds", KEY_FOLDS, "N", 0, "Folds of the cross-validation (10)", 3},
    {"evaluate", KEY_EVALUATE, "FULL.jsonl", 0,
     "Judge the rules on these schedules, which get classes of their own", 3},
    {"first", KEY_FIRST, "N", 0,
     "Learn from the first N measured schedules only; judged on all of them "
     "unless --evaluate names others",
     3},
    {"seed", KEY_SEED, "N", 0, "Seed of redraws and folds (1)", 3},
    {"objective", KEY_OBJECTIVE, "p01|p10|p50|p90|p99", 0,
     "Percentile over samples that is a schedule's time (the run's)", 4},
    {"report", KEY_REPORT, "DIR", 0,
     "Write report.html, .md, .json, tree.dot and schedules.tsv there", 4},
    {"across", KEY_ACROSS, 0, 0,
     "Journals with other parameters, ranks, devices, backend or objective: "
     "class each by itself and tell which rules hold in all",
     4},
    {"salvage", KEY_SALVAGE, 0, 0, "Skip damaged lines of a journal", 4},
    {0}};

typedef struct classify_options {
  cairn_cli_common common;
  cairn_classify_options how;
  const char **file;
  size_t files, capacity;
  const char *objective, *evaluate, *report;
  size_t first;
  int salvage, across;
  cairn_journal_run **run; /* of the files, then that of --evaluate */
  size_t runs;
  int tree; /* 0: not said; 1: short, 2: cart */
} classify_options;

static error_t add_file(classify_options *o, const char *arg) {
  if (cairn_base_reserve(&o->file, &o->capacity, o->files + 1,
                         sizeof *o->file) != CAIRN_OK)
    return ENOMEM;
  o->file[o->files++] = arg;
  return 0;
}

static error_t parse_label(int key, char *arg, struct argp_state *state,
                           cairn_classify_label_options *label) {
  static const char *const methods[] = {"density", "convolution", "prominence"};
  switch (key) {
  case KEY_LABELS:
    label->method = (cairn_classify_method)cairn_cli_choice(state, "--labels",
                                                            arg, methods, 3);
    return 0;
  case KEY_PEAKS:
    label->method =
        (cairn_classify_method)(1 + cairn_cli_choice(state, "--peaks-of", arg,
                                                     methods + 1, 2));
    return 0;
  case KEY_PERCENTILE:
    label->percentile = cairn_cli_number(state, "--percentile", arg, 0, 100);
    return 0;
  case KEY_BANDWIDTH:
    label->bandwidth =
        cairn_cli_number(state, "--bandwidth", arg, 1e-6, 1000) / 100;
    return 0;
  case KEY_RESAMPLES:
    label->resamples =
        (unsigned)cairn_cli_integer(state, "--resamples", arg, 0, 100000);
    return 0;
  case KEY_SEED:
    label->seed = cairn_cli_integer(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_tree(int key, char *arg, struct argp_state *state,
                          cairn_classify_tree_options *tree) {
  static const char *const criteria[] = {"entropy", "gini"};
  switch (key) {
  case KEY_LEAVES:
    tree->leaves = (size_t)cairn_cli_integer(state, "--leaves", arg, 1, 65535);
    return 0;
  case KEY_DEPTH:
    tree->depth = (size_t)cairn_cli_integer(state, "--depth", arg, 1, 65535);
    return 0;
  case KEY_CRITERION:
    tree->criterion = (cairn_classify_criterion)cairn_cli_choice(
        state, "--criterion", arg, criteria, 2);
    return 0;
  case KEY_UNBALANCED:
    tree->balanced = 0;
    return 0;
  case KEY_MIN_DECREASE:
    tree->min_decrease = cairn_cli_number(state, "--min-decrease", arg, 0, 100);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const trees[] = {"short", "cart"};
  classify_options *o = state->input;
  switch (key) {
  case KEY_FOLDS:
    o->how.folds = (unsigned)cairn_cli_integer(state, "--folds", arg, 2, 1000);
    return 0;
  case KEY_FIRST:
    o->first =
        (size_t)cairn_cli_integer(state, "--first", arg, 1, UINT32_MAX - 1);
    return 0;
  case KEY_OBJECTIVE:
    o->objective = cairn_cli_objective(state, arg);
    return 0;
  case KEY_EVALUATE:
    o->evaluate = arg;
    return 0;
  case KEY_REPORT:
    o->report = arg;
    return 0;
  case KEY_SALVAGE:
    o->salvage = 1;
    return 0;
  case KEY_ACROSS:
    o->across = 1;
    return 0;
  case KEY_TREE:
    o->tree = 1 + (int)cairn_cli_choice(state, "--tree", arg, trees, 2);
    return 0;
  case ARGP_KEY_ARG:
    return add_file(o, arg);
  case ARGP_KEY_END:
    if (o->across && o->common.format != CAIRN_CLASSIFY_TEXT && !o->common.json)
      argp_error(state, "--across prints text or json; --report writes the "
                        "other formats");
    if (o->tree == 2 ||
        (o->tree == 0 && o->how.label.method != CAIRN_CLASSIFY_DENSITY))
      o->how.tree.tries = 0; /* the published labels: the published tree */
    else if (o->tree == 1 && o->how.tree.leaves > 0)
      argp_error(state, "--tree short finds the number of leaves: --leaves "
                        "goes with --tree cart");
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a journal (run.jsonl) is needed");
    return EINVAL;
  default:
    break;
  }
  const error_t error = parse_label(key, arg, state, &o->how.label);
  return error == ARGP_ERR_UNKNOWN ? parse_tree(key, arg, state, &o->how.tree)
                                   : error;
}

/* Reads all journals and refuses those that do not belong together. */
static cairn_status read_journals(classify_options *o, cairn_base_diag *diag) {
  const cairn_cli_origin how = {
      .objective = o->objective,
      .across = o->across,
      .remedy = "not taken together (--across classes each by itself)"};
  const unsigned flags =
      o->salvage ? CAIRN_JOURNAL_RUN_SALVAGE : CAIRN_JOURNAL_RUN_STRICT;
  const size_t count = o->files + (o->evaluate != NULL);
  cairn_status status = CAIRN_OK;
  o->run = cairn_base_zalloc(count, sizeof *o->run);
  if (!o->run)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
    status = cairn_journal_run_read(i < o->files ? o->file[i] : o->evaluate,
                                    flags, diag, &o->run[i]);
    o->runs += status == CAIRN_OK;
  }
  return status == CAIRN_OK ? cairn_cli_same_origin(o->run, o->runs, &how, diag)
                            : status;
}

/* Adds the measured schedules of runs, at most `limit` (0: all). */
static cairn_status add_runs(const classify_options *o,
                             cairn_journal_run *const *run, size_t runs,
                             size_t limit, cairn_base_diag *diag,
                             cairn_classify_data *data) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < runs && status == CAIRN_OK; i++) {
    const size_t have = cairn_classify_data_count(data);
    if (limit > 0 && have >= limit)
      break;
    status = cairn_classify_data_add_run(data, run[i], o->objective,
                                         limit > 0 ? limit - have : 0, diag);
  }
  if (status == CAIRN_OK && cairn_classify_data_count(data) == 0) {
    cairn_base_diag_error(diag, "%s: no schedule was measured", run[0]->path);
    status = CAIRN_FINDINGS;
  }
  return status;
}

static cairn_status print(const classify_options *o, cairn_base_text *text,
                          cairn_status status) {
  if (status == CAIRN_OK) {
    if (o->common.json)
      puts(text->data);
    else if (o->common.format == CAIRN_CLASSIFY_TEXT)
      cairn_cli_print_text(text->data);
    else
      fputs(text->data, stdout);
  }
  cairn_base_text_free(text);
  return status;
}

static const unsigned EVALUATION_REDRAWS = 100;

/* One analysis of runs taken together, and its data. */
typedef struct classed {
  cairn_classify_data *data;
  cairn_classify_analysis *analysis;
} classed;

static void classed_free(classed *c) {
  cairn_classify_analysis_free(c->analysis);
  cairn_classify_data_free(c->data);
}

/* --evaluate, or --first alone: all schedules of the runs. */
static cairn_status evaluate(const classify_options *o,
                             cairn_journal_run *const *run, size_t runs,
                             cairn_base_diag *diag,
                             cairn_classify_analysis *analysis) {
  cairn_classify_data *full = NULL;
  if (!o->evaluate && o->first == 0)
    return CAIRN_OK;
  cairn_status status = cairn_classify_data_create(&full);
  if (status == CAIRN_OK && o->evaluate)
    status = add_runs(o, o->run + o->files, 1, 0, diag, full);
  else if (status == CAIRN_OK)
    status = add_runs(o, run, runs, 0, diag, full);
  if (status == CAIRN_OK)
    status = cairn_classify_evaluate(analysis, full, EVALUATION_REDRAWS);
  cairn_classify_data_free(full);
  return status;
}

/* What a run's header tells, for the head of a page. */
typedef struct run_facts {
  char ranks[24], streams[24];
  cairn_classify_fact fact[11];
  size_t count;
} run_facts;

static void gather(const classify_options *o, const cairn_journal_run *run,
                   run_facts *f) {
  const cairn_journal_header *h = &run->header;
  snprintf(f->ranks, sizeof f->ranks, "%u", h->ranks);
  snprintf(f->streams, sizeof f->streams, "%u", h->streams);
  const cairn_classify_fact all[] = {
      {"program", h->program_name},
      {"backend", h->backend},
      {"ranks", h->ranks > 0 ? f->ranks : "unknown"},
      {"streams allowed", f->streams},
      {"host", h->hosts ? h->host[0] : NULL},
      {"device", h->devices ? h->device[0] : NULL},
      {"driver", h->driver},
      {"MPI", h->mpi},
      {"strategy", h->strategy},
      {"objective", o->objective ? o->objective : h->objective},
      {"journal", run->path}};
  f->count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].text)
      f->fact[f->count++] = all[i];
}

static cairn_status write_report(const classify_options *o, const char *folder,
                                 const cairn_journal_run *run,
                                 const cairn_classify_analysis *analysis,
                                 cairn_base_diag *diag) {
  run_facts f;
  gather(o, run, &f);
  return cairn_classify_report_write(analysis, f.fact, f.count, folder, diag);
}

/* In the format that --format asks for. */
static cairn_status print_report(const classify_options *o,
                                 const cairn_classify_analysis *analysis) {
  run_facts f;
  cairn_base_text text = {0};
  gather(o, o->run[0], &f);
  return print(o, &text,
               cairn_classify_report(analysis,
                                     (cairn_classify_format)o->common.format,
                                     f.fact, f.count, &text));
}

static cairn_status analyse(const classify_options *o,
                            cairn_journal_run *const *run, size_t runs,
                            cairn_base_diag *diag, classed *c) {
  cairn_status status = cairn_classify_data_create(&c->data);
  if (status == CAIRN_OK)
    status = add_runs(o, run, runs, o->first, diag, c->data);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(c->data, &o->how, &c->analysis);
  if (status == CAIRN_OK)
    status = evaluate(o, run, runs, diag, c->analysis);
  return status;
}

static cairn_status classify(const classify_options *o, cairn_base_diag *diag) {
  classed c = {0};
  cairn_status status = analyse(o, o->run, o->files, diag, &c);
  if (status == CAIRN_OK && o->report)
    status = write_report(o, o->report, o->run[0], c.analysis, diag);
  if (status == CAIRN_OK)
    status = print_report(o, c.analysis);
  classed_free(&c);
  return status;
}

/* The report of run number i of --across in a folder of its own. */
static cairn_status report_one(const classify_options *o, size_t i,
                               const cairn_classify_analysis *analysis,
                               cairn_base_diag *diag) {
  cairn_base_text folder = {0};
  if (mkdir(o->report, 0777) != 0 && errno != EEXIST) {
    cairn_base_diag_error(diag, "%s: cannot make the folder: %s", o->report,
                          strerror(errno));
    return CAIRN_IO;
  }
  cairn_base_text_addf(&folder, "%s/run-%zu", o->report, i + 1);
  const cairn_status status =
      folder.failed ? CAIRN_NOMEM
                    : write_report(o, folder.data, o->run[i], analysis, diag);
  cairn_base_text_free(&folder);
  return status;
}

static cairn_status across(const classify_options *o, cairn_base_diag *diag) {
  classed *c = cairn_base_zalloc(o->files, sizeof *c);
  cairn_classify_named *named = cairn_base_zalloc(o->files, sizeof *named);
  cairn_base_text text = {0};
  cairn_status status = c && named ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < o->files && status == CAIRN_OK; i++) {
    status = analyse(o, o->run + i, 1, diag, &c[i]);
    if (status == CAIRN_OK && o->report)
      status = report_one(o, i, c[i].analysis, diag);
    named[i] = (cairn_classify_named){o->file[i], c[i].analysis};
  }
  if (status == CAIRN_OK)
    status = print(
        o, &text,
        cairn_classify_across_report(
            named, o->files,
            o->common.json ? CAIRN_CLASSIFY_JSON : CAIRN_CLASSIFY_TEXT, &text));
  for (size_t i = 0; c && i < o->files; i++)
    classed_free(&c[i]);
  cairn_base_free(c);
  cairn_base_free(named);
  return status;
}

static cairn_status read_and_class(classify_options *o, cairn_base_diag *diag) {
  cairn_status status = CAIRN_OK;
  if (o->report)
    status = cairn_classify_report_can_write(o->report, diag);
  if (status == CAIRN_OK)
    status = read_journals(o, diag);
  if (status == CAIRN_OK)
    status = o->across && o->files > 1 ? across(o, diag) : classify(o, diag);
  for (size_t i = 0; i < o->runs; i++)
    cairn_journal_run_free(o->run[i]);
  cairn_base_free(o->run);
  return status;
}

static const char doc[] =
    "Several journals of one program, measured alike, are taken together.  The "
    "classes are "
    "found in the times; the rules say which orders and streams lead to each.  "
    "--format also takes html, markdown, dot and tsv, what --report writes.";

static const char *const format_name[] = {
#define FORMAT_NAME(NAME, name, file) #name,
    CAIRN_CLASSIFY_FORMAT_TABLE(FORMAT_NAME)
#undef FORMAT_NAME
};

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  classify_options o = {.common = {.format_name = format_name,
                                   .formats = CAIRN_CLASSIFY_FORMATS}};
  cairn_classify_defaults(&o.how);
  const cairn_cli_parser parser = {.options = options,
                                   .parse = parse,
                                   .doc = doc,
                                   .input = &o,
                                   .common = &o.common};
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  cairn_base_diag *diag = NULL;
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = cairn_cli_say(diag, read_and_class(&o, diag));
  cairn_base_diag_free(diag);
  cairn_base_free(o.file);
  return status;
}

const cairn_cli_command cairn_cli_classify = {
    "classify", "RUN.jsonl...",
    "Find performance classes, and the rules that lead to them", run};
