// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene, or a part of it, laid out for a device in two blocks of its memory. Blocks are laid out
/// twice by the same functions: once to count the bytes, without memory, and once to write them.
#ifndef VIPER_CUDA_CORE_MEMORY_H
#define VIPER_CUDA_CORE_MEMORY_H

#include <stddef.h>
#include <string.h>

/// Where the device will have a block, and its copy on the host: null while bytes are counted, and
/// where the device alone writes it.
typedef struct viper_memory {
  char *host, *base;
  size_t at;
} viper_memory;

/// Room for `n` elements of `size` bytes; the pointer at `host` becomes where they are written, or
/// null. Returns where the device has them.
static inline void *viper_memory_reserve(viper_memory *b, size_t n, size_t size, void *host) {
  size_t begin = (b->at + 63) / 64 * 64;
  b->at = begin + n * size;
  char *here = b->host ? b->host + begin : NULL;
  memcpy(host, &here, sizeof here);
  return b->base ? b->base + begin : NULL;
}

/// Room that only the device writes.
static inline void *viper_memory_room(viper_memory *b, size_t n, size_t size) {
  void *none;
  return viper_memory_reserve(b, n, size, &none);
}

/// Makes `array`, a pointer of the device, one to `n` elements that only the device writes.
#define VIPER_ROOM(b, array, n) ((array) = viper_memory_room((b), (n), sizeof *(array)))

/// A copy of an array.
static inline void *viper_memory_copy(viper_memory *b, const void *from, size_t n, size_t size) {
  char *host;
  void *at = viper_memory_reserve(b, n, size, &host);
  if (host && n > 0) // what there is nothing of may be null
    memcpy(host, from, n * size);
  return at;
}

/// That of `n` elements.
#define VIPER_COPY(b, array, n) viper_memory_copy((b), (array), (n), sizeof *(array))

/// What all device models begin with: their blocks are `rest`, which the host writes once, and
/// `room`, which kernels write.
typedef struct viper_device_model {
  const void *device; ///< what kernels are given, which belongs to the device model
  /// Places all arrays in both blocks, and writes those of `rest` where that has a copy.
  void (*place)(struct viper_device_model *self, viper_memory *rest, viper_memory *room);
  void (*destroy)(struct viper_device_model *self);
} viper_device_model;

typedef struct viper_block_bytes {
  size_t rest, room;
} viper_block_bytes;

/// What its blocks take. It is to be laid out, for the first time or again, after that.
static inline viper_block_bytes viper_device_model_count(viper_device_model *model) {
  viper_memory rest = {NULL, NULL, 0}, room = {NULL, NULL, 0};
  model->place(model, &rest, &room);
  viper_block_bytes bytes = {rest.at, room.at};
  return bytes;
}

/// Lays it out for a device that has its blocks at `rest` and `room`, and writes the first to
/// `out`, unless that is null. Returns `device`.
static inline const void *viper_device_model_lay(viper_device_model *model, char *out, char *rest,
                                                 char *room) {
  viper_memory in_rest = {NULL, NULL, 0}, in_room = in_rest;
  in_rest.host = out;
  in_rest.base = rest;
  in_room.base = room;
  model->place(model, &in_rest, &in_room);
  return model->device;
}

/// Frees it; null is none.
static inline void viper_device_model_destroy(viper_device_model *model) {
  if (model)
    model->destroy(model);
}

#endif
