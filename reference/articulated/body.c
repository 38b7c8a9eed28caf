// SPDX-License-Identifier: GPL-3.0-or-later
#include "body.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The least eigenvalue of a bone's second moment, over its trace, with which it has a volume.
static const double flat = 1e-9;

void ar_body_local(const ar_body *body, size_t i, double out[4]) {
  size_t n;
  const vb_node *node = vb_scene_nodes(body->scene, &n);
  vb_subtract(node[i].rest_position, body->bone[body->bone_of[i]].center, out);
  out[3] = 1;
}

void ar_body_carry(const ar_body *body, const double *t, double *x) {
  for (size_t k = 0; k < body->n_carried; k++) {
    size_t i = (size_t)body->carried[k];
    const double *matrix = t + 12 * (size_t)body->bone_of[i];
    double local[4];
    ar_body_local(body, i, local);
    for (size_t c = 0; c < 3; c++) {
      double sum = 0;
      for (size_t r = 0; r < 4; r++)
        sum += local[r] * matrix[3 * r + c];
      x[3 * i + c] = sum;
    }
  }
}

/// The bone of all four nodes of a tetrahedron, or -1.
static int32_t rigid_in(const int32_t *bone_of, const vb_tetrahedron *t) {
  for (int k = 1; k < 4; k++)
    if (bone_of[t->node[k]] != bone_of[t->node[0]])
      return -1;
  return bone_of[t->node[0]];
}

