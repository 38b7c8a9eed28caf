// SPDX-License-Identifier: GPL-3.0-or-later
#include "boundary.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

static vb_status check_loads(const ar_body *body, vb_error *error) {
  size_t n;
  const vb_load *load = vb_scene_loads(body->scene, &n);
  for (size_t k = 0; k < n; k++) {
    if (load[k].scale_force != 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %zu (%s) acts on a scale; nodes of tetrahedra have none", k,
                          load[k].name);
    if ((load[k].location == VB_AT_BONE && body->n_bones == 0) ||
        (load[k].location == VB_AT_LINK && body->n_links == 0))
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %zu (%s) acts on a %s; this needs bones=exact", k, load[k].name,
                          load[k].location == VB_AT_BONE ? "bone" : "link");
  }
  return VB_OK;
}

vb_status ar_boundary_create(const ar_body *body, ar_boundary *out, vb_error *error) {
  size_t n;
  const vb_pin *pin = vb_scene_pins(body->scene, &n);
  vb_status status = check_loads(body, error);
  if (status)
    return status;
  ar_boundary b = {.body = body};
  b.held = calloc(body->n_nodes + 1, 1);
  b.driver = reallocarray(NULL, body->n_nodes + 1, sizeof *b.driver);
  if (!b.held || !b.driver) {
    ar_boundary_clear(&b);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < body->n_nodes; i++)
    b.driver[i] = -1;
  for (size_t k = 0; k < n; k++) {
    b.held[pin[k].index] = pin[k].mask & VB_PIN_CENTER;
    b.driver[pin[k].index] = pin[k].driver;
  }
  *out = b;
  return VB_OK;
}

void ar_boundary_clear(ar_boundary *b) {
  free(b->held);
  free(b->driver);
  *b = (ar_boundary){0};
}

void ar_boundary_move(const ar_boundary *b, double time, double *x) {
  size_t n;
  const vb_node *node = vb_scene_nodes(b->body->scene, &n);
  double q[4] = {1}, shift[3] = {0}, target[3];
  int32_t driver = -1; // whose motion q and shift are
  for (size_t i = 0; i < n; i++) {
    if (!b->held[i])
      continue;
    if (b->driver[i] != driver)
      vb_driver_motion(b->body->scene, driver = b->driver[i], time, q, shift);
    vb_rigid_move(q, shift, node[i].position, target);
    for (size_t c = 0; c < 3; c++)
      if (b->held[i] >> c & 1)
        x[3 * i + c] = target[c];
  }
}

/// Adds a force at local coordinates of a bone: [xi 1]^T p.
static void add_force(double *out, const double local[3], double factor, const double p[3]) {
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++)
      out[3 * r + c] += factor * local[r] * p[c];
    out[9 + c] += factor * p[c];
  }
}

/// Adds a torque in world axes: (tau* R / 2)^T on the rows of A.
static void add_torque(double *out, const ar_pose *pose, double factor, const double torque[3]) {
  for (int r = 0; r < 3; r++) {
    const double axis[3] = {pose->r[r], pose->r[3 + r], pose->r[6 + r]};
    double across[3];
    vb_cross(torque, axis, across);
    for (int c = 0; c < 3; c++)
      out[3 * r + c] += 0.5 * factor * across[c];
  }
}

/// The axis of a hinge, by its second side.
static void hinge_axis(const ar_links *links, size_t i, const ar_pose *bones, double out[3]) {
  ar_turn(ar_links_side(links, i, 1, bones)->r, links->link[i].a[0], out);
}

