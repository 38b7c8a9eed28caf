// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/viperize.h"

#include "base/time_limit.h"
#include "muscle/coverage.h"
#include "muscle/harmonic.h"
#include "muscle/levels.h"
#include "muscle/matching.h"
#include "muscle/slice.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pieces of a slice for each rod: a point's place is then known to a few percent of the distance.
#define PIECES 150
/// Rounds of relaxation of a slice alone, and of all with the pull of their neighbors.
#define FIRST_ROUNDS 40
#define ROUNDS       30
/// The pull of neighbors beside a cell's own middle: straightens rods, hardly moves cells.
#define PULL 0.15
/// How much of a distance's deviation from the mean two points make up for in a round.
#define EQUALIZE 1.5
/// The distance below which rods are moved apart, in their radius: they may overlap a little, as
/// equal circles that fill a section must.
#define TOUCH 1.92
/// Rounds between two matchings of neighboring slices.
#define COMB_EVERY 10
/// Pieces of a slice that are gone through between two looks at the clock.
#define LOOK_EVERY 64
/// First points that are tried until distances to the nearest point are within a tenth of their
/// mean in every slice, with some margin; otherwise the most even are kept.
#define TRIES 8
#define EVEN  0.095

void vb_muscle_rods_clear(vb_muscle_rods *rods) {
  free(rods->point);
  free(rods->radius);
  free(rods->level);
  free(rods->area);
  free(rods->field);
  *rods = (vb_muscle_rods){0};
}

/// What is worked on: points of slice j at [j * n_rods + i].
typedef struct work {
  vb_slice *slice;
  size_t n_slices, n_rods;
  double (*point)[3], (*target)[3];
  double *room, *cost;
  int32_t *owner, *column;
  size_t most; ///< pieces of a slice
} work;

static void free_work(work *w) {
  for (size_t j = 0; w->slice && j < w->n_slices; j++)
    vb_slice_clear(&w->slice[j]);
  free(w->slice);
  free(w->point);
  free(w->target);
  free(w->room);
  free(w->cost);
  free(w->owner);
  free(w->column);
}

static double next_random(uint64_t *state) { // xorshift64*, Vigna 2016
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * 2685821657736338717u) >> 11) * 0x1p-53;
}

/// Spreads the first points: each where the slice is farthest from those before.
static void begin_slice(const vb_slice *s, double (*point)[3], size_t n, uint64_t seed) {
  uint64_t state = seed * 6364136223846793005u + 88172645463325252u;
  size_t at = (size_t)(next_random(&state) * (double)s->n);
  if (s->n == 0) // never: vb_slice_make refuses it
    return;
  for (size_t p = 0; p < n; p++) {
    memcpy(point[p], s->sample[at].x, sizeof *point);
    double most = -1;
    for (size_t i = 0; i < s->n; i++) {
      double least = INFINITY;
      if (i % LOOK_EVERY == 0 && vb_time_limit_over())
        return;
      for (size_t q = 0; q <= p; q++)
        least = fmin(least, vb_distance(s->sample[i].x, point[q]));
      if (least > most) {
        most = least;
        at = i;
      }
    }
  }
}

/// Carries the points of the slice before, scaled about its center, to the next.
static void carry(const work *w, size_t j) {
  const vb_slice *from = &w->slice[j - 1], *to = &w->slice[j];
  double scale = sqrt(to->area / from->area);
  for (size_t p = 0; p < w->n_rods; p++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = to->center[k] + scale * (w->point[(j - 1) * w->n_rods + p][k] - from->center[k]);
    vb_slice_project(to, x, w->point[j * w->n_rods + p]);
  }
}

/// Combs: orders the points of each slice like those before, by the least sum of squared distances.
static vb_status comb(work *w, vb_error *error) {
  size_t n = w->n_rods;
  for (size_t j = 1; j < w->n_slices; j++) {
    double(*before)[3] = w->point + (j - 1) * n, (*here)[3] = w->point + j * n;
    for (size_t p = 0; p < n; p++)
      for (size_t q = 0; q < n; q++) {
        double d = vb_distance(before[p], here[q]);
        w->cost[p * n + q] = d * d;
      }
    vb_status status = vb_matching_find(w->cost, (int32_t)n, w->column, error);
    if (status)
      return status;
    for (size_t p = 0; p < n; p++)
      memcpy(w->target[p], here[w->column[p]], sizeof *here);
    memcpy(here, w->target, n * sizeof *here);
  }
  return VB_OK;
}

/// Where neighbors pull the points of a slice: the middle of a rod's points beside, scaled to this
/// slice as cells are.
static void set_targets(const work *w, size_t j) {
  size_t n = w->n_rods;
  for (size_t p = 0; p < n; p++) {
    double *target = w->target[j * n + p];
    int count = 0;
    memset(target, 0, sizeof *w->target);
    for (int side = -1; side <= 1; side += 2) {
      if ((side < 0 && j == 0) || (side > 0 && j + 1 == w->n_slices))
        continue;
      size_t other = side < 0 ? j - 1 : j + 1;
      double scale = sqrt(w->slice[j].area / w->slice[other].area);
      for (int k = 0; k < 3; k++)
        target[k] += w->slice[j].center[k] +
                     scale * (w->point[other * n + p][k] - w->slice[other].center[k]);
      count++;
    }
    for (int k = 0; k < 3; k++)
      target[k] = count ? target[k] / count : w->point[j * n + p][k];
  }
}

