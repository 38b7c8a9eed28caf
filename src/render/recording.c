// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/recording.h"

#include "mesh/mesh.h"
#include "mesh/surface_owner.h"
#include "render/colliders.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Reads a dataset where it is there; otherwise leaves `out` empty.
static vb_status read_if_there(vb_run_location place, const char *dataset, vb_array *out,
                               vb_error *error) {
  bool there = false;
  vb_status status = vb_run_has(place, dataset, &there, error);
  return there ? vb_run_array(place, dataset, VB_NO_FRAME, out, error) : status;
}

/// What is read once, with the numbers in a row.
static const struct {
  const char *name;
  size_t array; ///< its place in a recording
  size_t width;
  bool needed;
} DATASETS[] = {{"run/frames/time", offsetof(vb_recording, time), 1, false},
                {"topology/body", offsetof(vb_recording, body), 1, true},
                {"topology/rest_position", offsetof(vb_recording, rest_position), 3, true},
                {"topology/rest_radius", offsetof(vb_recording, rest_radius), 1, true},
                {"topology/segment", offsetof(vb_recording, segment), 2, false},
                {"topology/segment_young", offsetof(vb_recording, young), 1, false},
                {"topology/bundle", offsetof(vb_recording, bundle), 2, false},
                {"topology/activation_element", offsetof(vb_recording, activation), 2, false},
                {"topology/activation_direction", offsetof(vb_recording, direction), 3, false},
                {"topology/rest_length", offsetof(vb_recording, rest_length), 1, false},
                {"topology/look", offsetof(vb_recording, look), 3, false},
                {"topology/look_color", offsetof(vb_recording, look_color), 3, false},
                {"topology/tetrahedron", offsetof(vb_recording, tetrahedron), 4, false},
                {"topology/triangle", offsetof(vb_recording, triangle), 3, false},
                {"topology/rest_vertex", offsetof(vb_recording, rest_vertex), 3, false},
                {"topology/vertex_segment", offsetof(vb_recording, vertex_segment), 1, false}};

enum { N_DATASETS = sizeof DATASETS / sizeof *DATASETS };

static vb_array *array_of(vb_recording *r, size_t i) {
  return (vb_array *)(void *)((char *)r + DATASETS[i].array);
}

static vb_status read_all(vb_recording *r, vb_error *error) {
  bool surface = false, positions = false;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < N_DATASETS; i++) {
    const char *name = DATASETS[i].name;
    status = DATASETS[i].needed ? vb_run_array(r->place, name, VB_NO_FRAME, array_of(r, i), error)
                                : read_if_there(r->place, name, array_of(r, i), error);
    if (!status && r->time.n == 0) // the first of them
      status =
          vb_bad_input(error, "%s has no frames; a scenario records them by s:record{frames = N}",
                       r->place.path);
  }
  if (!status)
    status = vb_run_has(r->place, "run/frames/vertices", &surface, error);
  if (!status && !surface) // it is described, but was not recorded
    vb_array_free(&r->triangle);
  if (!status)
    status = vb_run_has(r->place, "run/frames/position", &positions, error);
  r->surface_alone = surface && !positions;
  return status;
}

static vb_status read_grounds(vb_recording *r, vb_error *error) {
  vb_array planes = {0}, offsets = {0};
  vb_status status = read_if_there(r->place, "topology/half_plane_normal", &planes, error);
  if (!status)
    status = read_if_there(r->place, "topology/half_plane_offset", &offsets, error);
  if (!status &&
      (offsets.n != planes.n || (planes.n > 0 && (planes.width != 3 || offsets.width != 1))))
    status = vb_bad_input(error, "%s: its half-planes are invalid", r->place.path);
  if (!status && planes.n > 0) {
    r->ground = reallocarray(NULL, planes.n, sizeof *r->ground);
    status = r->ground ? VB_OK : vb_error_memory(error);
  }
  for (size_t i = 0; !status && i < planes.n; i++) {
    const double *p = planes.values + 3 * i;
    r->ground[r->n_grounds++] = (vb_ground){{p[0], p[1], p[2]}, offsets.values[i]};
  }
  vb_array_free(&offsets);
  vb_array_free(&planes);
  return status;
}

/// Bounds the nodes of all frames, along which an endless collider is shown.
static vb_status find_reach(vb_recording *r, vb_error *error) {
  bool there = false;
  vb_status status = vb_run_has(r->place, "run/frames/position", &there, error);
  r->reach = vb_bounds_none();
  for (size_t k = 0; !status && there && k < r->time.n; k++) {
    vb_array position = {0};
    status = vb_run_array(r->place, "run/frames/position", (int64_t)k, &position, error);
    for (size_t i = 0; !status && position.width == 3 && i < position.n; i++)
      vb_bounds_grow(&r->reach, position.values + 3 * i, 0);
    vb_array_free(&position);
  }
  return status;
}

