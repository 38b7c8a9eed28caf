// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's contact laid out for a device: see host.h.
#include "viper/contact/filter.h"
#include "viper/contact/rest.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/cuda/core/memory.h"

#include <stdlib.h>

typedef struct device_model {
  const viper_model *model;
  viper_filter filter;
  bool between;             ///< whether capsules touch each other
  int64_t *workspace_first; ///< [n_bodies + 1] where each body begins in `workspace`, numbers
  viper_contact_device device;
} device_model;

static void destroy(void *self) {
  device_model *dm = self;
  if (!dm)
    return;
  viper_filter_destroy(&dm->filter);
  free(dm->workspace_first);
  free(dm);
}

/// Where bodies begin in `workspace`: rows of four each.
static vb_status place_bodies(device_model *dm, const viper_contact_setup *setup, vb_error *error) {
  size_t n = dm->model->n_bodies;
  dm->workspace_first = calloc(n + 1, sizeof *dm->workspace_first);
  if (!dm->workspace_first)
    return vb_error_memory(error);
  viper_place_workspaces(setup->body_groups, setup->method, n, dm->workspace_first);
  return VB_OK;
}

/// The least number of bits that hold all numbers below `n`.
static int32_t bits_of(size_t n) {
  int32_t bits = 1;
  while ((size_t)1 << bits < n)
    bits++;
  return bits;
}

static void set_numbers(device_model *dm) {
  viper_contact_device *d = &dm->device;
  const viper_model *m = dm->model;
  const vb_contact *contact = vb_scene_contact(m->scene);
  d->n_nodes = (int32_t)m->n_nodes;
  d->n_segments = (int32_t)m->n_segments;
  d->n_bodies = (int32_t)m->n_bodies;
  d->n_planes = (int32_t)vb_scene_count(m->scene, VB_SET_HALF_PLANE);
  if (contact) {
    d->number_bits = bits_of(m->n_segments);
    d->bucket_bits = bits_of(2 * m->n_segments);
    d->n_buckets = INT32_C(1) << d->bucket_bits;
    d->margin = (viper_scalar)contact->margin;
    d->at_rest = (viper_scalar)contact->static_friction;
    d->sliding = (viper_scalar)contact->kinetic_friction;
  }
}

static vb_status create(const viper_contact_setup *setup, void **out, vb_error *error) {
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->model = setup->model;
  dm->between = vb_scene_contact(dm->model->scene) != NULL;
  vb_status status = place_bodies(dm, setup, error);
  if (!status && dm->between)
    status = viper_filter_create(dm->model, &dm->filter, error);
  if (status) {
    destroy(dm);
    return status;
  }
  set_numbers(dm);
  *out = dm;
  return VB_OK;
}

/// What a crowd at rest needs and then some; it grows where that is not enough.
static viper_contact_rooms rooms(const void *self) {
  const device_model *dm = self;
  if (!dm->between)
    return (viper_contact_rooms){0};
  int32_t n = (int32_t)dm->model->n_segments;
  return (viper_contact_rooms){8 * n + 4096, n + 1024};
}

static void place_nodes(device_model *dm, viper_memory *b) {
  const viper_model *m = dm->model;
  viper_contact_node *node;
  int32_t *place, *hat;
  double *mass;
  dm->device.node = viper_memory_reserve(b, m->n_nodes, sizeof *node, &node);
  dm->device.place = viper_memory_reserve(b, m->n_nodes, sizeof *place, &place);
  dm->device.place_hat = viper_memory_reserve(b, m->n_nodes, sizeof *hat, &hat);
  dm->device.mass = viper_memory_reserve(b, m->n_nodes, sizeof *mass, &mass);
  for (size_t k = 0; node && k < m->n_bodies; k++)
    for (int32_t i = 0; i < m->body[k].n_nodes; i++) {
      int32_t at = m->body[k].first_node + i;
      const viper_model_node *from = &m->node[at];
      viper_contact_node_fill(&node[at], from);
      mass[at] = from->mass;
      place[at] = (int32_t)(dm->workspace_first[k] / 4) + i; // see viper_workspace_at
      hat[at] = place[at] + m->body[k].n_nodes;
    }
}

/// A body's mass, summed as its nodes go; 0 where one of its centers is pinned.
static double mass_of(const viper_model *m, const viper_model_body *body) {
  double mass = 0;
  for (int32_t i = 0; body->free_center && i < body->n_nodes; i++)
    mass += m->node[body->first_node + i].mass;
  return mass;
}

static void place_masses(device_model *dm, viper_memory *b) {
  const viper_model *m = dm->model;
  double *mass;
  int32_t *first;
  dm->device.workspace_first =
      viper_memory_copy(b, dm->workspace_first, m->n_bodies, sizeof *dm->workspace_first);
  dm->device.body_mass = viper_memory_reserve(b, m->n_bodies, sizeof *mass, &mass);
  dm->device.body_node = viper_memory_reserve(b, m->n_bodies + 1, sizeof *first, &first);
  for (size_t k = 0; mass && k < m->n_bodies; k++) {
    mass[k] = mass_of(m, &m->body[k]);
    first[k] = m->body[k].first_node;
    first[k + 1] = m->body[k].first_node + m->body[k].n_nodes;
  }
}

static void place_planes(device_model *dm, viper_memory *b) {
  size_t n;
  const vb_half_plane *from = vb_scene_half_planes(dm->model->scene, &n);
  viper_plane *plane;
  dm->device.plane = viper_memory_reserve(b, n, sizeof *plane, &plane);
  for (size_t p = 0; plane && p < n; p++)
    viper_plane_fill(&plane[p], &from[p]);
}

