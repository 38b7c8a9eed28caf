// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest data of bundles: segments of one cross-section that share a similarity transform T*
/// (section 7.3, eqs. 33-36; README.md). In double precision and in the order of the model.
#ifndef VIPER_BUNDLE_BUNDLE_H
#define VIPER_BUNDLE_BUNDLE_H

#include "base/arena.h"
#include "viper/model/model.h"
#include "viper/settings/settings.h"

/// A segment of a bundle.
typedef struct viper_bundle_member {
  int32_t segment;
  double mass;           ///< rho pi r^2 l, kg: the weight of its disc
  double disc;           ///< r^2 / 4, m^2: of the columns (r/2) u and (r/2) v
  double rest_middle[3]; ///< from the bundle's mean at rest, m
  double rest_frame[4];
} viper_bundle_member;

typedef struct viper_bundle {
  int32_t first, n;    ///< members
  bool rigid;          ///< its transform has no scale
  bool solid;          ///< its rods are fused (viper_is_fused)
  double mass;         ///< kg
  double rest_mean[3]; ///< of the middles at rest, m
  double rest_norm; ///< sum of mass (r^2/2 + |middle|^2) at rest, kg m^2: the denominator of eq. 35
} viper_bundle;

/// What a member does to one of its nodes.
typedef struct viper_bundle_share {
  int32_t member;
  double center; ///< share of the node's mass that is half of the member's
  double scale;  ///< likewise of scale inertia
} viper_bundle_share;

typedef struct viper_bundles {
  viper_bundle *bundle;
  viper_bundle_member *member;
  int32_t *node;        ///< [n_nodes] nodes of members, each once
  int32_t *first_share; ///< [n_nodes + 1]
  viper_bundle_share *share;
  size_t n, n_members, n_nodes;
  vb_arena memory;
} viper_bundles;

/// Makes the bundles of the model's scene, none where that has none. Freed by
/// viper_bundles_destroy.
vb_status viper_bundles_create(const viper_model *model, viper_bundle_scale scale,
                               viper_bundles *out, vb_error *error);
void viper_bundles_destroy(viper_bundles *bundles);

/// The stiffness of a segment against a stretch, shear, or change of its volume: the sum of K, J.
static inline double viper_bundle_stiffness(const viper_model_segment *s) {
  return s->k[VIPER_TERM_STRETCH] + s->k[VIPER_TERM_VOLUME] + s->k_solid[VIPER_TERM_AXIAL] +
         s->k_solid[VIPER_TERM_DILATION];
}

#endif
