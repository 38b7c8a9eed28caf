// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A case as a point of a series.
typedef struct point {
  char setting[128];
  double bodies;
  double nodes; ///< per body
  const vb_bench_case *c;
} point;

static int by_dofs(const void *a, const void *b) {
  const point *x = a, *y = b;
  return (x->c->dofs > y->c->dofs) - (x->c->dofs < y->c->dofs);
}

/// The cases with a speed, by growing size; the caller frees.
static point *list_points(const vb_bench *bench, size_t *n) {
  point *points = calloc(bench->n_cases + 1, sizeof *points);
  *n = 0;
  for (size_t i = 0; points && i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    if (!vb_bench_has_speed(c) || c->bodies == 0 || c->nodes % c->bodies != 0)
      continue;
    point *p = &points[(*n)++];
    vb_bench_setting_name(c->run->name, p->setting, sizeof p->setting);
    p->bodies = (double)c->bodies;
    p->nodes = (double)c->nodes / p->bodies;
    p->c = c;
  }
  if (points && *n > 0)
    qsort(points, *n, sizeof *points, by_dofs);
  return points;
}

static double varied(const point *p, bool over_bodies) {
  return over_bodies ? p->bodies : p->nodes;
}

static double fixed(const point *p, bool over_bodies) {
  return over_bodies ? p->nodes : p->bodies;
}

/// Whether `p` belongs to the series that `first` begins.
static bool belongs(const point *p, const point *first, bool over_bodies) {
  return strcmp(p->setting, first->setting) == 0 &&
         fixed(p, over_bodies) == fixed(first, over_bodies);
}

/// Whether an earlier point begins this series.
static bool begun(const point *points, size_t i, bool over_bodies) {
  for (size_t k = 0; k < i; k++)
    if (belongs(&points[i], &points[k], over_bodies))
      return true;
  return false;
}

static vb_status collect(const point *points, size_t n, size_t first, bool over_bodies,
                         vb_arena *memory, vb_bench_scaling *out, vb_error *error) {
  *out =
      (vb_bench_scaling){.over_bodies = over_bodies, .fixed = fixed(&points[first], over_bodies)};
  VB_TAKE(memory, out->size, n);
  VB_TAKE(memory, out->dofs, n);
  VB_TAKE(memory, out->step_s, n);
  if (memory->failed)
    return vb_error_memory(error);
  snprintf(out->name, sizeof out->name, "%s.%s", points[first].setting,
           over_bodies ? "bodies" : "nodes");
  for (size_t i = first; i < n; i++) {
    double size = varied(&points[i], over_bodies);
    if (!belongs(&points[i], &points[first], over_bodies) ||
        (out->n > 0 && size <= out->size[out->n - 1]))
      continue;
    out->size[out->n] = size;
    out->dofs[out->n] = (double)points[i].c->dofs;
    out->step_s[out->n++] = points[i].c->step_s.median;
  }
  out->fitted = vb_fit_linear_cost(out->dofs, out->step_s, out->n, &out->cost);
  return VB_OK;
}

vb_status vb_bench_scaling_find(vb_bench *bench, vb_error *error) {
  size_t n_points, found = 0;
  point *points = list_points(bench, &n_points);
  vb_bench_scaling *list;
  vb_bench_scaling_free(bench);
  VB_TAKE(&bench->scaling_memory, list, 2 * bench->n_cases);
  vb_status status = points && list ? VB_OK : vb_error_memory(error);
  for (int over_bodies = 1; over_bodies >= 0; over_bodies--)
    for (size_t i = 0; !status && i < n_points; i++) {
      if (begun(points, i, over_bodies))
        continue;
      status =
          collect(points, n_points, i, over_bodies, &bench->scaling_memory, &list[found], error);
      found += list[found].n >= 3;
    }
  free(points);
  bench->scaling = list;
  bench->n_scaling = found;
  if (status)
    vb_bench_scaling_free(bench);
  return status;
}

void vb_bench_scaling_free(vb_bench *bench) {
  vb_arena_clear(&bench->scaling_memory);
  bench->scaling_memory = (vb_arena){0};
  bench->scaling = NULL;
  bench->n_scaling = 0;
}

static bool has_setting(const vb_bench_case *c, const char *setting) {
  char name[128];
  vb_bench_setting_name(c->run->name, name, sizeof name);
  return vb_bench_has_speed(c) && strcmp(name, setting) == 0;
}

/// The case of that setting on the same scene.
static const vb_bench_case *find_same_scene(const vb_bench *bench, const char *setting,
                                            const char *scene) {
  for (size_t i = 0; i < bench->n_cases; i++)
    if (has_setting(&bench->cases[i], setting) && strcmp(bench->cases[i].scene_sha256, scene) == 0)
      return &bench->cases[i];
  return NULL;
}

double vb_bench_ratio(const vb_bench *benches, size_t n, const char *setting, const char *baseline,
                      size_t *scenes) {
  double sum = 0;
  *scenes = 0;
  for (size_t b = 0; b < n; b++)
    for (size_t i = 0; i < benches[b].n_cases; i++) {
      const vb_bench_case *c = &benches[b].cases[i];
      const vb_bench_case *other =
          has_setting(c, setting) ? find_same_scene(&benches[b], baseline, c->scene_sha256) : NULL;
      if (!other)
        continue;
      sum += log(other->step_s.median / c->step_s.median); // of one scene: the same DOFs
      (*scenes)++;
    }
  return *scenes ? exp(sum / (double)*scenes) : NAN;
}
