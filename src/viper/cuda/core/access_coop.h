// SPDX-License-Identifier: GPL-3.0-or-later
/// Cooperative groups: GPU threads that compute one body together, in a part of a warp, a block, or
/// the whole launch grid; and element access of phase functions for such a body: each GPU thread
/// takes every n-th element. Included before the phases (viper/method/elements.h).
///
/// The kernels' code is that of one thread; threads wait for each other at barriers. It compiles
/// for the host, too, where a test runs parts of it by a single thread, which waits for none
/// (tests/viper/cuda/test_cuda_pairs.cpp).
#ifndef VIPER_CUDA_CORE_ACCESS_COOP_H
#define VIPER_CUDA_CORE_ACCESS_COOP_H

#include "viper/cuda/core/device.h"
#include "viper/cuda/core/host.h"
#include "viper/energy/real.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

/// A function that kernels call. All others are inlined: what a body is worked on with stays in
/// registers. So long code that a substep executes a few times, or in several places, is called:
/// compilers take more than twice as long for twice as much code.
#ifdef __CUDACC__
#define VIPER_CALLED static __host__ __device__ __noinline__
#else
#define VIPER_CALLED static inline
#endif

/// Whether bodies may have segments of the material model solid (solid_real.cu). A constant: what
/// compilers find out only after they have inlined the sweeps leaves the state of a thread in
/// memory, and a fifth more instructions to sweeps without such segments.
#ifndef VIPER_WITH_SOLID
#define VIPER_WITH_SOLID false
#endif

/// What the threads of a cooperative group wait by.
typedef enum viper_sync_scope {
  VIPER_SYNC_WARP,  ///< threads of one warp
  VIPER_SYNC_BLOCK, ///< all threads of a block
  VIPER_SYNC_DEVICE ///< all threads of a cooperative grid
} viper_sync_scope;

/// A thread of a cooperative group.
typedef struct viper_coop_thread {
  int32_t rank, size;
  viper_sync_scope scope;
  uint32_t mask; ///< of the group's threads in its warp
} viper_coop_thread;

/// Waits for the group; what its threads wrote before is seen by all of them after.
VIPER_FN void viper_coop_sync(const viper_coop_thread *thread) {
#ifndef __CUDA_ARCH__
  (void)thread;
#else
  if (thread->size == VIPER_WARP)
    __syncwarp(); // of a mask that is known: else lanes first compare theirs
  else if (thread->scope == VIPER_SYNC_WARP)
    __syncwarp(thread->mask);
  else if (thread->scope == VIPER_SYNC_BLOCK)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
#endif
}

#ifdef __CUDACC__
#define VIPER_WARP_MASK 0xffffffffu

/// This thread in its group of `coop_size`: a part of a warp, or a block.
static __device__ inline viper_coop_thread viper_coop_thread_of_group(int32_t coop_size) {
  viper_coop_thread thread;
  thread.rank = (int32_t)threadIdx.x % coop_size;
  thread.size = coop_size;
  thread.scope = coop_size > VIPER_WARP ? VIPER_SYNC_BLOCK : VIPER_SYNC_WARP;
  thread.mask = coop_size >= VIPER_WARP
                    ? VIPER_WARP_MASK
                    : ((1u << coop_size) - 1) << (threadIdx.x % VIPER_WARP / coop_size * coop_size);
  return thread;
}

/// This thread in the group of all threads of the launch.
static __device__ inline viper_coop_thread viper_coop_thread_of_launch(viper_sync_scope scope) {
  viper_coop_thread thread;
  thread.rank = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  thread.size = (int32_t)(gridDim.x * blockDim.x);
  thread.scope = scope;
  thread.mask = VIPER_WARP_MASK;
  return thread;
}
#endif

/// An element: a node, a segment (and its frame) or a joint of the body.
typedef int32_t viper_at;

