/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/plot-private.h - figures (SVG) and the frame of a page (HTML); for
 * study/ only.  Colours are CSS classes k0 .. k7, so that one page serves
 * light, dark and print.
 */
#ifndef CAIRN_STUDY_PLOT_PRIVATE_H
#define CAIRN_STUDY_PLOT_PRIVATE_H

#include "study/study-private.h"

enum { CAIRN_STUDY__COLOURS = 8 };

/* A figure while it is drawn.  Fill the first members, then open it. */
typedef struct cairn_study__plot {
  const char *id, *title; /* the title is for those who cannot see it */
  const char *x_label, *y_label;
  double x_low, x_high, y_low, y_high;
  int x_log;  /* logarithmic */
  int height; /* 0: as usual */
  int bare_x; /* no ticks there */
  cairn_base_text *text;
} cairn_study__plot;

void cairn_study__plot_open(cairn_study__plot *plot, cairn_base_text *text);
void cairn_study__plot_close(cairn_study__plot *plot);
double cairn_study__plot_x(const cairn_study__plot *plot, double x);
double cairn_study__plot_y(const cairn_study__plot *plot, double y);
/* colour: 0, 1, ...; beyond the last they come again, dashed. */
void cairn_study__plot_line(cairn_study__plot *plot, const double *x,
                            const double *y, size_t count, size_t colour,
                            int thin);
void cairn_study__plot_band(cairn_study__plot *plot, const double *x,
                            const double *low, const double *high, size_t count,
                            size_t colour);
/* A dot of this radius, with words that show on hovering (may be NULL). */
void cairn_study__plot_dot(cairn_study__plot *plot, double x, double y,
                           double radius, size_t colour, const char *words);

/* A page: head, style, title; its end. */
void cairn_study__page_open(cairn_base_text *text, const char *title);
void cairn_study__page_close(cairn_base_text *text);
/* Names with their colours. */
void cairn_study__legend(cairn_base_text *text, const char *const *name,
                         size_t count);
/* "The numbers: FILE", linked. */
void cairn_study__numbers(cairn_base_text *text, const char *file);

#endif
