// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/viperize.h"

#include "base/time_limit.h"
#include "muscle/coverage.h"
#include "muscle/harmonic.h"
#include "muscle/levels.h"
#include "muscle/matching.h"
#include "muscle/parts.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdbool.h>
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
/// Rounds in which parts that are not as even have their distances equalized alone.
#define EVEN_ROUNDS 300

void vb_muscle_rods_clear(vb_muscle_rods *rods) {
  free(rods->point);
  free(rods->radius);
  free(rods->level);
  free(rods->area);
  free(rods->field);
  free(rods->part);
  *rods = (vb_muscle_rods){0};
}

/// What is worked on: points of slice j at [j * n_rods + i], in a part each, which the rods through
/// it share.
typedef struct work {
  vb_parts parts;
  size_t n_slices, n_rods;
  double (*point)[3], (*target)[3];
  double (*own)[3], (*pull)[3]; ///< of one part of a slice: points, and where they are pulled
  size_t *index, *part;
  double *room, *cost;
  int32_t *column;
} work;

static void free_work(work *w) {
  if (w->parts.part)
    vb_parts_clear(&w->parts);
  free(w->point);
  free(w->target);
  free(w->own);
  free(w->pull);
  free(w->index);
  free(w->part);
  free(w->room);
  free(w->cost);
  free(w->column);
}

/// Lists the points of slice j that are in `part`. Returns their number.
static size_t gather(const work *w, size_t j, size_t part) {
  size_t n = 0, *index = w->index + j * w->n_rods;
  for (size_t p = 0; p < w->n_rods; p++)
    if (w->part[j * w->n_rods + p] == part) {
      index[n] = p;
      memcpy(w->own[j * w->n_rods + n++], w->point[j * w->n_rods + p], sizeof *w->own);
    }
  return n;
}

