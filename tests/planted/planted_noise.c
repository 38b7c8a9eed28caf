// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted/planted.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// Of the noise over a radius.
static const double NOISE = 1e-3;

/// A number in [-1, 1) that follows from `seed` (splitmix64).
static double random_from(uint64_t seed) {
  uint64_t z = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) / 4503599627370496.0 - 1;
}

/// In place of the radius of vertices of tetrahedra, which have none: a hundredth of the greatest
/// extent of all nodes, m.
static double usual_radius(const vb_node *node, size_t n) {
  double extent = 0;
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      extent = fmax(extent, fabs(node[i].rest_position[c] - node[0].rest_position[c]));
  return 0.01 * extent;
}

void planted_add_noise(const vb_scene *scene, const vb_field *field, int64_t step, double *out) {
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  if (field->location != VB_AT_NODE || strcmp(field->name, "position") != 0 || step == 0)
    return;
  double otherwise = usual_radius(node, n);
  for (size_t i = 0; i < 3 * n; i++) {
    double radius = node[i / 3].rest_radius;
    out[i] += NOISE * (radius > 0 ? radius : otherwise) *
              random_from((uint64_t)step * 3 * n + (uint64_t)i);
  }
}
