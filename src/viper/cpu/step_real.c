// SPDX-License-Identifier: GPL-3.0-or-later
/// The time step (README.md): predict, solve, take velocities, note the work done.
#include "viper/cpu/contact_real.h"
#include "viper/cpu/cpu_real.h"
#include "viper/energy/activation.h"
#include "viper/method/motion.h"
#include "viper/method/turning.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <time.h>

/// Nodes from which on threads are worth their waking up (some 10 us): a loop takes some ns, an
/// iteration of a solve some us for each.
#define PARALLEL_LOOP  8192
#define PARALLEL_SOLVE 256

/// A substep that is done.
typedef struct substep {
  double start, h; ///< s
  viper_advance advance;
} substep;

static viper_motion motion_of(const viper_cpu *cpu, const substep *step) {
  const double *g = vb_scene_world(cpu->model->scene)->gravity;
  return (viper_motion){
      cpu->boundary.node_load, cpu->boundary.frame_load, {g[0], g[1], g[2]}, step->advance};
}

/// Whether threads share the loops over all elements. Where they do not there is no parallel
/// region: one of a single thread would cost as much as a small body's iteration.
static bool share_loops(const viper_cpu *cpu) {
  return cpu->model->n_nodes > PARALLEL_LOOP;
}

/// Segments rest at what their activations say of this substep's end.
static void activate(viper_cpu *cpu) {
  if (!cpu->active)
    return;
  memcpy(cpu->active_old, cpu->active, cpu->model->n_segments * sizeof *cpu->active);
  for (size_t k = 0; k < cpu->model->n_activations; k++) {
    const double *now = cpu->boundary.active + 2 * k;
    cpu->active[cpu->model->activation[k].segment] =
        (viper_contraction){(viper_real)now[0], (viper_real)now[1]};
  }
}

/// Turns the loads that turn, and notes what they do to nodes and frames: the sums of each, in
/// their order.
static void turn_loads(viper_cpu *cpu, double h) {
  const viper_model *m = cpu->model;
  viper_arrays *a = &cpu->arrays;
  if (!cpu->turned)
    return;
  memset(a->turned_node, 0, (4 * m->n_nodes + 3 * m->n_segments) * sizeof *a->turned_node);
  for (size_t k = 0; k < m->n_turning; k++) {
    const viper_model_turning *t = &m->turning[k];
    viper_node_x f = viper_node_from(cpu->boundary.turning + 4 * k);
    f.c = viper_turned_with(cpu->frame[t->segment], cpu->frame_rate[t->segment], (viper_real)h,
                            viper_quat_from(t->back), f.c);
    cpu->turned[k] = f;
    viper_scalar *out = t->location == VB_AT_NODE ? a->turned_node + 4 * (size_t)t->index
                                                  : a->turned_frame + 3 * (size_t)t->index;
    if (t->location == VB_AT_NODE) {
      viper_node_inertia inertia = viper_node_inertia_load(cpu, t->index);
      f.c = viper_vec3_make(f.c.x / inertia.mass, f.c.y / inertia.mass, f.c.z / inertia.mass);
      out[3] += f.s / inertia.scale;
    }
    out[0] += f.c.x;
    out[1] += f.c.y;
    out[2] += f.c.z;
  }
}

/// Where iterations begin at nodes that follow drivers.
static void follow(viper_cpu *cpu, const viper_settings *settings, const substep *step) {
  cpu->arrays.follow = NULL;
  if (!settings->follow || cpu->model->n_follows == 0)
    return;
  viper_boundary_follow(&cpu->boundary, cpu->model, step->start, step->h);
  cpu->arrays.follow = cpu->boundary.follow;
}

