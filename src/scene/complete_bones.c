// SPDX-License-Identifier: GPL-3.0-or-later
/// Bones: mass, center and inertia from tetrahedra; poses, and those of what they carry.
#include "scene/complete.h"
#include "scene/rotation.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

/// The tetrahedra inside of a bone.
typedef struct inside {
  size_t n;
  double mass;      ///< kg
  double first[3];  ///< int x dm, kg m
  double center[3]; ///< of the bone, m
  double second[6]; ///< int (x - center)^T (x - center) dm: xx yy zz yz xz xy, kg m^2
} inside;

/// What the tetrahedra of bones are summed from.
typedef struct skeleton {
  const vb_node *nodes;
  const vb_tetrahedron *tetrahedra;
  size_t n_tetrahedra;
  int32_t *bone_of; ///< of each node, or -1
  inside *inside;   ///< of each bone
} skeleton;

/// The bone that carries all four nodes of a tetrahedron, or -1.
static int32_t bone_of(const skeleton *s, const vb_tetrahedron *t) {
  int32_t bone = s->bone_of[t->node[0]];
  for (int i = 1; i < 4; i++)
    if (s->bone_of[t->node[i]] != bone)
      return -1;
  return bone;
}

static double mass_of(const skeleton *s, const vb_tetrahedron *t) {
  const double *x[4];
  for (int i = 0; i < 4; i++)
    x[i] = s->nodes[t->node[i]].rest_position;
  return t->density * vb_volume6(x[0], x[1], x[2], x[3]) / 6;
}

static void sum_mass(const skeleton *s) {
  for (size_t k = 0; k < s->n_tetrahedra; k++) {
    const vb_tetrahedron *t = &s->tetrahedra[k];
    int32_t bone = bone_of(s, t);
    if (bone < 0)
      continue;
    inside *in = &s->inside[bone];
    double mass = mass_of(s, t);
    in->n++;
    in->mass += mass;
    for (int i = 0; i < 4; i++)
      vb_add_scaled(in->first, 0.25 * mass, s->nodes[t->node[i]].rest_position, in->first);
  }
}

/// Adds m/20 (sum_a d_a d_a^T + s s^T), with d_a from the center to node a and s = sum_a d_a.
static void sum_second_moments(const skeleton *s) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (size_t k = 0; k < s->n_tetrahedra; k++) {
    const vb_tetrahedron *t = &s->tetrahedra[k];
    int32_t bone = bone_of(s, t);
    if (bone < 0)
      continue;
    inside *in = &s->inside[bone];
    double d[5][3] = {0}, share = mass_of(s, t) / 20;
    for (int a = 0; a < 4; a++) {
      vb_subtract(s->nodes[t->node[a]].rest_position, in->center, d[a]);
      vb_add_scaled(d[4], 1, d[a], d[4]);
    }
    for (int a = 0; a < 5; a++)
      for (int c = 0; c < 6; c++)
        in->second[c] += share * d[a][pair[c][0]] * d[a][pair[c][1]];
  }
}

static bool is_zero(const double *value, int n) {
  for (int i = 0; i < n; i++)
    if (value[i] != 0)
      return false;
  return true;
}

/// Whether a bone lacks what its tetrahedra have. A center at the origin is as good as any other
/// where mass and inertia are given.
static bool is_incomplete(const vb_bone *bone) {
  return bone->mass == 0 || is_zero(bone->inertia, 6);
}

/// The center that a bone will have.
static void find_center(const vb_bone *bone, inside *in) {
  memcpy(in->center, bone->center, sizeof in->center);
  if (in->n > 0 && is_incomplete(bone) && is_zero(bone->center, 3))
    for (int k = 0; k < 3; k++)
      in->center[k] = in->first[k] / in->mass;
}

/// Fills in what a bone lacks: its tetrahedra's, their density changed where its mass is given.
static void complete_bone(vb_bone *bone, const inside *in) {
  bool posed = !is_zero(bone->frame, 4) && !is_incomplete(bone);
  if (is_incomplete(bone)) {
    const double *s = in->second;
    double trace = s[0] + s[1] + s[2];
    if (bone->mass == 0)
      bone->mass = in->mass;
    if (is_zero(bone->inertia, 6))
      for (int c = 0; c < 6; c++)
        bone->inertia[c] = bone->mass / in->mass * (c < 3 ? trace - s[c] : -s[c]);
    memcpy(bone->center, in->center, sizeof bone->center);
  }
  if (is_zero(bone->frame, 4))
    bone->frame[0] = 1;
  vb_normalize_quaternion(bone->frame);
  if (!posed && is_zero(bone->position, 3))
    memcpy(bone->position, bone->center, sizeof bone->position);
}

