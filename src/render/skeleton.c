// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/skeleton.h"

#include "mesh/mesh.h"
#include "scene/rotation.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

/// Where one of them is in the recorded lists.
enum { TIE, PIN, MASS, INERTIA, N_LISTS };
enum { ALL_OF_POSITION = VB_PIN_X | VB_PIN_Y | VB_PIN_Z };

static vb_status read_lists(vb_run_location place, vb_array list[N_LISTS], vb_error *error) {
  static const struct {
    const char *name;
    size_t width;
  } LISTS[N_LISTS] = {[TIE] = {"topology/tie", 3},
                      [PIN] = {"topology/pin", 4},
                      [MASS] = {"topology/bone_mass", 1},
                      [INERTIA] = {"topology/bone_inertia", 6}};
  vb_status status = VB_OK;
  for (int i = 0; !status && i < N_LISTS; i++) {
    bool there = false;
    status = vb_run_has(place, LISTS[i].name, &there, error);
    if (!status && there)
      status = vb_run_array(place, LISTS[i].name, VB_NO_FRAME, &list[i], error);
    if (!status && list[i].n > 0 && list[i].width != LISTS[i].width)
      status = vb_bad_input(error, "%s: its %s is invalid", place.path, LISTS[i].name);
  }
  return status;
}

/// Notes for each node the bone that carries it, the driver that pins it as a bone behind those, or
/// -1. False where a row is invalid.
static bool find_carriers(const vb_array list[N_LISTS], size_t n_nodes, int32_t *carrier) {
  size_t n_bones = list[MASS].n;
  for (size_t i = 0; i < n_nodes; i++)
    carrier[i] = -1;
  for (int of = TIE; of <= PIN; of++) {
    if (!vb_array_holds_indexes(&list[of], -1, INT32_MAX))
      return false;
    for (size_t i = 0; i < list[of].n; i++) {
      const double *row = list[of].values + list[of].width * i;
      double bone = of == TIE ? row[2] : row[3];
      if (row[0] != 0 || bone < 0) // of a segment, or at rest
        continue;
      if (row[1] < 0 || row[1] >= (double)n_nodes || (of == TIE && bone >= (double)n_bones))
        return false;
      if (of == TIE || ((int)row[2] & ALL_OF_POSITION) == ALL_OF_POSITION)
        carrier[(size_t)row[1]] = (int32_t)bone + (of == PIN ? (int32_t)n_bones : 0);
    }
  }
  return true;
}

/// Finds the triangles that bound the tetrahedra in bones.
static vb_status find_sides(const vb_array *tetrahedron, const vb_array *rest,
                            const int32_t *carrier, vb_skeleton *s, vb_error *error) {
  vb_mesh mesh = {.n_vertices = rest->n};
  mesh.vertex = reallocarray(NULL, rest->n + 1, sizeof *mesh.vertex);
  mesh.tetrahedron = reallocarray(NULL, tetrahedron->n + 1, sizeof *mesh.tetrahedron);
  vb_status status = mesh.vertex && mesh.tetrahedron ? VB_OK : vb_error_memory(error);
  if (!status && rest->n > 0 && rest->values)
    memcpy(mesh.vertex, rest->values, rest->n * sizeof *mesh.vertex);
  for (size_t t = 0; !status && t < tetrahedron->n; t++) {
    const double *v = tetrahedron->values + 4 * t;
    int32_t bone = carrier[(size_t)v[0]];
    if (bone < 0 || bone != carrier[(size_t)v[1]] || bone != carrier[(size_t)v[2]] ||
        bone != carrier[(size_t)v[3]])
      continue;
    for (int c = 0; c < 4; c++)
      mesh.tetrahedron[mesh.n_tetrahedra][c] = (int32_t)v[c];
    mesh.n_tetrahedra++;
    if ((size_t)bone < s->n_bones)
      s->box[bone] = false;
  }
  if (!status && mesh.n_tetrahedra > 0)
    status = vb_mesh_find_boundary(&mesh, error);
  s->n_sides = mesh.n_triangles;
  VB_TAKE(&s->memory, s->side, s->n_sides);
  if (!status && s->side && mesh.triangle)
    memcpy(s->side, mesh.triangle, s->n_sides * sizeof *s->side);
  vb_mesh_clear(&mesh);
  return status ? status : vb_arena_status(&s->memory, error);
}

/// Turns a symmetric matrix `m` and the rows of `axes` by the rotation in the plane (p, q) that
/// makes m[p][q] vanish.
static void turn_plane(int p, int q, double m[3][3], double axes[3][3]) {
  double angle = 0.5 * atan2(2 * m[p][q], m[q][q] - m[p][p]), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) {
    double a = m[i][p], b = m[i][q];
    m[i][p] = c * a - s * b;
    m[i][q] = s * a + c * b;
  }
  for (int i = 0; i < 3; i++) {
    double a = m[p][i], b = m[q][i], u = axes[p][i], v = axes[q][i];
    m[p][i] = c * a - s * b;
    m[q][i] = s * a + c * b;
    axes[p][i] = c * u - s * v;
    axes[q][i] = s * u + c * v;
  }
}

