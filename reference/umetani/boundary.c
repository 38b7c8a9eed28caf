// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/boundary.h"

#include "solver/fields.h"

void umetani_aim_holds(const umetani_rods *rods, double time, double (*target)[3][3]) {
  double q[4] = {1}, b[3];
  int32_t driver = -1; // whose motion q and b are
  for (size_t k = 0; k < rods->n_holds; k++) {
    const umetani_hold *hold = &rods->hold[k];
    if (hold->driver != driver)
      vb_driver_motion(rods->scene, driver = hold->driver, time, q, b);
    for (int i = 0; i < 3; i++)
      vb_quaternion_rotate(q, hold->start[i], target[k][i]);
  }
}

void umetani_place_points(const umetani_rods *rods, double time, double (*x)[3]) {
  size_t n_pins, n;
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  double q[4] = {1}, b[3] = {0}, target[3];
  int32_t driver = -1;
  for (size_t m = 0; m < n_pins; m++) {
    if (pin[m].location != VB_AT_NODE || !(pin[m].mask & VB_PIN_CENTER))
      continue;
    if (pin[m].driver != driver)
      vb_driver_motion(rods->scene, driver = pin[m].driver, time, q, b);
    vb_rigid_move(q, b, node[pin[m].index].position, target);
    for (int k = 0; k < 3; k++)
      if (pin[m].mask >> k & 1)
        x[rods->point_of_node[pin[m].index]][k] = target[k];
  }
}

/// The frame of a segment at positions `x`; zero where it has none.
static umetani_frame frame_at(const umetani_rods *rods, int32_t segment, double (*x)[3]) {
  const int32_t *p = rods->edge[rods->edge_of[segment]].point;
  umetani_frame f, none = {{{0}}, 1, 0, 1};
  return umetani_frame_of(x[p[0]], x[p[1]], x[p[2]], 0, &f) ? f : none;
}

/// The segment that each load turns with, in the order of the loads: advances `at` to load `k`.
static int32_t turns_with(const vb_follower_load *turning, size_t n, size_t *at, size_t k) {
  while (*at < n && turning[*at].load < (int32_t)k)
    ++*at;
  return *at < n && turning[*at].load == (int32_t)k ? turning[*at].segment : -1;
}

/// Turns a vector as a segment's frame has turned since time 0.
static void turn_with(const umetani_rods *rods, int32_t segment, const umetani_state *state,
                      double v[3]) {
  size_t n;
  const vb_segment *s = &vb_scene_segments(rods->scene, &n)[segment];
  umetani_frame now = frame_at(rods, segment, state->drift);
  double out[3] = {0};
  for (int i = 0; i < 3; i++) {
    double axis[3];
    vb_frame_axis(s->frame, i, axis);
    vb_add_scaled(out, vb_dot(axis, v), now.d[i], out);
  }
  memcpy(v, out, sizeof out);
}

/// A torque on a segment as forces on its ends and its ghost, without a sum.
static void torque_forces(const umetani_rods *rods, int32_t segment, const double torque[3],
                          const umetani_state *state, umetani_force *out) {
  const umetani_edge *e = &rods->edge[rods->edge_of[segment]];
  umetani_frame f = frame_at(rods, segment, state->drift);
  double along = vb_dot(torque, f.d[2]), across[3], tilt[3];
  vb_add_scaled(torque, -along, f.d[2], across);
  vb_cross(across, f.d[2], tilt);
  out->n = 3;
  memcpy(out->point, e->point, sizeof out->point);
  for (int k = 0; k < 3; k++) {
    double roll = along / f.rho * f.d[1][k];
    out->force[0][k] = -tilt[k] / f.l - 0.5 * roll;
    out->force[1][k] = tilt[k] / f.l - 0.5 * roll;
    out->force[2][k] = roll;
  }
}

/// The pair of forces by which an activation draws its segment's ends together.
static void pull_forces(const umetani_rods *rods, const vb_activation *activation, double time,
                        const umetani_state *state, umetani_force *out) {
  const umetani_edge *e = &rods->edge[rods->edge_of[activation->index]];
  double along[3], pull = vb_scene_curve(rods->scene, activation->curve, time, 0);
  vb_direction(state->drift[e->point[0]], state->drift[e->point[1]], along);
  out->n = 2;
  memcpy(out->point, e->point, sizeof out->point);
  for (int k = 0; k < 3; k++) {
    out->force[0][k] = pull * along[k];
    out->force[1][k] = -pull * along[k];
  }
}

void umetani_add_loads(const umetani_rods *rods, double time, const umetani_state *state,
                       umetani_scratch *scratch) {
  size_t n_loads, n_follower_loads, n_activations, at = 0;
  const vb_load *load = vb_scene_loads(rods->scene, &n_loads);
  const vb_follower_load *turning = vb_scene_follower_loads(rods->scene, &n_follower_loads);
  const vb_activation *activation = vb_scene_activations(rods->scene, &n_activations);
  memset(scratch->push, 0, rods->n_points * sizeof *scratch->push);
  for (size_t k = 0; k < n_loads; k++) {
    umetani_force *own = &scratch->load[k];
    double factor = vb_scene_curve(rods->scene, load[k].amplitude, time, 1), f[3];
    bool node = load[k].location == VB_AT_NODE;
    for (int i = 0; i < 3; i++)
      f[i] = factor * (node ? load[k].force[i] : load[k].torque[i]);
    int32_t with = turns_with(turning, n_follower_loads, &at, k);
    if (with >= 0)
      turn_with(rods, with, state, f);
    *own = (umetani_force){.n = 1};
    if (node) {
      own->point[0] = rods->point_of_node[load[k].index];
      memcpy(own->force[0], f, sizeof f);
    } else {
      torque_forces(rods, load[k].index, f, state, own);
    }
  }
  for (size_t k = 0; k < n_activations; k++) {
    scratch->load[n_loads + k].n = 0;
    if (activation[k].active == VB_ACTIVE_FORCE)
      pull_forces(rods, &activation[k], time, state, &scratch->load[n_loads + k]);
  }
  for (size_t k = 0; k < n_loads + n_activations; k++)
    for (int p = 0; p < scratch->load[k].n; p++)
      vb_add_scaled(scratch->push[scratch->load[k].point[p]], 1, scratch->load[k].force[p],
                    scratch->push[scratch->load[k].point[p]]);
}

