// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/held_pins.h"

#include "scene/pin_ends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Most bytes of the value of an option, as text.
#define VALUE_SIZE 128

/// An instance.
typedef struct held_pins {
  const vb_held_pins *of;
  const vb_scene *scene; ///< with all pins
  vb_scene *held;        ///< that of the instance
  void *inner;           ///< the instance
  size_t n_ended;        ///< pins that have ended in it
  int64_t n_steps;
  size_t state_size; ///< of the instance
  double *phase;     ///< seconds of the instances before
  double device_s;   ///< seconds of their device that were not reported yet
  char warning[208]; ///< of an instance before, or ""
} held_pins;

static const vb_solver_description *describe(const vb_solver *solver) {
  return &((const vb_held_pins *)(const void *)solver)->about;
}

static void destroy(void *self) {
  held_pins *e = self;
  if (!e)
    return;
  if (e->inner)
    e->of->inner->destroy(e->inner);
  free(e->held);
  free(e->phase);
  free(e);
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  const vb_held_pins *of = (const vb_held_pins *)(const void *)solver;
  held_pins *e = calloc(1, sizeof *e);
  if (!e)
    return vb_error_memory(error);
  e->of = of;
  e->scene = scene;
  e->phase = calloc(of->about.n_phases + 1, sizeof *e->phase);
  vb_status status = e->phase ? VB_OK : vb_error_memory(error);
  if (!status)
    status = vb_scene_held_after(scene, 0, &e->held, error);
  if (!status)
    status = of->inner->create(of->inner, e->held, options, n_options, &e->inner, error);
  if (status) {
    destroy(e);
    return status;
  }
  e->state_size = of->inner->state_size(e->inner);
  *out = e;
  return VB_OK;
}

/// Makes an instance of the inner solver for `scene` with the options in use.
static vb_status make_alike(const held_pins *e, const vb_scene *scene, void **out,
                            vb_error *error) {
  const vb_solver *inner = e->of->inner;
  const size_t n = e->of->about.n_options;
  vb_option *options = reallocarray(NULL, n + 1, sizeof *options);
  char(*value)[VALUE_SIZE] = reallocarray(NULL, n + 1, sizeof *value);
  vb_status status = options && value ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++) {
    options[i] = (vb_option){e->of->about.options[i].name, value[i]};
    status = inner->get_option(e->inner, options[i].name, value[i], sizeof value[i], error);
  }
  if (!status)
    status = inner->create(inner, scene, options, n, out, error);
  free(options);
  free(value);
  return status;
}

/// Refuses a solver whose state has another size without some pins.
static vb_status check_size(const held_pins *e, const void *instance, vb_error *error) {
  const size_t size = e->of->inner->state_size(instance);
  if (size == e->state_size)
    return VB_OK;
  return vb_error_set(error, VB_UNAVAILABLE,
                      "solver %s: its state has %zu bytes, and %zu without the pins that end; "
                      "a solver's pins can end if its state does not depend on them",
                      e->of->about.name, e->state_size, size);
}

/// Whether the nodes are where they were, bit by bit.
static vb_status compare_positions(const held_pins *e, void *instance, vb_error *error) {
  const vb_solver *inner = e->of->inner;
  size_t field = 0, n_fields = e->of->about.n_fields;
  while (field < n_fields && strcmp(e->of->about.fields[field].name, "position") != 0)
    field++;
  const size_t n = field < n_fields ? 3 * inner->count(e->inner, field) : 0;
  if (n == 0)
    return VB_OK;
  double *both = reallocarray(NULL, 2 * n, sizeof *both);
  if (!both)
    return vb_error_memory(error);
  vb_status status = inner->read(e->inner, field, both, error);
  if (!status)
    status = inner->read(instance, field, both + n, error);
  if (!status && memcmp(both, both + n, n * sizeof *both) != 0)
    status = vb_error_set(error, VB_UNAVAILABLE,
                          "solver %s: its state means another one without the pins that end; a "
                          "solver's pins can end if its state does not depend on them",
                          e->of->about.name);
  free(both);
  return status;
}

/// Keeps what belongs to an instance that is about to go.
static vb_status keep_reports(held_pins *e, vb_error *error) {
  const vb_solver *inner = e->of->inner;
  const size_t n = e->of->about.n_phases;
  vb_device device = {.seconds = NAN};
  vb_status status = inner->device ? inner->device(e->inner, &device, error) : VB_OK;
  if (!status && !isnan(device.seconds))
    e->device_s += device.seconds;
  const char *warning = inner->warning ? inner->warning(e->inner) : NULL;
  if (warning)
    snprintf(e->warning, sizeof e->warning, "%s", warning);
  double *phase = n > 0 ? reallocarray(NULL, n, sizeof *phase) : NULL;
  if (!status && n > 0 && !phase)
    status = vb_error_memory(error);
  if (!status && n > 0)
    status = inner->timings(e->inner, phase, error);
  for (size_t i = 0; !status && i < n; i++)
    e->phase[i] += phase[i];
  free(phase);
  return status;
}