static void place_filter(device_model *dm, viper_memory *b) {
  const viper_filter *f = &dm->filter;
  size_t n = dm->between ? dm->model->n_segments : 0;
  int32_t *node;
  dm->device.body = viper_memory_copy(b, f->body, n, sizeof *f->body);
  dm->device.groups = viper_memory_copy(b, f->groups, n, sizeof *f->groups);
  dm->device.meets = viper_memory_copy(b, f->meets, n, sizeof *f->meets);
  if (f->first_apart) {
    dm->device.first_apart = viper_memory_copy(b, f->first_apart, n + 1, sizeof *f->first_apart);
    dm->device.apart = viper_memory_copy(b, f->apart, (size_t)f->first_apart[n], sizeof *f->apart);
  }
  dm->device.segment_node = viper_memory_reserve(b, 2 * n, sizeof *node, &node);
  for (size_t j = 0; node && j < n; j++)
    for (size_t end = 0; end < 2; end++)
      node[2 * j + end] = dm->model->segment[j].node[end];
}

static size_t place_rest(device_model *dm, viper_memory *b) {
  dm->device.run = viper_memory_room(b, 1, sizeof *dm->device.run);
  place_nodes(dm, b);
  place_masses(dm, b);
  place_planes(dm, b);
  place_filter(dm, b);
  return b->at;
}

/// What finding contacts between capsules takes.
static void place_find(device_model *dm, viper_memory *b) {
  viper_contact_device *d = &dm->device;
  size_t s = dm->between ? dm->model->n_segments : 0, n = dm->model->n_nodes;
  size_t buckets = (size_t)d->n_buckets, touches = (size_t)d->rooms.touches;
  d->capsule = viper_memory_room(b, s, sizeof *d->capsule);
  d->sphere = viper_memory_room(b, 4 * s, sizeof *d->sphere);
  d->cell = viper_memory_room(b, s, sizeof *d->cell);
  d->bucket = viper_memory_room(b, s, sizeof *d->bucket);
  d->bucket_out = viper_memory_room(b, s, sizeof *d->bucket_out);
  d->segment = viper_memory_room(b, s, sizeof *d->segment);
  d->segment_out = viper_memory_room(b, s, sizeof *d->segment_out);
  d->begin = viper_memory_room(b, buckets, sizeof *d->begin);
  d->end = viper_memory_room(b, buckets, sizeof *d->end);
  d->pair = viper_memory_room(b, (size_t)d->rooms.pairs, sizeof *d->pair);
  d->found = viper_memory_room(b, touches, sizeof *d->found);
  d->key = viper_memory_room(b, touches, sizeof *d->key);
  d->key_out = viper_memory_room(b, touches, sizeof *d->key_out);
  d->number = viper_memory_room(b, touches, sizeof *d->number);
  d->number_out = viper_memory_room(b, touches, sizeof *d->number_out);
  d->color = viper_memory_room(b, touches, sizeof *d->color);
  d->color_out = viper_memory_room(b, touches, sizeof *d->color_out);
  d->order_out = viper_memory_room(b, touches, sizeof *d->order_out);
  d->between = viper_memory_room(b, touches, sizeof *d->between);
  d->head = viper_memory_room(b, n, sizeof *d->head);
  d->taken = viper_memory_room(b, n, sizeof *d->taken);
}

static size_t place_room(device_model *dm, viper_memory *b) {
  viper_contact_device *d = &dm->device;
  size_t n = dm->model->n_nodes;
  d->report = viper_memory_room(b, 1, sizeof *d->report);
  d->count = viper_memory_room(b, 1, sizeof *d->count);
  d->workspace =
      viper_memory_room(b, (size_t)dm->workspace_first[dm->model->n_bodies], sizeof *d->workspace);
  d->n_rests = viper_memory_room(b, n, sizeof *d->n_rests);
  d->rest = viper_memory_room(b, n * (size_t)d->n_planes, sizeof *d->rest);
  d->limit = viper_memory_room(b, n, sizeof *d->limit);
  d->active = viper_memory_room(b, n, sizeof *d->active);
  place_find(dm, b);
  return b->at;
}

static viper_contact_bytes bytes(const void *self, viper_contact_rooms with) {
  device_model counted = *(const device_model *)self; // what is laid out stays where it is
  viper_memory rest = {0}, room = {0};
  counted.device.rooms = with;
  return (viper_contact_bytes){place_rest(&counted, &rest), place_room(&counted, &room)};
}

static void fill(void *self, char *out, char *rest_at) {
  viper_memory rest = viper_memory_at(out, rest_at);
  place_rest(self, &rest);
}

static const void *lay(void *self, viper_contact_rooms with, char *room_at) {
  device_model *dm = self;
  viper_memory room = viper_memory_at(NULL, room_at);
  dm->device.rooms = with;
  place_room(dm, &room);
  return &dm->device;
}

/// A number of the working precision from its bits.
static double from_bits(uint64_t bits) {
  viper_scalar out;
#if VIPER_PRECISION == 32
  uint32_t own = (uint32_t)bits;
#else
  uint64_t own = bits;
#endif
  memcpy(&out, &own, sizeof out);
  return (double)out;
}

static void report(const char *rest, const char *room, double out[VIPER_N_CONTACT]) {
  viper_contact_run run;
  viper_contact_report contacts;
  memcpy(&run, rest, sizeof run);
  memcpy(&contacts, room, sizeof contacts);
  out[0] = contacts.n_pushing;
  memcpy(&out[1], &contacts.complementarity, sizeof out[1]);
  out[2] = from_bits(run.speed);
  out[3] = from_bits(run.fastest);
}

const viper_contact_upload_api VIPER_NAME(viper_contact_upload) = {
    create, destroy, rooms, bytes, fill, lay, report, sizeof(viper_contact_report)};
