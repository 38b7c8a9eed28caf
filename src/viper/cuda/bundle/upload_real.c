// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's bundles laid out for a device: see host.h.
#include "viper/bundle/bundle_residual.h"
#include "viper/cuda/bundle/device.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/cuda/core/memory.h"
#include "viper/cuda/core/workspace.h"

#include <stdlib.h>

typedef struct image {
  viper_bundle_setup setup;
  viper_bundles bundles;
  int64_t *near_first; ///< [n_bodies + 1] where each body begins in `near`, numbers
  viper_bundle_device device;
  viper_bundle_bytes bytes;
} image;

static void destroy(void *self) {
  image *im = self;
  if (!im)
    return;
  viper_bundles_destroy(&im->bundles);
  free(im->near_first);
  free(im);
}

static void place_left(image *im, viper_memory *b) {
  viper_bundle_device *d = &im->device;
  size_t n = 4 * im->setup.model->n_nodes, s = 4 * im->setup.model->n_segments;
  d->node_left = viper_memory_room(b, n, sizeof *d->node_left);
  d->node_hat = viper_memory_room(b, n, sizeof *d->node_hat);
  d->node_hat0 = viper_memory_room(b, n, sizeof *d->node_hat0);
  d->frame_left = viper_memory_room(b, s, sizeof *d->frame_left);
  d->frame_hat = viper_memory_room(b, s, sizeof *d->frame_hat);
  d->frame_hat0 = viper_memory_room(b, s, sizeof *d->frame_hat0);
  im->bytes.left = b->at;
}

static void place_room(image *im, viper_memory *b) {
  viper_bundle_device *d = &im->device;
  size_t reals = (size_t)im->near_first[im->setup.model->n_bodies];
  place_left(im, b);
  d->bodies.near = viper_memory_room(b, reals, sizeof *d->bodies.near);
  d->now = viper_memory_room(b, im->bundles.n_members, sizeof *d->now);
  d->goal = viper_memory_room(b, im->bundles.n_members, sizeof *d->goal);
}

/// Where the elements of a body are worked on.
static void write_body(const image *im, const viper_kind *kind, int32_t body,
                       viper_bundle_node *node, viper_bundle_segment *segment) {
  const viper_model *m = im->setup.model;
  const viper_model_body *b = &m->body[body];
  viper_real *all = im->device.bodies.near;
  viper_near near =
      viper_near_at(im->setup.method, all + im->near_first[body], viper_near_size_of_kind(kind));
  for (int32_t i = 0; i < b->n_nodes; i++)
    node[b->first_node + i] = (viper_bundle_node){
        (int32_t)((near.node - all) / 4) + i,
        (int32_t)((near.node_hat - all) / 4) + i,
        m->node[b->first_node + i].pinned,
    };
  for (int32_t j = 0; j < b->n_segments; j++) {
    const viper_model_segment *from = &m->segment[b->first_segment + j];
    segment[b->first_segment + j] = (viper_bundle_segment){
        .node = {from->node[0], from->node[1]},
        .row = (int32_t)((near.frame - all) / 4) + j,
        .hat = (int32_t)((near.frame_hat - all) / 4) + j,
        .pinned = (from->pinned & VB_PIN_FRAME) != 0,
        .rest = (viper_scalar)from->frame_inertia,
        .inertia = near.inertia - all + j,
    };
  }
}

/// After the room: it is told where bodies are worked on.
static void place_elements(image *im, viper_memory *b) {
  const viper_kinds *kinds = im->setup.kinds;
  viper_bundle_node *node;
  viper_bundle_segment *segment;
  im->device.node = viper_memory_reserve(b, im->setup.model->n_nodes, sizeof *node, &node);
  im->device.segment =
      viper_memory_reserve(b, im->setup.model->n_segments, sizeof *segment, &segment);
  for (size_t k = 0; node && k < kinds->n_kinds; k++)
    for (int32_t i = 0; i < kinds->kind[k].n_bodies; i++)
      write_body(im, &kinds->kind[k], kinds->kind[k].body[i], node, segment);
}

