// SPDX-License-Identifier: GPL-3.0-or-later
/// Rigid bodies and joints as a solver (see README.md).
#include "description.h"
#include "integrate.h"
#include "measures.h"

#include "base/clock.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t saved_doubles(const mb_run *s) {
  return s->n_state + s->n_work + s->n_rows + s->system.n_links;
}

static void destroy(void *self) {
  mb_run *s = self;
  if (!s)
    return;
  if (s->integrator)
    gsl_odeiv2_driver_free(s->integrator);
  mb_system_clear(&s->system);
  free(s->state);
  free(s->key);
  free(s);
}

static int rates(double time, const double *state, double *rate, void *parameters) {
  return mb_rates(parameters, time, state, rate) ? GSL_EBADFUNC : GSL_SUCCESS;
}

static int compare_times(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static vb_status make_keys(mb_run *s, vb_error *error) {
  const vb_key *key = vb_scene_set(s->scene, VB_SET_KEY, &s->n_keys);
  s->key = malloc((s->n_keys + 1) * sizeof *s->key);
  if (!s->key)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->n_keys; i++)
    s->key[i] = key[i].time;
  qsort(s->key, s->n_keys, sizeof *s->key, compare_times);
  return VB_OK;
}

/// Leaves the multipliers of the present state behind it, and which limits hold.
static vb_status keep_multipliers(mb_run *s) {
  s->system.middle = mb_time(s);
  vb_status status = mb_rates(&s->system, s->system.middle, s->state, s->scratch);
  memcpy(s->state + s->n_state + s->n_work, s->system.multiplier, s->n_rows * sizeof *s->state);
  for (size_t i = 0; i < s->system.n_links; i++)
    s->limit[i] = s->system.at_limit[i];
  return status;
}

static vb_status build(mb_run *s, vb_error *error) {
  vb_status status = mb_system_create(s->scene, &s->system, error);
  if (!status)
    status = make_keys(s, error);
  if (status)
    return status;
  s->n_state = MB_STATE * s->system.n_bones;
  s->n_work = s->system.n_drivers + s->system.n_loads;
  s->n_rows = s->system.most_rows;
  size_t n = s->n_state + s->n_work;
  s->state = calloc(saved_doubles(s) + 7 * n + 1, sizeof *s->state);
  if (!s->state)
    return vb_error_memory(error);
  s->limit = s->state + n + s->n_rows;
  s->scratch = s->state + saved_doubles(s);
  s->begin = s->scratch + 6 * n;
  mb_system_start(&s->system, s->state);
  s->rates = (gsl_odeiv2_system){rates, NULL, n, &s->system};
  return VB_OK;
}

/// The integrator that an option asks for.
static vb_status make_integrator(mb_run *s, vb_error *error) {
  if (!s->is_adaptive || s->rates.dimension == 0)
    return VB_OK;
  if (s->integrator)
    gsl_odeiv2_driver_free(s->integrator);
  s->integrator = gsl_odeiv2_driver_alloc_y_new(
      &s->rates, gsl_odeiv2_step_rk8pd, vb_scene_world(s->scene)->step, s->tolerance, s->tolerance);
  return s->integrator ? VB_OK : vb_error_memory(error);
}

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return mb_describe();
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = mb_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (!status)
    status = mb_check(scene, error);
  if (status)
    return status;
  mb_run *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->scene = scene;
  s->is_adaptive = !strcmp(vb_solver_option(d, options, n_options, "integrator"), "rk8pd");
  s->tolerance = strtod(vb_solver_option(d, options, n_options, "tolerance"), NULL);
  status = build(s, error);
  if (!status)
    status = make_integrator(s, error);
  if (!status && keep_multipliers(s))
    status = vb_error_set(error, VB_UNAVAILABLE, "the forces of the links were not found");
  if (status)
    destroy(s);
  else
    *out = s;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  mb_run *s = self;
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(mb_describe(), &option, 1, error);
  if (status)
    return status;
  if (strcmp(name, "tolerance") != 0)
    return vb_bad_input(error, "option %s cannot change once a run has begun", name);
  double old = s->tolerance;
  s->tolerance = strtod(value, NULL);
  status = make_integrator(s, error);
  if (status)
    s->tolerance = old;
  return status;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const mb_run *s = self;
  if (!strcmp(name, "integrator"))
    snprintf(out, size, "%s", s->is_adaptive ? "rk8pd" : "rk4");
  else if (!strcmp(name, "tolerance"))
    snprintf(out, size, "%.10g", s->tolerance);
  else
    return vb_bad_input(error, "the multibody solver has no option \"%s\"", name);
  return VB_OK;
}

/// Continues the sign of each quaternion from `old`.
static void continue_signs(mb_run *s, const double *old) {
  for (size_t i = 0; i < s->n_state; i += MB_STATE) {
    double product = 0;
    for (size_t c = i + 3; c < i + 7; c++)
      product += s->state[c] * old[c];
    for (size_t c = i + 3; product < 0 && c < i + 7; c++)
      s->state[c] = -s->state[c];
  }
}

static void diverge(mb_run *s) {
  s->progress.divergence = (vb_divergence){.diverged = true, .step = s->progress.n_steps};
  snprintf(s->progress.divergence.what, sizeof s->progress.divergence.what,
           "no accelerations were found, or none within the tolerance");
}