/// The corners of the box of this mass and inertia (xx, yy, zz, yz, xz, xy) about its center: of
/// principal moments I its edges are sqrt(6 (I2 + I3 - I1) / mass).
static void find_box(double mass, const double j[6], double corner[8][3]) {
  double m[3][3] = {{j[0], j[5], j[4]}, {j[5], j[1], j[3]}, {j[4], j[3], j[2]}};
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sum = j[0] + j[1] + j[2];
  for (int sweep = 0; sweep < 8; sweep++) // each squares what is left
    for (int p = 0; p < 3; p++)
      turn_plane(p, (p + 1) % 3, m, axes);
  memset(corner, 0, 8 * sizeof *corner);
  for (int i = 0; i < 8; i++)
    for (int a = 0; a < 3; a++) {
      double half = 0.5 * sqrt(fmax(0, 6 * (sum - 2 * m[a][a]) / mass));
      vb_add_scaled(corner[i], i >> a & 1 ? half : -half, axes[a], corner[i]);
    }
}

vb_status vb_skeleton_open(vb_run_location place, const vb_array *tetrahedron, const vb_array *rest,
                           vb_skeleton *out, vb_error *error) {
  vb_array list[N_LISTS] = {{0}};
  vb_skeleton s = {.place = place, .n_nodes = rest->n};
  int32_t *carrier = reallocarray(NULL, rest->n + 1, sizeof *carrier);
  vb_status status = carrier ? read_lists(place, list, error) : vb_error_memory(error);
  s.n_bones = list[MASS].n;
  VB_TAKE(&s.memory, s.box, s.n_bones);
  VB_TAKE(&s.memory, s.corner, s.n_bones);
  VB_TAKE(&s.memory, s.held, s.n_nodes);
  if (!status)
    status = vb_arena_status(&s.memory, error);
  if (!status && (list[INERTIA].n != s.n_bones || !find_carriers(list, rest->n, carrier)))
    status = vb_bad_input(error, "%s: its bones, ties or pins are invalid", place.path);
  for (size_t i = 0; !status && i < s.n_nodes; i++)
    s.held[i] = carrier[i] >= 0;
  for (size_t i = 0; !status && i < s.n_bones; i++) {
    s.box[i] = true;
    find_box(list[MASS].values[i], list[INERTIA].values + 6 * i, s.corner[i]);
  }
  if (!status)
    status = find_sides(tetrahedron, rest, carrier, &s, error);
  for (size_t i = 0; !status && i < s.n_bones; i++)
    s.n_box += s.box[i];
  for (int i = 0; i < N_LISTS; i++)
    vb_array_free(&list[i]);
  free(carrier);
  if (status)
    vb_skeleton_close(&s);
  else
    *out = s;
  return status;
}

void vb_skeleton_close(vb_skeleton *s) {
  vb_arena_clear(&s->memory);
  *s = (vb_skeleton){.n_bones = 0};
}

void vb_skeleton_count(const vb_skeleton *s, size_t *n_vertices, size_t *n_triangles) {
  *n_vertices += (s->n_sides ? s->n_nodes : 0) + 8 * s->n_box;
  *n_triangles += s->n_sides + 12 * s->n_box;
}

static void add_sides(const vb_skeleton *s, const double *position, vb_shapes *shapes) {
  int32_t first = (int32_t)shapes->n_vertices;
  memcpy(shapes->vertex + first, position, s->n_nodes * sizeof *shapes->vertex);
  for (size_t i = 0; i < s->n_nodes; i++)
    shapes->value[shapes->n_vertices++] = NAN;
  for (size_t t = 0; t < s->n_sides; t++, shapes->n_triangles++)
    for (int c = 0; c < 3; c++)
      shapes->triangle[shapes->n_triangles][c] = first + s->side[t][c];
}

/// The box of a bone at `at`, turned by `frame`.
static void add_box(const double corner[8][3], const double at[3], const double frame[4],
                    vb_shapes *shapes) {
  static const int FACE[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  int32_t first = (int32_t)shapes->n_vertices;
  for (int i = 0; i < 8; i++) {
    double arm[3];
    vb_quaternion_rotate(frame, corner[i], arm);
    vb_add_scaled(at, 1, arm, shapes->vertex[shapes->n_vertices]);
    shapes->value[shapes->n_vertices++] = NAN;
  }
  for (int f = 0; f < 6; f++)
    for (int half = 0; half < 2; half++, shapes->n_triangles++)
      for (int c = 0; c < 3; c++)
        shapes->triangle[shapes->n_triangles][c] = first + FACE[f][c ? c + half : 0];
}

static vb_status add_boxes(const vb_skeleton *s, size_t k, vb_shapes *shapes, vb_error *error) {
  vb_array at = {0}, frame = {0};
  bool there = false;
  vb_status status = vb_run_has(s->place, "run/frames/bone_position", &there, error);
  if (!status && there)
    status = vb_run_has(s->place, "run/frames/bone_frame", &there, error);
  if (!status && there)
    status = vb_run_array(s->place, "run/frames/bone_position", (int64_t)k, &at, error);
  if (!status && there)
    status = vb_run_array(s->place, "run/frames/bone_frame", (int64_t)k, &frame, error);
  if (!status && there &&
      (at.n != s->n_bones || at.width != 3 || frame.n != s->n_bones || frame.width != 4))
    status = vb_bad_input(error, "%s: its frames do not fit its topology", s->place.path);
  for (size_t i = 0; !status && there && i < s->n_bones; i++)
    if (s->box[i])
      add_box((const double(*)[3])s->corner[i], at.values + 3 * i, frame.values + 4 * i, shapes);
  vb_array_free(&frame);
  vb_array_free(&at);
  return status;
}

vb_status vb_skeleton_add(const vb_skeleton *s, size_t k, const double *position, vb_shapes *shapes,
                          vb_error *error) {
  if (s->n_sides > 0 && position)
    add_sides(s, position, shapes);
  return s->n_box > 0 ? add_boxes(s, k, shapes, error) : VB_OK;
}
