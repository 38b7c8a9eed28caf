// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_crossings.h"

#include "scene/rotation.h"
#include "viper/skin/skin_parts.h"

#include <math.h>
#include <string.h>

/// Vertices move that are so many edges from triangles that cross, and what they are moved by
/// spreads over an edge so many times.
#define RINGS   2
#define SPREADS 1
/// Longest move, in edges: triangles do not leap over each other.
#define FARTHEST_MOVE 0.15
/// How much longer edges and triangles are taken to be once any cross, so that none do in places
/// that are rounded when they are stored, 2^-24 of the whole: less than 1e-4 of an edge here.
#define GROWN 1e-3

/// How vertices that move are smoothed.
typedef struct smoothing {
  double part;   ///< of the way to the mean of the neighbors that each round goes
  double beyond; ///< times what a vertex should be beyond that: 1 keeps tubes open, 0 flattens
} smoothing;

/// Rounds of the whole surface, of which a tenth of the crossings remain.
#define WHOLE_ROUNDS 8
static const smoothing WHOLE = {0.4, 1};
/// Of parts around these; after so many of them, one more edge around moves, and moves spread so
/// much farther. A single kind of smoothing stays at some places, at others than the next does:
/// open tubes where an arm was turned inside out, flat ones where it is folded by half a turn.
#define PART_ROUNDS 60
#define WIDER       15
static const smoothing PARTS[] = {{0.8, 0.5}, {0.5, 0}, {0.6, 1}, {0.8, 0}};
#define N_SMOOTHINGS (sizeof PARTS / sizeof *PARTS)
/// How far parts reach around triangles that cross, in edges: farther each time.
static const double REACH[] = {5, 7, 10, 14, 20};
#define N_REACHES (sizeof REACH / sizeof *REACH)

