// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/residual.h"

#include "reference/bergou/element.h"
#include "scene/rotation.h"

#include <math.h>
#include <string.h>

enum { ROUNDING = 8 }; ///< norms of rounding errors that the gradient may be made of

/// A chain whose parts are measured, one after the other, in `sum` over all unknowns.
typedef struct measure {
  const bergou_rods *rods;
  const bergou_chain *chain;
  const bergou_state *state;
  const bergou_scratch *scratch;
  double h;
  double *sum;
} measure;

static int32_t node_at(const measure *m, int32_t n) {
  return m->rods->path_node[m->chain->first_node + n];
}

static int32_t segment_at(const measure *m, int32_t n) {
  return m->rods->path_segment[m->chain->first_segment + n];
}

/// What acts on a frame from outside, in its body axes.
static void body_torque(const measure *m, int32_t j, double out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    double e[3];
    vb_frame_axis(m->state->frame + 4 * j, axis, e);
    out[axis] = vb_dot(e, m->scratch->load + m->rods->segment[j].at);
  }
}

static void add_loads(measure *m) {
  for (int32_t n = 0; n < m->chain->n_nodes; n++) {
    int32_t at = m->rods->node[node_at(m, n)].at;
    for (int k = 0; k < 3; k++)
      m->sum[at + k] -= m->scratch->load[at + k];
  }
  for (int32_t n = 0; n + 1 < m->chain->n_nodes; n++) {
    double torque[3];
    body_torque(m, segment_at(m, n), torque);
    for (int k = 0; k < 3; k++)
      m->sum[m->rods->segment[segment_at(m, n)].at + k] -= torque[k];
  }
}

/// What is left of the gradient of |X - Xhat|^2_A / (2 h^2) when the loads are taken out.
static void add_inertia(measure *m) {
  for (int32_t n = 0; n < m->chain->n_nodes; n++) {
    int32_t i = node_at(m, n), at = m->rods->node[i].at;
    for (int k = 0; k < 3; k++)
      m->sum[at + k] += m->rods->node[i].mass / (m->h * m->h) *
                            (m->state->position[3 * i + k] - m->scratch->hat_position[3 * i + k]) +
                        m->scratch->load[at + k];
  }
  for (int32_t n = 0; n + 1 < m->chain->n_nodes; n++) {
    int32_t j = segment_at(m, n);
    double torque[3];
    bergou_element e;
    body_torque(m, j, torque);
    bergou_frame_inertia(m->rods->segment[j].inertia, m->h, m->scratch->hat_frame + 4 * j,
                         m->state->frame + 4 * j, BERGOU_CONVEX, &e);
    for (int k = 0; k < 3; k++)
      m->sum[m->rods->segment[j].at + k] += e.g[k] + torque[k];
  }
}

static void add_stretch(measure *m) {
  for (int32_t n = 0; n + 1 < m->chain->n_nodes; n++) {
    int32_t j = segment_at(m, n);
    const bergou_segment *s = &m->rods->segment[j];
    const int32_t at[3] = {m->rods->node[s->node[0]].at, s->at, m->rods->node[s->node[1]].at};
    bergou_element e;
    bergou_stretch(s, m->state->active[j], m->state->position + 3 * s->node[0],
                   m->state->position + 3 * s->node[1], m->state->frame + 4 * j, BERGOU_CONVEX, &e);
    for (int k = 0; k < 9; k++)
      m->sum[at[k / 3] + k % 3] += e.g[k];
  }
}

/// Bend, or else twist: a joint without the stiffness of the other.
static void add_turn(measure *m, bool bend) {
  for (int32_t n = 0; n < m->chain->n_joints; n++) {
    bergou_joint joint = m->rods->joint[m->rods->path_joint[m->chain->first_joint + n]];
    bergou_element e;
    if (bend)
      joint.k[2] = 0;
    else
      joint.k[0] = joint.k[1] = 0;
    bergou_turn(&joint, m->state->frame + 4 * joint.segment[0],
                m->state->frame + 4 * joint.segment[1], BERGOU_CONVEX, &e);
    for (int k = 0; k < 6; k++)
      m->sum[m->rods->segment[joint.segment[k / 3]].at + k % 3] += e.g[k];
  }
}

/// Squared norm of `sum` over free unknowns; clears it.
static double take_norm2(measure *m) {
  double norm = 0;
  for (int32_t n = 0; n < m->chain->n_nodes; n++) {
    const bergou_node *node = &m->rods->node[node_at(m, n)];
    for (int k = 0; k < 3; k++)
      if (!m->scratch->held[node->at + k])
        norm += m->sum[node->at + k] * m->sum[node->at + k] / node->mass;
    if (n + 1 == m->chain->n_nodes)
      break;
    const bergou_segment *s = &m->rods->segment[segment_at(m, n)];
    for (int k = 0; k < 3; k++)
      if (!m->scratch->held[s->at + k])
        norm += m->sum[s->at + k] * m->sum[s->at + k] / (s->inertia * (k < 2 ? 1 : 2));
  }
  memset(m->sum + m->chain->first_unknown, 0, (size_t)m->chain->n_unknowns * sizeof *m->sum);
  return norm;
}

void bergou_measure_parts(const bergou_rods *rods, const bergou_chain *c, double h,
                          const bergou_state *state, bergou_scratch *scratch, bergou_norms *out) {
  measure m = {rods, c, state, scratch, h, scratch->direction};
  memset(m.sum + c->first_unknown, 0, (size_t)c->n_unknowns * sizeof *m.sum);
  add_inertia(&m);
  out->part[BERGOU_INERTIA] = take_norm2(&m);
  add_loads(&m);
  out->part[BERGOU_LOADS] = take_norm2(&m);
  add_stretch(&m);
  out->part[BERGOU_STRETCH] = take_norm2(&m);
  add_turn(&m, true);
  out->part[BERGOU_BEND] = take_norm2(&m);
  add_turn(&m, false);
  out->part[BERGOU_TWIST] = take_norm2(&m);
}

bool bergou_within_rounding(const bergou_norms *norms) {
  return norms->now <= ROUNDING * ROUNDING * norms->rounding;
}

bool bergou_converged(const bergou_norms *norms, double tolerance) {
  return bergou_within_rounding(norms) || norms->now <= tolerance * tolerance * norms->pull;
}

double bergou_residual(const bergou_norms *norms) {
  double sum = 0;
  for (int k = 0; k < BERGOU_PARTS; k++)
    sum += sqrt(norms->part[k]);
  return bergou_within_rounding(norms) || sum == 0 ? 0 : sqrt(norms->now) / sum;
}