/// What drivers move, and bones.
static vb_status read_others(vb_recording *r, vb_error *error) {
  vb_status status = vb_driven_open(r->place, &r->driven, error);
  if (!status && vb_colliders_has_cylinder(&r->driven))
    status = find_reach(r, error);
  if (!status)
    status = vb_skeleton_open(r->place, &r->tetrahedron, &r->rest_position, &r->skeleton, error);
  return status;
}

static bool has_widths(vb_recording *r) {
  bool fit = true;
  for (size_t i = 0; i < N_DATASETS; i++) {
    const vb_array *list = array_of(r, i);
    fit = fit && (list->n == 0 || list->width == DATASETS[i].width);
  }
  return fit;
}

/// What is shown is found by the shape at rest, which must be one.
static bool is_finite(const vb_recording *r) {
  return vb_array_is_finite(&r->rest_position) && vb_array_is_finite(&r->rest_radius) &&
         vb_array_is_finite(&r->rest_vertex);
}

static vb_status check(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n;
  bool valid = has_widths(r) && is_finite(r) && n < INT32_MAX && r->rest_vertex.n < INT32_MAX &&
               r->rest_radius.n == n && r->body.n == n && r->rest_length.n == r->segment.n &&
               (r->young.n == 0 || r->young.n == r->segment.n) &&
               (r->triangle.n == 0 || r->vertex_segment.n == r->rest_vertex.n) &&
               vb_array_holds_indexes(&r->segment, 0, n) &&
               vb_array_holds_indexes(&r->bundle, 0, r->segment.n) &&
               vb_array_holds_indexes(&r->tetrahedron, 0, n) &&
               vb_array_holds_indexes(&r->body, 0, n + 1) &&
               vb_array_holds_indexes(&r->triangle, 0, r->rest_vertex.n) &&
               vb_array_holds_indexes(&r->vertex_segment, -1, r->segment.n);
  return valid ? VB_OK : vb_bad_input(error, "%s: its topology is invalid", r->place.path);
}

/// Finds the triangles that bound the tetrahedra.
static vb_status find_sides(vb_recording *r, vb_error *error) {
  vb_mesh mesh = {.n_vertices = r->rest_position.n, .n_tetrahedra = r->tetrahedron.n};
  if (mesh.n_tetrahedra == 0)
    return VB_OK;
  mesh.vertex = reallocarray(NULL, mesh.n_vertices, sizeof *mesh.vertex);
  mesh.tetrahedron = reallocarray(NULL, mesh.n_tetrahedra, sizeof *mesh.tetrahedron);
  vb_status status = mesh.vertex && mesh.tetrahedron ? VB_OK : vb_error_memory(error);
  if (!status) {
    memcpy(mesh.vertex, r->rest_position.values, mesh.n_vertices * sizeof *mesh.vertex);
    for (size_t i = 0; i < 4 * mesh.n_tetrahedra; i++)
      mesh.tetrahedron[i / 4][i % 4] = (int32_t)r->tetrahedron.values[i];
    status = vb_mesh_find_boundary(&mesh, error);
  }
  if (!status) {
    r->side = mesh.triangle;
    r->n_sides = mesh.n_triangles;
    mesh.triangle = NULL;
  }
  vb_mesh_clear(&mesh);
  return status;
}

static vb_capsule rest_capsule(const vb_recording *r, size_t j) {
  size_t a = (size_t)r->segment.values[2 * j], b = (size_t)r->segment.values[2 * j + 1];
  const double *x = r->rest_position.values, *radius = r->rest_radius.values;
  return vb_capsule_make(x + 3 * a, radius[a], x + 3 * b, radius[b]);
}

static int32_t body_of_segment(const vb_recording *r, size_t j) {
  return (int32_t)r->body.values[(size_t)r->segment.values[2 * j]];
}

/// Of the comparison of squares of distances with one of capsules.
#define ROUNDING 1e-9

