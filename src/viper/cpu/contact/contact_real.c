// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact: memory, nodes from where they are, and what is reported of the latest substep.
#include "viper/cpu/contact/contact_real.h"
#include "viper/contact/forces.h"
#include "viper/contact/rest.h"

#include <math.h>
#include <stdlib.h>

/// Where the nodes and frames of single bodies are.
static void place_single_bodies(viper_cpu *cpu, viper_place *place, viper_place *frame) {
  for (size_t k = 0; k < cpu->body_groups->n_singles; k++) {
    const viper_model_body *body = &cpu->model->body[cpu->body_groups->single[k]];
    for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
      place[i] =
          (viper_place){&cpu->node[i], &cpu->node_hat[i], &cpu->node_old[i], 1, &cpu->node_rate[i]};
    for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
      frame[j] = (viper_place){&cpu->frame[j], &cpu->frame_hat[j], &cpu->frame_old[j], 1, NULL};
  }
}

static void fill_planes(viper_contacts *c, const viper_model *m) {
  size_t n;
  const vb_half_plane *from = vb_scene_half_planes(m->scene, &n);
  for (size_t p = 0; p < n; p++)
    viper_plane_fill(&c->plane[p], &from[p]);
  const vb_plane_driver *driven = vb_scene_plane_drivers(m->scene, &n);
  for (size_t k = 0; k < n; k++)
    c->plane[driven[k].half_plane].driver = driven[k].driver;
}

/// Segments whose contacts are kept, and nodes times half-planes of which they, or forces, are.
static size_t kept_rows(const viper_model *m, const viper_contacts *c) {
  return c->kept ? m->n_segments : 0;
}

static size_t kept_rests(const viper_model *m, const viper_contacts *c) {
  return c->kept_rest ? m->n_nodes * c->n_planes : 0;
}

static size_t kept_pushes(const viper_model *m, const viper_contacts *c) {
  return c->push ? m->n_nodes * c->n_planes : 0;
}

void viper_contact_carry(viper_cpu *cpu, const viper_cpu_substep *step) {
  size_t n;
  const vb_plane_driver *driven = vb_scene_plane_drivers(cpu->model->scene, &n);
  viper_boundary_planes(&cpu->boundary, cpu->model, step->start, step->h);
  for (size_t k = 0; k < n; k++) {
    viper_scalar value[VIPER_PLANE_VALUES];
    for (size_t c = 0; c < VIPER_PLANE_VALUES; c++)
      value[c] = (viper_scalar)cpu->boundary.plane[VIPER_PLANE_VALUES * k + c];
    viper_plane_move(&cpu->contacts->plane[driven[k].half_plane], value);
  }
}

void viper_contact_work(viper_cpu *cpu, double *work) {
  viper_contacts *c = cpu->contacts;
  double *before = c->push;
  if (!before)
    return;
  c->push = c->push_room;
  c->push_room = before;
  memset(c->push, 0, VIPER_PUSH_DOUBLES * kept_pushes(cpu->model, c) * sizeof *c->push);
  for (size_t k = 0; k < c->rest.n; k++) {
    const viper_touch *t = &c->rest.touch[k];
    const viper_plane *plane = &c->plane[t->which];
    size_t at = VIPER_PUSH_DOUBLES * ((size_t)t->node[0] * c->n_planes + (size_t)t->which);
    if (plane->driver < 0)
      continue;
    work[plane->driver] += viper_plane_work(plane, t, c->node, before + at);
    memcpy(c->push + at, before + at, VIPER_PUSH_DOUBLES * sizeof *before);
  }
}

/// Memory for friction that rolls frames.
static void allocate_frames(viper_contacts *c, const viper_model *m) {
  size_t n = m->n_nodes, s = m->n_segments;
  VB_TAKE(&c->memory, c->frame, s);
  VB_TAKE(&c->memory, c->rolling, s);
  VB_TAKE(&c->memory, c->marked, s);
  VB_TAKE(&c->memory, c->roller, 2 * s);
  VB_TAKE(&c->memory, c->roller_first, n + 1);
  VB_TAKE(&c->memory, c->turn, n);
  VB_TAKE(&c->memory, c->eased, n);
  VB_TAKE(&c->memory, c->eased_frame, s);
  VB_TAKE(&c->memory, c->ease_sums.node, 3 * n);
  VB_TAKE(&c->memory, c->ease_sums.frame, s);
  VB_TAKE(&c->memory, c->ease_sums.at_node, n);
  VB_TAKE(&c->memory, c->ease_sums.at_frame, s);
}

/// What does not change of frames.
static void fill_frames(viper_contacts *c, const viper_model *m) {
  for (size_t j = 0; j < m->n_segments; j++)
    viper_contact_frame_fill(&c->frame[j], &m->segment[j]);
  viper_rollers_fill(m, c->roller_first, c->roller);
  c->n_turns = viper_turns_fill(m, c->roller_first, c->roller, c->turn);
}

