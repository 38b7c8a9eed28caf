// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact: memory, the broad phase, and what is told of the latest substep.
#include "viper/cpu/contact_real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Nodes or segments from which on a loop over them is worth waking up threads.
#define PARALLEL 2048
/// Relative rounding of a scalar as a float, and then some.
#define ROUND_OUT 1e-6

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

static vb_status allocate(viper_contacts *c, const viper_model *m, vb_error *error) {
  size_t n = m->n_nodes + 1;
  c->place = calloc(n, sizeof *c->place);
  c->node = calloc(n, sizeof *c->node);
  c->colors = calloc(n, sizeof *c->colors);
  c->is_active = calloc(n, sizeof *c->is_active);
  c->active = calloc(n, sizeof *c->active);
  c->limit = calloc(n, sizeof *c->limit);
  c->sphere = calloc(m->n_segments + 1, sizeof *c->sphere);
  c->pill = calloc(m->n_segments + 1, sizeof *c->pill);
  return c->place && c->node && c->colors && c->is_active && c->active && c->limit && c->sphere &&
                 c->pill
             ? VB_OK
             : vb_error_memory(error);
}

vb_status viper_contact_create(viper_cpu *cpu, viper_contacts **out, vb_error *error) {
  const viper_model *m = cpu->model;
  size_t n_planes;
  const vb_half_plane *plane = vb_scene_half_planes(m->scene, &n_planes);
  const vb_contact *settings = vb_scene_contact(m->scene);
  if (!settings && n_planes == 0)
    return VB_OK;
  viper_contacts *c = calloc(1, sizeof *c);
  if (!c)
    return vb_error_memory(error);
  *out = c;
  c->settings = settings;
  c->plane = plane;
  c->n_planes = n_planes;
  vb_status status = allocate(c, m, error);
  if (!status && settings)
    status = viper_filter_create(m, &c->filter, error);
  if (!status && settings)
    status = viper_grid_create(m->n_segments, &c->grid, error);
  if (status)
    return status;
  for (size_t i = 0; i < m->n_nodes; i++)
    fill_node(&m->node[i], &c->node[i]);
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

static double larger_radius(const viper_contact_node *x) {
  return fmax((double)x->x[3], (double)x->old[3]) * (double)x->radius;
}

/// A sphere about a segment where it is predicted and where it was, and half the margin: that about
/// the predicted pill, moved back by half its mean way.
static viper_sphere sphere_of(const viper_cpu *cpu, int32_t j, double margin) {
  const viper_contacts *c = cpu->contacts;
  const viper_contact_node *a = &c->node[cpu->model->segment[j].node[0]];
  const viper_contact_node *b = &c->node[cpu->model->segment[j].node[1]];
  double ra = larger_radius(a), rb = larger_radius(b), length2 = 0, back2 = 0, off_a = 0, off_b = 0;
  for (int k = 0; k < 3; k++) {
    double da = (double)a->x[k] - (double)a->old[k], db = (double)b->x[k] - (double)b->old[k];
    double u = (double)b->x[k] - (double)a->x[k], back = 0.25 * (da + db);
    length2 += u * u;
    back2 += back * back;
    off_a += (da - back) * (da - back);
    off_b += (db - back) * (db - back);
  }
  double length = sqrt(length2), along = 0.5 * (length + rb - ra); // of its center, from a
  along = along < 0 ? 0 : along > length ? length : along;
  double t = length > 0 ? along / length : 0, size = 0;
  double radius = fmax(along + ra, length - along + rb) + sqrt(fmax(back2, fmax(off_a, off_b)));
  viper_sphere out = {
      .body = c->filter.body[j], .groups = c->filter.groups[j], .meets = c->filter.meets[j]};
  for (int k = 0; k < 3; k++) {
    double xa = (double)a->x[k], xb = (double)b->x[k];
    double back = 0.25 * (xa - (double)a->old[k] + xb - (double)b->old[k]);
    double center = (1 - t) * xa + t * xb - back;
    out.center[k] = (float)center;
    size += fabs(center);
  }
  out.radius = (float)((radius + 0.5 * margin) * (1 + ROUND_OUT) + size * ROUND_OUT);
  return out;
}

static void fill_pill(const viper_cpu *cpu, int32_t j, viper_moving_pill *out) {
  viper_scalar way2 = 0;
  for (int end = 0; end < 2; end++) {
    const viper_contact_node *x = &cpu->contacts->node[cpu->model->segment[j].node[end]];
    viper_scalar d2 = 0;
    for (int k = 0; k < 3; k++) {
      out->end[4 * end + k] = x->x[k];
      d2 += (x->x[k] - x->old[k]) * (x->x[k] - x->old[k]);
    }
    out->end[4 * end + 3] = x->radius * x->x[3];
    way2 = d2 > way2 ? d2 : way2;
  }
  out->way = VIPER_SQRT(way2);
}

vb_status viper_contact_pairs(viper_cpu *cpu, double margin, int threads,
                              const viper_sphere_pair **pairs, size_t *n, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  int32_t n_segments = (int32_t)cpu->model->n_segments;
#pragma omp parallel for if (n_segments > PARALLEL) num_threads(threads)
  for (int32_t j = 0; j < n_segments; j++) {
    c->sphere[j] = sphere_of(cpu, j, margin);
    fill_pill(cpu, j, &c->pill[j]);
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
