// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/measure.h"

#include "reference/umetani/boundary.h"

size_t umetani_count(const umetani_rods *rods, umetani_field field) {
  switch (umetani_describe()->fields[field].location) {
  case VB_AT_NODE:
    return rods->n_nodes;
  case VB_AT_SEGMENT:
    return rods->n_segments;
  case VB_AT_JOINT:
    return rods->n_scene_joints;
  default:
    return 1;
  }
}

static void read_nodes(const umetani_rods *rods, double (*from)[3], double *out) {
  for (size_t i = 0; i < rods->n_nodes; i++)
    memcpy(out + 3 * i, from[rods->point_of_node[i]], sizeof *from);
}

/// The frame of edge `e`; false where it has none.
static bool frame_of(const umetani_edge *e, const umetani_state *state, umetani_frame *out) {
  return umetani_frame_of(state->x[e->point[0]], state->x[e->point[1]], state->x[e->point[2]], 0,
                          out);
}

static void read_frame(const umetani_edge *e, const umetani_state *state, double out[4]) {
  umetani_frame f;
  out[0] = 1;
  out[1] = out[2] = out[3] = 0;
  if (frame_of(e, state, &f))
    vb_frame_from_axes(f.d[0], f.d[2], out);
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

/// Mass of each node with half of its segments' ghosts', and those of its rigid bodies.
static void read_mass(const umetani_rods *rods, double *out) {
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

static void read_darboux(const umetani_rods *rods, const umetani_state *state, double *out) {
  size_t n;
  const vb_joint *joint = vb_scene_joints(rods->scene, &n);
  for (size_t t = 0; t < n; t++) {
    umetani_frame f[2];
    bool whole = true;
    double lb = 0;
    for (int side = 0; side < 2; side++) {
      const umetani_edge *e = &rods->edge[rods->edge_of[joint[t].segment[side]]];
      whole = frame_of(e, state, &f[side]) && whole;
      lb += 0.5 * e->length;
      if (e->point[1 - side] != rods->point_of_node[joint[t].node])
        umetani_turn_around(f[side].d); // stored against the path
    }
    out[3 * t] = out[3 * t + 1] = out[3 * t + 2] = 0;
    if (whole)
      darboux((const double(*)[3])f[0].d, (const double(*)[3])f[1].d, lb, out + 3 * t);
  }
}

static void read_errors(const umetani_rods *rods, const umetani_settings *settings,
                        const umetani_state *state, umetani_scratch *scratch, double out[4]) {
  umetani_element e;
  memset(out, 0, 4 * sizeof *out);
  for (size_t i = 0; i < rods->n_segments; i++) {
    const umetani_edge *edge = &rods->edge[i];
    const double unit[3] = {edge->length, edge->length * edge->ghost, edge->ghost};
    for (int kind = 0; kind < 3; kind++)
      if (umetani_edge_element(edge, state->length[i], (umetani_edge_kind)kind, &settings->law,
                               state->x, &e))
        out[kind] = fmax(out[kind], fabs(e.c[0]) / unit[kind]);
  }
  umetani_aim_holds(rods, *state->time, scratch->target);
  for (size_t i = 0; i < rods->n_holds; i++)
    if (umetani_hold_element(&rods->hold[i], (const double(*)[3])scratch->target[i], state->x, &e))
      for (int k = 0; k < 3; k++)
        if (e.rows >> k & 1)
          out[3] = fmax(out[3], fabs(e.c[k]) * 2 * rods->hold[i].lb);
}

static void read_momentum(const umetani_rods *rods, const umetani_state *state, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (size_t p = 0; p < rods->n_points; p++)
    vb_add_scaled(out, rods->mass[p], state->v[p], out);
}

void umetani_read(const umetani_rods *rods, const umetani_settings *settings,
                  const umetani_state *state, umetani_scratch *scratch, umetani_field field,
                  double *out) {
  switch (field) {
  case UMETANI_FIELD_POSITION:
    read_nodes(rods, state->x, out);
    break;
  case UMETANI_FIELD_VELOCITY:
    read_nodes(rods, state->v, out);
    break;
  case UMETANI_FIELD_SCALE:
    for (size_t i = 0; i < rods->n_nodes; i++)
      out[i] = 1;
    break;
  case UMETANI_FIELD_MASS:
    read_mass(rods, out);
    break;
  case UMETANI_FIELD_MOMENTUM:
    read_momentum(rods, state, out);
    break;
  case UMETANI_FIELD_DARBOUX:
    read_darboux(rods, state, out);
    break;
  case UMETANI_FIELD_CONSTRAINT_ERROR:
    read_errors(rods, settings, state, scratch, out);
    break;
  case UMETANI_FIELD_CONTACTS:
    out[0] = state->touching[0];
    break;
  case UMETANI_FIELD_PENETRATION:
    out[0] = state->touching[1];
    break;
  default:
    for (size_t e = 0; e < rods->n_segments; e++) {
      size_t j = (size_t)rods->edge[e].segment;
      if (field == UMETANI_FIELD_FRAME)
        read_frame(&rods->edge[e], state, out + 4 * j);
      else if (field == UMETANI_FIELD_ANGULAR_VELOCITY)
        read_rotation(&rods->edge[e], state, out + 3 * j);
      else if (field == UMETANI_FIELD_GHOST)
        memcpy(out + 3 * j, state->x[rods->edge[e].point[2]], sizeof *state->x);
      else
        out[j] = state->ratio[e];
    }
  }
}

/// Adds the energy of a joint or an attachment, by component.
static void add_turn(const umetani_element *e, const double k[3], double lb, double *out) {
  for (int i = 0; i < 3; i++)
    out[i < 2 ? UMETANI_ENERGY_BEND : UMETANI_ENERGY_TWIST] += 0.5 * lb * k[i] * e->c[i] * e->c[i];
}

void umetani_energies(const umetani_rods *rods, const umetani_state *state, double *out) {
  static const umetani_law plain = {.alpha = {1, 1, 1}};
  const double *g = vb_scene_world(rods->scene)->gravity;
  umetani_element e;
  memset(out, 0, UMETANI_ENERGY_COUNT * sizeof *out);
  for (size_t i = 0; i < rods->n_segments; i++) {
    const umetani_edge *edge = &rods->edge[i];
    double l = vb_distance(state->x[edge->point[0]], state->x[edge->point[1]]);
    out[UMETANI_ENERGY_STRETCH] += umetani_stretch_energy(edge, l, state->length[i]);
    for (int side = 0; side < 2; side++) // a ghost's weight counts at the middle
      out[UMETANI_ENERGY_GRAVITY] -=
          0.5 * rods->mass[edge->point[2]] * vb_dot(g, state->x[edge->point[side]]);
  }
  for (size_t i = 0; i < rods->n_joints; i++)
    if (umetani_joint_element(&rods->joint[i], plain.alpha, &plain, state->x, &e))
      add_turn(&e, rods->joint[i].k, rods->joint[i].lb, out);
  for (size_t i = 0; i < rods->n_attachments; i++)
    if (umetani_attachment_element(&rods->attachment[i], &plain, state->x, &e))
      add_turn(&e, rods->attachment[i].k, rods->attachment[i].lb, out);
  for (size_t i = 0; i < rods->n_nodes; i++) {
    int32_t p = rods->point_of_node[i];
    out[UMETANI_ENERGY_GRAVITY] -= rods->mass[p] * vb_dot(g, state->x[p]);
  }
  for (size_t h = 0; h < rods->n_hubs; h++)
    for (int k = 1; k < 3; k++)
      out[UMETANI_ENERGY_GRAVITY] -=
          rods->mass[rods->hub[h].point[k]] * vb_dot(g, state->x[rods->hub[h].point[0]]);
  for (size_t p = 0; p < rods->n_points; p++)
    out[UMETANI_ENERGY_KINETIC] += 0.5 * rods->mass[p] * vb_dot(state->v[p], state->v[p]);
}
