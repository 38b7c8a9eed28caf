// SPDX-License-Identifier: GPL-3.0-or-later
/// The model of a time step, written a second time from its text: for tests of the solver.
///
/// Shares no code with the solver: frames are rotation matrices, arithmetic is long double, and
/// derivatives are differences. Phi is a sum of rows K W^2 / 2, the inertia among them, so that its
/// gradient and Gauss-Newton matrix follow from the rows' differences alone.
#ifndef VB_TESTS_SUPPORT_REFERENCE_MODEL_H
#define VB_TESTS_SUPPORT_REFERENCE_MODEL_H

#include "scene/scene.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef long double ref_real;

enum {
  REF_NODES = 40,                               ///< most nodes, and most segments
  REF_UNKNOWNS = 4 * REF_NODES + 3 * REF_NODES, ///< node i: 4 i + (0..3); then frames
  REF_ELEMENT_UNKNOWNS = 18,                    ///< of a joint: three nodes, two frames
  REF_ELEMENT_ROWS = 8,                         ///< of a segment
  REF_TERMS = 8
};
#define REF_PI 3.14159265358979323846264338327950288L

/// Terms in the order of the model's table.
typedef enum ref_term {
  REF_STRETCH,
  REF_SECTION,
  REF_TAPER,
  REF_BEND,
  REF_TWIST,
  REF_SURFACE_BEND,
  REF_VOLUME,
  REF_VOLUME_BEND
} ref_term;

typedef struct ref_state {
  ref_real node[REF_NODES][4];     ///< center, scale
  ref_real frame[REF_NODES][3][3]; ///< columns u, v, w
} ref_state;

typedef struct ref_rates {
  ref_real node[REF_NODES][4];
  ref_real frame[REF_NODES][3]; ///< world axes
} ref_rates;

/// One step's Phi.
typedef struct ref_problem {
  const vb_scene *scene;
  const vb_node *node;
  const vb_segment *segment;
  const vb_joint *joint;
  size_t n_nodes, n_segments, n_joints, n_unknowns;
  ref_real h;
  ref_real inertia_factor; ///< 1; 1/2 is the misprint of eqs. 66-67
  ref_real inertia[REF_UNKNOWNS];
  bool held[REF_UNKNOWNS];
  int valence[REF_NODES];
  ref_state hat;
  ref_real active[REF_NODES][2]; ///< stretch and scale at which each segment rests
} ref_problem;

/// Rows of W with their stiffnesses and terms (-1: inertia).
typedef struct ref_rows {
  int n;
  ref_real w[REF_ELEMENT_ROWS], k[REF_ELEMENT_ROWS];
  int term[REF_ELEMENT_ROWS];
} ref_rows;

static inline void ref_multiply(const ref_real a[3][3], const ref_real b[3][3], bool transpose_a,
                                bool transpose_b, ref_real out[3][3]) {
  ref_real c[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 3; k++)
        c[i][j] += (transpose_a ? a[k][i] : a[i][k]) * (transpose_b ? b[j][k] : b[k][j]);
    }
  memcpy(out, c, sizeof c);
}

/// The rotation by the vector v (Rodrigues).
static inline void ref_rotation(const ref_real v[3], ref_real out[3][3]) {
  ref_real angle = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  ref_real a = angle > 0 ? sinl(angle) / angle : 1;
  ref_real half = sinl(angle / 2), b = angle > 0 ? 2 * half * half / (angle * angle) : 0.5L;
  ref_real cross[3][3] = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}}, square[3][3];
  ref_multiply(cross, cross, false, false, square);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] = (i == j) + a * cross[i][j] + b * square[i][j];
}

/// sin(angle / 2) times the axis of a rotation by less than a half turn, the imaginary part of its
/// quaternion with a positive real part; returns that part.
static inline ref_real ref_half_sine(const ref_real m[3][3], ref_real out[3]) {
  ref_real half_cosine = sqrtl(1 + m[0][0] + m[1][1] + m[2][2]) / 2;
  out[0] = (m[2][1] - m[1][2]) / (4 * half_cosine);
  out[1] = (m[0][2] - m[2][0]) / (4 * half_cosine);
  out[2] = (m[1][0] - m[0][1]) / (4 * half_cosine);
  return half_cosine;
}

