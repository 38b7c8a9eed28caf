// SPDX-License-Identifier: GPL-3.0-or-later
/// The bodies of a scene as chains of elements: two for each segment, which meet where its frame is
/// held, turned or read, its middle, so that moments may jump there and at nodes of the scene.
#ifndef COSSERAT_BODIES_H
#define COSSERAT_BODIES_H

#include "reference/cosserat/elements.h"
#include "scene/scene.h"

/// Where a node or segment of the scene is in the chains.
typedef struct cosserat_address {
  int32_t chain;
  int32_t node; ///< of the chain
} cosserat_address;

typedef struct cosserat_bodies {
  const vb_scene *scene;
  size_t n_chains, n_nodes, n_segments; ///< of the scene: bodies, nodes, segments
  cosserat_chain *chain;
  cosserat_address *node, *segment; ///< by index in the scene
  bool *against;                    ///< of segments: whether it is stored against the chain's path
  int32_t *path_node, *path_segment;
} cosserat_bodies;

/// Whether the bodies are open chains of segments that resist stretch, bending and twist.
/// VB_UNAVAILABLE and a sentence that names the body or segment where one is not.
vb_status cosserat_bodies_check(const vb_scene *scene, vb_error *error);

/// Makes the chains of a scene that was checked, which must outlive them, at time 0. Young's and
/// the shear modulus of a segment are those of its material, or else of kz and kv under a slow pull
/// and of kx and ky. Freed by cosserat_bodies_free, also on failure.
vb_status cosserat_bodies_create(const vb_scene *scene, cosserat_bodies *out, vb_error *error);
void cosserat_bodies_free(cosserat_bodies *bodies);

/// Puts the pins and the loads as they are at `time`, with `weight` times gravity.
void cosserat_bodies_load(cosserat_bodies *bodies, double time, double weight);

/// The frame of segment `j` of the scene.
void cosserat_bodies_frame(const cosserat_bodies *bodies, size_t j, double out[4]);

/// Force [N] and torque [N m, world axes] that what holds a node or segment exerts on it. To be
/// called after the chain was evaluated.
void cosserat_bodies_reaction(const cosserat_bodies *bodies, const vb_pin *pin, double force[3],
                              double torque[3]);

/// The potential of gravity, 0 at the origin [J].
double cosserat_bodies_gravity(const cosserat_bodies *bodies);

#endif