/// Writes the points that `gather` listed back.
static void scatter(work *w, size_t j, size_t n) {
  for (size_t i = 0; i < n; i++)
    memcpy(w->point[j * w->n_rods + w->index[j * w->n_rods + i]], w->own[j * w->n_rods + i],
           sizeof *w->own);
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
  if (s->n == 0) // never: no point goes to a part without area
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

/// The part of the slice before whose points are carried to part `k` of slice j: one that is
/// connected with it, of as many points. SIZE_MAX where there is none.
static size_t find_before(const vb_parts *parts, size_t j, size_t k) {
  for (size_t i = j ? parts->first[j - 1] : parts->first[j]; i < parts->first[j]; i++)
    if (parts->part[i].n_points == parts->part[k].n_points &&
        parts->part[i].after == parts->part[k].before)
      return i;
  return SIZE_MAX;
}

/// Carries the points of the part before, scaled about its center, to the next.
static void carry(const work *w, size_t j, size_t before, size_t part, double (*point)[3]) {
  const vb_slice *from = &w->parts.part[before].slice, *to = &w->parts.part[part].slice;
  double scale = sqrt(to->area / from->area);
  size_t n = gather(w, j - 1, before);
  for (size_t p = 0; p < n; p++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = to->center[k] + scale * (w->own[(j - 1) * w->n_rods + p][k] - from->center[k]);
    vb_slice_project(to, x, point[p]);
  }
}

/// Whether a rod may go through part i of a slice and k of the next.
static bool are_joined(const work *w, size_t i, size_t k) {
  return w->parts.part[i].after == w->parts.part[k].before;
}

/// Combs: orders the points of each slice like those before, by the least sum of squared distances.
/// Where parts are not connected, one such pair costs more than all that are.
static vb_status comb(work *w, vb_error *error) {
  size_t n = w->n_rods;
  for (size_t j = 1; j < w->n_slices; j++) {
    double(*before)[3] = w->point + (j - 1) * n, (*here)[3] = w->point + j * n, most = 0;
    size_t *part = w->part + j * n, *room = w->index + j * n;
    const size_t *last = part - n;
    for (size_t p = 0; p < n; p++)
      for (size_t q = 0; q < n; q++) {
        double d = vb_distance(before[p], here[q]);
        w->cost[p * n + q] = d * d;
        most = fmax(most, d * d);
      }
    for (size_t p = 0; p < n; p++)
      for (size_t q = 0; q < n; q++)
        if (!are_joined(w, last[p], part[q]))
          w->cost[p * n + q] += (double)(n + 1) * most;
    vb_status status = vb_matching_find(w->cost, (int32_t)n, w->column, error);
    if (status)
      return status;
    for (size_t p = 0; p < n; p++) {
      memcpy(w->target[p], here[w->column[p]], sizeof *here);
      room[p] = part[w->column[p]];
    }
    memcpy(here, w->target, n * sizeof *here);
    memcpy(part, room, n * sizeof *part);
  }
  return VB_OK;
}

/// How points of a part of one slice go over to a part of the next: by the centers of what the
/// rods through both have in either, and by the roots of their shares of the areas.
typedef struct passage {
  double from[3], to[3], scale;
} passage;

/// The center of those points of slice j in part i whose rods are in part k of slice `other`.
static void center_of_common(const work *w, size_t j, size_t i, size_t other, size_t k,
                             double out[3]) {
  size_t n = 0;
  memset(out, 0, 3 * sizeof *out);
  for (size_t p = 0; p < w->n_rods; p++)
    if (w->part[j * w->n_rods + p] == i && w->part[other * w->n_rods + p] == k) {
      vb_add_scaled(out, 1, w->point[j * w->n_rods + p], out);
      n++;
    }
  for (int c = 0; c < 3; c++)
    out[c] /= (double)n;
}

/// From part k of slice `other` to part i of slice j. Where the same rods are in both, the parts'
/// own centers are taken.
static passage find_passage(const work *w, size_t j, size_t i, size_t other, size_t k) {
  const vb_part *to = &w->parts.part[i], *from = &w->parts.part[k];
  double fewer = (double)from->n_points / to->n_points;
  passage out = {.scale = sqrt(to->slice.area / from->slice.area * fewer)};
  memcpy(out.to, to->slice.center, sizeof out.to);
  memcpy(out.from, from->slice.center, sizeof out.from);
  if (to->n_points > from->n_points)
    center_of_common(w, j, i, other, k, out.to);
  else if (to->n_points < from->n_points)
    center_of_common(w, other, k, j, i, out.from);
  return out;
}

/// Where neighbors pull the points of a slice: the middle of a rod's points beside, scaled to this
/// slice as cells are.
static void set_targets(const work *w, size_t j) {
  size_t n = w->n_rods;
  memset(w->target[j * n], 0, n * sizeof *w->target);
  for (int side = -1; side <= 1; side += 2) {
    if ((side < 0 && j == 0) || (side > 0 && j + 1 == w->n_slices))
      continue;
    size_t other = side < 0 ? j - 1 : j + 1, i = SIZE_MAX, k = SIZE_MAX;
    passage way = {0};
    for (size_t p = 0; p < n; p++) {
      if (w->part[j * n + p] != i || w->part[other * n + p] != k) {
        i = w->part[j * n + p];
        k = w->part[other * n + p];
        way = find_passage(w, j, i, other, k);
      }
      for (int c = 0; c < 3; c++)
        w->target[j * n + p][c] +=
            way.to[c] + way.scale * (w->point[other * n + p][c] - way.from[c]);
    }
  }
  double count = (j > 0) + (j + 1 < w->n_slices);
  for (size_t p = 0; p < n; p++)
    for (int c = 0; c < 3; c++)
      w->target[j * n + p][c] /= count;
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

/// Moves the points of one part of slice j once.
static void relax_part(work *w, size_t j, size_t part, double pull) {
  size_t at = j * w->n_rods, n = gather(w, j, part);
  const vb_slice *slice = &w->parts.part[part].slice;
  for (size_t i = 0; i < n; i++)
    memcpy(w->pull[at + i], w->target[at + w->index[at + i]], sizeof *w->pull);
  vb_slice_relax(slice, w->own + at, n, (const double(*)[3])w->pull + at, pull,
                 w->room + VB_SLICE_ROOM * at);
  if (n > 2)
    equalize(slice, w->own + at, n, w->pull + at);
  scatter(w, j, n);
}

/// Moves all points once, slices side by side: each from what its neighbors were before.
static void relax_all(work *w, double pull) {
  int over = 0;
#pragma omp parallel for schedule(static)
  for (size_t j = 0; j < w->n_slices; j++)
    set_targets(w, j);
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t j = 0; j < w->n_slices; j++)
    for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++) {
      if (vb_time_limit_over())
        __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
      if (!__atomic_load_n(&over, __ATOMIC_RELAXED) && w->parts.part[k].n_points > 0)
        relax_part(w, j, k, pull);
    }
}

