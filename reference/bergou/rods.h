// SPDX-License-Identifier: GPL-3.0-or-later
/// The rest data of a scene of open chains: inertias, stiffnesses, and the order of the unknowns
/// along each chain. Arrays are in the scene's order; SI units.
#ifndef BERGOU_RODS_H
#define BERGOU_RODS_H

#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bergou_node {
  double mass;     ///< kg
  uint32_t pinned; ///< vb_pin_mask
  int32_t at;      ///< first of its three unknowns
} bergou_node;

typedef struct bergou_segment {
  int32_t node[2];
  double length;  ///< at rest, m
  double radius;  ///< at rest, m
  double k;       ///< K of stretch: pi r^2 kz l [J]
  double fiber;   ///< the scene's kz over this one: what a fiber's strain is multiplied by
  double inertia; ///< about u and v: rho l pi r^4/4 [kg m^2]; about w twice it
  double rest_k, rest_inertia; ///< of these two, at the rest radius
  uint32_t pinned;             ///< vb_pin_mask
  int32_t at;                  ///< first of its three unknowns: a rotation vector in body axes
} bergou_segment;

/// With D = left conj(Q_j) Q_k right, a quaternion, the energy of a joint is the sum over the three
/// imaginary components of k D^2 / 2 (element.h).
typedef struct bergou_joint {
  int32_t segment[2];
  double left[4];   ///< conj(S) conj(F_j): half of the rest rotation, and F_j the half turn about u
                    ///< of a segment that is stored against the joint's path, else 1
  double right[4];  ///< F_k conj(S)
  double k[3];      ///< K (2/lm)^2 of bend (u, v) and twist (w) [J]
  double rest_k[3]; ///< that at the rest radii
} bergou_joint;

/// A body. Its unknowns follow its path: node, segment, node, ..., three each.
typedef struct bergou_chain {
  int32_t first_node, n_nodes;   ///< range of `path_node`; it has one segment less
  int32_t first_segment;         ///< of `path_segment`
  int32_t first_joint, n_joints; ///< range of `path_joint`
  int32_t first_unknown, n_unknowns;
  bool driven; ///< whether a pin, load or activation does work on it
} bergou_chain;

typedef struct bergou_rods {
  const vb_scene *scene;
  bergou_node *node;
  bergou_segment *segment;
  bergou_joint *joint;
  bergou_chain *chain;
  int32_t *path_node, *path_segment, *path_joint;
  size_t n_nodes, n_segments, n_joints, n_chains, n_unknowns;
} bergou_rods;

/// Distance of two unknowns of one element, at most: the half-bandwidth of a chain's matrix.
enum { BERGOU_BAND = 8 };

/// Whether the scene is of open chains. VB_UNAVAILABLE and one sentence that names the body where
/// one branches, closes a loop, or is a node without a segment.
vb_status bergou_check_topology(const vb_scene *scene, vb_error *error);

/// Whether this solver can have the scene's activations: strains and fibers. VB_UNAVAILABLE and one
/// sentence that names the first that is a force.
vb_status bergou_check_activations(const vb_scene *scene, vb_error *error);

/// The stretch at which the segment of an activation rests at `time` [s]. A strain's is its curve's
/// value a; a fiber's 1 + (a - 1) kz / k of the scene's kz and the stiffness k in its place: that
/// draws as much as it would with VIPER's kz, whose section follows.
double bergou_active_stretch(const bergou_rods *rods, const vb_activation *activation, double time);

/// Makes the rest data of a scene of open chains, which must outlive it. `matched`: kz is replaced
/// by kz + kv - 4 kv^2/(kx + ky + 4 kv) in every segment. Freed by bergou_rods_destroy.
vb_status bergou_rods_create(const vb_scene *scene, bool matched, bergou_rods **out,
                             vb_error *error);
/// Gives all segments the section that is their rest section times `scale` (segments): their
/// stretch goes as its square, and so does the inertia of a frame, whose mass stays; bend and twist
/// of a joint go as the fourth power of its mean radius.
void bergou_rods_follow(bergou_rods *rods, const double *scale);
void bergou_rods_destroy(bergou_rods *rods);

#endif
