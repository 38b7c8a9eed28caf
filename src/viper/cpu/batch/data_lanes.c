// SPDX-License-Identifier: GPL-3.0-or-later
/// Batches: rest data, pins and states, from the model's and the backend's doubles into lanes and
/// back.
#include "viper/cpu/batch/batches.h"

#include <stdlib.h>

// Rest data of one body's element, as the scalars of the structs they fill.
static void node_scalars(const viper_model_node *m, viper_scalar *out) {
  out[0] = (viper_scalar)m->mass;
  out[1] = (viper_scalar)m->scale_inertia;
}

static void moment_scalars(const viper_model_segment *m, viper_scalar *out) {
  for (int k = 0; k < 2; k++)
    out[k] = (viper_scalar)m->moments[k];
}

static void segment_scalars(const viper_model_segment *m, viper_scalar *out) {
  out[0] = (viper_scalar)m->inv_l;
  for (int k = 0; k < VIPER_N_SEGMENT_TERMS; k++)
    out[1 + k] = (viper_scalar)m->k[k];
}

static void solid_scalars(const viper_model_segment *m, viper_scalar *out) {
  out[0] = (viper_scalar)m->inv_l;
  for (int k = 0; k < VIPER_N_SOLID_TERMS; k++)
    out[1 + k] = (viper_scalar)m->k_solid[k];
  out[1 + VIPER_N_SOLID_TERMS] = (viper_scalar)m->slant;
}

static void joint_scalars(const viper_model_joint *m, viper_scalar *out) {
  int n = 0;
  for (int k = 0; k < 4; k++)
    out[n++] = (viper_scalar)m->half[k];
  for (int k = 0; k < 2; k++)
    out[n++] = (viper_scalar)m->flip[k];
  for (int k = 0; k < 3; k++)
    out[n++] = (viper_scalar)m->omega_rest[k];
  out[n++] = (viper_scalar)m->inv_lm;
  out[n++] = (viper_scalar)m->inv_l_j;
  out[n++] = (viper_scalar)m->inv_l_k;
  for (int k = 0; k < VIPER_N_JOINT_TERMS; k++)
    out[n++] = (viper_scalar)m->k[k];
}

/// Writes the `n` scalars at `from` into one lane of the `n` vectors at `to`.
static void to_lane(const viper_scalar *from, size_t n, int lane, void *to) {
  viper_real *out = to;
  for (size_t k = 0; k < n; k++)
    out[k][lane] = from[k];
}

/// Writes each of the `n` scalars at `from` into all lanes of the `n` vectors at `to`.
static void to_all_lanes(const viper_scalar *from, size_t n, void *to) {
  viper_real *out = to;
  for (size_t k = 0; k < n; k++)
    out[k] = viper_splat(from[k]);
}

/// Writes the first lane of the `n` vectors at `from`.
static void from_lane(const void *from, size_t n, viper_scalar *to) {
  const viper_real *in = from;
  for (size_t k = 0; k < n; k++)
    to[k] = in[k][0];
}

// The springs of rest data: in lanes, for the bits to be those of a body of its own.
static void segment_spring_scalars(const viper_scalar *rest, viper_scalar *out) {
  viper_segment_rest all;
  to_all_lanes(rest, VIPER_REALS(viper_segment_rest), &all);
  viper_segment_spring spring = viper_segment_spring_of(&all);
  from_lane(&spring, VIPER_REALS(viper_segment_spring), out);
}

static void joint_spring_scalars(const viper_scalar *rest, viper_scalar *out) {
  viper_joint_rest all;
  to_all_lanes(rest, VIPER_REALS(viper_joint_rest), &all);
  viper_joint_spring spring = viper_joint_spring_of(&all);
  from_lane(&spring, VIPER_REALS(viper_joint_spring), out);
}