/// Begins with the points of slice j, in the order of its parts.
static void begin_points(work *w, size_t j, uint64_t seed) {
  size_t at = j * w->n_rods;
  for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++) {
    size_t n = (size_t)w->parts.part[k].n_points, before = find_before(&w->parts, j, k);
    if (n == 0)
      continue;
    for (size_t p = 0; p < n; p++)
      w->part[at + p] = k;
    if (before == SIZE_MAX)
      begin_slice(&w->parts.part[k].slice, w->point + at, n, seed);
    else
      carry(w, j, before, k, w->point + at);
    int rounds = before == SIZE_MAX ? FIRST_ROUNDS : FIRST_ROUNDS / 4;
    for (int round = 0; round < rounds; round++)
      vb_slice_relax(&w->parts.part[k].slice, w->point + at, n, NULL, 0, w->room);
    at += n;
  }
}

/// Spreads, pulls and combs the points.
static vb_status place_points(work *w, uint64_t seed, vb_error *error) {
  for (size_t j = 0; j < w->n_slices && !vb_time_limit_over(); j++)
    begin_points(w, j, seed);
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

/// The greatest deviation of a distance to the nearest of `n` points from the mean.
static double find_part_spread(const double (*point)[3], size_t n) {
  double mean = 0, low = INFINITY, high = 0;
  for (size_t p = 0; p < n; p++) {
    double least = INFINITY;
    for (size_t q = 0; q < n; q++)
      if (q != p)
        least = fmin(least, vb_distance(point[p], point[q]));
    mean += least / (double)n;
    low = fmin(low, least);
    high = fmax(high, least);
  }
  return fmax(high / mean - 1, 1 - low / mean);
}

/// Equalizes the distances of the points that `gather` listed of a part alone, without moving them
/// to the middles of their cells, and keeps them where they are most even.
static void even_out(work *w, size_t j, size_t part, size_t n) {
  double(*own)[3] = w->own + j * w->n_rods, (*moved)[3] = w->pull + j * w->n_rods;
  double least = find_part_spread((const double(*)[3])own, n);
  for (int round = 0; round < EVEN_ROUNDS && least > EVEN && !vb_time_limit_over(); round++) {
    equalize(&w->parts.part[part].slice, own, n, moved);
    double spread = find_part_spread((const double(*)[3])own, n);
    if (spread < least) {
      least = spread;
      scatter(w, j, n);
    }
  }
}

/// That of all parts of slices.
static void even_out_all(work *w) {
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t j = 0; j < w->n_slices; j++)
    for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++)
      if (w->parts.part[k].n_points > 2)
        even_out(w, j, k, gather(w, j, k));
}

/// That of the worst part of a slice with three points or more.
static double find_spread(const work *w) {
  double worst = 0;
  for (size_t j = 0; j < w->n_slices && !vb_time_limit_over(); j++)
    for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++)
      if (w->parts.part[k].n_points > 2) {
        size_t n = gather(w, j, k);
        worst = fmax(worst, find_part_spread((const double(*)[3])w->own + j * w->n_rods, n));
      }
  return worst;
}

/// Places the points from several first ones, and keeps the most even.
static vb_status place_best(work *w, uint64_t seed, vb_error *error) {
  size_t n = w->n_slices * w->n_rods;
  double(*best)[3] = reallocarray(NULL, n, sizeof *best), least = INFINITY;
  size_t *part = reallocarray(NULL, n, sizeof *part);
  vb_status status = best && part ? VB_OK : vb_error_memory(error);
  for (uint64_t t = 0; !status && t < TRIES && least > EVEN; t++) {
    status = place_points(w, seed * TRIES + t, error);
    double spread = find_spread(w);
    if (!status)
      status = vb_time_limit_check(error);
    if (!status && spread < least) {
      least = spread;
      memcpy(best, w->point, n * sizeof *best);
      memcpy(part, w->part, n * sizeof *part);
    }
  }
  if (!status) {
    memcpy(w->point, best, n * sizeof *best);
    memcpy(w->part, part, n * sizeof *part);
    if (least > EVEN)
      even_out_all(w);
    status = vb_time_limit_check(error);
  }
  free(best);
  free(part);
  return status;
}

