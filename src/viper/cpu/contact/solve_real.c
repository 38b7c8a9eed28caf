// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact between the iterations of a substep (contact/README.md): after each iteration of all
/// bodies one pass over all contacts, which contact_pass_lanes.c does.
#include "viper/cpu/contact/contact_real.h"

#include <omp.h>
#include <string.h>

/// Contacts from which on a pass is worth waking up threads.
#define PARALLEL 512

/// The mass of node `i`, with the penalty of bundles.
static double mass_of(const viper_cpu *cpu, int32_t i) {
  return cpu->bundled.node_inertia ? (double)cpu->bundled.node_inertia[i].mass
                                   : cpu->model->node[i].mass;
}

/// Moves a body as a whole to where Phi is least: where none of its centers is pinned, to where its
/// prediction keeps its momentum.
static void center_body(const viper_cpu *cpu, const viper_model_body *body) {
  const viper_contacts *c = cpu->contacts;
  double shift[3] = {0}, mass = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_place *p = &c->place[i];
    const viper_scalar *x = p->node, *hat = p->node_hat;
    double m = mass_of(cpu, i);
    mass += m;
    VIPER_UNROLL for (size_t k = 0; k < 3; k++) shift[k] +=
        m * ((double)hat[k * p->stride] - (double)x[k * p->stride]);
  }
  for (size_t k = 0; k < 3; k++)
    shift[k] /= mass;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_place *p = &c->place[i];
    viper_scalar *x = p->node;
    VIPER_UNROLL for (size_t k = 0; k < 3; k++) x[k * p->stride] =
        (viper_scalar)((double)x[k * p->stride] + shift[k]);
  }
}

/// `block-descent` finds how a body moves as a whole last: what it lacks after few sweeps would be
/// a force on the body, as large as what presses on it.
static void center_bodies(const viper_cpu *cpu, const viper_settings *settings) {
  int32_t n = (int32_t)cpu->model->n_bodies;
#pragma omp parallel for if (n > 16) num_threads(settings->threads) schedule(static)
  for (int32_t k = 0; k < n; k++)
    if (cpu->model->body[k].free_center)
      center_body(cpu, &cpu->model->body[k]);
}

static viper_contact_set set_of(const viper_cpu *cpu, const viper_settings *settings) {
  viper_contacts *c = cpu->contacts;
  const bool averaged = settings->contact == VIPER_CONTACT_AVERAGED;
  return (viper_contact_set){
      .node = c->node,
      .place = c->place,
      .active = c->active,
      .n_active = c->n_active,
      .touch = c->touch.touch,
      .color_first = c->color_first,
      .shared_colors = c->shared_colors,
      .island = c->islands.first,
      .on_islands = c->islands.touch,
      .n_islands = c->islands.n,
      .rest = c->rest.touch,
      .n_rests = (int32_t)c->rest.n,
      .plane = c->plane,
      .limit = c->limit,
      .n_limits = c->n_limits,
      .friction = {c->settings ? (viper_scalar)c->settings->static_friction : 0,
                   c->settings ? (viper_scalar)c->settings->kinetic_friction : 0},
      .of_node = c->friction,
      .still = c->still,
      .hat = viper_method_has(settings->method, VIPER_SEEKS_MINIMUM),
      .kept = c->kept,
      .kept_rest = c->kept_rest,
      .n_planes = (int32_t)c->n_planes,
      .average = averaged ? c->average : NULL,
      .constants = viper_constants_of(settings),
      .frame = averaged ? NULL : c->frame,
      .frame_place = c->frame_place,
      .rolling = c->rolling,
      .n_rolling = averaged ? 0 : c->n_rolling,
      .roller = c->roller,
      .roller_first = c->roller_first,
      .turn = c->turn,
      .n_turns = c->n_turns,
      .working = c->working,
      .works = c->rank, // which is free once contacts are sorted
      .eased = c->eased,
      .eased_frame = c->eased_frame,
      .ease_sums = c->ease_sums};
}

static bool is_parallel(const viper_contacts *c) {
  return c->touch.n + c->rest.n > PARALLEL;
}

