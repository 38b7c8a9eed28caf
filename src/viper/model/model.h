// SPDX-License-Identifier: GPL-3.0-or-later
/// The model: rest data of a scene, in the order of the computation. Elements are sorted by body,
/// and the segments and the joints of a body by color. Elements of one color share no unknown, so
/// they may be processed in any order or in parallel. In double precision; backends convert.
#ifndef VIPER_MODEL_MODEL_H
#define VIPER_MODEL_MODEL_H

#include "base/arena.h"
#include "scene/scene.h"
#include "viper/energy/table.h"

#include <stdbool.h>

/// A node with its lumped inertias (README.md, Inertia; eqs. 68, 73).
typedef struct viper_model_node {
  double mass;          ///< kg
  double scale_inertia; ///< J, kg m^2
  double radius;        ///< at rest, m
  uint32_t pinned;      ///< vb_pin_mask
  int32_t scene_index;
} viper_model_node;

typedef struct viper_model_segment {
  int32_t node[2]; ///< in this model's order
  double inv_l;    ///< 1/m
  double k[VIPER_N_SEGMENT_TERMS];
  double k_solid[VIPER_N_SOLID_TERMS]; ///< of the material model solid; 0 of a published segment
  double slant;                        ///< of the material model solid, see viper_solid_measure
  double frame_inertia;                ///< about u at scale 1, kg m^2
  double moments[2];                   ///< about v and w, over that about u: 1 and 2 of a disc
  double disc; ///< what frame_inertia is if its section is a solid disc, kg m^2
  uint32_t pinned;
  int32_t scene_index;
  int32_t pulled; ///< whether a pair of forces acts on its nodes (VB_ACTIVE_FORCE)
} viper_model_segment;

typedef struct viper_model_joint {
  int32_t segment[2]; ///< j, k along the path, in this model's order
  int32_t node[3];    ///< before, at and after the joint
  int32_t outer;      ///< whether a term depends on the scales before and after it
  double half[4];     ///< see viper_joint_rest (w, x, y, z)
  double flip[2];
  double omega_rest[3]; ///< 1/m
  double inv_lm, inv_l_j, inv_l_k;
  double k[VIPER_N_JOINT_TERMS];
} viper_model_joint;

/// Elements that share no unknown: one phase of a sweep.
typedef struct viper_phase {
  int32_t joints; ///< 0: segments, 1: joints
  int32_t first;  ///< index of its first element
  int32_t count;
} viper_phase;

typedef struct viper_model_body {
  int32_t first_node, n_nodes;
  int32_t first_segment, n_segments;
  int32_t first_joint, n_joints;
  int32_t first_phase, n_phases;
  int32_t free_center; ///< whether none of its centers is pinned
  int32_t solid;       ///< VIPER_NONE_SOLID to VIPER_ALL_SOLID
  int32_t bends;       ///< whether any of its joints has K of bend: all of solid bodies do not
  int32_t driven;      ///< whether a driver, a load or an activation does work on it
  int32_t apart;       ///< whether the rest data of batches do not describe it: a segment has an
                 ///< activation or a held component of its frame, a joint has bending factors or is
                 ///< of fused rods, or a node follows drivers
} viper_model_body;

/// Held components of a frame (vb_frame_mask) as bits of a segment's `pinned`.
#define VIPER_HOLDS(frame_mask) ((uint32_t)(frame_mask) << 8)

/// Whether component 0 to 2 (u, v, w) of a frame is held.
static inline int viper_holds(uint32_t pinned, int part) {
  return (int)(pinned >> (8 + part) & 1);
}

/// A pin in this model's order.
typedef struct viper_model_pin {
  int32_t location; ///< vb_location
  int32_t index;    ///< of the node or segment in this model's order
  int32_t driver;
  uint32_t mask; ///< vb_pin_mask; or held components of a frame: VIPER_HOLDS
} viper_model_pin;

