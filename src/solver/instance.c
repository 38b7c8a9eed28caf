// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double vb_instance_time(const vb_instance *self) {
  return (double)self->n_steps * vb_scene_world(self->scene)->step;
}

void vb_instance_note_divergence(vb_instance *self, const char *format, ...) {
  va_list args;
  self->divergence.diverged = true;
  self->divergence.step = self->n_steps + 1;
  va_start(args, format);
  vsnprintf(self->divergence.what, sizeof self->divergence.what, format, args);
  va_end(args);
}

void vb_instance_note_convergence(vb_instance *self, bool met, double residual, double tolerance) {
  vb_convergence *c = &self->convergence;
  c->evaluated++;
  c->tolerance = tolerance;
  c->worst = fmax(c->worst, residual);
  if (!met && c->missed++ == 0)
    snprintf(c->what, sizeof c->what, "step %lld ended with the residual %.3g, tolerance %.3g",
             (long long)self->n_steps + 1, residual, tolerance);
}

vb_status vb_instance_create(const vb_solver_parts *parts, const vb_scene *scene,
                             const vb_option *options, size_t n_options, void **out,
                             vb_error *error) {
  vb_status status = vb_solver_check_options(parts->about, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(parts->about, scene, error);
  if (!status && parts->check)
    status = parts->check(scene, error);
  if (status)
    return status;
  vb_instance *self = calloc(1, parts->bytes);
  if (!self)
    return vb_error_memory(error);
  self->parts = parts;
  self->scene = scene;
  for (size_t i = 0; i < parts->about->n_options; i++) {
    const char *name = parts->about->options[i].name;
    vb_setting_apply(parts->about, parts->settings, name,
                     vb_solver_option(parts->about, options, n_options, name), self);
  }
  status = parts->build(self, error);
  if (!status && parts->set)
    status = parts->set(self, error);
  if (status)
    vb_instance_destroy(self);
  else
    *out = self;
  return status;
}

void vb_instance_destroy(void *self) {
  if (self)
    ((vb_instance *)self)->parts->clear(self);
  free(self);
}

vb_status vb_instance_set_option(void *self, const char *name, const char *value, vb_error *error) {
  const vb_solver_parts *parts = ((vb_instance *)self)->parts;
  vb_status status = vb_setting_check(parts->about, name, value, error);
  if (status)
    return status;
  vb_setting_apply(parts->about, parts->settings, name, value, self);
  return parts->set ? parts->set(self, error) : VB_OK;
}

vb_status vb_instance_get_option(void *self, const char *name, char *out, size_t size,
                                 vb_error *error) {
  const vb_solver_parts *parts = ((vb_instance *)self)->parts;
  return vb_setting_print(parts->about, parts->settings, name, self, out, size, error);
}

vb_status vb_instance_step(void *self, int64_t n, vb_error *error) {
  vb_instance *s = self;
  vb_status status = VB_OK;
  for (int64_t k = 0; k < n && !status && !s->divergence.diverged; k++) {
    status = s->parts->step(self, error);
    s->n_steps += !status;
  }
  return status;
}

vb_status vb_instance_sync(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((vb_instance *)self)->divergence;
  return VB_OK;
}

/// What every instance has, and what its solver adds.
static void carry(void *self, vb_state_copy *copy) {
  vb_instance *s = self;
  VB_CARRY_ONE(copy, s->n_steps);
  VB_CARRY_ONE(copy, s->divergence);
  VB_CARRY_ONE(copy, s->convergence);
  s->parts->carry(self, copy);
}

size_t vb_instance_state_size(const void *self) {
  return vb_state_size(carry, self);
}

vb_status vb_instance_save(void *self, void *state, vb_error *error) {
  (void)error;
  vb_state_save(carry, self, state);
  return VB_OK;
}

vb_status vb_instance_restore(void *self, const void *state, vb_error *error) {
  (void)error;
  vb_state_restore(carry, self, state);
  if (((vb_instance *)self)->parts->derive)
    ((vb_instance *)self)->parts->derive(self);
  return VB_OK;
}

size_t vb_instance_count(const void *self, size_t field) {
  const vb_instance *s = self;
  return vb_fields_count(s->parts->about, s->parts->fields, s->scene, self, field);
}

vb_status vb_instance_read(void *self, size_t field, double *out, vb_error *error) {
  const vb_instance *s = self;
  return vb_fields_read(s->parts->about, s->parts->fields, s->scene, self, field, out, error);
}

vb_status vb_instance_energies(void *self, double *out, vb_error *error) {
  const vb_solver_parts *parts = ((vb_instance *)self)->parts;
  return vb_read_by(&parts->energies, self, parts->about->n_energies, out, error);
}

vb_status vb_instance_work(void *self, double *out, vb_error *error) {
  const vb_instance *s = self;
  return vb_read_by(&s->parts->work, self, vb_work_count(s->scene), out, error);
}

vb_status vb_instance_residual(void *self, double *out, vb_error *error) {
  return vb_read_by(&((vb_instance *)self)->parts->residual, self, 1, out, error);
}

vb_status vb_instance_reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const vb_instance *s = self;
  size_t n = 3 * vb_scene_count(s->scene, VB_SET_DRIVER);
  for (size_t i = 0; i < n; i++)
    force[i] = torque[i] = 0;
  s->parts->reactions(self, force, torque);
  return VB_OK;
}

vb_status vb_instance_timings(void *self, double *out, vb_error *error) {
  const vb_solver_parts *parts = ((vb_instance *)self)->parts;
  return vb_read_by(&parts->timer, self, parts->about->n_phases, out, error);
}

vb_status vb_instance_convergence(void *self, vb_convergence *out, vb_error *error) {
  (void)error;
  *out = ((vb_instance *)self)->convergence;
  return VB_OK;
}
