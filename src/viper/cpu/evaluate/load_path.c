// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/load_path.h"

#include "viper/cpu/evaluate/static_newton.h"

#include <math.h>
#include <string.h>

/// The least increment, a part of the load step.
#define LEAST_INCREMENT (1.0 / 64)

/// A load step at work.
typedef struct path {
  viper_static_newton newton;
  viper_node_x *node_old; ///< [n_nodes] where it begins
  viper_quat *frame_old;  ///< [n_segments]
  viper_contraction *active_old;
  viper_node_x *node; ///< [n_nodes] where the increment at work begins
  viper_quat *frame;  ///< [n_segments]
  double *force;      ///< scratch over all unknowns
  viper_node_x *turned;
  vb_arena memory;
} path;

static vb_status create_path(path *p, const viper_model *m, vb_error *error) {
  VB_TAKE(&p->memory, p->node_old, m->n_nodes);
  VB_TAKE(&p->memory, p->frame_old, m->n_segments);
  VB_TAKE(&p->memory, p->active_old, m->n_segments);
  VB_TAKE(&p->memory, p->node, m->n_nodes);
  VB_TAKE(&p->memory, p->frame, m->n_segments);
  VB_TAKE(&p->memory, p->force, 4 * m->n_nodes + 3 * m->n_segments);
  VB_TAKE(&p->memory, p->turned, m->n_follower_loads);
  return vb_arena_status(&p->memory, error);
}

static void copy_state(const viper_model *m, const viper_node_x *node, const viper_quat *frame,
                       viper_node_x *node_to, viper_quat *frame_to) {
  memcpy(node_to, node, m->n_nodes * sizeof *node);
  memcpy(frame_to, frame, m->n_segments * sizeof *frame);
}

/// Notes by how much forces do not balance under the boundary's loads: as a load it would hold the
/// state.
static void note_start_load(viper_static_newton *newton) {
  const viper_model *m = newton->cpu->model;
  double *frame = newton->start_load + 4 * m->n_nodes;
  newton->left = 0;
  viper_static_newton_place_loads(newton);
  for (size_t k = 0; k < m->n_bodies; k++)
    viper_body_gradient(newton->cpu, &m->body[k], 1, newton->start_load + 4 * m->body[k].first_node,
                        frame + 3 * m->body[k].first_segment);
  for (size_t j = 0; j < m->n_segments; j++, frame += 3) {
    viper_quat back = viper_quat_conj(newton->cpu->frame[j]);
    viper_vec3 t = viper_quat_unrotate(back, (viper_vec3){frame[0], frame[1], frame[2]});
    frame[0] = t.x;
    frame[1] = t.y;
    frame[2] = t.z;
  }
}

/// Puts what is pinned where its driver has it.
static void place_pins(viper_cpu *cpu, const viper_boundary *boundary) {
  viper_hold_parts(cpu, boundary);
  for (size_t k = 0; k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    const double *target = boundary->target + 4 * k;
    double x[4];
    if (pin->location == VB_AT_SEGMENT) {
      viper_quat *q = &cpu->frame[pin->index];
      *q = pin->mask & VB_PIN_FRAME ? viper_quat_from(target)
                                    : viper_held_frame(&cpu->held[pin->index], *q);
      continue;
    }
    viper_node_to(cpu->node[pin->index], x);
    for (int c = 0; c < 4; c++)
      x[c] = pin->mask >> c & 1 ? target[c] : x[c];
    cpu->node[pin->index] = viper_node_from(x);
  }
}

/// What acts, and what holds, at `time`.
static void place_boundary(viper_cpu *cpu, viper_boundary *boundary, double time) {
  viper_boundary_at(boundary, cpu->model, time);
  for (size_t k = 0; cpu->active && k < cpu->model->n_activations; k++)
    cpu->active[cpu->model->activation[k].segment] =
        (viper_contraction){boundary->active[2 * k], boundary->active[2 * k + 1]};
  place_pins(cpu, boundary);
}

