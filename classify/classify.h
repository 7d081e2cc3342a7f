/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify.h, installed as <cairn/classify.h> - front door of
 * classify: from measured schedules to rules that people can act on.
 *
 *   data -> labels (classes of times) -> features (bit columns) -> tree
 *        -> rules with evidence -> reports
 *
 * Errors: see base.h.  Ownership: an object that a function returns is freed
 * by the function named in its comment; all else belongs to the object asked
 * and lives as long as it.  Objects hold what they need of the data by
 * reference: free the data last.  Everything is a function of its arguments
 * (seeds included): the same input gives the same bytes.
 */
#ifndef CAIRN_CLASSIFY_H
#define CAIRN_CLASSIFY_H

#include <cairn/dag.h>
#include <cairn/journal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * The input of classify: measured schedules.
 *
 * A data set is an array of schedules, each with its time.  No program is
 * needed: schedules are sequences of interned names (dag-sequence.h), so any
 * journal can be classified, imported ones included.
 */

/* What was measured of one schedule. */
typedef struct cairn_classify_measure {
  uint64_t id; /* the schedule's id in its journal */
  double time; /* the objective; finite, > 0 */
  cairn_base_times times;
} cairn_classify_measure;

typedef struct cairn_classify_data cairn_classify_data;

/* An empty data set; free with cairn_classify_data_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_data_create(cairn_classify_data **data_p);
CAIRN_API void cairn_classify_data_free(cairn_classify_data *data);

/* Adds the measured schedules of a run: outcome ok and a known objective
 * (NULL: the run's own, p10 when it has none).  At most `limit` of them, in
 * the order of measuring; 0: all.  A result that is there already from an
 * earlier run (the same schedule by structure, the same numbers) is not added
 * again. */
CAIRN_API cairn_status cairn_classify_data_add_run(cairn_classify_data *data,
                                                   const cairn_journal_run *run,
                                                   const char *objective,
                                                   size_t limit,
                                                   cairn_base_diag *diag);

CAIRN_API size_t cairn_classify_data_count(const cairn_classify_data *data);

/* ======================================================================
 * Schedules as rows of yes/no features.
 *
 * "u before v": any u is issued before any v, for every ordered pair of names
 * (ops and syncs), a name with itself included; no when one of them is absent.
 * "u and v in the same stream", for every pair of GPU ops.  Order of features:
 * names bytewise, (u, v) row by row, then the stream pairs.  Constant,
 * duplicate and complementary columns are dropped, the first stays, and what
 * was merged into it is remembered.
 *
 * Layout: a column is a bit set over the schedules; kept columns lie one after
 * another, `words` 64-bit words each.
 */

typedef enum cairn_classify_feature_kind {
  CAIRN_CLASSIFY_BEFORE, /* any u before any v */
  CAIRN_CLASSIFY_SAME    /* u and v in the same stream */
} cairn_classify_feature_kind;

/* How a feature that is 0 reads in words: found in the data, so that no
 * negation is worded as something stronger than it is. */
typedef enum cairn_classify_negation {
  CAIRN_CLASSIFY_NOT_REVERSED, /* every v before every u: both are in every
                                  schedule */
  CAIRN_CLASSIFY_NOT_U,        /* u is absent whenever it is 0 */
  CAIRN_CLASSIFY_NOT_V,        /* v is absent whenever it is 0 */
  CAIRN_CLASSIFY_NOT_OTHER     /* anything else */
} cairn_classify_negation;

typedef struct cairn_classify_feature {
  uint32_t u, v;      /* names in the data's table */
  uint8_t kind;       /* cairn_classify_feature_kind */
  uint8_t negation;   /* cairn_classify_negation */
  uint8_t many;       /* 1: u, 2: v is more than once in some schedule */
  uint8_t complement; /* merged: it is the opposite of the kept column */
  uint32_t column;    /* kept column it is, or is merged into */
} cairn_classify_feature;

/* Free with cairn_classify__features_free. */
typedef struct cairn_classify_features {
  const cairn_dag_intern *names; /* of the data, which must outlive this */
  size_t rows, words;
  size_t all, varying, distinct, kept; /* counts */
  cairn_classify_feature *varied; /* the varying features, in feature order */
  uint32_t *first;   /* for each kept column: the index in `varied` of the
                        feature that stands for it */
  uint32_t *worded;  /* [2 * column + value]: the index in `varied` of the
                        merged feature that reads best when the kept column is
                        `value` (ops rather than syncs, then the first) */
  uint64_t *columns; /* kept * words */
} cairn_classify_features;