/// The capsule nearest to a point, of body `body` or, where that is -1, of all: of those that hold
/// it, that which holds it deepest. Of equals the first. `guess`, one of them or -1, is looked at
/// before all others.
static int32_t nearest_capsule(const vb_recording *r, const vb_box_tree *tree,
                               const vb_capsule *capsule, const double x[3], int32_t body,
                               int32_t guess, double *place) {
  int32_t stack[VB_BOX_TREE_DEPTH] = {0}, found = guess;
  int waiting = tree->n_items > 0;
  double best = INFINITY, normal[3], at;
  if (guess >= 0)
    best = vb_capsule_distance(&capsule[guess], x, normal, place);
  while (waiting > 0) {
    const vb_box_node *node = &tree->node[stack[--waiting]];
    double least = vb_bounds_distance2(&node->bounds, x);
    if (least > 0 && (best < 0 || least > best * best * (1 + ROUNDING)))
      continue;
    for (int32_t i = 0; i < node->count; i++) {
      int32_t item = tree->item[node->first + i];
      if (body >= 0 && body_of_segment(r, (size_t)item) != body)
        continue;
      double d = vb_capsule_distance(&capsule[item], x, normal, &at);
      if (d < best || (d == best && item < found)) {
        best = d;
        found = item;
        *place = at;
      }
    }
    if (node->count == 0) {
      const vb_box_node *child = &tree->node[node->first];
      bool swap =
          vb_bounds_distance2(&child[1].bounds, x) < vb_bounds_distance2(&child[0].bounds, x);
      stack[waiting++] = node->first + !swap;
      stack[waiting++] = node->first + swap;
    }
  }
  return found;
}

/// Fills the carriers from the nearest capsules of all bodies.
static void choose_carriers(vb_recording *r, const vb_box_tree *tree, const vb_capsule *capsule) {
  int32_t guess = -1; // neighbors tend to follow each other; any guess finds the same
#pragma omp parallel for schedule(static) firstprivate(guess)
  for (size_t i = 0; i < r->rest_vertex.n; i++) {
    const double *x = r->rest_vertex.values + 3 * i;
    double normal[3];
    r->carrier[i] = (int32_t)r->vertex_segment.values[i];
    if (r->carrier[i] >= 0)
      vb_capsule_distance(&capsule[r->carrier[i]], x, normal, &r->carrier_at[i]);
    else
      r->carrier[i] = guess = nearest_capsule(r, tree, capsule, x, -1, guess, &r->carrier_at[i]);
  }
}

/// Replaces those that are of another body than their vertex.
static void correct_carriers(vb_recording *r, const vb_box_tree *tree, const vb_capsule *capsule,
                             const int32_t *body) {
  for (size_t i = 0; i < r->rest_vertex.n; i++)
    if (r->vertex_segment.values[i] < 0 && body_of_segment(r, (size_t)r->carrier[i]) != body[i])
      r->carrier[i] = nearest_capsule(r, tree, capsule, r->rest_vertex.values + 3 * i, body[i], -1,
                                      &r->carrier_at[i]);
}

/// Writes the body that each vertex belongs to, as the solver's skins have it, from the carriers
/// among all bodies.
static vb_status find_owners(const vb_recording *r, int32_t *owner, vb_error *error) {
  size_t n = r->rest_vertex.n, n_segments = r->segment.n;
  vb_arena memory = {0};
  double(*middle)[3] = NULL;
  int32_t *nearest = NULL, *body = NULL, *corner = NULL;
  VB_TAKE(&memory, middle, n_segments + 1);
  VB_TAKE(&memory, body, n_segments + 1);
  VB_TAKE(&memory, nearest, n + 1);
  VB_TAKE(&memory, corner, 3 * r->triangle.n + 1);
  vb_status status = vb_arena_status(&memory, error);
  for (size_t j = 0; !status && j < n_segments; j++) {
    body[j] = body_of_segment(r, j);
    for (int k = 0; k < 3; k++)
      middle[j][k] = 0.5 * (r->rest_position.values[3 * (size_t)r->segment.values[2 * j] + k] +
                            r->rest_position.values[3 * (size_t)r->segment.values[2 * j + 1] + k]);
  }
  for (size_t i = 0; !status && i < n; i++)
    nearest[i] = body[r->carrier[i]];
  for (size_t i = 0; !status && i < 3 * r->triangle.n; i++)
    corner[i] = (int32_t)r->triangle.values[i];
  if (!status) {
    vb_surface surface = {r->rest_vertex.values, n, corner, r->triangle.n};
    vb_body_points points = {(const double(*)[3])middle, body, n_segments};
    status = vb_surface_owner_find(&surface, nearest, &points, owner, error);
  }
  vb_arena_clear(&memory);
  return status;
}

/// Fills carrier and carrier_at.
static vb_status find_carriers(vb_recording *r, vb_error *error) {
  size_t n_capsules = r->segment.n;
  vb_box_tree tree = {0};
  vb_capsule *capsule = reallocarray(NULL, n_capsules + 1, sizeof *capsule);
  vb_bounds *bounds = reallocarray(NULL, n_capsules + 1, sizeof *bounds);
  int32_t *owner = reallocarray(NULL, r->rest_vertex.n + 1, sizeof *owner);
  vb_status status = capsule && bounds && owner ? VB_OK : vb_error_memory(error);
  for (size_t j = 0; !status && j < n_capsules; j++) {
    capsule[j] = rest_capsule(r, j);
    bounds[j] = vb_capsule_bounds(&capsule[j]);
  }
  if (!status)
    status = vb_box_tree_build(bounds, n_capsules, &tree, error);
  if (!status) {
    choose_carriers(r, &tree, capsule);
    status = find_owners(r, owner, error);
  }
  if (!status)
    correct_carriers(r, &tree, capsule, owner);
  vb_box_tree_clear(&tree);
  free(owner);
  free(bounds);
  free(capsule);
  return status;
}

