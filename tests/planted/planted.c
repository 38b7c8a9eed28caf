// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted/planted.h"

#include <stdlib.h>
#include <string.h>

int planted_find(const char *word) {
  int kind = 0;
  while (kind < PLANTED_NONE && strcmp(word, vb_planted_words[kind]) != 0)
    kind++;
  return kind < PLANTED_NONE || strcmp(word, "none") == 0 ? kind : -1;
}

const char *planted_word(int kind) {
  return kind < PLANTED_NONE ? vb_planted_words[kind] : "none";
}

/// Whether the solver inside takes no step: it is not needed.
static bool rests(const planted *p) {
  return p->kind == VB_PLANTED_STILL || p->kind == VB_PLANTED_FREE_FALL;
}

static size_t numbers(const planted *p, size_t field) {
  return field < p->about->n_fields
             ? p->inner->count(p->self, field) * (size_t)p->about->fields[field].components
             : 0;
}

static const vb_solver_description *describe(const vb_solver *solver) {
  const vb_solver *inner = ((const planted_solver *)solver)->inner;
  return inner->describe(inner);
}

static void destroy(void *self) {
  planted *p = self;
  if (!p)
    return;
  if (p->self)
    p->inner->destroy(p->self);
  for (size_t i = 0; p->held && i < p->about->n_fields; i++)
    free(p->held[i]);
  free(p->held);
  free(p->changed);
  free(p);
}

/// Room for the fields of one step before.
static vb_status hold(planted *p, vb_error *error) {
  p->held = calloc(p->about->n_fields + 1, sizeof *p->held);
  bool whole = p->held != NULL;
  for (size_t i = 0; whole && i < p->about->n_fields; i++)
    whole = (p->held[i] = calloc(numbers(p, i) + 1, sizeof(double))) != NULL;
  return whole ? VB_OK : vb_error_memory(error);
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  const planted_solver *outer = (const planted_solver *)solver;
  planted *p = calloc(1, sizeof *p);
  if (!p)
    return vb_error_memory(error);
  *p = (planted){
      .inner = outer->inner, .about = describe(solver), .kind = outer->kind, .scene = scene};
  vb_status status = planted_change_scene(scene, p->kind, &p->changed, error);
  if (!status)
    status = p->inner->create(p->inner, p->changed ? p->changed : scene, options, n_options,
                              &p->self, error);
  if (!status && p->kind == VB_PLANTED_STALE)
    status = hold(p, error);
  if (status)
    destroy(p);
  else
    *out = p;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  const planted *p = self;
  return p->inner->set_option(p->self, name, value, error);
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const planted *p = self;
  return p->inner->get_option(p->self, name, out, size, error);
}

/// All steps but the last; the fields then are what is read after it.
static vb_status step_and_hold(planted *p, int64_t n, vb_error *error) {
  vb_status status = p->inner->step(p->self, n - 1, error);
  for (size_t i = 0; !status && i < p->about->n_fields; i++)
    status = p->inner->read(p->self, i, p->held[i], error);
  return status ? status : p->inner->step(p->self, 1, error);
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  planted *p = self;
  vb_status status = VB_OK;
  if (p->kind == VB_PLANTED_STALE && n > 0)
    status = step_and_hold(p, n, error);
  else if (!rests(p))
    status = p->inner->step(p->self, n, error);
  p->n_steps += status ? 0 : n;
  return status;
}

static vb_status sync(void *self, vb_divergence *divergence, vb_error *error) {
  const planted *p = self;
  return p->inner->sync(p->self, divergence, error);
}

/// Bytes of what is held.
static size_t held_bytes(const planted *p) {
  size_t n = 0;
  for (size_t i = 0; p->held && i < p->about->n_fields; i++)
    n += numbers(p, i);
  return n * sizeof(double);
}

static size_t state_size(const void *self) {
  const planted *p = self;
  return p->inner->state_size(p->self) + sizeof p->n_steps + held_bytes(p);
}

