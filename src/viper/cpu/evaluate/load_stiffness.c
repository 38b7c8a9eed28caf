// SPDX-License-Identifier: GPL-3.0-or-later
// With a turn delta of frame b, in body axes, a load F that turns with it changes by
// R_b (delta x n), n = R_b^T F. The gradient of a torque T over the frame a that it acts on is -v,
// v = R_a^T T, and changes by -(v x delta) as a turns by delta.
//
// The Hessian is symmetric: it has the second derivatives along turns about one axis. The gradient
// in the axes of a frame that turns has for derivative these and half its cross product with the
// turn. Where forces balance the elastic gradient over a is v, which leaves -v x delta/2.
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/load_stiffness.h"

#include "viper/cpu/evaluate/held_axes.h"

#include <math.h>
#include <string.h>

static void add_frame(viper_load_stiffness *self, int32_t j) {
  for (int k = 0; k < self->n; k++)
    if (self->frame[k] == j)
      return;
  if (viper_free_axes(self->model, j) > 0)
    self->frame[self->n++] = j;
}

static void find_frames(viper_load_stiffness *self) {
  size_t n;
  const vb_load *load = vb_scene_loads(self->model->scene, &n);
  for (size_t k = 0; k < n; k++)
    if (load[k].location == VB_AT_SEGMENT)
      add_frame(self, self->model->segment_at[load[k].index]);
  for (size_t k = 0; k < self->model->n_follower_loads; k++)
    add_frame(self, self->model->follower_load[k].segment);
}

vb_status viper_load_stiffness_create(const viper_model *model, viper_load_stiffness *out,
                                      vb_error *error) {
  const size_t unknowns = 4 * model->n_nodes + 3 * model->n_segments;
  *out = (viper_load_stiffness){.model = model};
  VB_TAKE(&out->memory, out->frame, model->n_segments);
  if (out->frame)
    find_frames(out);
  if (out->n > VIPER_MOST_LOADED_FRAMES)
    out->n = 0;
  const size_t columns = 3 * (size_t)out->n;
  VB_TAKE(&out->memory, out->column, columns * unknowns);
  VB_TAKE(&out->memory, out->matrix, columns * columns);
  VB_TAKE(&out->memory, out->right, columns);
  return vb_arena_status(&out->memory, error);
}

void viper_load_stiffness_destroy(viper_load_stiffness *self) {
  vb_arena_clear(&self->memory);
}

static size_t count_unknowns(const viper_load_stiffness *self) {
  return 4 * self->model->n_nodes + 3 * self->model->n_segments;
}

static size_t frame_row(const viper_load_stiffness *self, int32_t j) {
  return 4 * self->model->n_nodes + 3 * (size_t)j;
}

static void add(double *row, double factor, viper_vec3 v) {
  row[0] += factor * v.x;
  row[1] += factor * v.y;
  row[2] += factor * v.z;
}

static viper_vec3 rotated(viper_quat q, viper_vec3 v) {
  return viper_quat_unrotate(viper_quat_conj(q), v);
}

/// Adds what a torque `t` on frame `a` changes as that turns about `axis`.
static void add_torque(const viper_load_stiffness *self, const viper_cpu *cpu, int32_t a,
                       viper_vec3 t, viper_vec3 axis, double *column) {
  viper_vec3 v = viper_quat_unrotate(cpu->frame[a], t);
  add(column + frame_row(self, a), -0.5, viper_cross(v, axis));
}

/// Adds what load `k`, which turns, changes as frame `b` turns about `axis`.
static void add_turning(const viper_load_stiffness *self, const viper_cpu *cpu,
                        const viper_boundary *boundary, size_t k, int32_t b, viper_vec3 axis,
                        double *column) {
  const viper_model_follower_load *t = &self->model->follower_load[k];
  const double *value = boundary->follower_load + 4 * k;
  viper_quat turn = viper_quat_mul(cpu->frame[t->segment], viper_quat_from(t->back));
  viper_vec3 f = rotated(turn, (viper_vec3){value[0], value[1], value[2]});
  if (t->location == VB_AT_SEGMENT && t->index == b)
    add_torque(self, cpu, b, f, axis, column);
  if (t->segment != b)
    return;
  viper_vec3 n = viper_quat_unrotate(cpu->frame[b], f);
  viper_vec3 change = rotated(cpu->frame[b], viper_cross(axis, n));
  if (t->location == VB_AT_NODE)
    add(column + 4 * (size_t)t->index, -1, change);
  else
    add(column + frame_row(self, t->index), -1, viper_quat_unrotate(cpu->frame[t->index], change));
}

/// The derivative of the gradient by a turn of frame `b` about `axis`, in body axes.
static void fill_column(const viper_load_stiffness *self, const viper_cpu *cpu,
                        const viper_boundary *boundary, int32_t b, viper_vec3 axis,
                        double *column) {
  memset(column, 0, count_unknowns(self) * sizeof *column);
  const double *torque = boundary->frame_load + 3 * (size_t)b;
  add_torque(self, cpu, b, (viper_vec3){torque[0], torque[1], torque[2]}, axis, column);
  for (size_t k = 0; k < self->model->n_follower_loads; k++)
    add_turning(self, cpu, boundary, k, b, axis, column);
  for (int k = 0; k < self->n; k++)
    viper_held_gradient(cpu, self->frame[k], column + frame_row(self, self->frame[k]));
}

vb_status viper_load_stiffness_linearize(viper_load_stiffness *self, const viper_cpu *cpu,
                                         const viper_boundary *boundary, viper_newton_step *newton,
                                         vb_error *error) {
  vb_status status = VB_OK;
  for (int k = 0; k < self->n; k++) {
    viper_vec3 axis[3];
    viper_held_axes(cpu, self->frame[k], axis);
    for (int c = 0; c < 3 && !status; c++) {
      double *column = self->column + (size_t)(3 * k + c) * count_unknowns(self);
      fill_column(self, cpu, boundary, self->frame[k], axis[c], column);
      status = viper_newton_step_solve(newton, column, error);
    }
  }
  return status;
}

/// Solves the n x n system a x = b in place of b, by elimination with pivoting; a is overwritten.
/// False where it is singular.
static bool solve_dense(size_t n, double *a, double *b) {
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    if (!(fabs(a[pivot * n + k]) > 0))
      return false;
    for (size_t j = 0; j < n; j++) {
      const double swapped = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = swapped;
    }
    const double swapped = b[k];
    b[k] = b[pivot];
    b[pivot] = swapped;
    for (size_t i = k + 1; i < n; i++) {
      const double part = a[i * n + k] / a[k * n + k];
      for (size_t j = k; j < n; j++)
        a[i * n + j] -= part * a[k * n + j];
      b[i] -= part * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++)
      b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return true;
}

bool viper_load_stiffness_apply(viper_load_stiffness *self, double *move) {
  const size_t n = 3 * (size_t)self->n, unknowns = count_unknowns(self);
  for (size_t i = 0; i < n; i++) {
    const size_t at = frame_row(self, self->frame[i / 3]) + i % 3;
    self->right[i] = move[at];
    for (size_t k = 0; k < n; k++)
      self->matrix[i * n + k] = (i == k) + self->column[k * unknowns + at];
  }
  if (!solve_dense(n, self->matrix, self->right))
    return false;
  for (size_t k = 0; k < n; k++)
    for (size_t u = 0; u < unknowns; u++)
      move[u] -= self->right[k] * self->column[k * unknowns + u];
  return true;
}