/// Levels and slices.
static vb_status make_slices(const vb_viperize *asked, vb_muscle_rods *rods, work *w,
                             vb_error *error) {
  vb_status status = vb_levels_choose(asked->mesh, rods->field, w->n_slices, rods->level, error);
  if (!status)
    status = vb_parts_make(asked->mesh, rods->field, rods->level, w->n_slices, PIECES * w->n_rods,
                           asked->n_rods, &w->parts, error);
  if (status)
    return status;
  for (size_t j = 0; j < w->n_slices; j++) {
    rods->area[j] = 0;
    for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++) {
      const vb_slice *slice = &w->parts.part[k].slice;
      rods->area[j] += slice->area;
    }
  }
  size_t points = w->n_slices * w->n_rods;
  w->point = reallocarray(NULL, points, sizeof *w->point);
  w->target = reallocarray(NULL, points, sizeof *w->target);
  w->own = reallocarray(NULL, points, sizeof *w->own);
  w->pull = reallocarray(NULL, points, sizeof *w->pull);
  w->index = reallocarray(NULL, points, sizeof *w->index);
  w->part = reallocarray(NULL, points, sizeof *w->part);
  w->room = reallocarray(NULL, VB_SLICE_ROOM * points, sizeof *w->room);
  w->cost = reallocarray(NULL, w->n_rods * w->n_rods, sizeof *w->cost);
  w->column = reallocarray(NULL, w->n_rods, sizeof *w->column);
  return w->point && w->target && w->own && w->pull && w->index && w->part && w->room && w->cost &&
                 w->column
             ? VB_OK
             : vb_error_memory(error);
}

/// Copies points and parts, which are numbered from 0 in each slice. Radii are those of equal
/// shares of each part's area.
static void copy_points(const work *w, vb_muscle_rods *rods) {
  size_t n = w->n_rods, m = w->n_slices;
  for (size_t j = 0; j < m; j++) {
    size_t used = 0;
    for (size_t k = w->parts.first[j]; k < w->parts.first[j + 1]; k++) {
      const vb_part *part = &w->parts.part[k];
      for (size_t p = 0; p < n; p++)
        if (w->part[j * n + p] == k) {
          rods->part[p * m + j] = (int32_t)used;
          rods->radius[p * m + j] = sqrt(part->slice.area / ((double)part->n_points * acos(-1)));
          memcpy(rods->point[p * m + j], w->point[j * n + p], sizeof *rods->point);
        }
      used += part->n_points > 0;
    }
    rods->n_parts = (int32_t)used > rods->n_parts ? (int32_t)used : rods->n_parts;
  }
}

/// Copies the points, and chooses radii: those of equal shares, all times one factor so that the
/// frustums' volume is the mesh's, less what no rod fills.
static vb_status finish(const vb_viperize *asked, const work *w, vb_muscle_rods *rods,
                        vb_error *error) {
  double volume = 0, wanted = 0;
  double *ratio = reallocarray(NULL, asked->mesh->n_tetrahedra, sizeof *ratio);
  if (!ratio)
    return vb_error_memory(error);
  size_t n = w->n_rods, m = w->n_slices;
  for (size_t k = 0; k < asked->mesh->n_tetrahedra; k++)
    wanted += vb_mesh_volume(asked->mesh, k);
  copy_points(w, rods);
  for (size_t p = 0; p < n; p++)
    for (size_t j = 1; j < m; j++) {
      double l = vb_distance(rods->point[p * m + j - 1], rods->point[p * m + j]);
      double a = rods->radius[p * m + j - 1], b = rods->radius[p * m + j];
      rods->length += l;
      volume += acos(-1) / 3 * l * (a * a + a * b + b * b);
    }
  wanted -= vb_coverage_find(asked->mesh, rods, ratio);
  free(ratio);
  for (size_t i = 0; i < n * m; i++)
    rods->radius[i] *= sqrt(wanted / volume);
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
  rods.radius = reallocarray(NULL, n * m, sizeof *rods.radius);
  rods.part = reallocarray(NULL, n * m, sizeof *rods.part);
  rods.level = reallocarray(NULL, m, sizeof *rods.level);
  rods.area = reallocarray(NULL, m, sizeof *rods.area);
  rods.field = reallocarray(NULL, asked->mesh->n_vertices + 1, sizeof *rods.field);
  vb_status status = rods.point && rods.radius && rods.part && rods.level && rods.area && rods.field
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
