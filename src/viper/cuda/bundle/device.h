// SPDX-License-Identifier: GPL-3.0-or-later
/// Device data of a scene's bundles (cuda/README.md, Bundles), in one precision. Indexes are the
/// model's.
#ifndef VIPER_CUDA_BUNDLE_DEVICE_H
#define VIPER_CUDA_BUNDLE_DEVICE_H

#include "viper/bundle/bundle_fit.h"
#include "viper/cuda/bundle/host.h"
#include "viper/cuda/contact/device.h"

/// A node: where it and its prediction are worked on, as rows of four.
typedef struct viper_bundle_node {
  int32_t row, hat;
  uint32_t pinned; ///< vb_pin_mask
} viper_bundle_node;

/// A segment, and likewise its frame.
typedef struct viper_bundle_segment {
  int32_t node[2];
  int32_t row, hat;
  int32_t pinned;
  viper_scalar rest; ///< inertia of the frame about u at scale 1, kg m^2
  int64_t inertia;   ///< where that of this substep is
} viper_bundle_segment;

typedef struct viper_bundle_device {
  // The scene's
  const viper_bundle *bundle;          ///< [n_bundles]
  const viper_bundle_member *member;   ///< [n_members]
  const int32_t *in_bundle;            ///< [n_in_bundle] nodes of members, each once
  const int32_t *first_share;          ///< [n_in_bundle + 1]
  const viper_bundle_share *share;     ///< what members do to them
  const viper_bundle_node *node;       ///< [n_nodes]
  const viper_bundle_segment *segment; ///< [n_segments]
  int32_t n_bundles, n_members, n_in_bundle, n_nodes, n_segments;
  /// What bodies are worked on with between passes, by the kernels that do so in scenes with
  /// contact: theirs. In a scene without contact it has only `workspace`, `workspace_first`, and
  /// counts that stay 0.
  viper_contact_device bodies;
  // What a substep leaves (viper_bundle_end_state): rows of four
  viper_real *node_left, *node_hat, *node_hat0;    ///< [n_nodes]
  viper_real *frame_left, *frame_hat, *frame_hat0; ///< [n_segments]
  viper_real *node_bundled;                        ///< [n_nodes] null without contact
  // Of a substep: predictions as bundles moved them, which contacts push besides; rows of four,
  // null without contact
  viper_real *node_pushed;  ///< [n_nodes]
  viper_real *frame_pushed; ///< [n_segments]
  // Of a pass
  viper_bundle_place *now;  ///< [n_members] where members are, and where they should be
  viper_bundle_place *goal; ///< [n_members]
} viper_bundle_device;

#endif
