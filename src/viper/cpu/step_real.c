// SPDX-License-Identifier: GPL-3.0-or-later
/// The time step (README.md): predict, solve, take velocities, note the work done.
#include "viper/cpu/contact/contact_real.h"
#include "viper/cpu/core/cpu_real.h"
#include "viper/method/follower_load.h"
#include "viper/method/motion.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <time.h>

/// Nodes from which on threads are worth their waking up (some 10 us): a loop takes some ns, an
/// iteration of a solve some us for each.
#define PARALLEL_LOOP  8192
#define PARALLEL_SOLVE 256

static viper_motion motion_of(const viper_cpu *cpu, const viper_cpu_substep *step) {
  const double *g = vb_scene_world(cpu->model->scene)->gravity;
  return (viper_motion){
      cpu->boundary.node_load, cpu->boundary.frame_load, {g[0], g[1], g[2]}, step->advance};
}

/// Whether threads share the loops over all elements. Where they do not there is no parallel
/// region: one of a single thread would cost as much as a small body's iteration.
static bool share_loops(const viper_cpu *cpu) {
  return cpu->model->n_nodes > PARALLEL_LOOP;
}

/// What segment `j` of an activation of the kind hill rests at in a substep of length `h`.
static viper_contraction hill(const viper_cpu *cpu, const viper_model_activation *a, double e,
                              double h) {
  const viper_model_segment *s = &cpu->model->segment[a->segment];
  const viper_hill law = viper_hill_from(a);
  const viper_segment_rest rest = viper_segment_rest_from(s);
  const viper_node_x from = cpu->node_rate[s->node[0]], to = cpu->node_rate[s->node[1]];
  const viper_hill_motion m = {viper_segment_load(cpu, a->segment), from.c, to.c, from.s, to.s,
                               cpu->frame_rate[a->segment]};
  return viper_hill_next(&law, &rest, (viper_real)s->k_solid[VIPER_TERM_AXIAL], &m, (viper_real)e,
                         (viper_real)h);
}

