// SPDX-License-Identifier: GPL-3.0-or-later
/// Rounds of the elements of a body, for a cooperative group of few threads: each thread takes one
/// element of a round. A color of 11 joints takes 8 threads two rounds, in which 5 of them idle; so
/// a round also takes elements of the next colors, if no element of a color before theirs that
/// shares an unknown with them is left. Elements that share an unknown are in rounds in the order
/// of their colors: results are those of going color by color, to the bit.
#ifndef VIPER_MODEL_ROUNDS_H
#define VIPER_MODEL_ROUNDS_H

#include "viper/model/model.h"

typedef struct viper_rounds {
  viper_phase *phase; ///< [n] `first` and `count` of each are places in `order`
  int32_t *order;     ///< [n_segments + n_joints] indexes of elements, round by round
  int32_t n;          ///< rounds; 0 where colors are the rounds
  vb_arena memory;    ///< all of it
} viper_rounds;

/// Rounds that `threads` threads need at least: as many as a kind of elements has colors, and as
/// its number of elements over that of threads. Elements that are connected like rods need no more.
int64_t viper_rounds_count(const viper_model *body, int threads);

/// Packs the elements of a model of one body into rounds of `threads` elements, greedily. Start
/// `out` zeroed. It stays empty if no color has more elements than that: then colors are the
/// rounds. Freed by viper_rounds_clear, also after failure.
vb_status viper_rounds_pack(const viper_model *body, int threads, viper_rounds *out,
                            vb_error *error);
void viper_rounds_clear(viper_rounds *rounds);

#endif
