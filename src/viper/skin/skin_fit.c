// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_fit.h"

#include "scene/rotation.h"
#include "viper/skin/skin_crossings.h"
#include "viper/skin/skin_inside.h"
#include "viper/skin/skin_nearest.h"
#include "viper/skin/skin_pills.h"

#include <math.h>
#include <stdlib.h>

/// Passes of relaxation before anything else: it goes that many edges far.
#define RELAXATIONS 10
/// How often volume and sides of the middle are restored: each gives way to the other a little.
#define LOOPS 6
/// Of these, those after the first which begin with a relaxation, and how far this goes.
#define RELAXED_LOOPS 2
#define RELAXED_PART  0.5

/// The vertices of a skin on their way.
typedef struct fit {
  const viper_skin *skin;
  viper_skin_pills pills;
  viper_skin_inside inside;
  double *x, *before;  ///< [n_vertices][3] m
  double (*beyond)[3]; ///< [n_vertices] from the mean of a vertex' neighbors to it, m
  double (*turn)[5];   ///< [n_vertices] rotation and scale of what a vertex follows
  vb_arena memory;
} fit;

vb_status viper_skin_take_own(viper_skin *skin, const viper_model *model, vb_error *error) {
  vb_capsule *pill = reallocarray(NULL, model->n_segments + 1, sizeof *pill);
  skin->own = calloc(skin->n_vertices + 1, sizeof *skin->own);
  const bool there = pill && skin->own;
  for (int32_t j = 0; j < (int32_t)model->n_segments && there; j++)
    pill[j] = viper_skin_rest_capsule(model, j);
  for (size_t i = 0; i < skin->n_vertices && there; i++) {
    double axis = 0;
    skin->own[i] = viper_skin_nearest_pill(skin, pill, i, skin->vertex[i].rest_position, &axis);
  }
  free(pill);
  return there ? VB_OK : vb_error_memory(error);
}

/// The mean of the rotations and scales that vertex `i` follows.
static void find_turn(const fit *f, const double *frame, size_t i) {
  double *q = f->turn[i], size = 0;
  memset(q, 0, sizeof f->turn[i]);
  for (int e = 0; e < f->skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &f->skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    const double *rest = f->skin->rest[w->segment].frame, *scale = f->pills.scale[w->segment];
    const double back[4] = {rest[0], -rest[1], -rest[2], -rest[3]};
    double own[4], same = 0;
    vb_quaternion_multiply(frame + 4 * (size_t)w->segment, back, own);
    for (int k = 0; k < 4; k++)
      same += q[k] * own[k];
    for (int k = 0; k < 4; k++)
      q[k] += (same < 0 ? -w->weight : w->weight) * own[k];
    q[4] += w->weight * 0.5 * (scale[0] + scale[1]);
  }
  for (int k = 0; k < 4; k++)
    size += q[k] * q[k];
  for (int k = 0; k < 4; k++)
    q[k] = size > 0 ? q[k] / sqrt(size) : k == 0;
}

/// Where vertex `i` is seen from the mean of its neighbors, if each edge turns and grows as its
/// ends do in the mean.
static void find_beyond(const fit *f, size_t i) {
  const viper_skin_mesh *mesh = &f->skin->mesh;
  const double part = 0.5 / (double)(mesh->first[i + 1] - mesh->first[i]);
  memset(f->beyond[i], 0, sizeof f->beyond[i]);
  for (size_t e = mesh->first[i]; e < mesh->first[i + 1]; e++) {
    const size_t ends[2] = {i, (size_t)mesh->neighbor[e]};
    double edge[3], turned[3];
    vb_subtract(f->skin->vertex[i].rest_position, f->skin->vertex[ends[1]].rest_position, edge);
    for (int k = 0; k < 2; k++) {
      vb_quaternion_rotate(f->turn[ends[k]], edge, turned);
      vb_add_scaled(f->beyond[i], part * f->turn[ends[k]][4], turned, f->beyond[i]);
    }
  }
}