static vb_status step(void *self, int64_t count, vb_error *error) {
  mb_run *s = self;
  size_t n = s->n_state + s->n_work;
  if (n == 0)
    return s->progress.n_steps += count, VB_OK;
  double *old = malloc(n * sizeof *old);
  if (!old)
    return vb_error_memory(error);
  double since = vb_clock();
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  for (int64_t k = 0; k < count && !s->progress.divergence.diverged; k++) {
    memcpy(old, s->state, n * sizeof *old);
    bool well = mb_step(s);
    s->progress.n_steps++;
    for (size_t i = 0; i < n; i++)
      well = well && isfinite(s->state[i]);
    if (well)
      continue_signs(s, old);
    else
      memcpy(s->state, old, n * sizeof *old);
    if (!well || keep_multipliers(s))
      diverge(s);
  }
  gsl_set_error_handler(handler);
  s->seconds += vb_clock() - since;
  free(old);
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((mb_run *)self)->progress.divergence;
  return VB_OK;
}

static size_t state_size(const void *self) {
  return sizeof(mb_progress) + saved_doubles(self) * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  const mb_run *s = self;
  memcpy(state, &s->progress, sizeof s->progress);
  memcpy((char *)state + sizeof s->progress, s->state, saved_doubles(s) * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  mb_run *s = self;
  memcpy(&s->progress, state, sizeof s->progress);
  memcpy(s->state, (const char *)state + sizeof s->progress, saved_doubles(s) * sizeof(double));
  for (size_t i = 0; i < s->system.n_links; i++)
    mb_limit(&s->system, i, (int)s->limit[i]);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const mb_run *s = self;
  if (field >= MB_FIELD_COUNT)
    return 0;
  switch (mb_describe()->fields[field].location) {
  case VB_AT_NODE:
    return vb_scene_count(s->scene, VB_SET_NODE);
  case VB_AT_BONE:
    return s->system.n_bones;
  case VB_AT_LINK:
    return s->system.n_links;
  default:
    return 1;
  }
}

static void read_bones(const mb_run *s, size_t first, size_t n, double *out) {
  for (size_t i = 0; i < s->system.n_bones; i++)
    memcpy(out + n * i, s->state + i * MB_STATE + first, n * sizeof *out);
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  const mb_run *s = self;
  const mb_system *m = &s->system;
  double momentum[3], turning[3], energy[2];
  switch ((mb_field)field) {
  case MB_FIELD_POSITION:
  case MB_FIELD_VELOCITY:
    mb_measure_nodes(m, s->state, field == MB_FIELD_VELOCITY, out);
    return VB_OK;
  case MB_FIELD_BONE_POSITION:
    read_bones(s, 0, 3, out);
    return VB_OK;
  case MB_FIELD_BONE_FRAME:
    read_bones(s, 3, 4, out);
    return VB_OK;
  case MB_FIELD_BONE_VELOCITY:
    read_bones(s, 7, 3, out);
    return VB_OK;
  case MB_FIELD_BONE_SPIN:
    read_bones(s, 10, 3, out);
    return VB_OK;
  case MB_FIELD_JOINT_ERROR:
    mb_measure_gap(m, mb_time(s), s->state, out);
    return VB_OK;
  case MB_FIELD_JOINT_FORCE:
    for (size_t i = 0; i < m->n_links; i++)
      memcpy(out + 3 * i, s->state + s->n_state + s->n_work + m->first_row[i], 3 * sizeof *out);
    return VB_OK;
  case MB_FIELD_JOINT_ANGLE:
    for (size_t i = 0; i < m->n_links; i++)
      out[i] = mb_angle(m, i, mb_time(s), s->state);
    return VB_OK;
  case MB_FIELD_MOMENTUM:
  case MB_FIELD_ANGULAR_MOMENTUM:
    mb_measure(m, s->state, momentum, turning, energy);
    memcpy(out, field == MB_FIELD_MOMENTUM ? momentum : turning, sizeof momentum);
    return VB_OK;
  case MB_FIELD_COUNT:
    break;
  }
  return vb_bad_input(error, "the multibody solver has no field number %zu", field);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  (void)error;
  const mb_run *s = self;
  double momentum[3], turning[3];
  mb_measure(&s->system, s->state, momentum, turning, out);
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  const mb_run *s = self;
  memcpy(out, s->state + s->n_state, s->n_work * sizeof *out);
  return VB_OK;
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const mb_run *s = self;
  memset(force, 0, 3 * s->system.n_drivers * sizeof *force);
  memset(torque, 0, 3 * s->system.n_drivers * sizeof *torque);
  mb_reactions(&s->system, s->state + s->n_state + s->n_work, mb_time(s), s->state, force, torque);
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  *out = ((mb_run *)self)->seconds;
  return VB_OK;
}

const vb_solver multibody_solver = {
    .version = VB_SOLVER_VERSION,
    .scene_version = VB_SCENE_VERSION,
    .describe = describe,
    .create = create,
    .set_option = set_option,
    .get_option = get_option,
    .step = step,
    .sync = sync_steps,
    .state_size = state_size,
    .save = save,
    .restore = restore,
    .count = count,
    .read = read_field,
    .energies = energies,
    .work = work,
    .reactions = reactions,
    .timings = timings,
    .destroy = destroy,
};
