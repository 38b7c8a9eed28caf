// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles in the time step (bundle/README.md): after each iteration of all bodies every
/// cross-section is moved to its best similarity transform. What the bundles move is noted in a
/// second prediction, as if an external impulse had done it: with it, the state that is reached
/// minimizes Phi among those that the bundles allow, and pins feel what the bundles press on them.
#include "viper/bundle/bundle_shift.h"
#include "viper/cpu/contact/contact_real.h"

#include <string.h>

static void copy_state(const viper_cpu *cpu, viper_bundle_state *to, const viper_node_x *node,
                       const viper_quat *frame) {
  memcpy(to->node, node, cpu->model->n_nodes * sizeof *node);
  memcpy(to->frame, frame, cpu->model->n_segments * sizeof *frame);
}

vb_status viper_bundled_create(const viper_model *model, const viper_settings *settings,
                               viper_bundled *out, vb_error *error) {
  viper_bundle_state *states[] = {&out->predicted, &out->pushed, &out->before, &out->before_hat};
  *out = (viper_bundled){.n = 0};
  if (!viper_has_bundles(model))
    return VB_OK;
  vb_status status = viper_bundles_create(model, settings->bundle_scale, &out->rest, error);
  if (status)
    return status;
  out->n = out->rest.n;
  VB_TAKE(&out->memory, out->now, out->rest.n_members);
  VB_TAKE(&out->memory, out->goal, out->rest.n_members);
  for (int i = 0; i < 4; i++) {
    VB_TAKE(&out->memory, states[i]->node, model->n_nodes);
    VB_TAKE(&out->memory, states[i]->frame, model->n_segments);
  }
  if (viper_has_contact(model))
    VB_TAKE(&out->memory, out->before_hat0, 4 * model->n_nodes);
  return vb_arena_status(&out->memory, error);
}

void viper_bundled_destroy(viper_bundled *b) {
  viper_contact_newton_destroy(b->newton);
  vb_arena_clear(&b->memory);
  viper_bundles_destroy(&b->rest);
}

void viper_bundled_fit(viper_cpu *cpu, size_t k) {
  viper_bundled *b = &cpu->bundled;
  const viper_bundle *bundle = &b->rest.bundle[k];
  for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
    int32_t j = b->rest.member[i].segment;
    const int32_t *node = cpu->model->segment[j].node;
    b->now[i] = viper_bundle_place_of(cpu->node[node[0]], cpu->node[node[1]], cpu->frame[j]);
  }
  viper_bundle_goals(bundle, b->rest.member + bundle->first, b->now + bundle->first,
                     b->goal + bundle->first);
}

/// Phase function: moves node `k` of those in bundles, and its prediction.
static void move_node(viper_cpu *cpu, size_t k) {
  viper_bundled *b = &cpu->bundled;
  int32_t i = b->rest.node[k], first = b->rest.first_share[k];
  double d[4];
  viper_bundle_shift(b->rest.share + first, b->rest.first_share[k + 1] - first, b->now, b->goal, d);
  b->pushed.node[i] = viper_bundle_push_node(b->pushed.node[i], d);
  cpu->node[i] = viper_bundle_move_node(cpu->node[i], d, cpu->model->node[i].pinned,
                                        VIPER_R(VIPER_MINIMUM_SCALE));
}

/// Phase function: turns the frame of member `i`, and its prediction, to where its bundle wants it.
static void turn_frame(viper_cpu *cpu, size_t i) {
  viper_bundled *b = &cpu->bundled;
  int32_t j = b->rest.member[i].segment;
  viper_quat turn = viper_bundle_turn(&b->goal[i], cpu->frame[j]);
  b->pushed.frame[j] = viper_bundle_turned(turn, b->pushed.frame[j]);
  if (viper_frame_free(cpu, j))
    cpu->frame[j] = viper_bundle_turned(turn, cpu->frame[j]);
}

