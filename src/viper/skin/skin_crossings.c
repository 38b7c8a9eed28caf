// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_crossings.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

/// Rounds until what still crosses is left: five times as many as the crowd of octopus_skins needs.
#define ROUNDS 100
/// Vertices move that are so many edges from triangles that cross, and what they are moved by
/// spreads over an edge so many times: once more each time that so many rounds did not do.
#define RINGS          2
#define SPREADS        1
#define ROUNDS_A_WIDTH 15
/// Longest move, in edges: triangles do not leap over each other.
#define FARTHEST_MOVE 0.15
/// What a vertex that moves goes of the way to the mean of its neighbors, so that triangles do not
/// fold over.
#define SMOOTHED 0.1

vb_status viper_skin_crossings_create(const viper_skin *skin, const double *x,
                                      viper_skin_crossings *out, vb_error *error) {
  const size_t n = skin->n_vertices, n_triangles = skin->n_triangles;
  *out = (viper_skin_crossings){.skin = skin};
  VB_TAKE(&out->memory, out->triangle, 3 * n_triangles);
  VB_TAKE(&out->memory, out->marked, n_triangles);
  VB_TAKE(&out->memory, out->active, n_triangles);
  VB_TAKE(&out->memory, out->moves, n);
  VB_TAKE(&out->memory, out->moving, n);
  VB_TAKE(&out->memory, out->direction, n);
  VB_TAKE(&out->memory, out->before, n);
  const vb_status status = vb_arena_status(&out->memory, error);
  if (status)
    return status;
  for (size_t t = 0; t < n_triangles; t++)
    memcpy(out->triangle + 3 * t, skin->triangle[t].vertex, 3 * sizeof *out->triangle);
  return vb_surface_watch_create(x, n, out->triangle, n_triangles, &out->watch, error);
}

void viper_skin_crossings_clear(viper_skin_crossings *crossings) {
  vb_surface_watch_clear(&crossings->watch);
  vb_arena_clear(&crossings->memory);
}

static void take_vertex(viper_skin_crossings *crossings, int32_t i) {
  if (!crossings->moves[i])
    crossings->moving[crossings->n_moving++] = i;
  crossings->moves[i] = true;
}

/// Lists the vertices of triangles that cross and those up to `rings` edges away; and asks for the
/// triangles that have any of them.
static void mark(viper_skin_crossings *crossings, int rings) {
  const viper_skin_mesh *mesh = &crossings->skin->mesh;
  const size_t n = crossings->skin->n_triangles;
  crossings->n_moving = 0;
  memset(crossings->moves, 0, crossings->skin->n_vertices * sizeof *crossings->moves);
  for (size_t t = 0; t < n; t++)
    for (size_t c = 0; c < 3 && crossings->marked[t]; c++)
      take_vertex(crossings, crossings->triangle[3 * t + c]);
  for (size_t ring = 0, begin = 0; ring < (size_t)rings; ring++) {
    const size_t end = crossings->n_moving;
    for (; begin < end; begin++)
      for (size_t e = mesh->first[crossings->moving[begin]];
           e < mesh->first[crossings->moving[begin] + 1]; e++)
        take_vertex(crossings, mesh->neighbor[e]);
  }
  for (size_t t = 0; t < n; t++) {
    const int32_t *v = crossings->triangle + 3 * t;
    crossings->active[t] =
        crossings->moves[v[0]] || crossings->moves[v[1]] || crossings->moves[v[2]];
  }
}

/// Searches for triangles that cross: in all, or in those asked for, where no others have moved.
static vb_status search(viper_skin_crossings *crossings, bool all, const double *x, size_t *n,
                        vb_error *error) {
  vb_surface_crossings found = {0};
  memset(crossings->marked, 0, crossings->watch.n_triangles * sizeof *crossings->marked);
  const vb_status status = vb_surface_watch_mark(
      &crossings->watch, x, all ? NULL : crossings->active, crossings->marked, &found, error);
  *n = found.within + found.between;
  return status;
}

