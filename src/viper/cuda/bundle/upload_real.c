// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's bundles laid out for a device: see host.h.
#include "viper/bundle/bundle_residual.h"
#include "viper/cuda/bundle/device.h"

#include <stdlib.h>

typedef struct device_model {
  viper_device_model base;
  viper_joined_setup setup;
  viper_bundles bundles;
  int64_t *workspace_first; ///< [n_bodies + 1] where each body begins in `workspace`, numbers
  viper_bundle_device device;
  size_t left; ///< bytes of what a substep leaves
} device_model;

static void destroy(viper_device_model *self) {
  device_model *dm = (device_model *)self;
  viper_bundles_destroy(&dm->bundles);
  free(dm->workspace_first);
  free(dm);
}

static void place_left(device_model *dm, viper_memory *b) {
  viper_bundle_device *d = &dm->device;
  size_t n = 4 * dm->setup.model->n_nodes, s = 4 * dm->setup.model->n_segments;
  VIPER_ROOM(b, d->node_left, n);
  VIPER_ROOM(b, d->node_hat, n);
  VIPER_ROOM(b, d->node_hat0, n);
  VIPER_ROOM(b, d->frame_left, s);
  VIPER_ROOM(b, d->frame_hat, s);
  VIPER_ROOM(b, d->frame_hat0, s);
  if (viper_has_contact(dm->setup.model))
    VIPER_ROOM(b, d->node_bundled, n);
  dm->left = b->at;
}

static void place_room(device_model *dm, viper_memory *b) {
  viper_bundle_device *d = &dm->device;
  const viper_model *m = dm->setup.model;
  place_left(dm, b);
  if (viper_has_contact(m)) {
    VIPER_ROOM(b, d->node_pushed, 4 * m->n_nodes);
    VIPER_ROOM(b, d->frame_pushed, 4 * m->n_segments);
  } else {
    VIPER_ROOM(b, d->bodies.workspace, (size_t)dm->workspace_first[m->n_bodies]);
  }
  VIPER_ROOM(b, d->now, dm->bundles.n_members);
  VIPER_ROOM(b, d->goal, dm->bundles.n_members);
}

/// Where the elements of a body are worked on: places in a workspace, wherever that is.
static void write_body(const device_model *dm, const viper_body_group *group, int32_t body,
                       viper_bundle_node *node, viper_bundle_segment *segment) {
  const viper_model *m = dm->setup.model;
  const viper_model_body *b = &m->body[body];
  viper_real *all = dm->device.node_left;
  viper_workspace workspace =
      viper_workspace_at(dm->setup.settings.method, all + dm->workspace_first[body],
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

/// After memory is assigned: it depends on where bodies are computed.
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
  d->bundle = VIPER_COPY(b, from->bundle, from->n);
  d->member = VIPER_COPY(b, from->member, from->n_members);
  d->in_bundle = VIPER_COPY(b, from->node, from->n_nodes);
  d->first_share = VIPER_COPY(b, from->first_share, from->n_nodes + 1);
  d->share = VIPER_COPY(b, from->share, n_shares);
  d->bodies.workspace_first = VIPER_COPY(b, dm->workspace_first, dm->setup.model->n_bodies);
  // Counts stay the zeros that the block is full of.
  VIPER_ROOM(b, d->bodies.run, 1);
  VIPER_ROOM(b, d->bodies.count, 1);
  place_elements(dm, b);
}

static void place(viper_device_model *self, viper_memory *rest, viper_memory *room) {
  place_room((device_model *)self, room);
  place_rest((device_model *)self, rest);
}

static vb_status create(const viper_joined_setup *setup, viper_device_model **out,
                        vb_error *error) {
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->base = (viper_device_model){&dm->device, place, destroy};
  dm->setup = *setup;
  dm->workspace_first =
      viper_place_workspaces(setup->body_groups, setup->settings.method, setup->model->n_bodies);
  vb_status status = dm->workspace_first ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_bundles_create(setup->model, setup->settings.bundle_scale, &dm->bundles, error);
  if (status) {
    destroy(&dm->base);
    return status;
  }
  dm->device.n_bundles = (int32_t)dm->bundles.n;
  dm->device.n_members = (int32_t)dm->bundles.n_members;
  dm->device.n_in_bundle = (int32_t)dm->bundles.n_nodes;
  dm->device.n_nodes = (int32_t)setup->model->n_nodes;
  dm->device.n_segments = (int32_t)setup->model->n_segments;
  *out = &dm->base;
  return VB_OK;
}

static size_t left(const viper_device_model *self) {
  return ((const device_model *)self)->left;
}

static const void *bodies(const viper_device_model *self) {
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

static void put(const viper_device_model *self, const viper_state *state, char *out) {
  const device_model *dm = (const device_model *)self;
  const viper_bundle_device *d = &dm->device;
  size_t n = dm->setup.model->n_nodes, s = dm->setup.model->n_segments;
  write_rows(dm, state->node, n, d->node_left, out);
  write_rows(dm, state->node_hat, n, d->node_hat, out);
  write_rows(dm, state->node_hat, n, d->node_hat0, out);
  if (d->node_bundled)
    write_rows(dm, state->node_hat0, n, d->node_bundled, out);
  write_rows(dm, state->frame, s, d->frame_left, out);
  write_rows(dm, state->frame_hat, s, d->frame_hat, out);
  write_rows(dm, state->frame_hat, s, d->frame_hat0, out);
}

static vb_status residual(const viper_device_model *self, const char *from, double h,
                          const double *load, const double *active, double *out, vb_error *error) {
  const device_model *dm = (const device_model *)self;
  const viper_bundle_device *d = &dm->device;
  const viper_bundle_end_state at = {
      from + in_left(dm, d->node_left),
      from + in_left(dm, d->frame_left),
      from + in_left(dm, d->node_hat),
      from + in_left(dm, d->frame_hat),
      from + in_left(dm, d->node_hat0),
      from + in_left(dm, d->frame_hat0),
      d->node_bundled ? from + in_left(dm, d->node_bundled) : NULL,
      active,
  };
  return VIPER_NAME(viper_bundle_residual)(dm->setup.model, &at, h, load, out, error);
}

const viper_bundle_upload_api VIPER_NAME(viper_bundle_upload) = {create, left, bodies, put,
                                                                 residual};
