// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers that all methods share.
#ifndef VIPER_METHOD_BOUNDS_H
#define VIPER_METHOD_BOUNDS_H

/// Scales never go below this (method/README.md); a step that ends there has diverged.
#define VIPER_MINIMUM_SCALE 0.05

/// Sweeps of `block-descent` that share the blocks of frames. Gradients are always those of the
/// state, so where the sweeps end does not depend on it.
#define VIPER_BLOCK_SWEEPS 5

#endif
