// SPDX-License-Identifier: GPL-3.0-or-later
/// A line: a plain chain that is worked on alone, cut into parts of equal length that lie side by
/// side in the lanes. Row `r` of a lane holds node, segment and joint number `lane * rows + r`
/// along the chain, so that neighbors are in neighboring rows, and no index is read. Only for
/// sources that end in _lanes.c.
///
/// Around the last lane the rows go on in the first, as in a ring: beyond the end of the chain are
/// nodes and frames that nothing acts on, and elements without stiffness. Where methods sweep,
/// `rows` is a multiple of 6, so that all elements of a row have the same color, of two or of
/// three.
#ifndef VIPER_CPU_LINE_LINE_H
#define VIPER_CPU_LINE_LINE_H

#include "viper/backend/chain_order.h"
#include "viper/cpu/core/arrays.h"
#include "viper/cpu/core/lanes.h"
#include "viper/cpu/line/pairs.h"
#include "viper/method/fields.h"

#define viper_lines_create  VIPER_NAME(viper_lines_create)
#define viper_lines_destroy VIPER_NAME(viper_lines_destroy)
#define viper_lines_sweep   VIPER_NAME(viper_lines_sweep)
#define viper_line_direct   VIPER_NAME(viper_line_direct)

/// Rows before the first and behind the last of a lane that repeat those of the lanes beside it.
#define VIPER_LINE_REACH 2

/// Rest data, and what block descent makes of them: X(name, type).
#define VIPER_LINE_REST(X)                                                                         \
  X(node_inertia, viper_node_inertia)                                                              \
  X(segment, viper_segment_rest)                                                                   \
  X(joint, viper_joint_rest)                                                                       \
  X(solid, viper_solid_rest)                                                                       \
  X(segment_spring, viper_segment_spring)                                                          \
  X(joint_spring, viper_joint_spring)

typedef struct viper_line {
  const viper_model_body *body; ///< of the whole model; null where there is no line
  viper_chain_order segments, joints;
  int32_t n, rows;           ///< nodes of the chain; of a lane
  viper_model model;         ///< a lane: body and phases alone
  viper_model_body of_lane;  ///< its only body, with as many elements as the chain has
  viper_adjacency adjacency; ///< likewise: phases and orders of block descent alone
  int32_t *order;            ///< rows of the phases of other methods: of segments, then of joints
  // All with VIPER_LINE_REACH rows more before the first and behind the last.
#define VIPER_ARRAY(name, type, place, set, spare) type *name;
  VIPER_STATE_FIELDS(VIPER_ARRAY)
  VIPER_RATE_FIELDS(VIPER_ARRAY)
  VIPER_OLD_FIELDS(VIPER_ARRAY)
  VIPER_METHOD_FIELDS(VIPER_ARRAY)
#undef VIPER_ARRAY
#define VIPER_ARRAY(name, type) type *name;
  VIPER_LINE_REST(VIPER_ARRAY)
#undef VIPER_ARRAY
  viper_vec3 *axis;           ///< of frames
  viper_real (*node_free)[4]; ///< 1 where free, else 0
  viper_real *frame_free;     ///< likewise
  viper_node_inertia *weight; ///< of `jacobi-published`: one over the terms at a node
  viper_real *frame_weight;   ///< and at a frame
  uint8_t *node_pinned;       ///< whether a component is pinned in any lane
  uint8_t *frame_pinned;      ///< likewise of frames
  viper_mask *there[2];       ///< which segments, and which joints, there are
  uint8_t *partial[2];        ///< whether one that is not there lies beside one that is
  viper_real *value;          ///< of sums
  int32_t *place[3];          ///< where in `value` nodes, segments and joints lie, by their order
  viper_pairs pairs;          ///< of `direct`
  char *memory;               ///< all arrays
} viper_line;

/// All lines of a model, one for each of its single bodies that is a plain chain.
typedef struct viper_all_lines {
  const viper_model *model;
  viper_line *line; ///< [n]
  size_t n;
} viper_all_lines;

vb_status viper_lines_create(const viper_arrays *arrays, const viper_body_groups *body_groups,
                             viper_method method, void **out, vb_error *error);
void viper_lines_destroy(void *self);
bool viper_lines_sweep(void *self, int32_t single, const viper_arrays *arrays,
                       const viper_settings *settings, double h);
/// `direct` (direct_lanes.c).
void viper_line_direct(viper_line *line, const viper_arrays *arrays, const viper_settings *settings,
                       double h);

#endif
