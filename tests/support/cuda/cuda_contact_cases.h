// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes with contact that the CUDA backend is tried on, in the emulator and on a device.
#ifndef VB_TESTS_SUPPORT_CUDA_CONTACT_CASES_H
#define VB_TESTS_SUPPORT_CUDA_CONTACT_CASES_H

#include "cuda/cuda_cases.h"

static inline void contact_add(vb_builder *b, double friction, bool self) {
  vb_contact contact = {.margin = 0.01,
                        .static_friction = friction,
                        .kinetic_friction = 0.8 * friction,
                        .self = self};
  fixture_add(b, VB_SET_CONTACT, &contact);
}

static inline void contact_ground(vb_builder *b, double slope, double offset, double friction) {
  double size = sqrt(1 + slope * slope);
  vb_half_plane plane = {.normal = {-slope / size, 0, 1 / size},
                         .offset = offset,
                         .static_friction = friction,
                         .kinetic_friction = 0.9 * friction};
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
}

/// Moves the nodes from `first` on, and gives them a velocity.
static inline void contact_move(vb_builder *b, int32_t first, const double by[3],
                                const double v[3]) {
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = (size_t)first; i < n; i++)
    for (int k = 0; k < 3; k++) {
      node[i].position[k] += by[k];
      node[i].rest_position[k] += by[k];
      node[i].velocity[k] = v[k];
    }
}

/// Octopuses and rods that fall onto each other in a trough, one of them far thicker than the rest.
static inline vb_scene *contact_heap(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  uint64_t seed = 5;
  for (int k = 0; k < 5; k++) {
    int32_t first = scenes_octopus(b, 6, 2, 0, &scenes_rubber);
    contact_move(b, first, (double[]){0.1 * scenes_random(&seed), 0.1 * k, 0.3 + 0.13 * k},
                 (double[]){0, 0.3 * scenes_random(&seed), -1.5});
  }
  for (int k = 0; k < 4; k++) {
    int32_t first = scenes_bar(b, 5, 0.6, 0.04, &scenes_rubber);
    contact_move(b, first, (double[]){-0.3, 0.1 * k, 0.95 + 0.05 * k},
                 (double[]){0.2 * scenes_random(&seed), 0, -2});
  }
  int32_t thick = scenes_bar(b, 2, 1.2, 0.5, &scenes_rubber);
  contact_move(b, thick, (double[]){-0.6, 0.2, 1.7}, (double[]){0, 0, -3});
  contact_add(b, 0.4, false);
  contact_ground(b, 0.3, 0, 0.5);
  contact_ground(b, -0.4, -0.02, 0);
  return fixture_freeze(b);
}

/// A stone that a driver moves through many rods which touch it alone: more contacts at its nodes
/// than there are colors.
static inline vb_scene *contact_stone(void) {
  vb_builder *b = scenes_begin(0.01, -9.81);
  vb_driver hand = {.axis = {0, 0, 1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.translation[0] = hand.translation[1] = hand.angle = -1;
  hand.translation[2] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, -0.5}});
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  scenes_bar(b, 1, 0.02, 0.6, &scenes_rubber);
  for (int32_t i = 0; i < 2; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER | VB_PIN_SCALE, driver);
  scenes_pin_frame(b, 0, driver);
  for (int k = 0; k < 80; k++) {
    int32_t first = scenes_bar(b, 1 + k % 2, 0.1, 0.02, &scenes_rubber);
    double angle = 2.4 * k, reach = 0.02 * sqrt(k);
    contact_move(
        b, first,
        (double[]){reach * cos(angle), reach * sin(angle), -sqrt(0.64 * 0.64 - reach * reach)},
        (double[]){0, 0, 0.1});
  }
  size_t n;
  vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (int32_t j = 0; j < (int32_t)n; j++)
    fixture_add(b, VB_SET_FILTER,
                &(vb_filter){.segment = j, .groups = j ? 2 : 1, .meets = j ? 1 : 2});
  contact_add(b, 0.3, false);
  return fixture_freeze(b);
}

