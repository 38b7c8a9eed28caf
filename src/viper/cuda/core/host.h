// SPDX-License-Identifier: GPL-3.0-or-later
/// The device model and the kernels, as the host's C code uses them.
///
/// The layout: what it takes, where everything is, and what goes in and out. Needs no device
/// itself; in one precision (sources that end in _real.c are compiled once for each). The kernels:
/// one set per precision and arithmetic. Their functions return a cudaError_t as a number.
#ifndef VIPER_CUDA_CORE_HOST_H
#define VIPER_CUDA_CORE_HOST_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"
#include "viper/method/advance.h"

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// A scene, or a part of it, is laid out for a device in two blocks of its memory. Blocks are laid
// out twice by the same functions: once to count the bytes, without memory, and once to write them.

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

// Bodies are assigned to cooperative groups: bodies with the same group size and the same type of
// memory are one launch.

/// Threads of a warp, the largest group that needs no barrier of its block.
#define VIPER_WARP 32

/// As shared memory of a device: where bodies are not worked on there, and it is no limit.
#define VIPER_PLENTY_OF_MEMORY ((size_t)1 << 40)

/// As columns_at_once: a submatrix has work for all lanes of any device in all but its last stages,
/// and a million nodes take less than 1 GiB.
#define VIPER_COLUMNS_AT_ONCE (1 << 18)

/// What of a device matters here.
typedef struct viper_device_limits {
  int n_multiprocessors;
  size_t shared_of_block;          ///< most shared memory that a block can ask for, bytes
  size_t shared_of_multiprocessor; ///< bytes
  size_t shared_reserved;          ///< of each block, by the device itself, bytes
  int threads_of_multiprocessor;   ///< threads at work at the same time, as registers allow
  int32_t columns_at_once; ///< of a larger matrix of `direct` that are held; 0: no matter how many
  size_t joined_of_block, joined_of_multiprocessor; ///< shared memory for iterations of bodies that
                                                    ///< something joins between them, bytes; or 0
} viper_device_limits;

/// A launch: `n_bodies` bodies from number `first` of the list.
typedef struct viper_coop_class {
  int32_t first, n_bodies;
  int coop_size; ///< of a group: 1 to 32 of a warp, or a block; 0: the whole grid, body by body
  int threads;   ///< of a block
  size_t n_workspace; ///< numbers near each body; in shared memory unless the grid is the group
  bool in_shared; ///< of bodies that something joins between iterations: there is shared memory for
                  ///< all of them at the same time
} viper_coop_class;

typedef struct viper_coops {
  viper_coop_class *item; ///< groups of few threads first, those of the grid last
  size_t n;
  int32_t *body;   ///< [n_bodies] bodies of the model, class by class
  vb_arena memory; ///< all of it
} viper_coops;

/// How long `coop_size` threads take for an iteration over a body of this topology: in rounds of
/// its phases, of methods with constraints in quarters of a round, of `direct` in updates or parts
/// of elements. To be compared for one method.
int64_t viper_coop_rounds(const viper_body_group *group, viper_method method, int coop_size);

/// Lanes for each of `n_bodies` bodies of a kind, `n_workspace` numbers of `bytes_of_real` near
/// each: what takes the least rounds on the whole device; of equals the fewest. 0 where a body does
/// not fit.
int viper_coop_size(const viper_body_group *group, viper_method method, int64_t n_bodies,
                    size_t n_workspace, int bytes_of_real, const viper_device_limits *limits);

/// Where each body of a model begins in a block that has room for what every one of them is worked
/// on with at the same time: [n_bodies + 1] in numbers of the working precision, to be freed; null
/// without memory.
int64_t *viper_place_workspaces(const viper_body_groups *body_groups, viper_method method,
                                size_t n_bodies);

/// Sorts all bodies (none single); kinds for the grid are dissected. Freed by viper_coops_destroy.
vb_status viper_coops_create(const viper_body_groups *body_groups, viper_method method,
                             int bytes_of_real, const viper_device_limits *limits, viper_coops *out,
                             vb_error *error);
void viper_coops_destroy(viper_coops *coops);

/// Functions in one precision. The device model's `device` is a viper_device; its block `rest` has
/// topology, rest data and where pins are held, and begins with what changes from substep to
/// substep: pins that drivers move, and loads. Its block `room` is the state, in and out as a
/// whole.
typedef struct viper_upload_api {
  int bytes_of_real;
  size_t control; ///< bytes at the beginning of the state that tell how far the run has come
  /// Plans the device model of a model whose bodies are all in `body_groups`; both must outlive it.
  /// Freed by viper_device_model_destroy.
  /// It has room for what steps with these settings keep from substep to substep.
  vb_status (*create)(const viper_model *model, const viper_body_groups *body_groups,
                      const viper_settings *settings, viper_device_model **out, vb_error *error);
  /// Bytes of what changes from substep to substep.
  size_t (*moving)(const viper_device_model *self);
  /// Between a state and its block.
  void (*put)(const viper_device_model *self, const viper_state *state, char *out);
  void (*get)(const viper_device_model *self, const char *in, viper_state *state);
  /// What a copy of the beginning of that block tells was done after the first `n_steps`.
  viper_progress (*progress)(const char *in, int64_t n_steps);
  /// Writes what changes from substep to substep for one from `time` to `time` + `h` [s]; the
  /// forces of loads for their work are the mean of those at `from` and at its end
  /// (viper_advance_work_from).
  void (*move)(viper_device_model *self, double time, double h, double from, char *out);
} viper_upload_api;

