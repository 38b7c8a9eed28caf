// SPDX-License-Identifier: GPL-3.0-or-later
/// Constant data of contact, in the working precision: radii, inverse inertias, pins, half-planes.
#ifndef VIPER_CONTACT_REST_H
#define VIPER_CONTACT_REST_H

#include "viper/contact/average.h"
#include "viper/contact/candidate.h"
#include "viper/contact/friction.h"
#include "viper/contact/warm_start.h"
#include "viper/model/adjacency.h"
#include "viper/model/model.h"

#include <math.h>
#include <string.h>

/// The constant data of a node.
static inline void viper_contact_node_fill(viper_contact_node *out, const viper_model_node *from) {
  out->radius = (viper_scalar)from->radius;
  viper_contact_node_set(out, (viper_scalar)(1 / from->mass),
                         (viper_scalar)(1 / from->scale_inertia), from->pinned);
}

/// Converts the kept data of a contact from VIPER_KEPT_DOUBLES doubles of a saved state; and to
/// them.
static inline viper_kept viper_kept_from(const double *in) {
  viper_kept out = {(viper_bits)in[0], (viper_scalar)in[1], {0}};
  for (int k = 0; k < 3; k++)
    out.slide[k] = (viper_scalar)in[2 + k];
  return out;
}

static inline void viper_kept_to(const viper_kept *kept, double *out) {
  out[0] = (double)kept->pair;
  out[1] = (double)kept->push;
  for (int k = 0; k < 3; k++)
    out[2 + k] = (double)kept->slide[k];
}

/// Reads all kept data of contacts from the array `kept` of viper_state; none if that is null.
/// `push` is (n_pushes x VIPER_PUSH_DOUBLES): forces of half-planes on nodes.
static inline void viper_keep_from(const double *in, viper_kept_row *row, size_t n_rows,
                                   viper_kept *rest, size_t n_rests, double *push,
                                   size_t n_pushes) {
  for (size_t j = 0; j < n_rows; j++, in += in ? VIPER_KEPT_ROW_DOUBLES : 0) {
    row[j].n = in ? (viper_bits)in[0] : 0;
    for (viper_bits k = 0; k < row[j].n; k++)
      row[j].touch[k] = viper_kept_from(in + 1 + VIPER_KEPT_DOUBLES * k);
  }
  for (size_t k = 0; k < n_rests; k++, in += in ? VIPER_KEPT_DOUBLES : 0)
    rest[k] = in ? viper_kept_from(in) : (viper_kept){0};
  for (size_t k = 0; k < VIPER_PUSH_DOUBLES * n_pushes; k++)
    push[k] = in ? in[k] : 0;
}

/// Writes them to that array.
static inline void viper_keep_to(const viper_kept_row *row, size_t n_rows, const viper_kept *rest,
                                 size_t n_rests, const double *push, size_t n_pushes, double *out) {
  memset(out, 0, (n_rows * VIPER_KEPT_ROW_DOUBLES + n_rests * VIPER_KEPT_DOUBLES) * sizeof *out);
  for (size_t j = 0; j < n_rows; j++, out += VIPER_KEPT_ROW_DOUBLES) {
    out[0] = (double)row[j].n;
    for (viper_bits k = 0; k < row[j].n; k++)
      viper_kept_to(&row[j].touch[k], out + 1 + VIPER_KEPT_DOUBLES * k);
  }
  for (size_t k = 0; k < n_rests; k++, out += VIPER_KEPT_DOUBLES)
    viper_kept_to(&rest[k], out);
  if (n_pushes > 0)
    memcpy(out, push, VIPER_PUSH_DOUBLES * n_pushes * sizeof *out);
}

/// Sets the number of terms that act on each node.
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

/// Sets the friction of each node's body, 0 if it has none of its own.
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

/// The margin, m: the gap below which a node and a half-plane, or a pair of capsules, are a
/// contact. It is the scene's; without contact between capsules, a tenth of the least radius. With
/// a margin of 0, a node at rest that only elastic forces press onto a half-plane would lose its
/// contact in every other substep.
static inline double viper_contact_margin(const viper_model *m) {
  const vb_contact *contact = vb_scene_contact(m->scene);
  double least = INFINITY;
  for (size_t i = 0; i < m->n_nodes; i++)
    least = m->node[i].radius > 0 ? fmin(least, m->node[i].radius) : least;
  return contact ? contact->margin : least < INFINITY ? 0.1 * least : 0;
}

/// Whether anything in the scene of a model has friction.
static inline bool viper_has_friction(const viper_model *m) {
  size_t n_frictions, n_planes;
  const vb_friction *friction = vb_scene_frictions(m->scene, &n_frictions);
  const vb_half_plane *plane = vb_scene_half_planes(m->scene, &n_planes);
  const vb_contact *contact = vb_scene_contact(m->scene);
  bool has = contact && contact->static_friction > 0;
  for (size_t k = 0; k < n_frictions; k++)
    has = has || friction[k].static_friction > 0;
  for (size_t k = 0; k < n_planes; k++)
    has = has || plane[k].static_friction > 0;
  return has;
}

/// The constant data of a frame.
static inline void viper_contact_frame_fill(viper_contact_frame *out,
                                            const viper_model_segment *from) {
  memset(out, 0, sizeof *out);
  out->inertia = (viper_scalar)(from->moments[1] * from->frame_inertia);
  out->free = from->pinned & VB_PIN_FRAME || viper_holds(from->pinned, 2) ? 0 : 1;
}

/// The segments at each node and their shares: `first` [n_nodes + 1] into `roller` [2 n_segments].
static inline void viper_rollers_fill(const viper_model *m, int32_t *first, viper_roller *roller) {
  memset(first, 0, (m->n_nodes + 1) * sizeof *first);
  for (size_t j = 0; j < 2 * m->n_segments; j++) {
    first[m->segment[j / 2].node[j % 2] + 1]++;
    roller[j].segment = -1;
  }
  for (size_t i = 0; i < m->n_nodes; i++)
    first[i + 1] += first[i];
  for (size_t j = 0; j < 2 * m->n_segments; j++) {
    const viper_model_segment *s = &m->segment[j / 2];
    double radius = m->node[s->node[0]].radius + m->node[s->node[1]].radius;
    int32_t at = first[s->node[j % 2]];
    while (roller[at].segment >= 0)
      at++;
    // Masses, apart from a common factor.
    roller[at] = (viper_roller){(viper_bits)(j / 2), (viper_scalar)(s->disc / (radius * radius))};
  }
  for (size_t i = 0; i < m->n_nodes; i++) {
    viper_scalar sum = 0;
    for (int32_t k = first[i]; k < first[i + 1]; k++)
      sum += roller[k].arm;
    for (int32_t k = first[i]; k < first[i + 1]; k++)
      roller[k].arm = roller[k].arm / sum;
  }
}

/// Sets the turn of each node: nodes of one turn share no segment. Returns the number of turns.
static inline int32_t viper_turns_fill(const viper_model *m, const int32_t *first,
                                       const viper_roller *roller, int32_t *turn) {
  int32_t n = 1;
  for (size_t i = 0; i < m->n_nodes; i++)
    turn[i] = -1;
  for (size_t i = 0; i < m->n_nodes; i++) {
    bool taken = true;
    while (taken) {
      turn[i]++;
      taken = false;
      for (int32_t k = first[i]; k < first[i + 1]; k++) {
        const int32_t *node = m->segment[roller[k].segment].node;
        taken = taken || turn[node[node[0] == (int32_t)i]] == turn[i];
      }
    }
    n = turn[i] >= n ? turn[i] + 1 : n;
  }
  return n;
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