static void add_load(const ar_boundary *b, const ar_links *links, const ar_pose *bones,
                     const vb_load *load, double factor, double *nodes, double *forces) {
  size_t index = (size_t)load->index;
  if (load->location == VB_AT_NODE) {
    double local[4];
    if (b->body->bone_of[index] < 0) {
      vb_add_scaled(nodes + 3 * index, factor, load->force, nodes + 3 * index);
      return;
    }
    ar_body_local(b->body, index, local);
    add_force(forces + 12 * (size_t)b->body->bone_of[index], local, factor, load->force);
  } else if (load->location == VB_AT_BONE) {
    add_force(forces + 12 * index, b->body->bone[index].offset, factor, load->force);
    add_torque(forces + 12 * index, &bones[index], factor, load->torque);
  } else {
    double axis[3];
    hinge_axis(links, index, bones, axis);
    for (int k = 0; k < 2; k++) {
      int32_t bone = links->link[index].bone[k];
      if (bone >= 0)
        add_torque(forces + 12 * (size_t)bone, &bones[bone],
                   (k == 0 ? factor : -factor) * load->torque[0], axis);
    }
  }
}

void ar_boundary_loads(const ar_boundary *b, const ar_links *links, const ar_pose *bones,
                       double time, double *nodes, double *forces) {
  size_t n;
  const vb_load *load = vb_scene_loads(b->body->scene, &n);
  memset(nodes, 0, 3 * b->body->n_nodes * sizeof *nodes);
  memset(forces, 0, 12 * b->body->n_bones * sizeof *forces);
  for (size_t k = 0; k < n; k++)
    add_load(b, links, bones, &load[k], vb_scene_curve(b->body->scene, load[k].amplitude, time, 1),
             nodes, forces);
}

void ar_turn_between(const double from[4], const double to[4], double out[3]) {
  const double back[4] = {from[0], -from[1], -from[2], -from[3]};
  double q[4];
  vb_quaternion_multiply(to, back, q);
  double sine = sqrt(vb_dot(q + 1, q + 1)), angle = 2 * atan2(sine, fabs(q[0]));
  double part = sine > 0 ? (q[0] < 0 ? -angle : angle) / sine : 2;
  for (int c = 0; c < 3; c++)
    out[c] = part * q[1 + c];
}

/// How a driver moves in the step: at both its ends, and its turn.
typedef struct ar_drive {
  double q[2][4], shift[2][3], turn[3];
} ar_drive;

static ar_drive drive_of(const ar_boundary *b, const ar_motion *m, int32_t driver) {
  ar_drive d;
  vb_driver_motion(b->body->scene, driver, m->before, d.q[0], d.shift[0]);
  vb_driver_motion(b->body->scene, driver, m->time, d.q[1], d.shift[1]);
  ar_turn_between(d.q[0], d.q[1], d.turn);
  return d;
}

static double bone_way(const ar_boundary *b, const ar_motion *m, const vb_load *load) {
  size_t k = (size_t)load->index;
  double old[3], now[3], turn[3];
  ar_turn(m->old_bones[k].r, b->body->bone[k].offset, old);
  ar_turn(m->bones[k].r, b->body->bone[k].offset, now);
  ar_turn_between(m->old_frame + 4 * k, m->frame + 4 * k, turn);
  double sum = vb_dot(load->torque, turn);
  for (int c = 0; c < 3; c++)
    sum += load->force[c] * (now[c] + m->bones[k].t[c] - old[c] - m->old_bones[k].t[c]);
  return sum;
}

/// The work of a load at factor 1; of a hinge that a driver carries, adds its to `drivers`.
static double load_way(const ar_boundary *b, const ar_links *links, const ar_motion *m,
                       const vb_load *load, double factor, double *drivers) {
  size_t k = (size_t)load->index;
  double sum = 0, turn[3], axis[3];
  if (load->location == VB_AT_BONE)
    return bone_way(b, m, load);
  if (load->location == VB_AT_NODE) {
    for (size_t c = 0; c < 3; c++)
      sum += load->force[c] * (m->x[3 * k + c] - m->old_x[3 * k + c]);
    return sum;
  }
  const ar_link *link = &links->link[k];
  hinge_axis(links, k, m->bones, axis);
  for (int side = 0; side < 2; side++) {
    size_t bone = (size_t)link->bone[side];
    if (link->bone[side] >= 0) {
      ar_turn_between(m->old_frame + 4 * bone, m->frame + 4 * bone, turn);
    } else if (link->driver >= 0) {
      ar_drive d = drive_of(b, m, link->driver);
      memcpy(turn, d.turn, sizeof turn);
      drivers[link->driver] += factor * load->torque[0] * vb_dot(axis, turn);
    } else {
      continue;
    }
    sum += (side == 0 ? 1 : -1) * load->torque[0] * vb_dot(axis, turn);
  }
  return sum;
}

