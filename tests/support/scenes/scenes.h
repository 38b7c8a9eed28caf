// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes that solvers are tested on.
#ifndef VB_TESTS_SUPPORT_SCENES_H
#define VB_TESTS_SUPPORT_SCENES_H

#include "scenes/scene_fixture.h"

#include <math.h>
#include <stdbool.h>

/// Density and stiffnesses of a rod.
typedef struct scenes_material {
  double density;
  double stiffness[6]; ///< kx ky kz kbx kby kv
} scenes_material;

static const scenes_material scenes_rubber = {1000, {4e4, 5e4, 6e4, 40, 50, 3e5}};
static const scenes_material scenes_no_surface = {1000, {4e4, 5e4, 6e4, 0, 0, 3e5}};

/// A number in [-1, 1) that depends on the seed alone; changes it.
static inline double scenes_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline vb_builder *scenes_begin(double step, double gravity) {
  vb_builder *b = fixture_builder();
  vb_builder_world(b)->step = step;
  vb_builder_world(b)->gravity[2] = -gravity;
  return b;
}

static inline int32_t scenes_segment(vb_builder *b, int32_t from, int32_t to,
                                     const scenes_material *m) {
  vb_segment segment = {.node = {from, to}, .density = m->density};
  memcpy(segment.stiffness, m->stiffness, sizeof segment.stiffness);
  return fixture_add(b, VB_SET_SEGMENT, &segment);
}

/// A straight bar along x from the origin: n segments, one radius. Returns its first node; nodes
/// and segments are numbered along it.
static inline int32_t scenes_bar(vb_builder *b, int n, double length, double radius,
                                 const scenes_material *m) {
  int32_t first = fixture_node(b, 0, 0, 0, radius);
  for (int i = 1; i <= n; i++)
    scenes_segment(b, i - 1 + first, fixture_node(b, length * i / n, 0, 0, radius), m);
  return first;
}

/// A rod that is a helix at rest and grows thicker, every other segment stored against its path.
static inline int32_t scenes_helix(vb_builder *b, int n, double y, const scenes_material *m) {
  int32_t first = -1;
  for (int i = 0; i <= n; i++) {
    double angle = 0.5 * i;
    int32_t node =
        fixture_node(b, 0.3 * cos(angle), y + 0.3 * sin(angle), 0.06 * i, 0.03 * (1 + 0.05 * i));
    if (i == 0)
      first = node;
    else if (i % 2)
      scenes_segment(b, node - 1, node, m);
    else
      scenes_segment(b, node, node - 1, m);
  }
  return first;
}

/// A loop of `ring` nodes with an arm of `arm` segments at every other one: branches and a loop.
static inline int32_t scenes_octopus(vb_builder *b, int ring, int arm, double x,
                                     const scenes_material *m) {
  int32_t first = -1;
  for (int i = 0; i < ring; i++) {
    double angle = 2 * M_PI * i / ring;
    int32_t node = fixture_node(b, x + 0.2 * cos(angle), 0.2 * sin(angle), 0.02 * i, 0.05);
    first = i ? first : node;
  }
  for (int i = 0; i < ring; i++)
    scenes_segment(b, first + i, first + (i + 1) % ring, m);
  for (int i = 0; i < ring; i += 2) {
    double angle = 2 * M_PI * i / ring;
    int32_t at = first + i;
    for (int k = 1; k <= arm; k++) {
      double reach = 0.2 + 0.12 * k;
      int32_t node = fixture_node(b, x + reach * cos(angle), reach * sin(angle),
                                  0.02 * i - 0.03 * k * k, 0.04 - 0.004 * k);
      scenes_segment(b, at, node, m);
      at = node;
    }
  }
  return first;
}

static inline bool scenes_connected(vb_builder *b, int32_t x, int32_t y) {
  size_t n;
  const vb_segment *s = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    if ((s[j].node[0] == x && s[j].node[1] == y) || (s[j].node[0] == y && s[j].node[1] == x))
      return true;
  return false;
}

/// A random tree of n nodes with some extra segments, segments stored either way.
static inline int32_t scenes_graph(vb_builder *b, int n, int extra, uint64_t seed,
                                   const scenes_material *m) {
  int32_t first = -1;
  for (int i = 0; i < n; i++) {
    double x = scenes_random(&seed), y = scenes_random(&seed), z = scenes_random(&seed);
    int32_t node = fixture_node(b, x, y, z, 0.1 + 0.03 * scenes_random(&seed));
    first = i ? first : node;
    if (i == 0)
      continue;
    int32_t other = first + (int32_t)(0.5 * (scenes_random(&seed) + 1) * i);
    if (scenes_random(&seed) > 0)
      scenes_segment(b, node, other, m);
    else
      scenes_segment(b, other, node, m);
  }
  for (int k = 0; k < extra;) {
    int32_t from = first + (int32_t)(0.5 * (scenes_random(&seed) + 1) * n);
    int32_t to = first + (int32_t)(0.5 * (scenes_random(&seed) + 1) * n);
    if (from == to || scenes_connected(b, from, to))
      continue;
    scenes_segment(b, from, to, m);
    k++;
  }
  return first;
}