/// Gradients of the shape functions, and the volume.
static void shape(const vb_node *node, const vb_tetrahedron *t, ar_element *out) {
  const double *x[4];
  for (int a = 0; a < 4; a++)
    x[a] = node[t->node[a]].rest_position;
  double six = vb_volume6(x[0], x[1], x[2], x[3]);
  out->volume = six / 6;
  static const int face[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  for (int a = 0; a < 4; a++) {
    double u[3], v[3], normal[3];
    vb_subtract(x[face[a][1]], x[face[a][0]], u);
    vb_subtract(x[face[a][2]], x[face[a][0]], v);
    vb_cross(u, v, normal);
    for (int c = 0; c < 3; c++)
      out->gradient[a][c] = normal[c] / six;
  }
}

/// Makes the elements, and lumps their masses to nodes.
static vb_status make_elements(ar_body *b, vb_error *error) {
  size_t n, n_nodes;
  const vb_tetrahedron *t = vb_scene_tetrahedra(b->scene, &n);
  const vb_node *node = vb_scene_nodes(b->scene, &n_nodes);
  b->element = calloc(n + 1, sizeof *b->element);
  if (!b->element)
    return vb_error_memory(error);
  bool stiff = b->choice.bones == AR_BONES_STIFF;
  for (size_t i = 0; i < n; i++) {
    bool rigid = rigid_in(stiff ? b->shape_of : b->bone_of, &t[i]) >= 0;
    if (t[i].poisson < 0)
      return vb_bad_input(error,
                          "tetrahedron %zu has Poisson's ratio %g; the articulated solver needs 0 "
                          "or more, because projective energies have positive weights",
                          i, t[i].poisson);
    if (rigid && !stiff && !b->choice.keep)
      continue;
    ar_element *e = &b->element[b->n_elements++];
    memcpy(e->node, t[i].node, sizeof e->node);
    e->tetrahedron = (int32_t)i;
    shape(node, &t[i], e);
    e->material =
        ar_material_from(t[i].young * (rigid && stiff ? b->choice.ratio : 1), t[i].poisson);
    if (b->choice.arap)
      e->material.la = 0;
    for (int a = 0; a < 4 && (stiff || !rigid); a++)
      b->mass[t[i].node[a]] += 0.25 * t[i].density * e->volume;
  }
  return VB_OK;
}

/// Lists the corners of elements at each node.
static vb_status make_lists(ar_body *b, vb_error *error) {
  b->first = calloc(b->n_nodes + 2, sizeof *b->first);
  b->at = reallocarray(NULL, 4 * b->n_elements + 1, sizeof *b->at);
  if (!b->first || !b->at)
    return vb_error_memory(error);
  for (size_t e = 0; e < b->n_elements; e++)
    for (int a = 0; a < 4; a++)
      b->first[b->element[e].node[a] + 2]++;
  for (size_t i = 2; i < b->n_nodes + 2; i++)
    b->first[i] += b->first[i - 1];
  for (size_t e = 0; e < b->n_elements; e++)
    for (int a = 0; a < 4; a++)
      b->at[b->first[b->element[e].node[a] + 1]++] = (int32_t)(4 * e) + a;
  return VB_OK;
}

/// Adds m (x - center)^T (x - center).
static void add_moment(double second[9], double m, const double x[3], const double center[3]) {
  double d[3];
  vb_subtract(x, center, d);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      second[3 * r + c] += m * d[r] * d[c];
}

/// Whether the second moment has a volume: by the Cholesky factor of what is left of it.
static bool is_solid(const double s[9]) {
  double least = flat * (s[0] + s[4] + s[8]), a = s[0] - least;
  double b = s[4] - least - s[1] * s[1] / a, e = s[5] - s[1] * s[2] / a;
  return a > 0 && b > 0 && s[8] - least - s[2] * s[2] / a - e * e / b > 0;
}

/// The scene's bones: masses and centers with those of the flesh at their nodes, and second
/// moments.
static void add_masses(ar_body *b) {
  size_t n;
  const vb_bone *from = vb_scene_bones(b->scene, &n);
  const vb_node *node = vb_scene_nodes(b->scene, &n);
  for (size_t k = 0; k < b->n_bones; k++) {
    b->bone[k].mass = from[k].mass;
    for (int c = 0; c < 3; c++)
      b->bone[k].center[c] = from[k].mass * from[k].center[c];
  }
  for (size_t j = 0; j < b->n_carried; j++) {
    size_t i = (size_t)b->carried[j];
    ar_bone *bone = &b->bone[b->bone_of[i]];
    bone->mass += b->mass[i];
    vb_add_scaled(bone->center, b->mass[i], node[i].rest_position, bone->center);
  }
  static const int place[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2}; // of xx yy zz yz xz xy
  for (size_t k = 0; k < b->n_bones; k++) {
    ar_bone *bone = &b->bone[k];
    const double *j = from[k].inertia;
    for (int c = 0; c < 3; c++)
      bone->center[c] /= bone->mass;
    for (int c = 0; c < 9; c++)
      bone->second[c] = (c % 4 == 0 ? 0.5 * (j[0] + j[1] + j[2]) : 0) - j[place[c]];
    add_moment(bone->second, from[k].mass, from[k].center, bone->center);
  }
  for (size_t j = 0; j < b->n_carried; j++) {
    size_t i = (size_t)b->carried[j];
    ar_bone *bone = &b->bone[b->bone_of[i]];
    add_moment(bone->second, b->mass[i], node[i].rest_position, bone->center);
  }
}

/// What follows from the masses of bone `k`.
static vb_status finish_bone(ar_body *b, size_t k, vb_error *error) {
  size_t n;
  const vb_bone *from = vb_scene_bones(b->scene, &n) + k;
  ar_bone *bone = &b->bone[k];
  vb_subtract(from->center, bone->center, bone->offset);
  bone->radius = sqrt((bone->second[0] + bone->second[4] + bone->second[8]) / bone->mass);
  if (!is_solid(bone->second))
    return vb_bad_input(error,
                        "bone %zu (%s): its mass lies in a plane or on a line, so its inertia for "
                        "affine maps is singular; give the mass, center and inertia of a volume",
                        k, from->name);
  return VB_OK;
}

static vb_status check_nodes(const ar_body *b, vb_error *error) {
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->bone_of[i] < 0 && !(b->mass[i] > 0))
      return vb_bad_input(error, "node %zu is in no tetrahedron that deforms and in no bone", i);
  return VB_OK;
}

