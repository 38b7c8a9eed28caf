// SPDX-License-Identifier: GPL-3.0-or-later
/// An arm of flesh with two bones inside, linked by a ball.
#ifndef VB_TESTS_SUPPORT_ARM_H
#define VB_TESTS_SUPPORT_ARM_H

#include "scenes/bones.h"
#include "scenes/solids.h"

/// Ties the nodes of a box whose x is from `low` to `high`, one cell inside of the sides, to a new
/// bone.
static inline void arm_bone(const solid_box *s, const char *name, double low, double high) {
  vb_bone bone = {0};
  strcpy(bone.name, name);
  int32_t index = fixture_add(s->builder, VB_SET_BONE, &bone);
  for (size_t i = 0; i < s->n_nodes; i++) {
    const double *x = solids_nodes(s)[i].rest_position;
    bool inner = x[0] > low - 1e-9 && x[0] < high + 1e-9;
    for (int c = 1; c < 3; c++) {
      double cell = s->size[c] / s->cells[c];
      inner = inner && x[c] > cell - 1e-9 && x[c] < s->size[c] - cell + 1e-9;
    }
    if (inner)
      fixture_add(s->builder, VB_SET_TIE,
                  &(vb_tie){.location = VB_AT_NODE, .index = (int32_t)i, .bone = index});
  }
}

/// A bar of 1.2 x 0.4 x 0.4 m along x, 12 x 4 x 4 cells, E 5e4 Pa, nu 0.3, with bones from 0.1 to
/// 0.5 m and 0.7 to 1.1 m, under gravity in steps of 1/30 s; its face x = 0 held, or all of it free
/// and turning.
static inline vb_scene *arm_scene(bool is_free) {
  vb_builder *b = scenes_begin(1.0 / 30, 9.81);
  solid_box s = solids_box(b, (const int32_t[]){12, 4, 4}, (const double[]){1.2, 0.4, 0.4}, 0.3, 0);
  size_t n;
  vb_tetrahedron *t = vb_builder_elements(b, VB_SET_TETRAHEDRON, &n);
  for (size_t i = 0; i < n; i++)
    t[i].young = 5e4;
  if (!is_free)
    solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  arm_bone(&s, "upper", 0.1, 0.5);
  arm_bone(&s, "fore", 0.7, 1.1);
  for (size_t i = 0; is_free && i < s.n_nodes; i++)
    solids_nodes(&s)[i].velocity[1] = 2 * solids_nodes(&s)[i].rest_position[0] - 1;
  for (int k = 0; is_free && k < 2; k++) {
    bones_of(b)[k].velocity[1] = 2 * (k == 0 ? 0.3 : 0.9) - 1;
    bones_of(b)[k].angular_velocity[2] = 2;
  }
  vb_link elbow = bones_link("elbow", VB_LINK_BALL, 1, 0, -1, 0.6, 0.2, 0.2);
  fixture_add(b, VB_SET_LINK, &elbow);
  return fixture_freeze(b);
}

#endif
