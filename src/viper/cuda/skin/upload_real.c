// SPDX-License-Identifier: GPL-3.0-or-later
/// A surface laid out for a device: see host.h.
#include "viper/cuda/core/device.h"
#include "viper/cuda/skin/device.h"

#include <stdlib.h>

typedef struct device_model {
  viper_device_model base;
  const viper_skin *skin;
  const viper_model *model;
  viper_skin_device device;
} device_model;

static void destroy(viper_device_model *self) {
  free(self);
}

/// Weights of a vertex, at most.
static int32_t most_weights(const viper_skin *skin) {
  int most = 0;
  for (size_t i = 0; i < skin->n_vertices; i++)
    most = skin->n_weights[i] > most ? skin->n_weights[i] : most;
  return (int32_t)most;
}

static void place_rest(device_model *dm, viper_memory *b) {
  viper_carrier_rest *rest;
  int32_t *node;
  size_t n = dm->model->n_segments;
  dm->device.rest = viper_memory_reserve(b, n, sizeof *rest, &rest);
  dm->device.segment_node = viper_memory_reserve(b, 2 * n, sizeof *node, &node);
  for (size_t j = 0; rest && j < n; j++) {
    const double *middle = dm->skin->rest[j].middle, *q = dm->skin->rest[j].frame;
    rest[j].middle =
        viper_vec3_make((viper_real)middle[0], (viper_real)middle[1], (viper_real)middle[2]);
    rest[j].frame =
        viper_quat_make((viper_real)q[0], (viper_real)q[1], (viper_real)q[2], (viper_real)q[3]);
    node[2 * j] = dm->model->segment[j].node[0];
    node[2 * j + 1] = dm->model->segment[j].node[1];
  }
}

static void place_bundles(device_model *dm, viper_memory *b) {
  const viper_bundles *from = &dm->skin->bundles;
  viper_bundle *bundle;
  viper_bundle_member *member;
  dm->device.bundle = viper_memory_reserve(b, from->n, sizeof *bundle, &bundle);
  dm->device.member = viper_memory_reserve(b, from->n_members, sizeof *member, &member);
  if (bundle && from->n > 0) {
    memcpy(bundle, from->bundle, from->n * sizeof *bundle);
    memcpy(member, from->member, from->n_members * sizeof *member);
  }
}

static void place_weights(device_model *dm, viper_memory *b) {
  const viper_skin *skin = dm->skin;
  size_t n = skin->n_vertices, all = n * (size_t)dm->device.n_weights;
  int32_t *segment;
  viper_real *weight;
  dm->device.weight_segment = viper_memory_reserve(b, all, sizeof *segment, &segment);
  dm->device.weight = viper_memory_reserve(b, all, sizeof *weight, &weight);
  for (size_t i = 0; segment && i < n; i++)
    for (size_t e = 0; e < (size_t)dm->device.n_weights; e++) {
      const viper_skin_weight *from = &skin->weight[i * VIPER_SKIN_MOST + e];
      bool follows = e < (size_t)skin->n_weights[i];
      segment[e * n + i] = follows ? from->segment : 0;
      weight[e * n + i] = follows ? (viper_real)from->weight : 0;
    }
}

static void place_mesh(device_model *dm, viper_memory *b) {
  const viper_skin *skin = dm->skin;
  viper_real *rest;
  int32_t *triangle;
  dm->device.vertex_rest = viper_memory_reserve(b, 3 * skin->n_vertices, sizeof *rest, &rest);
  dm->device.triangle = viper_memory_reserve(b, 3 * skin->n_triangles, sizeof *triangle, &triangle);
  for (size_t i = 0; rest && i < skin->n_vertices; i++)
    for (size_t k = 0; k < 3; k++)
      rest[3 * i + k] = (viper_real)skin->vertex[i].rest_position[k];
  for (size_t t = 0; triangle && t < skin->n_triangles; t++)
    for (size_t k = 0; k < 3; k++)
      triangle[3 * t + k] = skin->triangle[t].vertex[k];
}

static void place(viper_device_model *self, viper_memory *rest, viper_memory *room) {
  device_model *dm = (device_model *)self;
  viper_skin_device *d = &dm->device;
  place_rest(dm, rest);
  place_bundles(dm, rest);
  place_weights(dm, rest);
  place_mesh(dm, rest);
  VIPER_ROOM(room, d->volume, 1);
  VIPER_ROOM(room, d->vertex, 3 * dm->skin->n_vertices);
  VIPER_ROOM(room, d->carrier, dm->model->n_segments);
  VIPER_ROOM(room, d->place, dm->skin->bundles.n_members);
  VIPER_ROOM(room, d->sum, VIPER_SKIN_SUMS + VIPER_SKIN_FEW);
}

static vb_status create(const viper_skin *skin, const viper_model *model, const void *device,
                        viper_device_model **out, vb_error *error) {
  const viper_device *d = device;
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->base = (viper_device_model){&dm->device, place, destroy};
  dm->skin = skin;
  dm->model = model;
  dm->device.node = d->node;
  dm->device.frame = d->frame;
  dm->device.n_segments = (int32_t)model->n_segments;
  dm->device.n_bundles = (int32_t)skin->bundles.n;
  dm->device.n_vertices = (int32_t)skin->n_vertices;
  dm->device.n_triangles = (int32_t)skin->n_triangles;
  dm->device.n_weights = most_weights(skin);
  *out = &dm->base;
  return VB_OK;
}

/// Where the vertices lie in the block `room`.
static size_t vertices_at(const device_model *dm) {
  return (size_t)((const char *)dm->device.vertex - (const char *)dm->device.volume);
}

static size_t report_bytes(const viper_device_model *self) {
  const device_model *dm = (const device_model *)self;
  return vertices_at(dm) + 3 * dm->skin->n_vertices * sizeof(viper_real);
}

static void get(const viper_device_model *self, const char *room, double *vertices,
                double *volume) {
  const device_model *dm = (const device_model *)self;
  const char *from = room + vertices_at(dm);
  for (size_t i = 0; vertices && i < 3 * dm->skin->n_vertices; i++) {
    viper_real x;
    memcpy(&x, from + i * sizeof x, sizeof x);
    vertices[i] = (double)x;
  }
  if (volume)
    memcpy(volume, room, sizeof *volume);
}

const viper_skin_upload_api VIPER_NAME(viper_skin_upload) = {create, report_bytes, get};
