// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's contact laid out for a device: see host.h.
#include "viper/contact/filter.h"
#include "viper/contact/rest.h"
#include "viper/cuda/contact/device.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/cuda/core/memory.h"

#include <stdlib.h>

typedef struct image {
  const viper_model *model;
  viper_filter filter;
  bool between;        ///< whether pills touch each other
  int64_t *near_first; ///< [n_bodies + 1] where each body begins in `near`, numbers
  viper_contact_device device;
} image;

static void destroy(void *self) {
  image *im = self;
  if (!im)
    return;
  viper_filter_destroy(&im->filter);
  free(im->near_first);
  free(im);
}

/// Where bodies begin in `near`: rows of four each.
static vb_status place_bodies(image *im, const viper_contact_setup *setup, vb_error *error) {
  size_t n = im->model->n_bodies;
  im->near_first = calloc(n + 1, sizeof *im->near_first);
  if (!im->near_first)
    return vb_error_memory(error);
  viper_place_near(setup->kinds, setup->method, n, im->near_first);
  return VB_OK;
}

/// The least number of bits that hold all numbers below `n`.
static int32_t bits_of(size_t n) {
  int32_t bits = 1;
  while ((size_t)1 << bits < n)
    bits++;
  return bits;
}

static void set_numbers(image *im) {
  viper_contact_device *d = &im->device;
  const viper_model *m = im->model;
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
  image *im = calloc(1, sizeof *im);
  if (!im)
    return vb_error_memory(error);
  im->model = setup->model;
  im->between = vb_scene_contact(im->model->scene) != NULL;
  vb_status status = place_bodies(im, setup, error);
  if (!status && im->between)
    status = viper_filter_create(im->model, &im->filter, error);
  if (status) {
    destroy(im);
    return status;
  }
  set_numbers(im);
  *out = im;
  return VB_OK;
}

/// What a crowd at rest needs and then some; it grows where that is not enough.
static viper_contact_rooms rooms(const void *self) {
  const image *im = self;
  if (!im->between)
    return (viper_contact_rooms){0};
  int32_t n = (int32_t)im->model->n_segments;
  return (viper_contact_rooms){8 * n + 4096, n + 1024};
}

