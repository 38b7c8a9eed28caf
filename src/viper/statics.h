// SPDX-License-Identifier: GPL-3.0-or-later
/// Statics of an instance: what it takes, and where it begins.
#ifndef VIPER_STATICS_H
#define VIPER_STATICS_H

#include "viper/viper_internal.h"

/// Refuses what has no static equilibrium, or none that is looked for: bodies that can move as a
/// whole, contact, half-planes, bundles.
vb_status viper_check_static(const viper *v, vb_error *error);

/// Begins: no velocities; the loads at time 0, and what holds the pins there. Fails only for want
/// of memory.
vb_status viper_start_static(viper *v, vb_error *error);

/// Whether load steps are looked at: those of `direct` to a tolerance, in double. (In float
/// rounding keeps the residual above any tolerance of use.)
bool viper_has_evaluated_steps(const viper *v);

/// One load step of `h` [s] from `time`, and what came of it (v->steps). Where the backend's
/// iterations end above the tolerance, it is taken again by viper_evaluation_load_step; where that
/// fails, too, the state is the backend's.
vb_status viper_load_step(viper *v, double time, double h, vb_error *error);

#endif
