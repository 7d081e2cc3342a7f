/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-svg.c - figures of times and boundaries.
 *
 * Colours are CSS classes (k0, k1, ... by performance class), so that one page
 * serves light, dark and print.
 */
#include <math.h>
#include <string.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/text-private.h"
#include "classify/report/report-private.h"
#include "classify/report/writers-private.h"

enum { WIDTH = 720, HEIGHT = 240, LEFT = 104, BOTTOM = 28, TOP = 10 };
enum { MOST_POINTS = 1500, COLOURS = 6 };

void cairn_classify__escape(cairn_base_text *text, const char *plain) {
  for (; *plain; plain++) {
    switch (*plain) {
    case '<':
      cairn_base_text_add(text, "&lt;");
      break;
    case '>':
      cairn_base_text_add(text, "&gt;");
      break;
    case '&':
      cairn_base_text_add(text, "&amp;");
      break;
    case '"':
      cairn_base_text_add(text, "&quot;");
      break;
    default:
      cairn_base__text_add_bytes(text, plain, 1);
    }
  }
}

static void open_svg(cairn_base_text *text, const char *id, const char *label) {
  cairn_base_text_addf(
      text,
      "<svg id=\"%s\" class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
      "aria-label=\"%s\">\n",
      id, WIDTH, HEIGHT, label);
}

static double scale_x(double share) {
  return LEFT + share * (WIDTH - LEFT - 8);
}
static double scale_y(double share) {
  return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
}

static void label(cairn_base_text *text, double x, double y, const char *anchor,
                  const char *words) {
  cairn_base_text_addf(
      text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
      anchor, words);
}

static void frame(cairn_base_text *text, const char *x_label, const char *y_low,
                  const char *y_high) {
  cairn_base_text_addf(text, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n",
                       LEFT, TOP, HEIGHT - BOTTOM, WIDTH - 8);
  label(text, LEFT - 6, scale_y(0), "end", y_low);
  label(text, LEFT - 6, scale_y(1) + 8, "end", y_high);
  label(text, WIDTH - 8, HEIGHT - 8, "end", x_label);
}

/* Coloured bands of the classes along x, by the shares where they begin. */
static void band(cairn_base_text *text, unsigned id, double from, double to) {
  cairn_base_text_addf(text,
                       "<rect class=\"band k%u\" x=\"%.1f\" y=\"%d\" "
                       "width=\"%.1f\" height=\"%d\"/>\n",
                       id % COLOURS, scale_x(from), TOP,
                       scale_x(to) - scale_x(from), HEIGHT - BOTTOM - TOP);
}

void cairn_classify__svg_times(const cairn_classify_analysis *analysis,
                               cairn_base_text *text) {
  const cairn_classify_labels *l = analysis->labels;
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  const double low = l->sorted[0], range = l->sorted[l->count - 1] - low;
  const double n = (double)l->count;
  const size_t step = l->count / MOST_POINTS + 1;
  char y_low[48], y_high[48];
  (void)cairn_base_format(y_low, sizeof y_low, "%.1f", low * unit.per_second);
  (void)cairn_base_format(y_high, sizeof y_high, "%.1f %s",
                          (low + range) * unit.per_second, unit.name);
  open_svg(text, "times", "Sorted times with the bands of the classes");
  for (unsigned c = 0; c < l->classes; c++) {
    const size_t from = c == 0 ? 0 : l->boundary[c - 1].first;
    const size_t to = c + 1 < l->classes ? l->boundary[c].first : l->count;
    band(text, c, (double)from / n, (double)to / n);
    char name[32];
    (void)cairn_base_format(name, sizeof name, "class %u", c);
    label(text, scale_x(((double)from + (double)to) / 2 / n), TOP + 14,
          "middle", name);
  }
  cairn_base_text_add(text, "<path class=\"line\" d=\"");
  for (size_t i = 0; i < l->count; i += step)
    cairn_base_text_addf(
        text, "%c%.1f %.1f", i == 0 ? 'M' : 'L', scale_x((double)i / n),
        scale_y(range > 0 ? (l->sorted[i] - low) / range : 0.5));
  cairn_base_text_add(text, "\"/>\n<line id=\"cursor\" class=\"cursor\" "
                            "x1=\"-9\" x2=\"-9\" y1=\"10\" y2=\"212\"/>\n");
  frame(text, "schedules, fastest first", y_low, y_high);
  cairn_base_text_add(text, "</svg>\n");
}