static void place_nodes(image *im, viper_memory *b) {
  const viper_model *m = im->model;
  viper_contact_node *node;
  int32_t *place, *hat;
  double *mass;
  im->device.node = viper_memory_reserve(b, m->n_nodes, sizeof *node, &node);
  im->device.place = viper_memory_reserve(b, m->n_nodes, sizeof *place, &place);
  im->device.place_hat = viper_memory_reserve(b, m->n_nodes, sizeof *hat, &hat);
  im->device.mass = viper_memory_reserve(b, m->n_nodes, sizeof *mass, &mass);
  for (size_t k = 0; node && k < m->n_bodies; k++)
    for (int32_t i = 0; i < m->body[k].n_nodes; i++) {
      int32_t at = m->body[k].first_node + i;
      const viper_model_node *from = &m->node[at];
      viper_contact_node_fill(&node[at], from);
      mass[at] = from->mass;
      place[at] = (int32_t)(im->near_first[k] / 4) + i; // see viper_near_at
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

static void place_masses(image *im, viper_memory *b) {
  const viper_model *m = im->model;
  double *mass;
  int32_t *first;
  im->device.near_first = viper_memory_copy(b, im->near_first, m->n_bodies, sizeof *im->near_first);
  im->device.body_mass = viper_memory_reserve(b, m->n_bodies, sizeof *mass, &mass);
  im->device.body_node = viper_memory_reserve(b, m->n_bodies + 1, sizeof *first, &first);
  for (size_t k = 0; mass && k < m->n_bodies; k++) {
    mass[k] = mass_of(m, &m->body[k]);
    first[k] = m->body[k].first_node;
    first[k + 1] = m->body[k].first_node + m->body[k].n_nodes;
  }
}

static void place_planes(image *im, viper_memory *b) {
  size_t n;
  const vb_half_plane *from = vb_scene_half_planes(im->model->scene, &n);
  viper_plane *plane;
  im->device.plane = viper_memory_reserve(b, n, sizeof *plane, &plane);
  for (size_t p = 0; plane && p < n; p++)
    viper_plane_fill(&plane[p], &from[p]);
}

static void place_filter(image *im, viper_memory *b) {
  const viper_filter *f = &im->filter;
  size_t n = im->between ? im->model->n_segments : 0;
  int32_t *node;
  im->device.body = viper_memory_copy(b, f->body, n, sizeof *f->body);
  im->device.groups = viper_memory_copy(b, f->groups, n, sizeof *f->groups);
  im->device.meets = viper_memory_copy(b, f->meets, n, sizeof *f->meets);
  if (f->first_apart) {
    im->device.first_apart = viper_memory_copy(b, f->first_apart, n + 1, sizeof *f->first_apart);
    im->device.apart = viper_memory_copy(b, f->apart, (size_t)f->first_apart[n], sizeof *f->apart);
  }
  im->device.segment_node = viper_memory_reserve(b, 2 * n, sizeof *node, &node);
  for (size_t j = 0; node && j < n; j++)
    for (size_t end = 0; end < 2; end++)
      node[2 * j + end] = im->model->segment[j].node[end];
}

static size_t place_rest(image *im, viper_memory *b) {
  im->device.run = viper_memory_room(b, 1, sizeof *im->device.run);
  place_nodes(im, b);
  place_masses(im, b);
  place_planes(im, b);
  place_filter(im, b);
  return b->at;
}

/// What finding contacts between pills takes.
static void place_find(image *im, viper_memory *b) {
  viper_contact_device *d = &im->device;
  size_t s = im->between ? im->model->n_segments : 0, n = im->model->n_nodes;
  size_t buckets = (size_t)d->n_buckets, touches = (size_t)d->rooms.touches;
  d->pill = viper_memory_room(b, s, sizeof *d->pill);
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

static size_t place_room(image *im, viper_memory *b) {
  viper_contact_device *d = &im->device;
  size_t n = im->model->n_nodes;
  d->told = viper_memory_room(b, 1, sizeof *d->told);
  d->count = viper_memory_room(b, 1, sizeof *d->count);
  d->near = viper_memory_room(b, (size_t)im->near_first[im->model->n_bodies], sizeof *d->near);
  d->n_rests = viper_memory_room(b, n, sizeof *d->n_rests);
  d->rest = viper_memory_room(b, n * (size_t)d->n_planes, sizeof *d->rest);
  d->limit = viper_memory_room(b, n, sizeof *d->limit);
  d->active = viper_memory_room(b, n, sizeof *d->active);
  place_find(im, b);
  return b->at;
}

static viper_contact_bytes bytes(const void *self, viper_contact_rooms with) {
  image counted = *(const image *)self; // what is laid out stays where it is
  viper_memory rest = {0}, room = {0};
  counted.device.rooms = with;
  return (viper_contact_bytes){place_rest(&counted, &rest), place_room(&counted, &room)};
}

static void fill(void *self, char *out, char *rest_at) {
  viper_memory rest = viper_memory_at(out, rest_at);
  place_rest(self, &rest);
}

static const void *lay(void *self, viper_contact_rooms with, char *room_at) {
  image *im = self;
  viper_memory room = viper_memory_at(NULL, room_at);
  im->device.rooms = with;
  place_room(im, &room);
  return &im->device;
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

static void told(const char *rest, const char *room, double out[VIPER_N_CONTACT]) {
  viper_contact_run run;
  viper_contact_told contacts;
  memcpy(&run, rest, sizeof run);
  memcpy(&contacts, room, sizeof contacts);
  out[0] = contacts.n_pushing;
  memcpy(&out[1], &contacts.complementarity, sizeof out[1]);
  out[2] = from_bits(run.speed);
  out[3] = from_bits(run.fastest);
}

const viper_contact_image_api VIPER_NAME(viper_contact_image) = {
    create, destroy, rooms, bytes, fill, lay, told, sizeof(viper_contact_told)};
