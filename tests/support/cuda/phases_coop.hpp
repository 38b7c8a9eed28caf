// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of the kernels' phases (phases.h): the kernels' code with a barrier that takes notes, for
/// the host (cuda_host_real.cpp) and for a device (phases_device_real.cu). Included in place of
/// viper/cuda/core/substep.h.
#ifndef VB_TESTS_SUPPORT_PHASES_COOP_HPP
#define VB_TESTS_SUPPORT_PHASES_COOP_HPP

#define viper_barrier phases_sync
#include "viper/cuda/core/access_coop.h"
#undef viper_barrier
#define viper_barrier phases_barrier

#include "cuda/phases.h"

namespace {

/// A body at work of which notes are taken where there is a log.
struct phases_access : viper_access {
  phases *log = nullptr;
  bool sweeping = false;
};

} // namespace

#ifdef __CUDACC__
#define PHASES_FN static __host__ __device__ __noinline__
#else
#define PHASES_FN static __attribute__((noinline, unused))
#endif

PHASES_FN void viper_barrier(const viper_access *w);

#include "viper/cuda/core/substep.h"

VIPER_FN int32_t phases_body(const viper_access *w) {
  return (int32_t)(w->body - w->device->body);
}

/// Where the note being taken has number `from`; null where there is no room.
VIPER_FN double *phases_room(const viper_access *w, const phases *p, size_t from, size_t n) {
  int32_t body = phases_body(w);
  size_t at = p->n[body] + 2 + from;
  return at + n > p->capacity ? nullptr : p->value + (size_t)body * p->capacity + at;
}

VIPER_FN void phases_put(const viper_access *w, const phases *p, viper_at at, int32_t first,
                         size_t from, int width, const viper_real *x) {
  double *out = phases_room(w, p, from + (size_t)(at - first) * (size_t)width, (size_t)width);
  for (int k = 0; out && k < width; k++)
    out[k] = (double)x[k];
}

VIPER_FN void phases_put_entries(const viper_access *w, const phases *p, size_t from, int width,
                                 const viper_real *x) {
  if (w->thread.rank == 0)
    phases_put(w, p, 0, 0, from, width, x);
}

VIPER_FN void phases_put_wide(const viper_access *w, const phases *p, viper_pair x) {
  double *out = phases_room(w, p, 0, 1);
#if VIPER_PRECISION == 32
  if (out && w->thread.rank == 0)
    *out = (double)x.high + (double)x.low;
#else
  if (out && w->thread.rank == 0)
    *out = x;
#endif
}

VIPER_FN void phases_begin(const viper_access *w) {
  phases_sync(w);
}

/// What does not fit is counted: then the log is longer than it has room for.
VIPER_FN void phases_end(const viper_access *w, phases *p, phases_note_type type, size_t n) {
  phases_sync(w);
  double *head = phases_room(w, p, 0, n);
  if (w->thread.rank == 0 && head) {
    head[-2] = (double)type;
    head[-1] = (double)n;
  }
  if (w->thread.rank == 0)
    p->n[phases_body(w)] += n + 2;
  phases_sync(w);
}

#define PHASES_DIRECT
#define PHASES_MATRIX(w) viper_matrix_of(w)
#include "cuda/phases_log.h"

PHASES_FN void viper_barrier(const viper_access *w) {
  phases_access *mine = const_cast<phases_access *>(static_cast<const phases_access *>(w));
  phases_sync(w);
  if (!mine->sweeping)
    return;
  mine->sweeping = false;
  phases_note(mine, mine->log, PHASES_SWEPT);
  mine->sweeping = true;
}

/// viper_iterate; with notes where there is a log.
template <viper_method METHOD>
VIPER_FN void phases_iterate(phases_access *w, const viper_settings *settings) {
  if (!w->log) {
    viper_iterate<METHOD>(w, settings);
    return;
  }
  if (!settings->continued)
    phases_note(w, w->log, PHASES_PREDICTED);
  phases_clear(w, w->log);
  phases_sync(w);
  if (METHOD == VIPER_DIRECT) {
    phases_of_direct(w, w->log, settings, false);
  } else {
    w->sweeping = true;
    viper_iterate<METHOD>(w, settings);
    w->sweeping = false;
  }
}

/// viper_substep, likewise.
template <viper_method METHOD>
VIPER_FN void phases_substep(phases_access *w, const viper_launch *launch) {
  viper_predict(w);
  phases_iterate<METHOD>(w, &launch->settings);
  viper_leave(w, launch->rate);
}

#endif
