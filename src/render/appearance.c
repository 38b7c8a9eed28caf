// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/appearance.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdbool.h>

// Reflectances: of water 0.02, of most organic matter 0.04. What is moist is smooth.
static const vb_appearance_row MATERIALS[] = {
    [VB_APPEARANCE_SOLID] = {"solid", {-1, -1, -1}, 0.04, 0.45, 0},
    [VB_APPEARANCE_BONE] = {"bone", {0.910, 0.860, 0.745}, 0.04, 0.55, 0.3},
    [VB_APPEARANCE_MUSCLE] = {"muscle", {0.680, 0.215, 0.180}, 0.03, 0.34, 0.5},
    [VB_APPEARANCE_SKIN] = {"skin", {0.890, 0.700, 0.590}, 0.03, 0.42, 1},
    [VB_APPEARANCE_ROPE] = {"rope", {-1, -1, -1}, 0.03, 0.6, 0},
    [VB_APPEARANCE_GLASS] = {"glass", {0.80, 0.86, 0.88}, 0.05, 0.2, 0}};

/// Of a muscle's ends.
static const double TENDON[3] = {0.900, 0.845, 0.770};

#define STREAK       0.42 ///< how much darker or lighter than the mean fibers are
#define BELOW_SKIN   0.16 ///< what is seen of muscles below a skin
#define LIGHTER      0.05 ///< by which muscles differ from each other
#define STREAK_STEPS 6    ///< places on either side that noise is averaged over, a cell apart

const vb_appearance_row *vb_appearance(vb_appearance_kind kind) {
  return &MATERIALS[kind];
}

double vb_appearance_fresnel(double reflectance, double cosine) {
  double rest = 1 - cosine, square = rest * rest;
  return reflectance + (1 - reflectance) * square * square * rest;
}

/// A number from 0 to 1 for a cell of a grid.
static double hash(int64_t x, int64_t y, int64_t z) {
  uint64_t h = (uint64_t)x * 0x9E3779B97F4A7C15U ^ (uint64_t)y * 0xC2B2AE3D27D4EB4FU ^
               (uint64_t)z * 0x165667B19E3779F9U;
  h = (h ^ h >> 31) * 0xBF58476D1CE4E5B9U;
  h = (h ^ h >> 29) * 0x94D049BB133111EBU;
  return (double)(h >> 40) / (double)(1U << 24);
}

/// Noise of cells of size 1, interpolated.
static double noise(const double x[3]) {
  double share[3], sum = 0;
  int64_t cell[3];
  for (int k = 0; k < 3; k++) {
    double low = floor(x[k]), t = x[k] - low;
    cell[k] = (int64_t)fmax(fmin(low, 1e15), -1e15);
    share[k] = t * t * (3 - 2 * t);
  }
  for (int i = 0; i < 8; i++) {
    double weight = 1;
    for (int k = 0; k < 3; k++)
      weight *= i >> k & 1 ? share[k] : 1 - share[k];
    sum += weight * hash(cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2 & 1));
  }
  return sum;
}

/// The fibers at a hit of a triangle, from those of its vertices.
static vb_fiber interpolate(const vb_shapes *s, const vb_hit *hit) {
  const int32_t *corner = s->triangle[(size_t)hit->item - s->n_capsules];
  vb_fiber sum = {{0}, {0}, 0};
  for (int c = 0; c < 3; c++) {
    const vb_fiber *f = &s->fiber[corner[c]];
    for (int k = 0; k < 3; k++) {
      sum.point[k] += hit->share[c] * f->point[k];
      sum.direction[k] += hit->share[c] * f->direction[k];
    }
    sum.tendon += hit->share[c] * f->tendon;
  }
  return sum;
}

/// Noise averaged along the fibers (line integral convolution): from -1 to 1, with streaks.
static double find_streak(const vb_fiber *f) {
  double sum = 0;
  if (vb_dot(f->direction, f->direction) <= 0)
    return 0;
  for (int i = -STREAK_STEPS; i <= STREAK_STEPS; i++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = f->point[k] + 1.3 * i * f->direction[k];
    sum += noise(x) - 0.5;
  }
  return fmax(-1, fmin(1, 5 * sum / (2 * STREAK_STEPS + 1)));
}

static void color_muscle(const double muscle[3], const vb_fiber *f, double value, double color[3]) {
  double tendon = fmax(0, fmin(1, f->tendon)), streak = find_streak(f);
  double lighter = 1 + LIGHTER * (fmod(fabs(value) * 3, 8) - 3.5) / 3.5;
  for (int k = 0; k < 3; k++) {
    double own = lighter * muscle[k] * (1 + STREAK * 0.5 * streak * (k ? 1.2 : 0.6));
    double end = TENDON[k] * (1 + 0.08 * streak);
    color[k] = (1 - tendon) * own + tendon * end;
  }
}

void vb_appearance_color(const vb_palette *palette, const vb_shapes *s, const vb_hit *hit,
                         double color[3]) {
  const vb_appearance_row *m = &MATERIALS[hit->appearance];
  bool natural = palette->kind == VB_NATURAL || hit->appearance == VB_APPEARANCE_GLASS;
  const double *base = hit->color ? hit->color : m->color;
  if (!natural || base[0] < 0) {
    vb_palette_color(palette, hit->value, color);
    return;
  }
  double own[3] = {base[0], base[1], base[2]};
  const double *red = MATERIALS[VB_APPEARANCE_MUSCLE].color;
  bool fibers = s->fiber && (size_t)hit->item >= s->n_capsules;
  vb_fiber f = fibers ? interpolate(s, hit) : (vb_fiber){{0}, {0}, 0};
  if (hit->appearance == VB_APPEARANCE_MUSCLE)
    color_muscle(base, &f, hit->value, own);
  for (int k = 0; k < 3 && fibers && hit->appearance == VB_APPEARANCE_SKIN; k++)
    own[k] += BELOW_SKIN * (1 - fmin(1, f.tendon)) * (red[k] - own[k]);
  for (int k = 0; k < 3; k++)
    color[k] = vb_decode_srgb(fmax(0, fmin(1, own[k])));
}