/// The mass of the heaviest body over that of each node's.
static void fill_mass_ratio(double *mass_ratio, const viper_model *m) {
  double heaviest = 0;
  for (size_t b = 0; b < m->n_bodies; b++) {
    const viper_model_body *body = &m->body[b];
    double mass = 0;
    for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
      mass += m->node[i].mass;
    for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
      mass_ratio[i] = mass;
    heaviest = fmax(heaviest, mass);
  }
  for (size_t i = 0; i < m->n_nodes; i++)
    mass_ratio[i] = heaviest / mass_ratio[i];
}

static vb_status allocate(viper_contacts *c, const viper_model *m, const viper_settings *settings,
                          vb_error *error) {
  size_t n = m->n_nodes, s = m->n_segments;
  viper_neighbor_list *neighbors = &c->neighbors;
  c->n_planes = vb_scene_count(m->scene, VB_SET_HALF_PLANE);
  c->n_ranges = (int32_t)((s + VIPER_CONTACT_RANGE - 1) / VIPER_CONTACT_RANGE);
  VB_TAKE(&c->memory, c->plane, c->n_planes);
  VB_TAKE(&c->memory, c->place, n);
  VB_TAKE(&c->memory, c->node, n);
  VB_TAKE(&c->memory, c->still, n);
  if (viper_method_has(settings->method, VIPER_AVERAGES))
    VB_TAKE(&c->memory, c->average, n);
  if (vb_scene_count(m->scene, VB_SET_FRICTION) > 0)
    VB_TAKE(&c->memory, c->friction, n);
  VB_TAKE(&c->memory, c->colors, n);
  VB_TAKE(&c->memory, c->islands.leader, n);
  VB_TAKE(&c->memory, c->islands.number, n);
  VB_TAKE(&c->memory, c->active, n);
  VB_TAKE(&c->memory, c->limit, n);
  VB_TAKE(&c->memory, c->range, (size_t)c->n_ranges);
  VB_TAKE(&c->memory, c->sphere, s);
  VB_TAKE(&c->memory, c->capsule, s);
  VB_TAKE(&c->memory, neighbors->displacement, s);
  VB_TAKE(&c->memory, neighbors->pace, s);
  VB_TAKE(&c->memory, neighbors->reach, s);
  VB_TAKE(&c->memory, neighbors->skin, s);
  VB_TAKE(&c->memory, neighbors->first, s + 1);
  VB_TAKE(&c->memory, neighbors->moved, s);
  VB_TAKE(&c->memory, c->frame_place, s);
  VB_TAKE(&c->memory, c->truncation.sphere, s);
  VB_TAKE(&c->memory, c->truncation.suspect, s);
  VB_TAKE(&c->memory, c->truncation.truncated, n);
  VB_TAKE(&c->memory, c->truncation.bid, n);
  if (settings->contact_normal == VIPER_SMOOTH_NORMAL)
    VB_TAKE(&c->memory, c->beyond, s);
  if (settings->contact_solve == VIPER_BY_NEWTON) {
    VB_TAKE(&c->memory, c->frame_push, s);
    VB_TAKE(&c->memory, c->mass_ratio, n);
  }
  if (viper_has_friction(m))
    allocate_frames(c, m);
  if (viper_count_kept_rows(m, settings) > 0)
    VB_TAKE(&c->memory, c->kept, viper_count_kept_rows(m, settings));
  if (viper_count_kept_rests(m, settings) > 0)
    VB_TAKE(&c->memory, c->kept_rest, viper_count_kept_rests(m, settings));
  if (viper_count_kept_forces(m) > 0) {
    VB_TAKE(&c->memory, c->push, VIPER_PUSH_DOUBLES * viper_count_kept_forces(m));
    VB_TAKE(&c->memory, c->push_room, VIPER_PUSH_DOUBLES * viper_count_kept_forces(m));
  }
  return vb_arena_status(&c->memory, error);
}

vb_status viper_contact_create(viper_cpu *cpu, const viper_settings *settings, viper_contacts **out,
                               vb_error *error) {
  const viper_model *m = cpu->model;
  if (!viper_has_contact(m))
    return VB_OK;
  viper_contacts *c = calloc(1, sizeof *c);
  if (!c)
    return vb_error_memory(error);
  *out = c;
  c->settings = vb_scene_contact(m->scene);
  c->margin = viper_contact_margin(m);
  c->warm_start = viper_constants_of(settings).warm_start;
  vb_status status = allocate(c, m, settings, error);
  if (!status && c->average)
    status = viper_averages_fill(c->average, m, error);
  if (!status && c->settings)
    status = viper_filter_create(m, &c->filter, error);
  if (!status && c->beyond)
    status = viper_rod_neighbors_fill(m, c->beyond, error);
  if (!status && c->settings)
    status = viper_grid_create(m->n_segments, &c->grid, error);
  if (!status && c->settings)
    status = viper_grid_create(m->n_segments, &c->truncation.grid, error);
  if (status)
    return status;
  for (size_t i = 0; i < m->n_nodes; i++)
    viper_contact_node_fill(&c->node[i], &m->node[i]);
  if (c->friction)
    viper_friction_fill(c->friction, m);
  if (c->mass_ratio)
    fill_mass_ratio(c->mass_ratio, m);
  fill_planes(c, m);
  if (c->frame)
    fill_frames(c, m);
  place_single_bodies(cpu, c->place, c->frame_place);
  if (cpu->lanes)
    cpu->lanes_api->places(cpu->lanes, c->place, c->frame_place);
  return VB_OK;
}