/// Writes the mean over the neighbors of vertex `i`.
static void mean_of_neighbors(const viper_skin_mesh *mesh, const double (*from)[3], int32_t i,
                              double out[3]) {
  const double part = 1 / (double)(mesh->first[i + 1] - mesh->first[i]);
  memset(out, 0, 3 * sizeof *out);
  for (size_t e = mesh->first[i]; e < mesh->first[i + 1]; e++)
    vb_add_scaled(out, part, from[mesh->neighbor[e]], out);
}

/// Copies what moving vertices and their neighbors have.
static void keep(const viper_skin_crossings *crossings, const double *from) {
  const viper_skin_mesh *mesh = &crossings->skin->mesh;
  for (size_t k = 0; k < crossings->n_moving; k++) {
    const int32_t i = crossings->moving[k];
    memcpy(crossings->before[i], from + 3 * (size_t)i, sizeof *crossings->before);
    for (size_t e = mesh->first[i]; e < mesh->first[i + 1]; e++)
      memcpy(crossings->before[mesh->neighbor[e]], from + 3 * (size_t)mesh->neighbor[e],
             sizeof *crossings->before);
  }
}

/// Adds to the way of each moving vertex the mean of its neighbors' `spreads` times.
static void spread(const viper_skin_crossings *crossings, int spreads) {
  for (int pass = 0; pass < spreads; pass++) {
    keep(crossings, crossings->direction[0]);
    for (size_t k = 0; k < crossings->n_moving; k++) {
      double mean[3];
      mean_of_neighbors(&crossings->skin->mesh, (const double(*)[3])crossings->before,
                        crossings->moving[k], mean);
      vb_add_scaled(crossings->direction[crossings->moving[k]], 1, mean,
                    crossings->direction[crossings->moving[k]]);
    }
  }
}

/// Moves listed vertices along their ways, which are as long as there are crossings, but no
/// farther than FARTHEST_MOVE.
static void move(const viper_skin_crossings *crossings, double *x) {
  const double most = FARTHEST_MOVE * crossings->skin->mesh.edge;
  keep(crossings, x);
  for (size_t k = 0; k < crossings->n_moving; k++) {
    const int32_t i = crossings->moving[k];
    const double *direction = crossings->direction[i];
    double *at = x + 3 * (size_t)i, mean[3];
    if (crossings->skin->vertex[i].segment >= 0)
      continue;
    mean_of_neighbors(&crossings->skin->mesh, (const double(*)[3])crossings->before, i, mean);
    for (int c = 0; c < 3; c++)
      at[c] += SMOOTHED * (mean[c] - at[c]) +
               most / sqrt(1 + vb_dot(direction, direction)) * direction[c];
  }
}

vb_status viper_skin_remove_crossings(viper_skin_crossings *crossings, double *x, size_t *left,
                                      vb_error *error) {
  vb_status status = search(crossings, true, x, left, error);
  for (int round = 0; round < ROUNDS && !status && *left > 0; round++) {
    const int wider = round / ROUNDS_A_WIDTH;
    memset(crossings->direction, 0, crossings->skin->n_vertices * sizeof *crossings->direction);
    vb_surface_watch_shorten(&crossings->watch, x, crossings->marked, crossings->direction);
    mark(crossings, RINGS + wider);
    spread(crossings, SPREADS + wider);
    move(crossings, x);
    status = search(crossings, false, x, left, error);
  }
  return status;
}

vb_status viper_skin_take_back(viper_skin_crossings *crossings, const double *apart, double *x,
                               vb_error *error) {
  size_t left = 0;
  vb_status status = search(crossings, true, x, &left, error);
  for (int rings = 0; !status && left > 0; rings++) {
    mark(crossings, rings);
    for (size_t k = 0; k < crossings->n_moving; k++) {
      const size_t at = 3 * (size_t)crossings->moving[k];
      memcpy(x + at, apart + at, 3 * sizeof *x);
    }
    status = search(crossings, false, x, &left, error);
  }
  return status;
}
