// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads the shapes of a recorded run from its results file.
#ifndef VB_RENDER_RECORDING_H
#define VB_RENDER_RECORDING_H

#include "render/driven.h"
#include "render/skeleton.h"

/// What colors shapes.
typedef enum vb_coloring {
  VB_COLOR_SCALE,    ///< the scale of nodes
  VB_COLOR_VOLUME,   ///< the relative error of volume: of segments s^2 l / l_rest - 1 with their
                     ///< mean scale s, of tetrahedra V / V_rest - 1
  VB_COLOR_BODY,     ///< the number of the body; of bones NaN, which is the color of bone
  VB_COLOR_MATERIAL, ///< the same, for what has no color by its material
} vb_coloring;

/// A run, opened: what does not change from frame to frame.
typedef struct vb_recording {
  vb_run_location place;
  vb_array time; ///< of the frames, s
  vb_array body, rest_position, rest_radius, segment, rest_length, young;
  vb_array bundle;     ///< pairs of a bundle and its segment; bodies that bundles join count as one
                       ///< where there is a surface
  vb_array activation; ///< pairs of a location (1: segment, 6: tetrahedron) and an index
  vb_array direction;  ///< of the fibers of activated tetrahedra at rest
  vb_array look, look_color; ///< rows of a location, an index and a material; their colors
  vb_array tetrahedron;      ///< empty where there are none, as all below
  vb_array triangle, rest_vertex, vertex_segment;
  bool surface_alone; ///< whether frames hold its vertices and no positions of nodes
  vb_ground *ground;
  size_t n_grounds;
  vb_driven driven;     ///< half-planes, colliders
  vb_skeleton skeleton; ///< bones
  vb_bounds reach;      ///< of the nodes in all frames, where there is an endless collider
  int32_t (*side)[3];   ///< (n_sides) nodes of the triangles that bound the tetrahedra
  size_t n_sides;
  int32_t *carrier;   ///< (vertices) the segment whose capsule is nearest at rest, or that it is
                      ///< fastened to
  double *carrier_at; ///< (vertices) place along it, from 0 to 1
  bool *skinned;      ///< (bodies) whether its surface is shown and its capsules are not
  bool *is_bone;      ///< (bodies) whether it is a bone: all of its nodes are held
  bool *is_muscle;    ///< (bodies)
  double *tendon;     ///< (nodes) 1 in a muscle's rod where it is in no bundle or a tendon, else 0
  double (*along)[3]; ///< (nodes) unit vector along rods or fibers at rest, or 0
  double fiber_size;  ///< m; 0 where there is no muscle
  vb_appearance_kind flesh; ///< what tetrahedra are
  bool *under_skin;         ///< (vertices) whether its surface encloses several bodies
  double *below_skin;       ///< (vertices) how much of a muscle is below such a surface, 0 to 1
  int32_t *body_look;       ///< (bodies) its look, or -1
  int32_t *vertex_look;     ///< (vertices) that of its connected part of the surface, or -1
  int32_t *collider_look;   ///< (colliders) or -1
  vb_arena memory;          ///< these from `carrier` on
} vb_recording;

/// Opens a run's file, or the run that `place` names in the index of its study. With `capsules`,
/// surfaces that segments carry are left out and their capsules shown. VB_BAD_INPUT where there are
/// no frames or what is recorded does not suffice. Freed by vb_recording_close.
vb_status vb_recording_open(vb_run_location place, bool capsules, vb_recording *out,
                            vb_error *error);
void vb_recording_close(vb_recording *recording);

/// Finds what the scene says that bodies, surfaces and colliders look like; vb_recording_open does.
vb_status vb_recording_find_looks(vb_recording *recording, vb_error *error);

/// Replaces a material by that of look `look`, if this is not -1 and names one. Returns 1 + the
/// look where it has a color, else 0.
uint16_t vb_recording_take_look(const vb_recording *recording, int32_t look,
                                vb_appearance_kind *material);

/// Moves what looks like glass from `shapes` to `clear`, which has room for it.
void vb_recording_move_glass(vb_shapes *shapes, vb_shapes *clear);

/// Finds muscles, their fibers and skins around several bodies; vb_recording_open does so.
vb_status vb_recording_find_muscle(vb_recording *recording, vb_error *error);

/// Writes of what the items of the shapes are made of that the segments and the surface of a
/// recording are drawn as, and the fibers at its vertices.
void vb_recording_add_appearance(const vb_recording *recording, vb_shapes *shapes);

/// Reads frame `k`, from 0, as shapes to be prepared: what hides all behind it, and what is seen
/// through: colliders, and flesh where there are bones. VB_BAD_INPUT where that cannot be. The
/// caller frees both with vb_shapes_clear.
vb_status vb_recording_shapes(const vb_recording *recording, size_t k, vb_coloring coloring,
                              vb_shapes *out, vb_shapes *clear, vb_error *error);

#endif
