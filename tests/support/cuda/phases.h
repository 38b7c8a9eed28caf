// SPDX-License-Identifier: GPL-3.0-or-later
/// What each phase of a substep leaves behind, body by body, noted by the CPU backend's sources and
/// by the kernels' code alike: for comparing them phase by phase. The sources themselves know
/// nothing of it: here they are compiled once more, with a barrier that takes notes.
#ifndef VB_TESTS_SUPPORT_PHASES_H
#define VB_TESTS_SUPPORT_PHASES_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"

#ifdef __cplusplus
extern "C" {
#endif

/// After which phase a note was taken.
typedef enum phases_note_type {
  PHASES_PREDICTED = 1, ///< state and prediction, pins held
  PHASES_SWEPT,         ///< after a barrier of a method that sweeps
  PHASES_CHOSEN,        ///< `direct`: where the iterations start
  PHASES_ASSEMBLED,     ///< its gradient and matrix
  PHASES_FACTORED,      ///< the factor, and the solution
  PHASES_SEARCHED,      ///< after the line search
  PHASES_SUM,           ///< a sum over the body, which the backends make in different ways
  PHASES_GATHERED,      ///< contact: its nodes where they are predicted
  PHASES_PAIRS,         ///< of segments whose spheres overlap
  PHASES_FOUND,         ///< contacts between capsules, in the order of their segments
  PHASES_COLORED,       ///< the same, color by color
  PHASES_NODES,         ///< nodes at work, and their contacts with half-planes
  PHASES_PASSED,        ///< after a pass over all contacts
  PHASES_CARRIERS,      ///< a skin: the transforms of segments or bundles
  PHASES_VERTICES,      ///< its vertices
  PHASES_VOLUME,        ///< its volume: as the sum of sums of each size, and as it is told
  PHASES_N_TYPES
} phases_note_type;

/// For each body its notes, one after the other: kind, count, and so many numbers. Those of contact
/// and of the skin are kept as if they were another body's.
typedef struct phases {
  viper_method method;
  size_t capacity; ///< numbers that a body has room for
  double *value;   ///< [n_bodies + 1][capacity]
  size_t *n;       ///< [n_bodies + 1] written of them
} phases;

/// Where the backends below take notes; null: nowhere.
extern phases *phases_now;

/// The CPU backend as it is, but that it takes notes. Needs one thread.
extern const viper_backend phases_cpu;

/// A substep on a device, of all bodies of a model, and what is to be noted of it.
typedef struct phases_job {
  const viper_model *model;
  const viper_body_groups *body_groups; ///< complete
  const struct viper_skin *skin;
  viper_settings settings; ///< of one substep
  double time, h;
  viper_state *state; ///< before; then after
  phases *log;
} phases_job;

/// Runs it, strict. Returns a cudaError_t. Only in builds with nvcc.
int phases_device_f32(const phases_job *job) __attribute__((weak));
int phases_device_f64(const phases_job *job) __attribute__((weak));
/// The same of a scene with contact; what is noted is contact's.
int phases_contact_device_f32(const phases_job *job) __attribute__((weak));
int phases_contact_device_f64(const phases_job *job) __attribute__((weak));
/// Of the skin, no substep.
int phases_skin_device_f32(const phases_job *job) __attribute__((weak));
int phases_skin_device_f64(const phases_job *job) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
