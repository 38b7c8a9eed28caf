// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact between the iterations of a substep (README.md, Contact): after each iteration of all
/// bodies one pass over all contacts, color by color, then over those on half-planes.
#include "viper/cpu/contact_real.h"

/// Contacts from which on a pass is worth waking up threads.
#define PARALLEL 512
/// Contacts of a color from which on they are worth sharing.
#define SHARED 32

/// Reads where an active node is now.
static void read_node(const viper_contacts *c, int32_t i) {
  const viper_place *p = &c->place[i];
  const viper_scalar *x = p->node;
  for (int k = 0; k < 4; k++)
    c->node[i].x[k] = x[(size_t)k * p->stride];
}

static void write_node(const viper_contacts *c, int32_t i) {
  const viper_place *p = &c->place[i];
  viper_scalar *x = p->node;
  for (int k = 0; k < 4; k++)
    x[(size_t)k * p->stride] = c->node[i].x[k];
}

/// Moves a node's prediction by what contacts pushed: with it bodies seek the minimum under the
/// contacts' forces.
static void write_hat(const viper_contacts *c, int32_t i) {
  const viper_place *p = &c->place[i];
  viper_scalar *hat = p->node_hat;
  for (int k = 0; k < 4; k++)
    hat[(size_t)k * p->stride] = c->node[i].hat[k] + c->node[i].push[k];
}

static __attribute__((flatten)) void solve_touch(const viper_contacts *c, viper_touch *t) {
  viper_touch_normal(t, c->node, 4);
  if (c->settings->static_friction > 0)
    viper_touch_friction(t, c->node, (viper_scalar)c->settings->static_friction,
                         (viper_scalar)c->settings->kinetic_friction, 4);
}

static __attribute__((flatten)) void solve_rest(const viper_contacts *c, viper_touch *t) {
  const viper_plane *h = &c->plane[t->which];
  viper_touch_normal(t, c->node, 1);
  if (h->static_friction > 0)
    viper_touch_friction(t, c->node, h->static_friction, h->kinetic_friction, 1);
}

/// Contacts on half-planes are sorted by node: those of one node are one thread's.
static void solve_rests(const viper_contacts *c) {
  int32_t n = (int32_t)c->rest.n;
#pragma omp for schedule(static)
  for (int32_t k = 0; k < n; k++) {
    int32_t node = c->rest.touch[k].node[0];
    if (k > 0 && c->rest.touch[k - 1].node[0] == node)
      continue;
    for (int32_t m = k; m < n && c->rest.touch[m].node[0] == node; m++)
      solve_rest(c, &c->rest.touch[m]);
  }
}

/// Large colors by all threads, one after the other; small ones, and what has no color, by one.
static void solve_colors(const viper_contacts *c) {
  int color = 0;
  for (; color < VIPER_CONTACT_COLORS; color++) {
    int32_t first = c->color_first[color], end = c->color_first[color + 1];
    if (end - first < SHARED)
      break;
#pragma omp for schedule(static)
    for (int32_t k = first; k < end; k++)
      solve_touch(c, &c->touch.touch[k]);
  }
#pragma omp single
  for (int32_t k = c->color_first[color]; k < (int32_t)c->touch.n; k++)
    solve_touch(c, &c->touch.touch[k]);
}

/// Moves a body as a whole to where Phi is least: where none of its centers is pinned, to where its
/// prediction keeps its momentum.
static void center_body(const viper_cpu *cpu, const viper_model_body *body) {
  const viper_contacts *c = cpu->contacts;
  double shift[3] = {0}, mass = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_place *p = &c->place[i];
    const viper_scalar *x = p->node, *hat = p->node_hat;
    double m = cpu->model->node[i].mass;
    mass += m;
    for (size_t k = 0; k < 3; k++)
      shift[k] += m * ((double)hat[k * p->stride] - (double)x[k * p->stride]);
  }
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    const viper_place *p = &c->place[i];
    viper_scalar *x = p->node;
    for (size_t k = 0; k < 3; k++)
      x[k * p->stride] = (viper_scalar)((double)x[k * p->stride] + shift[k] / mass);
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

void viper_contact_pass(viper_cpu *cpu, const viper_settings *settings) {
  const viper_contacts *c = cpu->contacts;
  bool hat = settings->method == VIPER_DIRECT || settings->method == VIPER_BLOCK_DESCENT;
  bool parallel = c->touch.n + c->rest.n > PARALLEL;
  if (settings->method == VIPER_BLOCK_DESCENT)
    center_bodies(cpu, settings);
#pragma omp parallel if (parallel) num_threads(settings->threads)
  {
#pragma omp for schedule(static)
    for (int32_t k = 0; k < c->n_active; k++)
      read_node(c, c->active[k]);
    if (c->touch.n > 0)
      solve_colors(c);
    solve_rests(c);
#pragma omp for schedule(static)
    for (int32_t k = 0; k < c->n_limits; k++)
      viper_limit_scale(&c->limit[k], c->node);
#pragma omp for schedule(static)
    for (int32_t k = 0; k < c->n_active; k++) {
      write_node(c, c->active[k]);
      if (hat)
        write_hat(c, c->active[k]);
    }
  }
}

void viper_contact_finish(viper_cpu *cpu, const viper_settings *settings) {
  const viper_contacts *c = cpu->contacts;
#pragma omp parallel for if (c->n_active > VIPER_CONTACT_PARALLEL) num_threads(settings->threads)
  for (int32_t k = 0; k < c->n_active; k++)
    write_hat(c, c->active[k]);
}
