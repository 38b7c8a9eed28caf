// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/measure.h"

#include "reference/umetani/boundary.h"

static void read_nodes(const umetani_rods *rods, double (*from)[3], double *out) {
  for (size_t i = 0; i < rods->n_nodes; i++)
    memcpy(out + 3 * i, from[rods->point_of_node[i]], sizeof *from);
}

void umetani_read_position(void *self, double *out) {
  read_nodes(((umetani *)self)->rods, ((umetani *)self)->state.x, out);
}

void umetani_read_velocity(void *self, double *out) {
  read_nodes(((umetani *)self)->rods, ((umetani *)self)->state.v, out);
}

void umetani_read_scale(void *self, double *out) {
  for (size_t i = 0; i < ((umetani *)self)->rods->n_nodes; i++)
    out[i] = 1;
}

/// The frame of edge `e`; false where it has none.
static bool frame_of(const umetani_edge *e, const umetani_state *state, umetani_frame *out) {
  return umetani_frame_of(state->x[e->point[0]], state->x[e->point[1]], state->x[e->point[2]], 0,
                          out);
}

void umetani_read_frame(void *self, double *out) {
  const umetani *u = self;
  for (size_t i = 0; i < u->rods->n_segments; i++) {
    const umetani_edge *e = &u->rods->edge[i];
    double *q = out + 4 * (size_t)e->segment;
    umetani_frame f;
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
    if (frame_of(e, &u->state, &f))
      vb_frame_from_axes(f.d[0], f.d[2], q);
  }
}

/// Of the center line across it, and of the ghost about it.
static void read_rotation(const umetani_edge *e, const umetani_state *state, double out[3]) {
  umetani_frame f;
  out[0] = out[1] = out[2] = 0;
  if (!frame_of(e, state, &f))
    return;
  const double *a = state->v[e->point[0]], *b = state->v[e->point[1]], *g = state->v[e->point[2]];
  double slide[3], roll[3];
  for (int k = 0; k < 3; k++) {
    slide[k] = (b[k] - a[k]) / f.l;
    roll[k] = (g[k] - 0.5 * (a[k] + b[k])) / f.rho;
  }
  vb_cross(f.d[2], slide, out);
  vb_add_scaled(out, vb_dot(f.d[1], roll), f.d[2], out);
}

void umetani_read_angular_velocity(void *self, double *out) {
  const umetani *u = self;
  for (size_t e = 0; e < u->rods->n_segments; e++)
    read_rotation(&u->rods->edge[e], &u->state, out + 3 * (size_t)u->rods->edge[e].segment);
}

void umetani_read_ghost(void *self, double *out) {
  const umetani *u = self;
  for (size_t e = 0; e < u->rods->n_segments; e++)
    memcpy(out + 3 * (size_t)u->rods->edge[e].segment, u->state.x[u->rods->edge[e].point[2]],
           sizeof *u->state.x);
}

void umetani_read_gravity_ratio(void *self, double *out) {
  const umetani *u = self;
  for (size_t e = 0; e < u->rods->n_segments; e++)
    out[u->rods->edge[e].segment] = u->state.ratio[e];
}

/// Mass of each node with half of its segments' ghosts', and those of its rigid bodies.
void umetani_read_mass(void *self, double *out) {
  const umetani_rods *rods = ((umetani *)self)->rods;
  size_t n;
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  for (size_t i = 0; i < rods->n_nodes; i++)
    out[i] = rods->mass[rods->point_of_node[i]];
  for (size_t e = 0; e < rods->n_segments; e++)
    for (int side = 0; side < 2; side++)
      out[segment[rods->edge[e].segment].node[side]] += 0.5 * rods->mass[rods->edge[e].point[2]];
  for (size_t h = 0; h < rods->n_hubs; h++)
    for (int k = 1; k < 3; k++)
      out[rods->hub[h].node] += rods->mass[rods->hub[h].point[k]];
}

/// The Darboux vector between two frames along the path; 0 after half a turn.
static void darboux(const double e[3][3], const double f[3][3], double lb, double out[3]) {
  double q[3][3], c[3] = {0};
  umetani_relative(e, f, q);
  if (1 + q[0][0] + q[1][1] + q[2][2] > 1e-12)
    umetani_tangent((const double(*)[3])q, c);
  for (int i = 0; i < 3; i++)
    out[i] = 2 / lb * c[i];
}

void umetani_read_darboux(void *self, double *out) {
  const umetani *u = self;
  const umetani_rods *rods = u->rods;
  size_t n;
  const vb_joint *joint = vb_scene_joints(rods->scene, &n);
  for (size_t t = 0; t < n; t++) {
    umetani_frame f[2];
    bool whole = true;
    double lb = 0;
    for (int side = 0; side < 2; side++) {
      const umetani_edge *e = &rods->edge[rods->edge_of[joint[t].segment[side]]];
      whole = frame_of(e, &u->state, &f[side]) && whole;
      lb += 0.5 * e->length;
      if (e->point[1 - side] != rods->point_of_node[joint[t].node])
        umetani_turn_around(f[side].d); // stored against the path
    }
    out[3 * t] = out[3 * t + 1] = out[3 * t + 2] = 0;
    if (whole)
      darboux((const double(*)[3])f[0].d, (const double(*)[3])f[1].d, lb, out + 3 * t);
  }
}