/// Solves for the end of an increment from its beginning: by descent, and where loads have no
/// potential without, if that does not converge.
static vb_status solve(path *p, double *residual, vb_error *error) {
  viper_static_newton *newton = &p->newton;
  viper_cpu *cpu = newton->cpu;
  newton->descend = true;
  vb_status status = viper_static_newton_solve(newton, residual, error);
  if (status || *residual <= newton->tolerance || newton->stiffness.n == 0)
    return status;
  newton->descend = false;
  copy_state(cpu->model, p->node, p->frame, cpu->node, cpu->frame);
  place_pins(cpu, newton->boundary);
  return viper_static_newton_solve(newton, residual, error);
}

/// Goes along the path: in one increment, or in more, each half of the one that did not converge.
static vb_status follow(path *p, double time, double h, viper_equilibrium *out, vb_error *error) {
  viper_static_newton *newton = &p->newton;
  viper_cpu *cpu = newton->cpu;
  double reached = 0, increment = 1;
  *out = (viper_equilibrium){.residual = NAN};
  copy_state(cpu->model, cpu->node, cpu->frame, p->node, p->frame);
  while (reached < 1 && increment >= LEAST_INCREMENT) {
    newton->left = 1 - (reached + increment);
    place_boundary(cpu, newton->boundary, time + (reached + increment) * h);
    vb_status status = solve(p, &out->residual, error);
    if (status)
      return status;
    if (out->residual <= newton->tolerance) {
      reached += increment;
      out->n_increments++;
      copy_state(cpu->model, cpu->node, cpu->frame, p->node, p->frame);
      continue;
    }
    increment *= 0.5;
    copy_state(cpu->model, p->node, p->frame, cpu->node, cpu->frame);
  }
  out->found = reached >= 1;
  return VB_OK;
}

/// Adds the work of the way from the first state to the last, as a backend does.
static void add_work(path *p, const viper_settings *settings, double time, double h, double *work) {
  const viper_model *m = p->newton.cpu->model;
  const viper_cpu_substep step = {time, h, viper_advance_of(settings, 0, h, 0)};
  viper_cpu cpu = *p->newton.cpu;
  cpu.node_old = p->node_old;
  cpu.frame_old = p->frame_old;
  cpu.active_old = p->active_old;
  cpu.node_force = p->force;
  cpu.frame_force = p->force + 4 * m->n_nodes;
  cpu.turned = p->turned;
  for (size_t k = 0; k < m->n_follower_loads; k++) {
    const viper_model_follower_load *t = &m->follower_load[k];
    viper_quat turn = viper_quat_mul(cpu.frame[t->segment], viper_quat_from(t->back));
    p->turned[k] = viper_node_from(p->newton.boundary->follower_load + 4 * k);
    p->turned[k].c = viper_quat_unrotate(viper_quat_conj(turn), p->turned[k].c);
  }
  viper_cpu_add_work(&cpu, &step, work);
}

vb_status viper_follow_load_path(viper_cpu *cpu, viper_boundary *boundary, viper_newton_step *step,
                                 const viper_settings *settings, double time, double h,
                                 double *work, viper_equilibrium *out, vb_error *error) {
  path p = {0};
  vb_status status = create_path(&p, cpu->model, error);
  if (!status)
    status = viper_static_newton_create(cpu, boundary, step, settings->tolerance, &p.newton, error);
  if (!status) {
    copy_state(cpu->model, cpu->node, cpu->frame, p.node_old, p.frame_old);
    if (cpu->active)
      memcpy(p.active_old, cpu->active, cpu->model->n_segments * sizeof *p.active_old);
    place_boundary(cpu, boundary, time);
    note_start_load(&p.newton);
    status = follow(&p, time, h, out, error);
  }
  if (!status && out->found)
    add_work(&p, settings, time, h, work);
  viper_static_newton_destroy(&p.newton);
  vb_arena_clear(&p.memory);
  return status;
}