/// Segments rest at what their activations say of this substep's end, `h` after its beginning.
static void activate(viper_cpu *cpu, double h) {
  if (!cpu->active)
    return;
  memcpy(cpu->active_old, cpu->active, cpu->model->n_segments * sizeof *cpu->active);
  for (size_t k = 0; k < cpu->model->n_activations; k++) {
    const double *now = cpu->boundary.active + 2 * k;
    const viper_model_activation *a = &cpu->model->activation[k];
    cpu->active[a->segment] = a->hill ? hill(cpu, a, now[0], h)
                                      : (viper_contraction){(viper_real)now[0], (viper_real)now[1]};
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
  for (size_t k = 0; k < m->n_follower_loads; k++) {
    const viper_model_follower_load *t = &m->follower_load[k];
    viper_node_x f = viper_node_from(cpu->boundary.follower_load + 4 * k);
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
static void follow(viper_cpu *cpu, const viper_settings *settings, const viper_cpu_substep *step) {
  cpu->arrays.follow = NULL;
  if (!viper_follows(settings) || cpu->model->n_follows == 0)
    return;
  viper_boundary_follow(&cpu->boundary, cpu->model, step->start, step->h);
  cpu->arrays.follow = cpu->boundary.follow;
}

static void predict(viper_cpu *cpu, const viper_settings *settings, const viper_cpu_substep *step) {
  // Of midpoint loads are those of the middle, and what is pinned does not move.
  const double end = viper_advance_is_midpoint(&step->advance) ? 0.5 * step->h : step->h;
  viper_boundary_at(&cpu->boundary, cpu->model, step->start + end);
  activate(cpu, step->h);
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

/// Whether all threads share single body `i`: a large one, or a chain in tiles.
static bool is_shared(const viper_cpu *cpu, int32_t i) {
  return cpu->model->body[cpu->body_groups->single[i]].n_nodes > VIPER_BODY_GROUP_MAX_NODES ||
         (cpu->tiling && cpu->tiling[i].n > 0);
}

/// Moves single body `i`.
static void solve_body(viper_cpu *cpu, const viper_settings *settings, int32_t i, double h,
                       viper_thread_group thread_group) {
  const viper_model_body *body = &cpu->model->body[cpu->body_groups->single[i]];
  if (cpu->tiling && cpu->tiling[i].n > 0)
    cpu->lanes_api->tiles_sweep(cpu->tiles, &cpu->tiling[i], &cpu->arrays, settings, h);
  else if (cpu->lines && !is_shared(cpu, i) &&
           cpu->lines_api->sweep(cpu->lines, i, &cpu->arrays, settings, h))
    return;
  else if (viper_method_has(settings->method, VIPER_FACTORS))
    cpu->lanes_api->direct(&cpu->arrays, body, settings, h, thread_group);
  else
    cpu->lanes_api->sweep(&cpu->arrays, body, settings, h, thread_group);
}

/// Number `k` of the single bodies that are in no gathered batch. Where bodies are gathered, all
/// are single.
static int32_t alone(const viper_cpu *cpu, int32_t k) {
  return cpu->gathered_lanes ? cpu->gathered.single[k] : k;
}

/// Those that lanes gather; then bodies that threads share one after the other; then the others,
/// each by one thread.
static void solve_bodies(viper_cpu *cpu, const viper_settings *settings, double h) {
  const viper_body_groups *groups = cpu->gathered_lanes ? &cpu->gathered : cpu->body_groups;
  int32_t n = (int32_t)groups->n_singles;
  if (cpu->gathered_lanes)
    cpu->gathered_api->direct(cpu->gathered_lanes, &cpu->arrays, settings, h);
  for (int32_t k = 0, i; k < n; k++)
    if (i = alone(cpu, k), is_shared(cpu, i)) {
#pragma omp parallel num_threads(settings->threads)
      solve_body(cpu, settings, i, h,
                 (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
    }
  if (n == 1 || cpu->model->n_nodes <= PARALLEL_SOLVE) {
    for (int32_t k = 0; k < n; k++)
      if (!is_shared(cpu, alone(cpu, k)))
        solve_body(cpu, settings, alone(cpu, k), h, (viper_thread_group){0, 1});
    return;
  }
#pragma omp parallel for num_threads(settings->threads) schedule(dynamic)
  for (int32_t k = 0; k < n; k++)
    if (!is_shared(cpu, alone(cpu, k)))
      solve_body(cpu, settings, alone(cpu, k), h, (viper_thread_group){0, 1});
}

/// Fails only for want of memory.
static vb_status solve(viper_cpu *cpu, const viper_settings *settings, double h, vb_error *error) {
  if (cpu->bundled.row_force)
    return viper_bundle_newton_solve(cpu, settings, h, error);
  if (cpu->bundled.multiplier)
    viper_penalty_solve(cpu, settings, h, solve_bodies);
  else if (cpu->bundled.n > 0)
    viper_bundled_solve(cpu, settings, h, solve_bodies);
  else
    solve_bodies(cpu, settings, h);
  return VB_OK;
}

/// Takes velocities. Returns whether a body is in trouble: see viper_lanes_api.
static bool update_rates(viper_cpu *cpu, const viper_settings *settings,
                         const viper_cpu_substep *step) {
  viper_motion motion = motion_of(cpu, step);
  bool trouble = false;
  if (!share_loops(cpu))
    return cpu->lanes_api->rate(&cpu->arrays, &motion, (viper_thread_group){0, 1});
#pragma omp parallel num_threads(settings->threads) reduction(|| : trouble)
  trouble = cpu->lanes_api->rate(&cpu->arrays, &motion,
                                 (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
  return trouble;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A substep of the bodies that are worked on one by one. Fails only for want of memory.
static vb_status step_single_bodies(viper_cpu *cpu, const viper_settings *settings,
                                    const viper_cpu_substep *step, double *work,
                                    double clock[VIPER_TIMER_COUNT], bool *trouble,
                                    vb_error *error) {
  clock[VIPER_TIMER_PREDICT] = seconds();
  predict(cpu, settings, step);
  clock[VIPER_TIMER_SOLVE] = seconds();
  vb_status status = solve(cpu, settings, step->advance.inertia_h, error);
  clock[VIPER_TIMER_VELOCITY] = seconds();
  *trouble = update_rates(cpu, settings, step);
  clock[VIPER_TIMER_WORK] = seconds();
  viper_cpu_add_work(cpu, step, work);
  return status;
}

/// Moves bundles, or the multipliers of those by a penalty.
static void move_bundles(viper_cpu *cpu, const viper_settings *settings, bool last) {
  if (cpu->bundled.multiplier)
    viper_penalty_move(cpu, settings, last);
  else if (cpu->bundled.n > 0)
    viper_bundled_move(cpu, settings, last);
}

/// Moves bundles and passes over all contacts, contacts last; where these are averaged with an
/// iteration's displacements, bundles are.
static void join_bodies(viper_cpu *cpu, const viper_settings *settings, bool last) {
  if (settings->contact != VIPER_CONTACT_AVERAGED)
    move_bundles(cpu, settings, last);
  viper_contact_pass(cpu, settings);
  if (settings->contact == VIPER_CONTACT_AVERAGED)
    move_bundles(cpu, settings, last);
}

/// One iteration of all bodies, then one pass over all bundles and contacts, and so on.
static void solve_in_contact(viper_cpu *cpu, const viper_settings *settings,
                             const viper_cpu_substep *step, double *timer) {
  viper_settings one = *settings;
  one.iterations = 1;
  one.in_parts = true;
  if (cpu->bundled.multiplier)
    viper_penalty_begin(cpu, settings, step->h);
  else if (cpu->bundled.n > 0)
    viper_bundled_begin(cpu);
  viper_contact_begin(cpu, settings);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    double begin = seconds();
    one.continued = iteration;
    if (cpu->bundled.multiplier)
      viper_penalty_aim(cpu);
    if (cpu->body_groups->n_singles > 0)
      solve_bodies(cpu, &one, step->h);
    if (cpu->lanes)
      cpu->lanes_api->iterate(cpu->lanes, &one, &step->advance);
    double middle = seconds();
    join_bodies(cpu, settings, iteration + 1 == settings->iterations);
    timer[VIPER_TIMER_SOLVE] += middle - begin;
    timer[VIPER_TIMER_CONTACT] += seconds() - middle;
  }
  viper_contact_finish(cpu, settings);
}

/// A substep of a scene where bodies touch.
static vb_status step_in_contact(viper_cpu *cpu, const viper_settings *settings,
                                 const viper_cpu_substep *step, double *work, double *timer,
                                 bool *trouble, vb_error *error) {
  bool single = cpu->body_groups->n_singles > 0;
  double clock[4] = {seconds()};
  if (single)
    predict(cpu, settings, step);
  if (cpu->lanes)
    cpu->lanes_api->begin(cpu->lanes, settings, &step->advance);
  clock[1] = seconds();
  viper_contact_carry(cpu, step);
  vb_status status = viper_contact_detect(cpu, settings, error);
  if (status)
    return status;
  clock[2] = seconds();
  if (settings->contact_solve == VIPER_BY_NEWTON)
    status = viper_contact_solve(cpu, settings, step, error);
  else
    solve_in_contact(cpu, settings, step, timer);
  if (status)
    return status;
  double truncation = seconds();
  if (settings->contact_solve == VIPER_BY_NEWTON)
    timer[VIPER_TIMER_SOLVE] += truncation - clock[2];
  status = viper_contact_truncation(cpu, settings->threads, error);
  if (status)
    return status;
  clock[3] = seconds();
  timer[VIPER_TIMER_CONTACT] += clock[3] - truncation;
  if (single) {
    *trouble = update_rates(cpu, settings, step);
    viper_cpu_add_work(cpu, step, work);
  }
  viper_contact_work(cpu, work);
  if (cpu->lanes)
    *trouble = cpu->lanes_api->end(cpu->lanes, settings, &step->advance) || *trouble;
  viper_contact_still(cpu, settings, step->advance.rate);
  timer[VIPER_TIMER_PREDICT] += clock[1] - clock[0];
  timer[VIPER_TIMER_DETECT] += clock[2] - clock[1];
  timer[VIPER_TIMER_VELOCITY] += seconds() - clock[3];
  return VB_OK;
}

/// A substep of a scene where they do not.
static vb_status step_without_contact(viper_cpu *cpu, const viper_settings *settings,
                                      const viper_cpu_substep *step, double *work, double *timer,
                                      bool *trouble, vb_error *error) {
  double clock[VIPER_TIMER_COUNT + 1];
  vb_status status = VB_OK;
  *trouble = false;
  if (cpu->body_groups->n_singles > 0) {
    status = step_single_bodies(cpu, settings, step, work, clock, trouble, error);
    clock[VIPER_TIMER_WORK + 1] = seconds();
    for (int p = 0; p <= VIPER_TIMER_WORK; p++)
      timer[p] += clock[p + 1] - clock[p];
  }
  if (cpu->lanes) {
    double begin = seconds();
    *trouble = cpu->lanes_api->substep(cpu->lanes, settings, &step->advance) || *trouble;
    timer[VIPER_TIMER_SOLVE] += seconds() - begin;
  }
  return status;
}

vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error) {
  viper_cpu *cpu = self;
  double part = h / settings->substeps, damping = vb_scene_world(cpu->model->scene)->damping;
  vb_status status = VB_OK;
  *trouble = false;
  if (cpu->contacts)
    cpu->contacts->truncated = 0;
  if (cpu->contacts && settings->fresh_contacts)
    viper_contact_forget(cpu->model, cpu->contacts);
  if (cpu->tiles)
    status = cpu->lanes_api->tiles_reserve(cpu->tiles, settings, error);
  for (int k = 0; k < settings->substeps && !*trouble && !status; k++) {
    const viper_cpu_substep step = {time + k * part, part,
                                    viper_advance_of(settings, k, part, damping)};
    if (cpu->contacts)
      status = step_in_contact(cpu, settings, &step, work, timer, trouble, error);
    else
      status = step_without_contact(cpu, settings, &step, work, timer, trouble, error);
  }
  if (cpu->contacts)
    cpu->contacts->truncated_steps += cpu->contacts->truncated > 0;
  return status;
}
