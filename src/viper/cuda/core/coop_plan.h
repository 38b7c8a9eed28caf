// SPDX-License-Identifier: GPL-3.0-or-later
/// Assigns bodies to cooperative groups: bodies with the same group size and the same type of
/// memory are one launch.
#ifndef VIPER_CUDA_CORE_COOP_PLAN_H
#define VIPER_CUDA_CORE_COOP_PLAN_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"

/// Lanes of a warp, the largest team that meets without its block.
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
} viper_device_limits;

/// A launch: `n_bodies` bodies from number `first` of the list.
typedef struct viper_coop_class {
  int32_t first, n_bodies;
  int coop_size;      ///< of a team: 1 to 32 of a warp, or a block; 0: the whole grid, body by body
  int threads;        ///< of a block
  size_t n_workspace; ///< numbers near each body; in shared memory but where the grid is the team
} viper_coop_class;

typedef struct viper_coops {
  viper_coop_class *item; ///< teams of few lanes first, those of the grid last
  size_t n;
  int32_t *body; ///< [n_bodies] bodies of the model, class by class
} viper_coops;

#ifdef __cplusplus
extern "C" {
#endif

/// Rounds that a team of `coop_size` needs for the phases of one iteration over a body of this
/// kind.
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

#ifdef __cplusplus
}
#endif

#endif
