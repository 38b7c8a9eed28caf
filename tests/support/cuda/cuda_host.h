// SPDX-License-Identifier: GPL-3.0-or-later
/// The CUDA backend's kernels, run on the host: the very code of the kernels, lane by lane. Between
/// two barriers each lane of a team runs alone, in an order that a test chooses; a result that
/// depends on it shows a race.
#ifndef VB_TESTS_SUPPORT_CUDA_HOST_H
#define VB_TESTS_SUPPORT_CUDA_HOST_H

#include "viper/backend/backend.h"
#include "viper/cuda/contact/host.h"
#include "viper/cuda/core/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The order in which lanes run: rising, falling, or another one after each barrier.
typedef enum cuda_host_order {
  CUDA_HOST_FORWARD,
  CUDA_HOST_BACKWARD,
  CUDA_HOST_SHUFFLED,
  CUDA_HOST_ORDERS
} cuda_host_order;

/// What instances made from now on do: the order, lanes of every team (0: as the device's limits
/// make it), the limits, and the room that contact has in the beginning (0: as the device model has
/// it). The instance that stepped last notes how often it had to grow.
typedef struct cuda_host_choice {
  cuda_host_order order;
  int coop_size;
  viper_device_limits limits;
  viper_contact_rooms rooms;
  int times_grown;
} cuda_host_choice;
extern cuda_host_choice cuda_host;

extern const viper_backend cuda_host_f32;
extern const viper_backend cuda_host_f64;

#ifdef __cplusplus
}
#endif

#endif
