// SPDX-License-Identifier: GPL-3.0-or-later
/// The work that drivers, loads and activations do in a substep.
#include "viper/cpu/core/cpu_real.h"
#include "viper/energy/activation.h"

#include <string.h>

/// What holds a frame, in world axes, N m.
static void world_torque(viper_quat q, const double body[3], double out[4]) {
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
  out[0] = body[0] * (double)u.x + body[1] * (double)v.x + body[2] * (double)w.x;
  out[1] = body[0] * (double)u.y + body[1] * (double)v.y + body[2] * (double)w.y;
  out[2] = body[0] * (double)u.z + body[1] * (double)v.z + body[2] * (double)w.z;
  out[3] = 0;
}

/// Notes what holds pin `k` now, where that is kept; `mean` becomes the mean of this and of what
/// held it before the substep (viper_advance_has_mean), or this alone after a substep of Euler's.
static void mean_pin_force(viper_cpu *cpu, size_t k, bool means, const double now[4],
                           double mean[4]) {
  for (int c = 0; c < 4; c++) {
    double *held = cpu->pin_force ? &cpu->pin_force[4 * k + (size_t)c] : NULL;
    mean[c] = held && means ? 0.5 * (*held + now[c]) : now[c];
    if (held)
      *held = now[c];
  }
}

static void add_frame_pin_work(viper_cpu *cpu, size_t k, bool means, double *work) {
  const viper_model_pin *pin = &cpu->model->pin[k];
  double g[3], now[4], t[4];
  viper_quat q = cpu->frame[pin->index];
  viper_vec3 turn = viper_turn_since(q, cpu->frame_old[pin->index]);
  memcpy(g, cpu->frame_force + 3 * pin->index, sizeof g);
  if (!(pin->mask & VB_PIN_FRAME))
    viper_held_part(cpu, pin->index, g, g);
  world_torque(q, g, now);
  mean_pin_force(cpu, k, means, now, t);
  if (means)
    work[pin->driver] += t[0] * (double)turn.x + t[1] * (double)turn.y + t[2] * (double)turn.z;
  else
    work[pin->driver] += g[0] * (double)viper_dot(viper_quat_u(q), turn) +
                         g[1] * (double)viper_dot(viper_quat_v(q), turn) +
                         g[2] * (double)viper_dot(viper_quat_w(q), turn);
}

/// Work of the pins over the substep: the force that holds them, times how far they moved.
static void add_pin_work(viper_cpu *cpu, bool means, double *work) {
  for (size_t k = 0; k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    int32_t i = pin->index;
    if (pin->location == VB_AT_SEGMENT) {
      add_frame_pin_work(cpu, k, means, work);
      continue;
    }
    double now[4], old[4], force[4];
    viper_node_to(cpu->node[i], now);
    viper_node_to(cpu->node_old[i], old);
    mean_pin_force(cpu, k, means, cpu->node_force + 4 * i, force);
    for (int c = 0; c < 4; c++)
      if (pin->mask >> c & 1)
        work[pin->driver] += force[c] * (now[c] - old[c]);
  }
}

/// The factor of a load in the substep's work: see viper_advance_work_from. Of midpoint that of the
/// middle.
static double mean_factor(const viper_cpu *cpu, const vb_load *load,
                          const viper_cpu_substep *step) {
  const vb_scene *scene = cpu->model->scene;
  double end = step->start + step->h,
         from = viper_advance_work_from(&step->advance, step->start, step->h);
  if (viper_advance_is_midpoint(&step->advance))
    return vb_scene_curve(scene, load->amplitude, step->start + 0.5 * step->h, 1);
  double factor = vb_scene_curve(scene, load->amplitude, end, 1);
  return from < end ? 0.5 * (vb_scene_curve(scene, load->amplitude, from, 1) + factor) : factor;
}

static void add_load_work(const viper_cpu *cpu, const viper_cpu_substep *step, double *work) {
  const viper_model *m = cpu->model;
  size_t n_loads, turning = 0;
  const vb_load *load = vb_scene_loads(cpu->model->scene, &n_loads);
  for (size_t k = 0; k < n_loads; k++) {
    double factor = mean_factor(cpu, &load[k], step), f[4];
    for (int c = 0; c < 3; c++)
      f[c] = factor * (load[k].location == VB_AT_SEGMENT ? load[k].torque[c] : load[k].force[c]);
    f[3] = factor * load[k].scale_force;
    if (turning < m->n_follower_loads && m->follower_load[turning].load == (int32_t)k)
      viper_node_to(cpu->turned[turning++], f);
    if (load[k].location == VB_AT_SEGMENT) {
      int32_t j = cpu->model->segment_at[load[k].index];
      viper_vec3 turn = viper_turn_since(cpu->frame[j], cpu->frame_old[j]);
      work[k] += f[0] * (double)turn.x + f[1] * (double)turn.y + f[2] * (double)turn.z;
      continue;
    }
    int32_t i = cpu->model->node_at[load[k].index];
    double now[4], old[4];
    viper_node_to(cpu->node[i], now);
    viper_node_to(cpu->node_old[i], old);
    for (int c = 0; c < 4; c++)
      work[k] += f[c] * (now[c] - old[c]);
  }
}

static void add_activation_work(const viper_cpu *cpu, double *work) {
  for (size_t k = 0; k < cpu->model->n_activations; k++) {
    const int32_t j = cpu->model->activation[k].segment;
    const viper_model_segment *m = &cpu->model->segment[j];
    viper_segment_rest rest = viper_segment_rest_from(m);
    viper_segment_state now = viper_segment_load(cpu, j);
    viper_node_x a = cpu->node_old[m->node[0]], b = cpu->node_old[m->node[1]];
    viper_segment_state x = {a.c, b.c, a.s, b.s, cpu->frame_old[j], cpu->active_old[j]};
    work[k] += (double)(m->pulled ? viper_force_work(&rest, &x, &now)
                                  : viper_strain_work(&rest, &x, now.active));
    if (cpu->model->n_solids == 0)
      continue;
    viper_solid_rest solid = viper_solid_rest_from(m);
    work[k] += (double)(m->pulled ? viper_solid_force_work(&solid, &x, &now)
                                  : viper_solid_strain_work(&solid, &x, now.active));
  }
}

void viper_cpu_add_work(viper_cpu *cpu, const viper_cpu_substep *step, double *work) {
  bool driven = false;
  for (size_t k = 0; k < cpu->model->n_bodies; k++)
    if (cpu->model->body[k].driven) {
      const viper_model_body *body = &cpu->model->body[k];
      viper_body_gradient(cpu, body, (viper_real)step->advance.inertia_h,
                          cpu->node_force + 4 * body->first_node,
                          cpu->frame_force + 3 * body->first_segment);
      driven = true;
    }
  if (!driven)
    return;
  const vb_scene *scene = cpu->model->scene;
  add_pin_work(cpu, viper_advance_has_mean(&step->advance), work);
  work += vb_scene_count(scene, VB_SET_DRIVER);
  add_load_work(cpu, step, work);
  add_activation_work(cpu, work + vb_scene_count(scene, VB_SET_LOAD));
}