/// A body at work, as one lane sees it.
typedef struct viper_access {
  const viper_device *device;
  const viper_device_body_group *model; ///< its kind
  const viper_adjacency *adjacency;
  const viper_device_body *body;
  viper_workspace workspace;
  viper_coop_thread thread;
  const viper_launch *launch;
  viper_scalar h;
  bool submatrices; ///< whether the body may be in submatrices (viper/linear/elimination.h);
                    ///< compilers know it
  bool second;      ///< whether blocks have second derivatives (viper/method/linearize.h)
  viper_real part;  ///< 1, or 0 of a body that has none
  bool is_static;   ///< no inertia (viper/method/statics.h); compilers know it
  bool frames_held; ///< in statics: frames are held
} viper_access;

VIPER_FN bool viper_is_static(const viper_access *w) {
  return w->is_static;
}

/// Whether frames are held while centers and scales settle.
VIPER_FN bool viper_holds_frames(const viper_access *w) {
  return w->is_static && w->frames_held;
}

#define VIPER_STRIDE (w->thread.size)

VIPER_FN void viper_share(const viper_access *w, int32_t first, int32_t count, int32_t *begin,
                          int32_t *end) {
  *begin = first + w->thread.rank;
  *end = first + count;
}

VIPER_FN void viper_barrier(const viper_access *w) {
  viper_coop_sync(&w->thread);
}

/// What is needed near a body of a kind.
VIPER_FN viper_workspace_size viper_workspace_size_of(const viper_device_body_group *group) {
  viper_workspace_size size = {(size_t)group->body.n_nodes,
                               (size_t)group->body.n_segments,
                               (size_t)group->body.n_joints,
                               group->elimination.submatrices.room_columns,
                               group->elimination.submatrices.room_blocks,
                               group->body.solid != VIPER_NONE_SOLID};
  return size;
}

/// What a called function is given of a viper_access: few numbers, which are passed in registers;
/// it finds the rest anew.
typedef struct viper_call {
  const viper_device *device;
  const viper_launch *launch;
  const viper_device_body *body;
  viper_real *workspace; ///< where it begins
  viper_coop_thread thread;
  viper_real part;
  bool second, frames_held;
} viper_call;

VIPER_ON_BODY viper_call viper_call_on(const viper_access *w) {
  viper_call call = {w->device, w->launch, w->body,   w->workspace.node,
                     w->thread, w->part,   w->second, w->frames_held};
  return call;
}

/// What it works on. `device` and `model` may be copies of its own, which stay in registers where
/// those that it is given would be read anew after whatever it writes.
VIPER_ON_BODY viper_access viper_called_on(const viper_call *call, const viper_device *device,
                                           const viper_device_body_group *model,
                                           viper_method method, bool is_static) {
  viper_access w;
  w.device = device;
  w.launch = call->launch;
  w.body = call->body;
  w.model = model;
  w.adjacency = &w.model->adjacency;
  w.workspace = viper_workspace_at(method, call->workspace, viper_workspace_size_of(w.model));
  w.thread = call->thread;
  w.h = w.launch->h;
  w.submatrices = false;
  w.second = call->second;
  w.part = call->part;
  w.is_static = is_static;
  w.frames_held = call->frames_held;
  return w;
}

VIPER_FN const viper_model_body *viper_access_body(const viper_access *w) {
  return &w->model->body;
}

VIPER_FN const int32_t *viper_access_phases(const viper_access *w) {
  return w->adjacency->body_phase;
}

#define VIPER_ROUNDS_OF(w) ((w)->model->order)

/// A number that no kernel writes. Shared memory, where sweeps write, does not have it: so it is
/// read once for an element.
template <typename type> VIPER_FN type viper_get_fixed(const type *p) {
#ifdef __CUDA_ARCH__
  __builtin_assume(__isGlobal(p));
#endif
  return *p;
}

