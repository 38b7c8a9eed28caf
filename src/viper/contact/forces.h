// SPDX-License-Identifier: GPL-3.0-or-later
/// Sums of the contact forces on bodies and on half-planes, and of their work, for every backend:
/// on the host, in double and in the order of the contacts. Forces are multipliers (forces times
/// the square of the substep's length, kg m) and include friction.
#ifndef VIPER_CONTACT_FORCES_H
#define VIPER_CONTACT_FORCES_H

#include "viper/contact/constraint.h"
#include "viper/model/model.h"

#include <string.h>

/// Adds `sign` times the force of a contact.
static inline void viper_forces_add(const viper_touch *t, double sign, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] += sign * ((double)t->lambda * (double)t->n[k] + (double)t->slide[k]);
}

/// The row of three of the scene's body that node `i` of the model belongs to.
static inline double *viper_forces_of_node(const viper_model *m, int32_t i, double *on_body) {
  size_t n;
  const vb_node *node = vb_scene_nodes(m->scene, &n);
  return on_body + (ptrdiff_t)3 * node[m->node[i].scene_index].body;
}

/// Sets forces and work to 0. `on_body` is (n_bodies of the scene x 3), `on_plane` (n_half_planes x
/// 6): force, and moment about the origin; `work` is that of normal forces and of friction.
static inline void viper_forces_clear(const viper_model *m, double *on_body, double *on_plane,
                                      double work[2]) {
  size_t n_planes = vb_scene_count(m->scene, VB_SET_HALF_PLANE);
  memset(on_body, 0, 3 * vb_scene_count(m->scene, VB_SET_BODY) * sizeof *on_body);
  if (n_planes > 0)
    memset(on_plane, 0, 6 * n_planes * sizeof *on_plane);
  work[0] = work[1] = 0;
}

/// Adds `n` contacts between capsules, to both bodies.
static inline void viper_forces_between(const viper_model *m, const viper_touch *touch, size_t n,
                                        double *on_body) {
  for (size_t k = 0; k < n; k++)
    for (int side = 0; side < 2; side++)
      viper_forces_add(&touch[k], side ? -1 : 1,
                       viper_forces_of_node(m, touch[k].node[2 * side], on_body));
}

/// Adds `n` contacts with half-planes. Nodes are at `x` (n_nodes x 4), where their forces act.
static inline void viper_forces_on_planes(const viper_model *m, const double *x,
                                          const viper_touch *touch, size_t n, double *on_body,
                                          double *on_plane) {
  for (size_t k = 0; k < n; k++) {
    const double *arm = x + (ptrdiff_t)4 * touch[k].node[0];
    double force[3] = {0}, *out = on_plane + (ptrdiff_t)6 * touch[k].which;
    viper_forces_add(&touch[k], 1, viper_forces_of_node(m, touch[k].node[0], on_body));
    viper_forces_add(&touch[k], -1, force);
    for (int c = 0; c < 3; c++) {
      int next = (c + 1) % 3, other = (c + 2) % 3;
      out[c] += force[c];
      out[3 + c] += arm[next] * force[other] - arm[other] * force[next];
    }
  }
}

/// Adds the work of a contact in the substep, over the relative displacement of its two surfaces.
/// Its half-plane moved by `carried`, 0 between capsules.
static inline void viper_work_add(const viper_touch *t, const viper_contact_node *node,
                                  viper_vec4 carried, int n_nodes, double work[2]) {
  double gap = 0, slid = 0;
  for (int c = 0; c < 3; c++) {
    gap -= (double)t->n[c] * (double)carried[c];
    slid -= (double)t->slide[c] * (double)carried[c];
  }
  for (int k = 0; k < n_nodes; k++) {
    const viper_contact_node *x = &node[t->node[k]];
    for (int c = 0; c < 3; c++) {
      double moved = (double)t->weight[k] * ((double)x->x[c] - (double)x->old[c]);
      gap += (double)t->n[c] * moved;
      slid += (double)t->slide[c] * moved;
    }
    gap += (double)t->pull[k] * ((double)x->x[3] - (double)x->old[3]);
  }
  work[0] += (double)t->lambda * gap;
  work[1] += slid + (double)t->rolled;
}

/// Adds the work of `n` contacts between capsules. Nodes are as after the last pass.
static inline void viper_works_between(const viper_touch *touch, size_t n,
                                       const viper_contact_node *node, double work[2]) {
  for (size_t k = 0; k < n; k++)
    viper_work_add(&touch[k], node, viper_vec4_make(0, 0, 0, 0), 4, work);
}

/// The same for contacts with half-planes.
static inline void viper_works_on_planes(const viper_touch *touch, size_t n,
                                         const viper_contact_node *node, const viper_plane *plane,
                                         double work[2]) {
  for (size_t k = 0; k < n; k++) {
    viper_vec4 carried = viper_plane_displacement(&plane[touch[k].which], node[touch[k].node[0]].x);
    viper_work_add(&touch[k], node, carried, 1, work);
  }
}

#endif
