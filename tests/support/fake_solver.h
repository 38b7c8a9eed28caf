// SPDX-License-Identifier: GPL-3.0-or-later
/// A solver whose every answer is known in closed form, and a small scene and study for it: for
/// tests of all that stands above the solver interface.
///
/// Node i moves by FAKE_AMPLITUDE * sin(2 t + i) along x and has the scale 1 + FAKE_AMPLITUDE *
/// cos(2 t). Energies: stretch cos(t)^2, kinetic sin(t)^2. Residual 0.5^step. Driver d exerts force
/// (d, t, 0) and torque (0, 0, t). The work of the k-th driver, load or activation is (k + 1) t.
/// Momentum is (1, t, t^2). Ghost point k of FAKE_GHOSTS is at (k, t).
#ifndef VB_TESTS_SUPPORT_FAKE_SOLVER_H
#define VB_TESTS_SUPPORT_FAKE_SOLVER_H

#include "scene/builder.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_AMPLITUDE 0.01
#define FAKE_GHOSTS    5

typedef struct fake_solver {
  const vb_scene *scene;
  int64_t step;
  int64_t diverges_at; ///< step, or 0 for never
} fake_solver;

static inline double fake_time(const fake_solver *self) {
  return (double)self->step * vb_scene_world(self->scene)->step;
}

