// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles in the time step (README.md, Bundles): after each iteration of all bodies every
/// cross-section is moved to its best similarity transform. What the bundles move is noted in a
/// second prediction, as if an external impulse had done it: with it, the state that is reached
/// minimizes Phi among those that the bundles allow, and pins feel what the bundles press on them.
#include "viper/cpu/cpu_real.h"

#include <stdlib.h>
#include <string.h>

static bool allocate_state(viper_bundle_state *s, size_t n_nodes, size_t n_segments) {
  s->node = calloc(n_nodes + 1, sizeof *s->node);
  s->frame = calloc(n_segments + 1, sizeof *s->frame);
  return s->node && s->frame;
}

static void copy_state(const viper_cpu *cpu, viper_bundle_state *to, const viper_node_x *node,
                       const viper_quat *frame) {
  memcpy(to->node, node, cpu->model->n_nodes * sizeof *node);
  memcpy(to->frame, frame, cpu->model->n_segments * sizeof *frame);
}

vb_status viper_bundled_create(const viper_model *model, viper_bundled *out, vb_error *error) {
  size_t n = model->n_nodes, s = model->n_segments;
  *out = (viper_bundled){.n = 0};
  if (vb_scene_count(model->scene, VB_SET_BUNDLE) == 0)
    return VB_OK;
  vb_status status = viper_bundles_create(model, &out->rest, error);
  if (status)
    return status;
  out->n = out->rest.n;
  out->now = calloc(out->rest.n_members + 1, sizeof *out->now);
  out->goal = calloc(out->rest.n_members + 1, sizeof *out->goal);
  if (!out->now || !out->goal || !allocate_state(&out->predicted, n, s) ||
      !allocate_state(&out->pushed, n, s) || !allocate_state(&out->before, n, s) ||
      !allocate_state(&out->before_hat, n, s))
    return vb_error_memory(error);
  return VB_OK;
}

void viper_bundled_destroy(viper_bundled *b) {
  viper_bundle_state *states[] = {&b->predicted, &b->pushed, &b->before, &b->before_hat};
  for (int i = 0; i < 4; i++) {
    free(states[i]->node);
    free(states[i]->frame);
  }
  free(b->now);
  free(b->goal);
  viper_bundles_destroy(&b->rest);
}

/// Where member `m` is.
static viper_bundle_place place_of(const viper_cpu *cpu, const viper_bundle_member *m) {
  viper_bundle_place place;
  double a[4], b[4];
  viper_node_to(cpu->node[cpu->model->segment[m->segment].node[0]], a);
  viper_node_to(cpu->node[cpu->model->segment[m->segment].node[1]], b);
  for (int k = 0; k < 3; k++)
    place.middle[k] = 0.5 * (a[k] + b[k]);
  place.scale = 0.5 * (a[3] + b[3]);
  viper_quat_to(cpu->frame[m->segment], place.frame);
  return place;
}

/// Phase function: where bundle `k` wants its members.
static void fit(viper_cpu *cpu, size_t k) {
  viper_bundled *b = &cpu->bundled;
  const viper_bundle *bundle = &b->rest.bundle[k];
  for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++)
    b->now[i] = place_of(cpu, &b->rest.member[i]);
  viper_bundle_transform t = viper_bundle_fit(&b->rest, k, b->now + bundle->first);
  for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++)
    b->goal[i] = viper_bundle_goal(&b->rest.member[i], &t);
}

static viper_real moved(viper_real x, double d) {
  return (viper_real)((double)x + d);
}

/// Phase function: moves a node by the mean over its segments, weighted by their inertia: as much
/// to one side as to the other, so that momentum is kept. A segment outside of bundles wants to
/// stay.
static void move_node(viper_cpu *cpu, size_t k) {
  viper_bundled *b = &cpu->bundled;
  int32_t i = b->rest.node[k];
  double d[4] = {0};
  for (int32_t e = b->rest.first_share[k]; e < b->rest.first_share[k + 1]; e++) {
    const viper_bundle_share *share = &b->rest.share[e];
    const viper_bundle_place *goal = &b->goal[share->member], *now = &b->now[share->member];
    for (int c = 0; c < 3; c++)
      d[c] += share->center * (goal->middle[c] - now->middle[c]);
    d[3] += share->scale * (goal->scale - now->scale);
  }
  uint32_t pinned = cpu->model->node[i].pinned;
  viper_node_x *x = &cpu->node[i], *hat = &b->pushed.node[i];
  *hat = (viper_node_x){{moved(hat->c.x, d[0]), moved(hat->c.y, d[1]), moved(hat->c.z, d[2])},
                        moved(hat->s, d[3])};
  x->c.x = pinned & VB_PIN_X ? x->c.x : moved(x->c.x, d[0]);
  x->c.y = pinned & VB_PIN_Y ? x->c.y : moved(x->c.y, d[1]);
  x->c.z = pinned & VB_PIN_Z ? x->c.z : moved(x->c.z, d[2]);
  x->s = pinned & VB_PIN_SCALE ? x->s : moved(x->s, d[3]);
  if (x->s < VIPER_R(VIPER_MINIMUM_SCALE))
    x->s = VIPER_R(VIPER_MINIMUM_SCALE);
}

