/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grid.c - see grid.h.
 */
#include "grid.h"

int halo_parse(const char *letters) {
  int d[3] = {0, 0, 0};
  for (; letters != NULL && *letters != 0; letters++)
    switch (*letters) {
    case 'W':
      d[0] = -1;
      break;
    case 'E':
      d[0] = 1;
      break;
    case 'S':
      d[1] = -1;
      break;
    case 'N':
      d[1] = 1;
      break;
    case 'D':
      d[2] = -1;
      break;
    case 'U':
      d[2] = 1;
      break;
    default:
      return 13;
    }
  return halo_direction(d);
}

int64_t halo_cells(const halo_box *box) {
  return (int64_t)box->size[0] * box->size[1] * box->size[2];
}

size_t halo_padded(const halo_grid *grid) {
  size_t floats = (size_t)grid->quantities;
  for (int i = 0; i < 3; i++)
    floats *= (size_t)(grid->n[i] + 2 * grid->width);
  return floats;
}

size_t halo_inside(const halo_grid *grid) {
  return (size_t)grid->quantities * (size_t)grid->n[0] * (size_t)grid->n[1] *
         (size_t)grid->n[2];
}

static int component(int direction, int i) {
  static const int step[3] = {1, 3, 9};
  return direction / step[i] % 3 - 1;
}

halo_box halo_send_box(const halo_grid *grid, int direction) {
  halo_box box;
  for (int i = 0; i < 3; i++) {
    int d = component(direction, i);
    box.low[i] = d > 0 ? grid->n[i] - grid->width : 0;
    box.size[i] = d == 0 ? grid->n[i] : grid->width;
  }
  return box;
}

halo_box halo_ghost_box(const halo_grid *grid, int direction) {
  halo_box box;
  for (int i = 0; i < 3; i++) {
    int d = component(direction, i);
    box.low[i] = d > 0 ? grid->n[i] : d < 0 ? -grid->width : 0;
    box.size[i] = d == 0 ? grid->n[i] : grid->width;
  }
  return box;
}

static void add_box(halo_boxes *boxes, halo_box box) {
  if (halo_cells(&box) > 0)
    boxes->box[boxes->count++] = box;
}

/* Start and length of the cells of dimension i that are width away from both
 * ends. */
static void core(const halo_grid *grid, int i, int *low_p, int *size_p) {
  int size = grid->n[i] - 2 * grid->width;
  *low_p = grid->width;
  *size_p = size > 0 ? size : 0;
}

halo_boxes halo_interior(const halo_grid *grid) {
  halo_boxes boxes = {.count = 0};
  halo_box box;
  for (int i = 0; i < 3; i++)
    core(grid, i, box.low + i, box.size + i);
  add_box(&boxes, box);
  return boxes;
}

/* Slabs: below and above in z, then in y within the core of z, then in x
 * within the cores of both. */
halo_boxes halo_boundary(const halo_grid *grid) {
  halo_boxes boxes = {.count = 0};
  halo_box rest = {{0, 0, 0}, {grid->n[0], grid->n[1], grid->n[2]}};
  for (int i = 2; i >= 0; i--) {
    halo_box slab = rest;
    core(grid, i, rest.low + i, rest.size + i);
    slab.size[i] = grid->width;
    add_box(&boxes, slab);
    slab.low[i] = grid->width + rest.size[i];
    slab.size[i] = grid->n[i] - slab.low[i];
    add_box(&boxes, slab);
  }
  return boxes;
}

static float value(const halo_grid *grid, int x, int y, int z, int q) {
  int cell[3] = {x, y, z};
  uint64_t mixed = (uint64_t)q + 1;
  for (int i = 0; i < 3; i++) {
    int64_t all = (int64_t)grid->n[i] * grid->ranks[i];
    int64_t global = (int64_t)grid->coord[i] * grid->n[i] + cell[i];
    mixed = mixed * (uint64_t)all + (uint64_t)((global + all) % all);
  }
  mixed *= UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ (mixed >> 32)) * UINT64_C(0xd6e8feb86659fd93);
  return (float)(int)((mixed >> 32) % 17) - 8;
}

/* Place of a cell in the padded block. */
static size_t at(const halo_grid *grid, int x, int y, int z, int q) {
  size_t w = (size_t)grid->width, px = (size_t)grid->n[0] + 2 * w,
         py = (size_t)grid->n[1] + 2 * w, pz = (size_t)grid->n[2] + 2 * w;
  return (((size_t)q * pz + (size_t)(z + grid->width)) * py +
          (size_t)(y + grid->width)) *
             px +
         (size_t)(x + grid->width);
}

static size_t at_inside(const halo_grid *grid, int x, int y, int z, int q) {
  const int *n = grid->n;
  return (((size_t)q * (size_t)n[2] + (size_t)z) * (size_t)n[1] + (size_t)y) *
             (size_t)n[0] +
         (size_t)x;
}

void halo_fill(const halo_grid *grid, float *padded) {
  const int *n = grid->n, w = grid->width;
  for (int q = 0; q < grid->quantities; q++)
    for (int z = -w; z < n[2] + w; z++)
      for (int y = -w; y < n[1] + w; y++)
        for (int x = -w; x < n[0] + w; x++)
          *padded++ = value(grid, x, y, z, q);
}

static float stencil(const halo_grid *grid, const float *padded, int x, int y,
                     int z, int q) {
  float sum = 0, weight = 1;
  int w = grid->width;
  for (int c = -1; c <= 1; c++)
    for (int b = -1; b <= 1; b++)
      for (int a = -1; a <= 1; a++)
        sum += weight++ * padded[at(grid, x + a * w, y + b * w, z + c * w, q)];
  return sum;
}

void halo_stencil(const halo_grid *grid, const halo_boxes *boxes,
                  const float *padded, float *inside) {
  for (int i = 0; i < boxes->count; i++) {
    const int *low = boxes->box[i].low, *size = boxes->box[i].size;
    for (int q = 0; q < grid->quantities; q++)
      for (int z = low[2]; z < low[2] + size[2]; z++)
        for (int y = low[1]; y < low[1] + size[1]; y++)
          for (int x = low[0]; x < low[0] + size[0]; x++)
            inside[at_inside(grid, x, y, z, q)] =
                stencil(grid, padded, x, y, z, q);
  }
}

void halo_expect(const halo_grid *grid, const float *padded, float *inside) {
  for (int q = 0; q < grid->quantities; q++)
    for (int z = 0; z < grid->n[2]; z++)
      for (int y = 0; y < grid->n[1]; y++)
        for (int x = 0; x < grid->n[0]; x++)
          *inside++ = stencil(grid, padded, x, y, z, q);
}

void halo_pack(const halo_grid *grid, const halo_box *box, const float *padded,
               float *buffer) {
  const int *low = box->low, *size = box->size;
  for (int q = 0; q < grid->quantities; q++)
    for (int z = low[2]; z < low[2] + size[2]; z++)
      for (int y = low[1]; y < low[1] + size[1]; y++)
        for (int x = low[0]; x < low[0] + size[0]; x++)
          *buffer++ = padded[at(grid, x, y, z, q)];
}

void halo_unpack(const halo_grid *grid, const halo_box *box,
                 const float *buffer, float *padded) {
  const int *low = box->low, *size = box->size;
  for (int q = 0; q < grid->quantities; q++)
    for (int z = low[2]; z < low[2] + size[2]; z++)
      for (int y = low[1]; y < low[1] + size[1]; y++)
        for (int x = low[0]; x < low[0] + size[0]; x++)
          padded[at(grid, x, y, z, q)] = *buffer++;
}