/// The columns of a unit quaternion (w, x, y, z).
static inline void ref_matrix(const double q[4], ref_real out[3][3]) {
  ref_real v[3] = {q[1], q[2], q[3]};
  ref_real sine = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  ref_real angle = 2 * atan2l(sine, q[0]);
  for (int i = 0; i < 3; i++)
    v[i] *= sine > 0 ? angle / sine : 0;
  ref_rotation(v, out);
}

/// Radius of segment `j`.
static inline ref_real ref_radius(const ref_problem *p, size_t j) {
  const int32_t *n = p->segment[j].node;
  return ((ref_real)p->node[n[0]].rest_radius + p->node[n[1]].rest_radius) / 2;
}

static inline void ref_add(ref_rows *rows, int term, ref_real k, ref_real w) {
  assert(rows->n < REF_ELEMENT_ROWS);
  rows->term[rows->n] = term;
  rows->k[rows->n] = k;
  rows->w[rows->n++] = w;
}

/// Rows of the segment terms.
static inline void ref_segment_rows(const ref_problem *p, const ref_state *x, size_t j,
                                    ref_rows *rows) {
  const vb_segment *s = &p->segment[j];
  const ref_real *a = x->node[s->node[0]], *b = x->node[s->node[1]];
  ref_real r = ref_radius(p, j), l = s->rest_length, area = REF_PI * r * r;
  ref_real kxy = (ref_real)s->stiffness[VB_KX] + s->stiffness[VB_KY], sm = (a[3] + b[3]) / 2;
  rows->n = 0;
  for (int k = 0; k < 3; k++) {
    ref_real dc = (b[k] - a[k]) / l, w = x->frame[j][k][2];
    ref_add(rows, REF_STRETCH, area * s->stiffness[VB_KZ] * l, dc - p->active[j][0] * w);
    ref_add(rows, REF_VOLUME, area * s->stiffness[VB_KV] * l, sm * sm * dc - w);
  }
  ref_add(rows, REF_SECTION, area * kxy * l, sm - p->active[j][1]);
  ref_add(rows, REF_TAPER, area * r * r / 4 * kxy * l, (b[3] - a[3]) / l);
}

/// Sees a frame along the path: a half turn about u where the segment is stored against it.
static inline void ref_along(const ref_real frame[3][3], bool against, ref_real out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = against && k > 0 ? -frame[i][k] : frame[i][k];
}

/// The joint's own rest curvature, or null where it is that of the rest frames.
static inline const double *ref_rest_curvature(const ref_problem *p, size_t t) {
  size_t n;
  const vb_rest_curvature *own = vb_scene_rest_curvatures(p->scene, &n);
  for (size_t i = 0; i < n; i++)
    if (own[i].joint == (int32_t)t)
      return own[i].darboux;
  return NULL;
}

/// Rest rotation of a joint seen along its path.
static inline void ref_rest_rotation(const ref_problem *p, const vb_joint *joint,
                                     ref_real out[3][3]) {
  ref_real side[2][3][3];
  for (int i = 0; i < 2; i++) {
    const vb_segment *s = &p->segment[joint->segment[i]];
    ref_real frame[3][3];
    ref_matrix(s->rest_frame, frame);
    ref_along(frame, s->node[i == 0] != joint->node, side[i]);
  }
  ref_multiply(side[0], side[1], true, false, out);
}