/// The springs of nodes of a chain, by the rest data of its segments and joints.
static void node_spring_scalars(const viper_model *m, const viper_uniform *rest,
                                viper_scalar *out) {
  enum { NODE = VIPER_REALS(viper_node_spring) };
  viper_node_spring node[3];
  viper_segment_rest segment;
  viper_joint_rest joint;
  for (size_t j = 0; j < m->n_segments; j++) {
    to_all_lanes(rest->segment + VIPER_REALS(viper_segment_rest) * j,
                 VIPER_REALS(viper_segment_rest), &segment);
    to_all_lanes(out + NODE * j, 2 * NODE, node);
    const viper_segment_spring spring = viper_segment_spring_of(&segment);
    viper_add_segment_spring(&spring, &node[0], &node[1]);
    from_lane(node, 2 * NODE, out + NODE * j);
  }
  for (size_t t = 0; t < m->n_joints; t++) {
    to_all_lanes(rest->joint + VIPER_REALS(viper_joint_rest) * t, VIPER_REALS(viper_joint_rest),
                 &joint);
    to_all_lanes(out + NODE * t, 3 * NODE, node);
    const viper_joint_spring spring = viper_joint_spring_of(&joint);
    viper_add_joint_spring(&spring, node);
    from_lane(node, 3 * NODE, out + NODE * t);
  }
}

bool viper_uniform_create(const viper_model *m, viper_uniform *out) {
  size_t n = 0;
#define COUNT(name, type, place) n += VIPER_REALS(type) * m->n_##place##s;
  VIPER_REST_DATA(COUNT)
  VIPER_SPRING_DATA(COUNT)
#undef COUNT
  viper_scalar *at = calloc(n + 1, sizeof *at);
  if (!at)
    return false;
#define PLACE(name, type, place)                                                                   \
  out->name = at;                                                                                  \
  at += VIPER_REALS(type) * m->n_##place##s;
  VIPER_REST_DATA(PLACE)
  VIPER_SPRING_DATA(PLACE)
#undef PLACE
  enum {
    NODE = VIPER_REALS(viper_node_inertia),
    SEGMENT = VIPER_REALS(viper_segment_rest),
    JOINT = VIPER_REALS(viper_joint_rest),
    SEGMENT_SPRING = VIPER_REALS(viper_segment_spring),
    JOINT_SPRING = VIPER_REALS(viper_joint_spring)
  };
  for (size_t i = 0; i < m->n_nodes; i++)
    node_scalars(&m->node[i], out->node_inertia + NODE * i);
  for (size_t j = 0; j < m->n_segments; j++) {
    out->frame_rest[j] = (viper_scalar)m->segment[j].frame_inertia;
    moment_scalars(&m->segment[j], out->moments + VIPER_REALS(viper_moments) * j);
    segment_scalars(&m->segment[j], out->segment + SEGMENT * j);
    segment_spring_scalars(out->segment + SEGMENT * j, out->segment_spring + SEGMENT_SPRING * j);
  }
  for (size_t j = 0; j < m->n_solids; j++)
    solid_scalars(&m->segment[j], out->solid + VIPER_REALS(viper_solid_rest) * j);
  for (size_t t = 0; t < m->n_joints; t++) {
    joint_scalars(&m->joint[t], out->joint + JOINT * t);
    joint_spring_scalars(out->joint + JOINT * t, out->joint_spring + JOINT_SPRING * t);
  }
  if (m->n_segments + 1 == m->n_nodes && m->n_joints + 2 == m->n_nodes) // else no chain
    node_spring_scalars(m, out, out->node_spring);
  return true;
}

static void doubles_to_lane(const double *from, size_t n, int lane, void *to) {
  viper_real *out = to;
  for (size_t k = 0; k < n; k++)
    out[k][lane] = (viper_scalar)from[k];
}

static void lane_to_doubles(const void *from, size_t n, int lane, double *to) {
  const viper_real *in = from;
  for (size_t k = 0; k < n; k++)
    to[k] = (double)in[k][lane];
}

void viper_batch_fill_rest(const viper_model *whole, viper_batch *b) {
  viper_scalar x[VIPER_REALS(viper_joint_rest)];
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_model_body *body = &whole->body[b->body[lane]];
    for (int32_t i = 0; i < body->n_nodes; i++) {
      node_scalars(&whole->node[body->first_node + i], x);
      to_lane(x, VIPER_REALS(viper_node_inertia), lane, &b->node_inertia[i]);
    }
    for (int32_t j = 0; j < body->n_segments; j++) {
      const viper_model_segment *s = &whole->segment[body->first_segment + j];
      b->frame_rest[j].inertia[lane] = (viper_scalar)s->frame_inertia;
      moment_scalars(s, x);
      to_lane(x, VIPER_REALS(viper_moments), lane, &b->moments[j]);
      segment_scalars(s, x);
      to_lane(x, VIPER_REALS(viper_segment_rest), lane, &b->segment[j]);
      if (body->solid == VIPER_NONE_SOLID)
        continue;
      solid_scalars(s, x);
      to_lane(x, VIPER_REALS(viper_solid_rest), lane, &b->solid[j]);
    }
    for (int32_t t = 0; t < body->n_joints; t++) {
      joint_scalars(&whole->joint[body->first_joint + t], x);
      to_lane(x, VIPER_REALS(viper_joint_rest), lane, &b->joint[t]);
    }
  }
}