void umetani_activate(const umetani_rods *rods, double time, umetani_state *state) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(rods->scene, &n);
  double *work = state->work + vb_scene_count(rods->scene, VB_SET_DRIVER) +
                 vb_scene_count(rods->scene, VB_SET_LOAD);
  for (size_t k = 0; k < n; k++) {
    if (activation[k].active == VB_ACTIVE_FORCE)
      continue;
    int32_t at = rods->edge_of[activation[k].index];
    const umetani_edge *e = &rods->edge[at];
    double a = vb_scene_curve(rods->scene, activation[k].curve, time, 1);
    if (activation[k].active == VB_ACTIVE_FIBER)
      a = 1 + (a - 1) * e->fiber;
    double l = vb_distance(state->x[e->point[0]], state->x[e->point[1]]);
    work[k] += umetani_stretch_energy(e, l, a * e->length) -
               umetani_stretch_energy(e, l, state->length[at]);
    state->length[at] = a * e->length;
  }
}

void umetani_holding_force(const umetani_rods *rods, const umetani_state *state, int32_t p,
                           double out[3]) {
  double inv_h2 = *state->h > 0 ? 1 / (*state->h * *state->h) : 0;
  for (int k = 0; k < 3; k++)
    out[k] = rods->weights[p][k] > 0
                 ? 0
                 : inv_h2 * (rods->mass[p] * (state->x[p][k] - state->hat[p][k]) -
                             state->impulse[p][k] - state->contact[p][k]);
}

/// The turn between two frames, in world axes: sum of the axes' cross products over 2, that is sin
/// of the angle times its axis.
static void turn_between(double (*before)[3], double (*after)[3], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < 3; i++) {
    double cross[3];
    vb_cross(before[i], after[i], cross);
    vb_add_scaled(out, 0.5, cross, out);
  }
}

void umetani_add_work(const umetani_rods *rods, const umetani_scratch *scratch,
                      umetani_state *state) {
  size_t n_pins, n_drivers = vb_scene_count(rods->scene, VB_SET_DRIVER);
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  double inv_h2 = 1 / (*state->h * *state->h);
  for (size_t m = 0; m < n_pins; m++) {
    if (pin[m].location != VB_AT_NODE || !(pin[m].mask & VB_PIN_CENTER))
      continue;
    int32_t p = rods->point_of_node[pin[m].index];
    double force[3], move[3];
    umetani_holding_force(rods, state, p, force);
    vb_subtract(state->x[p], scratch->old[p], move);
    state->work[pin[m].driver] += vb_dot(force, move);
  }
  for (size_t k = 0; k < rods->n_holds; k++) {
    double turn[3];
    turn_between(scratch->before[k], scratch->target[k], turn);
    state->work[rods->hold[k].driver] += inv_h2 * vb_dot(state->torque[k], turn);
  }
  size_t n = vb_work_count(rods->scene) - n_drivers;
  for (size_t k = 0; k < n; k++)
    for (int i = 0; i < scratch->load[k].n; i++) {
      int32_t p = scratch->load[k].point[i];
      double move[3];
      vb_subtract(state->x[p], scratch->old[p], move);
      state->work[n_drivers + k] += vb_dot(scratch->load[k].force[i], move);
    }
}

void umetani_reactions(const umetani_rods *rods, const umetani_state *state, double (*force)[3],
                       double (*torque)[3]) {
  size_t n_drivers, n_pins;
  const vb_driver *driver = vb_scene_drivers(rods->scene, &n_drivers);
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  double inv_h2 = *state->h > 0 ? 1 / (*state->h * *state->h) : 0;
  for (size_t k = 0; k < rods->n_holds; k++)
    vb_add_scaled(torque[rods->hold[k].driver], inv_h2, state->torque[k],
                  torque[rods->hold[k].driver]);
  double q[4], b[3], center[3] = {0};
  int32_t at = -1; // the driver whose moved origin is `center`
  for (size_t m = 0; m < n_pins; m++) {
    int32_t d = pin[m].driver;
    if (pin[m].location != VB_AT_NODE || !(pin[m].mask & VB_PIN_CENTER))
      continue;
    if (d != at) {
      vb_driver_motion(rods->scene, at = d, *state->time, q, b);
      vb_rigid_move(q, b, driver[d].origin, center);
    }
    int32_t p = rods->point_of_node[pin[m].index];
    double f[3], arm[3], moment[3];
    umetani_holding_force(rods, state, p, f);
    vb_subtract(state->x[p], center, arm);
    vb_cross(arm, f, moment);
    vb_add_scaled(force[d], 1, f, force[d]);
    vb_add_scaled(torque[d], 1, moment, torque[d]);
  }
}