/// Moves every node and scale at time 0 from rest by up to `size` meters and `size` times 1 (frames
/// follow), and gives all a velocity, scale rate and angular velocity up to `speed`.
static inline void scenes_disturb(vb_builder *b, double size, double speed, uint64_t seed) {
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      node[i].position[k] += size * scenes_random(&seed);
      node[i].velocity[k] = speed * scenes_random(&seed);
    }
    node[i].scale = 1 + size * scenes_random(&seed);
    node[i].scale_rate = speed * scenes_random(&seed);
  }
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    for (int k = 0; k < 3; k++)
      segment[j].angular_velocity[k] = speed * scenes_random(&seed);
}

/// A driver that stands still.
static inline int32_t scenes_wall(vb_builder *b, const char *name) {
  vb_driver wall = {.axis = {0, 0, 1}, .translation = {-1, -1, -1}, .angle = -1};
  snprintf(wall.name, sizeof wall.name, "%s", name);
  return fixture_add(b, VB_SET_DRIVER, &wall);
}

static inline void scenes_pin_node(vb_builder *b, int32_t node, uint32_t mask, int32_t driver) {
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, node, mask, driver});
}

static inline void scenes_pin_frame(vb_builder *b, int32_t segment, int32_t driver) {
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_SEGMENT, segment, VB_PIN_FRAME, driver});
}

/// A curve through n keys (time, value); returns its index.
static inline int32_t scenes_curve(vb_builder *b, vb_interpolation how, int n,
                                   const double keys[][2]) {
  int32_t first = 0;
  for (int k = 0; k < n; k++) {
    int32_t at = fixture_add(b, VB_SET_KEY, &(vb_key){keys[k][0], keys[k][1], (int32_t)how, 0});
    first = k ? first : at;
  }
  return fixture_add(b, VB_SET_CURVE, &(vb_curve){first, n});
}

/// Rest curvature and twist of joint `joint`, 1/m.
static inline void scenes_curve_joint(vb_builder *b, int32_t joint, double u, double v, double w) {
  fixture_add(b, VB_SET_REST_CURVATURE, &(vb_rest_curvature){.joint = joint, .darboux = {u, v, w}});
}

/// A load on a node (force, scale force).
static inline void scenes_push(vb_builder *b, int32_t node, double x, double y, double z,
                               double scale) {
  vb_load load = {.name = "push",
                  .location = VB_AT_NODE,
                  .index = node,
                  .force = {x, y, z},
                  .scale_force = scale,
                  .amplitude = -1};
  fixture_add(b, VB_SET_LOAD, &load);
}

/// Random bending factors of the segments up to number `n`, some of them 0, and a third of the
/// segments without.
static inline void scenes_bend(vb_builder *b, int32_t n, uint64_t seed) {
  for (int32_t j = 0; j < n; j++) {
    vb_bending bending = {.segment = j};
    for (int k = 0; k < 2; k++)
      bending.factor[k] = fmax(0, 1.5 + 2 * scenes_random(&seed));
    if (j % 3 != 1)
      fixture_add(b, VB_SET_BENDING, &bending);
  }
}

/// Makes segments solid, every `one_in` of them from the first on, by moduli near their
/// stiffnesses.
static inline void scenes_solidify(vb_builder *b, size_t one_in) {
  size_t n;
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j += one_in) {
    segment[j].model = VB_MATERIAL_SOLID;
    segment[j].young = 1.1 * segment[j].stiffness[VB_KZ];
    segment[j].shear = 0.38 * segment[j].young;
  }
}

/// Gives every `one_in` segment, from the first on, moments of inertia that are not a disc's but of
/// its size, and from segment to segment others.
static inline void scenes_weigh(vb_builder *b, size_t one_in) {
  size_t n;
  const vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j += one_in) {
    vb_segment *s = &segment[j];
    const vb_node *end[2] = {&node[s->node[0]], &node[s->node[1]]};
    double square = 0, r = 0.5 * (end[0]->rest_radius + end[1]->rest_radius);
    for (int k = 0; k < 3; k++)
      square += pow(end[1]->rest_position[k] - end[0]->rest_position[k], 2);
    const double disc = s->density * M_PI * pow(r, 4) / 4 * sqrt(square);
    const double part[3] = {1.3, j % 4 < 2 ? 0.6 : 1.1, 1.6 + 0.1 * (double)(j % 3)};
    for (int k = 0; k < 3; k++)
      s->frame_inertia[k] = part[k] * disc;
  }
}

/// Holds parts of a frame (vb_frame_mask).
static inline void scenes_hold(vb_builder *b, int32_t segment, uint32_t mask, int32_t driver) {
  fixture_add(b, VB_SET_FRAME_PIN, &(vb_frame_pin){segment, mask, driver, 0});
}

/// An activation of a segment by a curve.
static inline void scenes_activate(vb_builder *b, int32_t segment, vb_active how, int32_t curve) {
  vb_activation a = {.location = VB_AT_SEGMENT, .index = segment, .active = how, .curve = curve};
  snprintf(a.name, sizeof a.name, "muscle %d", segment);
  fixture_add(b, VB_SET_ACTIVATION, &a);
}

static inline void scenes_twist(vb_builder *b, int32_t segment, double x, double y, double z) {
  vb_load load = {.name = "twist",
                  .location = VB_AT_SEGMENT,
                  .index = segment,
                  .torque = {x, y, z},
                  .amplitude = -1};
  fixture_add(b, VB_SET_LOAD, &load);
}

#endif
