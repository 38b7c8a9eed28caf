// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/viper.h"

#include "scene/rotation.h"
#include "solver/state.h"
#include "viper/backend/no_device.h"
#include "viper/contact/warm_start_size.h"
#include "viper/description.h"
#include "viper/distance.h"
#include "viper/method/advance.h"
#include "viper/model/boundary.h"
#include "viper/statics.h"
#include "viper/viper_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy(void *self) {
  viper *v = self;
  if (!v)
    return;
  viper_evaluation_destroy(v->evaluation);
  viper_overlap_destroy(v->overlap);
  if (v->instance)
    v->backend->destroy(v->instance);
  viper_skin_destroy(&v->skin);
  viper_model_destroy(v->model);
  free(v->state.node);
  free(v->pin_at);
  free(v->contact);
  free(v->kept);
  free(v);
}

static vb_status allocate_state(viper *v, vb_error *error) {
  viper_state *s = &v->state;
  size_t n = v->model->n_nodes, m = v->model->n_segments;
  const bool history = viper_has_history(&v->settings);
  const bool penalty = viper_has_penalty(&v->settings) && viper_has_bundles(v->model);
  const bool rows = viper_has_bundle_rows(&v->settings) && viper_has_bundles(v->model);
  const vb_state_array arrays[] = {
      {&s->node, 4 * n},
      {&s->node_rate, 4 * n},
      {&s->node_hat, 4 * n},
      {&s->frame, 4 * m},
      {&s->frame_hat, 4 * m},
      {&s->frame_rate, 3 * m},
      {&s->node_hat0, viper_has_contact(v->model) || penalty || rows ? 4 * n : VB_NO_ARRAY},
      {&s->multiplier, penalty ? 4 * n + 3 * m : VB_NO_ARRAY},
      {&s->bundle_force, rows ? VIPER_BUNDLE_ROWS * m : VB_NO_ARRAY},
      {&s->bundle_torque, rows ? 3 * m : VB_NO_ARRAY},
      {&s->frame_push, viper_has_contact(v->model) && v->settings.contact_solve == VIPER_BY_NEWTON
                           ? m
                           : VB_NO_ARRAY},
      {&s->active, v->model->n_activations > 0 ? 2 * m : VB_NO_ARRAY},
      {&s->node_before, history ? 4 * n : VB_NO_ARRAY},
      {&s->node_rate_before, history ? 4 * n : VB_NO_ARRAY},
      {&s->frame_before, history ? 4 * m : VB_NO_ARRAY},
      {&s->frame_rate_before, history ? 3 * m : VB_NO_ARRAY},
      // These two come last: carry() hands over all that is before them at once.
      {&s->pin_force, viper_has_pin_force(&v->settings) ? 4 * v->model->n_pins : VB_NO_ARRAY},
      {&s->work, viper_count_work(v->model)},
  };
  return vb_state_create(arrays, sizeof arrays / sizeof *arrays, &v->n_state, error);
}

/// Of each place (nodes, then segments) its pin or -1, where a state has what holds the pins.
static vb_status list_places(viper *v, vb_error *error) {
  const viper_model *m = v->model;
  const size_t n = m->n_nodes + m->n_segments;
  if (!v->state.pin_force)
    return VB_OK;
  v->pin_at = reallocarray(NULL, n + 1, sizeof *v->pin_at);
  if (!v->pin_at)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    v->pin_at[i] = -1;
  for (size_t k = 0; k < m->n_pins; k++)
    v->pin_at[(size_t)m->pin[k].index + (m->pin[k].location == VB_AT_NODE ? 0 : m->n_nodes)] =
        (int32_t)k;
  return VB_OK;
}

