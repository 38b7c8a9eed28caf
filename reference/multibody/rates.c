// SPDX-License-Identifier: GPL-3.0-or-later
/// Accelerations, powers, projection.
#include "system.h"

#include "rows.h"
#include "solve.h"

#include "scene/rotation.h"

#include <string.h>

/// out = R T R^T v, for the symmetric T (xx yy zz yz xz xy) in a bone's axes at rest.
static void turned_tensor(const double frame[4], const double t[6], const double v[3],
                          double out[3]) {
  const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
  double u[3];
  vb_quaternion_rotate(back, v, u);
  const double w[3] = {t[0] * u[0] + t[5] * u[1] + t[4] * u[2],
                       t[5] * u[0] + t[1] * u[1] + t[3] * u[2],
                       t[4] * u[0] + t[3] * u[1] + t[2] * u[2]};
  vb_quaternion_rotate(frame, w, out);
}

/// out = M^-1 f of one bone, 6 numbers each.
static void divide_by_inertia(const mb_system *s, size_t bone, const double *state, const double *f,
                              double *out) {
  for (int c = 0; c < 3; c++)
    out[c] = f[c] / s->bone[bone].mass;
  turned_tensor(state + bone * MB_STATE + 3, s->inverse[bone], f + 3, out + 3);
}

/// Adds load `k` to the forces on bones.
static void add_load(mb_system *s, size_t k, double time, const double *state) {
  const vb_load *load = &s->load[k];
  double factor[3] = {1}, axis[3];
  if (load->amplitude >= 0)
    mb_curve(s, load->amplitude, time, factor);
  size_t index = (size_t)load->index;
  if (load->location == VB_AT_BONE) {
    vb_add_scaled(s->force + 6 * index, factor[0], load->force, s->force + 6 * index);
    vb_add_scaled(s->force + 6 * index + 3, factor[0], load->torque, s->force + 6 * index + 3);
    return;
  }
  mb_hinge_axis(s, index, time, state, axis);
  for (int which = 0; which < 2; which++) {
    int32_t bone = s->link[index].bone[which];
    double *torque = s->force + 6 * (size_t)bone + 3;
    if (bone >= 0)
      vb_add_scaled(torque, (which == 0 ? 1 : -1) * factor[0] * load->torque[0], axis, torque);
  }
}

/// Gravity, damping, what spin does, and loads.
static void find_forces(mb_system *s, double time, const double *state) {
  const vb_world *world = vb_scene_world(s->scene);
  for (size_t i = 0; i < s->n_bones; i++) {
    const double *y = state + i * MB_STATE;
    double *f = s->force + 6 * i, momentum[3], gyro[3];
    turned_tensor(y + 3, s->bone[i].inertia, y + 10, momentum);
    vb_cross(momentum, y + 10, gyro);
    for (int c = 0; c < 3; c++) {
      f[c] = s->bone[i].mass * (world->gravity[c] - world->damping * y[7 + c]);
      f[3 + c] = gyro[c] - world->damping * momentum[c];
    }
  }
  for (size_t k = 0; k < s->n_loads; k++)
    add_load(s, k, time, state);
}

/// Solves (G M^-1 G^T) multiplier = right, which `multiplier` holds at first.
static vb_status solve_multipliers(mb_system *s, const double *state) {
  size_t rows = s->first_row[s->n_links], columns = 6 * s->n_bones;
  memset(s->solved, 0, rows * columns * sizeof *s->solved);
  for (size_t k = 0; k < s->n_links; k++) // whose rows act on their own bones alone
    for (size_t i = s->first_row[k]; i < s->first_row[k + 1]; i++)
      for (int side = 0; side < 2; side++) {
        size_t at = i * columns + 6 * (size_t)s->link[k].bone[side];
        if (s->link[k].bone[side] >= 0)
          divide_by_inertia(s, (size_t)s->link[k].bone[side], state, s->gradient + at,
                            s->solved + at);
      }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t c = 0; c < columns; c++)
        sum += s->gradient[i * columns + c] * s->solved[j * columns + c];
      s->matrix[i * rows + j] = s->matrix[j * rows + i] = sum;
    }
  return mb_solve(rows, s->matrix, s->multiplier, s->copy, s->scratch, NULL);
}

