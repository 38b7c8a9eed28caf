// SPDX-License-Identifier: GPL-3.0-or-later
/// The time step (viper/README.md): predict, solve, take velocities, note the work done.
#include "viper/cpu/contact_real.h"
#include "viper/cpu/cpu_real.h"
#include "viper/method/motion.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <time.h>

/// Elements from which on threads are worth their waking up (some 10 us): a loop does some 10 ns,
/// an iteration of a solve some us for each.
#define PARALLEL_LOOP  8192
#define PARALLEL_SOLVE 256

/// Phase function: the prediction of a node. The solve begins there, but with no scale below its
/// bound.
static void predict_node(viper_cpu *cpu, int32_t i, double h) {
  const viper_model_node *m = &cpu->model->node[i];
  const double *g = vb_scene_world(cpu->model->scene)->gravity;
  const double none[4] = {0}, *f = cpu->boundary.node_load ? cpu->boundary.node_load + 4 * i : none;
  viper_node_x a = {{(viper_real)(g[0] + f[0] / m->mass), (viper_real)(g[1] + f[1] / m->mass),
                     (viper_real)(g[2] + f[2] / m->mass)},
                    (viper_real)(f[3] / m->scale_inertia)};
  cpu->node_old[i] = cpu->node[i];
  cpu->node_hat[i] = viper_node_predict(cpu->node[i], cpu->node_rate[i], a, (viper_real)h);
  cpu->node[i] = cpu->node_hat[i];
  if (cpu->hat_scale)
    cpu->hat_scale[i] = (double)cpu->node_hat[i].s;
  if (cpu->node[i].s < VIPER_R(VIPER_MINIMUM_SCALE))
    cpu->node[i].s = VIPER_R(VIPER_MINIMUM_SCALE);
}

/// Phase function: the prediction of a frame, after its nodes. A torque changes the angular
/// velocity by way of the inertia in body axes.
static void predict_frame(viper_cpu *cpu, int32_t j, double h) {
  viper_quat q = cpu->frame[j];
  viper_vec3 omega = cpu->frame_rate[j];
  const double *torque = cpu->boundary.frame_load ? cpu->boundary.frame_load + 3 * j : NULL;
  cpu->frame_old[j] = q;
  if (torque && (torque[0] != 0 || torque[1] != 0 || torque[2] != 0)) {
    viper_vec3 t =
        viper_vec3_make((viper_real)torque[0], (viper_real)torque[1], (viper_real)torque[2]);
    viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
    viper_real rate = (viper_real)h / viper_frame_inertia_load(cpu, j);
    omega = viper_add(omega, viper_scale(rate * viper_dot(t, u), u));
    omega = viper_add(omega, viper_scale(rate * viper_dot(t, v), v));
    omega = viper_add(omega, viper_scale(VIPER_R(0.5) * rate * viper_dot(t, w), w));
  }
  cpu->frame_hat[j] = cpu->frame[j] = viper_frame_predict(q, omega, (viper_real)h);
  cpu->arrays.inertia[j] = viper_frame_inertia_load(cpu, j);
}

/// Pinned components of the state go to where their driver holds them. The prediction keeps where
/// they would have gone: what holds them back, their inertia included, is the reaction.
static void hold_pins(viper_cpu *cpu) {
  for (size_t k = 0; k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    const double *target = cpu->boundary.target + 4 * k;
    if (pin->location == VB_AT_SEGMENT) {
      cpu->frame[pin->index] = viper_quat_from(target);
      continue;
    }
    viper_node_x *x = &cpu->node[pin->index];
    if (pin->mask & VB_PIN_X)
      x->c.x = (viper_real)target[0];
    if (pin->mask & VB_PIN_Y)
      x->c.y = (viper_real)target[1];
    if (pin->mask & VB_PIN_Z)
      x->c.z = (viper_real)target[2];
    if (pin->mask & VB_PIN_SCALE)
      x->s = (viper_real)target[3];
  }
}

static void predict(viper_cpu *cpu, const viper_settings *settings, double time, double h) {
  int32_t n_nodes = (int32_t)cpu->model->n_nodes, n_segments = (int32_t)cpu->model->n_segments;
  viper_boundary_at(&cpu->boundary, cpu->model, time + h);
#pragma omp parallel for if (n_nodes > PARALLEL_LOOP) num_threads(settings->threads)
  for (int32_t i = 0; i < n_nodes; i++)
    predict_node(cpu, i, h);
#pragma omp parallel for if (n_segments > PARALLEL_LOOP) num_threads(settings->threads)
  for (int32_t j = 0; j < n_segments; j++)
    predict_frame(cpu, j, h);
  hold_pins(cpu);
}

static void solve_body(viper_cpu *cpu, const viper_settings *settings, int32_t k, double h,
                       viper_team team) {
  const viper_model_body *body = &cpu->model->body[k];
  if (settings->method == VIPER_DIRECT)
    cpu->lanes_api->direct(&cpu->arrays, body, settings, h, team);
  else
    cpu->lanes_api->sweep(&cpu->arrays, body, settings, h, team);
}

