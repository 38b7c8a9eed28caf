// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts of the method `jacobi-published`, averaged with the elastic terms (section 7 of the
/// paper): all look at the state that the iteration began with, and an unknown moves by the sum of
/// what terms and contacts ask of it over the number of both. Point-wise, on plain numbers.
///
/// A contact takes part where its gap is negative, or where it pushed before in the substep. It
/// never takes back of its push: eq. 28 has no multiplier that could tell how much there is. What
/// is noted as its push and its friction is what averaging leaves of these, measured by the motion
/// of the gap: exact on a half-plane, and between capsules where their nodes have equally many
/// terms.
#ifndef VIPER_CONTACT_AVERAGE_H
#define VIPER_CONTACT_AVERAGE_H

#include "viper/contact/constraint.h"

/// What is averaged at a node.
typedef struct viper_average {
  viper_scalar terms[2]; ///< elastic terms that act on its center, and on its scale
  viper_scalar contacts; ///< in this iteration
  viper_scalar spare;
  viper_vec4 sum; ///< what these make of the displacement
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

/// `relaxation` over the number of terms and contacts at a node: of its center, and of its scale.
VIPER_FN viper_vec4 viper_average_factor(const viper_average *average, viper_scalar relaxation) {
  viper_scalar center = relaxation / (average->terms[0] + average->contacts);
  return viper_vec4_make(center, center, center,
                         relaxation / (average->terms[1] + average->contacts));
}

/// What the push `d` asks of node `k`, averaged by `factor`.
VIPER_FN viper_vec4 viper_average_step(const viper_touch *t, const viper_contact_node *node, int k,
                                       viper_vec4 factor, viper_scalar d) {
  const viper_contact_node *from = &node[t->node[k]];
  viper_vec4 room = viper_vec4_smaller(from->least - from->x, viper_vec4_make(0, 0, 0, 0));
  return factor * viper_vec4_larger(from->inverse * (d * viper_touch_slope(t, k)), room);
}

/// Adds what a contact asks of its nodes, after all were counted. `carried`: how far a half-plane
/// moved there. What it asks of a node is computed twice: a GPU's thread has no registers to keep
/// it.
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

/// Moves a node, of which the elastic terms alone have made `x`, by the mean of these and of its
/// contacts.
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
