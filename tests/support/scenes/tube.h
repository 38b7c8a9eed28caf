// SPDX-License-Identifier: GPL-3.0-or-later
/// A tube as the skin of a bar, for tests of skins.
#ifndef VB_TESTS_SUPPORT_TUBE_H
#define VB_TESTS_SUPPORT_TUBE_H

#include "scene/rotation.h"
#include "scenes/scenes.h"

#include <math.h>
#include <string.h>

#define TUBE_RADIUS 0.1
#define TUBE_AROUND 12

/// A tube about the x axis from 0 to 1: `n` rings of TUBE_AROUND vertices and a middle at each end;
/// the vertices at the ends fastened to segment `first` or `last`, or -1.
static inline void tube_add(vb_builder *b, int n, int32_t first, int32_t last) {
  for (int i = 0; i <= n; i++)
    for (int k = 0; k < TUBE_AROUND; k++) {
      double angle = 2 * M_PI * k / TUBE_AROUND;
      vb_surface_vertex v = {
          .rest_position = {1.0 * i / n, TUBE_RADIUS * cos(angle), TUBE_RADIUS * sin(angle)},
          .segment = i == 0   ? first
                     : i == n ? last
                              : -1};
      fixture_add(b, VB_SET_SURFACE_VERTEX, &v);
    }
  int32_t middle[2];
  for (int end = 0; end < 2; end++) {
    vb_surface_vertex v = {.rest_position = {end, 0, 0}, .segment = end ? last : first};
    middle[end] = fixture_add(b, VB_SET_SURFACE_VERTEX, &v);
  }
  for (int k = 0; k < TUBE_AROUND; k++) {
    int next = (k + 1) % TUBE_AROUND;
    for (int i = 0; i < n; i++) {
      int32_t a = i * TUBE_AROUND + k, c = i * TUBE_AROUND + next;
      fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{a, c, a + TUBE_AROUND}, 0});
      fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{c, c + TUBE_AROUND, a + TUBE_AROUND}, 0});
    }
    fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{middle[0], next, k}, 0});
    fixture_add(b, VB_SET_TRIANGLE,
                &(vb_triangle){{middle[1], n * TUBE_AROUND + k, n * TUBE_AROUND + next}, 0});
  }
}

/// The volume of that tube, a prism over a regular polygon.
static inline double tube_volume(void) {
  return 0.5 * TUBE_AROUND * TUBE_RADIUS * TUBE_RADIUS * sin(2 * M_PI / TUBE_AROUND);
}

/// A bar along x in a tube, its state at time 0 that of rest after x -> shift + S x, S scaling by
/// `along` along x and by `across` in all else, then turning by `q`; scales are `across`.
static inline vb_scene *tube_bar(int n, double along, double across, const double q[4],
                                 const double shift[3], int32_t first, int32_t last) {
  vb_builder *b = fixture_builder();
  scenes_bar(b, n, 1, TUBE_RADIUS, &scenes_rubber);
  tube_add(b, 3 * n, first, last);
  size_t count;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &count);
  for (size_t i = 0; i < count; i++) {
    double x[3] = {along * node[i].rest_position[0], 0, 0};
    vb_quaternion_rotate(q, x, node[i].position);
    for (int k = 0; k < 3; k++)
      node[i].position[k] += shift[k];
    node[i].scale = across;
  }
  double e_x[3] = {1, 0, 0}, rest[4];
  vb_frame_begin(e_x, rest);
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &count);
  for (size_t j = 0; j < count; j++) {
    memcpy(segment[j].rest_frame, rest, sizeof rest);
    vb_quaternion_multiply(q, rest, segment[j].frame);
  }
  return fixture_freeze(b);
}

static const double tube_unturned[4] = {1}, tube_nowhere[3] = {0};

#endif