VIPER_FN viper_at viper_at_of(const viper_access *w, const int32_t *list, int32_t e, int32_t end) {
  (void)w;
  (void)end;
  return list ? viper_get_fixed(list + e) : e;
}

// Rows of four: one access of 16 bytes where the precision is single.
VIPER_FN void viper_get_four(const viper_real *p, viper_at at, viper_real out[4]) {
#ifdef __CUDA_ARCH__
#if VIPER_PRECISION == 32
  float4 v = ((const float4 *)p)[at];
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
  out[3] = v.w;
#else
  double2 a = ((const double2 *)p)[2 * at], b = ((const double2 *)p)[2 * at + 1];
  out[0] = a.x;
  out[1] = a.y;
  out[2] = b.x;
  out[3] = b.y;
#endif
#else
  for (int k = 0; k < 4; k++)
    out[k] = p[4 * (size_t)at + (size_t)k];
#endif
}

VIPER_FN void viper_set_four(viper_real *p, viper_at at, const viper_real in[4]) {
#ifdef __CUDA_ARCH__
#if VIPER_PRECISION == 32
  ((float4 *)p)[at] = make_float4(in[0], in[1], in[2], in[3]);
#else
  ((double2 *)p)[2 * at] = make_double2(in[0], in[1]);
  ((double2 *)p)[2 * at + 1] = make_double2(in[2], in[3]);
#endif
#else
  for (int k = 0; k < 4; k++)
    p[4 * (size_t)at + (size_t)k] = in[k];
#endif
}

/// Two numbers that are read and written at once.
typedef struct __attribute__((aligned(2 * sizeof(viper_real)))) viper_two {
  viper_real x, y;
} viper_two;

// Rows of any number, those of an even one by two numbers at once; as arrays of rows, whose
// addresses are of 32 bits in shared memory.
template <size_t N>
VIPER_FN void viper_get_reals(const viper_real *p, viper_at at, viper_real *out) {
  if constexpr (N == 4)
    viper_get_four(p, at, out);
  else if constexpr (N % 2 == 0)
    VIPER_UNROLL for (size_t k = 0; k < N / 2; k++) {
      const viper_two two = ((const viper_two(*)[N / 2]) p)[at][k];
      out[2 * k] = two.x;
      out[2 * k + 1] = two.y;
    }
  else
    VIPER_UNROLL for (size_t k = 0; k < N; k++) out[k] = ((const viper_real(*)[N])p)[at][k];
}

template <size_t N>
VIPER_FN void viper_set_reals(viper_real *p, viper_at at, const viper_real *in) {
  if constexpr (N == 4)
    viper_set_four(p, at, in);
  else if constexpr (N % 2 == 0)
    VIPER_UNROLL for (size_t k = 0; k < N / 2; k++) {
      const viper_two two = {in[2 * k], in[2 * k + 1]};
      ((viper_two(*)[N / 2]) p)[at][k] = two;
    }
  else
    VIPER_UNROLL for (size_t k = 0; k < N; k++)((viper_real(*)[N])p)[at][k] = in[k];
}

VIPER_FN viper_node_x viper_get_row(const viper_real *p, viper_at at) {
  viper_real v[4];
  viper_get_four(p, at, v);
  viper_node_x x = {{v[0], v[1], v[2]}, v[3]};
  return x;
}

VIPER_FN void viper_set_row(viper_real *p, viper_at at, viper_node_x x) {
  viper_real v[4] = {x.c.x, x.c.y, x.c.z, x.s};
  viper_set_four(p, at, v);
}

VIPER_FN viper_quat viper_get_quat(const viper_real *p, viper_at at) {
  viper_real v[4];
  viper_get_four(p, at, v);
  return viper_quat_make(v[0], v[1], v[2], v[3]);
}

VIPER_FN void viper_set_quat(viper_real *p, viper_at at, viper_quat q) {
  viper_real v[4] = {q.w, q.x, q.y, q.z};
  viper_set_four(p, at, v);
}