void viper_batch_fill_springs(viper_batch *b, size_t n) {
  for (size_t j = 0; b->segment_spring && j + 1 < n; j++)
    b->segment_spring[j] = viper_segment_spring_of(&b->segment[j]);
  for (size_t t = 0; b->joint_spring && t + 2 < n; t++)
    b->joint_spring[t] = viper_joint_spring_of(&b->joint[t]);
}

void viper_batch_hold_pin(viper_batch *b, const viper_model_pin *pin, const viper_model_body *body,
                          int lane, const double target[4]) {
  if (pin->location == VB_AT_SEGMENT)
    doubles_to_lane(target, 4, lane, &b->frame_pin[pin->index - body->first_segment]);
  else
    doubles_to_lane(target, 4, lane, &b->node_pin[pin->index - body->first_node]);
}

void viper_batches_put(void *self, const viper_state *state) {
  viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < VIPER_LANES; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++) {
        size_t at = 4 * ((size_t)body->first_node + (size_t)k);
        doubles_to_lane(state->node + at, 4, lane, &b->node[k]);
        doubles_to_lane(state->node_rate + at, 4, lane, &b->node_rate[k]);
        doubles_to_lane(state->node_hat + at, 4, lane, &b->node_hat[k]);
        if (l->history) {
          doubles_to_lane(state->node_before + at, 4, lane, &b->node_before[k]);
          doubles_to_lane(state->node_rate_before + at, 4, lane, &b->node_rate_before[k]);
        }
      }
      for (int32_t k = 0; k < body->n_segments; k++) {
        size_t at = (size_t)body->first_segment + (size_t)k;
        doubles_to_lane(state->frame + 4 * at, 4, lane, &b->frame[k]);
        doubles_to_lane(state->frame_hat + 4 * at, 4, lane, &b->frame_hat[k]);
        doubles_to_lane(state->frame_rate + 3 * at, 3, lane, &b->frame_rate[k]);
        if (l->history) {
          doubles_to_lane(state->frame_before + 4 * at, 4, lane, &b->frame_before[k]);
          doubles_to_lane(state->frame_rate_before + 3 * at, 3, lane, &b->frame_rate_before[k]);
        }
      }
    }
  }
}

void viper_batches_get(const void *self, viper_state *state) {
  const viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    const viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < b->n_bodies; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++) {
        size_t at = 4 * ((size_t)body->first_node + (size_t)k);
        lane_to_doubles(&b->node[k], 4, lane, state->node + at);
        lane_to_doubles(&b->node_rate[k], 4, lane, state->node_rate + at);
        lane_to_doubles(&b->node_hat[k], 4, lane, state->node_hat + at);
        if (l->history) {
          lane_to_doubles(&b->node_before[k], 4, lane, state->node_before + at);
          lane_to_doubles(&b->node_rate_before[k], 4, lane, state->node_rate_before + at);
        }
      }
      for (int32_t k = 0; k < body->n_segments; k++) {
        size_t at = (size_t)body->first_segment + (size_t)k;
        lane_to_doubles(&b->frame[k], 4, lane, state->frame + 4 * at);
        lane_to_doubles(&b->frame_hat[k], 4, lane, state->frame_hat + 4 * at);
        lane_to_doubles(&b->frame_rate[k], 3, lane, state->frame_rate + 3 * at);
        if (l->history) {
          lane_to_doubles(&b->frame_before[k], 4, lane, state->frame_before + 4 * at);
          lane_to_doubles(&b->frame_rate_before[k], 3, lane, state->frame_rate_before + 3 * at);
        }
      }
    }
  }
}