/* ======================================================================
 * Performance classes from measured times.
 *
 * All methods sort the times and place boundaries between classes; class 0 is
 * the fastest.
 *
 * density (the default): a kernel density of the logarithms of the times; a
 * boundary lies in each deep valley.  The bandwidth follows the measured noise
 * and the number of schedules, so that neither jitter nor a thin sample makes
 * classes.  Then a repeatability check: measurements are redrawn within their
 * recorded spread, schedules with replacement, and a boundary stays only if it
 * comes back in most redraws.
 *
 * step (Pearson et al., "Machine Learning for CUDA+MPI Design Rules"): the
 * sorted times are convolved with a step of radius r = max(1, ceil(0.005 n));
 * peaks whose prominence exceeds a percentile of all convolution values, or of
 * all prominences, are boundaries.
 */

/* X(name, text) */
#define CAIRN_CLASSIFY_METHOD_TABLE(X)                                         \
  X(DENSITY, "density")                                                        \
  X(CONVOLUTION, "convolution")                                                \
  X(PROMINENCE, "prominence")

typedef enum cairn_classify_method {
#define CAIRN_CLASSIFY_METHOD_ENUM(name, text) CAIRN_CLASSIFY_##name,
  CAIRN_CLASSIFY_METHOD_TABLE(CAIRN_CLASSIFY_METHOD_ENUM)
#undef CAIRN_CLASSIFY_METHOD_ENUM
} cairn_classify_method;

/* Defaults: cairn_classify__label_defaults. */
typedef struct cairn_classify_label_options {
  cairn_classify_method method;
  double percentile;  /* step methods: 0..100 */
  double bandwidth;   /* density: relative (0.01 = 1 %); 0: chosen */
  double valley;      /* density: a valley's density is at most this share of
                         the lower of its two peaks */
  unsigned resamples; /* redraws of the repeatability check; 0: no check */
  double repeat;      /* share of redraws in which a boundary must come back */
  uint64_t seed;
} cairn_classify_label_options;

/* A peak of the convolution. */
typedef struct cairn_classify_peak {
  size_t position; /* in the convolution values; a plateau's middle */
  double value, prominence;
  int kept;
} cairn_classify_peak;

/* A boundary between two classes. */
typedef struct cairn_classify_boundary {
  size_t first;  /* sorted position of the first schedule of the slower class */
  double repeat; /* share of redraws in which it came back; NAN: not checked */
  double depth;  /* density: the valley's density / that of the lower peak;
                    step: the peak's prominence in seconds */
} cairn_classify_boundary;

/* Free with cairn_classify__labels_free. */
typedef struct cairn_classify_labels {
  cairn_classify_method method;
  size_t count;     /* schedules */
  unsigned classes; /* >= 1 when count > 0 */
  uint32_t *order;  /* schedules by time, ties by position in the input */
  double *sorted;   /* their times in seconds, ascending */
  uint16_t *label;  /* class of each schedule, in input order */
  cairn_classify_boundary *boundary; /* classes - 1, ascending */
  cairn_classify_boundary *refused;  /* found, but did not come back */
  size_t refused_count;
  double noise; /* median relative standard deviation of one measurement, from
                   the recorded percentiles; NAN: unknown */
  /* step methods */
  size_t radius, values, peaks;
  double *value; /* the convolution, in seconds; value[i] belongs between the
                    sorted positions i + radius - 1 and i + radius */
  cairn_classify_peak *peak;
  double threshold; /* a kept peak's prominence exceeds it; seconds */
  /* density */
  double bandwidth; /* relative */
  size_t grid;
  double *grid_time;    /* seconds, ascending */
  double *grid_density; /* highest = 1 */
} cairn_classify_labels;

/* ======================================================================
 * A classification tree over yes/no features.
 *
 * CART (Breiman et al., 1984) grown best first: the leaf whose split lowers
 * the weighted impurity most is split next.  Splits are counted by popcount
 * over bit columns; of two siblings only the smaller is counted, the other is
 * the difference.  Of equally good splits the one whose children can be split
 * best is taken, then the first; of equally good leaves the older: a tree is a
 * function of its data alone.
 *
 * A greedy choice near the root can cost many leaves below.  So, unless a
 * number of leaves is asked for, several of the best splits of the root and of
 * its children are tried: the one whose subtree, completed greedily, has the
 * fewest leaves and misclassified rows is taken (the idea of Esmeir and
 * Markovitch, "Anytime learning of decision trees", 2007).  From few schedules
 * a shorter tree is a better one.  The plain tree is kept when it is as short,
 * or when it is more accurate with as many leaves.
 *
 * Because a tree of L leaves is at most L - 1 deep, the tree with L leaves is
 * the tree with L - 1 leaves and one more split: growing once gives them all.
 * Node 0 is the root; the k-th split (k = 0, 1, ...) made the nodes 2k + 1
 * (feature = 0) and 2k + 2 (feature = 1).  The tree of L leaves is the first
 * 2L - 1 nodes.
 */

