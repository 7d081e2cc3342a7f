/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/plot.c - figures as SVG.
 *
 * The view is narrow, so that its text is readable on a telephone: a page 390
 * pixels wide shows it at about three quarters of its size.
 */
#include <math.h>
#include <stdio.h>

#include "study/plot-private.h"

enum {
  WIDTH = 480,
  HEIGHT = 300,
  LEFT = 74,
  RIGHT = 14,
  TOP = 14,
  BOTTOM = 44
};

static int height_of(const cairn_study__plot *p) {
  return p->height ? p->height : HEIGHT;
}

static double share(double value, double low, double high) {
  return high > low ? (value - low) / (high - low) : 0.5;
}

double cairn_study__plot_x(const cairn_study__plot *p, double x) {
  const double at = p->x_log ? share(log(x), log(p->x_low), log(p->x_high))
                             : share(x, p->x_low, p->x_high);
  return LEFT + at * (WIDTH - LEFT - RIGHT);
}

double cairn_study__plot_y(const cairn_study__plot *p, double y) {
  const int height = height_of(p);
  return height - BOTTOM -
         share(y, p->y_low, p->y_high) * (height - BOTTOM - TOP);
}

/* 1, 2 or 5 times a power of ten: about `parts` steps in a range. */
static double step_of(double range, double parts) {
  const double rough = range / parts, power = pow(10, floor(log10(rough)));
  const double digits = rough / power;
  return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}

static void tick(const cairn_study__plot *p, double value, int is_x,
                 const char *words) {
  if (is_x) {
    const double x = cairn_study__plot_x(p, value);
    const int y = height_of(p) - BOTTOM;
    cairn_base_text_addf(
        p->text,
        "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
        "text-anchor=\"%s\">%s</text>\n",
        x, TOP, y, x, y + 17, x > WIDTH - 30 ? "end" : "middle", words);
  } else {
    const double y = cairn_study__plot_y(p, value);
    cairn_base_text_addf(
        p->text,
        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
        "text-anchor=\"end\">%s</text>\n",
        LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, words);
  }
}

static void ticks(const cairn_study__plot *p, double low, double high,
                  int is_x) {
  char words[32];
  if (!(high > low))
    return;
  const double step = step_of(high - low, is_x ? 6 : 5);
  for (double value = ceil(low / step - 1e-9) * step;
       value <= high + 1e-9 * step; value += step) {
    (void)cairn_base_format(words, sizeof words, "%.6g",
                            fabs(value) < 1e-9 * step ? 0 : value);
    tick(p, value, is_x, words);
  }
}

/* 1, 2, 5, 10, 20, ... within the range. */
static void log_ticks(const cairn_study__plot *p) {
  char words[32];
  for (double power = pow(10, floor(log10(p->x_low))); power <= p->x_high;
       power *= 10)
    for (int k = 0; k < 3; k++) {
      const double value = power * (k == 0 ? 1 : k == 1 ? 2 : 5);
      if (value < p->x_low || value > p->x_high)
        continue;
      (void)cairn_base_format(words, sizeof words, "%.6g", value);
      tick(p, value, 1, words);
    }
}

void cairn_study__plot_open(cairn_study__plot *p, cairn_base_text *text) {
  const int height = height_of(p);
  p->text = text;
  cairn_base_text_addf(text,
                       "<svg id=\"%s\" class=\"chart\" viewBox=\"0 0 %d %d\" "
                       "role=\"img\" aria-label=\"",
                       p->id, WIDTH, height);
  cairn_study__escape(text, p->title);
  cairn_base_text_add(text, "\">\n");
  ticks(p, p->y_low, p->y_high, 0);
  if (p->x_log)
    log_ticks(p);
  else if (!p->bare_x)
    ticks(p, p->x_low, p->x_high, 1);
  cairn_base_text_addf(text, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n",
                       LEFT, TOP, height - BOTTOM, WIDTH - RIGHT);
  cairn_base_text_addf(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                       (LEFT + WIDTH - RIGHT) / 2, height - 8);
  cairn_study__escape(text, p->x_label);
  cairn_base_text_addf(text,
                       "</text>\n<text transform=\"translate(14 %d) "
                       "rotate(-90)\" text-anchor=\"middle\">",
                       (TOP + height - BOTTOM) / 2);
  cairn_study__escape(text, p->y_label);
  cairn_base_text_add(text, "</text>\n");
}

void cairn_study__plot_close(cairn_study__plot *p) {
  cairn_base_text_add(p->text, "</svg>\n");
}

static void path(cairn_study__plot *p, const double *x, const double *y,
                 size_t count, int back, char first) {
  for (size_t i = 0; i < count; i++) {
    const size_t k = back ? count - 1 - i : i;
    cairn_base_text_addf(p->text, "%c%.1f %.1f", i == 0 ? first : 'L',
                         cairn_study__plot_x(p, x[k]),
                         cairn_study__plot_y(p, y[k]));
  }
}

void cairn_study__plot_line(cairn_study__plot *p, const double *x,
                            const double *y, size_t count, size_t colour,
                            int thin) {
  cairn_base_text_addf(p->text, "<path class=\"line s%zu%s%s\" d=\"",
                       colour % CAIRN_STUDY__COLOURS,
                       colour >= CAIRN_STUDY__COLOURS ? " dash" : "",
                       thin ? " thin" : "");
  path(p, x, y, count, 0, 'M');
  cairn_base_text_add(p->text, "\"/>\n");
}

void cairn_study__plot_band(cairn_study__plot *p, const double *x,
                            const double *low, const double *high, size_t count,
                            size_t colour) {
  cairn_base_text_addf(p->text, "<path class=\"band k%zu\" d=\"",
                       colour % CAIRN_STUDY__COLOURS);
  path(p, x, high, count, 0, 'M');
  path(p, x, low, count, 1, 'L');
  cairn_base_text_add(p->text, "Z\"/>\n");
}

void cairn_study__plot_dot(cairn_study__plot *p, double x, double y,
                           double radius, size_t colour, const char *words) {
  cairn_base_text_addf(p->text,
                       "<circle class=\"dot k%zu\" cx=\"%.1f\" cy=\"%.1f\" "
                       "r=\"%.1f\">",
                       colour % CAIRN_STUDY__COLOURS, cairn_study__plot_x(p, x),
                       cairn_study__plot_y(p, y), radius);
  if (words) {
    cairn_base_text_add(p->text, "<title>");
    cairn_study__escape(p->text, words);
    cairn_base_text_add(p->text, "</title>");
  }
  cairn_base_text_add(p->text, "</circle>\n");
}