/// Large bodies one after the other, each by all threads; then the others, each by one.
static void solve_bodies(viper_cpu *cpu, const viper_settings *settings, double h) {
  const int32_t *loose = cpu->kinds->loose;
  int32_t n = (int32_t)cpu->kinds->n_loose;
  bool parallel = n > 1 && cpu->model->n_nodes > PARALLEL_SOLVE;
  for (int32_t i = 0; i < n; i++) {
    if (cpu->model->body[loose[i]].n_nodes <= VIPER_KIND_MOST_NODES)
      continue;
#pragma omp parallel num_threads(settings->threads)
    solve_body(cpu, settings, loose[i], h,
               (viper_team){omp_get_thread_num(), omp_get_num_threads()});
  }
#pragma omp parallel for if (parallel) num_threads(settings->threads) schedule(dynamic)
  for (int32_t i = 0; i < n; i++)
    if (cpu->model->body[loose[i]].n_nodes <= VIPER_KIND_MOST_NODES)
      solve_body(cpu, settings, loose[i], h, (viper_team){0, 1});
}

static void solve(viper_cpu *cpu, const viper_settings *settings, double h) {
  if (cpu->bundled.n > 0)
    viper_bundled_solve(cpu, settings, h, solve_bodies);
  else
    solve_bodies(cpu, settings, h);
}

static void update_rates(viper_cpu *cpu, const viper_settings *settings, double h) {
  double damping = vb_scene_world(cpu->model->scene)->damping;
  viper_real rate = (viper_real)(1 / (h * (1 + damping * h)));
  int32_t n_nodes = (int32_t)cpu->model->n_nodes, n_segments = (int32_t)cpu->model->n_segments;
#pragma omp parallel for if (n_nodes > PARALLEL_LOOP) num_threads(settings->threads)
  for (int32_t i = 0; i < n_nodes; i++) {
    viper_node_x x = cpu->node[i], old = cpu->node_old[i];
    cpu->node_rate[i].c = viper_scale(rate, viper_sub(x.c, old.c));
    cpu->node_rate[i].s = rate * (x.s - old.s);
  }
#pragma omp parallel for if (n_segments > PARALLEL_LOOP) num_threads(settings->threads)
  for (int32_t j = 0; j < n_segments; j++)
    cpu->frame_rate[j] = viper_scale(rate, viper_turn_since(cpu->frame[j], cpu->frame_old[j]));
}

/// Work of the pins over the substep: the force that holds them, times how far they moved.
static void add_pin_work(const viper_cpu *cpu, double *work) {
  for (size_t k = 0; k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    int32_t i = pin->index;
    if (pin->location == VB_AT_SEGMENT) {
      const double *g = cpu->frame_force + 3 * i;
      viper_quat q = cpu->frame[i];
      viper_vec3 turn = viper_turn_since(q, cpu->frame_old[i]);
      work[pin->driver] += g[0] * (double)viper_dot(viper_quat_u(q), turn) +
                           g[1] * (double)viper_dot(viper_quat_v(q), turn) +
                           g[2] * (double)viper_dot(viper_quat_w(q), turn);
      continue;
    }
    double now[4], old[4];
    viper_node_to(cpu->node[i], now);
    viper_node_to(cpu->node_old[i], old);
    for (int c = 0; c < 4; c++)
      if (pin->mask >> c & 1)
        work[pin->driver] += cpu->node_force[4 * i + c] * (now[c] - old[c]);
  }
}

static void add_load_work(const viper_cpu *cpu, double time, double *work) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(cpu->model->scene, &n_loads);
  for (size_t k = 0; k < n_loads; k++) {
    double factor = vb_scene_curve(cpu->model->scene, load[k].amplitude, time, 1);
    if (load[k].location == VB_AT_SEGMENT) {
      int32_t j = cpu->model->segment_at[load[k].index];
      viper_vec3 turn = viper_turn_since(cpu->frame[j], cpu->frame_old[j]);
      const double *t = load[k].torque;
      work[k] += factor * (t[0] * (double)turn.x + t[1] * (double)turn.y + t[2] * (double)turn.z);
      continue;
    }
    int32_t i = cpu->model->node_at[load[k].index];
    double now[4], old[4];
    viper_node_to(cpu->node[i], now);
    viper_node_to(cpu->node_old[i], old);
    for (int c = 0; c < 4; c++)
      work[k] += factor * (c < 3 ? load[k].force[c] : load[k].scale_force) * (now[c] - old[c]);
  }
}

static void add_work(viper_cpu *cpu, double time, double h, double *work) {
  bool driven = false;
  for (size_t k = 0; k < cpu->model->n_bodies; k++)
    if (cpu->model->body[k].driven) {
      const viper_model_body *body = &cpu->model->body[k];
      viper_body_gradient(cpu, body, (viper_real)h, cpu->node_force + 4 * body->first_node,
                          cpu->frame_force + 3 * body->first_segment, NULL);
      driven = true;
    }
  if (!driven)
    return;
  add_pin_work(cpu, work);
  add_load_work(cpu, time + h, work + vb_scene_count(cpu->model->scene, VB_SET_DRIVER));
}

