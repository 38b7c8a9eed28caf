// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_parts.h"

#include <stdlib.h>
#include <string.h>

/// What all parts are made of, and the one that is being made.
typedef struct maker {
  const viper_skin_crossings *crossings;
  const double *x;
  int32_t *local; ///< [n_vertices of the whole] a vertex' place in the part; -1
  int32_t *found; ///< [n_found] triangles of the whole
  size_t n_found, room;
} maker;

/// Puts a box among `n` that do not overlap: those that it overlaps become one with it.
static size_t put_box(vb_bounds *box, size_t n, vb_bounds one) {
  for (size_t i = 0; i < n;) {
    if (!vb_bounds_overlap(&box[i], &one)) {
      i++;
      continue;
    }
    for (int k = 0; k < 3; k++) {
      one.low[k] = box[i].low[k] < one.low[k] ? box[i].low[k] : one.low[k];
      one.high[k] = box[i].high[k] > one.high[k] ? box[i].high[k] : one.high[k];
    }
    box[i] = box[--n];
    i = 0; // it may overlap others now
  }
  box[n] = one;
  return n + 1;
}

/// Lists the triangles that reach into a box. False without memory.
static bool find_triangles(maker *m, const vb_bounds *box) {
  const vb_surface_watch *watch = &m->crossings->watch;
  int32_t stack[VB_BOX_TREE_DEPTH];
  int n = 0;
  m->n_found = 0;
  stack[n++] = 0;
  while (n > 0) {
    const vb_box_node *node = &watch->tree.node[stack[--n]];
    if (!vb_bounds_overlap(&node->bounds, box))
      continue;
    for (int k = 0; node->count == 0 && k < 2; k++)
      stack[n++] = node->first + k;
    for (int32_t k = 0; k < node->count; k++) {
      const int32_t t = watch->tree.item[node->first + k];
      if (!vb_bounds_overlap(&watch->bounds[t], box))
        continue;
      if (!VB_GROW(m->found, m->room, m->n_found + 1))
        return false;
      m->found[m->n_found++] = t;
    }
  }
  return true;
}

static bool is_inside(const vb_bounds *box, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (x[k] < box->low[k] || x[k] > box->high[k])
      return false;
  return true;
}

/// Numbers the vertices of the triangles found, and returns how many there are.
static size_t number_vertices(maker *m) {
  size_t n = 0;
  for (size_t k = 0; k < m->n_found; k++)
    for (int c = 0; c < 3; c++) {
      int32_t *local = &m->local[m->crossings->triangle[3 * (size_t)m->found[k] + (size_t)c]];
      if (*local < 0)
        *local = (int32_t)n++;
    }
  return n;
}

/// Fills the vertices of a part, and the neighbors of those that are not fastened.
static void fill_vertices(const maker *m, const vb_bounds *box, viper_skin_part *part,
                          vb_surface_vertex *vertex) {
  const viper_skin *whole = m->crossings->skin;
  viper_skin_mesh *mesh = &part->skin.mesh;
  size_t n = 0;
  for (size_t i = 0; i < part->skin.n_vertices; i++) {
    const size_t w = (size_t)part->vertex[i];
    const double *at = m->x + 3 * w;
    vertex[i].segment = is_inside(box, at) ? whole->vertex[w].segment : 0;
    memcpy(part->x + 3 * i, at, 3 * sizeof *at);
    memcpy(part->beyond[i], m->crossings->beyond[w], sizeof *part->beyond);
    mesh->first[i] = n;
    for (size_t e = whole->mesh.first[w]; vertex[i].segment < 0 && e < whole->mesh.first[w + 1];
         e++)
      mesh->neighbor[n++] = m->local[whole->mesh.neighbor[e]];
  }
  mesh->first[part->skin.n_vertices] = n;
}

static vb_status make_part(maker *m, const vb_bounds *box, vb_arena *memory, viper_skin_part *part,
                           vb_error *error) {
  const viper_skin *whole = m->crossings->skin;
  vb_surface_vertex *vertex;
  vb_triangle *triangle;
  if (!find_triangles(m, box))
    return vb_error_memory(error);
  const size_t n = number_vertices(m);
  size_t n_neighbors = 0;
  VB_TAKE(memory, part->vertex, n);
  VB_TAKE(memory, part->x, 3 * n);
  VB_TAKE(memory, part->beyond, n);
  VB_TAKE(memory, part->skin.mesh.first, n + 1);
  VB_TAKE(memory, vertex, n);
  VB_TAKE(memory, triangle, m->n_found);
  if (memory->failed)
    return vb_arena_status(memory, error);
  part->skin.vertex = vertex;
  part->skin.triangle = triangle;
  part->skin.n_vertices = n;
  part->skin.n_triangles = m->n_found;
  part->skin.mesh.edge = whole->mesh.edge;
  for (size_t k = 0; k < m->n_found; k++)
    for (int c = 0; c < 3; c++) {
      const int32_t w = m->crossings->triangle[3 * (size_t)m->found[k] + (size_t)c];
      triangle[k].vertex[c] = m->local[w];
      part->vertex[m->local[w]] = w;
    }
  for (size_t i = 0; i < n; i++)
    n_neighbors += whole->mesh.first[part->vertex[i] + 1] - whole->mesh.first[part->vertex[i]];
  VB_TAKE(memory, part->skin.mesh.neighbor, n_neighbors);
  if (memory->failed)
    return vb_arena_status(memory, error);
  fill_vertices(m, box, part, vertex);
  for (size_t i = 0; i < n; i++)
    m->local[part->vertex[i]] = -1;
  return VB_OK;
}

vb_status viper_skin_parts_create(const viper_skin_crossings *crossings, const double *x,
                                  double margin, viper_skin_parts *out, vb_error *error) {
  const size_t n = crossings->skin->n_vertices, n_triangles = crossings->skin->n_triangles;
  vb_arena scratch = {0};
  vb_bounds *box;
  maker m = {.crossings = crossings, .x = x};
  *out = (viper_skin_parts){0};
  VB_TAKE(&scratch, box, n_triangles);
  VB_TAKE(&scratch, m.local, n);
  vb_status status = vb_arena_status(&scratch, error);
  if (!status)
    memset(m.local, -1, n * sizeof *m.local);
  for (size_t t = 0; t < n_triangles && !status; t++) {
    vb_bounds one = crossings->watch.bounds[t];
    for (int k = 0; k < 3; k++) {
      one.low[k] -= margin;
      one.high[k] += margin;
    }
    if (crossings->marked[t])
      out->n = put_box(box, out->n, one);
  }
  VB_TAKE(&out->memory, out->part, out->n);
  if (!status)
    status = vb_arena_status(&out->memory, error);
  for (size_t k = 0; k < out->n && !status; k++)
    status = make_part(&m, &box[k], &out->memory, &out->part[k], error);
  free(m.found);
  vb_arena_clear(&scratch);
  return status;
}

void viper_skin_parts_clear(viper_skin_parts *parts) {
  vb_arena_clear(&parts->memory);
}
