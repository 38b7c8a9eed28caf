// SPDX-License-Identifier: GPL-3.0-or-later
/// Describes in a results file the GPU that computed the steps.
#ifndef VB_RESULTS_RESULTS_GPU_H
#define VB_RESULTS_RESULTS_GPU_H

/// What stays as it is while a program runs. What is not known is NaN or "".
typedef struct vb_gpu {
  char name[96];         ///< "NVIDIA H200"
  char uuid[96];         ///< "GPU-" and 32 digits in groups, or "MIG-.."
  char driver[80];       ///< its version
  char ecc[16];          ///< "on", "off", or "" if the device has none or does not report it
  double power_limit_w;  ///< that is enforced
  double most_sm_clock;  ///< Hz
  double most_mem_clock; ///< Hz
} vb_gpu;

/// A GPU when a run began.
typedef struct vb_gpu_record {
  vb_gpu gpu;
  double sm_clock;  ///< Hz
  double mem_clock; ///< Hz
} vb_gpu_record;

/// Asks the driver for what it knows of the GPU of that UUID.
typedef void vb_gpu_describe(const char *uuid, vb_gpu_record *out);

#endif