void viper_contact_destroy(viper_contacts *c) {
  if (!c)
    return;
  for (int t = 0; t < c->n_finds; t++) {
    free(c->finds[t].touch.touch);
    free(c->finds[t].close);
  }
  free(c->finds);
  free(c->rank);
  free(c->to_color);
  free(c->neighbors.other);
  free(c->neighbors.limit);
  free(c->neighbors.spare);
  free(c->neighbors.around.sphere);
  free(c->neighbors.added);
  free(c->touch.touch);
  free(c->islands.touch);
  free(c->islands.first);
  free(c->rest.touch);
  viper_filter_destroy(&c->filter);
  viper_grid_destroy(c->grid);
  viper_grid_destroy(c->truncation.grid);
  free(c->truncation.unsafe);
  viper_contact_newton_destroy(c->newton);
  vb_arena_clear(&c->memory);
  free(c);
}

void viper_contact_forget(const viper_model *m, viper_contacts *c) {
  viper_keep_from(NULL, c->kept, kept_rows(m, c), c->kept_rest, kept_rests(m, c), NULL, 0);
}

void viper_contact_keep(const void *self, double *out) {
  const viper_cpu *cpu = self;
  const viper_contacts *c = cpu->contacts;
  viper_keep_to(c->kept, kept_rows(cpu->model, c), c->kept_rest, kept_rests(cpu->model, c), c->push,
                kept_pushes(cpu->model, c), out);
}

void viper_contact_reset(const viper_model *m, viper_contacts *c, const double *kept) {
  viper_keep_from(kept, c->kept, kept_rows(m, c), c->kept_rest, kept_rests(m, c), c->push,
                  kept_pushes(m, c));
  c->touch.n = c->rest.n = 0;
  c->n_active = c->n_limits = c->n_rolling = 0;
  c->speed = 0;
  c->solved = false;
  c->truncated = c->truncated_since = c->truncated_steps = 0;
  c->neighbors.listed = false;
}

void viper_contact_gather(viper_cpu *cpu, int threads) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_nodes;
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; i++) {
    const viper_place *p = &c->place[i];
    const viper_scalar *x = p->node, *hat = p->node_hat, *old = p->node_old;
    viper_contact_node *to = &c->node[i];
    for (int k = 0; k < 4; k++) {
      to->x[k] = x[(size_t)k * p->stride];
      to->old[k] = old[(size_t)k * p->stride];
      to->hat[k] = hat[(size_t)k * p->stride];
      cpu->node_hat0[4 * i + k] = (double)to->hat[k];
      to->push[k] = 0;
    }
    c->still[i] = viper_vec4_make(0, 0, 0, 0);
  }
}

vb_status viper_contact_detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  double margin = c->margin;
  int threads = settings->threads;
  c->touch.n = 0;
  c->speed = 0;
  viper_contact_gather(cpu, threads);
  if (c->settings) {
    vb_status status = viper_contact_pairs(cpu, margin, threads, error);
    if (status)
      return status;
    if (!viper_contact_find(cpu, threads) || !viper_contact_sort(c, threads))
      return vb_error_memory(error);
  }
  if (!viper_contact_nodes(cpu, margin, threads))
    return vb_error_memory(error);
  if (c->frame && settings->contact != VIPER_CONTACT_AVERAGED)
    viper_contact_frames(cpu, threads);
  return VB_OK;
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
  out[3] = (double)c->truncated;
  out[4] = (double)c->truncated_since;
  out[5] = (double)c->truncated_steps;
  for (int l = 0; l < 2; l++)
    for (size_t k = 0; k < lists[l]->n; k++) {
      out[0] += lists[l]->touch[k].lambda > 0;
      out[1] = fmax(out[1], complementarity(c, &lists[l]->touch[k], l == 0 ? 4 : 1));
    }
}

void viper_contact_forces(const void *self, const double *node, double *on_body, double *on_plane,
                          double work[2]) {
  const viper_cpu *cpu = self;
  const viper_contacts *c = cpu->contacts;
  viper_forces_clear(cpu->model, on_body, on_plane, work);
  viper_forces_between(cpu->model, c->touch.touch, c->touch.n, on_body);
  viper_forces_on_planes(cpu->model, node, c->rest.touch, c->rest.n, on_body, on_plane);
  viper_works_between(c->touch.touch, c->touch.n, c->node, work);
  viper_works_on_planes(c->rest.touch, c->rest.n, c->node, c->plane, work);
}
