// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/scene: the checks of a scene, in the order in which they are made, each relying
/// on those before it, and what they share. Each check fails with VB_BAD_INPUT and one sentence.
#ifndef VB_SCENE_CHECKS_H
#define VB_SCENE_CHECKS_H

#include "scene/sets.h"

#include <stdbool.h>

/// Checks every index of a scene of sound layout, and that the element it names may be named there.
/// Of a draft it passes over those of bodies and joints, which a builder adds later.
vb_status vb_check_indexes(const vb_sets *sets, vb_error *error);
vb_status vb_check_draft_indexes(const vb_sets *sets, vb_error *error);

/// Checks that sorted sets are sorted, with at most one element of a key.
vb_status vb_check_order(const vb_sets *sets, vb_error *error);

/// Checks the names, and that those differ that must.
vb_status vb_check_names(const vb_sets *sets, vb_error *error);

/// Checks that bodies are the graph's components, and that no joint or pin is there twice.
vb_status vb_check_graph(const vb_sets *sets, vb_error *error);

/// Checks every number by itself, and those of nodes, segments, loads and curves.
vb_status vb_check_values(const vb_sets *sets, vb_error *error);

/// Checks the numbers of tetrahedra.
vb_status vb_check_tetrahedra(const vb_sets *sets, vb_error *error);

/// Checks bundles and the surface: indexes, order, values.
vb_status vb_check_bundles(const vb_sets *sets, vb_error *error);
vb_status vb_check_surface(const vb_sets *sets, vb_error *error);

/// Checks half-planes, contact and pairs of bodies with friction; colliders.
vb_status vb_check_contact(const vb_sets *sets, vb_error *error);
vb_status vb_check_colliders(const vb_sets *sets, vb_error *error);

/// Checks the colors of looks.
vb_status vb_check_looks(const vb_sets *sets, vb_error *error);

/// Checks what is clamped in triangles.
vb_status vb_check_attachments(const vb_sets *sets, vb_error *error);

/// Checks rest curvatures, frame pins and follower loads.
vb_status vb_check_rods(const vb_sets *sets, vb_error *error);

/// Checks when pins end.
vb_status vb_check_pin_ends(const vb_sets *sets, vb_error *error);

/// Checks activations.
vb_status vb_check_activations(const vb_sets *sets, vb_error *error);

/// Checks parents of drivers, and what follows drivers.
vb_status vb_check_drivers(const vb_sets *sets, vb_error *error);

/// Checks bones and ties, and the links between bones.
vb_status vb_check_bones(const vb_sets *sets, vb_error *error);
vb_status vb_check_links(const vb_sets *sets, vb_error *error);

/// A check of element `i` of a set, and how many there are to check.
typedef struct vb_check_pass {
  vb_status (*check)(const vb_sets *sets, size_t i, vb_error *error);
  size_t n;
} vb_check_pass;

/// Makes the checks one after the other, each of all its elements; stops at the first that fails.
vb_status vb_check_passes(const vb_sets *sets, const vb_check_pass *passes, size_t n,
                          vb_error *error);

/// Checks the numbers, choices and flags of the sets from `first` to before `end` by themselves.
vb_status vb_check_numbers(const vb_sets *sets, vb_tag first, vb_tag end, vb_error *error);

/// Checks the `n` values of a member, called `title`, of an element.
vb_status vb_check_number(const vb_sets *sets, vb_tag tag, size_t index, const char *title,
                          vb_rule rule, const double *value, int n, vb_error *error);

/// Elements that are checked between two looks at the clock (base/time_limit.h): some hundred
/// microseconds.
#define VB_CHECK_LOOK 256

/// How far the norm of a unit vector or quaternion may be from 1: rounding many times over, no
/// more.
#define VB_UNIT_TOLERANCE 1e-9

/// "node 3", and " of NAME" where its body was given a name, for messages; "scene" for the world.
typedef struct vb_place {
  char text[96];
} vb_place;
vb_place vb_place_of(const vb_sets *sets, vb_tag tag, size_t index);

/// A byte for each node, then for each segment: 1 where a pin (of a frame pin, too) holds some of
/// it. Freed by the caller; null for want of memory.
char *vb_pinned_places(const vb_sets *sets);

#endif
