// SPDX-License-Identifier: GPL-3.0-or-later
/// What a contact does (README.md, Contact): it pushes along its normal, and friction holds or
/// brakes what slides along it. Point-wise, on plain numbers.
///
/// A contact between pills acts on four nodes, one with a half-plane on one. With weights w_k
/// ((1 - al), al of pill a, minus (1 - be), be of pill b) its gap is, in centers and scales linear,
///   C = sum w_k n.c_k - |w_k| r_k s_k - offset.
/// Multipliers are forces times h^2 [kg m]: the displacement they make is their inverse inertia.
#ifndef VIPER_CONTACT_CONSTRAINT_H
#define VIPER_CONTACT_CONSTRAINT_H

#include "viper/energy/real.h"

/// A node that contacts may move: center (x, y, z) and scale.
typedef struct viper_contact_node {
  viper_scalar x[4];       ///< now
  viper_scalar old[4];     ///< before the substep
  viper_scalar hat[4];     ///< predicted, without contacts
  viper_scalar push[4];    ///< what contacts would have moved it in this substep, pinned or not
  viper_scalar inverse[4]; ///< 1 / kg (three times), 1 / (kg m^2); 0 where pinned
  viper_scalar inv_mass, inv_scale; ///< the same, pinned or not
  viper_scalar radius;              ///< at rest, m
} viper_contact_node;

/// A contact of 4 nodes (two pills) or 1 (a half-plane). The functions below take the number as an
/// argument, `n_nodes`, that compilers know.
typedef struct viper_touch {
  int32_t node[4];
  viper_scalar weight[4];
  viper_scalar n[3];   ///< unit normal, from b (or the half-plane) to a
  viper_scalar offset; ///< of a half-plane, else 0, m
  viper_scalar inv_w;  ///< 1 over the inverse inertia along the normal, kg; 0 where all is pinned
  viper_scalar inv_slide; ///< likewise of centers, across it
  viper_scalar lambda;    ///< accumulated push, >= 0
  viper_scalar slide[3];  ///< accumulated friction
  int32_t which;          ///< color, or the number of the half-plane
} viper_touch;

VIPER_FN viper_scalar viper_scalar_abs(viper_scalar x) {
  return x < 0 ? -x : x;
}

/// Fills in the inverse inertias of a contact whose nodes, weights and normal are there; whether
/// anything of it can move.
VIPER_FN int viper_touch_weigh(viper_touch *t, const viper_contact_node *node, int n_nodes) {
  viper_scalar normal = 0, slide = 0;
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) {
    const viper_contact_node *x = &node[t->node[k]];
    viper_scalar w2 = t->weight[k] * t->weight[k], most = x->inverse[0];
    most = x->inverse[1] > most ? x->inverse[1] : most;
    most = x->inverse[2] > most ? x->inverse[2] : most;
    slide += w2 * most;
    normal += w2 * x->radius * x->radius * x->inverse[3];
    VIPER_UNROLL for (int c = 0; c < 3; c++) normal += w2 * t->n[c] * t->n[c] * x->inverse[c];
  }
  t->inv_w = normal > 0 ? 1 / normal : 0;
  t->inv_slide = slide > 0 ? 1 / slide : 0;
  return normal > 0;
}

/// C, m.
VIPER_FN viper_scalar viper_touch_gap(const viper_touch *t, const viper_contact_node *node,
                                      int n_nodes) {
  viper_scalar gap = -t->offset;
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) {
    const viper_contact_node *x = &node[t->node[k]];
    gap += t->weight[k] * (t->n[0] * x->x[0] + t->n[1] * x->x[1] + t->n[2] * x->x[2]) -
           viper_scalar_abs(t->weight[k]) * x->radius * x->x[3];
  }
  return gap;
}

/// Moves the centers by a force times h^2.
VIPER_FN void viper_touch_push(const viper_touch *t, viper_contact_node *node,
                               const viper_scalar f[3], int n_nodes) {
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) {
    viper_contact_node *x = &node[t->node[k]];
    VIPER_UNROLL for (int c = 0; c < 3; c++) {
      viper_scalar wf = t->weight[k] * f[c];
      x->x[c] += x->inverse[c] * wf;
      x->push[c] += x->inv_mass * wf;
    }
  }
}