/// W of joint `t` at the power `power` of its scale: (2 power/lm) Im D + (power - 1) Omega_rest Re
/// D.
static inline void ref_joint_w(const ref_problem *p, const ref_state *x, size_t t, ref_real lm,
                               ref_real power, ref_real w[3]) {
  const vb_joint *joint = &p->joint[t];
  ref_real rest[3][3], side[2][3][3], turn[3][3], half[3][3], v[3], omega_rest[3];
  ref_rest_rotation(p, joint, rest);
  for (int i = 0; i < 2; i++) {
    const vb_segment *s = &p->segment[joint->segment[i]];
    ref_along(x->frame[joint->segment[i]], s->node[i == 0] != joint->node, side[i]);
  }
  ref_multiply(side[0], side[1], true, false, turn);
  const double *own = ref_rest_curvature(p, t);
  ref_half_sine(rest, v);
  for (int i = 0; own && i < 3; i++)
    v[i] = lm / 2 * own[i];
  ref_real sine = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) {
    omega_rest[i] = p->valence[joint->node] > 2 ? 0 : 2 / lm * v[i];
    v[i] *= sine > 0 ? asinl(sine) / sine : 1; // half the angle, times the axis
  }
  ref_rotation(v, half);
  ref_multiply(half, turn, true, false, turn);
  ref_multiply(turn, half, false, true, turn);
  ref_real re = ref_half_sine(turn, v);
  for (int i = 0; i < 3; i++)
    w[i] = 2 * power / lm * v[i] + (power - 1) * omega_rest[i] * re;
}

/// The end of segment `s` that is not `node`.
static inline int32_t ref_other(const vb_segment *s, int32_t node) {
  return s->node[s->node[0] == node];
}

/// The bending factor of segment `j` about u (0) or v (1).
static inline ref_real ref_bending(const ref_problem *p, int32_t j, int axis) {
  size_t n;
  const vb_bending *bending = vb_scene_bendings(p->scene, &n);
  for (size_t i = 0; i < n; i++)
    if (bending[i].segment == j)
      return bending[i].factor[axis];
  return 1;
}

/// Rows of the joint terms.
static inline void ref_joint_rows(const ref_problem *p, const ref_state *x, size_t t,
                                  ref_rows *rows) {
  const vb_joint *joint = &p->joint[t];
  const vb_segment *j = &p->segment[joint->segment[0]], *k = &p->segment[joint->segment[1]];
  ref_real lm = ((ref_real)j->rest_length + k->rest_length) / 2, mean[6], w[3], w_volume[3];
  ref_real r =
      (ref_radius(p, (size_t)joint->segment[0]) + ref_radius(p, (size_t)joint->segment[1])) / 2;
  ref_real moment = REF_PI * r * r * r * r / 4 * lm, s = x->node[joint->node][3];
  for (int i = 0; i < 6; i++)
    mean[i] = ((ref_real)j->stiffness[i] + k->stiffness[i]) / 2;
  ref_joint_w(p, x, t, lm, s, w);
  ref_joint_w(p, x, t, lm, s * s * s, w_volume);
  rows->n = 0;
  for (int i = 0; i < 2; i++) {
    const ref_real f[2] = {ref_bending(p, joint->segment[0], i),
                           ref_bending(p, joint->segment[1], i)};
    ref_add(rows, REF_BEND, moment * (f[0] * j->stiffness[VB_KZ] + f[1] * k->stiffness[VB_KZ]) / 2,
            w[i]);
    ref_add(rows, REF_VOLUME_BEND,
            moment * (f[0] * j->stiffness[VB_KV] + f[1] * k->stiffness[VB_KV]) / 2, w_volume[i]);
  }
  ref_add(rows, REF_TWIST, moment * (mean[VB_KX] + mean[VB_KY]), w[2]);
  ref_real before = (s - x->node[ref_other(j, joint->node)][3]) / j->rest_length;
  ref_real after = (x->node[ref_other(k, joint->node)][3] - s) / k->rest_length;
  ref_add(rows, REF_SURFACE_BEND, moment * (mean[VB_KBX] + mean[VB_KBY]), (after - before) / lm);
}

/// Rows of the inertia of node `i`, or of frame `i - n_nodes`.
static inline void ref_inertia_rows(const ref_problem *p, const ref_state *x, size_t i,
                                    ref_rows *rows) {
  ref_real factor = p->inertia_factor / (p->h * p->h);
  rows->n = 0;
  if (i < p->n_nodes) {
    for (size_t k = 0; k < 4; k++)
      ref_add(rows, -1, p->inertia[4 * i + k] * factor, x->node[i][k] - p->hat.node[i][k]);
    return;
  }
  size_t j = i - p->n_nodes, at = 4 * p->n_nodes + 3 * j;
  ref_real turn[3][3], v[3];
  ref_multiply(p->hat.frame[j], x->frame[j], true, false, turn);
  ref_half_sine(turn, v);
  for (size_t k = 0; k < 3; k++)
    ref_add(rows, -1, p->inertia[at + k] * factor, 2 * v[k]);
}

