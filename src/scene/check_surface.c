// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether bundles and the surface of a scene, all else being sound, are sound.
#include "scene/checks.h"

#include <stdlib.h>

/// Checks the segment of membership `i`, of which `bundle_of` tells the bundle so far, or -1.
static vb_status check_member(const vb_sets *sets, size_t i, int32_t *bundle_of, vb_error *error) {
  const vb_bundled *member = &sets->bundled[i];
  if (member->segment < 0 || (size_t)member->segment >= sets->n_segments)
    return vb_bad_input(error, "bundle %d: its segment %d does not exist; there are %zu segments",
                        member->bundle, member->segment, sets->n_segments);
  int32_t *known = &bundle_of[member->segment];
  if (*known >= 0)
    return vb_bad_input(error, "bundle %d: its segment %d is in bundle %d already; one can hold it",
                        member->bundle, member->segment, *known);
  *known = member->bundle;
  return VB_OK;
}

/// Checks that the members are sorted by bundle, the bundles without gaps and of two or more.
static vb_status check_order(const vb_sets *sets, vb_error *error) {
  int32_t bundle = -1;
  size_t members = 2;
  for (size_t i = 0; i <= sets->n_bundled; i++) {
    bool end = i == sets->n_bundled;
    if (!end && i > 0 && sets->bundled[i].bundle == bundle) {
      members++;
      continue;
    }
    if (members < 2)
      return vb_bad_input(error, "bundle %d: it has one segment; it needs two or more", bundle);
    if (!end && sets->bundled[i].bundle != bundle + 1)
      return vb_bad_input(error,
                          "bundle %d: bundles are numbered from 0 in order; %d should be next",
                          sets->bundled[i].bundle, bundle + 1);
    bundle++;
    members = 1;
  }
  return VB_OK;
}

vb_status vb_check_bundles(const vb_sets *sets, vb_error *error) {
  vb_status status = check_order(sets, error);
  if (status != VB_OK || sets->n_bundled == 0)
    return status;
  int32_t *bundle_of = reallocarray(NULL, sets->n_segments + 1, sizeof *bundle_of);
  if (!bundle_of)
    return vb_error_memory(error);
  for (size_t j = 0; j < sets->n_segments; j++)
    bundle_of[j] = -1;
  for (size_t i = 0; status == VB_OK && i < sets->n_bundled; i++)
    status = check_member(sets, i, bundle_of, error);
  free(bundle_of);
  return status;
}

static vb_status check_vertex(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_surface_vertex *vertex = &sets->surface_vertices[i];
  if (vertex->segment < -1 || (vertex->segment >= 0 && (size_t)vertex->segment >= sets->n_segments))
    return vb_bad_input(error,
                        "surface vertex %zu: its segment %d does not exist; there are %zu segments",
                        i, vertex->segment, sets->n_segments);
  return VB_OK;
}

static vb_status check_triangle(const vb_sets *sets, size_t i, vb_error *error) {
  const int32_t *v = sets->triangles[i].vertex;
  for (int k = 0; k < 3; k++)
    if (v[k] < 0 || (size_t)v[k] >= sets->n_surface_vertices)
      return vb_bad_input(error,
                          "triangle %zu: its vertex %d does not exist; there are %zu vertices", i,
                          v[k], sets->n_surface_vertices);
  if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
    return vb_bad_input(error, "triangle %zu: its vertices %d, %d and %d are not three", i, v[0],
                        v[1], v[2]);
  return VB_OK;
}

vb_status vb_check_surface(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_vertex, sets->n_surface_vertices},
                                  {check_triangle, sets->n_triangles}};
  return vb_check_passes(sets, passes, 2, error);
}