#define CAIRN_CLASSIFY_MAX_CLASSES 256

typedef enum cairn_classify_criterion {
  CAIRN_CLASSIFY_ENTROPY, /* in bits */
  CAIRN_CLASSIFY_GINI
} cairn_classify_criterion;

typedef struct cairn_classify_tree_options {
  cairn_classify_criterion criterion;
  int balanced;        /* classes weigh n / (classes * n_class) each */
  size_t leaves;       /* grow up to; 0: Algorithm 1 chooses */
  size_t depth;        /* at most; 0: no limit */
  double min_decrease; /* a split's N_t/N * decrease of impurity, at least */
  unsigned tries;      /* splits tried near the root, when leaves = 0 and the
                          table is not large; 0 or 1: plain CART */
} cairn_classify_tree_options;

/* The rows a tree is grown on. */
typedef struct cairn_classify_table {
  const uint64_t *columns; /* features * words, as cairn_classify_features */
  size_t features, rows, words;
  const uint64_t *use;   /* rows to grow on, a bit set; NULL: all */
  const uint16_t *label; /* class of each row, below `classes` */
  unsigned classes;      /* 1..CAIRN_CLASSIFY_MAX_CLASSES */
} cairn_classify_table;

typedef struct cairn_classify_node {
  uint32_t feature; /* UINT32_MAX: never split */
  uint32_t child;   /* node for feature = 0; child + 1 for feature = 1; 0:
                       never split */
  uint32_t parent;  /* of the root: UINT32_MAX */
  uint32_t samples;
  uint16_t depth;
  uint16_t label; /* class of the largest weight, the faster on ties */
  double impurity, weight;
} cairn_classify_node;

/* Free with cairn_classify__tree_free. */
typedef struct cairn_classify_tree {
  unsigned classes;
  size_t count;  /* nodes grown: 2 * grown leaves - 1 */
  size_t leaves; /* leaves in use: the tree is the first 2 * leaves - 1 */
  cairn_classify_node *node;
  uint32_t *samples;       /* count * classes: rows of each class */
  uint32_t *misclassified; /* [L - 1]: training rows wrong with L leaves */
  double *error;           /* [L - 1]: the same, weighted, as a share */
} cairn_classify_tree;

/* ======================================================================
 * Rules: what the schedules of a class have in
 * common, in words, with evidence.
 *
 * A rule set is the path to a leaf, made minimal: as long as a condition can be
 * dropped without lowering the purity it is dropped, the one whose loss brings
 * most schedules first.  So dropping any condition of a printed rule set lowers
 * its purity.  Equal rule sets are printed once.
 */

/* Two measured schedules that differ in one condition and in as few other kept
 * features as possible. */
typedef struct cairn_classify_pair {
  uint32_t with, without; /* rows; UINT32_MAX: there is no such pair */
  uint32_t others;        /* other kept features in which they differ */
} cairn_classify_pair;

typedef struct cairn_classify_condition {
  uint32_t column; /* kept column */
  int value;
  cairn_classify_pair pair;
} cairn_classify_condition;

typedef struct cairn_classify_rule {
  unsigned id;            /* class */
  uint32_t leaf;          /* node it comes from */
  uint32_t samples, hits; /* schedules that satisfy it; those of its class */
  double purity;          /* hits / samples */
  double held_out; /* share of its schedules that trees grown without them
                      class rightly; NAN: not known */
  cairn_classify_condition *condition;
  size_t conditions;
} cairn_classify_rule;

/* Free with cairn_classify__rules_free. */
typedef struct cairn_classify_rules {
  size_t count;
  cairn_classify_rule *rule; /* by class, purity, samples */
} cairn_classify_rules;

/* ======================================================================
 * How good are rules?  Never judged on the
 * schedules they were learned from.
 *
 * Two measures of predicted classes.  In range: the share of schedules whose
 * time lies in the range of the predicted class (the paper's; it can be gamed:
 * fewer and wider classes raise it).  Agreement: the share whose predicted
 * class is the class that the full data give it; classes are matched one to
 * one by largest overlap, unmatched ones count as wrong.
 */

/* A share and its 95 % interval; NAN: not known. */
typedef struct cairn_classify_share {
  double value, low, high;
} cairn_classify_share;