/// Four numbers that no kernel writes.
VIPER_FN void viper_get_fixed_four(const viper_real *p, viper_at at, viper_real out[4]) {
#ifndef __CUDA_ARCH__
  viper_get_four(p, at, out);
#elif VIPER_PRECISION == 32
  asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(out[0]), "=f"(out[1]), "=f"(out[2]), "=f"(out[3])
      : "l"((const float4 *)p + at));
#else
  asm("ld.global.nc.v2.f64 {%0, %1}, [%2];"
      : "=d"(out[0]), "=d"(out[1])
      : "l"((const double2 *)p + 2 * at));
  asm("ld.global.nc.v2.f64 {%0, %1}, [%2];"
      : "=d"(out[2]), "=d"(out[3])
      : "l"((const double2 *)p + 2 * at + 1));
#endif
}

/// Row `at` of `n` in columns of four (VIPER_COLUMNS).
template <typename type>
VIPER_FN type viper_get_columns(const viper_real *p, int32_t n, viper_at at) {
  viper_real number[4 * VIPER_COLUMNS(type)];
  type row;
  VIPER_UNROLL for (size_t k = 0; k < VIPER_COLUMNS(type); k++)
      viper_get_fixed_four(p + 4 * k * (size_t)n, at, number + 4 * k);
  VIPER_UNROLL for (size_t c = 0; c < VIPER_REALS(type); c++)((viper_real *)&row)[c] = number[c];
  return row;
}

// Rest data. Where a body has none of its own, all of its kind read the same: from cache.
VIPER_FN viper_node_inertia viper_get_node_inertia(const viper_access *w, viper_at at,
                                                   int uniform) {
  (void)uniform;
  const viper_real *p = w->device->node_inertia + 2 * (size_t)(w->body->rest_node + at);
  viper_node_inertia out = {p[0], p[1]};
  return out;
}

VIPER_FN viper_segment_rest viper_get_segment_rest(const viper_access *w, viper_at at,
                                                   int uniform) {
  (void)uniform;
  return viper_get_columns<viper_segment_rest>(w->device->segment, w->device->n_rest_segments,
                                               w->body->rest_segment + at);
}

VIPER_FN viper_joint_rest viper_get_joint_rest(const viper_access *w, viper_at at, int uniform) {
  (void)uniform;
  return viper_get_columns<viper_joint_rest>(w->device->joint, w->device->n_rest_joints,
                                             w->body->rest_joint + at);
}

/// What a segment rests at in this substep.
VIPER_FN viper_contraction viper_get_active(const viper_access *w, viper_at at) {
  if (!w->device->active_now)
    return viper_passive();
  const viper_real *p = w->device->active_now + 2 * (size_t)(w->body->segment + at);
  viper_contraction out = {p[0], p[1]};
  return out;
}

/// Which segments of the body are of the material model solid, and what a segment has by that.
VIPER_FN int viper_solid_of(const viper_access *w) {
  return VIPER_WITH_SOLID ? w->model->body.solid : VIPER_NONE_SOLID;
}

VIPER_FN viper_solid_rest viper_get_solid(const viper_access *w, viper_at at, int uniform) {
  (void)uniform;
  return w->device->solid[w->body->rest_segment + at];
}

/// Whether segments have bending factors, and how a joint bends then.
VIPER_FN bool viper_has_bending(const viper_access *w) {
  return w->device->bending != NULL;
}

VIPER_FN viper_bending viper_get_bending(const viper_access *w, viper_at at) {
  if (!viper_has_bending(w))
    return viper_isotropic();
  return w->device->bending[w->body->rest_joint + at];
}

/// Whether there are fused rods, which are of the material model solid, and how their joints twist
/// then.
VIPER_FN bool viper_has_fused(const viper_access *w) {
  return VIPER_WITH_SOLID && w->device->fused != NULL;
}

