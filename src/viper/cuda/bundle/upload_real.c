// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's bundles laid out for a device: see host.h.
#include "viper/bundle/bundle_residual.h"
#include "viper/cuda/bundle/device.h"
#include "viper/cuda/core/coop_plan.h"
#include "viper/cuda/core/memory.h"
#include "viper/cuda/core/workspace.h"

#include <stdlib.h>

typedef struct device_model {
  viper_bundle_setup setup;
  viper_bundles bundles;
  int64_t *workspace_first; ///< [n_bodies + 1] where each body begins in `workspace`, numbers
  viper_bundle_device device;
  viper_bundle_bytes bytes;
} device_model;

static void destroy(void *self) {
  device_model *dm = self;
  if (!dm)
    return;
  viper_bundles_destroy(&dm->bundles);
  free(dm->workspace_first);
  free(dm);
}

static void place_left(device_model *dm, viper_memory *b) {
  viper_bundle_device *d = &dm->device;
  size_t n = 4 * dm->setup.model->n_nodes, s = 4 * dm->setup.model->n_segments;
  d->node_left = viper_memory_room(b, n, sizeof *d->node_left);
  d->node_hat = viper_memory_room(b, n, sizeof *d->node_hat);
  d->node_hat0 = viper_memory_room(b, n, sizeof *d->node_hat0);
  d->frame_left = viper_memory_room(b, s, sizeof *d->frame_left);
  d->frame_hat = viper_memory_room(b, s, sizeof *d->frame_hat);
  d->frame_hat0 = viper_memory_room(b, s, sizeof *d->frame_hat0);
  dm->bytes.left = b->at;
}

static void place_room(device_model *dm, viper_memory *b) {
  viper_bundle_device *d = &dm->device;
  size_t reals = (size_t)dm->workspace_first[dm->setup.model->n_bodies];
  place_left(dm, b);
  d->bodies.workspace = viper_memory_room(b, reals, sizeof *d->bodies.workspace);
  d->now = viper_memory_room(b, dm->bundles.n_members, sizeof *d->now);
  d->goal = viper_memory_room(b, dm->bundles.n_members, sizeof *d->goal);
}

/// Where the elements of a body are worked on.
static void write_body(const device_model *dm, const viper_body_group *group, int32_t body,
                       viper_bundle_node *node, viper_bundle_segment *segment) {
  const viper_model *m = dm->setup.model;
  const viper_model_body *b = &m->body[body];
  viper_real *all = dm->device.bodies.workspace;
  viper_workspace workspace = viper_workspace_at(dm->setup.method, all + dm->workspace_first[body],
                                                 viper_workspace_size_of_body_group(group));
  for (int32_t i = 0; i < b->n_nodes; i++)
    node[b->first_node + i] = (viper_bundle_node){
        (int32_t)((workspace.node - all) / 4) + i,
        (int32_t)((workspace.node_hat - all) / 4) + i,
        m->node[b->first_node + i].pinned,
    };
  for (int32_t j = 0; j < b->n_segments; j++) {
    const viper_model_segment *from = &m->segment[b->first_segment + j];
    segment[b->first_segment + j] = (viper_bundle_segment){
        .node = {from->node[0], from->node[1]},
        .row = (int32_t)((workspace.frame - all) / 4) + j,
        .hat = (int32_t)((workspace.frame_hat - all) / 4) + j,
        .pinned = (from->pinned & VB_PIN_FRAME) != 0,
        .rest = (viper_scalar)from->frame_inertia,
        .inertia = workspace.inertia - all + j,
    };
  }
}

/// After the room: it is told where bodies are worked on.
static void place_elements(device_model *dm, viper_memory *b) {
  const viper_body_groups *body_groups = dm->setup.body_groups;
  viper_bundle_node *node;
  viper_bundle_segment *segment;
  dm->device.node = viper_memory_reserve(b, dm->setup.model->n_nodes, sizeof *node, &node);
  dm->device.segment =
      viper_memory_reserve(b, dm->setup.model->n_segments, sizeof *segment, &segment);
  for (size_t k = 0; node && k < body_groups->n_groups; k++)
    for (int32_t i = 0; i < body_groups->group[k].n_bodies; i++)
      write_body(dm, &body_groups->group[k], body_groups->group[k].body[i], node, segment);
}

