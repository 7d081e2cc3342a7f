/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-draw.c - the tree, and schedules as diagrams.
 *
 * The tree lies on its side: depth to the right, one line a leaf, so that it
 * scrolls well on a phone.  A schedule is drawn as lanes, the host's and one a
 * stream (lettered by first use); what is issued later begins further right,
 * and boxes of different lanes may overlap in x, so that a schedule fits a
 * page.  Both shrink to the width of the page (style: class fit, --w).
 */
#include <string.h>

#include "classify/data/data-private.h"
#include <cairn/classify.h>

#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"
#include "dag/schedule/sequence-private.h"

enum { LANE = 34, LANE_LEFT = 80, STEP_ISSUE = 24 };
enum { STEP_X = 166, STEP_Y = 46, BOX_W = 140, BOX_H = 38, COLOURS = 6 };
enum { LINE_CHARS = 19 }; /* that fit a box */

typedef struct artist {
  const cairn_classify_analysis *a;
  cairn_base_text *text;
  size_t line; /* leaves drawn */
} artist;

/* One line of a box; squeezed when it is too long for it. */
static void box_line(artist *d, double x, double y, const char *words) {
  cairn_base_text_addf(d->text, "<text x=\"%.0f\" y=\"%.0f\"", x + 6, y);
  if (strlen(words) > LINE_CHARS)
    cairn_base_text_addf(d->text,
                         " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"",
                         BOX_W - 12);
  cairn_base_text_add(d->text, ">");
  cairn_classify__escape(d->text, words);
  cairn_base_text_add(d->text, "</text>\n");
}

/* Words in a box: on two lines, parted at the space nearest the middle, when
 * they do not fit on one. */
static void box_words(artist *d, double x, double y, char *words) {
  const size_t length = strlen(words), middle = length / 2;
  for (size_t k = 0; length > LINE_CHARS && k <= middle; k++)
    for (int side = 0; side < 2; side++) {
      const size_t at = side ? middle + k : middle - k;
      if (words[at] != ' ')
        continue;
      words[at] = 0;
      box_line(d, x, y + 16, words);
      box_line(d, x, y + 31, words + at + 1);
      return;
    }
  box_line(d, x, y + 24, words);
}

static void box(artist *d, size_t id, double x, double y) {
  const cairn_classify_node *node = &d->a->tree->node[id];
  const int leaf = cairn_classify__tree_is_leaf(d->a->tree, id);
  const uint32_t *n = d->a->tree->samples + id * d->a->tree->classes;
  cairn_base_text words = {0};
  if (leaf) {
    cairn_base_text_addf(&words, "class %u: %u", node->label, node->samples);
    if (n[node->label] < node->samples)
      cairn_base_text_addf(&words, " (%u not)", node->samples - n[node->label]);
  } else {
    const cairn_classify_condition c = {node->feature, 1, {0, 0, 0}};
    cairn_classify__condition_word(&c, d->a->features, &words);
  }
  cairn_base_text_addf(d->text,
                       "<rect class=\"node k%d\" x=\"%.0f\" y=\"%.0f\" "
                       "width=\"%d\" height=\"%d\" rx=\"4\"><title>",
                       leaf ? node->label % COLOURS : 9, x, y, BOX_W, BOX_H);
  for (unsigned c = 0; c < d->a->tree->classes; c++)
    cairn_base_text_addf(d->text, "class %u: %u\n", c, n[c]);
  cairn_base_text_add(d->text, "</title></rect>");
  if (words.data)
    box_words(d, x, y, words.data);
  d->text->failed |= words.failed;
  cairn_base_text_free(&words);
}

/* Draws a subtree; returns the middle of its box.  As deep as the tree. */
static double draw(artist *d, size_t id) {
  const cairn_classify_node *node = &d->a->tree->node[id];
  const double x = 4 + node->depth * (double)STEP_X;
  if (cairn_classify__tree_is_leaf(d->a->tree, id)) {
    const double y = 4 + (double)d->line++ * STEP_Y;
    box(d, id, x, y);
    return y + BOX_H / 2.0;
  }
  const double yes = draw(d, node->child + 1);
  const double no = draw(d, node->child);
  const double middle = (yes + no) / 2;
  const double child[2] = {yes, no};
  for (int k = 0; k < 2; k++) {
    cairn_base_text_addf(d->text,
                         "<path class=\"edge\" d=\"M%.0f %.0fL%.0f %.0f\"/>"
                         "<text class=\"small\" x=\"%.0f\" y=\"%.0f\">%s"
                         "</text>\n",
                         x + BOX_W, middle, x + STEP_X, child[k],
                         x + STEP_X - 24, child[k] + (k ? 12 : -6),
                         k ? "no" : "yes");
  }
  box(d, id, x, middle - BOX_H / 2.0);
  return middle;
}