/// Whether a free scale is at its bound or a value is not finite (or a position so large that its
/// square is not).
static bool find_trouble(const viper_cpu *cpu) {
  int64_t n_nodes = (int64_t)cpu->model->n_nodes;
  for (int64_t i = 0; i < n_nodes; i++) {
    viper_node_x x = cpu->node[i];
    if (!isfinite(viper_dot(x.c, x.c) + x.s))
      return true;
    if (x.s <= VIPER_R(VIPER_MINIMUM_SCALE) && !(cpu->model->node[i].pinned & VB_PIN_SCALE))
      return true;
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++)
    if (!isfinite(cpu->frame[j].w + cpu->frame[j].x + cpu->frame[j].y + cpu->frame[j].z))
      return true;
  return false;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A substep of the bodies that are worked on one by one.
static bool step_loose(viper_cpu *cpu, const viper_settings *settings, double start, double h,
                       double *work, double clock[VIPER_TIMER_COUNT]) {
  clock[VIPER_TIMER_PREDICT] = seconds();
  predict(cpu, settings, start, h);
  clock[VIPER_TIMER_SOLVE] = seconds();
  solve(cpu, settings, h);
  clock[VIPER_TIMER_VELOCITY] = seconds();
  update_rates(cpu, settings, h);
  clock[VIPER_TIMER_WORK] = seconds();
  add_work(cpu, start, h, work);
  return find_trouble(cpu);
}

/// One iteration of all bodies, then one pass over all contacts, and so on.
static void solve_in_contact(viper_cpu *cpu, const viper_settings *settings, double h,
                             double *timer) {
  viper_settings one = *settings;
  one.iterations = 1;
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    double begin = seconds();
    one.continued = iteration > 0;
    if (cpu->kinds->n_loose > 0)
      solve_bodies(cpu, &one, h);
    if (cpu->lanes)
      cpu->lanes_api->iterate(cpu->lanes, &one, h);
    double middle = seconds();
    viper_contact_pass(cpu, settings);
    timer[VIPER_TIMER_SOLVE] += middle - begin;
    timer[VIPER_TIMER_CONTACT] += seconds() - middle;
  }
  viper_contact_finish(cpu);
}

/// A substep of a scene where bodies touch.
static vb_status step_in_contact(viper_cpu *cpu, const viper_settings *settings, double start,
                                 double h, double *work, double *timer, bool *trouble,
                                 vb_error *error) {
  bool loose = cpu->kinds->n_loose > 0;
  double clock[4] = {seconds()};
  if (loose)
    predict(cpu, settings, start, h);
  if (cpu->lanes)
    cpu->lanes_api->begin(cpu->lanes, settings, h);
  clock[1] = seconds();
  vb_status status = viper_contact_detect(cpu, settings, error);
  if (status)
    return status;
  clock[2] = seconds();
  solve_in_contact(cpu, settings, h, timer);
  clock[3] = seconds();
  if (loose) {
    update_rates(cpu, settings, h);
    add_work(cpu, start, h, work);
    *trouble = find_trouble(cpu);
  }
  if (cpu->lanes)
    *trouble = cpu->lanes_api->end(cpu->lanes, settings, h) || *trouble;
  timer[VIPER_TIMER_PREDICT] += clock[1] - clock[0];
  timer[VIPER_TIMER_DETECT] += clock[2] - clock[1];
  timer[VIPER_TIMER_VELOCITY] += seconds() - clock[3];
  return VB_OK;
}

/// A substep of a scene where they do not.
static bool step_apart(viper_cpu *cpu, const viper_settings *settings, double start, double h,
                       double *work, double *timer) {
  double clock[VIPER_TIMER_COUNT + 1];
  bool trouble = false;
  if (cpu->kinds->n_loose > 0) {
    trouble = step_loose(cpu, settings, start, h, work, clock);
    clock[VIPER_TIMER_WORK + 1] = seconds();
    for (int p = 0; p <= VIPER_TIMER_WORK; p++)
      timer[p] += clock[p + 1] - clock[p];
  }
  if (cpu->lanes) {
    double begin = seconds();
    trouble = cpu->lanes_api->substep(cpu->lanes, settings, h) || trouble;
    timer[VIPER_TIMER_SOLVE] += seconds() - begin;
  }
  return trouble;
}

vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error) {
  viper_cpu *cpu = self;
  double substep = h / settings->substeps;
  vb_status status = VB_OK;
  *trouble = false;
  for (int k = 0; k < settings->substeps && !*trouble && !status; k++) {
    double start = time + k * substep;
    if (cpu->contacts)
      status = step_in_contact(cpu, settings, start, substep, work, timer, trouble, error);
    else
      *trouble = step_apart(cpu, settings, start, substep, work, timer);
  }
  return status;
}