/// Elements: segments, then joints, then inertias of nodes and frames.
static inline size_t ref_n_elements(const ref_problem *p) {
  return p->n_segments + p->n_joints + p->n_nodes + p->n_segments;
}

static inline void ref_element_rows(const ref_problem *p, const ref_state *x, size_t e,
                                    ref_rows *rows) {
  if (e < p->n_segments)
    ref_segment_rows(p, x, e, rows);
  else if (e < p->n_segments + p->n_joints)
    ref_joint_rows(p, x, e - p->n_segments, rows);
  else
    ref_inertia_rows(p, x, e - p->n_segments - p->n_joints, rows);
}

/// Lists the unknowns of a node or frame.
static inline int ref_push(const ref_problem *p, size_t vertex, size_t *unknown, int n) {
  bool node = vertex < p->n_nodes;
  size_t first = node ? 4 * vertex : 4 * p->n_nodes + 3 * (vertex - p->n_nodes);
  for (size_t k = 0; k < (node ? 4 : 3); k++)
    unknown[n++] = first + k;
  return n;
}

/// Lists the unknowns that an element sees; returns how many.
static inline int ref_element_unknowns(const ref_problem *p, size_t e, size_t *unknown) {
  int n = 0;
  if (e < p->n_segments) {
    for (int i = 0; i < 2; i++)
      n = ref_push(p, (size_t)p->segment[e].node[i], unknown, n);
    return ref_push(p, p->n_nodes + e, unknown, n);
  }
  if (e >= p->n_segments + p->n_joints)
    return ref_push(p, e - p->n_segments - p->n_joints, unknown, n);
  const vb_joint *joint = &p->joint[e - p->n_segments];
  n = ref_push(p, (size_t)joint->node, unknown, n);
  for (int i = 0; i < 2; i++) {
    size_t j = (size_t)joint->segment[i];
    n = ref_push(p, p->n_nodes + j, unknown, n);
    unknown[n++] = 4 * (size_t)ref_other(&p->segment[j], joint->node) + 3;
  }
  return n;
}

/// Sets the vertex of unknown `u` in `out` to `base` moved by the parameters `x`: centers and
/// scales by a sum, frames by R <- R exp(x).
static inline void ref_set(const ref_problem *p, const ref_state *base, const ref_real *x, size_t u,
                           ref_state *out) {
  if (u < 4 * p->n_nodes) {
    out->node[u / 4][u % 4] = base->node[u / 4][u % 4] + x[u];
    return;
  }
  size_t j = (u - 4 * p->n_nodes) / 3;
  ref_real turn[3][3];
  ref_rotation(x + 4 * p->n_nodes + 3 * j, turn);
  ref_multiply(base->frame[j], turn, false, false, out->frame[j]);
}

static inline void ref_apply(const ref_problem *p, const ref_state *base, const ref_real *x,
                             ref_state *out) {
  *out = *base;
  for (size_t u = 0; u < p->n_unknowns; u++)
    ref_set(p, base, x, u, out);
}

static inline ref_real ref_phi(const ref_problem *p, const ref_state *x) {
  ref_real sum = 0;
  for (size_t e = 0; e < ref_n_elements(p); e++) {
    ref_rows rows;
    ref_element_rows(p, x, e, &rows);
    for (int i = 0; i < rows.n; i++)
      sum += rows.k[i] * rows.w[i] * rows.w[i] / 2;
  }
  return sum;
}