void viper_contact_begin(viper_cpu *cpu, const viper_settings *settings) {
  const viper_contact_set set = set_of(cpu, settings);
  if (!set.kept && !set.kept_rest)
    return;
#pragma omp parallel if (is_parallel(cpu->contacts)) num_threads(settings->threads)
  cpu->lanes_api->contact_begin(&set,
                                (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
}

void viper_contact_pass(viper_cpu *cpu, const viper_settings *settings) {
  const viper_contact_set pass = set_of(cpu, settings);
  // Where bundles hold bodies by a penalty, they do so until these are at the targets.
  if (viper_method_has(settings->method, VIPER_LOSES_MOMENTUM) && !cpu->at_targets)
    center_bodies(cpu, settings);
#pragma omp parallel if (is_parallel(cpu->contacts)) num_threads(settings->threads)
  cpu->lanes_api->contact_pass(&pass,
                               (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
}

/// Of bodies that are worked on one by one, as all are with bundles.
static viper_vec4 read_four(const void *from) {
  const viper_scalar *x = from;
  return viper_vec4_make(x[0], x[1], x[2], x[3]);
}

/// Moves the prediction of an active node by what contacts pushed.
static void write_hat(const viper_contacts *c, int32_t i) {
  const viper_place *p = &c->place[i];
  viper_scalar *hat = p->node_hat;
  for (int k = 0; k < 4; k++)
    hat[(size_t)k * p->stride] = c->node[i].hat[k] + c->node[i].push[k];
}

/// Likewise of a frame.
static void write_frame_hat(const viper_contacts *c, int32_t j) {
  const viper_place *p = &c->frame_place[j];
  viper_scalar *to = p->node_hat;
  viper_vec4 hat = viper_frame_hat(&c->frame[j]);
  for (int k = 0; k < 4; k++)
    to[(size_t)k * p->stride] = hat[k];
}

void viper_contact_push_hat(viper_cpu *cpu) {
  viper_contacts *c = cpu->contacts;
  for (int32_t k = 0; k < c->n_active; k++) {
    int32_t i = c->active[k];
    c->node[i].hat = read_four(c->place[i].node_hat);
    c->node[i].x = read_four(c->place[i].node); // where a pass that averages begins
    write_hat(c, i);
  }
  for (int32_t k = 0; k < c->n_rolling; k++) {
    int32_t j = c->rolling[k];
    c->frame[j].hat = read_four(c->frame_place[j].node_hat);
    write_frame_hat(c, j);
  }
}

viper_quat viper_contact_frame_hat(const viper_cpu *cpu, int32_t j, viper_quat hat) {
  viper_contact_frame frame = cpu->contacts->frame[j];
  frame.hat = read_four(&hat);
  const viper_vec4 q = viper_frame_hat(&frame);
  return viper_quat_make(q[0], q[1], q[2], q[3]);
}

/// Gives node `i` the inverse inertia with `penalty`; what contacts pushed it follows.
static void weigh_node(viper_cpu *cpu, int32_t i, viper_bundle_penalty penalty) {
  const viper_model_node *m = &cpu->model->node[i];
  viper_contact_node *x = &cpu->contacts->node[i];
  const viper_scalar center = x->inverse[0], scale = x->inverse[3];
  viper_contact_node_set(x, (viper_scalar)(1 / ((1 + penalty.center) * m->mass)),
                         (viper_scalar)(1 / ((1 + penalty.disc) * m->scale_inertia)), m->pinned);
  for (int k = 0; k < 4; k++)
    x->push[k] *= x->inverse[k] / (k < 3 ? center : scale);
}

void viper_contact_weigh(viper_cpu *cpu, bool with_penalty) {
  viper_contacts *c = cpu->contacts;
  const viper_bundled *b = &cpu->bundled;
  for (size_t k = 0; k < b->rest.n_nodes; k++)
    weigh_node(cpu, b->rest.node[k],
               with_penalty ? b->node_penalty[b->rest.node[k]] : (viper_bundle_penalty){0, 0});
  for (size_t i = 0; c->frame && i < b->rest.n_members; i++) {
    const int32_t j = b->rest.member[i].segment;
    const double heavy = 1 + b->frame_penalty[j];
    viper_contact_frame *f = &c->frame[j];
    f->inverse *= (viper_scalar)(with_penalty ? 1 / heavy : heavy);
    f->roll.yields = f->free * f->inverse;
  }
  for (size_t k = 0; k < c->touch.n; k++)
    viper_touch_weigh(&c->touch.touch[k], c->node, 4);
  for (size_t k = 0; k < c->rest.n; k++)
    viper_touch_weigh(&c->rest.touch[k], c->node, 1);
}

void viper_contact_finish(viper_cpu *cpu, const viper_settings *settings) {
  viper_contacts *c = cpu->contacts;
  const viper_contact_set set = set_of(cpu, settings);
  memset(c->working, 0, sizeof c->working);
  viper_contact_forget(cpu->model, c);
#pragma omp parallel if (is_parallel(c)) num_threads(settings->threads)
  cpu->lanes_api->contact_settle(&set,
                                 (viper_thread_group){omp_get_thread_num(), omp_get_num_threads()});
#pragma omp parallel for if (c->n_active > VIPER_CONTACT_PARALLEL) num_threads(settings->threads)
  for (int32_t k = 0; k < c->n_active; k++)
    write_hat(c, c->active[k]);
#pragma omp parallel for if (set.n_rolling > VIPER_CONTACT_PARALLEL) num_threads(settings->threads)
  for (int32_t k = 0; k < set.n_rolling; k++)
    write_frame_hat(c, c->rolling[k]);
  c->solved = true;
}

void viper_contact_still(viper_cpu *cpu, const viper_settings *settings, double rate) {
  viper_contacts *c = cpu->contacts;
  const int32_t n = c->any_truncated ? (int32_t)cpu->model->n_nodes : c->n_active;
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(settings->threads)
  for (int32_t k = 0; k < n; k++) {
    const int32_t i = c->any_truncated ? k : c->active[k];
    const viper_place *p = &c->place[i];
    viper_scalar *v = p->rate;
    viper_vec4 out = (viper_scalar)rate * c->still[i];
    for (int j = 0; j < 4; j++)
      v[(size_t)j * p->stride] -= out[j];
  }
}