/// Phase function: turns the frame of member `i` to where its bundle wants it.
static void turn_frame(viper_cpu *cpu, size_t i) {
  viper_bundled *b = &cpu->bundled;
  int32_t j = b->rest.member[i].segment;
  viper_quat goal = viper_quat_from(b->goal[i].frame), *q = &cpu->frame[j];
  viper_quat turn = viper_quat_near(viper_quat_mul(goal, viper_quat_conj(*q)));
  viper_quat *hat = &b->pushed.frame[j];
  *hat = viper_quat_turn(viper_quat_mul(turn, *hat), viper_vec3_make(0, 0, 0));
  if (viper_frame_free(cpu, j))
    *q = viper_quat_turn(viper_quat_mul(turn, *q), viper_vec3_make(0, 0, 0));
}

static void project(viper_cpu *cpu, const viper_settings *settings) {
  const viper_bundles *rest = &cpu->bundled.rest;
  bool parallel = rest->n_members > 256; // as many as are worth waking up threads, at a us each
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n; k++)
    fit(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n_nodes; k++)
    move_node(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t i = 0; i < rest->n_members; i++)
    turn_frame(cpu, i);
}

static void take_pushed(viper_cpu *cpu) {
  const viper_bundled *b = &cpu->bundled;
  memcpy(cpu->node_hat, b->pushed.node, cpu->model->n_nodes * sizeof *cpu->node_hat);
  memcpy(cpu->frame_hat, b->pushed.frame, cpu->model->n_segments * sizeof *cpu->frame_hat);
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++)
    cpu->arrays.inertia[j] = viper_frame_inertia_load(cpu, j);
}

void viper_bundled_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies) {
  viper_bundled *b = &cpu->bundled;
  viper_settings one = *settings;
  one.iterations = 1;
  copy_state(cpu, &b->predicted, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &b->pushed, cpu->node_hat, cpu->frame_hat);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    one.continued = iteration > 0;
    bodies(cpu, &one, h);
    if (iteration + 1 == settings->iterations) {
      copy_state(cpu, &b->before, cpu->node, cpu->frame);
      copy_state(cpu, &b->before_hat, b->pushed.node, b->pushed.frame);
    }
    project(cpu, settings);
    // `direct` and `block-descent` move to the minimum of Phi: there the impulses must act. The
    // others keep what was moved, and take the inertia of frames, which is constant within a step,
    // from the prediction.
    if (settings->method == VIPER_DIRECT || settings->method == VIPER_BLOCK_DESCENT)
      take_pushed(cpu);
  }
  take_pushed(cpu);
}

void viper_bundled_reset(viper_cpu *cpu) {
  viper_bundled *b = &cpu->bundled;
  if (b->n == 0)
    return;
  copy_state(cpu, &b->predicted, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &b->before_hat, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &b->before, cpu->node, cpu->frame);
}

viper_cpu viper_bundled_before(const viper_cpu *cpu) {
  viper_cpu before = *cpu;
  if (cpu->bundled.n == 0)
    return before;
  before.node = cpu->bundled.before.node;
  before.frame = cpu->bundled.before.frame;
  before.node_hat = cpu->bundled.before_hat.node;
  before.frame_hat = cpu->bundled.before_hat.frame;
  return before;
}

viper_cpu viper_bundled_start(const viper_cpu *cpu) {
  viper_cpu start = *cpu;
  if (cpu->bundled.n == 0)
    return start;
  start.node_hat = cpu->bundled.predicted.node;
  start.frame_hat = cpu->bundled.predicted.frame;
  return start;
}
