// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact: memory, the broad phase, and what is told of the latest substep.
#include "viper/cpu/contact_real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Nodes or segments from which on a loop over them is worth waking up threads.
#define PARALLEL 2048

static void fill_node(const viper_model_node *m, viper_contact_node *out) {
  out->inv_mass = (viper_scalar)(1 / m->mass);
  out->inv_scale = (viper_scalar)(1 / m->scale_inertia);
  out->radius = (viper_scalar)m->radius;
  for (int k = 0; k < 4; k++)
    out->inverse[k] = m->pinned >> k & 1 ? 0 : k < 3 ? out->inv_mass : out->inv_scale;
}

/// Where the nodes of loose bodies are.
static void place_loose(viper_cpu *cpu, viper_place *place) {
  for (size_t k = 0; k < cpu->kinds->n_loose; k++) {
    const viper_model_body *body = &cpu->model->body[cpu->kinds->loose[k]];
    for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
      place[i] = (viper_place){&cpu->node[i], &cpu->node_hat[i], &cpu->node_old[i], 1};
  }
}

static void fill_planes(viper_contacts *c, const viper_model *m) {
  size_t n;
  const vb_half_plane *from = vb_scene_half_planes(m->scene, &n);
  for (size_t p = 0; p < n; p++) {
    for (int k = 0; k < 3; k++)
      c->plane[p].normal[k] = (viper_scalar)from[p].normal[k];
    c->plane[p].offset = (viper_scalar)from[p].offset;
    c->plane[p].static_friction = (viper_scalar)from[p].static_friction;
    c->plane[p].kinetic_friction = (viper_scalar)from[p].kinetic_friction;
  }
}

static vb_status allocate(viper_contacts *c, const viper_model *m, vb_error *error) {
  size_t n = m->n_nodes + 1;
  c->n_planes = vb_scene_count(m->scene, VB_SET_HALF_PLANE);
  c->plane = calloc(c->n_planes + 1, sizeof *c->plane);
  c->place = calloc(n, sizeof *c->place);
  c->node = calloc(n, sizeof *c->node);
  c->colors = calloc(n, sizeof *c->colors);
  c->is_active = calloc(n, sizeof *c->is_active);
  c->active = calloc(n, sizeof *c->active);
  c->limit = calloc(n, sizeof *c->limit);
  c->sphere = calloc(m->n_segments + 1, sizeof *c->sphere);
  c->pill = calloc(m->n_segments + 1, sizeof *c->pill);
  return c->plane && c->place && c->node && c->colors && c->is_active && c->active && c->limit &&
                 c->sphere && c->pill
             ? VB_OK
             : vb_error_memory(error);
}

vb_status viper_contact_create(viper_cpu *cpu, viper_contacts **out, vb_error *error) {
  const viper_model *m = cpu->model;
  const vb_contact *settings = vb_scene_contact(m->scene);
  if (!viper_has_contact(m))
    return VB_OK;
  viper_contacts *c = calloc(1, sizeof *c);
  if (!c)
    return vb_error_memory(error);
  *out = c;
  c->settings = settings;
  vb_status status = allocate(c, m, error);
  if (!status && settings)
    status = viper_filter_create(m, &c->filter, error);
  if (!status && settings)
    status = viper_grid_create(m->n_segments, &c->grid, error);
  if (status)
    return status;
  for (size_t i = 0; i < m->n_nodes; i++)
    fill_node(&m->node[i], &c->node[i]);
  fill_planes(c, m);
  place_loose(cpu, c->place);
  if (cpu->lanes)
    cpu->lanes_api->places(cpu->lanes, c->place);
  return VB_OK;
}

void viper_contact_destroy(viper_contacts *c) {
  if (!c)
    return;
  for (size_t k = 0; k < c->n_found; k++)
    free(c->found[k].touch);
  free(c->found);
  free(c->touch.touch);
  free(c->rest.touch);
  viper_filter_destroy(&c->filter);
  viper_grid_destroy(c->grid);
  free(c->plane);
  free(c->place);
  free(c->node);
  free(c->colors);
  free(c->is_active);
  free(c->active);
  free(c->limit);
  free(c->sphere);
  free(c->pill);
  free(c);
}

void viper_contact_reset(viper_contacts *c) {
  c->touch.n = c->rest.n = 0;
  c->n_active = c->n_limits = 0;
  c->speed = c->fastest = 0;
}

void viper_contact_gather(viper_cpu *cpu, int threads) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_nodes;
#pragma omp parallel for if (n > PARALLEL) num_threads(threads)
  for (int32_t i = 0; i < n; i++) {
    const viper_place *p = &c->place[i];
    const viper_scalar *x = p->node, *hat = p->node_hat, *old = p->node_old;
    viper_contact_node *to = &c->node[i];
    for (int k = 0; k < 4; k++) {
      to->x[k] = x[(size_t)k * p->stride];
      to->old[k] = old[(size_t)k * p->stride];
      to->hat[k] = hat[(size_t)k * p->stride];
      to->push[k] = 0;
    }
  }
  for (int32_t i = 0; i < n; i++)
    cpu->hat_scale[i] = (double)c->node[i].hat[3];
}

/// See viper_sphere_about.
static viper_sphere sphere_of(const viper_cpu *cpu, int32_t j, double margin) {
  const viper_contacts *c = cpu->contacts;
  const int32_t *node = cpu->model->segment[j].node;
  viper_sphere out = {
      .body = c->filter.body[j], .groups = c->filter.groups[j], .meets = c->filter.meets[j]};
  float about[4];
  viper_sphere_about(&c->node[node[0]], &c->node[node[1]], (viper_scalar)margin, about);
  memcpy(out.center, about, sizeof out.center);
  out.radius = about[3];
  return out;
}

vb_status viper_contact_pairs(viper_cpu *cpu, double margin, int threads,
                              const viper_sphere_pair **pairs, size_t *n, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  int32_t n_segments = (int32_t)cpu->model->n_segments;
#pragma omp parallel for if (n_segments > PARALLEL) num_threads(threads)
  for (int32_t j = 0; j < n_segments; j++) {
    c->sphere[j] = sphere_of(cpu, j, margin);
    viper_fill_pill(&c->node[cpu->model->segment[j].node[0]],
                    &c->node[cpu->model->segment[j].node[1]], &c->pill[j]);
  }
  return viper_grid_pairs(c->grid, c->sphere, (size_t)n_segments, threads, pairs, n, error);
}

/// How far a contact is from either open or pushing: the lesser of its gap and of how far its push
/// moved, m.
static double complementarity(const viper_contacts *c, const viper_touch *t, int n_nodes) {
  double gap = (double)viper_touch_gap(t, c->node, n_nodes);
  double moved = t->inv_w > 0 ? (double)t->lambda / (double)t->inv_w : 0;
  return fabs(fmin(gap, moved));
}

void viper_contact_measure(const void *self, double out[VIPER_N_CONTACT]) {
  const viper_contacts *c = ((const viper_cpu *)self)->contacts;
  const viper_touch_list *lists[] = {&c->touch, &c->rest};
  out[0] = out[1] = 0;
  out[2] = c->speed;
  out[3] = c->fastest;
  for (int l = 0; l < 2; l++)
    for (size_t k = 0; k < lists[l]->n; k++) {
      out[0] += lists[l]->touch[k].lambda > 0;
      out[1] = fmax(out[1], complementarity(c, &lists[l]->touch[k], l == 0 ? 4 : 1));
    }
}