/// Adds to `out` a share of what takes two points to the distance `wanted`: half of it, as the
/// other moves, too.
static void move_apart(const double from[3], const double at[3], double wanted, double share,
                       double out[3]) {
  double d = vb_distance(from, at);
  for (int k = 0; d > 0 && k < 3; k++)
    out[k] += share * (wanted / d - 1) / 2 * (at[k] - from[k]);
}

/// Moves points of a slice apart whose rods would overlap; and those whose nearest neighbor is
/// nearer than the mean of these distances from it, others towards theirs. Cells of equal area
/// alone leave distances uneven, and rods that overlap at the expense of the gaps between them.
/// `moved` is room for n points.
static void equalize(const vb_slice *slice, double (*point)[3], size_t n, double (*moved)[3]) {
  double mean = 0, touch = TOUCH * sqrt(slice->area / ((double)n * acos(-1)));
  for (int round = 0; round < 2; round++) // the mean first, then the moves
    for (size_t p = 0; p < n; p++) {
      size_t nearest = p;
      double least = INFINITY;
      memcpy(moved[p], point[p], sizeof *moved);
      for (size_t q = 0; q < n; q++) {
        double d = q == p ? INFINITY : vb_distance(point[p], point[q]);
        if (d < touch)
          move_apart(point[q], point[p], touch, 1, moved[p]);
        if (d < least) {
          least = d;
          nearest = q;
        }
      }
      if (round)
        move_apart(point[nearest], point[p], mean, EQUALIZE, moved[p]);
      else
        mean += least / (double)n;
    }
  for (size_t p = 0; p < n; p++)
    vb_slice_project(slice, moved[p], point[p]);
}

/// Moves all points once, slices side by side: each from what its neighbors were before.
static void relax_all(work *w, double pull) {
  size_t n = w->n_rods;
  int over = 0;
#pragma omp parallel for schedule(static)
  for (size_t j = 0; j < w->n_slices; j++)
    set_targets(w, j);
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t j = 0; j < w->n_slices; j++) {
    if (vb_time_limit_over())
      __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&over, __ATOMIC_RELAXED))
      vb_slice_relax(&w->slice[j], w->point + j * n, n, (const double(*)[3])w->target + j * n, pull,
                     w->owner + j * w->most, w->room + 8 * j * n);
    if (n > 2 && !__atomic_load_n(&over, __ATOMIC_RELAXED))
      equalize(&w->slice[j], w->point + j * n, n, w->target + j * n);
  }
}

/// Spreads, pulls and combs the points.
static vb_status place_points(work *w, uint64_t seed, vb_error *error) {
  size_t n = w->n_rods;
  begin_slice(&w->slice[0], w->point, n, seed);
  for (size_t j = 0; j < w->n_slices && !vb_time_limit_over(); j++) {
    if (j)
      carry(w, j);
    for (int round = 0; round < (j ? FIRST_ROUNDS / 4 : FIRST_ROUNDS); round++)
      vb_slice_relax(&w->slice[j], w->point + j * n, n, NULL, 0, w->owner, w->room);
  }
  vb_status status = vb_time_limit_check(error);
  if (!status)
    status = comb(w, error);
  for (int round = 0; !status && round < ROUNDS; round++) {
    relax_all(w, PULL);
    status = vb_time_limit_check(error);
    if (!status && round % COMB_EVERY == COMB_EVERY - 1)
      status = comb(w, error);
  }
  return status;
}

/// The greatest deviation of a distance to the nearest point from the mean of its slice.
static double find_spread(const work *w) {
  double worst = 0;
  size_t n = w->n_rods;
  for (size_t j = 0; n > 2 && j < w->n_slices && !vb_time_limit_over(); j++) {
    double mean = 0, low = INFINITY, high = 0;
    for (size_t p = 0; p < n; p++) {
      double least = INFINITY;
      for (size_t q = 0; q < n; q++)
        if (q != p)
          least = fmin(least, vb_distance(w->point[j * n + p], w->point[j * n + q]));
      mean += least / (double)n;
      low = fmin(low, least);
      high = fmax(high, least);
    }
    worst = fmax(worst, fmax(high / mean - 1, 1 - low / mean));
  }
  return worst;
}

/// Places the points from several first ones, and keeps the most even.
static vb_status place_best(work *w, uint64_t seed, vb_error *error) {
  size_t size = w->n_slices * w->n_rods * sizeof *w->point;
  double(*best)[3] = reallocarray(NULL, w->n_slices * w->n_rods, sizeof *best), least = INFINITY;
  vb_status status = best ? VB_OK : vb_error_memory(error);
  for (uint64_t t = 0; !status && t < TRIES && least > EVEN; t++) {
    status = place_points(w, seed * TRIES + t, error);
    double spread = find_spread(w);
    if (!status)
      status = vb_time_limit_check(error);
    if (!status && spread < least) {
      least = spread;
      memcpy(best, w->point, size);
    }
  }
  if (!status)
    memcpy(w->point, best, size);
  free(best);
  return status;
}

