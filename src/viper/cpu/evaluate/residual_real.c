// SPDX-License-Identifier: GPL-3.0-or-later
/// The residual of a step (method/README.md): the norm of the gradient of Phi over the sum of the
/// norms of its parts. A part is assembled at the unknowns before its norm is taken.
#include "viper/cpu/core/cpu_real.h"
#include "viper/cpu/evaluate/bundle_rows.h"
#include "viper/energy/term.h"

#include <stdlib.h>
#include <string.h>

/// What the gradient is made of; then term by term.
enum {
  INERTIA, ///< A (X - X_n - h V_n) / h^2; 0 in statics
  LOADS,   ///< gravity and external loads
  PUSHED,  ///< by contacts and bundles, together
  OUTER_PARTS,
  N_PARTS = OUTER_PARTS + VIPER_N_TERMS
};

/// A residual at work. Squared norms are weighted by the inverse inertias of free unknowns.
typedef struct work {
  const viper_cpu *began, *end;
  const viper_model_body *body;
  const double *load; ///< not in statics, where predictions are loads
  viper_real inv_h2;
  double *node, *frame;           ///< the gradient of the body, x 4 and x 3
  double *node_part, *frame_part; ///< one of its parts
  double now;                     ///< squared norm of the gradient of all bodies
  double part[N_PARTS];           ///< and of its parts
  double rounding; ///< of the forces that a rounding error of 1 in what they are made of would make
} work;

/// Whether a gradient is as small as rounding lets it be: a few rounding errors per unknown.
static bool is_rounding(double now, double rounding) {
  const double epsilon = (double)VIPER_EPSILON;
  return now <= 100 * epsilon * epsilon * rounding;
}

/// Inverse inertias of a node's unknowns and of a frame's, 0 where pinned.
static void node_inverse(const viper_cpu *cpu, int32_t i, double out[4]) {
  const viper_model_node *m = &cpu->model->node[i];
  for (int k = 0; k < 4; k++)
    out[k] = m->pinned >> k & 1 ? 0 : 1 / (k < 3 ? m->mass : m->scale_inertia);
}

static void frame_inverse(const viper_cpu *cpu, int32_t j, double out[3]) {
  out[0] = out[1] = viper_frame_free(cpu, j) ? 1 / (double)viper_frame_inertia_load(cpu, j) : 0;
  out[2] = 0.5 * out[0];
  if (cpu->model->has_moments) {
    out[1] = out[0] / cpu->model->segment[j].moments[0];
    out[2] = out[0] / cpu->model->segment[j].moments[1];
  }
}

static double norm2(const work *w, const double *node, const double *frame) {
  const viper_model_body *body = w->body;
  double sum = 0, inverse[4];
  for (int32_t i = 0; i < body->n_nodes; i++) {
    node_inverse(w->end, body->first_node + i, inverse);
    for (int k = 0; k < 4; k++)
      sum += node[4 * i + k] * node[4 * i + k] * inverse[k];
  }
  for (int32_t j = 0; j < body->n_segments; j++) {
    frame_inverse(w->end, body->first_segment + j, inverse);
    for (int k = 0; k < 3; k++)
      sum += frame[3 * j + k] * frame[3 * j + k] * inverse[k];
  }
  return sum;
}

/// Leaves of a gradient over the frames of the body what is along free directions.
static void free_parts(const work *w, double *frame) {
  for (int32_t j = 0; w->end->held && j < w->body->n_segments; j++)
    viper_free_part(w->end, w->body->first_segment + j, frame + 3 * j);
}

/// Takes the norm of an assembled part, adds it to the gradient, and clears it.
static void take_part(work *w, int part) {
  size_t n = 4 * (size_t)w->body->n_nodes, s = 3 * (size_t)w->body->n_segments;
  free_parts(w, w->frame_part);
  w->part[part] += norm2(w, w->node_part, w->frame_part);
  for (size_t k = 0; k < n; k++)
    w->node[k] += w->node_part[k];
  for (size_t k = 0; k < s; k++)
    w->frame[k] += w->frame_part[k];
  memset(w->node_part, 0, n * sizeof *w->node_part);
  memset(w->frame_part, 0, s * sizeof *w->frame_part);
}

/// The inertial gradient of a node with one prediction, as A (X - Xhat) / h^2; then a frame's.
static void node_inertial(const work *w, const viper_cpu *with, int32_t i, double out[4]) {
  viper_real g[4];
  viper_node_inertial_gradient(viper_node_inertia_load(w->end, i), w->end->node[i],
                               with->node_hat[i], g);
  for (int k = 0; k < 4; k++)
    out[k] = (double)(w->inv_h2 * g[k]);
}

static void frame_inertial(const work *w, const viper_cpu *with, int32_t j, double out[3]) {
  viper_real g[3], h[3][3];
  viper_frame_block_load(w->end, j, w->end->frame[j], with->frame_hat[j], g, h);
  for (int k = 0; k < 3; k++)
    out[k] = (double)(w->inv_h2 * g[k]);
}