/// Room for what is reported of contacts: none, at first.
static vb_status allocate_contact(viper *v, vb_error *error) {
  if (!viper_has_contact(v->model))
    return VB_OK;
  v->n_contact = VIPER_N_CONTACT + 3 * vb_scene_count(v->scene, VB_SET_BODY) +
                 6 * vb_scene_count(v->scene, VB_SET_HALF_PLANE) + 2;
  v->contact = calloc(v->n_contact, sizeof *v->contact);
  v->contact_known = true;
  v->n_kept = viper_count_kept(v->model, &v->settings);
  v->kept = v->n_kept > 0 ? calloc(v->n_kept, sizeof *v->kept) : NULL;
  return v->contact && (v->kept || v->n_kept == 0) ? VB_OK : vb_error_memory(error);
}

/// The scene's initial velocities; the prediction is the state itself.
static void initial_rates(viper *v) {
  const viper_model *m = v->model;
  size_t n;
  const vb_node *node = vb_scene_nodes(v->scene, &n);
  const vb_segment *segment = vb_scene_segments(v->scene, &n);
  for (size_t i = 0; i < m->n_nodes; i++) {
    memcpy(v->state.node_rate + 4 * i, node[m->node[i].scene_index].velocity, 3 * sizeof(double));
    v->state.node_rate[4 * i + 3] = node[m->node[i].scene_index].scale_rate;
  }
  for (size_t j = 0; j < m->n_segments; j++)
    memcpy(v->state.frame_rate + 3 * j, segment[m->segment[j].scene_index].angular_velocity,
           3 * sizeof(double));
  memcpy(v->state.node_hat, v->state.node, 4 * m->n_nodes * sizeof(double));
  memcpy(v->state.frame_hat, v->state.frame, 4 * m->n_segments * sizeof(double));
  if (v->state.node_hat0)
    memcpy(v->state.node_hat0, v->state.node, 4 * m->n_nodes * sizeof(double));
}

/// The scene's initial state.
static void initial_state(viper *v) {
  const viper_model *m = v->model;
  size_t n;
  const vb_node *node = vb_scene_nodes(v->scene, &n);
  const vb_segment *segment = vb_scene_segments(v->scene, &n);
  for (size_t i = 0; i < m->n_nodes; i++) {
    memcpy(v->state.node + 4 * i, node[m->node[i].scene_index].position, 3 * sizeof(double));
    v->state.node[4 * i + 3] = node[m->node[i].scene_index].scale;
  }
  for (size_t j = 0; j < m->n_segments; j++)
    memcpy(v->state.frame + 4 * j, segment[m->segment[j].scene_index].frame, 4 * sizeof(double));
  initial_rates(v);
}

static bool is_static(const viper *v) {
  return v->settings.dynamics == VIPER_STATIC;
}

/// Part of the least radius that pills may overlap by at time 0: scenes are put together with
/// rounded numbers, and touch.
#define START_OVERLAP 0.1

static double least_radius(const viper *v) {
  double least = INFINITY;
  for (size_t i = 0; i < v->model->n_nodes; i++)
    least = fmin(least, v->model->node[i].radius);
  return least;
}

/// Notes how deep pills are in each other at time 0, where that is no touch. What is so deep is
/// pushed apart in the first steps, which may do what no scene is meant to do.
static vb_status note_start_depth(viper *v, vb_error *error) {
  double depth = 0;
  if (!v->overlap)
    return VB_OK;
  vb_status status =
      viper_overlap_depth(v->overlap, v->state.node, 0, v->settings.threads, &depth, error);
  v->start_depth = depth > START_OVERLAP * least_radius(v) ? depth : 0;
  return status;
}

/// What segments rest at at time 0.
static void initial_activations(viper *v) {
  const viper_model *m = v->model;
  for (size_t j = 0; v->state.active && j < m->n_segments; j++)
    v->state.active[2 * j] = v->state.active[2 * j + 1] = 1;
  for (size_t k = 0; k < m->n_activations; k++) {
    double *to = v->state.active + 2 * m->activation[k].segment;
    if (m->activation[k].hill)
      viper_hill_start(m, &m->activation[k], to);
    else
      viper_activation_at(m, &m->activation[k], 0, to);
  }
}

/// Depth at which pills count as apart, in the least radius; and the most steps to there.
#define APART         0.01
#define STEPS_TO_PART 500
/// Their length, in a step of the scene: over such a time elastic forces and contact alone count.
#define STEP_TO_PART 0.1

/// The greatest distance of a node from where the scene has it, m.
static double find_moved(const viper *v) {
  size_t n;
  const vb_node *node = vb_scene_nodes(v->scene, &n);
  double most = 0;
  for (size_t i = 0; i < v->model->n_nodes; i++)
    most = fmax(most,
                vb_distance(v->state.node + 4 * i, node[v->model->node[i].scene_index].position));
  return most;
}

/// Takes the velocities from the state, but for what gravity adds in the next step.
static void stop(viper *v, double h) {
  const double *gravity = vb_scene_world(v->scene)->gravity;
  memset(v->state.node_rate, 0, 4 * v->model->n_nodes * sizeof(double));
  memset(v->state.frame_rate, 0, 3 * v->model->n_segments * sizeof(double));
  for (size_t i = 0; i < v->model->n_nodes; i++)
    for (int k = 0; k < 3; k++)
      v->state.node_rate[4 * i + k] = -h * gravity[k];
}

static vb_status part_step(viper *v, double h, vb_error *error) {
  viper_settings one = v->settings;
  double timer[VIPER_TIMER_COUNT] = {0};
  viper_progress progress;
  one.substeps = 1;
  one.fresh_contacts = one.restarts = true;
  stop(v, h);
  vb_status status = v->backend->put(v->instance, &v->state, error);
  if (!status)
    status = v->backend->step(v->instance, &one, -h, h, error);
  if (!status)
    status = v->backend->sync(v->instance, timer, &progress, error);
  return status ? status : v->backend->get(v->instance, &v->state, error);
}

/// Moves bodies that overlap apart before the first step, and notes how far. Then they have the
/// velocities of the scene.
static vb_status move_apart(viper *v, vb_error *error) {
  const double h = STEP_TO_PART * vb_scene_world(v->scene)->step;
  const double apart = APART * least_radius(v);
  double depth = INFINITY;
  vb_status status = VB_OK;
  if (v->settings.begin != VIPER_BEGIN_APART || v->start_depth == 0)
    return VB_OK;
  for (int k = 0; k < STEPS_TO_PART && !status && depth > apart; k++) {
    status = part_step(v, h, error);
    if (!status)
      status =
          viper_overlap_depth(v->overlap, v->state.node, 0, v->settings.threads, &depth, error);
  }
  if (status)
    return status;
  if (!(depth <= apart))
    return vb_error_set(error, VB_FAILED,
                        "option begin=apart: pills still overlap by %.2g m after %d steps; place "
                        "bodies farther apart",
                        depth, STEPS_TO_PART);
  v->start_moved = find_moved(v);
  initial_rates(v);
  initial_activations(v);
  memset(v->state.work, 0, viper_count_work(v->model) * sizeof *v->state.work);
  return VB_OK;
}

/// Notes why "auto" passes over a backend, without the advice to take another; unless it has no
/// device.
static void note_passed_over(viper *v, const char *name, const char *why) {
  if (strncmp(why, VIPER_NO_DEVICE, strlen(VIPER_NO_DEVICE)) == 0)
    return;
  const char *advice = strstr(why, "; take backend");
  int length = advice ? (int)(advice - why) : (int)strlen(why);
  snprintf(v->passed_over, sizeof v->passed_over, "backend auto did not take %s: %.*s", name,
           length < 300 ? length : 300, why);
}

/// Makes the instance of the backend that was asked for; of "auto" the first that can be had.
static vb_status choose_backend(viper *v, const char *name, vb_error *error) {
  const viper_backend_setup setup = {v->model, &v->settings, &v->variant, &v->skin};
  // The failure of one may be followed by the success of another.
  vb_error failure;
  vb_status status =
      vb_error_set(&failure, VB_UNAVAILABLE, "this build has no %s backend; use auto or cpu", name);
  for (const viper_backend *const *b = viper_backends(); *b && status == VB_UNAVAILABLE; b++) {
    if (strcmp(name, "auto") != 0 && strcmp(name, (*b)->name) != 0)
      continue;
    v->backend = *b;
    status = (*b)->create(&setup, &v->instance, &failure);
    if (status == VB_UNAVAILABLE && b[1])
      note_passed_over(v, (*b)->name, failure.message);
  }
  if (status && error)
    *error = failure;
  if (!status)
    viper_option_apply("backend", v->backend->name, &v->settings, &v->variant);
  return status;
}

static vb_status build(viper *v, const char *backend, vb_error *error) {
  bool colored = !viper_method_has(v->settings.method, VIPER_OWN_PHASES);
  vb_status status = viper_model_create(v->scene, colored, &v->model, error);
  if (!status)
    status = viper_check_options(&v->settings, &v->variant, v->model, error);
  if (!status && viper_has_bundles(v->model) && viper_has_held(v->model))
    status = vb_error_set(
        error, VB_UNAVAILABLE,
        "the viper solver supports either bundles or partial frame pins in a scene, not both");
  if (!status)
    status = allocate_state(v, error);
  if (!status)
    status = list_places(v, error);
  if (!status)
    status = allocate_contact(v, error);
  if (!status)
    status = viper_skin_create(v->model, &v->settings, &v->skin, error);
  if (!status)
    status = choose_backend(v, backend, error);
  if (!status)
    status = viper_evaluation_create(v->model, &v->state, &v->settings, &v->evaluation, error);
  if (!status)
    status = viper_overlap_create(v->model, &v->overlap, error);
  return status;
}

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return viper_describe();
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = viper_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = viper_check_device(options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (status)
    return status;
  viper *v = calloc(1, sizeof *v);
  if (!v)
    return vb_error_memory(error);
  v->scene = scene;
  viper_options_read(options, n_options, &v->settings, &v->variant);
  status = viper_settle_options(&v->settings, &v->variant, error);
  if (!status)
    status = build(v, vb_solver_option(d, options, n_options, "backend"), error);
  if (!status) {
    initial_state(v);
    initial_activations(v);
    if (is_static(v))
      status = viper_check_static(v, error);
    if (!status && is_static(v))
      status = viper_start_static(v, error);
  }
  if (!status)
    status = note_start_depth(v, error);
  if (!status) {
    status = move_apart(v, error);
  }
  if (!status) {
    status = v->backend->put(v->instance, &v->state, error);
  }
  if (status) {
    destroy(v);
    return status;
  }
  *out = v;
  return VB_OK;
}

/// The first node whose free scale is at its bound (or a rounding error of float from it), or
/// n_nodes.
static size_t find_bounded(const viper *v) {
  size_t i = 0;
  while (i < v->model->n_nodes && (v->model->node[i].pinned & VB_PIN_SCALE ||
                                   !(v->state.node[4 * i + 3] <= VIPER_MINIMUM_SCALE * (1 + 1e-7))))
    i++;
  return i;
}

/// Notes that the step that ended last blew up.
static void note_divergence(viper *v) {
  size_t i = find_bounded(v), size = sizeof v->divergence.what, n = 0;
  char *what = v->divergence.what;
  v->divergence.diverged = true;
  v->divergence.step = v->n_steps;
  if (v->start_depth > 0)
    n = (size_t)snprintf(what, size,
                         "pills overlapped each other or a half-plane by %.2g m at the start; ",
                         v->start_depth);
  if (i == v->model->n_nodes)
    snprintf(what + n, size - n, "a position, scale or frame is not finite");
  else
    snprintf(what + n, size - n, "scale of node %d reached its lower bound %g",
             v->model->node[i].scene_index, VIPER_MINIMUM_SCALE);
}

static vb_status fetch_state(viper *v, vb_error *error) {
  vb_status status = v->fetched ? VB_OK : v->backend->get(v->instance, &v->state, error);
  v->fetched = !status;
  return status;
}

vb_status viper_settle(viper *v, vb_error *error) {
  viper_progress progress;
  if (v->n_settled == v->n_steps)
    return VB_OK;
  vb_status status = v->backend->sync(v->instance, v->timer, &progress, error);
  if (status)
    return status;
  v->n_steps = v->n_settled += progress.n_steps;
  if (!progress.trouble)
    return VB_OK;
  status = fetch_state(v, error);
  if (!status)
    note_divergence(v);
  return status;
}

vb_status viper_fetch(viper *v, vb_error *error) {
  vb_status status = viper_settle(v, error);
  return status ? status : fetch_state(v, error);
}

vb_status viper_fetch_contact(viper *v, vb_error *error) {
  vb_status status = viper_settle(v, error);
  if (status || v->contact_known || v->n_contact == 0)
    return status;
  status = fetch_state(v, error); // forces act where nodes are
  if (status)
    return status;
  double *on_body = v->contact + VIPER_N_CONTACT;
  v->backend->contact(v->instance, v->contact);
  v->contact[5] += v->truncated_before;
  status = v->backend->contact_forces(v->instance, v->state.node, on_body,
                                      on_body + 3 * vb_scene_count(v->scene, VB_SET_BODY),
                                      v->contact + v->n_contact - 2, error);
  v->contact_known = !status;
  return status;
}

/// Whether bdf2 can build on the latest step, and contacts can begin with what was kept of it; and
/// what a step like it leaves behind.
static void set_pace(viper *v, double h) {
  viper_settings *s = &v->settings;
  s->fresh_contacts = v->pace.substeps != s->substeps;
  s->restarts = v->pace.substeps != s->substeps || v->pace.iterations != s->iterations;
  v->pace = (viper_pace){s->substeps, s->iterations};
  v->substep =
      viper_advance_of(s, s->substeps - 1, h / s->substeps, vb_scene_world(v->scene)->damping)
          .inertia_h;
}

/// Steps that an asynchronous backend is given before it is asked whether they diverged.
#define STEPS_AHEAD 1024

static vb_status step(void *self, int64_t n, vb_error *error) {
  viper *v = self;
  double h = vb_scene_world(v->scene)->step;
  vb_status status = VB_OK;
  for (int64_t k = 0; k < n && !v->divergence.diverged && !status; k++) {
    double time = (double)v->n_steps * h;
    set_pace(v, h);
    if (viper_has_evaluated_steps(v)) {
      status = viper_load_step(v, time, h, error);
      continue;
    }
    status = v->backend->step(v->instance, &v->settings, time, h, error);
    v->n_steps++;
    v->fetched = v->contact_known = false;
    if (!status && v->n_steps - v->n_settled >= STEPS_AHEAD)
      status = viper_settle(v, error);
  }
  return status;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  viper *v = self;
  vb_status status = viper_settle(v, error);
  if (!status)
    *divergence = v->divergence;
  return status;
}

/// What holds the pins, by place: a state does not depend on which pins there are, so that it
/// lasts when pins end.
static void carry_pin_force(viper *v, vb_state_copy *copy) {
  for (size_t i = 0; i < v->model->n_nodes + v->model->n_segments; i++) {
    double none[4] = {0};
    vb_carry(copy, v->pin_at[i] < 0 ? none : v->state.pin_force + 4 * v->pin_at[i], 4,
             sizeof *none);
  }
}

static void carry(void *self, vb_state_copy *copy) {
  viper *v = self;
  const double *held = v->state.pin_force;
  const size_t n = held ? (size_t)(held - v->state.node) : v->n_state;
  VB_CARRY_ONE(copy, v->n_steps);
  VB_CARRY_ONE(copy, v->substep);
  VB_CARRY_ONE(copy, v->pace);
  VB_CARRY_ONE(copy, v->divergence);
  VB_CARRY_ONE(copy, v->steps);
  VB_CARRY_ONE(copy, v->n_increments);
  VB_CARRY(copy, v->contact, v->n_contact);
  VB_CARRY(copy, v->kept, v->n_kept);
  VB_CARRY(copy, v->state.node, n);
  if (held) {
    carry_pin_force(v, copy);
    VB_CARRY(copy, v->state.work, viper_count_work(v->model));
  }
}

