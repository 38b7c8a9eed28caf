// SPDX-License-Identifier: GPL-3.0-or-later
// What a live page shows of a scene and its frames, as JSON.
#include "report/live_internal.h"

#include "mesh/mesh.h"
#include "render/driven.h"
#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(vb_ground) == 4 * sizeof(double), "half-planes are rows of four numbers");

/// Numbers of a field that stand for its range; 65535 stands for what is not finite.
#define LEVELS 65534

static void put_bytes(FILE *out, const void *bytes, size_t n) {
  fputs("\"data\":\"", out);
  vb_html_base64(out, bytes, n);
  fputs("\"}", out);
}

void vb_live_put_integers(FILE *out, const char *name, const int32_t *values, size_t n,
                          size_t width) {
  if (n == 0)
    return;
  fprintf(out, ",\"%s\":{\"type\":\"i32\",\"n\":%zu,\"width\":%zu,", name, n, width);
  put_bytes(out, values, n * width * sizeof *values);
}

void vb_live_put_numbers(FILE *out, const char *name, const double *values, size_t n,
                         size_t width) {
  float *numbers = n ? reallocarray(NULL, n * width, sizeof *numbers) : NULL;
  for (size_t i = 0; numbers && i < n * width; i++)
    numbers[i] = (float)values[i];
  if (numbers) {
    fprintf(out, ",\"%s\":{\"type\":\"f32\",\"n\":%zu,\"width\":%zu,", name, n, width);
    put_bytes(out, numbers, n * width * sizeof *numbers);
  }
  free(numbers);
}

/// The least and the greatest finite number of component `k`; 0 and 0 where there is none.
static void find_range(const double *values, size_t n, size_t width, size_t k, double range[2]) {
  bool any = false;
  range[0] = range[1] = 0;
  for (size_t i = k; i < n * width; i += width) {
    if (!isfinite(values[i]))
      continue;
    range[0] = any ? fmin(range[0], values[i]) : values[i];
    range[1] = any ? fmax(range[1], values[i]) : values[i];
    any = true;
  }
}

void vb_live_put_field(FILE *out, const char *name, const double *values, size_t n, size_t width) {
  uint16_t *numbers = n ? reallocarray(NULL, n * width, sizeof *numbers) : NULL;
  double low[3], scale[3];
  if (!numbers)
    return;
  for (size_t k = 0; k < width; k++) {
    double range[2];
    find_range(values, n, width, k, range);
    low[k] = range[0];
    scale[k] = (range[1] - range[0]) / LEVELS;
    for (size_t i = k; i < n * width; i += width)
      numbers[i] = !isfinite(values[i]) ? LEVELS + 1
                   : scale[k] > 0       ? (uint16_t)lround((values[i] - low[k]) / scale[k])
                                        : 0;
  }
  fprintf(out, ",\"%s\":{\"low\":[", name);
  for (size_t k = 0; k < width; k++)
    fprintf(out, "%s%.9g", k ? "," : "", low[k]);
  fputs("],\"scale\":[", out);
  for (size_t k = 0; k < width; k++)
    fprintf(out, "%s%.9g", k ? "," : "", scale[k]);
  fputs("],", out);
  put_bytes(out, numbers, n * width * sizeof *numbers);
  free(numbers);
}

static void put_nodes(FILE *out, const vb_scene *scene) {
  size_t n, s;
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  const vb_segment *segments = vb_scene_segments(scene, &s);
  double *radius = reallocarray(NULL, n + 1, sizeof *radius);
  int32_t *body = reallocarray(NULL, n + 1, sizeof *body);
  int32_t *ends = reallocarray(NULL, s + 1, 2 * sizeof *ends);
  if (radius && body && ends) {
    for (size_t i = 0; i < n; i++) {
      radius[i] = nodes[i].rest_radius;
      body[i] = nodes[i].body;
    }
    for (size_t i = 0; i < s; i++)
      memcpy(ends + 2 * i, segments[i].node, 2 * sizeof *ends);
    vb_live_put_integers(out, "body", body, n, 1);
    vb_live_put_numbers(out, "rest_radius", radius, n, 1);
    vb_live_put_integers(out, "segment", ends, s, 2);
  }
  free(ends);
  free(body);
  free(radius);
}