void umetani_read_constraint_error(void *self, double *out) {
  const umetani *u = self;
  const umetani_rods *rods = u->rods;
  const umetani_state *state = &u->state;
  umetani_element e;
  memset(out, 0, 4 * sizeof *out);
  for (size_t i = 0; i < rods->n_segments; i++) {
    const umetani_edge *edge = &rods->edge[i];
    const double unit[3] = {edge->length, edge->length * edge->ghost, edge->ghost};
    for (int kind = 0; kind < 3; kind++)
      if (umetani_edge_element(edge, state->length[i], (umetani_edge_kind)kind, &u->settings.law,
                               state->x, &e))
        out[kind] = fmax(out[kind], fabs(e.c[0]) / unit[kind]);
  }
  umetani_aim_holds(rods, *state->time, u->scratch.target);
  for (size_t i = 0; i < rods->n_holds; i++)
    if (umetani_hold_element(&rods->hold[i], (const double(*)[3])u->scratch.target[i], state->x,
                             &e))
      for (int k = 0; k < 3; k++)
        if (e.rows >> k & 1)
          out[3] = fmax(out[3], fabs(e.c[k]) * 2 * rods->hold[i].lb);
}

void umetani_read_attachment_error(void *self, double *out) {
  const umetani *u = self;
  memset(out, 0, u->rods->n_segments * sizeof *out);
  for (size_t i = 0; i < u->rods->n_anchors; i++) {
    umetani_element e;
    double *own = out + u->rods->anchor[i].segment;
    umetani_anchor_place(&u->rods->anchor[i], u->state.x, &e);
    *own = fmax(*own, sqrt(vb_dot(e.c, e.c)));
  }
}

void umetani_read_momentum(void *self, double *out) {
  const umetani *u = self;
  out[0] = out[1] = out[2] = 0;
  for (size_t p = 0; p < u->rods->n_points; p++)
    vb_add_scaled(out, u->rods->mass[p], u->state.v[p], out);
}

/// Adds the energy of a joint or an attachment, by component.
static void add_turn(const umetani_element *e, const double k[3], double lb, double *out) {
  for (int i = 0; i < 3; i++)
    out[i < 2 ? UMETANI_BEND : UMETANI_TWIST] += 0.5 * lb * k[i] * e->c[i] * e->c[i];
}

void umetani_read_energies(void *self, double *out) {
  const umetani *u = self;
  const umetani_rods *rods = u->rods;
  const umetani_state *state = &u->state;
  static const umetani_law plain = {.alpha = {1, 1, 1}};
  const double *g = vb_scene_world(rods->scene)->gravity;
  umetani_element e;
  memset(out, 0, UMETANI_ENERGY_COUNT * sizeof *out);
  for (size_t i = 0; i < rods->n_segments; i++) {
    const umetani_edge *edge = &rods->edge[i];
    double l = vb_distance(state->x[edge->point[0]], state->x[edge->point[1]]);
    out[UMETANI_STRETCH] += umetani_stretch_energy(edge, l, state->length[i]);
    for (int side = 0; side < 2; side++) // a ghost's weight counts at the middle
      out[UMETANI_GRAVITY] -=
          0.5 * rods->mass[edge->point[2]] * vb_dot(g, state->x[edge->point[side]]);
  }
  for (size_t i = 0; i < rods->n_joints; i++)
    if (umetani_joint_element(&rods->joint[i], plain.alpha, &plain, state->x, &e))
      add_turn(&e, rods->joint[i].k, rods->joint[i].lb, out);
  for (size_t i = 0; i < rods->n_attachments; i++)
    if (umetani_attachment_element(&rods->attachment[i], &plain, state->x, &e))
      add_turn(&e, rods->attachment[i].k, rods->attachment[i].lb, out);
  for (size_t i = 0; i < rods->n_anchors; i++)
    if (umetani_anchor_turn(&rods->anchor[i], &plain, state->x, &e))
      add_turn(&e, rods->anchor[i].k, rods->anchor[i].lb, out);
  for (size_t i = 0; i < rods->n_nodes; i++) {
    int32_t p = rods->point_of_node[i];
    out[UMETANI_GRAVITY] -= rods->mass[p] * vb_dot(g, state->x[p]);
  }
  for (size_t h = 0; h < rods->n_hubs; h++)
    for (int k = 1; k < 3; k++)
      out[UMETANI_GRAVITY] -=
          rods->mass[rods->hub[h].point[k]] * vb_dot(g, state->x[rods->hub[h].point[0]]);
  for (size_t p = 0; p < rods->n_points; p++)
    out[UMETANI_KINETIC] += 0.5 * rods->mass[p] * vb_dot(state->v[p], state->v[p]);
}
