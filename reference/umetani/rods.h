// SPDX-License-Identifier: GPL-3.0-or-later
/// Rods of points and ghost points at rest: their constraints, and the order in which these are
/// visited.
#ifndef UMETANI_RODS_H
#define UMETANI_RODS_H

#include "scene/scene.h"

/// How the nodes of an edge or joint are held.
typedef enum umetani_held {
  UMETANI_FREE,   ///< not at all
  UMETANI_PINNED, ///< some wholly, others not at all: what is left can be solved for
  UMETANI_PARTLY  ///< in some components, or so many that components depend on others
} umetani_held;

/// A segment of the scene between points a and b, with the ghost point g beside its middle. Seen
/// from a to b as the scene stores it.
typedef struct umetani_edge {
  int32_t point[3]; ///< a, b, g
  int32_t segment;  ///< of the scene
  int32_t held;     ///< umetani_held
  double length;    ///< rest length L, m
  double ghost;     ///< rest distance Lg of the ghost from the middle, m
  double stiffness; ///< EA, N
  double moment[3]; ///< bending stiffness about d1, about d2, and of twist, N m^2
  double fiber;     ///< kz over the stiffness in its place: what a fiber's activation acts by
  double radius;    ///< m
} umetani_edge;

/// Two edges that bend and twist against each other (eq. 21): e from A to B, f from B to C.
typedef struct umetani_joint {
  int32_t point[5]; ///< A, B, C, ghost of e, ghost of f
  int32_t held;     ///< umetani_held
  int32_t joint;    ///< of the scene
  int32_t edge[2];  ///< e, f
  int32_t reserved;
  double lb;      ///< mean of the two rest lengths, m
  double rest[3]; ///< rest Darboux vector, 1/m
  double k[3];    ///< stiffness about d1, d2, d3, N m^2
} umetani_joint;

/// The rigid body where three or more edges meet (eq. 26): a point with two ghosts, at right
/// angles.
typedef struct umetani_hub {
  int32_t point[3]; ///< the point and the two ghosts
  int32_t node;     ///< of the scene
  double length;    ///< distance of the ghosts from the point, m
  int32_t first_attachment, n_attachments;
} umetani_hub;

/// The end of an edge in a rigid body (eqs. 22, 23), seen from the body.
typedef struct umetani_attachment {
  int32_t point[5];  ///< the body's point and ghosts; the edge's other point and its ghost
  int32_t segment;   ///< of the scene
  double turn[3][3]; ///< Eb^T Db: the edge's rest frame in the body's
  double lb;         ///< half of the edge's rest length, m
  double k[3];       ///< N m^2
} umetani_attachment;

/// The end of an edge that is clamped in a triangle (eqs. 24, 25).
typedef struct umetani_anchor {
  int32_t point[6]; ///< the triangle's corners; the edge's other point and its ghost; its end
  int32_t segment;  ///< of the scene
  int32_t reserved;
  double share[3];   ///< of each corner in the place of the end: barycentric coordinates
  double turn[3][3]; ///< the edge's rest frame in the triangle's
  double lb;         ///< half of the edge's rest length, m
  double k[3];       ///< N m^2
} umetani_anchor;

/// A pin of a segment's frame, or of some of its components.
typedef struct umetani_hold {
  int32_t point[3]; ///< of the segment: a, b, g
  int32_t segment;  ///< of the scene
  int32_t driver;
  uint32_t rows;      ///< bit i: component i is held
  double lb;          ///< half of the edge's rest length, m
  double start[3][3]; ///< axes of the frame at time 0, one a row
} umetani_hold;

/// A body's points, edges and the like: consecutive ones, those of a chain in its order.
typedef struct umetani_body {
  int32_t first_point, n_points;
  int32_t first_edge, n_edges;
  int32_t first_joint, n_joints;
  int32_t first_hub, n_hubs;
  int32_t first_hold, n_holds;
  int32_t first_chain, n_chains;
} umetani_body;

/// Edges and joints of a body between nodes where it ends or branches; or of a closed loop.
typedef struct umetani_chain {
  int32_t first_edge, n_edges;
  int32_t first_joint, n_joints;
} umetani_chain;

/// Stiffnesses by the scene's numbers; see README.md.
typedef enum umetani_material { UMETANI_MATCHED, UMETANI_VIPER, UMETANI_BEAM } umetani_material;

/// What rest data are made by.
typedef struct umetani_choice {
  umetani_material material;
  bool matched;      ///< ghosts by ghost_mass; else as heavy as points, at the mean rest length
  double ghost_mass; ///< share of a segment's mass, of matched ghosts
} umetani_choice;

/// The rest data of a scene. Points are numbered by body: its nodes, its ghosts, those of its hubs.
typedef struct umetani_rods {
  const vb_scene *scene;
  umetani_edge *edge;
  umetani_joint *joint;
  umetani_hub *hub;
  umetani_attachment *attachment;
  umetani_anchor *anchor;
  umetani_hold *hold;
  umetani_body *body;
  umetani_chain *chain;
  int32_t *group; ///< first bodies of runs that are connected alike, and n_bodies behind them
  int32_t *point_of_node; ///< nodes
  int32_t *edge_of;       ///< segments
  double *mass;           ///< points, kg
  double *weight;         ///< points: inverse mass; 0 where a component is held
  double (*weights)[3];   ///< points: inverse mass by component; 0 where held
  size_t n_nodes, n_segments, n_joints, n_hubs, n_attachments, n_anchors, n_holds;
  size_t n_bodies, n_chains;
  size_t n_groups;
  size_t n_points;
  size_t n_scene_joints;
  double size; ///< extent of the scene at time 0, m
} umetani_rods;

/// The edges, joints and hubs of a scene, in the order of bodies and chains: what only depends on
/// how the scene is connected. Fills the counts, the index arrays, and the indexes in edges,
/// joints, hubs and attachments. Arrays are allocated here. VB_UNAVAILABLE and one sentence where a
/// node has no segment.
vb_status umetani_connect(umetani_rods *rods, vb_error *error);

/// Finds the runs of at most UMETANI_GROUP consecutive bodies whose iterations visit the same
/// elements: chains without rigid bodies, all stiff, held in the same places.
enum { UMETANI_GROUP = 8 };
vb_status umetani_find_groups(umetani_rods *rods, vb_error *error);

/// Makes the rest data of a scene, which must outlive it. VB_UNAVAILABLE and one sentence where a
/// node has no segment, or a joint is folded back at rest. Freed by umetani_rods_destroy.
vb_status umetani_rods_create(const vb_scene *scene, const umetani_choice *choice,
                              umetani_rods **out, vb_error *error);
void umetani_rods_destroy(umetani_rods *rods);

/// Writes the rest rotation of joint `t` of the scene along its path, q[j][k] = d_e^j . d_f^k, with
/// `lm` the mean of its rest lengths. Its own rest curvature is Im P = lm/2 darboux, in the frame
/// midway, where a rotation has the same components.
void umetani_rest_rotation(const vb_scene *scene, int32_t t, double lm, double q[3][3]);

/// Fills the hubs and attachments of connected rods, whose edges are filled.
vb_status umetani_fill_hubs(umetani_rods *rods, const umetani_choice *choice, vb_error *error);

/// Makes the rest data of what is clamped in triangles, of rods whose edges are filled.
vb_status umetani_fill_anchors(umetani_rods *rods, vb_error *error);

/// Stretching, bending and twisting stiffness of the material of a segment [Pa]: kz*, kb and kt.
void umetani_moduli(const vb_segment *segment, umetani_material material, double *stretch,
                    double *bend, double *twist);

#endif
