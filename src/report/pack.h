// SPDX-License-Identifier: GPL-3.0-or-later
/// Packs the recorded frames of a run for the player: 16-bit numbers that change little from frame
/// to frame, deflated.
///
/// A pack is a list of parts, one after the other in one block of bytes, little-endian. A part of
/// numbers that do not change, or are few, holds 32-bit floats or integers. A part of frames
/// (frames x n x width) holds 16-bit numbers, each less the one in the frame before; first all
/// their upper bytes, then all lower ones. `low[k] + scale[k] * number` is component k; 65535
/// stands for what is not finite. A rotation takes three numbers of the four components of its unit
/// quaternion: those but for the greatest (number g), which is made positive; v is 32767 (v +
/// 1/sqrt(2)) / sqrt(2), and the upper bits of the first two are those of g.
#ifndef VB_REPORT_PACK_H
#define VB_REPORT_PACK_H

#include "base/status.h"
#include "results/results_array.h"

#include <stdint.h>
#include <stdio.h>

/// What is packed of a run: every `step`-th frame, and the last; of each series at most `points`
/// points, 2 or more.
typedef struct vb_pack_plan {
  vb_run_location place;
  size_t step, points;
} vb_pack_plan;

/// A run, packed.
typedef struct vb_pack {
  char *facts;    ///< JSON: names, parts, times, series
  uint8_t *bytes; ///< (n_bytes) the block, deflated (RFC 1950)
  size_t n_bytes;
  size_t n_frames, n_recorded;
} vb_pack;

/// Packs a run. VB_BAD_INPUT where it has no frames that can be shown. Freed by vb_pack_free.
vb_status vb_pack_run(const vb_pack_plan *plan, vb_pack *out, vb_error *error);
void vb_pack_free(vb_pack *pack);

/// Rotation `q` (w, x, y, z; of any length but 0) as three numbers.
void vb_pack_rotation(const double q[4], uint16_t out[3]);

#endif
