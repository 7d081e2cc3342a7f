/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grid.h - the geometry of one rank's block and its 26 neighbours; no MPI, no
 * CUDA.
 *
 * A block has n[0] x n[1] x n[2] cells of `quantities` floats, and around them
 * a halo `width` cells deep that mirrors the neighbours' cells, periodically:
 *
 *      halo      +---+-----------+---+
 *                | NW|     N     |NE |      cells count from 0; the halo
 *                +---+-----------+---+      lies at -width..-1 and
 *                | W |   block   | E |      n..n+width-1
 *                +---+-----------+---+
 *
 * A direction is a vector of -1, 0, 1; its letters are W/E (x), S/N (y),
 * D/U (z).  In memory x runs fastest, then y, z, and the quantity.
 */
#ifndef HALO_GRID_H
#define HALO_GRID_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HALO_DIRECTIONS = 27 }; /* with the middle one, which is not used */

typedef struct halo_grid {
  int n[3], width, quantities;
  int ranks[3], coord[3]; /* the rank grid and this rank's place in it */
} halo_grid;

typedef struct halo_box { /* cells from low, `size` of them */
  int low[3], size[3];
} halo_box;

/* Up to six boxes that do not meet. */
typedef struct halo_boxes {
  halo_box box[6];
  int count;
} halo_boxes;

/* Number of a direction, 0..26; 13 is the middle. */
static inline int halo_direction(const int d[3]) {
  return (d[2] + 1) * 9 + (d[1] + 1) * 3 + d[0] + 1;
}
static inline int halo_opposite(int direction) { return 26 - direction; }
/* From letters such as "WND"; 13 for anything else. */
int halo_parse(const char *letters);

/* Cells and floats. */
int64_t halo_cells(const halo_box *box);
size_t halo_padded(const halo_grid *grid); /* floats with the halo */
size_t halo_inside(const halo_grid *grid); /* floats without */

/* What is sent towards a direction, and the halo on that side. */
halo_box halo_send_box(const halo_grid *grid, int direction);
halo_box halo_ghost_box(const halo_grid *grid, int direction);
/* Cells whose new values need no halo, and the others. */
halo_boxes halo_interior(const halo_grid *grid);
halo_boxes halo_boundary(const halo_grid *grid);

/* The stencil: new(c) = sum over o in {-1,0,1}^3 of (1 + number of o) times
 * old(c + width * o); so every cell of the block depends on the halo's far
 * edge in all directions.  Values are whole numbers: sums are exact. */
void halo_fill(const halo_grid *grid, float *padded); /* halo included */
void halo_expect(const halo_grid *grid, const float *padded, float *inside);
void halo_stencil(const halo_grid *grid, const halo_boxes *boxes,
                  const float *padded, float *inside);

/* Copies a box between the padded block and a dense buffer. */
void halo_pack(const halo_grid *grid, const halo_box *box, const float *padded,
               float *buffer);
void halo_unpack(const halo_grid *grid, const halo_box *box,
                 const float *buffer, float *padded);

#ifdef __cplusplus
}
#endif
#endif
