// SPDX-License-Identifier: GPL-3.0-or-later
/// Which lanes work on which bodies: bodies that the same number of lanes suits, in the same kind
/// of memory, are one launch.
#ifndef VIPER_CUDA_CORE_COOP_PLAN_H
#define VIPER_CUDA_CORE_COOP_PLAN_H

#include "viper/backend.h"
#include "viper/model/body_groups.h"

/// Lanes of a warp, the largest team that meets without its block.
#define VIPER_WARP 32

/// As shared memory of a device: where bodies are not worked on there, and it is no limit.
#define VIPER_PLENTY_OF_MEMORY ((size_t)1 << 40)

/// As columns_at_once: a piece has work for all lanes of any device in all but its last stages, and
/// a million nodes take less than 1 GiB.
#define VIPER_COLUMNS_AT_ONCE (1 << 18)

/// What of a device matters here.
typedef struct viper_device_limits {
  int n_multiprocessors;
  size_t shared_of_block;          ///< most shared memory that a block can ask for, bytes
  size_t shared_of_multiprocessor; ///< bytes
  size_t shared_reserved;          ///< of each block, by the device itself, bytes
  int lanes_of_multiprocessor;     ///< threads at work at the same time, as registers allow
  int32_t columns_at_once; ///< of a larger matrix of `direct` that are held; 0: no matter how many
} viper_device_limits;

/// A launch: `n_bodies` bodies from number `first` of the list.
typedef struct viper_team_class {
  int32_t first, n_bodies;
  int lanes;     ///< of a team: 1 to 32 of a warp, or a block; 0: the whole grid, body by body
  int threads;   ///< of a block
  size_t n_near; ///< numbers near each body; in shared memory but where the grid is the team
} viper_team_class;

typedef struct viper_teams {
  viper_team_class *item; ///< teams of few lanes first, those of the grid last
  size_t n;
  int32_t *body; ///< [n_bodies] bodies of the model, class by class
} viper_teams;

#ifdef __cplusplus
extern "C" {
#endif

/// Rounds that a team of `lanes` needs for the phases of one iteration over a body of this kind.
int64_t viper_team_rounds(const viper_kind *kind, viper_method method, int lanes);

/// Lanes for each of `n_bodies` bodies of a kind, `n_near` numbers of `bytes_of_real` near each:
/// what takes the least rounds on the whole device; of equals the fewest. 0 where a body does not
/// fit.
int viper_team_lanes(const viper_kind *kind, viper_method method, int64_t n_bodies, size_t n_near,
                     int bytes_of_real, const viper_device_limits *limits);

/// Where each body of a model begins in a block that has room for what every one of them is worked
/// on with at the same time: `first` [n_bodies + 1], in numbers of the working precision.
void viper_place_near(const viper_kinds *kinds, viper_method method, size_t n_bodies,
                      int64_t *first);

/// Sorts all bodies (none loose); kinds for the grid are dissected. Freed by viper_teams_destroy.
vb_status viper_teams_create(const viper_kinds *kinds, viper_method method, int bytes_of_real,
                             const viper_device_limits *limits, viper_teams *out, vb_error *error);
void viper_teams_destroy(viper_teams *teams);

#ifdef __cplusplus
}
#endif

#endif