vb_status viper_skin_crossings_create(const viper_skin *skin, const double *x,
                                      const double (*beyond)[3], viper_skin_crossings *out,
                                      vb_error *error) {
  const size_t n = skin->n_vertices, n_triangles = skin->n_triangles;
  *out = (viper_skin_crossings){.skin = skin, .beyond = beyond};
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

/// Asks for the triangles that have vertices which move.
static void ask(viper_skin_crossings *crossings) {
  for (size_t t = 0; t < crossings->skin->n_triangles; t++) {
    const int32_t *v = crossings->triangle + 3 * t;
    crossings->active[t] =
        crossings->moves[v[0]] || crossings->moves[v[1]] || crossings->moves[v[2]];
  }
}

static void forget_moving(viper_skin_crossings *crossings) {
  crossings->n_moving = 0;
  memset(crossings->moves, 0, crossings->skin->n_vertices * sizeof *crossings->moves);
}

/// Lists the vertices of triangles that cross and those up to `rings` edges away; and asks for the
/// triangles that have any of them.
static void mark(viper_skin_crossings *crossings, int rings) {
  const viper_skin_mesh *mesh = &crossings->skin->mesh;
  forget_moving(crossings);
  for (size_t t = 0; t < crossings->skin->n_triangles; t++)
    for (size_t c = 0; c < 3 && crossings->marked[t]; c++)
      take_vertex(crossings, crossings->triangle[3 * t + c]);
  for (size_t ring = 0, begin = 0; ring < (size_t)rings; ring++) {
    const size_t end = crossings->n_moving;
    for (; begin < end; begin++)
      for (size_t e = mesh->first[crossings->moving[begin]];
           e < mesh->first[crossings->moving[begin] + 1]; e++)
        take_vertex(crossings, mesh->neighbor[e]);
  }
  ask(crossings);
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
/// farther than FARTHEST_MOVE, and smooths them.
static void move(const viper_skin_crossings *crossings, const smoothing *smooth, double *x) {
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
      at[c] += smooth->part * (mean[c] + smooth->beyond * crossings->beyond[i][c] - at[c]) +
               most / sqrt(1 + vb_dot(direction, direction)) * direction[c];
  }
}

/// Up to so many rounds, while any of the `*left` pairs cross.
static vb_status go(viper_skin_crossings *crossings, int rounds, const smoothing *smooth, double *x,
                    size_t *left, vb_error *error) {
  vb_status status = VB_OK;
  for (int round = 0; round < rounds && !status && *left > 0; round++) {
    const int wider = round / WIDER;
    memset(crossings->direction, 0, crossings->skin->n_vertices * sizeof *crossings->direction);
    vb_surface_watch_shorten(&crossings->watch, x, crossings->marked, crossings->direction);
    mark(crossings, RINGS + wider);
    spread(crossings, SPREADS + wider);
    move(crossings, smooth, x);
    status = search(crossings, false, x, left, error);
  }
  return status;
}

/// Untangles a part by each kind of smoothing, while any triangles cross.
static vb_status untangle_part(const viper_skin_part *part, vb_error *error) {
  viper_skin_crossings own = {0};
  size_t left = 0;
  vb_status status = viper_skin_crossings_create(&part->skin, part->x,
                                                 (const double(*)[3])part->beyond, &own, error);
  own.watch.grow = GROWN;
  if (!status)
    status = search(&own, true, part->x, &left, error);
  for (size_t k = 0; k < N_SMOOTHINGS && !status; k++)
    status = go(&own, PART_ROUNDS, &PARTS[k], part->x, &left, error);
  viper_skin_crossings_clear(&own);
  return status;
}

/// Puts the vertices of a part where it has moved them.
static void take_part(viper_skin_crossings *crossings, const viper_skin_part *part, double *x) {
  for (size_t i = 0; i < part->skin.n_vertices; i++)
    if (part->skin.vertex[i].segment < 0) {
      memcpy(x + 3 * (size_t)part->vertex[i], part->x + 3 * i, 3 * sizeof *x);
      take_vertex(crossings, part->vertex[i]);
    }
}

/// Untangles parts of the surface that reach so many edges around triangles that cross, each by
/// itself, and searches for what crosses then.
static vb_status untangle_parts(viper_skin_crossings *crossings, double reach, double *x,
                                size_t *left, vb_error *error) {
  viper_skin_parts parts = {0};
  vb_status status =
      viper_skin_parts_create(crossings, x, reach * crossings->skin->mesh.edge, &parts, error);
  const int64_t n = status ? 0 : (int64_t)parts.n;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t k = 0; k < n; k++)
    untangle_part(&parts.part[k], &parts.part[k].error);
  forget_moving(crossings);
  for (int64_t k = 0; k < n && !status; k++) {
    status = parts.part[k].error.status;
    if (status && error)
      *error = parts.part[k].error;
    take_part(crossings, &parts.part[k], x);
  }
  ask(crossings);
  viper_skin_parts_clear(&parts);
  return status ? status : search(crossings, false, x, left, error);
}

/// Searches for triangles that cross, or nearly do where any others cross.
static vb_status search_grown(viper_skin_crossings *crossings, const double *x, size_t *left,
                              vb_error *error) {
  double *grow = &crossings->watch.grow;
  *grow = GROWN;
  vb_status status = search(crossings, true, x, left, error);
  if (status || *left == 0)
    return status;
  memcpy(crossings->active, crossings->marked,
         crossings->skin->n_triangles * sizeof *crossings->active);
  *grow = 0;
  status = search(crossings, false, x, left, error);
  if (status || *left == 0)
    return status;
  *grow = GROWN;
  return search(crossings, false, x, left, error);
}

vb_status viper_skin_remove_crossings(viper_skin_crossings *crossings, double *x, size_t *left,
                                      vb_error *error) {
  vb_status status = search_grown(crossings, x, left, error);
  if (!status)
    status = go(crossings, WHOLE_ROUNDS, &WHOLE, x, left, error);
  for (size_t k = 0; k < N_REACHES && !status && *left > 0; k++)
    status = untangle_parts(crossings, REACH[k], x, left, error);
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