static vb_status save(void *self, void *state, vb_error *error) {
  planted *p = self;
  vb_status status = p->inner->save(p->self, state, error);
  if (status)
    return status;
  char *at = (char *)state + p->inner->state_size(p->self);
  memcpy(at, &p->n_steps, sizeof p->n_steps);
  at += sizeof p->n_steps;
  for (size_t i = 0; p->held && i < p->about->n_fields; i++) {
    size_t bytes = numbers(p, i) * sizeof(double);
    memcpy(at, p->held[i], bytes);
    at += bytes;
  }
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  planted *p = self;
  vb_status status = p->inner->restore(p->self, state, error);
  if (status)
    return status;
  const char *at = (const char *)state + p->inner->state_size(p->self);
  memcpy(&p->n_steps, at, sizeof p->n_steps);
  at += sizeof p->n_steps;
  for (size_t i = 0; p->held && i < p->about->n_fields; i++) {
    size_t bytes = numbers(p, i) * sizeof(double);
    memcpy(p->held[i], at, bytes);
    at += bytes;
  }
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const planted *p = self;
  return p->inner->count(p->self, field);
}

/// Time by the scene that the harness believes in, s.
static double time_of(const planted *p) {
  return (double)p->n_steps * vb_scene_world(p->scene)->step;
}

static vb_status read(void *self, size_t field, double *out, vb_error *error) {
  planted *p = self;
  if (p->held && p->n_steps > 0 && field < p->about->n_fields) {
    memcpy(out, p->held[field], numbers(p, field) * sizeof *out);
    return VB_OK;
  }
  vb_status status = p->inner->read(p->self, field, out, error);
  if (!status && p->kind == VB_PLANTED_FREE_FALL)
    status = planted_fall(p->scene, &p->about->fields[field], time_of(p), out, error);
  if (!status && p->kind == VB_PLANTED_NOISE)
    planted_add_noise(p->scene, &p->about->fields[field], p->n_steps, out);
  return status;
}

static vb_status energies(void *self, double *out, vb_error *error) {
  planted *p = self;
  vb_status status = p->inner->energies(p->self, out, error);
  if (!status && (p->kind == VB_PLANTED_STILL || p->kind == VB_PLANTED_ZERO_ENERGIES))
    memset(out, 0, p->about->n_energies * sizeof *out);
  if (!status && p->kind == VB_PLANTED_FREE_FALL)
    status = planted_fall_energies(p->scene, p->about, time_of(p), out, error);
  return status;
}

static vb_status work(void *self, double *out, vb_error *error) {
  const planted *p = self;
  return p->inner->work(p->self, out, error);
}

static vb_status residual(void *self, double *out, vb_error *error) {
  const planted *p = self;
  return p->inner->residual(p->self, out, error);
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  const planted *p = self;
  return p->inner->reactions(p->self, force, torque, error);
}

static vb_status timings(void *self, double *out, vb_error *error) {
  const planted *p = self;
  return p->inner->timings(p->self, out, error);
}

static void cost(const void *self, double *bytes, double *operations) {
  const planted *p = self;
  p->inner->cost(p->self, bytes, operations);
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  const planted *p = self;
  return p->inner->device(p->self, out, error);
}

/// Results tell what made them.
static const char *warning(void *self) {
#define PLANTED_WARNING(name, word, always, text) "planted solver: " text,
  static const char *const warnings[] = {VB_PLANTED_SOLVERS(PLANTED_WARNING)};
  const planted *p = self;
  if (p->kind == PLANTED_NONE)
    return p->inner->warning ? p->inner->warning(p->self) : NULL;
  return warnings[p->kind];
}

static vb_status convergence(void *self, vb_convergence *out, vb_error *error) {
  const planted *p = self;
  return p->inner->convergence(p->self, out, error);
}

void planted_wrap(planted_solver *out, const vb_solver *inner, int kind) {
  *out = (planted_solver){.inner = inner, .kind = kind};
  out->solver = (vb_solver){.version = inner->version,
                            .scene_version = inner->scene_version,
                            .describe = describe,
                            .create = create,
                            .set_option = inner->set_option ? set_option : NULL,
                            .get_option = inner->get_option ? get_option : NULL,
                            .step = step,
                            .sync = sync,
                            .state_size = state_size,
                            .save = save,
                            .restore = restore,
                            .count = count,
                            .read = read,
                            .energies = energies,
                            .work = work,
                            .residual = inner->residual ? residual : NULL,
                            .reactions = inner->reactions ? reactions : NULL,
                            .timings = inner->timings ? timings : NULL,
                            .destroy = destroy,
                            .cost = inner->cost ? cost : NULL,
                            .device = inner->device ? device : NULL,
                            .warning = warning,
                            .convergence = inner->convergence ? convergence : NULL};
}