static vb_status complete_all(vb_bone *bones, size_t n, const skeleton *s, vb_error *error) {
  sum_mass(s);
  for (size_t b = 0; b < n; b++) {
    if (is_incomplete(&bones[b]) && s->inside[b].n == 0)
      return vb_bad_input(error,
                          "bone %zu (%.*s): it has no %s, and no tetrahedron whose four nodes it "
                          "carries to take it from",
                          b, VB_NAME_SIZE - 1, bones[b].name,
                          bones[b].mass == 0 ? "mass" : "inertia");
    find_center(&bones[b], &s->inside[b]);
  }
  sum_second_moments(s);
  for (size_t b = 0; b < n; b++)
    complete_bone(&bones[b], &s->inside[b]);
  return VB_OK;
}

/// Moves the nodes that bones carry to where the bones are at time 0, at their velocity.
static void move_tied_nodes(vb_builder *builder, const vb_bone *bones) {
  size_t n_ties, n;
  const vb_tie *ties = vb_builder_elements(builder, VB_SET_TIE, &n_ties);
  vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &n);
  for (size_t i = 0; i < n_ties; i++) {
    if (ties[i].location != VB_AT_NODE)
      continue;
    vb_node *node = &nodes[ties[i].index];
    const vb_bone *bone = &bones[ties[i].bone];
    double arm[3], turning[3];
    vb_bone_point(bone, node->rest_position, node->position);
    vb_subtract(node->position, bone->position, arm);
    vb_cross(bone->angular_velocity, arm, turning);
    vb_add_scaled(bone->velocity, 1, turning, node->velocity);
  }
}

vb_status vb_complete_bones(vb_builder *builder, vb_error *error) {
  size_t n_bones, n_ties, n_nodes;
  vb_bone *bones = vb_builder_elements(builder, VB_SET_BONE, &n_bones);
  const vb_tie *ties = vb_builder_elements(builder, VB_SET_TIE, &n_ties);
  skeleton s = {0};
  s.nodes = vb_builder_elements(builder, VB_SET_NODE, &n_nodes);
  s.tetrahedra = vb_builder_elements(builder, VB_SET_TETRAHEDRON, &s.n_tetrahedra);
  if (n_bones == 0)
    return VB_OK;
  s.bone_of = reallocarray(NULL, n_nodes + 1, sizeof *s.bone_of);
  s.inside = calloc(n_bones, sizeof *s.inside);
  vb_status status = s.bone_of && s.inside ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; status == VB_OK && i < n_nodes; i++)
    s.bone_of[i] = -1;
  for (size_t i = 0; status == VB_OK && i < n_ties; i++)
    if (ties[i].location == VB_AT_NODE)
      s.bone_of[ties[i].index] = ties[i].bone;
  if (status == VB_OK)
    status = complete_all(bones, n_bones, &s, error);
  if (status == VB_OK)
    move_tied_nodes(builder, bones);
  free(s.inside);
  free(s.bone_of);
  return status;
}

void vb_complete_tied_frames(vb_builder *builder) {
  size_t n_ties, n;
  const vb_bone *bones = vb_builder_elements(builder, VB_SET_BONE, &n);
  const vb_tie *ties = vb_builder_elements(builder, VB_SET_TIE, &n_ties);
  vb_segment *segments = vb_builder_elements(builder, VB_SET_SEGMENT, &n);
  for (size_t i = 0; i < n_ties; i++) {
    if (ties[i].location != VB_AT_SEGMENT)
      continue;
    const vb_bone *bone = &bones[ties[i].bone];
    vb_segment *segment = &segments[ties[i].index];
    vb_quaternion_multiply(bone->frame, segment->rest_frame, segment->frame);
    memcpy(segment->angular_velocity, bone->angular_velocity, sizeof segment->angular_velocity);
  }
}
