// SPDX-License-Identifier: GPL-3.0-or-later
/// Constants of all methods.
#ifndef VIPER_METHOD_BOUNDS_H
#define VIPER_METHOD_BOUNDS_H

/// Lower bound of scales (method/README.md); a step that ends there has diverged.
#define VIPER_MINIMUM_SCALE 0.05

/// Sweeps of `block-descent` that use the same blocks of frames. Gradients are always those of the
/// state, so the limit of the sweeps does not depend on it.
#define VIPER_BLOCK_SWEEPS 5

#endif
