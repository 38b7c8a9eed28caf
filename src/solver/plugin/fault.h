// SPDX-License-Identifier: GPL-3.0-or-later
/// Records how a process that serves a solver ended.
#ifndef VB_SOLVER_PLUGIN_FAULT_H
#define VB_SOLVER_PLUGIN_FAULT_H

#include "solver/plugin/channel.h"
#include "solver/plugin/guard.h"

/// From now on a signal that ends the process for an error of its own (a bad address, abort, ..) is
/// first noted in the channel's head, with what was touched: one of the outputs watched, or the
/// scene.
void vb_fault_install(vb_channel *channel, const vb_scene *scene, size_t scene_bytes);

/// Watches `guard` as output number `output`, which the head names; null: no more.
void vb_fault_watch(int output, const vb_guard *guard);

#endif