extern const viper_upload_api viper_upload_f32;
extern const viper_upload_api viper_upload_f64;

// Kernels are in sets, one per precision and arithmetic: tables of type T, named T_f32_strict and
// so on.

#define VIPER_DECLARE_KERNELS(type) VIPER_DECLARE_KERNELS_NAMED(type, type)
#define VIPER_DECLARE_KERNELS_NAMED(type, name)                                                    \
  extern const type name##_f32_strict, name##_f32_fast, name##_f64_strict, name##_f64_fast

// The set that a viper_backend_setup asks for; null where the build leaves it out. A build for no
// device that is here has fast arithmetic in float alone.
#ifdef VIPER_CUDA_FEW
#define VIPER_FAST_DOUBLE(name) NULL
#else
#define VIPER_FAST_DOUBLE(name) &name##_f64_fast
#endif
#define VIPER_KERNELS_FOR(name, setup)                                                             \
  ((setup)->variant->arithmetic == VIPER_FAST_SUMS                                                 \
       ? ((setup)->variant->precision == VIPER_FLOAT ? &name##_f32_fast : VIPER_FAST_DOUBLE(name)) \
       : ((setup)->variant->precision == VIPER_FLOAT ? &name##_f32_strict : &name##_f64_strict))

/// Whether constraints have closed forms in the whole scene (viper/method/closed_constraint.h).
static inline bool viper_is_closed(const viper_model *model) {
  bool closed = !viper_has_held(model);
  for (size_t i = 0; closed && i < model->n_nodes; i++)
    closed = !viper_is_pinned_in_part(model->node[i].pinned);
  return closed;
}

/// Whether bodies are computed by the kernels that are compiled with the material model solid: in
/// scenes with such segments or with frames whose moments of inertia are not a disc's; by `direct`
/// in all scenes, since its code is so long that compilers would take minutes for a second copy;
/// and in fast arithmetic in scenes without closed forms, which the other kernels have alone.
static inline bool viper_has_solid_kernels(const viper_backend_setup *setup) {
  return setup->model->n_solids > 0 || setup->model->has_moments ||
         viper_method_has(setup->settings->method, VIPER_FACTORS) ||
         (setup->variant->arithmetic == VIPER_FAST_SUMS &&
          viper_method_has(setup->settings->method, VIPER_MULTIPLIERS) &&
          !viper_is_closed(setup->model));
}

/// Likewise of kernels that compute bodies, which have a set of their own for these.
#define VIPER_BODY_KERNELS_FOR(type, setup)                                                        \
  (viper_has_solid_kernels(setup) ? VIPER_KERNELS_FOR(viper_solid_##type, setup)                   \
                                  : VIPER_KERNELS_FOR(viper_##type, setup))

/// The name of the set that a source (kernels_real.cu) is compiled for.
#define VIPER_KERNELS_OF(type, bits, arithmetic) type##_f##bits##_##arithmetic
#define VIPER_KERNELS_IN(type, bits, arithmetic) VIPER_KERNELS_OF(type, bits, arithmetic)

#define VIPER_KERNELS(type) VIPER_KERNELS_IN(type, VIPER_PRECISION, VIPER_ARITHMETIC)

typedef struct viper_kernels {
  /// Threads that a multiprocessor holds of a method's kernel for groups in blocks, and blocks of
  /// its kernel for the grid; statics has kernels of its own. Lets blocks ask for `shared_of_block`
  /// bytes.
  int (*prepare)(viper_method method, bool is_static, size_t shared_of_block, int *threads,
                 int *device_blocks);
  /// A substep of the bodies of a class. `device` is the device model's viper_device; `bodies` and
  /// `workspace` (of a group that is the grid) are on the device.
  int (*substep)(const void *device, const viper_settings *settings, const viper_advance *advance,
                 const viper_coop_class *coop, int n_blocks, const int32_t *bodies, void *workspace,
                 void *stream);
  /// The end of a substep, after all classes; `last` of a step.
  int (*end)(const void *device, bool last, void *stream);
} viper_kernels;

VIPER_DECLARE_KERNELS(viper_kernels);
VIPER_DECLARE_KERNELS_NAMED(viper_kernels, viper_solid_kernels);

#ifdef __cplusplus
}
#endif

#endif