/// One of the outer parts at node `i`. The prediction holds the loads: without them it would be
/// X_n + h V_n.
static void node_outer(const work *w, int part, int32_t i, double out[4]) {
  double free[4], pushed[4];
  if (w->end->is_static) {
    const viper_node_x load = w->end->node_hat[i];
    for (int k = 0; k < 4; k++)
      out[k] = 0;
    if (part == LOADS)
      viper_node_to((viper_node_x){viper_scale(VIPER_R(-1), load.c), -load.s}, out);
    return;
  }
  node_inertial(w, w->began, i, free);
  node_inertial(w, w->end, i, pushed);
  for (int k = 0; k < 4; k++) {
    double load = w->load[4 * i + k];
    out[k] = part == INERTIA ? free[k] + load : part == LOADS ? -load : pushed[k] - free[k];
  }
}

/// Likewise at frame `j`, with the torque in its body axes.
static void frame_outer(const work *w, int part, int32_t j, double out[3]) {
  if (w->end->is_static) {
    viper_real g[3] = {0};
    if (part == LOADS)
      viper_frame_load_gradient(w->end->frame[j], w->end->frame_hat[j], g);
    for (int k = 0; k < 3; k++)
      out[k] = (double)g[k];
    return;
  }
  const double *torque = w->load + 4 * w->end->model->n_nodes + 3 * j;
  viper_quat q = w->end->frame[j];
  viper_vec3 axis[3] = {viper_quat_u(q), viper_quat_v(q), viper_quat_w(q)};
  double free[3], pushed[3];
  frame_inertial(w, w->began, j, free);
  frame_inertial(w, w->end, j, pushed);
  for (int k = 0; k < 3; k++) {
    double load = torque[0] * (double)axis[k].x + torque[1] * (double)axis[k].y +
                  torque[2] * (double)axis[k].z;
    out[k] = part == INERTIA ? free[k] + load : part == LOADS ? -load : pushed[k] - free[k];
  }
  if (part == PUSHED && w->end->frame_push)
    out[2] -= w->end->frame_push[j];
  for (int k = 0; k < 3 && part == PUSHED && w->end->bundle_torque; k++)
    out[k] -= w->end->bundle_torque[3 * j + k];
  for (int k = 0; k < 3 && part == PUSHED && w->end->torque; k++)
    out[k] -= (double)w->inv_h2 * w->end->torque[3 * j + k];
}

static void take_outer(work *w) {
  for (int part = 0; part < OUTER_PARTS; part++) {
    for (int32_t i = 0; i < w->body->n_nodes; i++)
      node_outer(w, part, w->body->first_node + i, w->node_part + 4 * i);
    for (int32_t j = 0; j < w->body->n_segments; j++)
      frame_outer(w, part, w->body->first_segment + j, w->frame_part + 3 * j);
    take_part(w, part);
  }
}

typedef void segment_gradient(const viper_segment_rest *, const viper_segment_state *,
                              viper_real *);
typedef void solid_gradient(const viper_solid_rest *, const viper_segment_state *, viper_real *);
typedef void joint_gradient(const viper_joint_rest *, const viper_joint_state *, viper_real *);

/// Takes a term of segments, with `add_solid`, where it is not null: the term of the material model
/// solid that counts into it.
static void take_segment_term(work *w, segment_gradient *add, solid_gradient *add_solid, int part) {
  for (int32_t j = w->body->first_segment; j < w->body->first_segment + w->body->n_segments; j++) {
    viper_segment_state x = viper_segment_load(w->end, j);
    viper_segment_rest rest = viper_segment_rest_from(&w->end->model->segment[j]);
    viper_real g[VIPER_SEGMENT_UNKNOWNS] = {0};
    double wide[VIPER_SEGMENT_UNKNOWNS];
    add(&rest, &x, g);
    if (add_solid && w->body->solid != VIPER_NONE_SOLID) {
      viper_solid_rest solid = viper_solid_rest_from(&w->end->model->segment[j]);
      add_solid(&solid, &x, g);
    }
    for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++)
      wide[k] = (double)g[k];
    viper_segment_scatter(w->end, w->body, j, wide, w->node_part, w->frame_part);
  }
  take_part(w, part);
}

static void take_joint_term(work *w, joint_gradient *add, int part) {
  for (int32_t t = w->body->first_joint; t < w->body->first_joint + w->body->n_joints; t++) {
    viper_joint_state x = viper_joint_load(w->end, t);
    viper_joint_rest rest = viper_joint_rest_from(&w->end->model->joint[t]);
    viper_real g[VIPER_JOINT_UNKNOWNS] = {0};
    double wide[VIPER_JOINT_UNKNOWNS];
    add(&rest, &x, g);
    for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++)
      wide[k] = (double)g[k];
    viper_joint_scatter(w->end, w->body, t, wide, w->node_part, w->frame_part);
  }
  take_part(w, part);
}

