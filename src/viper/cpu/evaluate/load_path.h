// SPDX-License-Identifier: GPL-3.0-or-later
/// A load step of statics that a backend's iterations did not bring to an equilibrium, again and in
/// double: by Newton's method that regards how loads change as frames turn (load_stiffness.h), and
/// in increments of the load that are halved where it does not converge (method/README.md,
/// Statics).
#ifndef VIPER_CPU_EVALUATE_LOAD_PATH_H
#define VIPER_CPU_EVALUATE_LOAD_PATH_H

#include "viper/backend/evaluation.h"
#include "viper/cpu/evaluate/newton_step.h"

/// Brings `cpu`, in double and in a state at `time` [s], to an equilibrium under what `boundary`
/// has at `time` + `h`, to `tolerance`; adds the work done on the way to `work`. The load that
/// keeps the first state where it is goes to 0 on the way. `cpu` must have its loads (node_hat,
/// frame_hat) and its pins' forces. Where no equilibrium is found the state is of no use. Fails
/// only for want of memory.
vb_status viper_follow_load_path(viper_cpu *cpu, viper_boundary *boundary, viper_newton_step *step,
                                 const viper_settings *settings, double time, double h,
                                 double *work, viper_equilibrium *out, vb_error *error);

#endif