static void project(viper_cpu *cpu, const viper_settings *settings) {
  const viper_bundles *rest = &cpu->bundled.rest;
  bool parallel = rest->n_members > 256; // as many as are worth waking up threads, at a us each
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n; k++)
    viper_bundled_fit(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n_nodes; k++)
    move_node(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t i = 0; i < rest->n_members; i++)
    turn_frame(cpu, i);
}

/// The prediction as bundles moved it, and contacts.
static void take_prediction(viper_cpu *cpu) {
  const viper_bundled *b = &cpu->bundled;
  memcpy(cpu->node_hat, b->pushed.node, cpu->model->n_nodes * sizeof *cpu->node_hat);
  memcpy(cpu->frame_hat, b->pushed.frame, cpu->model->n_segments * sizeof *cpu->frame_hat);
  if (!cpu->contacts)
    return;
  for (size_t i = 0; i < cpu->model->n_nodes; i++)
    viper_node_to(cpu->node_hat[i], cpu->node_hat0 + 4 * i);
  viper_contact_push_hat(cpu);
}

/// The inertia of frames, by the prediction as bundles moved it.
static void weigh_frames(viper_cpu *cpu) {
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++)
    cpu->arrays.inertia[j] = viper_frame_inertia_load(cpu, j);
}

/// Notes what the residual is taken of.
static void note_before(viper_cpu *cpu) {
  viper_bundled *b = &cpu->bundled;
  take_prediction(cpu);
  copy_state(cpu, &b->before, cpu->node, cpu->frame);
  copy_state(cpu, &b->before_hat, cpu->node_hat, cpu->frame_hat);
  if (b->before_hat0)
    memcpy(b->before_hat0, cpu->node_hat0, 4 * cpu->model->n_nodes * sizeof *b->before_hat0);
}

void viper_bundled_begin(viper_cpu *cpu) {
  copy_state(cpu, &cpu->bundled.predicted, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &cpu->bundled.pushed, cpu->node_hat, cpu->frame_hat);
}

void viper_bundled_move(viper_cpu *cpu, const viper_settings *settings, bool last) {
  if (last)
    note_before(cpu);
  project(cpu, settings);
  take_prediction(cpu);
  // Methods that move to the minimum of Phi: there the impulses must act. The others take the
  // inertia of frames, which is constant within a step, from the prediction that it began with.
  if (last || viper_method_has(settings->method, VIPER_SEEKS_MINIMUM))
    weigh_frames(cpu);
}

void viper_bundled_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies) {
  viper_settings one = *settings;
  one.iterations = 1;
  one.in_parts = true;
  viper_bundled_begin(cpu);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    one.continued = iteration;
    bodies(cpu, &one, h);
    viper_bundled_move(cpu, settings, iteration + 1 == settings->iterations);
  }
}

void viper_bundled_reset(viper_cpu *cpu) {
  viper_bundled *b = &cpu->bundled;
  b->solved = false;
  if (b->n == 0)
    return;
  copy_state(cpu, &b->predicted, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &b->before_hat, cpu->node_hat, cpu->frame_hat);
  copy_state(cpu, &b->before, cpu->node, cpu->frame);
  if (b->before_hat0)
    memcpy(b->before_hat0, cpu->node_hat0, 4 * cpu->model->n_nodes * sizeof *b->before_hat0);
}

viper_cpu viper_bundled_before(const viper_cpu *cpu) {
  viper_cpu before = *cpu;
  if (cpu->bundled.n == 0)
    return before;
  if (cpu->bundled.multiplier) { // their state is that of the end, or before contacts passed last
    before.frame_hat = cpu->bundled.predicted.frame;
    before.torque = cpu->bundled.torque;
    if (!cpu->contacts)
      return before;
    before.node = cpu->bundled.before.node;
    before.frame = cpu->bundled.before.frame;
    before.node_hat = cpu->bundled.before_hat.node;
    before.frame_hat = cpu->bundled.before_hat.frame;
    return before;
  }
  before.node = cpu->bundled.before.node;
  before.frame = cpu->bundled.before.frame;
  before.node_hat = cpu->bundled.before_hat.node;
  before.frame_hat = cpu->bundled.before_hat.frame;
  before.node_hat0 = cpu->bundled.before_hat0;
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