static void take_terms(work *w) {
  int part = OUTER_PARTS;
  solid_gradient *solid[VIPER_N_SEGMENT_TERMS] = {0};
#define SHOW(name, NAME, SHOWN) solid[VIPER_TERM_##SHOWN] = viper_##name##_add_gradient;
  // cppcheck-suppress legacyUninitvar ; the list is being filled
  VIPER_SOLID_TERMS(SHOW)
#undef SHOW
#define TAKE(name, NAME)                                                                           \
  take_segment_term(w, viper_##name##_add_gradient, solid[VIPER_TERM_##NAME], part++);
  VIPER_SEGMENT_TERMS(TAKE)
#undef TAKE
#define TAKE(name, NAME) take_joint_term(w, viper_##name##_add_gradient, part++);
  VIPER_JOINT_TERMS(TAKE)
#undef TAKE
}

/// Squared norm of the forces that an error of 1 in the positions over their size, and in the
/// frame's axis, makes by way of the terms on centers.
static double segment_rounding(const viper_cpu *cpu, int32_t j) {
  const viper_model_segment *m = &cpu->model->segment[j];
  viper_segment_state x = viper_segment_load(cpu, j);
  double size = m->inv_l * sqrt((double)(viper_dot(x.c_a, x.c_a) + viper_dot(x.c_b, x.c_b)));
  double k_on = viper_k_on(viper_segment_term, m->k, VIPER_N_SEGMENT_TERMS, VIPER_SEGMENT_CENTERS);
  for (int k = 0; k < VIPER_N_SOLID_TERMS; k++)
    k_on += m->k_solid[k];
  double force = k_on * (1 + size), sum = 0, inverse[4];
  for (int side = 0; side < 2; side++) {
    node_inverse(cpu, m->node[side], inverse);
    for (int k = 0; k < 3; k++)
      sum += m->inv_l * m->inv_l * inverse[k];
    sum += inverse[3];
  }
  frame_inverse(cpu, j, inverse);
  return force * force * (sum + inverse[0] + inverse[1] + inverse[2]);
}

/// Likewise of an error of 1 in the frames' product, by way of the terms on frames.
static double joint_rounding(const viper_cpu *cpu, int32_t t) {
  const viper_model_joint *m = &cpu->model->joint[t];
  double k_on = viper_k_on(viper_joint_term, m->k, VIPER_N_JOINT_TERMS, VIPER_JOINT_FRAMES);
  double force = k_on * m->inv_lm * m->inv_lm, sum = 0, inverse[3];
  for (int side = 0; side < 2; side++) {
    frame_inverse(cpu, m->segment[side], inverse);
    sum += inverse[0] + inverse[1] + inverse[2];
  }
  return force * force * sum;
}

/// Of the inertial forces that such an error in positions makes; and all of the body.
static double body_rounding(const work *w) {
  const viper_model_body *body = w->body;
  double sum = 0, inertial = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    viper_vec3 c = w->end->node[i].c;
    inertial += w->end->model->node[i].mass * (double)viper_dot(c, c);
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    sum += segment_rounding(w->end, j);
  for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
    sum += joint_rounding(w->end, t);
  if (w->end->is_static)
    return sum;
  return sum + (double)w->inv_h2 * (double)w->inv_h2 * inertial;
}

static void take_body(work *w) {
  memset(w->node, 0, 4 * (size_t)w->body->n_nodes * sizeof *w->node);
  memset(w->frame, 0, 3 * (size_t)w->body->n_segments * sizeof *w->frame);
  take_outer(w);
  take_terms(w);
  w->now += norm2(w, w->node, w->frame);
  w->rounding += body_rounding(w);
}

/// Zeros for the gradient and one part of the largest body, to be freed; null without memory.
static double *make_room(work *w, const viper_model *model) {
  size_t nodes = 0, segments = 0;
  for (size_t k = 0; k < model->n_bodies; k++) {
    size_t n = (size_t)model->body[k].n_nodes, s = (size_t)model->body[k].n_segments;
    nodes = n > nodes ? n : nodes;
    segments = s > segments ? s : segments;
  }
  double *all = calloc(2 * (4 * nodes + 3 * segments) + 1, sizeof *all);
  if (all) {
    w->node = all;
    w->node_part = w->node + 4 * nodes;
    w->frame = w->node_part + 4 * nodes;
    w->frame_part = w->frame + 3 * segments;
  }
  return all;
}

vb_status viper_relative_residual(const viper_cpu *began, const viper_cpu *end, double h,
                                  const double *load, double *out, vb_error *error) {
  viper_real step = (viper_real)h;
  work w = {.began = began, .end = end, .load = load, .inv_h2 = VIPER_R(1) / (step * step)};
  double *room = make_room(&w, end->model), sum = 0;
  if (!room)
    return vb_error_memory(error);
  for (size_t k = 0; k < end->model->n_bodies; k++) {
    w.body = &end->model->body[k];
    take_body(&w);
  }
  free(room);
  if (end->bundle_torque) // penalties of bundles make so much more of rounding
    w.rounding *= VIPER_BUNDLE_PENALTY * VIPER_BUNDLE_PENALTY;
  for (int part = 0; part < N_PARTS; part++)
    sum += sqrt(w.part[part]);
  *out = is_rounding(w.now, w.rounding) || sum == 0 ? 0 : sqrt(w.now) / sum;
  return VB_OK;
}