/// A spring whose windings touch, through which a rod of its own friction flies that only some of
/// them meet; and a body that nothing may touch.
static inline vb_scene *contact_spring(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int i = 0; i <= 40; i++) {
    double angle = 0.6 * i;
    int32_t node = fixture_node(b, 0.2 * cos(angle), 0.2 * sin(angle), 0.1 + 0.012 * i, 0.05);
    if (i > 0)
      scenes_segment(b, node - 1, node, &scenes_rubber);
  }
  int32_t rod = scenes_bar(b, 6, 0.7, 0.04, &scenes_rubber);
  contact_move(b, rod, (double[]){-0.9, 0, 0.4}, (double[]){6, 0, 0});
  int32_t ghost = scenes_bar(b, 6, 0.7, 0.04, &scenes_no_surface);
  contact_move(b, ghost, (double[]){-0.9, 0.02, 0.4}, (double[]){6, 0, 0});
  size_t n;
  vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (int32_t j = 0; j < (int32_t)n; j++) {
    vb_filter filter = {.segment = j, .groups = j < 40 ? 1u + (uint32_t)(j % 2) : 4, .meets = 7};
    filter.meets = j >= 46 ? 0 : j >= 40 ? 1 : 7;
    fixture_add(b, VB_SET_FILTER, &filter);
  }
  contact_add(b, 0.2, true);
  contact_ground(b, 0, 0, 0.5);
  fixture_add(b, VB_SET_FRICTION,
              &(vb_friction){.body = 1, .static_friction = 0.9, .kinetic_friction = 0.1});
  return fixture_freeze(b);
}

/// Rods on a ground that do not touch each other, and a wall that a driver pushes and turns against
/// them; their frames are discs, or not.
static inline vb_scene *contact_rods_of(bool discs) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 6; k++) {
    int32_t first = scenes_bar(b, 6, 0.5, 0.03, &scenes_rubber);
    contact_move(b, first, (double[]){0, 0.01 * k, 0.04 + 0.02 * k}, (double[]){1, 0.1 * k, -1});
  }
  contact_ground(b, 0.1, 0, 0.3);
  vb_driver hand = {.axis = {0, 0, 1}, .translation = {-1, -1, -1}};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.translation[0] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 2}});
  hand.angle = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {1, 1}});
  vb_half_plane wall = {
      .normal = {1, 0, 0}, .offset = -0.02, .static_friction = 0.4, .kinetic_friction = 0.4};
  int32_t at = fixture_add(b, VB_SET_HALF_PLANE, &wall);
  fixture_add(b, VB_SET_PLANE_DRIVER, &(vb_plane_driver){at, fixture_add(b, VB_SET_DRIVER, &hand)});
  if (!discs)
    scenes_weigh(b, 1);
  return fixture_freeze(b);
}

static inline vb_scene *contact_rods(void) {
  return contact_rods_of(true);
}

static inline vb_scene *contact_unlike_discs(void) {
  return contact_rods_of(false);
}

/// Rods that are thrown at a raft of others and a held one, so fast that motions are truncated.
static inline vb_scene *contact_throw(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 6; k++) {
    int32_t first = scenes_bar(b, 6, 0.5, 0.02, &scenes_rubber);
    contact_move(b, first, (double[]){0.01 * k, 0.039 * k, 0.03}, (double[]){0, 0, 0});
  }
  vb_driver hand = {.axis = {0, 0, 1}, .translation = {-1, -1, -1}, .angle = -1};
  snprintf(hand.name, sizeof hand.name, "hand");
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int32_t i = 0; i < 7; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER | VB_PIN_SCALE, driver);
  for (int k = 0; k < 12; k++) {
    int32_t first = fixture_node(b, 0.04 * k + 0.02, -0.05, 0.15 + 0.03 * k, 0.02);
    scenes_segment(b, first, fixture_node(b, 0.04 * k + 0.03, 0.2, 0.15 + 0.03 * k, 0.02),
                   &scenes_rubber);
    contact_move(b, first, (double[]){0, 0, 0}, (double[]){0.5 * k, 0, -20 - 2 * k});
  }
  contact_add(b, 0.3, true);
  contact_ground(b, 0, 0, 0.5);
  return fixture_freeze(b);
}

static const cuda_case contact_cases[] = {
    {"heap", contact_heap},         {"stone", contact_stone},
    {"spring", contact_spring},     {"rods on a ground", contact_rods},
    {"thrown rods", contact_throw}, {"rods that are no discs", contact_unlike_discs},
};
enum { N_CONTACT_CASES = sizeof contact_cases / sizeof *contact_cases };

/// What is recorded of contacts; whether both tell the same, bit by bit.
static inline bool contact_same_report(const handle *a, const handle *b) {
  static const char *const fields[] = {"contacts", "complementarity", "contact_speed",
                                       "contact_truncated", "penetration"};
  bool same = true;
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    double x = handle_value(a, fields[k], 0), y = handle_value(b, fields[k], 0);
    if (memcmp(&x, &y, sizeof x) != 0)
      fprintf(stderr, "%s: %.17g and %.17g\n", fields[k], x, y);
    same = same && !memcmp(&x, &y, sizeof x);
  }
  static const char *const sums[] = {"contact_force", "half_plane_force", "contact_work"};
  for (int k = 0; k < 3; k++) {
    if (!handle_same_field(a, b, sums[k])) {
      fprintf(stderr, "%s differs\n", sums[k]);
      same = false;
    }
  }
  return same;
}

#endif