/// Goes on with an instance of the scene as it is held after `done` steps. With `state` it has that
/// one (which belongs to it), else the present one.
static vb_status change(held_pins *e, int64_t done, const void *state, vb_error *error) {
  const vb_solver *inner = e->of->inner;
  vb_scene *held = NULL;
  void *instance = NULL, *saved = malloc(e->state_size + 1);
  vb_status status = saved ? VB_OK : vb_error_memory(error);
  if (!status && !state)
    status = inner->save(e->inner, saved, error);
  if (!status)
    status = vb_scene_held_after(e->scene, done, &held, error);
  if (!status)
    status = make_alike(e, held, &instance, error);
  if (!status)
    status = check_size(e, instance, error);
  if (!status)
    status = inner->restore(instance, state ? state : saved, error);
  if (!status && !state)
    status = compare_positions(e, instance, error);
  if (!status)
    status = keep_reports(e, error);
  free(saved);
  if (status) {
    if (instance)
      inner->destroy(instance);
    free(held);
    return status;
  }
  inner->destroy(e->inner);
  free(e->held);
  e->inner = instance;
  e->held = held;
  e->n_ended = vb_count_ended_pins(e->scene, done);
  return VB_OK;
}

/// Lets the pins end that do before the next step; not of an instance that has diverged.
static vb_status prepare(held_pins *e, bool *diverged, vb_error *error) {
  vb_divergence divergence = {0};
  if (vb_count_ended_pins(e->scene, e->n_steps) == e->n_ended)
    return VB_OK;
  vb_status status = e->of->inner->sync(e->inner, &divergence, error);
  *diverged = divergence.diverged;
  return status || *diverged ? status : change(e, e->n_steps, NULL, error);
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  held_pins *e = self;
  bool diverged = false;
  vb_status status = VB_OK;
  while (n > 0 && !status) {
    status = prepare(e, &diverged, error);
    if (status || diverged)
      break;
    const int64_t left = vb_next_pin_end(e->scene, e->n_steps) - e->n_steps;
    const int64_t part = n < left ? n : left;
    status = e->of->inner->step(e->inner, part, error);
    e->n_steps += part;
    n -= part;
  }
  return status;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->sync(e->inner, divergence, error);
}

/// The number of steps comes first.
static size_t state_size(const void *self) {
  return sizeof(int64_t) + ((const held_pins *)self)->state_size;
}

static vb_status save(void *self, void *state, vb_error *error) {
  held_pins *e = self;
  vb_status status = e->of->inner->save(e->inner, (char *)state + sizeof e->n_steps, error);
  if (!status)
    memcpy(state, &e->n_steps, sizeof e->n_steps);
  return status;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  held_pins *e = self;
  const char *inner = (const char *)state + sizeof e->n_steps;
  int64_t n_steps;
  memcpy(&n_steps, state, sizeof n_steps);
  // That of the step which led to the state: its reactions and its residual are known.
  const int64_t done = n_steps > 0 ? n_steps - 1 : 0;
  vb_status status = vb_count_ended_pins(e->scene, done) == e->n_ended
                         ? e->of->inner->restore(e->inner, inner, error)
                         : change(e, done, inner, error);
  if (!status)
    e->n_steps = n_steps;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->set_option(e->inner, name, value, error);
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->get_option(e->inner, name, out, size, error);
}

static size_t count(const void *self, size_t field) {
  const held_pins *e = self;
  return e->of->inner->count(e->inner, field);
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->read(e->inner, field, out, error);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->energies(e->inner, out, error);
}

static vb_status work(void *self, double *out, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->work(e->inner, out, error);
}

static vb_status residual(void *self, double *out, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->residual(e->inner, out, error);
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->reactions(e->inner, force, torque, error);
}

static vb_status timings(void *self, double *out, vb_error *error) {
  held_pins *e = self;
  vb_status status = e->of->inner->timings(e->inner, out, error);
  for (size_t i = 0; !status && i < e->of->about.n_phases; i++)
    out[i] += e->phase[i];
  return status;
}

static void cost(const void *self, double *bytes, double *operations) {
  const held_pins *e = self;
  e->of->inner->cost(e->inner, bytes, operations);
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  held_pins *e = self;
  vb_status status = e->of->inner->device(e->inner, out, error);
  if (!status && !isnan(out->seconds)) {
    out->seconds += e->device_s;
    e->device_s = 0;
  }
  return status;
}

static const char *warning(void *self) {
  held_pins *e = self;
  const char *now = e->of->inner->warning(e->inner);
  return now || !e->warning[0] ? now : e->warning;
}

static vb_status convergence(void *self, vb_convergence *out, vb_error *error) {
  held_pins *e = self;
  return e->of->inner->convergence(e->inner, out, error);
}

const vb_solver *vb_held_pins_of(const vb_solver *inner, const vb_scene *scene,
                                 vb_held_pins *room) {
  if (vb_scene_count(scene, VB_SET_PIN_END) == 0)
    return inner;
  *room = (vb_held_pins){.inner = inner, .about = *inner->describe(inner)};
  room->about.sets |= UINT64_C(1) << VB_SET_PIN_END;
  room->solver = (vb_solver){.version = inner->version,
                             .scene_version = inner->scene_version,
                             .describe = describe,
                             .create = create,
                             .set_option = inner->set_option ? set_option : NULL,
                             .get_option = inner->get_option ? get_option : NULL,
                             .step = step,
                             .sync = sync_steps,
                             .state_size = state_size,
                             .save = save,
                             .restore = restore,
                             .count = count,
                             .read = read_field,
                             .energies = energies,
                             .work = work,
                             .residual = inner->residual ? residual : NULL,
                             .reactions = inner->reactions ? reactions : NULL,
                             .timings = inner->timings ? timings : NULL,
                             .destroy = destroy,
                             .cost = inner->cost ? cost : NULL,
                             .device = inner->device ? device : NULL,
                             .warning = inner->warning ? warning : NULL,
                             .convergence = inner->convergence ? convergence : NULL};
  return &room->solver;
}

const vb_solver *vb_held_pins_inner(const vb_solver *solver) {
  return solver->describe == describe ? ((const vb_held_pins *)(const void *)solver)->inner
                                      : solver;
}