/// What touches is not squeezed to less than this scale, by contacts or otherwise: pills are nearly
/// incompressible, and the energy alone lets the scales of neighboring nodes part at little cost.
#define VIPER_LEAST_TOUCHING 0.5

/// A node whose scale is at that limit, or near it.
typedef struct viper_limit {
  int32_t node;
  viper_scalar lambda; ///< accumulated push on the scale, times h^2, >= 0
} viper_limit;

/// Keeps a scale at its limit or above.
VIPER_FN void viper_limit_scale(viper_limit *l, viper_contact_node *node) {
  viper_contact_node *x = &node[l->node];
  viper_scalar lambda = l->lambda + ((viper_scalar)VIPER_LEAST_TOUCHING - x->x[3]) / x->inverse[3];
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar ds = x->inverse[3] * (lambda - l->lambda);
  l->lambda = lambda;
  x->x[3] += ds;
  x->push[3] += ds;
}

/// Pushes along the normal as far as the gap asks for, or takes back of what was pushed.
VIPER_FN void viper_touch_normal(viper_touch *t, viper_contact_node *node, int n_nodes) {
  viper_scalar lambda = t->lambda - viper_touch_gap(t, node, n_nodes) * t->inv_w;
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar d = lambda - t->lambda;
  if (d == 0)
    return;
  viper_scalar f[3] = {d * t->n[0], d * t->n[1], d * t->n[2]};
  t->lambda = lambda;
  viper_touch_push(t, node, f, n_nodes);
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) {
    viper_contact_node *x = &node[t->node[k]];
    viper_scalar pull = viper_scalar_abs(t->weight[k]) * x->radius * d;
    viper_scalar ds = -x->inv_scale * pull, room = (viper_scalar)VIPER_LEAST_TOUCHING - x->x[3];
    if (x->inverse[3] > 0) {
      ds = ds > room || ds > 0 ? ds : room < 0 ? room : 0;
      x->x[3] += ds;
    }
    x->push[3] += ds;
  }
}

/// How far the touching points have slid along each other in this substep, m.
VIPER_FN void viper_touch_slid(const viper_touch *t, const viper_contact_node *node,
                               viper_scalar d[3], int n_nodes) {
  d[0] = d[1] = d[2] = 0;
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) VIPER_UNROLL for (int c = 0; c < 3; c++) d[c] +=
      t->weight[k] * (node[t->node[k]].x[c] - node[t->node[k]].old[c]);
  viper_scalar along = d[0] * t->n[0] + d[1] * t->n[1] + d[2] * t->n[2];
  VIPER_UNROLL for (int c = 0; c < 3; c++) d[c] -= along * t->n[c];
}

/// Coulomb's friction: what slid is taken back where that needs no more than `at_rest` times the
/// push; else it is braked by `sliding` times the push.
VIPER_FN void viper_touch_friction(viper_touch *t, viper_contact_node *node, viper_scalar at_rest,
                                   viper_scalar sliding, int n_nodes) {
  viper_scalar d[3], f[3];
  if (t->lambda == 0 && t->slide[0] == 0 && t->slide[1] == 0 && t->slide[2] == 0)
    return;
  viper_touch_slid(t, node, d, n_nodes);
  VIPER_UNROLL for (int c = 0; c < 3; c++) f[c] = t->slide[c] - d[c] * t->inv_slide;
  viper_scalar size = VIPER_SCALAR_SQRT(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  viper_scalar part = size > at_rest * t->lambda ? sliding * t->lambda / size : 1;
  VIPER_UNROLL for (int c = 0; c < 3; c++) {
    viper_scalar all = part * f[c];
    f[c] = all - t->slide[c];
    t->slide[c] = all;
  }
  viper_touch_push(t, node, f, n_nodes);
}

#endif