/// Adds M^-1 G^T multiplier to `change` (6 n_bones).
static void add_solved(const mb_system *s, double *change) {
  size_t rows = s->first_row[s->n_links], columns = 6 * s->n_bones;
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < columns; c++)
      change[c] += s->multiplier[i] * s->solved[i * columns + c];
}

/// The power of what drivers exert through links, and of loads.
static void find_powers(const mb_system *s, double time, const double *state, double *power) {
  memset(power, 0, (s->n_drivers + s->n_loads) * sizeof *power);
  for (size_t i = 0; i < s->n_links; i++) {
    mb_side side[2];
    int32_t driver = s->link[i].driver;
    const double *force = s->multiplier + s->first_row[i];
    if (driver < 0)
      continue;
    mb_link_side(s, i, 0, time, state, &side[0]);
    mb_link_side(s, i, 1, time, state, &side[1]);
    power[driver] += vb_dot(force, side[1].velocity);
    for (size_t k = 3; k < s->first_row[i + 1] - s->first_row[i]; k++) {
      double a[3], n[3], across[3];
      mb_row_axes(s, i, (int)k - 3, side, a, n);
      vb_cross(a, n, across);
      power[driver] += force[k] * vb_dot(across, side[1].spin);
    }
  }
  for (size_t k = 0; k < s->n_loads; k++) {
    const vb_load *load = &s->load[k];
    double factor[3] = {1}, axis[3], *out = &power[s->n_drivers + k];
    size_t index = (size_t)load->index;
    if (load->amplitude >= 0)
      mb_curve(s, load->amplitude, time, factor);
    if (load->location == VB_AT_BONE) {
      const double *y = state + index * MB_STATE;
      *out = factor[0] * (vb_dot(load->force, y + 7) + vb_dot(load->torque, y + 10));
      continue;
    }
    mb_side side[2];
    mb_link_side(s, index, 0, time, state, &side[0]);
    mb_link_side(s, index, 1, time, state, &side[1]);
    mb_hinge_axis(s, index, time, state, axis);
    double torque = factor[0] * load->torque[0];
    *out = torque * (vb_dot(axis, side[0].spin) - vb_dot(axis, side[1].spin));
    if (s->link[index].driver >= 0)
      power[s->link[index].driver] += torque * vb_dot(axis, side[1].spin);
  }
}

void mb_reactions(const mb_system *s, const double *multiplier, double time, const double *state,
                  double *force, double *torque) {
  for (size_t i = 0; i < s->n_links; i++) {
    mb_side side[2];
    int32_t driver = s->link[i].driver;
    const double *f = multiplier + s->first_row[i];
    if (driver < 0)
      continue;
    double q[4], b[3], center[3], arm[3], moment[3], a[3], n[3];
    mb_link_side(s, i, 0, time, state, &side[0]);
    mb_link_side(s, i, 1, time, state, &side[1]);
    vb_driver_motion(s->scene, driver, time, q, b);
    vb_rigid_move(q, b, s->driver[driver].origin, center);
    vb_subtract(side[1].point, center, arm);
    vb_cross(arm, f, moment);
    vb_add_scaled(force + 3 * driver, 1, f, force + 3 * driver);
    vb_add_scaled(torque + 3 * driver, 1, moment, torque + 3 * driver);
    for (size_t k = 3; k < s->first_row[i + 1] - s->first_row[i]; k++) {
      mb_row_axes(s, i, (int)k - 3, side, a, n);
      vb_cross(a, n, moment);
      vb_add_scaled(torque + 3 * driver, f[k], moment, torque + 3 * driver);
    }
  }
  for (size_t k = 0; k < s->n_loads; k++) {
    int32_t driver = s->load[k].location == VB_AT_LINK ? s->link[s->load[k].index].driver : -1;
    double axis[3];
    if (driver < 0)
      continue;
    mb_hinge_axis(s, (size_t)s->load[k].index, time, state, axis);
    vb_add_scaled(torque + 3 * driver,
                  s->load[k].torque[0] * vb_scene_curve(s->scene, s->load[k].amplitude, time, 1),
                  axis, torque + 3 * driver);
  }
}