typedef struct cairn_classify_accuracy {
  cairn_classify_share agreement, balanced; /* balanced: mean over classes */
  cairn_classify_share in_range;
  unsigned classes;
  cairn_classify_share *each; /* agreement in each class; free with
                                 cairn_classify__accuracy_clear */
} cairn_classify_accuracy;

/* ======================================================================
 * The whole way from data to rules in one call.
 */

typedef struct cairn_classify_options {
  cairn_classify_label_options label;
  cairn_classify_tree_options tree;
  unsigned folds; /* of the cross-validation; 0: none */
  int pairs;      /* look for counterfactual pairs */
} cairn_classify_options;

CAIRN_API void cairn_classify_defaults(cairn_classify_options *options);

typedef enum cairn_classify_verdict {
  CAIRN_CLASSIFY_RULES,     /* the rules hold on schedules not learned from */
  CAIRN_CLASSIFY_ONE_CLASS, /* no rules: the differences are noise */
  CAIRN_CLASSIFY_UNRELATED  /* no rules: order and streams predict the class no
                               better than chance */
} cairn_classify_verdict;

/* Free with cairn_classify_analysis_free. */
typedef struct cairn_classify_analysis {
  const cairn_classify_data *data; /* must outlive this */
  cairn_classify_options options;
  cairn_classify_labels *labels;
  cairn_classify_features *features;
  cairn_classify_table table; /* borrows from features and labels */
  cairn_classify_tree *tree;
  cairn_classify_rules *rules; /* empty unless the verdict is RULES */
  uint16_t *held_out; /* class predicted in cross-validation, or NULL */
  cairn_classify_accuracy accuracy; /* of held_out */
  cairn_classify_verdict verdict;
  int evaluated; /* cairn_classify_evaluate was called */
  cairn_classify_accuracy evaluation;
} cairn_classify_analysis;

/* data: at least one schedule.  CAIRN_NOMEM, CAIRN_INPUT (no schedules). */
CAIRN_API cairn_status cairn_classify_analyse(
    const cairn_classify_data *data, const cairn_classify_options *options,
    cairn_classify_analysis **analysis_p);
CAIRN_API void cairn_classify_analysis_free(cairn_classify_analysis *analysis);

/* How well rules learned here hold on other schedules of the same program: the
 * full data get classes of their own by the same method; both measures, and
 * 95 % intervals over `resamples` redraws of the schedules learned from (0:
 * no intervals).  Kept in analysis->evaluation, and reported.  CAIRN_NOMEM,
 * CAIRN_INPUT (no schedules). */
CAIRN_API cairn_status
cairn_classify_evaluate(cairn_classify_analysis *analysis,
                        const cairn_classify_data *full, unsigned resamples);

/* ======================================================================
 * What people and scripts read.
 *
 * Every writer appends to a text buffer (check text->failed, or let the
 * returned status tell) and is a function of the analysis alone.  Conditions
 * are worded in the names of ops; numbers of streams never appear in them.
 */

#define CAIRN_CLASSIFY_SCHEMA 1

/* Accuracy against the number of measurements: rules learned from the first n
 * schedules, judged on all. */
typedef struct cairn_classify_curve_point {
  size_t measured;
  unsigned classes;
  double agreement, in_range; /* shares */
} cairn_classify_curve_point;

/* Facts about the machine and the run, for the head of a page. */
typedef struct cairn_classify_fact {
  const char *name, *text;
} cairn_classify_fact;

/* X(NAME, name, file of the report folder or NULL): a format is one line here
 * and one function, cairn_classify__report_<name>. */
#define CAIRN_CLASSIFY_FORMAT_TABLE(X)                                         \
  X(TEXT, text, NULL)                                                          \
  X(HTML, html, "report.html")                                                 \
  X(MARKDOWN, markdown, "report.md")                                           \
  X(JSON, json, "report.json")                                                 \
  X(DOT, dot, "tree.dot")                                                      \
  X(TSV, tsv, "schedules.tsv")

typedef enum cairn_classify_format {
#define CAIRN_CLASSIFY_FORMAT_ENUM(NAME, name, file) CAIRN_CLASSIFY_##NAME,
  CAIRN_CLASSIFY_FORMAT_TABLE(CAIRN_CLASSIFY_FORMAT_ENUM)
#undef CAIRN_CLASSIFY_FORMAT_ENUM
      CAIRN_CLASSIFY_FORMATS /* how many there are */
} cairn_classify_format;

/* The report in one format.  TEXT is for a terminal: a summary first, then
 * classes, tree, accuracy, rules with their evidence.  JSON is one object of
 * schema CAIRN_CLASSIFY_SCHEMA without a newline at its end, described by
 * classify.schema.json.  Facts stand in the head of HTML alone and may be left
 * out. */