static double *body_of(const vb_recording *r, size_t member) {
  size_t segment = (size_t)r->bundle.values[2 * member + 1];
  return &r->body.values[(size_t)r->segment.values[2 * segment]];
}

/// Bodies that bundles join become one: a muscle has one color and one surface.
static vb_status join_bundled(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n;
  size_t *first = reallocarray(NULL, n + 1, sizeof *first); // by body, of those found to be joined
  if (!first)
    return vb_error_memory(error);
  for (size_t k = 0; k <= n; k++)
    first[k] = k;
  for (size_t i = 1; i < r->bundle.n; i++) { // members of a bundle come one after the other
    size_t a = (size_t)*body_of(r, i - 1), b = (size_t)*body_of(r, i);
    while (first[a] != a)
      a = first[a];
    while (first[b] != b)
      b = first[b];
    if (r->bundle.values[2 * i] == r->bundle.values[2 * i - 2])
      first[a > b ? a : b] = a < b ? a : b;
  }
  // The first of those joined comes before the others: numbers without gaps, for as many colors.
  size_t n_joined = 0;
  for (size_t k = 0; k <= n; k++)
    first[k] = first[k] == k ? n_joined++ : first[first[k]];
  for (size_t i = 0; i < n; i++)
    r->body.values[i] = (double)first[(size_t)r->body.values[i]];
  free(first);
  return VB_OK;
}

/// Finds the bodies that are bones.
static vb_status find_bones(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n;
  VB_TAKE(&r->memory, r->is_bone, n + 1);
  if (r->memory.failed)
    return vb_error_memory(error);
  for (size_t i = 0; i < r->body.n; i++)
    r->is_bone[(size_t)r->body.values[i]] = true;
  for (size_t i = 0; i < r->body.n; i++)
    if (i >= r->skeleton.n_nodes || !r->skeleton.held[i])
      r->is_bone[(size_t)r->body.values[i]] = false;
  for (size_t k = 0; k < n; k++) // a bone is drawn, whatever surface is around it
    r->skinned[k] = r->skinned[k] && !r->is_bone[k];
  return VB_OK;
}

/// What a surface's vertices are colored by, and whose capsules it hides.
static vb_status prepare_surface(vb_recording *r, vb_error *error) {
  size_t n = r->rest_vertex.n;
  VB_TAKE(&r->memory, r->carrier, n);
  VB_TAKE(&r->memory, r->carrier_at, n);
  VB_TAKE(&r->memory, r->skinned, r->rest_position.n + 1);
  if (r->memory.failed)
    return vb_error_memory(error);
  if (r->triangle.n == 0 || r->segment.n == 0)
    return VB_OK;
  vb_status status = join_bundled(r, error);
  if (!status)
    status = find_carriers(r, error);
  for (size_t i = 0; !status && i < n; i++)
    r->skinned[(size_t)r->body.values[(size_t)r->segment.values[2 * r->carrier[i]]]] = true;
  return status;
}

vb_status vb_recording_open(vb_run_location place, bool capsules, vb_recording *out,
                            vb_error *error) {
  vb_recording r = {.place = place};
  vb_status status = read_all(&r, error);
  if (!status)
    status = check(&r, error);
  // The sides of solids are shown by themselves; what a surface adds is what segments carry.
  if (!status && !r.surface_alone && (r.segment.n > 0 ? capsules : r.tetrahedron.n > 0))
    vb_array_free(&r.triangle);
  if (!status && r.triangle.n == 0)
    status = find_sides(&r, error);
  if (!status)
    status = read_grounds(&r, error);
  if (!status)
    status = read_others(&r, error);
  if (!status)
    status = prepare_surface(&r, error);
  if (!status)
    status = vb_recording_find_looks(&r, error);
  if (!status)
    status = find_bones(&r, error);
  if (!status)
    status = vb_recording_find_muscle(&r, error);
  if (status)
    vb_recording_close(&r);
  else
    *out = r;
  return status;
}

void vb_recording_close(vb_recording *r) {
  for (size_t i = 0; i < N_DATASETS; i++)
    vb_array_free(array_of(r, i));
  vb_driven_close(&r->driven);
  vb_skeleton_close(&r->skeleton);
  free(r->ground);
  free(r->side);
  vb_arena_clear(&r->memory);
  *r = (vb_recording){.n_grounds = 0};
}