vb_status mb_rates(mb_system *s, double time, const double *state, double *rate) {
  size_t rows = s->first_row[s->n_links], columns = 6 * s->n_bones;
  mb_write_rows(s, time, state);
  find_forces(s, time, state);
  for (size_t i = 0; i < s->n_bones; i++)
    divide_by_inertia(s, i, state, s->force + 6 * i, s->change + 6 * i);
  for (size_t i = 0; i < rows; i++) {
    double sum = s->known[i];
    for (size_t c = 0; c < columns; c++)
      sum -= s->gradient[i * columns + c] * s->change[c];
    s->multiplier[i] = sum;
  }
  vb_status status = solve_multipliers(s, state);
  if (status)
    return status;
  add_solved(s, s->change);
  for (size_t i = 0; i < s->n_bones; i++) {
    const double *y = state + i * MB_STATE;
    double *out = rate + i * MB_STATE, spin[4] = {0, y[10], y[11], y[12]};
    memcpy(out, y + 7, 3 * sizeof *out);
    vb_quaternion_multiply(spin, y + 3, out + 3);
    for (int c = 0; c < 4; c++)
      out[3 + c] *= 0.5;
    memcpy(out + 7, s->change + 6 * i, 6 * sizeof *out);
  }
  find_powers(s, time, state, rate + s->n_bones * MB_STATE);
  return VB_OK;
}

/// Moves and turns a bone by six numbers, and makes its quaternion a unit one.
static void move_bone(double *y, const double *by) {
  double angle = sqrt(vb_dot(by + 3, by + 3)), part = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  const double turn[4] = {cos(0.5 * angle), part * by[3], part * by[4], part * by[5]};
  vb_add_scaled(y, 1, by, y);
  vb_quaternion_multiply(turn, y + 3, y + 3);
  double norm = vb_quaternion_norm(y + 3);
  for (int c = 3; c < 7; c++)
    y[c] /= norm;
}

/// One correction of positions.
static vb_status project_positions(mb_system *s, double time, double *state) {
  size_t rows = s->first_row[s->n_links];
  mb_write_rows(s, time, state);
  mb_gap_rows(s, time, state, s->multiplier);
  for (size_t i = 0; i < rows; i++)
    s->multiplier[i] = -s->multiplier[i];
  vb_status status = solve_multipliers(s, state);
  if (status)
    return status;
  memset(s->change, 0, 6 * s->n_bones * sizeof *s->change);
  add_solved(s, s->change);
  for (size_t i = 0; i < s->n_bones; i++)
    move_bone(state + i * MB_STATE, s->change + 6 * i);
  return VB_OK;
}

vb_status mb_project(mb_system *s, double time, double *state) {
  size_t columns = 6 * s->n_bones;
  // After a step of the tolerance the first correction leaves rounding; two more for a large step.
  for (int k = 0; k < 3; k++) {
    vb_status status = project_positions(s, time, state);
    if (status)
      return status;
  }
  mb_write_rows(s, time, state);
  for (size_t i = 0; i < s->n_links; i++) {
    mb_side side[2];
    mb_link_side(s, i, 0, time, state, &side[0]);
    mb_link_side(s, i, 1, time, state, &side[1]);
    double *right = s->multiplier + s->first_row[i], left[3];
    vb_subtract(side[1].velocity, side[0].velocity, right);
    vb_subtract(side[1].spin, side[0].spin, left);
    for (size_t k = 3; k < s->first_row[i + 1] - s->first_row[i]; k++) {
      double a[3], n[3], across[3];
      mb_row_axes(s, i, (int)k - 3, side, a, n);
      vb_cross(a, n, across);
      right[k] = vb_dot(left, across);
    }
  }
  vb_status status = solve_multipliers(s, state);
  if (status)
    return status;
  memset(s->change, 0, columns * sizeof *s->change);
  add_solved(s, s->change);
  for (size_t i = 0; i < s->n_bones; i++)
    for (size_t c = 0; c < 6; c++)
      state[i * MB_STATE + 7 + c] += s->change[6 * i + c];
  return VB_OK;
}
