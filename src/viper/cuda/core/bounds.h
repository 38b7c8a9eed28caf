// SPDX-License-Identifier: GPL-3.0-or-later
/// Boundary conditions on a device, numbered: targets of pins, and loads. Each has a value of four
/// numbers; those that do work on bodies have an entry in the sums of work.
#ifndef VIPER_CUDA_CORE_BOUNDS_H
#define VIPER_CUDA_CORE_BOUNDS_H

#include "base/arena.h"
#include "viper/model/boundary.h"

/// Indexes are the model's. The first bounds are the values of driven half-planes,
/// VIPER_PLANE_VALUES / 4 of each in the order of plane drivers; they move. Of a body the loads on
/// nodes come first, then those on frames, then the pins of nodes and of frames, then the forces of
/// its loads one by one, then what its active segments rest at, then the maps of nodes that follow
/// drivers.
typedef struct viper_bounds {
  const viper_model *model;
  int32_t *first;      ///< [n_bodies] first bound of each body; those of driven bodies come first
  int32_t *node_body;  ///< [n_nodes] the body of each
  int32_t *node_pin;   ///< [n_nodes] the bound of its pins, or -1
  int32_t *frame_pin;  ///< [n_segments]
  int32_t *node_load;  ///< [n_nodes] the bound of its loads, or -1
  int32_t *frame_load; ///< [n_segments]
  int32_t *force;      ///< [n_loads] the bound that is a load's own force or torque
  int32_t *follow;     ///< [n_follows] the first of three bounds that are the rows of a map
  int32_t *active;     ///< [n_activations] the bound that is an activation's
  int32_t *summand;    ///< [n_pins + n_loads + n_activations] where the work of each goes, or -1
  int32_t *work_first; ///< [n_slots + 1] first part of each driver, load and activation
  int32_t n_slots;     ///< drivers, loads and activations
  int32_t n;           ///< of all bodies
  int32_t n_moving;    ///< of driven half-planes and bodies
  double *value;       ///< [n x 4] see viper_bound_type
  viper_boundary boundary;
  vb_arena memory; ///< all of it, but `boundary`
} viper_bounds;

/// Numbers the bounds of a model, and fills all values for time 0. Freed by viper_bounds_destroy.
vb_status viper_bounds_create(const viper_model *model, viper_bounds *out, vb_error *error);
void viper_bounds_destroy(viper_bounds *bounds);

/// Fills the values that move for a substep from `time` to `time` + `h` [s]; forces are the mean of
/// those at `from` and at its end.
void viper_bounds_at(viper_bounds *bounds, double time, double h, double from);

/// The body that a load is on, and that of a pin.
int32_t viper_loaded_body(const viper_bounds *bounds, const vb_load *load);
int32_t viper_pinned_body(const viper_bounds *bounds, const viper_model_pin *pin);

#endif
