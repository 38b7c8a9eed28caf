// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to pack*.c: the parts of a pack.
#ifndef VB_REPORT_PACK_PARTS_H
#define VB_REPORT_PACK_PARTS_H

#include "render/recording.h"
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

/// One number for each of some elements, made of a field (n x width) of the same frame.
typedef struct vb_pack_rule {
  size_t n, width;
  void (*fill)(const void *data, const double *field, double *out);
  const void *data;
} vb_pack_rule;

/// Adds part `name` (frames x n) of what is made of dataset `dataset` as vb_pack_frames adds one.
vb_status vb_pack_field(vb_packing *p, const char *name, const char *dataset, size_t n,
                        const vb_pack_rule *rule, vb_error *error);

/// Adds the parts "stretch" (frames x segments): l / rest length - 1; and "volume" (frames x
/// nodes): V / V at rest - 1 of the tetrahedra at each node, in the mean.
vb_status vb_pack_strain(vb_packing *p, const vb_recording *recording, vb_error *error);

/// Adds what drivers and curves change, where they do: parts "plane_at" (half-planes x 4: normal
/// and offset), "collider_at" (colliders x 6: two points) and "load_factor" (loads x 1), of floats,
/// with these rows for each frame. VB_BAD_INPUT where drivers or curves are invalid.
vb_status vb_pack_driven(vb_packing *p, const vb_recording *recording, vb_error *error);

/// Adds the series of the run over time that the plots show, each of at most `points` points: parts
/// "series/N" of floats, NaN where they have no number. Returns what they are as JSON, null for
/// want of memory: "name", "unit", the names of the parts "x" (time) and "y"; "reference" and
/// "tolerance" where a gate looks at one.
json_t *vb_pack_series(vb_packing *p, size_t points);

#endif