VIPER_FN viper_fused viper_get_fused(const viper_access *w, viper_at at) {
  return w->device->fused[w->body->rest_joint + at];
}

/// What block descent makes of them.
VIPER_FN viper_segment_spring viper_get_segment_spring(const viper_access *w, viper_at at,
                                                       int uniform) {
  (void)uniform;
  return viper_get_columns<viper_segment_spring>(
      w->device->segment_spring, w->device->n_rest_segments, w->body->rest_segment + at);
}

VIPER_FN viper_joint_spring viper_get_joint_spring(const viper_access *w, viper_at at,
                                                   int uniform) {
  (void)uniform;
  return viper_get_columns<viper_joint_spring>(w->device->joint_spring, w->device->n_rest_joints,
                                               w->body->rest_joint + at);
}

/// Whether frames have moments of inertia of their own, and these. Scenes with any have the kernels
/// of the material model solid.
VIPER_FN bool viper_has_moments(const viper_access *w) {
  return VIPER_WITH_SOLID && w->device->moments != NULL;
}

VIPER_FN viper_moments viper_get_moments(const viper_access *w, viper_at at) {
  return w->device->moments[w->body->rest_segment + at];
}

VIPER_FN viper_real viper_get_frame_rest(const viper_access *w, viper_at at) {
  return w->device->frame_inertia[w->body->rest_segment + at];
}

/// The options that are numbers, in the working precision.
VIPER_FN viper_constants viper_access_constants(const viper_access *w,
                                                const viper_settings *settings) {
  (void)settings;
  return w->launch->constants;
}

/// One over the number of terms that act on a node's center and on its scale, and on a frame.
VIPER_FN viper_node_inertia viper_get_node_weight(const viper_access *w, viper_at at) {
  const viper_real *p = w->device->node_weight + 2 * (size_t)(w->body->rest_node + at);
  viper_node_inertia out = {p[0], p[1]};
  return out;
}

VIPER_FN viper_real viper_get_frame_weight(const viper_access *w, viper_at at) {
  return w->device->frame_weight[w->body->rest_segment + at];
}

// The fields: rows in the workspace.
#define VIPER_DEFINE_FIELD(name, type, place, set, spare)                                          \
  VIPER_FN type viper_get_##name(const viper_access *w, viper_at at) {                             \
    type x;                                                                                        \
    viper_get_reals<VIPER_REALS(type)>(w->workspace.name, at, (viper_real *)&x);                   \
    return x;                                                                                      \
  }                                                                                                \
  VIPER_FN void viper_set_##name(viper_access *w, viper_at at, type x) {                           \
    viper_set_reals<VIPER_REALS(type)>(w->workspace.name, at, (const viper_real *)&x);             \
  }
VIPER_WORKSPACE_FIELDS(VIPER_DEFINE_FIELD)
#undef VIPER_DEFINE_FIELD

VIPER_FN viper_at viper_segment_node(const viper_access *w, viper_at at, int side) {
  return viper_get_fixed(&w->model->segment[at].node[side]);
}

VIPER_FN viper_at viper_joint_node(const viper_access *w, viper_at at, int role) {
  return viper_get_fixed(&w->model->joint[at].node[role]);
}

VIPER_FN viper_at viper_joint_segment(const viper_access *w, viper_at at, int side) {
  return viper_get_fixed(&w->model->joint[at].segment[side]);
}

/// Whether a joint acts on its outer scales; else they may be left alone.
VIPER_FN bool viper_joint_outer(const viper_access *w, viper_at at) {
  return viper_get_fixed(&w->model->joint[at].outer);
}

VIPER_FN viper_real viper_get_scale(const viper_access *w, viper_at at) {
  return ((const viper_real(*)[4])w->workspace.node)[at][3];
}

VIPER_FN void viper_set_scale(viper_access *w, viper_at at, viper_real s) {
  ((viper_real(*)[4])w->workspace.node)[at][3] = s;
}