/// Levels and slices.
static vb_status make_slices(const vb_viperize *asked, vb_muscle_rods *rods, work *w,
                             vb_error *error) {
  vb_status status = vb_levels_choose(asked->mesh, rods->field, w->n_slices, rods->level, error);
  for (size_t j = 0; !status && j < w->n_slices; j++) {
    status = vb_slice_make(asked->mesh, rods->field, rods->level[j], PIECES * w->n_rods,
                           &w->slice[j], error);
    if (!status)
      status = vb_time_limit_check(error);
    if (status)
      return status;
    rods->area[j] = w->slice[j].area;
    w->most = w->slice[j].n > w->most ? w->slice[j].n : w->most;
  }
  size_t points = w->n_slices * w->n_rods;
  w->point = reallocarray(NULL, points, sizeof *w->point);
  w->target = reallocarray(NULL, points, sizeof *w->target);
  w->room = reallocarray(NULL, 8 * points, sizeof *w->room);
  w->cost = reallocarray(NULL, w->n_rods * w->n_rods, sizeof *w->cost);
  w->owner = reallocarray(NULL, w->n_slices * w->most + 1, sizeof *w->owner);
  w->column = reallocarray(NULL, w->n_rods, sizeof *w->column);
  return w->point && w->target && w->room && w->cost && w->owner && w->column
             ? VB_OK
             : vb_error_memory(error);
}

/// Copies the points, and chooses radii: those of equal shares of each slice's area, all times one
/// factor so that the frustums' volume is the mesh's, less what no rod fills.
static vb_status finish(const vb_viperize *asked, const work *w, vb_muscle_rods *rods,
                        vb_error *error) {
  double volume = 0, wanted = 0;
  double *ratio = reallocarray(NULL, asked->mesh->n_tetrahedra, sizeof *ratio);
  if (!ratio)
    return vb_error_memory(error);
  size_t n = w->n_rods, m = w->n_slices;
  for (size_t k = 0; k < asked->mesh->n_tetrahedra; k++)
    wanted += vb_mesh_volume(asked->mesh, k);
  for (size_t j = 0; j < m; j++) {
    rods->radius[j] = sqrt(rods->area[j] / ((double)n * acos(-1)));
    for (size_t p = 0; p < n; p++)
      memcpy(rods->point[p * m + j], w->point[j * n + p], sizeof *rods->point);
  }
  for (size_t p = 0; p < n; p++)
    for (size_t j = 1; j < m; j++) {
      double l = vb_distance(rods->point[p * m + j - 1], rods->point[p * m + j]);
      double a = rods->radius[j - 1], b = rods->radius[j];
      rods->length += l;
      volume += acos(-1) / 3 * l * (a * a + a * b + b * b);
    }
  wanted -= vb_coverage_find(asked->mesh, rods, ratio);
  free(ratio);
  for (size_t j = 0; j < m; j++)
    rods->radius[j] *= sqrt(wanted / volume);
  rods->volume = wanted;
  rods->spread = find_spread(w);
  return vb_time_limit_check(error);
}

vb_status vb_viperize_run(const vb_viperize *asked, vb_muscle_rods *out, vb_error *error) {
  if (asked->n_rods < 1 || asked->n_rods > 2000 || asked->n_slices < 2 || asked->n_slices > 2000)
    return vb_bad_input(error,
                        "there are %d rods and %d slices; there must be 1 to 2000 and 2 to 2000",
                        asked->n_rods, asked->n_slices);
  size_t m = (size_t)asked->n_slices, n = (size_t)asked->n_rods;
  vb_muscle_rods rods = {.n_rods = asked->n_rods, .n_slices = asked->n_slices};
  work w = {.n_slices = m, .n_rods = n};
  rods.point = reallocarray(NULL, n * m, sizeof *rods.point);
  rods.radius = reallocarray(NULL, m, sizeof *rods.radius);
  rods.level = reallocarray(NULL, m, sizeof *rods.level);
  rods.area = reallocarray(NULL, m, sizeof *rods.area);
  rods.field = reallocarray(NULL, asked->mesh->n_vertices + 1, sizeof *rods.field);
  w.slice = calloc(m, sizeof *w.slice);
  vb_status status = rods.point && rods.radius && rods.level && rods.area && rods.field && w.slice
                         ? VB_OK
                         : vb_error_memory(error);
  if (!status)
    status = vb_harmonic_solve(asked, rods.field, error);
  if (!status)
    status = make_slices(asked, &rods, &w, error);
  if (!status)
    status = place_best(&w, asked->seed, error);
  if (!status)
    status = finish(asked, &w, &rods, error);
  free_work(&w);
  if (status)
    vb_muscle_rods_clear(&rods);
  else
    *out = rods;
  return status;
}
