// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts of the method `jacobi-published`, averaged with the elastic terms (section 7 of the
/// paper): all are evaluated at the state at the beginning of the iteration, and an unknown moves
/// by the sum of the corrections of terms and contacts over the number of both. Point-wise, on
/// scalars.
///
/// A contact takes part if its gap is negative, or if it has a push in the substep. It never
/// reduces its push, because eq. 28 has no multiplier. The push and friction that are stored are
/// those after averaging, measured by the motion of the gap. They are exact on a half-plane, and
/// between capsules whose nodes have the same number of terms.
#ifndef VIPER_CONTACT_AVERAGE_H
#define VIPER_CONTACT_AVERAGE_H

#include "viper/contact/constraint.h"

/// The averages at a node.
typedef struct viper_average {
  viper_scalar terms[2]; ///< elastic terms that act on its center, and on its scale
  viper_scalar contacts; ///< in this iteration
  viper_scalar spare;
  viper_vec4 sum; ///< sum of the displacements by these contacts
} viper_average;
static_assert(sizeof(viper_average) % VIPER_ROW_BYTES == 0, "averages are whole rows");

/// Whether a contact takes part in this iteration.
VIPER_FN int viper_touch_counts(const viper_touch *t, const viper_contact_node *node, int n_nodes) {
  return t->lambda > 0 || viper_touch_gap(t, node, n_nodes) < 0;
}

/// Counts a contact at its nodes.
VIPER_FN void viper_touch_count(const viper_touch *t, const viper_contact_node *node,
                                viper_average *average, int n_nodes) {
  if (viper_touch_counts(t, node, n_nodes))
    VIPER_UNROLL for (int k = 0; k < n_nodes; k++) average[t->node[k]].contacts += 1;
}

/// `relaxation` over the number of terms and contacts at a node: for its center and for its scale.
VIPER_FN viper_vec4 viper_average_factor(const viper_average *average, viper_scalar relaxation) {
  viper_scalar center = relaxation / (average->terms[0] + average->contacts);
  return viper_vec4_make(center, center, center,
                         relaxation / (average->terms[1] + average->contacts));
}

/// The displacement of node `k` by the push `d`, averaged by `factor`.
VIPER_FN viper_vec4 viper_average_step(const viper_touch *t, const viper_contact_node *node, int k,
                                       viper_vec4 factor, viper_scalar d) {
  const viper_contact_node *from = &node[t->node[k]];
  viper_vec4 room = viper_vec4_smaller(from->least - from->x, viper_vec4_make(0, 0, 0, 0));
  return factor * viper_vec4_larger(from->inverse * (d * viper_touch_slope(t, k)), room);
}

/// Adds the displacements of a contact's nodes, after all contacts were counted. `carried` is the
/// displacement of the half-plane there. The displacement of a node is computed twice, because a
/// GPU thread has no registers to store it.
VIPER_FN void viper_touch_average(viper_touch *t, const viper_contact_node *node,
                                  viper_average *average, viper_scalar relaxation,
                                  viper_friction friction, viper_vec4 carried, int n_nodes) {
  viper_vec4 slid = viper_vec4_make(0, 0, 0, 0) - carried, force = {0};
  viper_scalar d = -viper_touch_gap(t, node, n_nodes) * t->inv_w, along = 0, across = 0, most;
  if (!viper_touch_counts(t, node, n_nodes))
    return;
  d = d > 0 ? d : 0;
  VIPER_ROLLED for (int pair = 0; pair < n_nodes; pair += 2) {
    viper_vec4 slides = {0};
    viper_scalar yields = 0, yields_across = 0;
    VIPER_ROLLED for (int k = pair; k < pair + 2 && k < n_nodes; k++) {
      const viper_contact_node *from = &node[t->node[k]];
      viper_vec4 slope = viper_touch_slope(t, k),
                 factor = viper_average_factor(&average[t->node[k]], relaxation);
      slides += viper_touch_slid_by(t, node, k, viper_average_step(t, node, k, factor, d));
      yields += viper_vec4_sum(factor * (from->free * (from->inverse * (slope * slope))));
      most = from->free[0] > from->free[1] ? from->free[0] : from->free[1];
      most = from->free[2] > most ? from->free[2] : most;
      yields_across += factor[0] * (most * (t->weight[k] * t->weight[k] * from->inverse[0]));
    }
    slid += slides;
    along += yields;
    across += yields_across;
  }
  t->lambda += along * t->inv_w * d;
  if (friction.at_rest > 0) {
    viper_vec4 before = t->slide;
    force = viper_touch_brake(t, viper_touch_tangent(t, slid), friction);
    t->slide = before + across * t->inv_slide * force;
  }
  VIPER_ROLLED for (int k = 0; k < n_nodes; k++) {
    viper_vec4 factor = viper_average_factor(&average[t->node[k]], relaxation),
               step = viper_average_step(t, node, k, factor, d);
    if (friction.at_rest > 0)
      step += factor * (node[t->node[k]].inverse * (t->weight[k] * force));
    average[t->node[k]].sum += step;
  }
}

/// Moves a node by the mean of its elastic terms and contacts; the terms alone have moved it to
/// `x`.
VIPER_FN void viper_average_move(viper_contact_node *node, const viper_average *average,
                                 viper_vec4 x) {
  viper_vec4 terms =
      viper_vec4_make(average->terms[0], average->terms[0], average->terms[0], average->terms[1]);
  viper_vec4 factor = viper_average_factor(average, 1);
  node->x = average->contacts > 0
                ? node->x + (terms * factor) * (x - node->x) + node->free * average->sum
                : x;
  node->push += average->sum;
}

#endif