VIPER_FN bool viper_frame_pinned(const viper_access *w, viper_at at) {
  return viper_get_fixed(w->model->frame_pinned + at) != 0;
}

/// Whether parts of frames are held, and what holds them.
VIPER_FN bool viper_has_held_frames(const viper_access *w) {
  return w->device->held != NULL;
}

VIPER_FN viper_held viper_get_held(const viper_access *w, viper_at at) {
  viper_held out;
  viper_get_reals<VIPER_REALS(viper_held)>(w->device->held, w->body->segment + at,
                                           (viper_real *)&out);
  return out;
}

/// Pinned frames stay as they are, and held parts of others 0.
VIPER_FN void viper_set_free_frame(viper_access *w, viper_at at, viper_quat q) {
  if (viper_get_fixed(w->model->frame_pinned + at) == VIPER_FRAME_FIXED)
    return;
  if (viper_has_held_frames(w)) {
    viper_held held = viper_get_held(w, at);
    q = viper_held_frame(&held, q);
  }
  viper_set_frame(w, at, q);
}

/// The direction of a segment's frame: not noted, but found anew.
VIPER_FN viper_vec3 viper_get_axis(const viper_access *w, viper_at at) {
  return viper_quat_w(viper_get_frame(w, at));
}

VIPER_FN void viper_note_axis(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
}

VIPER_FN bool viper_node_pinned(const viper_access *w, viper_at at) {
  return viper_get_fixed(w->model->node_pinned + at) != 0;
}

/// What was read before is read anew from here on: numbers at work take all registers, in double.
VIPER_FN void viper_forget(void) {
#ifdef __CUDA_ARCH__
  asm volatile("" ::: "memory");
#endif
}

/// Whether a segment has a pinned unknown: of its nodes, or its frame.
VIPER_FN bool viper_segment_pinned(const viper_access *w, viper_at at) {
  viper_forget();
  return viper_node_pinned(w, viper_segment_node(w, at, 0)) ||
         viper_node_pinned(w, viper_segment_node(w, at, 1)) || viper_frame_pinned(w, at);
}

/// Likewise a joint.
VIPER_FN bool viper_joint_pinned(const viper_access *w, viper_at at) {
  viper_forget();
  bool pinned = viper_frame_pinned(w, viper_joint_segment(w, at, 0)) ||
                viper_frame_pinned(w, viper_joint_segment(w, at, 1));
  for (int k = 0; k < 3; k++)
    pinned = pinned || viper_node_pinned(w, viper_joint_node(w, at, k));
  return pinned;
}

/// 1 for free components of a node, 0 for pinned ones.
VIPER_FN void viper_get_free(const viper_access *w, viper_at at, viper_real free[4]) {
  uint32_t pinned = viper_get_fixed(w->model->node_pinned + at);
  VIPER_UNROLL for (int k = 0; k < 4; k++) free[k] = VIPER_R(pinned >> k & 1 ? 0 : 1);
}

/// 1 where a frame is free, 0 where it is pinned.
VIPER_FN viper_real viper_get_frame_free(const viper_access *w, viper_at at) {
  return VIPER_R(viper_get_fixed(w->model->frame_pinned + at) == VIPER_FRAME_FIXED ? 0 : 1);
}

/// How many elements of a table act on a row in a role, and number `k` of them.
VIPER_FN int32_t viper_adjacent_count(const viper_access *w, const viper_table *t, int32_t roles,
                                      viper_at at, int32_t role) {
  (void)w;
  const int32_t *first = t->first + (size_t)roles * (size_t)at + role;
  return viper_get_fixed(first + 1) - viper_get_fixed(first);
}

VIPER_FN viper_at viper_adjacent(const viper_access *w, const viper_table *t, int32_t roles,
                                 viper_at at, int32_t role, int32_t k) {
  (void)w;
  return viper_get_fixed(t->element + viper_get_fixed(t->first + roles * at + role) + k);
}

#endif