static void density(const cairn_classify_labels *l, cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  const double low = l->grid_time[0], high = l->grid_time[l->grid - 1];
  const double range = high - low;
  char x_label[96];
  open_svg(text, "boundaries", "Density of the times with its valleys");
  for (unsigned c = 0; c < l->classes; c++) {
    double min, max;
    (void)cairn_classify__labels_class(l, c, &min, &max);
    band(text, c, (min - low) / range, (max - low) / range);
  }
  const size_t step = l->grid / MOST_POINTS + 1;
  cairn_base_text_add(text, "<path class=\"line\" d=\"");
  for (size_t i = 0; i < l->grid; i += step)
    cairn_base_text_addf(text, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
                         scale_x((l->grid_time[i] - low) / range),
                         scale_y(l->grid_density[i]));
  cairn_base_text_add(text, "\"/>\n");
  (void)cairn_base_format(x_label, sizeof x_label, "time, %.1f to %.1f %s",
                          low * unit.per_second, high * unit.per_second,
                          unit.name);
  frame(text, x_label, "0", "density");
  cairn_base_text_add(text, "</svg>\n");
}

static void convolution(const cairn_classify_labels *l, cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  double top = 0;
  for (size_t i = 0; i < l->values; i++)
    top = fmax(top, l->value[i]);
  char y_high[48];
  (void)cairn_base_format(y_high, sizeof y_high, "%.0f %s",
                          top * unit.per_second, unit.name);
  open_svg(text, "boundaries", "Step convolution with its peaks");
  const double n = (double)l->values;
  const size_t step = l->values / MOST_POINTS + 1;
  cairn_base_text_add(text, "<path class=\"line\" d=\"");
  for (size_t i = 0; i < l->values; i += step)
    cairn_base_text_addf(text, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
                         scale_x((double)i / n),
                         scale_y(top > 0 ? l->value[i] / top : 0));
  cairn_base_text_add(text, "\"/>\n");
  for (size_t p = 0; p < l->peaks; p++)
    if (l->peak[p].kept)
      cairn_base_text_addf(
          text, "<circle class=\"peak\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
          scale_x((double)l->peak[p].position / n),
          scale_y(l->peak[p].value / top));
  frame(text, "schedules, fastest first", "0", y_high);
  cairn_base_text_add(text, "</svg>\n");
}

void cairn_classify__svg_boundaries(const cairn_classify_analysis *analysis,
                                    cairn_base_text *text) {
  if (analysis->labels->grid > 0)
    density(analysis->labels, text);
  else if (analysis->labels->values > 0)
    convolution(analysis->labels, text);
}

static void curve_line(const cairn_classify_curve_point *p, size_t count,
                       int in_range, cairn_base_text *text) {
  const double most = log((double)p[count - 1].measured);
  const double least = log((double)p[0].measured);
  cairn_base_text_addf(text, "<path class=\"line%s\" d=\"",
                       in_range ? " thin" : "");
  for (size_t i = 0; i < count; i++) {
    const double x = most > least
                         ? (log((double)p[i].measured) - least) / (most - least)
                         : 0;
    cairn_base_text_addf(text, "%c%.1f %.1f", i == 0 ? 'M' : 'L', scale_x(x),
                         scale_y(in_range ? p[i].in_range : p[i].agreement));
  }
  cairn_base_text_add(text, "\"/>\n");
  for (size_t i = 0; i < count && !in_range; i++) {
    const double x = most > least
                         ? (log((double)p[i].measured) - least) / (most - least)
                         : 0;
    cairn_base_text_addf(
        text,
        "<circle class=\"peak\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%zu "
        "schedules: %.3f</title></circle>\n",
        scale_x(x), scale_y(p[i].agreement), p[i].measured, p[i].agreement);
  }
}

cairn_status cairn_classify__svg_curve(const cairn_classify_analysis *analysis,
                                       cairn_base_text *text) {
  enum { ROOM = 24 };
  cairn_classify_curve_point point[ROOM];
  size_t count = 0;
  const cairn_status status =
      cairn_classify__curve(analysis, point, ROOM, &count);
  if (status != CAIRN_OK || count == 0)
    return status;
  char x_label[96];
  (void)cairn_base_format(x_label, sizeof x_label,
                          "%zu to %zu schedules measured", point[0].measured,
                          point[count - 1].measured);
  open_svg(text, "curve", "Accuracy against the number of measurements");
  curve_line(point, count, 1, text);
  curve_line(point, count, 0, text);
  frame(text, x_label, "0", "1");
  cairn_base_text_add(text, "</svg>\n");
  return CAIRN_OK;
}