static void place_rest(image *im, viper_memory *b) {
  viper_bundle_device *d = &im->device;
  const viper_bundles *from = &im->bundles;
  size_t n_shares = (size_t)from->first_share[from->n_nodes];
  d->bundle = viper_memory_copy(b, from->bundle, from->n, sizeof *from->bundle);
  d->member = viper_memory_copy(b, from->member, from->n_members, sizeof *from->member);
  d->in_bundle = viper_memory_copy(b, from->node, from->n_nodes, sizeof *from->node);
  d->first_share =
      viper_memory_copy(b, from->first_share, from->n_nodes + 1, sizeof *from->first_share);
  d->share = viper_memory_copy(b, from->share, n_shares, sizeof *from->share);
  d->bodies.near_first =
      viper_memory_copy(b, im->near_first, im->setup.model->n_bodies, sizeof *im->near_first);
  // Counts stay the zeros that the block is full of.
  d->bodies.run = viper_memory_room(b, 1, sizeof *d->bodies.run);
  d->bodies.count = viper_memory_room(b, 1, sizeof *d->bodies.count);
  place_elements(im, b);
}

static vb_status create(const viper_bundle_setup *setup, void **out, vb_error *error) {
  size_t n_bodies = setup->model->n_bodies;
  viper_memory rest = {0}, room = {0};
  image *im = calloc(1, sizeof *im);
  if (!im)
    return vb_error_memory(error);
  im->setup = *setup;
  im->near_first = calloc(n_bodies + 1, sizeof *im->near_first);
  vb_status status = im->near_first ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_bundles_create(setup->model, &im->bundles, error);
  if (status) {
    destroy(im);
    return status;
  }
  viper_place_near(setup->kinds, setup->method, n_bodies, im->near_first);
  im->device.n_bundles = (int32_t)im->bundles.n;
  im->device.n_members = (int32_t)im->bundles.n_members;
  im->device.n_in_bundle = (int32_t)im->bundles.n_nodes;
  im->device.n_nodes = (int32_t)setup->model->n_nodes;
  im->device.n_segments = (int32_t)setup->model->n_segments;
  place_room(im, &room);
  place_rest(im, &rest);
  im->bytes.rest = rest.at;
  im->bytes.room = room.at;
  *out = im;
  return VB_OK;
}

static viper_bundle_bytes bytes(const void *self) {
  return ((const image *)self)->bytes;
}

static const void *fill(void *self, char *out, char *rest_at, char *room_at) {
  image *im = self;
  viper_memory rest = viper_memory_at(out, rest_at), room = viper_memory_at(NULL, room_at);
  place_room(im, &room);
  place_rest(im, &rest);
  return &im->device;
}

static const void *bodies(const void *self) {
  return &((const image *)self)->device.bodies;
}

/// Where an array of what is left lies in a copy of it.
static size_t in_left(const image *im, const viper_real *array) {
  return (size_t)((const char *)array - (const char *)im->device.node_left);
}

static void write_rows(const image *im, const double *from, size_t n, const viper_real *array,
                       char *out) {
  for (size_t k = 0; k < 4 * n; k++) {
    viper_real x = (viper_real)from[k];
    memcpy(out + in_left(im, array) + k * sizeof x, &x, sizeof x);
  }
}

static void put(const void *self, const viper_state *state, char *out) {
  const image *im = self;
  const viper_bundle_device *d = &im->device;
  size_t n = im->setup.model->n_nodes, s = im->setup.model->n_segments;
  write_rows(im, state->node, n, d->node_left, out);
  write_rows(im, state->node_hat, n, d->node_hat, out);
  write_rows(im, state->node_hat, n, d->node_hat0, out);
  write_rows(im, state->frame, s, d->frame_left, out);
  write_rows(im, state->frame_hat, s, d->frame_hat, out);
  write_rows(im, state->frame_hat, s, d->frame_hat0, out);
}

static vb_status residual(const void *self, const char *left, double h, double *out,
                          vb_error *error) {
  const image *im = self;
  const viper_bundle_device *d = &im->device;
  const viper_bundle_left at = {
      left + in_left(im, d->node_left), left + in_left(im, d->frame_left),
      left + in_left(im, d->node_hat),  left + in_left(im, d->frame_hat),
      left + in_left(im, d->node_hat0), left + in_left(im, d->frame_hat0),
  };
  return VIPER_NAME(viper_bundle_residual)(im->setup.model, &at, h, out, error);
}

const viper_bundle_image_api VIPER_NAME(viper_bundle_image) = {create, destroy, bytes,   fill,
                                                               bodies, put,     residual};
