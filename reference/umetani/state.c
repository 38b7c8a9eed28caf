// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/state.h"
#include "reference/umetani/contact.h"
#include "solver/fields.h"

#include <stdlib.h>

/// The next `n` rows of three numbers at `at`, which moves behind them.
static double (*rows(double **at, size_t n))[3] {
  double(*out)[3] = (double(*)[3]) * at;
  *at += 3 * n;
  return out;
}

vb_status umetani_state_create(const umetani_rods *rods, umetani_state *out, vb_error *error) {
  size_t n = rods->n_points, m = rods->n_segments;
#define ROWS(member, n)                                                                            \
  { (double **)&out->member, 3 * (n) }
  const vb_state_array arrays[] = {
      ROWS(x, n),
      ROWS(v, n),
      ROWS(hat, n),
      ROWS(drift, n),
      ROWS(impulse, n),
      ROWS(contact, n),
      ROWS(middle, m),
      ROWS(edge, m),
      ROWS(joint, rods->n_joints),
      ROWS(hub, rods->n_hubs),
      ROWS(attachment, rods->n_attachments),
      ROWS(hold, rods->n_holds),
      ROWS(torque, rods->n_holds),
      ROWS(anchor_place, rods->n_anchors),
      ROWS(anchor_turn, rods->n_anchors),
      {&out->ratio, m},
      {&out->length, m},
      {&out->work, vb_work_count(rods->scene)},
      {&out->h, 1},
      {&out->time, 1},
      {&out->visits, 1},
      {&out->touching, 2},
  };
#undef ROWS
  return vb_state_create(arrays, sizeof arrays / sizeof *arrays, &out->n_doubles, error);
}

void umetani_state_free(umetani_state *state) {
  free(state->x);
}

vb_status umetani_scratch_create(const umetani_rods *rods, umetani_scratch *out, vb_error *error) {
  size_t n = rods->n_points, m = rods->n_segments, t = rods->n_joints;
  *out = (umetani_scratch){0};
  double *at = calloc(6 * n + 18 * rods->n_holds + 3 * t + 1, sizeof *at);
  out->load = calloc(vb_work_count(rods->scene) + 1, sizeof *out->load);
  out->edge_order = calloc(m + t + 1, sizeof *out->edge_order);
  out->memory = at;
  if (!at || !out->load || !out->edge_order)
    return vb_error_memory(error);
  out->joint_order = out->edge_order + m;
  out->old = rows(&at, n);
  out->push = rows(&at, n);
  out->alpha = rows(&at, t);
  out->target = (double(*)[3][3])at;
  out->before = out->target + rods->n_holds;
  return umetani_contact_create(rods, &out->contact, error);
}

void umetani_scratch_free(umetani_scratch *scratch) {
  umetani_contact_destroy(scratch->contact);
  free(scratch->memory);
  free(scratch->load);
  free(scratch->edge_order);
}

/// The ghost of a segment at time 0, with the scene's frame and angular velocity there.
static void start_ghost(const umetani_edge *e, const vb_segment *s, umetani_state *state) {
  const double *a = state->x[e->point[0]], *b = state->x[e->point[1]];
  const double *va = state->v[e->point[0]], *vb = state->v[e->point[1]];
  double d3[3], d1[3], u[3], across[3], omega[3], slide[3];
  double l = vb_direction(a, b, d3);
  vb_frame_axis(s->frame, 0, u);
  vb_add_scaled(u, -vb_dot(u, d3), d3, across);
  double norm = sqrt(vb_dot(across, across));
  for (int k = 0; k < 3; k++) {
    d1[k] = norm > 0 ? across[k] / norm : u[k];
    slide[k] = l > 0 ? (vb[k] - va[k]) / l : 0;
  }
  vb_cross(d3, slide, omega);
  vb_add_scaled(omega, vb_dot(s->angular_velocity, d3), d3, omega);
  double arm[3], turn[3];
  for (int k = 0; k < 3; k++)
    arm[k] = e->ghost * d1[k];
  vb_cross(omega, arm, turn);
  for (int k = 0; k < 3; k++) {
    state->x[e->point[2]][k] = 0.5 * (a[k] + b[k]) + arm[k];
    state->v[e->point[2]][k] = 0.5 * (va[k] + vb[k]) + turn[k];
  }
}

/// The ghosts of a rigid body at time 0: where its first attachment's frame at time 0 has them,
/// with the velocity of a body that turns as that edge does.
static void start_hub(const umetani_rods *rods, const umetani_hub *hub, umetani_state *state) {
  const umetani_attachment *at = &rods->attachment[hub->first_attachment];
  umetani_frame f;
  const int32_t *p = at->point;
  double jacobian[3][3][3], omega[3] = {0};
  bool whole = umetani_frame_of(state->x[p[0]], state->x[p[3]], state->x[p[4]], 0, &f);
  umetani_frame_jacobians(&f, jacobian);
  const int32_t own[3] = {p[0], p[3], p[4]};
  for (int k = 0; k < 3 && whole; k++)
    for (int i = 0; i < 3; i++)
      omega[k] += vb_dot(jacobian[i][k], state->v[own[i]]);
  for (int i = 1; i < 3; i++) {
    // Toward the ghosts are d3 and d1 of the body's frame, rows 2 and 0 of the turn.
    const double *row = at->turn[i == 1 ? 2 : 0];
    double arm[3], turn[3];
    for (int k = 0; k < 3; k++)
      arm[k] = hub->length * (row[0] * f.d[0][k] + row[1] * f.d[1][k] + row[2] * f.d[2][k]);
    vb_cross(omega, arm, turn);
    for (int k = 0; k < 3; k++) {
      state->x[hub->point[i]][k] = state->x[p[0]][k] + arm[k];
      state->v[hub->point[i]][k] = state->v[p[0]][k] + turn[k];
    }
  }
}

void umetani_start(const umetani_rods *rods, umetani_state *state) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  for (size_t i = 0; i < rods->n_nodes; i++) {
    int32_t p = rods->point_of_node[i];
    memcpy(state->x[p], node[i].position, sizeof state->x[p]);
    memcpy(state->v[p], node[i].velocity, sizeof state->v[p]);
  }
  for (size_t j = 0; j < rods->n_segments; j++) {
    const umetani_edge *e = &rods->edge[j];
    start_ghost(e, &segment[e->segment], state);
    state->ratio[j] = 1;
    state->length[j] = e->length;
    for (int k = 0; k < 3; k++)
      state->middle[j][k] = 0.5 * (state->v[e->point[0]][k] + state->v[e->point[1]][k]);
  }
  for (size_t h = 0; h < rods->n_hubs; h++)
    start_hub(rods, &rods->hub[h], state);
  memcpy(state->hat, state->x, rods->n_points * sizeof *state->x);
  memcpy(state->drift, state->x, rods->n_points * sizeof *state->x);
}
