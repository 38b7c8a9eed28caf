// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the CUDA backend, shared by backend_cuda.c, which creates it, and steps_cuda.c,
/// which advances it.
#ifndef VIPER_CUDA_BACKEND_CUDA_H
#define VIPER_CUDA_BACKEND_CUDA_H

#include "solver/solver.h"
#include "viper/cuda/bundle/host.h"
#include "viper/cuda/core/blocks.h"
#include "viper/cuda/core/host.h"
#include "viper/cuda/skin/host.h"

/// Steps whose moving pins and loads may wait in line for the device.
#define VIPER_SLOTS 32
/// Steps of a scene with contact that may be queued until it is looked whether there was room.
#define VIPER_QUEUED 256

/// A step that was queued.
typedef struct viper_queued_step {
  viper_settings settings;
  double time, h;
} viper_queued_step;

typedef struct viper_cuda {
  const viper_model *model;
  viper_method method;
  bool is_static; ///< no inertia: viper/method/statics.h
  bool fast;
  viper_body_groups body_groups;
  viper_coops coops;
  const viper_upload_api *api;
  const viper_kernels *kernels;
  viper_blocks blocks;         ///< the scene; `room` is the state
  size_t moving;               ///< bytes at the beginning of `rest` that change with substeps
  int device_blocks;           ///< of a group that is the launch grid
  double cache;                ///< bytes of the second-level cache of the device
  viper_skin_cuda *skin;       ///< null where the scene has no surface
  viper_contact_cuda *contact; ///< null where nothing touches
  viper_bundle_cuda *bundles;  ///< null where there are none
  viper_queued_step *queued;   ///< [VIPER_QUEUED] with contact: since it was looked how they went
  int n_queued;
  int64_t n_sure; ///< steps done until then
  // On the device
  char *d_workspace, *d_moving;
  int32_t *d_bodies;
  // On the host, pinned
  char *h_state;
  char *h_moving; ///< [VIPER_SLOTS][substeps] blocks `moving`
  cudaEvent_t taken[VIPER_SLOTS];
  cudaStream_t stream;
  cudaGraphExec_t graph;
  viper_settings latest; ///< of the latest step; a graph is made for these
  double latest_h;
  int room;                     ///< substeps that there is room for in d_moving and h_moving
  int64_t slot;                 ///< number of the next step
  cudaEvent_t first, last;      ///< around the steps since the latest call of `device`
  cudaEvent_t sync_first;       ///< before the first step since the latest sync
  bool first_noted, sync_noted; ///< whether they have been recorded
  bool fetched;                 ///< whether h_state holds the current state
  bool reads_follow;            ///< the state was read after the latest sync
  int64_t n_settled;            ///< steps told at the latest sync
  vb_device info;
} viper_cuda;

/// Forgets the graph of a step.
void viper_cuda_drop_graph(viper_cuda *b);

/// See viper_backend.
vb_status viper_cuda_step(void *self, const viper_settings *settings, double time, double h,
                          vb_error *error);
vb_status viper_cuda_sync(void *self, double *timer, viper_progress *progress, vb_error *error);

#endif