static inline const vb_solver_description *fake_describe(const vb_solver *solver) {
  (void)solver;
  static const vb_field fields[] = {
      {"position", VB_AT_NODE, 3, "m", "positions of nodes"},
      {"scale", VB_AT_NODE, 1, "1", "scales of nodes"},
      {"velocity", VB_AT_NODE, 3, "m s-1", "velocities of nodes"},
      {"frame", VB_AT_SEGMENT, 4, "1", "frames of segments, unit quaternions (w, x, y, z)"},
      {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
      {"ghost", VB_AT_OWN, 2, "m", "points of the solver's own"},
  };
  static const vb_energy energies[] = {{"stretch", "energy of stretching", true},
                                       {"kinetic", "kinetic energy", false}};
  static const vb_option_info options[] = {
      {"method", "exact", "exact|vague", 0, 0, false, false, "how the answer is found"},
      {"iterations", "7", NULL, 1, 1000, true, true, "iterations per step"},
      {"diverges_at", "0", NULL, 0, 1e9, true, false, "step that diverges, 0 for none"},
  };
  static const char *const phases[] = {"predict", "solve"};
  static const vb_solver_description description = {
      .name = "fake",
      .long_name = "closed forms instead of a simulation",
      .sets = UINT64_MAX,
      .fields = fields,
      .n_fields = sizeof fields / sizeof *fields,
      .energies = energies,
      .n_energies = 2,
      .options = options,
      .n_options = 3,
      .phases = phases,
      .n_phases = 2,
      .has_residual = true,
      .has_reactions = true,
  };
  return &description;
}

static inline vb_status fake_create(const vb_solver *solver, const vb_scene *scene,
                                    const vb_option *options, size_t n_options, void **out,
                                    vb_error *error) {
  (void)solver;
  fake_solver *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->scene = scene;
  for (size_t i = 0; i < n_options; i++)
    if (strcmp(options[i].name, "diverges_at") == 0)
      self->diverges_at = atoll(options[i].value);
  *out = self;
  return VB_OK;
}

static inline vb_status fake_set_option(void *self, const char *name, const char *value,
                                        vb_error *error) {
  (void)self, (void)value;
  return strcmp(name, "iterations") == 0
             ? VB_OK
             : vb_error_set(error, VB_BAD_INPUT, "option \"%s\" cannot be changed", name);
}

/// Options in use: "iterations" tells what it was set to as ever, "method" what is behind it.
static inline vb_status fake_get_option(void *self, const char *name, char *out, size_t size,
                                        vb_error *error) {
  (void)self;
  const vb_solver_description *d = fake_describe(NULL);
  for (size_t i = 0; i < d->n_options; i++)
    if (strcmp(name, d->options[i].name) == 0) {
      snprintf(out, size, "%s%s", d->options[i].default_value, i == 0 ? ", in use" : "");
      return VB_OK;
    }
  return vb_error_set(error, VB_BAD_INPUT, "no option \"%s\"", name);
}

static inline size_t fake_count(const void *self, size_t field) {
  const fake_solver *f = self;
  if (field == 5)
    return FAKE_GHOSTS;
  return field == 4   ? 1
         : field == 3 ? vb_scene_count(f->scene, VB_SET_SEGMENT)
                      : vb_scene_count(f->scene, VB_SET_NODE);
}

static inline vb_status fake_step(void *self, int64_t n, vb_error *error) {
  fake_solver *f = self;
  (void)error;
  f->step += n;
  if (f->diverges_at && f->step > f->diverges_at)
    f->step = f->diverges_at;
  return VB_OK;
}

static inline vb_status fake_sync(void *self, vb_divergence *divergence, vb_error *error) {
  fake_solver *f = self;
  (void)error;
  *divergence = (vb_divergence){0};
  if (f->diverges_at && f->step >= f->diverges_at)
    *divergence = (vb_divergence){true, f->diverges_at, "the fake solver was told to diverge"};
  return VB_OK;
}

static inline size_t fake_state_size(const void *self) {
  (void)self;
  return sizeof(int64_t);
}

static inline vb_status fake_save(void *self, void *state, vb_error *error) {
  (void)error;
  memcpy(state, &((fake_solver *)self)->step, sizeof(int64_t));
  return VB_OK;
}

static inline vb_status fake_restore(void *self, const void *state, vb_error *error) {
  (void)error;
  memcpy(&((fake_solver *)self)->step, state, sizeof(int64_t));
  return VB_OK;
}

static inline void fake_node(const vb_node *node, size_t i, size_t field, double t, double *out) {
  double shift = FAKE_AMPLITUDE * sin(2 * t + (double)i);
  if (field == 0) {
    memcpy(out + 3 * i, node->rest_position, sizeof node->rest_position);
    out[3 * i] += shift;
  } else if (field == 1) {
    out[i] = 1 + FAKE_AMPLITUDE * cos(2 * t);
  } else {
    out[3 * i] = 2 * FAKE_AMPLITUDE * cos(2 * t + (double)i);
    out[3 * i + 1] = out[3 * i + 2] = 0;
  }
}

static inline vb_status fake_read(void *self, size_t field, double *out, vb_error *error) {
  fake_solver *f = self;
  (void)error;
  size_t n, s;
  double t = fake_time(f);
  const vb_node *nodes = vb_scene_nodes(f->scene, &n);
  const vb_segment *segments = vb_scene_segments(f->scene, &s);
  for (size_t i = 0; field < 3 && i < n; i++)
    fake_node(&nodes[i], i, field, t, out);
  for (size_t j = 0; field == 3 && j < s; j++)
    memcpy(out + 4 * j, segments[j].frame, sizeof segments[j].frame);
  for (size_t k = 0; field == 5 && k < FAKE_GHOSTS; k++)
    memcpy(out + 2 * k, (double[2]){(double)k, t}, 2 * sizeof(double));
  if (field == 4)
    memcpy(out, (double[3]){1, t, t * t}, 3 * sizeof(double));
  return VB_OK;
}

static inline vb_status fake_energies(void *self, double *out, vb_error *error) {
  (void)error;
  double t = fake_time(self);
  out[0] = cos(t) * cos(t);
  out[1] = sin(t) * sin(t);
  return VB_OK;
}

static inline vb_status fake_work(void *self, double *out, vb_error *error) {
  fake_solver *f = self;
  (void)error;
  size_t n = vb_scene_count(f->scene, VB_SET_DRIVER) + vb_scene_count(f->scene, VB_SET_LOAD) +
             vb_scene_count(f->scene, VB_SET_ACTIVATION);
  for (size_t i = 0; i < n; i++)
    out[i] = (double)(i + 1) * fake_time(f);
  return VB_OK;
}

static inline vb_status fake_residual(void *self, double *out, vb_error *error) {
  (void)error;
  int64_t step = ((fake_solver *)self)->step;
  *out = step ? pow(0.5, (double)step) : 0;
  return VB_OK;
}

static inline vb_status fake_reactions(void *self, double *force, double *torque, vb_error *error) {
  fake_solver *f = self;
  (void)error;
  size_t n = vb_scene_count(f->scene, VB_SET_DRIVER);
  for (size_t i = 0; i < n; i++) {
    memcpy(force + 3 * i, (double[3]){(double)i, fake_time(f), 0}, 3 * sizeof(double));
    memcpy(torque + 3 * i, (double[3]){0, 0, fake_time(f)}, 3 * sizeof(double));
  }
  return VB_OK;
}

static inline vb_status fake_timings(void *self, double *out, vb_error *error) {
  (void)error;
  out[0] = 0.25 * fake_time(self);
  out[1] = 0.75 * fake_time(self);
  return VB_OK;
}

static inline void fake_destroy(void *self) {
  free(self);
}

static const vb_solver fake_solver_table = {
    .version = VB_SOLVER_VERSION,
    .scene_version = VB_SCENE_VERSION,
    .describe = fake_describe,
    .create = fake_create,
    .set_option = fake_set_option,
    .get_option = fake_get_option,
    .step = fake_step,
    .sync = fake_sync,
    .state_size = fake_state_size,
    .save = fake_save,
    .restore = fake_restore,
    .count = fake_count,
    .read = fake_read,
    .energies = fake_energies,
    .work = fake_work,
    .residual = fake_residual,
    .reactions = fake_reactions,
    .timings = fake_timings,
    .destroy = fake_destroy,
};

/// Two rods: one of `n` nodes along x, and one of three nodes beside it. The first node is pinned
/// by the driver "hand"; node 1 carries two loads "wind" and one load "tide". Step 0.01 s.
static inline vb_status fake_build(vb_builder *b, int32_t n, int64_t n_steps, vb_error *error) {
  vb_status status = VB_OK;
  vb_builder_world(b)->step = 0.01;
  vb_builder_world(b)->n_steps = n_steps;
  for (int32_t i = 0; i < n + 3 && !status; i++) {
    double x = i < n ? 0.1 * i : 0.1 * (i - n), y = i < n ? 0 : 1;
    vb_node node = {.rest_position = {x, y, 0}, .rest_radius = 0.02, .position = {x, y, 0}};
    status = vb_builder_add(b, VB_SET_NODE, &node, NULL, error);
  }
  for (int32_t i = 0; i < n + 2 && !status; i++) {
    vb_segment segment = {
        .node = {i, i + 1}, .density = 1000, .stiffness = {1e6, 1e6, 1e6, 1e2, 1e2, 1e7}};
    if (i != n - 1)
      status = vb_builder_add(b, VB_SET_SEGMENT, &segment, NULL, error);
  }
  vb_driver driver = {.name = "hand", .axis = {0, 0, 1}, .translation = {-1, -1, -1}, .angle = -1};
  vb_pin pin = {VB_AT_NODE, 0, VB_PIN_CENTER, 0};
  if (!status)
    status = vb_builder_add(b, VB_SET_DRIVER, &driver, NULL, error);
  if (!status)
    status = vb_builder_add(b, VB_SET_PIN, &pin, NULL, error);
  for (int i = 0; i < 3 && !status; i++) {
    vb_load load = {.location = VB_AT_NODE, .index = 1, .force = {0, 1, 0}, .amplitude = -1};
    strcpy(load.name, i < 2 ? "wind" : "tide");
    status = vb_builder_add(b, VB_SET_LOAD, &load, NULL, error);
  }
  return status ? status : vb_builder_name(b, 0, "long", error);
}

/// That scene, in which bodies may be in `contact` with each other, or not. The caller frees
/// `*out`.
static inline vb_status fake_contact_scene(int32_t n, int64_t n_steps, bool contact, vb_scene **out,
                                           vb_error *error) {
  vb_builder *b;
  vb_status status = vb_builder_create(&b, error);
  if (status)
    return status;
  status = fake_build(b, n, n_steps, error);
  if (!status && contact)
    status = vb_builder_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 1e-3}, NULL, error);
  if (!status)
    status = vb_builder_freeze(b, out, error);
  vb_builder_destroy(b);
  return status;
}

static inline vb_status fake_scene(int32_t n, int64_t n_steps, vb_scene **out, vb_error *error) {
  return fake_contact_scene(n, n_steps, false, out, error);
}

#endif