CAIRN_API cairn_status cairn_classify_report(
    const cairn_classify_analysis *analysis, cairn_classify_format format,
    const cairn_classify_fact *fact, size_t facts, cairn_base_text *text);

/* Writes every format that has a file into the folder, which is made when
 * missing.  What is there under such a name and is no regular file is left
 * alone.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_classify_report_write(
    const cairn_classify_analysis *analysis, const cairn_classify_fact *fact,
    size_t facts, const char *folder, cairn_base_diag *diag);

/* Would that be possible?  To be asked before the long work; the folder is made
 * already.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_classify_report_can_write(const char *folder,
                                                       cairn_base_diag *diag);

/* ======================================================================
 * Where does an order stand among measured schedules?
 */

/* Times in seconds; classes and ranks count from 1, 1 the fastest. */
typedef struct cairn_classify_place {
  size_t schedules;  /* with a time in the journal */
  unsigned classes;  /* found in their times */
  int measured;      /* this order is one of them */
  double time;       /* measured: its time, else NAN */
  size_t rank;       /* measured: schedules that are faster, plus one */
  unsigned class_id; /* its class, measured or predicted; 0: unknown */
  double low, high;  /* fastest and slowest of that class */
  double fastest;    /* of all */
  double held_out;   /* not measured: share of schedules that the same tree
                        predicts rightly in cross-validation */
} cairn_classify_place;

/* Places the schedule with this text (as cairn_dag_schedule_format writes it)
 * among the measured ones of a journal: found there by structure, else its
 * class is predicted by the tree learned from them.  CAIRN_INPUT (unreadable
 * journal or another program's), CAIRN_FINDINGS (nothing measured). */
CAIRN_API cairn_status cairn_classify_place_among(const char *path,
                                                  const char *text,
                                                  cairn_base_diag *diag,
                                                  cairn_classify_place *place);

/* ======================================================================
 * Are two runs alike?
 *
 * Schedules are matched by structure, so names of syncs may differ.  Each run
 * gets classes of its own from all its schedules; the first run's rules are
 * then read on the second run's times.
 */

/* A rule of the first run and what becomes of it in the second. */
typedef struct cairn_classify_carried {
  size_t rule;            /* index in analysis->rules of the first run */
  uint32_t samples, hits; /* common schedules that satisfy it; those in the
                             corresponding class of the second run */
  int holds;              /* at least 9 in 10 of them are */
} cairn_classify_carried;

/* Free with cairn_classify_comparison_free. */
typedef struct cairn_classify_comparison {
  cairn_classify_analysis *a, *b;
  size_t common;   /* schedules in both runs */
  double spearman; /* rank correlation of their times; NAN: fewer than 2 */
  double slowdown; /* median of time in b / time in a */
  double class_agreement; /* share of them in corresponding classes; NAN when
                             a run has one class only */
  double rand_index;      /* adjusted Rand index of their classes; NAN: fewer
                             than 2 */
  cairn_classify_carried *carried;
  size_t carrieds;
} cairn_classify_comparison;

/* Both data sets must outlive the comparison.  CAIRN_NOMEM, CAIRN_INPUT (a run
 * without schedules). */
CAIRN_API cairn_status cairn_classify_compare(
    const cairn_classify_data *a, const cairn_classify_data *b,
    const cairn_classify_options *options,
    cairn_classify_comparison **comparison_p);
CAIRN_API void
cairn_classify_comparison_free(cairn_classify_comparison *comparison);

/* Appends the comparison as TEXT, in words, or as JSON, one object; other
 * formats: CAIRN_USAGE. */
CAIRN_API cairn_status cairn_classify_comparison_report(
    const cairn_classify_comparison *comparison, cairn_classify_format format,
    cairn_base_text *text);

/* ======================================================================
 * Several runs of one program under different
 * conditions: each has classes and rules of its own; which rules hold in all?
 */

typedef struct cairn_classify_named {
  const char *name; /* of the journal */
  const cairn_classify_analysis *analysis;
} cairn_classify_named;

/* TEXT: the report of each run, then the rules that hold in all of them.
 * JSON: {"schema","runs":[{"journal","classification"}],"rules_in_all":[{"run",
 * "class","text","samples":[],"hits":[]}]}; run counts from 0;
 * samples and hits: one a run.  Other formats: CAIRN_USAGE. */
CAIRN_API cairn_status cairn_classify_across_report(
    const cairn_classify_named *run, size_t runs, cairn_classify_format format,
    cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif
