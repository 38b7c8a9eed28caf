// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/step.h"

#include "reference/bergou/element.h"
#include "reference/bergou/newton.h"
#include "reference/bergou/residual.h"
#include "scene/rotation.h"

#include <math.h>
#include <string.h>
#include <time.h>

/// Nodes from which on threads are worth their waking up: an iteration does some microseconds for
/// each.
enum { PARALLEL_SOLVE = 256 };

void bergou_start(const bergou_rods *rods, bergou_state *state) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  for (size_t i = 0; i < rods->n_nodes; i++) {
    memcpy(state->position + 3 * i, node[i].position, sizeof node[i].position);
    memcpy(state->velocity + 3 * i, node[i].velocity, sizeof node[i].velocity);
    state->scale[i] = node[i].scale;
  }
  for (size_t j = 0; j < rods->n_segments; j++) {
    memcpy(state->frame + 4 * j, segment[j].frame, sizeof segment[j].frame);
    memcpy(state->angular_velocity + 3 * j, segment[j].angular_velocity,
           sizeof segment[j].angular_velocity);
    state->segment_scale[j] =
        0.5 * (node[segment[j].node[0]].scale + node[segment[j].node[1]].scale);
    state->active[j] = 1;
  }
  const vb_activation *activation = vb_scene_activations(rods->scene, &n);
  for (size_t k = 0; k < n; k++)
    state->active[activation[k].index] = bergou_active_stretch(rods, &activation[k], 0);
}

/// The turn by the rotation vector `v`, in world axes, as a quaternion.
static void turn_by(const double v[3], double out[4]) {
  double angle = sqrt(vb_dot(v, v)), factor = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
  out[0] = cos(0.5 * angle);
  for (int k = 0; k < 3; k++)
    out[1 + k] = factor * v[k];
}

/// Where everything would go by itself, without loads.
static void predict(const bergou_rods *rods, double h, const bergou_state *state,
                    bergou_scratch *scratch) {
  const double *g = vb_scene_world(rods->scene)->gravity;
  memset(scratch->load, 0, rods->n_unknowns * sizeof *scratch->load);
  for (size_t i = 0; i < rods->n_nodes; i++)
    for (size_t k = 0; k < 3; k++) {
      scratch->load[(size_t)rods->node[i].at + k] = rods->node[i].mass * g[k];
      scratch->hat_position[3 * i + k] =
          state->position[3 * i + k] + h * (state->velocity[3 * i + k] + h * g[k]);
    }
}

/// Adds h^2 f / m of the forces, and the angular velocity that the torques give, to the prediction.
/// A torque acts by way of the inertia in body axes; a scale force has nothing to act on.
static void add_loads(const bergou_rods *rods, double time, double h, bergou_state *state,
                      bergou_scratch *scratch) {
  size_t n;
  const vb_load *load = vb_scene_loads(rods->scene, &n);
  for (size_t m = 0; m < n; m++) {
    double factor = vb_scene_curve(rods->scene, load[m].amplitude, time + h, 1);
    int32_t i = load[m].index;
    if (load[m].location == VB_AT_NODE) {
      for (int k = 0; k < 3; k++) {
        scratch->load[rods->node[i].at + k] += factor * load[m].force[k];
        scratch->hat_position[3 * i + k] += h * h * factor * load[m].force[k] / rods->node[i].mass;
      }
      continue;
    }
    for (int k = 0; k < 3; k++)
      scratch->load[rods->segment[i].at + k] += factor * load[m].torque[k];
    for (int axis = 0; axis < 3; axis++) {
      double e[3], inertia = rods->segment[i].inertia * (axis < 2 ? 1 : 2);
      vb_frame_axis(state->frame + 4 * i, axis, e);
      double rate = h * factor * vb_dot(e, load[m].torque) / inertia;
      for (int k = 0; k < 3; k++)
        state->angular_velocity[3 * i + k] += rate * e[k];
    }
  }
}

/// Frames go on at their angular velocity, which holds the torques already.
static void predict_frames(const bergou_rods *rods, double h, const bergou_state *state,
                           bergou_scratch *scratch) {
  for (size_t j = 0; j < rods->n_segments; j++) {
    double v[3], turn[4], *hat = scratch->hat_frame + 4 * j;
    for (size_t k = 0; k < 3; k++)
      v[k] = h * state->angular_velocity[3 * j + k];
    turn_by(v, turn);
    vb_quaternion_multiply(turn, state->frame + 4 * j, hat);
    double norm = vb_quaternion_norm(hat);
    for (int k = 0; k < 4; k++)
      hat[k] /= norm;
  }
}

/// Puts what is pinned where its driver holds it at `time`.
static void place_pinned(const bergou_rods *rods, double time, bergou_state *state) {
  size_t n_pins, n;
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  double q[4] = {1}, b[3] = {0}, target[3];
  int32_t driver = -1; // whose motion q and b are
  for (size_t m = 0; m < n_pins; m++) {
    int32_t i = pin[m].index;
    if (pin[m].driver != driver)
      vb_driver_motion(rods->scene, driver = pin[m].driver, time, q, b);
    if (pin[m].location == VB_AT_SEGMENT) {
      vb_quaternion_multiply(q, segment[i].frame, state->frame + 4 * i);
      continue;
    }
    vb_rigid_move(q, b, node[i].position, target);
    for (int k = 0; k < 3; k++)
      if (pin[m].mask >> k & 1)
        state->position[3 * i + k] = target[k];
  }
}

/// Segments rest at what their activations say of `time`. Work: what the energy of stretch changes
/// as they do, before anything moves.
static void activate(const bergou_rods *rods, double time, bergou_state *state) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(rods->scene, &n);
  double *work = state->work + vb_scene_count(rods->scene, VB_SET_DRIVER) +
                 vb_scene_count(rods->scene, VB_SET_LOAD);
  for (size_t k = 0; k < n; k++) {
    int32_t j = activation[k].index;
    const bergou_segment *s = &rods->segment[j];
    const double *a = state->position + 3 * s->node[0], *b = state->position + 3 * s->node[1];
    bergou_element before, after;
    double now = bergou_active_stretch(rods, &activation[k], time);
    bergou_stretch(s, state->active[j], a, b, state->frame + 4 * j, BERGOU_CONVEX, &before);
    bergou_stretch(s, now, a, b, state->frame + 4 * j, BERGOU_CONVEX, &after);
    state->active[j] = now;
    work[k] += after.energy[0] - before.energy[0];
  }
}

/// Each chain alone, so that threads change nothing; norms are summed in the order of the chains.
/// Whether all of them converged, or all together.
static bool solve(const bergou_rods *rods, const bergou_settings *settings, double h,
                  bergou_state *state, bergou_scratch *scratch) {
  bergou_norms sum = {0};
  int n_chains = (int)rods->n_chains;
  bool converged = true;
#pragma omp parallel for ordered schedule(dynamic)                                                 \
    num_threads(settings->threads) if (n_chains > 1 && rods->n_nodes > PARALLEL_SOLVE)
  for (int c = 0; c < n_chains; c++) {
    bergou_norms norms = bergou_newton(rods, &rods->chain[c], h, settings->iterations,
                                       settings->tolerance, state, scratch);
#pragma omp ordered
    {
      converged = converged && bergou_converged(&norms, settings->tolerance);
      sum.now += norms.now;
      for (int k = 0; k < BERGOU_PARTS; k++)
        sum.part[k] += norms.part[k];
      sum.rounding += norms.rounding;
    }
  }
  *state->residual = bergou_residual(&sum);
  return converged || *state->residual <= settings->tolerance;
}

/// The turn from `old` to `q` as 2 Im(q conj(old)), in world axes.
static void turn_since(const double q[4], const double old[4], double out[3]) {
  double inverse[4] = {old[0], -old[1], -old[2], -old[3]}, d[4];
  vb_quaternion_multiply(q, inverse, d);
  for (int k = 0; k < 3; k++)
    out[k] = (d[0] < 0 ? -2 : 2) * d[1 + k];
}

static void update_rates(const bergou_rods *rods, double h, bergou_state *state,
                         const bergou_scratch *scratch) {
  double rate = 1 / (h * (1 + h * vb_scene_world(rods->scene)->damping));
  for (size_t i = 0; i < 3 * rods->n_nodes; i++)
    state->velocity[i] = rate * (state->position[i] - scratch->old_position[i]);
  for (size_t j = 0; j < rods->n_segments; j++) {
    double *omega = state->angular_velocity + 3 * j;
    turn_since(state->frame + 4 * j, scratch->old_frame + 4 * j, omega);
    for (int k = 0; k < 3; k++)
      omega[k] *= rate;
  }
}

/// Work of the pins: what holds them, Phi's gradient there, times how far they moved.
static void add_pin_work(const bergou_rods *rods, bergou_state *state,
                         const bergou_scratch *scratch) {
  size_t n;
  const vb_pin *pin = vb_scene_pins(rods->scene, &n);
  for (size_t m = 0; m < n; m++) {
    int32_t i = pin[m].index;
    double *work = &state->work[pin[m].driver];
    if (pin[m].location == VB_AT_SEGMENT) {
      double turn[3], torque[3];
      turn_since(state->frame + 4 * i, scratch->old_frame + 4 * i, turn);
      vb_quaternion_rotate(state->frame + 4 * i, state->gradient + rods->segment[i].at, torque);
      *work += vb_dot(torque, turn);
      continue;
    }
    for (int k = 0; k < 3; k++)
      if (pin[m].mask >> k & 1)
        *work += state->gradient[rods->node[i].at + k] *
                 (state->position[3 * i + k] - scratch->old_position[3 * i + k]);
  }
}

static void add_load_work(const bergou_rods *rods, double time, bergou_state *state,
                          const bergou_scratch *scratch) {
  size_t n;
  const vb_load *load = vb_scene_loads(rods->scene, &n);
  double *work = state->work + vb_scene_count(rods->scene, VB_SET_DRIVER);
  for (size_t m = 0; m < n; m++) {
    double factor = vb_scene_curve(rods->scene, load[m].amplitude, time, 1), change[3];
    int32_t i = load[m].index;
    if (load[m].location == VB_AT_SEGMENT)
      turn_since(state->frame + 4 * i, scratch->old_frame + 4 * i, change);
    else
      for (int k = 0; k < 3; k++)
        change[k] = state->position[3 * i + k] - scratch->old_position[3 * i + k];
    work[m] +=
        factor * vb_dot(load[m].location == VB_AT_SEGMENT ? load[m].torque : load[m].force, change);
  }
}

/// The radius update: a segment keeps its volume, scale^2 length = rest length. A node's scale is
/// the mean of its segments', by rest length.
static void update_scales(const bergou_rods *rods, bergou_state *state, double *weight) {
  memset(state->scale, 0, rods->n_nodes * sizeof *state->scale);
  memset(weight, 0, rods->n_nodes * sizeof *weight);
  for (size_t j = 0; j < rods->n_segments; j++) {
    const bergou_segment *s = &rods->segment[j];
    double length = vb_distance(state->position + 3 * s->node[0], state->position + 3 * s->node[1]);
    state->segment_scale[j] = sqrt(s->length / length);
    for (int side = 0; side < 2; side++) {
      state->scale[s->node[side]] += s->length * state->segment_scale[j];
      weight[s->node[side]] += s->length;
    }
  }
  for (size_t i = 0; i < rods->n_nodes; i++)
    state->scale[i] /= weight[i];
}

int64_t bergou_check_state(const bergou_rods *rods, const bergou_state *state) {
  for (size_t j = 0; j < rods->n_segments; j++) {
    const double *q = state->frame + 4 * j;
    if (!isfinite(state->segment_scale[j]) || !isfinite(q[0] + q[1] + q[2] + q[3]) ||
        state->segment_scale[j] == 0)
      return (int64_t)j;
  }
  return -1;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Whether it converged.
static bool substep(const bergou_rods *rods, const bergou_settings *settings, double time, double h,
                    bergou_state *state, bergou_scratch *scratch, double *timer) {
  double clock[BERGOU_PHASE_COUNT + 1];
  clock[BERGOU_PHASE_PREDICT] = seconds();
  memcpy(scratch->old_position, state->position, 3 * rods->n_nodes * sizeof(double));
  memcpy(scratch->old_frame, state->frame, 4 * rods->n_segments * sizeof(double));
  activate(rods, time + h, state);
  predict(rods, h, state, scratch);
  add_loads(rods, time, h, state, scratch);
  predict_frames(rods, h, state, scratch);
  memcpy(state->position, scratch->hat_position, 3 * rods->n_nodes * sizeof(double));
  memcpy(state->frame, scratch->hat_frame, 4 * rods->n_segments * sizeof(double));
  place_pinned(rods, time + h, state);
  clock[BERGOU_PHASE_SOLVE] = seconds();
  bool converged = solve(rods, settings, h, state, scratch);
  clock[BERGOU_PHASE_UPDATE] = seconds();
  update_rates(rods, h, state, scratch);
  add_pin_work(rods, state, scratch);
  add_load_work(rods, time + h, state, scratch);
  clock[BERGOU_PHASE_COUNT] = seconds();
  for (int p = 0; p < BERGOU_PHASE_COUNT; p++)
    timer[p] += clock[p + 1] - clock[p];
  return converged;
}

bergou_outcome bergou_step(const bergou_rods *rods, const bergou_settings *settings, double time,
                           double h, bergou_state *state, bergou_scratch *scratch, double *timer) {
  double length = h / settings->substeps;
  bergou_outcome out = {.converged = true};
  for (int k = 0; k < settings->substeps; k++) {
    out.converged &= substep(rods, settings, time + k * length, length, state, scratch, timer);
    out.residual = fmax(out.residual, *state->residual);
  }
  update_scales(rods, state, scratch->direction);
  return out;
}