void cairn_classify__svg_tree(const cairn_classify_analysis *analysis,
                              cairn_base_text *text) {
  artist d = {.a = analysis, .text = text};
  const size_t width =
      cairn_classify__tree_depth(analysis->tree) * STEP_X + BOX_W + 8;
  cairn_base_text_addf(text,
                       "<svg id=\"tree\" class=\"fit\" style=\"--w:%zupx\" "
                       "viewBox=\"0 0 %zu %zu\" role=\"img\" "
                       "aria-label=\"The tree\">\n",
                       width, width, analysis->tree->leaves * STEP_Y + 8);
  (void)draw(&d, 0);
  cairn_base_text_add(text, "</svg>\n");
}

/* Lane of an item: 0 the host, 1 + the order of first use of its stream. */
static unsigned lane_of(const cairn_dag_token *t, unsigned *stream_lane,
                        unsigned *lanes) {
  if (t->kind == CAIRN_DAG_ITEM_CPU || t->kind == CAIRN_DAG_ITEM_CES)
    return 0;
  if (stream_lane[t->stream] == 0)
    stream_lane[t->stream] = (*lanes)++;
  return stream_lane[t->stream];
}

/* One box of a schedule, or only its place. */
typedef struct place {
  unsigned lane;
  double x, width;
} place;

/* Places item i: right of where the one before begins, and of all in its
 * lane.  end: where each lane ends so far. */
static place place_item(const cairn_dag_token *t, const char *name, double x,
                        double *end, unsigned *stream_lane, unsigned *lanes) {
  place p = {lane_of(t, stream_lane, lanes), x, 8 + 7.2 * (double)strlen(name)};
  if (p.x < end[p.lane])
    p.x = end[p.lane];
  end[p.lane] = p.x + p.width + 6;
  return p;
}

static void draw_item(const place *p, int op, const char *name,
                      cairn_base_text *text) {
  cairn_base_text_addf(text,
                       "<rect class=\"%s\" x=\"%.0f\" y=\"%u\" "
                       "width=\"%.0f\" height=\"24\" rx=\"4\"/>"
                       "<text x=\"%.0f\" y=\"%u\">",
                       op ? "op" : "sync", p->x, p->lane * LANE + 6, p->width,
                       p->x + 4, p->lane * LANE + 23);
  cairn_classify__escape(text, name);
  cairn_base_text_add(text, "</text>\n");
}

/* Draws all boxes; returns the width and, in *lanes, the number of lanes. */
static double draw_items(const cairn_classify_analysis *a, size_t row,
                         unsigned *lanes, cairn_base_text *text) {
  enum { STREAMS = 256 };
  size_t count;
  const cairn_dag_token *token =
      cairn_classify__data_tokens(a->data, row, &count);
  const cairn_dag_intern *names = cairn_classify__data_names(a->data);
  unsigned stream_lane[STREAMS] = {0};
  double end[STREAMS + 1] = {0}, x = LANE_LEFT, width = 0;
  *lanes = 1;
  for (size_t i = 0; i < count; i++) {
    const char *name = cairn_dag__intern_name(names, token[i].name);
    const place p = place_item(&token[i], name, x, end, stream_lane, lanes);
    draw_item(&p,
              token[i].kind == CAIRN_DAG_ITEM_CPU ||
                  token[i].kind == CAIRN_DAG_ITEM_GPU,
              name, text);
    x = p.x + STEP_ISSUE;
    width = end[p.lane] > width ? end[p.lane] : width;
  }
  return width;
}

void cairn_classify__svg_schedule(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text) {
  cairn_base_text boxes = {0};
  unsigned lanes;
  const double width = draw_items(analysis, row, &lanes, &boxes);
  cairn_base_text_addf(text,
                       "<svg class=\"lanes fit\" style=\"--w:%.0fpx\" "
                       "viewBox=\"0 0 %.0f %u\" role=\"img\" "
                       "aria-label=\"A schedule\">\n",
                       width, width, lanes * LANE + 6);
  for (unsigned k = 0; k < lanes; k++) {
    cairn_base_text_addf(text,
                         "<path class=\"lane\" d=\"M0 %uH%.0f\"/>"
                         "<text x=\"2\" y=\"%u\">",
                         k * LANE + 33, width, k * LANE + 24);
    if (k == 0)
      cairn_base_text_add(text, "host");
    else
      cairn_base_text_addf(text, "stream %c", (char)('A' + (k - 1) % 26));
    cairn_base_text_add(text, "</text>\n");
  }
  cairn_base_text_add(text, boxes.data ? boxes.data : "");
  cairn_base_text_add(text, "</svg>\n");
  text->failed |= boxes.failed;
  cairn_base_text_free(&boxes);
}