static void place_rest(device_model *dm, viper_memory *b) {
  viper_bundle_device *d = &dm->device;
  const viper_bundles *from = &dm->bundles;
  size_t n_shares = (size_t)from->first_share[from->n_nodes];
  d->bundle = viper_memory_copy(b, from->bundle, from->n, sizeof *from->bundle);
  d->member = viper_memory_copy(b, from->member, from->n_members, sizeof *from->member);
  d->in_bundle = viper_memory_copy(b, from->node, from->n_nodes, sizeof *from->node);
  d->first_share =
      viper_memory_copy(b, from->first_share, from->n_nodes + 1, sizeof *from->first_share);
  d->share = viper_memory_copy(b, from->share, n_shares, sizeof *from->share);
  d->bodies.workspace_first = viper_memory_copy(b, dm->workspace_first, dm->setup.model->n_bodies,
                                                sizeof *dm->workspace_first);
  // Counts stay the zeros that the block is full of.
  d->bodies.run = viper_memory_room(b, 1, sizeof *d->bodies.run);
  d->bodies.count = viper_memory_room(b, 1, sizeof *d->bodies.count);
  place_elements(dm, b);
}

static vb_status create(const viper_bundle_setup *setup, void **out, vb_error *error) {
  size_t n_bodies = setup->model->n_bodies;
  viper_memory rest = {0}, room = {0};
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->setup = *setup;
  dm->workspace_first = calloc(n_bodies + 1, sizeof *dm->workspace_first);
  vb_status status = dm->workspace_first ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_bundles_create(setup->model, &dm->bundles, error);
  if (status) {
    destroy(dm);
    return status;
  }
  viper_place_workspaces(setup->body_groups, setup->method, n_bodies, dm->workspace_first);
  dm->device.n_bundles = (int32_t)dm->bundles.n;
  dm->device.n_members = (int32_t)dm->bundles.n_members;
  dm->device.n_in_bundle = (int32_t)dm->bundles.n_nodes;
  dm->device.n_nodes = (int32_t)setup->model->n_nodes;
  dm->device.n_segments = (int32_t)setup->model->n_segments;
  place_room(dm, &room);
  place_rest(dm, &rest);
  dm->bytes.rest = rest.at;
  dm->bytes.room = room.at;
  *out = dm;
  return VB_OK;
}

static viper_bundle_bytes bytes(const void *self) {
  return ((const device_model *)self)->bytes;
}

static const void *fill(void *self, char *out, char *rest_at, char *room_at) {
  device_model *dm = self;
  viper_memory rest = viper_memory_at(out, rest_at), room = viper_memory_at(NULL, room_at);
  place_room(dm, &room);
  place_rest(dm, &rest);
  return &dm->device;
}

static const void *bodies(const void *self) {
  return &((const device_model *)self)->device.bodies;
}

/// Where an array of what is left lies in a copy of it.
static size_t in_left(const device_model *dm, const viper_real *array) {
  return (size_t)((const char *)array - (const char *)dm->device.node_left);
}

static void write_rows(const device_model *dm, const double *from, size_t n,
                       const viper_real *array, char *out) {
  for (size_t k = 0; k < 4 * n; k++) {
    viper_real x = (viper_real)from[k];
    memcpy(out + in_left(dm, array) + k * sizeof x, &x, sizeof x);
  }
}

static void put(const void *self, const viper_state *state, char *out) {
  const device_model *dm = self;
  const viper_bundle_device *d = &dm->device;
  size_t n = dm->setup.model->n_nodes, s = dm->setup.model->n_segments;
  write_rows(dm, state->node, n, d->node_left, out);
  write_rows(dm, state->node_hat, n, d->node_hat, out);
  write_rows(dm, state->node_hat, n, d->node_hat0, out);
  write_rows(dm, state->frame, s, d->frame_left, out);
  write_rows(dm, state->frame_hat, s, d->frame_hat, out);
  write_rows(dm, state->frame_hat, s, d->frame_hat0, out);
}

static vb_status residual(const void *self, const char *left, double h, double *out,
                          vb_error *error) {
  const device_model *dm = self;
  const viper_bundle_device *d = &dm->device;
  const viper_bundle_end_state at = {
      left + in_left(dm, d->node_left), left + in_left(dm, d->frame_left),
      left + in_left(dm, d->node_hat),  left + in_left(dm, d->frame_hat),
      left + in_left(dm, d->node_hat0), left + in_left(dm, d->frame_hat0),
  };
  return VIPER_NAME(viper_bundle_residual)(dm->setup.model, &at, h, out, error);
}

const viper_bundle_upload_api VIPER_NAME(viper_bundle_upload) = {create, destroy, bytes,   fill,
                                                                 bodies, put,     residual};