/// The diagonal of the box around nodes and bones at rest, and no less than a bone.
static double scene_size(const ar_body *b) {
  size_t n_nodes, n_bones;
  const vb_node *node = vb_scene_nodes(b->scene, &n_nodes);
  const vb_bone *bone = vb_scene_bones(b->scene, &n_bones);
  double low[3] = {0}, high[3] = {0}, least = 0;
  for (size_t i = 0; i < n_nodes + n_bones; i++) {
    const double *x = i < n_nodes ? node[i].rest_position : bone[i - n_nodes].center;
    for (int c = 0; c < 3; c++) {
      low[c] = i > 0 ? fmin(low[c], x[c]) : x[c];
      high[c] = i > 0 ? fmax(high[c], x[c]) : x[c];
    }
  }
  for (size_t k = 0; k < n_bones; k++)
    least = fmax(
        least, sqrt((bone[k].inertia[0] + bone[k].inertia[1] + bone[k].inertia[2]) / bone[k].mass));
  return n_nodes + n_bones > 0 ? fmax(least, vb_distance(low, high)) : 1;
}

/// Reads which node is in which bone.
static vb_status make_carried(ar_body *b, vb_error *error) {
  size_t n_ties;
  const vb_tie *tie = vb_scene_ties(b->scene, &n_ties);
  bool exact = b->choice.bones == AR_BONES_EXACT || b->choice.bones == AR_BONES_FREE;
  b->bone_of = reallocarray(NULL, b->n_nodes + 1, sizeof *b->bone_of);
  b->shape_of = reallocarray(NULL, b->n_nodes + 1, sizeof *b->shape_of);
  b->carried = reallocarray(NULL, n_ties + 1, sizeof *b->carried);
  b->mass = calloc(b->n_nodes + 1, sizeof *b->mass);
  if (!b->bone_of || !b->shape_of || !b->carried || !b->mass)
    return vb_error_memory(error);
  for (size_t i = 0; i < b->n_nodes; i++)
    b->bone_of[i] = b->shape_of[i] = -1;
  for (size_t i = 0; i < n_ties; i++) {
    (exact ? b->bone_of : b->shape_of)[tie[i].index] = tie[i].bone;
    if (exact)
      b->carried[b->n_carried++] = tie[i].index;
  }
  return VB_OK;
}

/// Lists the nodes of each bone that is flesh.
static vb_status list_shapes(ar_body *b, vb_error *error) {
  size_t n = vb_scene_count(b->scene, VB_SET_BONE);
  b->shape_first = calloc(n + 2, sizeof *b->shape_first);
  b->shape_node = reallocarray(NULL, b->n_nodes + 1, sizeof *b->shape_node);
  if (!b->shape_first || !b->shape_node)
    return vb_error_memory(error);
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->shape_of[i] >= 0)
      b->shape_first[b->shape_of[i] + 2]++;
  for (size_t k = 2; k < n + 2; k++)
    b->shape_first[k] += b->shape_first[k - 1];
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->shape_of[i] >= 0)
      b->shape_node[b->shape_first[b->shape_of[i] + 1]++] = (int32_t)i;
  return VB_OK;
}

vb_status ar_body_create(const vb_scene *scene, const ar_choice *choice, ar_body *out,
                         vb_error *error) {
  ar_body b = {.scene = scene, .choice = *choice};
  bool exact = choice->bones == AR_BONES_EXACT || choice->bones == AR_BONES_FREE;
  b.n_nodes = vb_scene_count(scene, VB_SET_NODE);
  b.n_bones = exact ? vb_scene_count(scene, VB_SET_BONE) : 0;
  b.n_links = choice->bones == AR_BONES_EXACT ? vb_scene_count(scene, VB_SET_LINK) : 0;
  b.size = scene_size(&b);
  b.bone = calloc(b.n_bones + 1, sizeof *b.bone);
  vb_status status = b.bone ? make_carried(&b, error) : vb_error_memory(error);
  if (!status)
    status = list_shapes(&b, error);
  if (!status)
    status = make_elements(&b, error);
  if (!status)
    status = make_lists(&b, error);
  if (!status)
    add_masses(&b);
  for (size_t k = 0; !status && k < b.n_bones; k++)
    status = finish_bone(&b, k, error);
  if (!status)
    status = check_nodes(&b, error);
  if (status)
    ar_body_clear(&b);
  else
    *out = b;
  return status;
}

void ar_body_clear(ar_body *b) {
  free(b->element);
  free(b->bone);
  free(b->bone_of);
  free(b->shape_of);
  free(b->shape_first);
  free(b->shape_node);
  free(b->carried);
  free(b->mass);
  free(b->first);
  free(b->at);
  *b = (ar_body){0};
}
