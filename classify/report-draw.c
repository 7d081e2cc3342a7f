/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report-draw.c - the tree, and schedules as diagrams.
 *
 * The tree lies on its side: depth to the right, one line a leaf, so that it
 * scrolls well on a phone.  A schedule is drawn as lanes, the host's and one a
 * stream (lettered by first use), with what is issued from left to right.
 */
#include <string.h>

#include <cairn/classify.h>

#include "classify/report-private.h"

enum { STEP_X = 250, STEP_Y = 40, BOX_W = 225, BOX_H = 32, COLOURS = 6 };

typedef struct artist {
  const cairn_classify_analysis *a;
  cairn_base_text *text;
  size_t line; /* leaves drawn */
} artist;

static void box(artist *d, size_t id, double x, double y) {
  const cairn_classify_node *node = &d->a->tree->node[id];
  const int leaf = cairn_classify_tree_is_leaf(d->a->tree, id);
  const uint32_t *n = d->a->tree->samples + id * d->a->tree->classes;
  cairn_base_text words = {0};
  if (leaf) {
    cairn_base_text_addf(&words, "class %u: %u", node->label, node->samples);
    if (n[node->label] < node->samples)
      cairn_base_text_addf(&words, " (%u not)", node->samples - n[node->label]);
  } else {
    const cairn_classify_condition c = {node->feature, 1, {0, 0, 0}};
    cairn_classify_condition_word(&c, d->a->features, &words);
  }
  cairn_base_text_addf(d->text,
                       "<rect class=\"node k%d\" x=\"%.0f\" y=\"%.0f\" "
                       "width=\"%d\" height=\"%d\" rx=\"4\"><title>",
                       leaf ? node->label % COLOURS : 9, x, y, BOX_W, BOX_H);
  for (unsigned c = 0; c < d->a->tree->classes; c++)
    cairn_base_text_addf(d->text, "class %u: %u\n", c, n[c]);
  cairn_base_text_addf(d->text, "</title></rect><text x=\"%.0f\" y=\"%.0f\">",
                       x + 8, y + 20);
  cairn_classify__escape(d->text, words.data ? words.data : "");
  cairn_base_text_add(d->text, "</text>\n");
  d->text->failed |= words.failed;
  cairn_base_text_free(&words);
}

/* Draws a subtree; returns the middle of its box.  As deep as the tree. */
static double draw(artist *d, size_t id) {
  const cairn_classify_node *node = &d->a->tree->node[id];
  const double x = 4 + node->depth * (double)STEP_X;
  if (cairn_classify_tree_is_leaf(d->a->tree, id)) {
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
  const size_t depth = cairn_classify_tree_depth(analysis->tree);
  cairn_base_text_addf(text,
                       "<svg id=\"tree\" width=\"%zu\" height=\"%zu\" "
                       "role=\"img\" aria-label=\"The tree\">\n",
                       depth * STEP_X + BOX_W + 8,
                       analysis->tree->leaves * STEP_Y + 8);
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

void cairn_classify__svg_schedule(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text) {
  size_t count;
  const cairn_dag_token *token =
      cairn_classify_data_tokens(analysis->data, row, &count);
  const cairn_dag_intern *names = cairn_classify_data_names(analysis->data);
  unsigned stream_lane[256] = {0}, lanes = 1;
  double width = 84;
  for (size_t i = 0; i < count; i++) {
    (void)lane_of(&token[i], stream_lane, &lanes);
    width +=
        14 + 7.2 * (double)strlen(cairn_dag_intern_name(names, token[i].name));
  }
  cairn_base_text_addf(text,
                       "<svg class=\"lanes\" width=\"%.0f\" height=\"%u\" "
                       "role=\"img\" aria-label=\"A schedule\">\n",
                       width, lanes * 34 + 6);
  for (unsigned k = 0; k < lanes; k++) {
    cairn_base_text_addf(text,
                         "<path class=\"lane\" d=\"M0 %uH%.0f\"/>"
                         "<text x=\"2\" y=\"%u\">",
                         k * 34 + 33, width, k * 34 + 24);
    if (k == 0)
      cairn_base_text_add(text, "host");
    else
      cairn_base_text_addf(text, "stream %c", (char)('A' + (k - 1) % 26));
    cairn_base_text_add(text, "</text>\n");
  }
  double x = 80;
  for (size_t i = 0; i < count; i++) {
    const char *name = cairn_dag_intern_name(names, token[i].name);
    const unsigned lane = lane_of(&token[i], stream_lane, &lanes);
    const int op = token[i].kind == CAIRN_DAG_ITEM_CPU ||
                   token[i].kind == CAIRN_DAG_ITEM_GPU;
    const double w = 8 + 7.2 * (double)strlen(name);
    cairn_base_text_addf(text,
                         "<rect class=\"%s\" x=\"%.0f\" y=\"%u\" "
                         "width=\"%.0f\" height=\"24\" rx=\"4\"/>"
                         "<text x=\"%.0f\" y=\"%u\">",
                         op ? "op" : "sync", x, lane * 34 + 6, w, x + 4,
                         lane * 34 + 23);
    cairn_classify__escape(text, name);
    cairn_base_text_add(text, "</text>\n");
    x += w + 6;
  }
  cairn_base_text_add(text, "</svg>\n");
}