/// Moves vertex `i` by `part` of the way to the mean of its neighbors before, and `beyond`.
static void relax_vertex(const fit *f, size_t i, double part, const double beyond[3]) {
  const viper_skin_mesh *mesh = &f->skin->mesh;
  double *x = f->x + 3 * i, to[3];
  const size_t n = mesh->first[i + 1] - mesh->first[i];
  if (f->skin->vertex[i].segment >= 0 || n == 0)
    return;
  memcpy(to, beyond, sizeof to);
  for (size_t e = mesh->first[i]; e < mesh->first[i + 1]; e++)
    vb_add_scaled(to, 1 / (double)n, f->before + 3 * (size_t)mesh->neighbor[e], to);
  for (int k = 0; k < 3; k++)
    x[k] += part * (to[k] - x[k]);
}

static void keep_before(const fit *f) {
  memcpy(f->before, f->x, 3 * f->skin->n_vertices * sizeof *f->x);
}

static void relax(const fit *f, double part) {
  const int64_t n = (int64_t)f->skin->n_vertices;
  keep_before(f);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    relax_vertex(f, (size_t)i, part, f->beyond[i]);
}

static void begin(const fit *f, const double *frame) {
  const int64_t n = (int64_t)f->skin->n_vertices;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    find_turn(f, frame, (size_t)i);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    find_beyond(f, (size_t)i);
  for (int k = 0; k < RELAXATIONS; k++)
    relax(f, 1);
}

/// Restores volumes, and then the sides of middles.
static void restore(const fit *f) {
  const int64_t n = (int64_t)f->skin->n_vertices;
  viper_skin_restore_volume(f->skin, &f->inside, f->x);
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t i = 0; i < n; i++)
    if (f->skin->vertex[i].segment < 0)
      viper_skin_keep_apart(&f->pills, (size_t)i, f->x + 3 * i);
}

static vb_status take(fit *f, vb_error *error) {
  const size_t n = f->skin->n_vertices;
  VB_TAKE(&f->memory, f->before, 3 * n);
  VB_TAKE(&f->memory, f->beyond, n);
  VB_TAKE(&f->memory, f->turn, n);
  return vb_arena_status(&f->memory, error);
}

/// Volume and sides by turns, then what crosses, and the volume once more where nothing comes to
/// cross by that.
static vb_status shape(const fit *f, viper_skin_crossings *crossings, vb_error *error) {
  size_t left = 0;
  for (int loop = 0; loop < LOOPS; loop++) {
    if (loop > 0 && loop <= RELAXED_LOOPS)
      relax(f, RELAXED_PART);
    restore(f);
  }
  const vb_status status = viper_skin_remove_crossings(crossings, f->x, &left, error);
  if (status || left > 0)
    return status;
  keep_before(f);
  viper_skin_restore_volume(f->skin, &f->inside, f->x);
  return viper_skin_take_back(crossings, f->before, f->x, error);
}

vb_status viper_skin_fit(const viper_skin *skin, const viper_model *model, const double *node,
                         const double *frame, double *vertices, vb_error *error) {
  fit f = {.skin = skin};
  viper_skin_crossings crossings = {0};
  if (!viper_skin_is_fitted(skin) || skin->n_vertices == 0)
    return VB_OK;
  f.x = vertices;
  vb_status status = take(&f, error);
  if (!status)
    status = viper_skin_pills_create(skin, model, node, &f.pills, error);
  if (!status)
    status = viper_skin_inside_create(&f.pills, node, &f.inside, error);
  if (!status) {
    begin(&f, frame);
    status =
        viper_skin_crossings_create(skin, f.x, (const double(*)[3])f.beyond, &crossings, error);
  }
  if (!status)
    status = shape(&f, &crossings, error);
  viper_skin_crossings_clear(&crossings);
  viper_skin_pills_clear(&f.pills);
  vb_arena_clear(&f.inside.memory);
  vb_arena_clear(&f.memory);
  return status;
}
