// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to pack*.c: the parts of a pack.
#ifndef VB_REPORT_PACK_PARTS_H
#define VB_REPORT_PACK_PARTS_H

#include "report/pack.h"

#include <jansson.h>

/// A pack that is being made.
typedef struct vb_packing {
  vb_run_location place;
  size_t *frame; ///< (n_frames) numbers of the recorded frames that it takes
  size_t n_frames;
  json_t *parts;
  uint8_t *bytes; ///< (used) the block before it is deflated
  size_t used, room;
} vb_packing;

/// How numbers of frames are packed.
typedef enum vb_packed { VB_PACKED_FIXED, VB_PACKED_ROTATION } vb_packed;

/// Adds numbers that do not change, as floats or 32-bit integers.
vb_status vb_pack_constant(vb_packing *p, const char *name, const double *values, size_t n,
                           size_t width, bool whole, vb_error *error);

/// Adds dataset `dataset` of the run as part `name`, which must be frames x n x width; adds nothing
/// where it is not recorded or has another shape.
vb_status vb_pack_frames(vb_packing *p, const char *name, const char *dataset, size_t n,
                         size_t width, vb_packed how, vb_error *error);

/// The series of the run over time that the plots show, and where gates look at one, as JSON; null
/// for want of memory.
json_t *vb_pack_series(vb_run_location place);

#endif