void ar_boundary_work(const ar_boundary *b, const ar_links *links, const ar_motion *m,
                      double *work) {
  size_t n_loads, n_drivers = vb_scene_count(b->body->scene, VB_SET_DRIVER);
  const vb_load *load = vb_scene_loads(b->body->scene, &n_loads);
  for (size_t i = 0; i < b->body->n_nodes; i++)
    for (size_t c = 0; c < 3; c++)
      if (b->held[i] >> c & 1)
        work[b->driver[i]] += m->pull[3 * i + c] * (m->x[3 * i + c] - m->old_x[3 * i + c]);
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    double old[3], now[3], way[3];
    if (link->driver < 0)
      continue;
    ar_drive d = drive_of(b, m, link->driver);
    vb_rigid_move(d.q[0], d.shift[0], link->point[1], old);
    vb_rigid_move(d.q[1], d.shift[1], link->point[1], now);
    vb_subtract(now, old, way);
    work[link->driver] += vb_dot(m->joint + 6 * i, way) + vb_dot(m->joint + 6 * i + 3, d.turn);
  }
  for (size_t k = 0; k < n_loads; k++) {
    double factor = vb_scene_curve(b->body->scene, load[k].amplitude, m->time, 1);
    work[n_drivers + k] += factor * load_way(b, links, m, &load[k], factor, work);
  }
}

/// Adds a force at a point to a driver's.
static void add_reaction(const double f[3], const double at[3], const double center[3],
                         double *force, double *torque) {
  double arm[3], moment[3];
  vb_subtract(at, center, arm);
  vb_cross(arm, f, moment);
  vb_add_scaled(force, 1, f, force);
  vb_add_scaled(torque, 1, moment, torque);
}

static void driver_center(const ar_boundary *b, int32_t k, double time, double out[3]) {
  size_t n;
  double q[4], shift[3];
  vb_driver_motion(b->body->scene, k, time, q, shift);
  vb_rigid_move(q, shift, vb_scene_drivers(b->body->scene, &n)[k].origin, out);
}

void ar_boundary_reactions(const ar_boundary *b, const ar_links *links, const ar_motion *m,
                           double *force, double *torque) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(b->body->scene, &n_loads);
  for (size_t i = 0; i < b->body->n_nodes; i++) {
    double f[3], center[3];
    int32_t k = b->driver[i];
    if (!b->held[i])
      continue;
    for (size_t c = 0; c < 3; c++)
      f[c] = b->held[i] >> c & 1 ? m->pull[3 * i + c] : 0;
    driver_center(b, k, m->time, center);
    add_reaction(f, m->x + 3 * i, center, force + 3 * k, torque + 3 * k);
  }
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    double center[3], at[3];
    int32_t k = link->driver;
    if (k < 0)
      continue;
    driver_center(b, k, m->time, center);
    ar_turn(link->side.r, link->point[1], at);
    vb_add_scaled(at, 1, link->side.t, at);
    add_reaction(m->joint + 6 * i, at, center, force + 3 * k, torque + 3 * k);
    vb_add_scaled(torque + 3 * k, 1, m->joint + 6 * i + 3, torque + 3 * k);
  }
  for (size_t i = 0; i < n_loads; i++) {
    double axis[3], factor = vb_scene_curve(b->body->scene, load[i].amplitude, m->time, 1);
    if (load[i].location != VB_AT_LINK || links->link[load[i].index].driver < 0)
      continue;
    double *out = torque + 3 * links->link[load[i].index].driver;
    hinge_axis(links, (size_t)load[i].index, m->bones, axis);
    vb_add_scaled(out, factor * load[i].torque[0], axis, out);
  }
}
