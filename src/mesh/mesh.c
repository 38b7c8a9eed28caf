// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/mesh.h"

#include "base/time_limit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void vb_mesh_clear(vb_mesh *mesh) {
  free(mesh->vertex);
  free(mesh->tetrahedron);
  free(mesh->triangle);
  free(mesh->region);
  *mesh = (vb_mesh){0};
}

double vb_mesh_volume(const vb_mesh *mesh, size_t k) {
  const int32_t *t = mesh->tetrahedron[k];
  double e[3][3];
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      e[i][c] = mesh->vertex[t[i + 1]][c] - mesh->vertex[t[0]][c];
  return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
          e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
         6;
}

/// A triangle of a tetrahedron, its vertices also in increasing order.
typedef struct side {
  int32_t sorted[3];
  int32_t vertex[3]; ///< counterclockwise from outside
  int32_t order;     ///< 4 * tetrahedron + side
} side;

static void exchange(int32_t *a, int32_t *b) {
  int32_t c = *a;
  *a = *b;
  *b = c;
}

static side side_of(const vb_mesh *mesh, size_t k, int i) {
  // Opposite vertex i of a tetrahedron of positive volume.
  static const int corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  side s = {.order = (int32_t)(4 * k + (size_t)i)};
  for (int c = 0; c < 3; c++)
    s.vertex[c] = s.sorted[c] = mesh->tetrahedron[k][corners[i][c]];
  if (s.sorted[0] > s.sorted[1])
    exchange(&s.sorted[0], &s.sorted[1]);
  if (s.sorted[1] > s.sorted[2])
    exchange(&s.sorted[1], &s.sorted[2]);
  if (s.sorted[0] > s.sorted[1])
    exchange(&s.sorted[0], &s.sorted[1]);
  return s;
}

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  for (int c = 0; c < 3; c++)
    if (a->sorted[c] != b->sorted[c])
      return a->sorted[c] < b->sorted[c] ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static int compare_order(const void *left, const void *right) {
  const side *a = left, *b = right;
  return (a->order > b->order) - (a->order < b->order);
}

/// Keeps the sides that occur once, in the order of their tetrahedra. Returns how many, or -1 where
/// one occurs three times, which `*bad` then is.
static ptrdiff_t keep_single(side *sides, size_t n, side *bad) {
  size_t kept = 0;
  for (size_t i = 0; i < n;) {
    size_t j = i + 1;
    while (j < n && memcmp(sides[i].sorted, sides[j].sorted, sizeof sides[i].sorted) == 0)
      j++;
    if (j - i > 2) {
      *bad = sides[i];
      return -1;
    }
    if (j - i == 1)
      sides[kept++] = sides[i];
    i = j;
  }
  qsort(sides, kept, sizeof *sides, compare_order);
  return (ptrdiff_t)kept;
}

/// A look at the clock now and then: whether the time is over at step `i`.
static bool looks_over(size_t i) {
  return i % 4096 == 0 && vb_time_limit_over();
}

/// All sides of tetrahedra, sorted: put together by their lowest vertex, then each few of them.
/// `first` (n_vertices + 2) is room for where these begin.
static vb_status sort_sides(const vb_mesh *mesh, side *sides, size_t *first, vb_error *error) {
  size_t n = 4 * mesh->n_tetrahedra;
  for (size_t i = 0; i < n && !looks_over(i); i++)
    first[side_of(mesh, i / 4, (int)(i % 4)).sorted[0] + 2]++;
  for (size_t v = 2; v < mesh->n_vertices + 2; v++)
    first[v] += first[v - 1];
  for (size_t i = 0; i < n && !looks_over(i); i++) {
    side s = side_of(mesh, i / 4, (int)(i % 4));
    sides[first[s.sorted[0] + 1]++] = s;
  }
  for (size_t v = 0; v < mesh->n_vertices && !looks_over(v); v++)
    qsort(sides + first[v], first[v + 1] - first[v], sizeof *sides, compare_sides);
  return vb_time_limit_check(error);
}

vb_status vb_mesh_find_boundary(vb_mesh *mesh, vb_error *error) {
  size_t n = 4 * mesh->n_tetrahedra;
  side *sides = reallocarray(NULL, n + 1, sizeof *sides);
  size_t *first = calloc(mesh->n_vertices + 2, sizeof *first);
  int32_t(*triangle)[3] = NULL;
  vb_status status = sides && first ? VB_OK : vb_error_memory(error);
  if (!status)
    status = sort_sides(mesh, sides, first, error);
  if (status)
    goto cleanup;
  side bad = {0};
  ptrdiff_t kept = keep_single(sides, n, &bad);
  if (kept < 0) {
    status =
        vb_bad_input(error, "more than two tetrahedra share the triangle of vertices %d, %d and %d",
                     bad.sorted[0], bad.sorted[1], bad.sorted[2]);
    goto cleanup;
  }
  triangle = reallocarray(NULL, (size_t)kept + 1, sizeof *triangle);
  if (!triangle) {
    status = vb_error_memory(error);
    goto cleanup;
  }
  for (ptrdiff_t i = 0; i < kept; i++)
    memcpy(triangle[i], sides[i].vertex, sizeof triangle[i]);
  free(mesh->triangle);
  mesh->triangle = triangle;
  mesh->n_triangles = (size_t)kept;
cleanup:
  free(first);
  free(sides);
  return status;
}
