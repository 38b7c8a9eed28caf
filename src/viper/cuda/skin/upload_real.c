// SPDX-License-Identifier: GPL-3.0-or-later
/// A surface laid out for a device: see host.h.
#include "viper/cuda/core/device.h"
#include "viper/cuda/core/memory.h"
#include "viper/cuda/skin/device.h"

#include <stdlib.h>

typedef struct image {
  const viper_skin *skin;
  const viper_model *model;
  viper_skin_device device;
  viper_skin_bytes bytes;
} image;

/// Weights of a vertex, at most.
static int32_t most_weights(const viper_skin *skin) {
  int most = 0;
  for (size_t i = 0; i < skin->n_vertices; i++)
    most = skin->n_weights[i] > most ? skin->n_weights[i] : most;
  return (int32_t)most;
}

static void place_rest(image *im, viper_memory *b) {
  viper_carrier_rest *rest;
  int32_t *node;
  size_t n = im->model->n_segments;
  im->device.rest = viper_memory_reserve(b, n, sizeof *rest, &rest);
  im->device.segment_node = viper_memory_reserve(b, 2 * n, sizeof *node, &node);
  for (size_t j = 0; rest && j < n; j++) {
    const double *middle = im->skin->rest[j].middle, *q = im->skin->rest[j].frame;
    rest[j].middle =
        viper_vec3_make((viper_real)middle[0], (viper_real)middle[1], (viper_real)middle[2]);
    rest[j].frame =
        viper_quat_make((viper_real)q[0], (viper_real)q[1], (viper_real)q[2], (viper_real)q[3]);
    node[2 * j] = im->model->segment[j].node[0];
    node[2 * j + 1] = im->model->segment[j].node[1];
  }
}

static void place_weights(image *im, viper_memory *b) {
  const viper_skin *skin = im->skin;
  size_t n = skin->n_vertices, all = n * (size_t)im->device.n_weights;
  int32_t *segment;
  viper_real *weight;
  im->device.weight_segment = viper_memory_reserve(b, all, sizeof *segment, &segment);
  im->device.weight = viper_memory_reserve(b, all, sizeof *weight, &weight);
  for (size_t i = 0; segment && i < n; i++)
    for (size_t e = 0; e < (size_t)im->device.n_weights; e++) {
      const viper_skin_weight *from = &skin->weight[i * VIPER_SKIN_MOST + e];
      bool follows = e < (size_t)skin->n_weights[i];
      segment[e * n + i] = follows ? from->segment : 0;
      weight[e * n + i] = follows ? (viper_real)from->weight : 0;
    }
}

static void place_mesh(image *im, viper_memory *b) {
  const viper_skin *skin = im->skin;
  viper_real *rest;
  int32_t *triangle;
  im->device.vertex_rest = viper_memory_reserve(b, 3 * skin->n_vertices, sizeof *rest, &rest);
  im->device.triangle = viper_memory_reserve(b, 3 * skin->n_triangles, sizeof *triangle, &triangle);
  for (size_t i = 0; rest && i < skin->n_vertices; i++)
    for (size_t k = 0; k < 3; k++)
      rest[3 * i + k] = (viper_real)skin->vertex[i].rest_position[k];
  for (size_t t = 0; triangle && t < skin->n_triangles; t++)
    for (size_t k = 0; k < 3; k++)
      triangle[3 * t + k] = skin->triangle[t].vertex[k];
}

static void place(image *im, viper_memory *rest, viper_memory *room) {
  viper_skin_device *d = &im->device;
  place_rest(im, rest);
  place_weights(im, rest);
  place_mesh(im, rest);
  d->volume = viper_memory_room(room, 1, sizeof *d->volume);
  d->vertex = viper_memory_room(room, 3 * im->skin->n_vertices, sizeof *d->vertex);
  d->carrier = viper_memory_room(room, im->model->n_segments, sizeof *d->carrier);
  d->sum = viper_memory_room(room, VIPER_SKIN_SUMS + VIPER_SKIN_FEW, sizeof *d->sum);
}

static vb_status create(const viper_skin *skin, const viper_model *model, const void *device,
                        void **out, vb_error *error) {
  const viper_device *d = device;
  viper_memory rest = {0}, room = {0};
  image *im = calloc(1, sizeof *im);
  if (!im)
    return vb_error_memory(error);
  im->skin = skin;
  im->model = model;
  im->device.node = d->node;
  im->device.frame = d->frame;
  im->device.n_segments = (int32_t)model->n_segments;
  im->device.n_vertices = (int32_t)skin->n_vertices;
  im->device.n_triangles = (int32_t)skin->n_triangles;
  im->device.n_weights = most_weights(skin);
  place(im, &rest, &room);
  im->bytes = (viper_skin_bytes){rest.at, room.at};
  *out = im;
  return VB_OK;
}

static viper_skin_bytes bytes(const void *self) {
  return ((const image *)self)->bytes;
}

static const void *fill(void *self, char *out, char *rest_at, char *room_at) {
  image *im = self;
  viper_memory rest = viper_memory_at(out, rest_at), room = viper_memory_at(NULL, room_at);
  place(im, &rest, &room);
  return &im->device;
}

/// Where the vertices lie in the block `room`.
static size_t vertices_at(const image *im) {
  return (size_t)((const char *)im->device.vertex - (const char *)im->device.volume);
}

static size_t told(const void *self) {
  const image *im = self;
  return vertices_at(im) + 3 * im->skin->n_vertices * sizeof(viper_real);
}

static void get(const void *self, const char *room, double *vertices, double *volume) {
  const image *im = self;
  const char *from = room + vertices_at(im);
  for (size_t i = 0; vertices && i < 3 * im->skin->n_vertices; i++) {
    viper_real x;
    memcpy(&x, from + i * sizeof x, sizeof x);
    vertices[i] = (double)x;
  }
  if (volume)
    memcpy(volume, room, sizeof *volume);
}

const viper_skin_image_api VIPER_NAME(viper_skin_image) = {create, free, bytes, fill, told, get};
