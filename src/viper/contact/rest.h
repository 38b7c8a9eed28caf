// SPDX-License-Identifier: GPL-3.0-or-later
/// Constant data of contact, in the working precision: radii, inverse inertias, pins, half-planes.
#ifndef VIPER_CONTACT_REST_H
#define VIPER_CONTACT_REST_H

#include "viper/contact/average.h"
#include "viper/contact/candidate.h"
#include "viper/model/adjacency.h"
#include "viper/model/model.h"

/// What does not change of a node.
static inline void viper_contact_node_fill(viper_contact_node *out, const viper_model_node *from) {
  out->radius = (viper_scalar)from->radius;
  for (int k = 0; k < 4; k++) {
    bool pinned = from->pinned >> k & 1;
    out->inverse[k] = (viper_scalar)(1 / (k < 3 ? from->mass : from->scale_inertia));
    out->free[k] = pinned ? 0 : 1;
    out->least[k] = k < 3 || pinned ? VIPER_NO_LIMIT : (viper_scalar)VIPER_LEAST_TOUCHING;
  }
}

/// How many terms act on each node.
static inline vb_status viper_averages_fill(viper_average *out, const viper_model *model,
                                            vb_error *error) {
  viper_adjacency *adjacency;
  vb_status status = viper_adjacency_create(model, &adjacency, error);
  for (size_t i = 0; !status && i < model->n_nodes; i++) {
    out[i].terms[0] = (viper_scalar)adjacency->node_count[i].center;
    out[i].terms[1] = (viper_scalar)adjacency->node_count[i].scale;
  }
  if (!status)
    viper_adjacency_destroy(adjacency);
  return status;
}

/// The friction of each node's body, 0 where it has none of its own.
static inline void viper_friction_fill(viper_friction *out, const viper_model *m) {
  size_t n, n_nodes;
  const vb_friction *from = vb_scene_frictions(m->scene, &n);
  const vb_node *node = vb_scene_nodes(m->scene, &n_nodes);
  for (size_t i = 0; i < m->n_nodes; i++) {
    size_t k = 0;
    while (k < n && from[k].body != node[m->node[i].scene_index].body)
      k++;
    out[i] = k < n ? (viper_friction){(viper_scalar)from[k].static_friction,
                                      (viper_scalar)from[k].kinetic_friction}
                   : (viper_friction){0, 0};
  }
}

/// The gap below which a node near a half-plane and a pair of capsules are contacts, m: the
/// scene's; without contact between capsules a tenth of the least radius. With none, a node that
/// elastic forces alone press onto a half-plane, and which does not move, would lose its contact in
/// every other substep.
static inline double viper_contact_margin(const viper_model *m) {
  const vb_contact *contact = vb_scene_contact(m->scene);
  double least = INFINITY;
  for (size_t i = 0; i < m->n_nodes; i++)
    least = m->node[i].radius > 0 ? fmin(least, m->node[i].radius) : least;
  return contact ? contact->margin : least < INFINITY ? 0.1 * least : 0;
}

static inline void viper_plane_fill(viper_plane *out, const vb_half_plane *from) {
  for (int k = 0; k < 3; k++)
    out->normal[k] = (viper_scalar)from->normal[k];
  out->offset = (viper_scalar)from->offset;
  out->friction =
      (viper_friction){(viper_scalar)from->static_friction, (viper_scalar)from->kinetic_friction};
  out->driver = -1;
}

#endif
