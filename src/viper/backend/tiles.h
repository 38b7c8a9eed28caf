// SPDX-License-Identifier: GPL-3.0-or-later
/// Tiles of a long chain: overlapping stretches of equal length that are swept side by side as if
/// each were a body. The data missing beyond a tile's ends invalidate nodes from there inward, by a
/// bounded number of nodes per sweep. The remaining nodes belong to the tile and end bitwise as in
/// sweeps over the whole chain. Every node belongs to some tile.
#ifndef VIPER_BACKEND_TILES_H
#define VIPER_BACKEND_TILES_H

#include "viper/backend/body_groups.h"

/// Nodes that a sweep reaches over, by no method more: two for each of three colors of nodes (or
/// joints), one for each of two colors of frames (or segments).
#define VIPER_SWEEP_REACH 8
/// Sweeps that a tile does before it is looked up again. A multiple of VIPER_BLOCK_SWEEPS, for
/// blocks are then made where sweeps over the whole chain make them.
#define VIPER_TILE_SWEEPS 10
/// Nodes at either end of a tile that are not its own.
#define VIPER_TILE_MARGIN (VIPER_SWEEP_REACH * VIPER_TILE_SWEEPS)
/// Tiles begin at multiples of this from a chain's first node: then colors, of which there are
/// two or three, lie in them as in the chain.
#define VIPER_TILE_ALIGNMENT 6

/// The order of `count` of them in a model of a tile alone, laid like the chain's.
viper_chain_order viper_tile_order(const viper_chain_order *whole, int32_t count);

typedef struct viper_tile {
  int32_t first;      ///< node, from the chain's first
  int32_t begin, end; ///< its own nodes, and the segments and joints that begin there
} viper_tile;

/// A pinned node or frame in a tile.
typedef struct viper_tile_pin {
  int32_t tile, pin; ///< number of the tile; of the pin in the model
} viper_tile_pin;

/// A chain and its tiles. Of the `special` ones some element is pinned, or has other rest data
/// than is usual in the chain; they come first. The others are `plain`: their rest data are those
/// of its model where that is uniform.
typedef struct viper_tiling {
  int32_t body;
  int32_t length; ///< of a tile, nodes
  viper_chain_order segments, joints;
  viper_tile *tile;
  int32_t n, n_special;
  viper_tile_pin *pin; ///< by tile
  size_t n_pins;
  viper_body_group special, plain; ///< models of one tile; special: with the pins of all of them
  bool along;                      ///< elements lie along the chain, not color by color
} viper_tiling;

/// Cuts a body of a model where it is such a chain, and long enough; else `out->n` becomes 0.
/// `tolerance` as of viper_body_groups_create. Freed by viper_tiling_destroy.
vb_status viper_tiling_create(const viper_model *model, int32_t body, double tolerance,
                              viper_tiling *out, vb_error *error);
void viper_tiling_destroy(viper_tiling *tiling);

#endif