static void predict(viper_cpu *cpu, const viper_settings *settings, const substep *step) {
  viper_boundary_at(&cpu->boundary, cpu->model, step->start + step->h);
  activate(cpu);
  turn_loads(cpu, step->advance.h);
  viper_hold_parts(cpu, &cpu->boundary);
  follow(cpu, settings, step);
  viper_motion motion = motion_of(cpu, step);
  if (share_loops(cpu)) {
#pragma omp parallel num_threads(settings->threads)
    cpu->lanes_api->predict(&cpu->arrays, &motion,
                            (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
  } else {
    cpu->lanes_api->predict(&cpu->arrays, &motion, (viper_thread_group){0, 1});
  }
  for (size_t i = 0; cpu->node_hat0 && i < cpu->model->n_nodes; i++)
    viper_node_to(cpu->node_hat[i], cpu->node_hat0 + 4 * i);
}

/// Moves single body `i`.
static void solve_body(viper_cpu *cpu, const viper_settings *settings, int32_t i, double h,
                       viper_thread_group thread_group) {
  const viper_model_body *body = &cpu->model->body[cpu->body_groups->single[i]];
  if (cpu->tiling && cpu->tiling[i].n > 0)
    cpu->lanes_api->tiles_sweep(cpu->tiles, &cpu->tiling[i], &cpu->arrays, settings, h);
  else if (viper_method_has(settings->method, VIPER_FACTORS))
    cpu->lanes_api->direct(&cpu->arrays, body, settings, h, thread_group);
  else
    cpu->lanes_api->sweep(&cpu->arrays, body, settings, h, thread_group);
}

/// Whether all threads share single body `i`: a large one, or a chain in tiles.
static bool is_shared(const viper_cpu *cpu, int32_t i) {
  return cpu->model->body[cpu->body_groups->single[i]].n_nodes > VIPER_BODY_GROUP_MAX_NODES ||
         (cpu->tiling && cpu->tiling[i].n > 0);
}

/// Bodies that threads share one after the other; then the others, each by one thread.
static void solve_bodies(viper_cpu *cpu, const viper_settings *settings, double h) {
  int32_t n = (int32_t)cpu->body_groups->n_singles;
  for (int32_t i = 0; i < n; i++)
    if (is_shared(cpu, i)) {
#pragma omp parallel num_threads(settings->threads)
      solve_body(cpu, settings, i, h,
                 (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
    }
  if (n == 1 || cpu->model->n_nodes <= PARALLEL_SOLVE) {
    for (int32_t i = 0; i < n; i++)
      if (!is_shared(cpu, i))
        solve_body(cpu, settings, i, h, (viper_thread_group){0, 1});
    return;
  }
#pragma omp parallel for num_threads(settings->threads) schedule(dynamic)
  for (int32_t i = 0; i < n; i++)
    if (!is_shared(cpu, i))
      solve_body(cpu, settings, i, h, (viper_thread_group){0, 1});
}

static void solve(viper_cpu *cpu, const viper_settings *settings, double h) {
  if (cpu->bundled.n > 0)
    viper_bundled_solve(cpu, settings, h, solve_bodies);
  else
    solve_bodies(cpu, settings, h);
}

/// Takes velocities. Returns whether a body is in trouble: see viper_lanes_api.
static bool update_rates(viper_cpu *cpu, const viper_settings *settings, const substep *step) {
  viper_motion motion = motion_of(cpu, step);
  bool trouble = false;
  if (!share_loops(cpu))
    return cpu->lanes_api->rate(&cpu->arrays, &motion, (viper_thread_group){0, 1});
#pragma omp parallel num_threads(settings->threads) reduction(|| : trouble)
  trouble = cpu->lanes_api->rate(&cpu->arrays, &motion,
                                 (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
  return trouble;
}

/// What holds a frame, in world axes, N m.
static void world_torque(viper_quat q, const double body[3], double out[4]) {
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
  out[0] = body[0] * (double)u.x + body[1] * (double)v.x + body[2] * (double)w.x;
  out[1] = body[0] * (double)u.y + body[1] * (double)v.y + body[2] * (double)w.y;
  out[2] = body[0] * (double)u.z + body[1] * (double)v.z + body[2] * (double)w.z;
  out[3] = 0;
}

/// Notes what holds pin `k` now, where bdf2 keeps it; `mean` becomes the mean of this and of what
/// held it before the substep, or this alone after a substep of Euler's.
static void mean_pin_force(viper_cpu *cpu, size_t k, bool second_order, const double now[4],
                           double mean[4]) {
  for (int c = 0; c < 4; c++) {
    double *held = cpu->pin_force ? &cpu->pin_force[4 * k + (size_t)c] : NULL;
    mean[c] = held && second_order ? 0.5 * (*held + now[c]) : now[c];
    if (held)
      *held = now[c];
  }
}

static void add_frame_pin_work(viper_cpu *cpu, size_t k, bool second_order, double *work) {
  const viper_model_pin *pin = &cpu->model->pin[k];
  double g[3], now[4], t[4];
  viper_quat q = cpu->frame[pin->index];
  viper_vec3 turn = viper_turn_since(q, cpu->frame_old[pin->index]);
  memcpy(g, cpu->frame_force + 3 * pin->index, sizeof g);
  if (!(pin->mask & VB_PIN_FRAME))
    viper_held_part(cpu, pin->index, g, g);
  world_torque(q, g, now);
  mean_pin_force(cpu, k, second_order, now, t);
  if (second_order)
    work[pin->driver] += t[0] * (double)turn.x + t[1] * (double)turn.y + t[2] * (double)turn.z;
  else
    work[pin->driver] += g[0] * (double)viper_dot(viper_quat_u(q), turn) +
                         g[1] * (double)viper_dot(viper_quat_v(q), turn) +
                         g[2] * (double)viper_dot(viper_quat_w(q), turn);
}

/// Work of the pins over the substep: the force that holds them, times how far they moved.
static void add_pin_work(viper_cpu *cpu, bool second_order, double *work) {
  for (size_t k = 0; k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    int32_t i = pin->index;
    if (pin->location == VB_AT_SEGMENT) {
      add_frame_pin_work(cpu, k, second_order, work);
      continue;
    }
    double now[4], old[4], force[4];
    viper_node_to(cpu->node[i], now);
    viper_node_to(cpu->node_old[i], old);
    mean_pin_force(cpu, k, second_order, cpu->node_force + 4 * i, force);
    for (int c = 0; c < 4; c++)
      if (pin->mask >> c & 1)
        work[pin->driver] += force[c] * (now[c] - old[c]);
  }
}

/// The factor of a load in the substep's work: see viper_advance_work_from.
static double mean_factor(const viper_cpu *cpu, const vb_load *load, const substep *step) {
  const vb_scene *scene = cpu->model->scene;
  double end = step->start + step->h,
         from = viper_advance_work_from(&step->advance, step->start, step->h);
  double factor = vb_scene_curve(scene, load->amplitude, end, 1);
  return from < end ? 0.5 * (vb_scene_curve(scene, load->amplitude, from, 1) + factor) : factor;
}

static void add_load_work(const viper_cpu *cpu, const substep *step, double *work) {
  const viper_model *m = cpu->model;
  size_t n_loads, turning = 0;
  const vb_load *load = vb_scene_loads(cpu->model->scene, &n_loads);
  for (size_t k = 0; k < n_loads; k++) {
    double factor = mean_factor(cpu, &load[k], step), f[4];
    for (int c = 0; c < 3; c++)
      f[c] = factor * (load[k].location == VB_AT_SEGMENT ? load[k].torque[c] : load[k].force[c]);
    f[3] = factor * load[k].scale_force;
    if (turning < m->n_turning && m->turning[turning].load == (int32_t)k)
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
  }
}

static void add_work(viper_cpu *cpu, const substep *step, double *work) {
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
  add_pin_work(cpu, step->advance.second_order, work);
  work += vb_scene_count(scene, VB_SET_DRIVER);
  add_load_work(cpu, step, work);
  add_activation_work(cpu, work + vb_scene_count(scene, VB_SET_LOAD));
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A substep of the bodies that are worked on one by one.
static bool step_single_bodies(viper_cpu *cpu, const viper_settings *settings, const substep *step,
                               double *work, double clock[VIPER_TIMER_COUNT]) {
  clock[VIPER_TIMER_PREDICT] = seconds();
  predict(cpu, settings, step);
  clock[VIPER_TIMER_SOLVE] = seconds();
  solve(cpu, settings, step->advance.inertia_h);
  clock[VIPER_TIMER_VELOCITY] = seconds();
  bool trouble = update_rates(cpu, settings, step);
  clock[VIPER_TIMER_WORK] = seconds();
  add_work(cpu, step, work);
  return trouble;
}

/// One iteration of all bodies, then one pass over all contacts, and so on.
static void solve_in_contact(viper_cpu *cpu, const viper_settings *settings, const substep *step,
                             double *timer) {
  viper_settings one = *settings;
  one.iterations = 1;
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    double begin = seconds();
    one.continued = iteration > 0;
    if (cpu->body_groups->n_singles > 0)
      solve_bodies(cpu, &one, step->h);
    if (cpu->lanes)
      cpu->lanes_api->iterate(cpu->lanes, &one, &step->advance);
    double middle = seconds();
    viper_contact_pass(cpu, settings);
    timer[VIPER_TIMER_SOLVE] += middle - begin;
    timer[VIPER_TIMER_CONTACT] += seconds() - middle;
  }
  viper_contact_finish(cpu, settings);
}

/// A substep of a scene where bodies touch.
static vb_status step_in_contact(viper_cpu *cpu, const viper_settings *settings,
                                 const substep *step, double *work, double *timer, bool *trouble,
                                 vb_error *error) {
  bool single = cpu->body_groups->n_singles > 0;
  double clock[4] = {seconds()};
  if (single)
    predict(cpu, settings, step);
  if (cpu->lanes)
    cpu->lanes_api->begin(cpu->lanes, settings, &step->advance);
  clock[1] = seconds();
  vb_status status = viper_contact_detect(cpu, settings, error);
  if (status)
    return status;
  clock[2] = seconds();
  solve_in_contact(cpu, settings, step, timer);
  clock[3] = seconds();
  if (single) {
    *trouble = update_rates(cpu, settings, step);
    add_work(cpu, step, work);
  }
  if (cpu->lanes)
    *trouble = cpu->lanes_api->end(cpu->lanes, settings, &step->advance) || *trouble;
  timer[VIPER_TIMER_PREDICT] += clock[1] - clock[0];
  timer[VIPER_TIMER_DETECT] += clock[2] - clock[1];
  timer[VIPER_TIMER_VELOCITY] += seconds() - clock[3];
  return VB_OK;
}

/// A substep of a scene where they do not.
static bool step_without_contact(viper_cpu *cpu, const viper_settings *settings,
                                 const substep *step, double *work, double *timer) {
  double clock[VIPER_TIMER_COUNT + 1];
  bool trouble = false;
  if (cpu->body_groups->n_singles > 0) {
    trouble = step_single_bodies(cpu, settings, step, work, clock);
    clock[VIPER_TIMER_WORK + 1] = seconds();
    for (int p = 0; p <= VIPER_TIMER_WORK; p++)
      timer[p] += clock[p + 1] - clock[p];
  }
  if (cpu->lanes) {
    double begin = seconds();
    trouble = cpu->lanes_api->substep(cpu->lanes, settings, &step->advance) || trouble;
    timer[VIPER_TIMER_SOLVE] += seconds() - begin;
  }
  return trouble;
}

vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error) {
  viper_cpu *cpu = self;
  double part = h / settings->substeps, damping = vb_scene_world(cpu->model->scene)->damping;
  vb_status status = VB_OK;
  *trouble = false;
  if (cpu->tiles)
    status = cpu->lanes_api->tiles_reserve(cpu->tiles, settings, error);
  for (int k = 0; k < settings->substeps && !*trouble && !status; k++) {
    const substep step = {time + k * part, part, viper_advance_of(settings, k, part, damping)};
    if (cpu->contacts)
      status = step_in_contact(cpu, settings, &step, work, timer, trouble, error);
    else
      *trouble = step_without_contact(cpu, settings, &step, work, timer);
  }
  return status;
}