/// The triangles that bound the tetrahedra.
static void put_sides(FILE *out, const vb_scene *scene) {
  size_t n, n_nodes;
  const vb_tetrahedron *tetrahedra = vb_scene_set(scene, VB_SET_TETRAHEDRON, &n);
  const vb_node *nodes = vb_scene_nodes(scene, &n_nodes);
  vb_mesh mesh = {.n_vertices = n_nodes, .n_tetrahedra = n};
  if (n == 0)
    return;
  mesh.vertex = reallocarray(NULL, n_nodes, sizeof *mesh.vertex);
  mesh.tetrahedron = reallocarray(NULL, n, sizeof *mesh.tetrahedron);
  if (mesh.vertex && mesh.tetrahedron) {
    for (size_t i = 0; i < n_nodes; i++)
      memcpy(mesh.vertex[i], nodes[i].rest_position, sizeof mesh.vertex[i]);
    for (size_t i = 0; i < n; i++)
      memcpy(mesh.tetrahedron[i], tetrahedra[i].node, sizeof mesh.tetrahedron[i]);
    if (!vb_mesh_find_boundary(&mesh, NULL))
      vb_live_put_integers(out, "side", mesh.triangle[0], mesh.n_triangles, 3);
  }
  vb_mesh_clear(&mesh);
}

/// Half-planes and colliders, where they are at the beginning.
static void put_obstacles(FILE *out, const vb_scene *scene) {
  size_t n_planes, n;
  const vb_half_plane *planes = vb_scene_half_planes(scene, &n_planes);
  const vb_collider *colliders = vb_scene_colliders(scene, &n);
  double *numbers = reallocarray(NULL, 4 * n_planes + 7 * n + 1, sizeof *numbers);
  int32_t *kinds = reallocarray(NULL, 3 * n + 1, sizeof *kinds);
  if (numbers && kinds) {
    double *points = numbers + 4 * n_planes, *radius = points + 6 * n;
    for (size_t i = 0; i < n_planes; i++) {
      memcpy(numbers + 4 * i, planes[i].normal, sizeof planes[i].normal);
      numbers[4 * i + 3] = planes[i].offset;
    }
    for (size_t i = 0; i < n; i++) {
      memcpy(kinds + 3 * i,
             (int32_t[]){colliders[i].shape, colliders[i].inside, colliders[i].driver},
             3 * sizeof *kinds);
      memcpy(points + 6 * i, colliders[i].point, 6 * sizeof *points);
      radius[i] = colliders[i].radius;
    }
    vb_live_put_numbers(out, "plane", numbers, n_planes, 4);
    vb_live_put_integers(out, "collider", kinds, n, 3);
    vb_live_put_numbers(out, "collider_point", points, n, 6);
    vb_live_put_numbers(out, "collider_radius", radius, n, 1);
  }
  free(kinds);
  free(numbers);
}

void vb_live_put_scene(FILE *out, const vb_scene *scene) {
  fputs(",\"parts\":{\"none\":null", out);
  put_nodes(out, scene);
  put_sides(out, scene);
  put_obstacles(out, scene);
  fputs("}", out);
}

void vb_live_put_moved(FILE *out, const vb_scene *scene, double time) {
  const vb_driven driven = {.scene = (vb_scene *)scene}; // which is only read
  size_t n_planes, n;
  const vb_half_plane *planes = vb_scene_half_planes(scene, &n_planes);
  vb_scene_colliders(scene, &n);
  double(*points)[2][3] = reallocarray(NULL, n + 1, sizeof *points);
  vb_ground *grounds = reallocarray(NULL, n_planes + 1, sizeof *grounds);
  for (size_t i = 0; grounds && i < n_planes; i++) {
    memcpy(grounds[i].normal, planes[i].normal, sizeof grounds[i].normal);
    grounds[i].offset = planes[i].offset;
  }
  if (grounds && vb_scene_count(scene, VB_SET_PLANE_DRIVER)) {
    vb_driven_grounds(&driven, time, grounds);
    vb_live_put_numbers(out, "plane_at", (const double *)(const void *)grounds, n_planes, 4);
  }
  if (points && vb_driven_moves_colliders(&driven)) {
    vb_driven_colliders(&driven, time, points);
    vb_live_put_numbers(out, "collider_at", points[0][0], n, 6);
  }
  free(grounds);
  free(points);
}