static size_t state_size(const void *self) {
  return vb_state_size(carry, self);
}

static vb_status save(void *self, void *state, vb_error *error) {
  viper *v = self;
  vb_status status = viper_fetch(v, error);
  if (!status)
    status = viper_fetch_contact(v, error);
  if (!status && v->kept)
    status = v->backend->keep(v->instance, v->kept, error);
  if (!status)
    vb_state_save(carry, self, state);
  return status;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  viper *v = self;
  vb_status status = viper_settle(v, error);
  if (status)
    return status;
  vb_state_restore(carry, self, state);
  v->n_settled = v->n_steps;
  v->contact_known = true;
  v->fetched = false;
  v->truncated_before = v->n_contact > 0 ? v->contact[5] : 0;
  v->state.kept = v->kept;
  status = v->backend->put(v->instance, &v->state, error);
  v->state.kept = NULL;
  return status;
}

/// Steps whose motion was truncated are no minimizers, whatever the method: `out` has these, all
/// missed, or no step. Fails only as the backend does.
static vb_status look_at_truncation(viper *v, vb_convergence *out, vb_error *error) {
  *out = (vb_convergence){0};
  vb_status status = viper_fetch_contact(v, error);
  const int64_t n = status || v->n_contact == 0 ? 0 : (int64_t)v->contact[5];
  if (n == 0)
    return status;
  out->evaluated = out->missed = n;
  snprintf(out->what, sizeof out->what,
           "motion was truncated in %lld steps: pills would have passed through each other",
           (long long)n);
  return viper_residual(v, &out->worst, error);
}

/// The ends of load steps are looked at (statics.h), and that of the latest other step of `direct`;
/// steps with truncated motion are counted. The residual tells of the others.
static vb_status convergence(void *self, vb_convergence *out, vb_error *error) {
  viper *v = self;
  bool iterates = is_static(v) || viper_method_has(v->settings.method, VIPER_FACTORS);
  vb_convergence found = {0};
  vb_status status = viper_fetch(v, error);
  if (!status && !is_static(v))
    status = viper_has_contact(v->model) ? look_at_truncation(v, &found, error)
                                         : viper_look_at_distance(v, &found, error);
  if (status)
    return status;
  *out = is_static(v) ? v->steps : found;
  out->tolerance = iterates ? v->settings.tolerance : 0;
  return VB_OK;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  viper *v = self;
  return viper_option_set(name, value, &v->settings, &v->variant, error);
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const viper *v = self;
  return viper_option_get(&v->settings, &v->variant, name, out, size, error);
}

static vb_status timings(void *self, double *out, vb_error *error) {
  viper *v = self;
  vb_status status = viper_settle(v, error);
  if (!status)
    memcpy(out, v->timer, sizeof v->timer);
  return status;
}

static void cost(const void *self, double *bytes, double *operations) {
  const viper *v = self;
  v->backend->cost(v->instance, &v->settings, bytes, operations);
  if (is_static(v)) // not counted
    *bytes = *operations = NAN;
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  viper *v = self;
  *out = (vb_device){.seconds = NAN};
  return v->backend->device ? v->backend->device(v->instance, out, error) : VB_OK;
}

const vb_solver viper_solver = {
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
    .count = viper_count,
    .read = viper_read,
    .energies = viper_energies,
    .work = viper_read_work,
    .residual = viper_residual,
    .reactions = viper_reactions,
    .timings = timings,
    .destroy = destroy,
    .cost = cost,
    .device = device,
    .warning = viper_warning,
    .convergence = convergence,
};