/// Elastic energies by term.
static inline void ref_energies(const ref_problem *p, const ref_state *x, ref_real out[REF_TERMS]) {
  memset(out, 0, REF_TERMS * sizeof *out);
  for (size_t e = 0; e < p->n_segments + p->n_joints; e++) {
    ref_rows rows;
    ref_element_rows(p, x, e, &rows);
    for (int i = 0; i < rows.n; i++)
      out[rows.term[i]] += rows.k[i] * rows.w[i] * rows.w[i] / 2;
  }
}

/// Derivatives of an element's rows by its unknowns, by a difference of fourth order over 1e-3:
/// wrong by 1e-13 at most where rows are polynomials and sines of order 1.
static inline void ref_derivatives(const ref_problem *p, const ref_state *base, ref_real *x,
                                   ref_state *state, size_t e, const size_t *unknown, int n,
                                   ref_real out[][REF_ELEMENT_ROWS]) {
  const ref_real step = 1e-3L;
  for (int k = 0; k < n; k++) {
    size_t u = unknown[k];
    ref_real at = x[u];
    for (int i = 0; i < REF_ELEMENT_ROWS; i++)
      out[k][i] = 0;
    for (int side = -2; side <= 2; side++) {
      ref_rows rows;
      ref_real weight = (side == 1 || side == -1 ? 8 : -1) * (side < 0 ? -1 : 1) / (12 * step);
      if (side == 0)
        continue;
      x[u] = at + side * step;
      ref_set(p, base, x, u, state);
      ref_element_rows(p, state, e, &rows);
      for (int i = 0; i < rows.n; i++)
        out[k][i] += weight * rows.w[i];
    }
    x[u] = at;
    ref_set(p, base, x, u, state);
  }
}

/// What ref_evaluate finds; null pointers are left out.
typedef struct ref_result {
  ref_real phi;
  ref_real *gradient;             ///< [n_unknowns], held ones included
  ref_real *matrix;               ///< [n_unknowns x n_unknowns]: Gauss-Newton
  ref_real (*part)[REF_UNKNOWNS]; ///< [REF_TERMS + 1]: that of each term, then that of inertia
} ref_result;

static inline void ref_add_element(const ref_problem *p, const ref_rows *rows,
                                   const size_t *unknown, int n,
                                   const ref_real dw[][REF_ELEMENT_ROWS], ref_result *out) {
  for (int i = 0; i < rows->n; i++) {
    out->phi += rows->k[i] * rows->w[i] * rows->w[i] / 2;
    for (int a = 0; a < n; a++) {
      ref_real g = rows->k[i] * rows->w[i] * dw[a][i];
      out->gradient[unknown[a]] += g;
      if (out->part)
        out->part[rows->term[i] < 0 ? REF_TERMS : rows->term[i]][unknown[a]] += g;
      for (int b = 0; out->matrix && b < n; b++)
        out->matrix[unknown[a] * p->n_unknowns + unknown[b]] += rows->k[i] * dw[a][i] * dw[b][i];
    }
  }
}

/// Phi and its derivatives by the parameters `x` about `base` (for rotations in body axes: x = 0).
static inline void ref_evaluate(const ref_problem *p, const ref_state *base, const ref_real *x,
                                ref_result *out) {
  ref_state state;
  ref_real moved[REF_UNKNOWNS];
  memcpy(moved, x, p->n_unknowns * sizeof *moved);
  ref_apply(p, base, moved, &state);
  out->phi = 0;
  if (out->part)
    memset(out->part, 0, (REF_TERMS + 1) * sizeof *out->part);
  memset(out->gradient, 0, p->n_unknowns * sizeof *out->gradient);
  if (out->matrix)
    memset(out->matrix, 0, p->n_unknowns * p->n_unknowns * sizeof *out->matrix);
  for (size_t e = 0; e < ref_n_elements(p); e++) {
    size_t unknown[REF_ELEMENT_UNKNOWNS];
    ref_real dw[REF_ELEMENT_UNKNOWNS][REF_ELEMENT_ROWS];
    ref_rows rows;
    int n = ref_element_unknowns(p, e, unknown);
    ref_element_rows(p, &state, e, &rows);
    ref_derivatives(p, base, moved, &state, e, unknown, n, dw);
    ref_add_element(p, &rows, unknown, n, dw, out);
  }
}

#endif
