// SPDX-License-Identifier: GPL-3.0-or-later
/// The rest data of a scene: tetrahedra that deform, bones with their inertia, and which node is in
/// which bone. Points are rows; a bone's unknown is the 4 x 3 matrix T whose rows are A^T and t, so
/// that its point X is at [X - center, 1] T (Li, Liu, Kavan 2019, eq. 8).
#ifndef AR_BODY_H
#define AR_BODY_H

#include "material.h"

#include "scene/scene.h"

#include <stddef.h>
#include <stdint.h>

/// What bones are.
typedef enum ar_bones {
  AR_BONES_EXACT, ///< rigid
  AR_BONES_STIFF, ///< flesh with Young's modulus times a ratio
  AR_BONES_SHAPE, ///< flesh whose nodes springs pull to a rigid shape
  AR_BONES_FREE   ///< rigid, links dropped
} ar_bones;

/// What of a scene is asked for.
typedef struct ar_choice {
  ar_bones bones;
  bool keep;    ///< tetrahedra of bones stay in the global matrix
  bool arap;    ///< la is 0
  double ratio; ///< of AR_BONES_STIFF
} ar_choice;

/// A deforming tetrahedron.
typedef struct ar_element {
  int32_t node[4];
  int32_t tetrahedron;   ///< of the scene
  double gradient[4][3]; ///< of the shape functions, 1/m
  double volume;         ///< m^3
  ar_material material;
} ar_element;

/// A dynamic bone.
typedef struct ar_bone {
  double mass;      ///< kg, with its nodes' share of the flesh
  double center[3]; ///< of that mass at rest, m: the origin of local coordinates
  double second[9]; ///< its second moment about that center, kg m^2
  double offset[3]; ///< the scene's center of mass less this one, m
  double radius;    ///< sqrt(tr second / mass), m
} ar_bone;

typedef struct ar_body {
  const vb_scene *scene;
  ar_choice choice;
  size_t n_nodes;
  size_t n_elements;
  ar_element *element;
  size_t n_bones; ///< 0 where bones are flesh
  ar_bone *bone;
  size_t n_links;      ///< 0 where links are dropped
  int32_t *bone_of;    ///< (n_nodes) the bone that carries a node, or -1
  int32_t *shape_of;   ///< (n_nodes) the same of AR_BONES_SHAPE; else -1
  size_t *shape_first; ///< (the scene's bones + 1) nodes of AR_BONES_SHAPE's bone k are
                       ///< shape_node[shape_first[k]] to shape_node[shape_first[k + 1] - 1]
  int32_t *shape_node; ///< increasing in each bone
  size_t n_carried;    ///< nodes in bones
  int32_t *carried;    ///< (n_carried) these nodes, increasing
  double *mass;        ///< (n_nodes) lumped from deforming tetrahedra, kg
  double size;         ///< the scene's, m
  size_t *first;       ///< (n_nodes + 1) corners at node i are at[first[i]] to at[first[i + 1] - 1]
  int32_t *at;         ///< 4 element + corner, increasing
} ar_body;

/// Makes the rest data. VB_BAD_INPUT where a node belongs to no tetrahedron and no bone, where a
/// tetrahedron's Poisson's ratio is negative, or where a bone's mass lies in a plane. Freed by
/// ar_body_clear.
vb_status ar_body_create(const vb_scene *scene, const ar_choice *choice, ar_body *out,
                         vb_error *error);
void ar_body_clear(ar_body *body);

/// Local coordinates [X - center, 1] of node `i` in its bone.
void ar_body_local(const ar_body *body, size_t i, double out[4]);

/// Writes positions `x` (n_nodes x 3) of the nodes in bones, for T (n_bones x 4 x 3); with the
/// rates of T, velocities.
void ar_body_carry(const ar_body *body, const double *t, double *x);

#endif