/// An activation in this model's order.
typedef struct viper_model_activation {
  int32_t segment; ///< in this model's order
  int32_t body;
  int32_t active; ///< vb_active
  int32_t curve;
  const vb_hill *hill; ///< the law of the kind hill; else null
  double volume;       ///< of the segment at rest, m^3
} viper_model_activation;

/// A load that turns with a segment, in this model's order.
typedef struct viper_model_follower_load {
  int32_t load;     ///< of the scene
  int32_t segment;  ///< the one with which it turns
  int32_t location; ///< vb_location of the load
  int32_t index;    ///< of its node or segment
  int32_t body;
  double back[4]; ///< conj(Q_0) of that segment at time 0
} viper_model_follower_load;

/// The starting point of the iterations at a node: see vb_follow.
typedef struct viper_model_follow {
  int32_t node; ///< in this model's order
  int32_t body;
  int32_t driver[2]; ///< the second may be -1
  double weight[2];
} viper_model_follow;

typedef struct viper_model {
  const vb_scene *scene;
  viper_model_node *node;
  viper_model_segment *segment;
  viper_model_joint *joint;
  double (*bending)[4]; ///< (n_joints) fractions of K of the rows u and v of bend, then of
                        ///< volume_bend; null without bending factors
  double (*fused)[2];   ///< (n_joints) how they twist (viper_fused); null without fused rods
  viper_phase *phase;
  viper_model_body *body;
  viper_model_pin *pin;
  viper_model_activation *activation;       ///< as the scene has them
  viper_model_follower_load *follower_load; ///< likewise
  viper_model_follow *follow;               ///< likewise
  int32_t *node_at;                         ///< scene index to this model's
  int32_t *segment_at;
  size_t n_nodes, n_segments, n_joints, n_phases, n_bodies, n_pins, n_activations;
  size_t n_follower_loads, n_follows;
  size_t n_solids;  ///< n_segments where any segment is of the material model solid, else 0
  bool has_moments; ///< whether the moments of inertia of any frame are not a disc's
  vb_arena memory;  ///< all arrays
} viper_model;

/// Makes the model of a valid scene, which must outlive it. Elements are sorted by color or,
/// without `colored`, in the scene's order, for methods without phases of elements. VB_BAD_INPUT if
/// a node has no segment (it would have no inertia). Freed by viper_model_destroy.
vb_status viper_model_create(const vb_scene *scene, bool colored, viper_model **out,
                             vb_error *error);
void viper_model_destroy(viper_model *model);

/// A model of one body with the sizes of `body`; its indexes begin at 0, and the caller fills in
/// its elements. Null for lack of memory. Freed by viper_model_destroy.
viper_model *viper_model_of_body(const vb_scene *scene, const viper_model_body *body);

/// Whether bodies of a model may touch each other or a half-plane.
static inline int viper_has_contact(const viper_model *model) {
  return vb_scene_contact(model->scene) || vb_scene_count(model->scene, VB_SET_HALF_PLANE) > 0;
}

/// Whether components of frames are held.
static inline int viper_has_held(const viper_model *model) {
  return vb_scene_count(model->scene, VB_SET_FRAME_PIN) > 0;
}

/// Whether some components of a node's center are pinned, and others not.
static inline int viper_is_pinned_in_part(uint32_t pinned) {
  return (pinned & VB_PIN_CENTER) != 0 && (pinned & VB_PIN_CENTER) != VB_PIN_CENTER;
}

/// Whether segments have bending factors.
static inline int viper_has_bending_factors(const viper_model *model) {
  return vb_scene_count(model->scene, VB_SET_BENDING) > 0;
}

/// Whether segments of a model share similarity transforms.
static inline int viper_has_bundles(const viper_model *model) {
  return vb_scene_count(model->scene, VB_SET_BUNDLE) > 0;
}

/// Entries of the record of work: drivers, loads, activations.
static inline size_t viper_count_work(const viper_model *model) {
  return vb_scene_count(model->scene, VB_SET_DRIVER) + vb_scene_count(model->scene, VB_SET_LOAD) +
         model->n_activations;
}

#endif
