// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces around capsules, and what is told of surfaces: connections, volume, crossings.
/// Covers: src/mesh/capsule.* src/mesh/cube_sheets.* src/mesh/surface_checks.*
/// Covers: src/mesh/surface_crossings.*
#include "mesh/capsule_surface.h"
#include "mesh/cube_sheets.h"
#include "mesh/surface_checks.h"
#include "mesh/surface_crossings.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

#include <omp.h>

static vb_mesh surface_of(const vb_capsule *capsule, size_t n, double blend, size_t faces) {
  vb_mesh mesh = {0};
  vb_error error = {0};
  vb_capsule_surface plan = {.capsule = capsule, .n_capsules = n, .blend = blend, .n_faces = faces};
  ck_assert_msg(!vb_capsule_surface_make(&plan, &mesh, &error), "%s", error.message);
  return mesh;
}

static vb_surface_shape shape_of(const vb_mesh *m) {
  vb_surface_shape shape = {0};
  vb_error error = {0};
  ck_assert_int_eq(vb_surface_shape_of(m->vertex[0], m->n_vertices, m->triangle[0], m->n_triangles,
                                       &shape, &error),
                   VB_OK);
  return shape;
}

static vb_surface_crossings crossings_of(const vb_mesh *m) {
  vb_surface_crossings crossings = {99, 99, {99, 99}};
  vb_error error = {0};
  ck_assert_int_eq(vb_surface_crossings_of(m->vertex[0], m->n_vertices, m->triangle[0],
                                           m->n_triangles, &crossings, &error),
                   VB_OK);
  return crossings;
}

/// The octopus of scenarios/lib/octopus.lua: 38 capsules.
static size_t octopus(vb_capsule capsule[38]) {
  static const double arm[4][3] = {
      {0.520, 0.067, 0.148}, {0.888, 0.017, 0.148}, {1.273, -0.254, 0.115}, {1.885, -0.636, 0.077}};
  static const double root[4] = {0, 0, 0.179, 0.358};
  static const double head[3][4] = {
      {0, 0, 0.844, 0.513}, {0, -0.019, 1.148, 0.592}, {0, 0.187, 1.202, 0.592}};
  static const double eye[2][4] = {{0.235, -0.388, 0.881, 0.249}, {-0.235, -0.388, 0.881, 0.249}};
  size_t n = 0;
  for (int a = 0; a < 8; a++) {
    double from[4];
    memcpy(from, root, sizeof from);
    for (int i = 0; i < 4; i++) {
      double angle = a * M_PI / 4;
      double to[4] = {arm[i][0] * cos(angle), arm[i][0] * sin(angle), arm[i][1], arm[i][2]};
      capsule[n++] = vb_capsule_make(from, from[3], to, to[3]);
      memcpy(from, to, sizeof from);
    }
  }
  capsule[n++] = vb_capsule_make(root, root[3], head[0], head[0][3]);
  for (int i = 0; i < 3; i++)
    capsule[n++] = vb_capsule_make(head[i], head[i][3], head[(i + 1) % 3], head[(i + 1) % 3][3]);
  for (int i = 0; i < 2; i++)
    capsule[n++] = vb_capsule_make(eye[i], eye[i][3], head[0], head[0][3]);
  return n;
}

/// Each sheet is a ring: on each face of the cube its edges are met in pairs.
START_TEST(sheets_are_rings_of_crossed_edges) {
  for (int inside = 0; inside < 256; inside++) {
    int sheet[12];
    int n = vb_cube_sheets(inside, sheet), count[4] = {0};
    ck_assert_int_le(n, 4);
    for (int e = 0; e < 12; e++) {
      int p = e / 2 % 2, q = e % 2;
      bool low = inside >> vb_cube_corner(e / 4, 0, p, q) & 1;
      bool high = inside >> vb_cube_corner(e / 4, 1, p, q) & 1;
      ck_assert_int_eq(sheet[e] >= 0, low != high);
      ck_assert_int_lt(sheet[e], n);
      if (sheet[e] >= 0)
        count[sheet[e]]++;
    }
    for (int i = 0; i < n; i++)
      ck_assert_int_ge(count[i], 3);
  }
  int sheet[12];
  ck_assert_int_eq(vb_cube_sheets(0x81, sheet), 2); // opposite corners
  ck_assert_int_eq(vb_cube_sheets(0x0F, sheet), 1);
  ck_assert_int_eq(vb_cube_sheets(0x69, sheet), 4); // every second corner
}
END_TEST

START_TEST(the_field_is_that_of_one_capsule_where_capsules_agree) {
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {2, 0, 0};
  vb_capsule one = vb_capsule_make(a, 0.3, b, 0.3);
  vb_capsule chain[3] = {one, vb_capsule_make(b, 0.3, c, 0.3), one};
  const double x[3][3] = {{1, 0.3, 0}, {0.2, 0, 0.5}, {-0.5, 0.1, 0}};
  for (int i = 0; i < 3; i++) {
    double gradient[3], normal[3], place;
    double d = vb_capsule_distance(&one, x[i], normal, &place);
    vb_capsule_surface same = {(vb_capsule[2]){one, one}, 2, 0.1, 1000};
    ck_assert_double_eq_tol(vb_capsule_field(&same, x[i], gradient), d, 1e-15);
    ck_assert_double_eq_tol(vb_dot(gradient, normal), 1, 1e-15);
  }
  // Where two meet, the wall goes on without a bulge, which would be 0.1 log 3 = 0.11 m.
  vb_capsule_surface joined = {chain, 3, 0.1, 1000};
  double gradient[3];
  ck_assert_double_eq_tol(vb_capsule_field(&joined, x[0], gradient), 0, 1e-14);
  // In a right angle between two walls the field lies deeper: a fillet.
  const double up[3] = {0, 0, 1}, crease[3] = {0.3, 0, 0.3};
  vb_capsule corner[2] = {one, vb_capsule_make(a, 0.3, up, 0.3)};
  vb_capsule_surface angle = {corner, 2, 0.1, 1000};
  ck_assert_double_eq_tol(vb_capsule_field(&angle, crease, gradient), -0.1 * log(2) * 15 / 16,
                          1e-14);
}
END_TEST

/// A capsule's volume and area; the mesh's vertices lie on it, so that chords cut off a share that
/// falls as the square of their length: as one over the number of faces.
START_TEST(a_capsule_has_its_volume) {
  const double a[3] = {-0.5, 0.1, 0}, b[3] = {0.7, 0.2, 0.3};
  vb_capsule capsule = vb_capsule_make(a, 0.4, b, 0.4);
  double exact = M_PI * 0.16 * capsule.length + 4.0 / 3 * M_PI * 0.064, error[2];
  for (int i = 0; i < 2; i++) {
    vb_mesh mesh = surface_of(&capsule, 1, 0.05, i ? 8000 : 1000);
    vb_surface_shape shape = shape_of(&mesh);
    ck_assert_int_eq(shape.n_boundary_edges + shape.n_crowded_edges, 0);
    ck_assert_int_eq(shape.euler, 2);
    ck_assert_uint_eq(shape.n_components, 1);
    ck_assert_double_le(fabs((double)mesh.n_triangles / (i ? 8000 : 1000) - 1), 0.03);
    error[i] = exact - shape.volume;
    for (size_t v = 0; v < mesh.n_vertices; v++) {
      double normal[3], place;
      // Newton's method on an exact distance ends at once; the blend of one capsule is nothing.
      ck_assert_double_eq_tol(vb_capsule_distance(&capsule, mesh.vertex[v], normal, &place), 0,
                              1e-12);
    }
    vb_mesh_clear(&mesh);
  }
  ck_assert_double_gt(error[1], 0);
  double order = log(error[0] / error[1]) / log(8);
  ck_assert_msg(order > 0.9 && order < 1.1, "order %g in the number of faces", order);
}
END_TEST

/// Volume of the union of capsules: the share of points of a box that are in any.
static double monte_carlo(const vb_capsule *capsule, size_t n, const double low[3],
                          const double size[3], int tries) {
  uint64_t seed = 13;
  int in = 0;
  for (int i = 0; i < tries; i++) {
    double x[3], normal[3], place;
    bool inside = false;
    for (int k = 0; k < 3; k++)
      x[k] = low[k] + size[k] * 0.5 * (1 + scenes_random(&seed));
    for (size_t j = 0; j < n && !inside; j++)
      inside = vb_capsule_distance(&capsule[j], x, normal, &place) < 0;
    in += inside;
  }
  return size[0] * size[1] * size[2] * in / tries;
}

START_TEST(the_octopus_is_one_closed_surface) {
  vb_capsule capsule[38];
  ck_assert_uint_eq(octopus(capsule), 38);
  omp_set_num_threads(1);
  vb_mesh mesh = surface_of(capsule, 38, 0.03, 13000);
  vb_surface_shape shape = shape_of(&mesh);
  vb_surface_crossings crossings = crossings_of(&mesh);
  ck_assert_double_le(fabs((double)mesh.n_triangles / 13000 - 1), 0.03);
  ck_assert_int_eq(shape.n_boundary_edges + shape.n_crowded_edges, 0);
  ck_assert_int_eq(shape.euler, 2);
  ck_assert_uint_eq(shape.n_components, 1);
  ck_assert_uint_eq(shape.n_vertices, mesh.n_vertices);
  ck_assert_uint_eq(crossings.within + crossings.between, 0);
  const double low[3] = {-2, -2, -0.8}, size[3] = {4, 4, 2.7};
  enum { TRIES = 400000 };
  double volume = monte_carlo(capsule, 38, low, size, TRIES), box = size[0] * size[1] * size[2];
  double deviation = sqrt(volume * (box - volume) / TRIES);
  // Four deviations of the estimate, and 2 % for chords and fillets: chords of 0.05 m cut
  // 0.05^2/8/r off walls of r = 0.1 to 0.6 m, 1 % of their volume in the mean, and fillets add
  // less.
  ck_assert_double_eq_tol(shape.volume, volume, 4 * deviation + 0.02 * volume);
  omp_set_num_threads(3);
  vb_mesh again = surface_of(capsule, 38, 0.03, 13000);
  ck_assert_uint_eq(again.n_vertices, mesh.n_vertices);
  ck_assert_int_eq(memcmp(again.vertex, mesh.vertex, mesh.n_vertices * sizeof *mesh.vertex), 0);
  ck_assert_int_eq(memcmp(again.triangle, mesh.triangle, mesh.n_triangles * sizeof *mesh.triangle),
                   0);
  fprintf(stderr, "octopus: %zu faces, volume %.4f m^3, pills %.4f +- %.4f\n", mesh.n_triangles,
          shape.volume, volume, deviation);
  vb_mesh_clear(&mesh);
  vb_mesh_clear(&again);
}
END_TEST

/// Two boxes of cells, the second turned and moved; as one mesh of two parts.
static vb_mesh boxes(double apart, int cells) {
  vb_mesh one = {0}, mesh = {0};
  vb_error error = {0};
  vb_box box = {{0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, 5};
  ck_assert_int_eq(vb_mesh_box(&box, &one, &error), VB_OK);
  mesh.n_vertices = 2 * one.n_vertices;
  mesh.n_triangles = 2 * one.n_triangles;
  mesh.vertex = malloc(mesh.n_vertices * sizeof *mesh.vertex);
  mesh.triangle = malloc(mesh.n_triangles * sizeof *mesh.triangle);
  ck_assert(mesh.vertex && mesh.triangle);
  for (size_t i = 0; i < mesh.n_vertices; i++)
    for (int k = 0; k < 3; k++)
      mesh.vertex[i][k] =
          one.vertex[i % one.n_vertices][k] + (i < one.n_vertices ? 0
                                                                  : apart * (k == 0   ? 1
                                                                             : k == 1 ? 0.83
                                                                                      : 0.71));
  for (size_t t = 0; t < mesh.n_triangles; t++)
    for (int c = 0; c < 3; c++)
      mesh.triangle[t][c] = one.triangle[t % one.n_triangles][c] +
                            (int32_t)(t < one.n_triangles ? 0 : one.n_vertices);
  vb_mesh_clear(&one);
  return mesh;
}

/// Whether two triangles cross, by another way: the lines in which each cuts the other's plane
/// overlap.
static bool planes_say(const vb_mesh *m, const int32_t *s, const int32_t *t) {
  double normal[2][3], along[3], range[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  const int32_t *of[2] = {s, t};
  for (int i = 0; i < 2; i++) {
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
      e[k] = m->vertex[of[i][1]][k] - m->vertex[of[i][0]][k];
      f[k] = m->vertex[of[i][2]][k] - m->vertex[of[i][0]][k];
    }
    vb_cross(e, f, normal[i]);
  }
  vb_cross(normal[0], normal[1], along);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 3; c++) {
      const double *p = m->vertex[of[i][c]], *q = m->vertex[of[i][(c + 1) % 3]];
      double height[2] = {0, 0};
      for (int k = 0; k < 3; k++) {
        height[0] += normal[!i][k] * (p[k] - m->vertex[of[!i][0]][k]);
        height[1] += normal[!i][k] * (q[k] - m->vertex[of[!i][0]][k]);
      }
      if (height[0] * height[1] >= 0)
        continue;
      double share = height[0] / (height[0] - height[1]);
      double x = (1 - share) * vb_dot(p, along) + share * vb_dot(q, along);
      range[i][0] = fmin(range[i][0], x);
      range[i][1] = fmax(range[i][1], x);
    }
  return fmax(range[0][0], range[1][0]) < fmin(range[0][1], range[1][1]);
}

static size_t crossing_pairs(const vb_mesh *m) {
  size_t n = 0, half = m->n_triangles / 2;
  for (size_t s = 0; s < half; s++)
    for (size_t t = half; t < m->n_triangles; t++)
      n += planes_say(m, m->triangle[s], m->triangle[t]);
  return n;
}

/// Two cubes of one cell, the second moved along all axes: each has a corner in the other, whose
/// three edges go through the other's faces at six points in all, beside those of the diagonals.
START_TEST(cubes_that_overlap_cross) {
  vb_mesh mesh = boxes(0.6, 1);
  vb_surface_shape shape = shape_of(&mesh);
  vb_surface_crossings crossings = crossings_of(&mesh);
  ck_assert_uint_eq(shape.n_components, 2);
  ck_assert_int_eq(shape.euler, 4);
  ck_assert_double_eq_tol(shape.volume, 2, 1e-14);
  ck_assert_uint_eq(crossings.within, 0);
  ck_assert_uint_eq(crossings.between, crossing_pairs(&mesh));
  ck_assert_uint_ge(crossings.between, 6);
  // Pairs of either cube's triangles alone are all of them, and all cross that are of any pair.
  bool asked[2][24] = {{false}}, crosses[24] = {false};
  const size_t half = mesh.n_triangles / 2;
  vb_surface_watch watch;
  ck_assert_int_eq(vb_surface_watch_create(mesh.vertex[0], mesh.n_vertices, mesh.triangle[0],
                                           mesh.n_triangles, &watch, NULL),
                   VB_OK);
  ck_assert_uint_eq(mesh.n_triangles, 24);
  for (int k = 0; k < 2; k++) {
    for (size_t t = 0; t < half; t++)
      asked[k][(size_t)k * half + t] = true;
    ck_assert_int_eq(vb_surface_watch_mark(&watch, mesh.vertex[0], asked[k], k ? crosses : NULL,
                                           &crossings, NULL),
                     VB_OK);
    ck_assert_uint_eq(crossings.between, crossing_pairs(&mesh));
  }
  vb_surface_watch_clear(&watch);
  for (size_t s = 0; s < mesh.n_triangles; s++) {
    bool any = false;
    for (size_t t = 0; t < half; t++)
      any = any || planes_say(&mesh, mesh.triangle[s], mesh.triangle[s < half ? half + t : t]);
    ck_assert(any == crosses[s]);
  }
  vb_mesh_clear(&mesh);
  mesh = boxes(1.2, 3);
  crossings = crossings_of(&mesh);
  ck_assert_uint_eq(crossings.within + crossings.between, 0);
  vb_mesh_clear(&mesh);
}
END_TEST

/// One vertex of a fine sphere pulled through the other side.
START_TEST(a_dented_sphere_crosses_itself) {
  const double center[3] = {0, 0, 0};
  vb_capsule ball = vb_capsule_make(center, 1, center, 1);
  vb_mesh mesh = surface_of(&ball, 1, 0.1, 500);
  ck_assert_uint_eq(crossings_of(&mesh).within, 0);
  for (int k = 0; k < 3; k++)
    mesh.vertex[7][k] *= -1.5;
  ck_assert_uint_gt(crossings_of(&mesh).within, 3);
  mesh.vertex[7][1] = NAN;
  vb_surface_crossings crossings;
  vb_error error = {0};
  ck_assert_int_eq(vb_surface_crossings_of(mesh.vertex[0], mesh.n_vertices, mesh.triangle[0],
                                           mesh.n_triangles, &crossings, &error),
                   VB_BAD_INPUT);
  vb_mesh_clear(&mesh);
}
END_TEST

START_TEST(reports_open_and_inverted_meshes) {
  const double vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int32_t sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const int32_t turned[12] = {0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  vb_surface_shape shape;
  vb_error error = {0};
  ck_assert_int_eq(vb_surface_shape_of(vertex, 4, sides, 4, &shape, &error), VB_OK);
  ck_assert_uint_eq(shape.n_edges, 6);
  ck_assert_int_eq(shape.euler, 2);
  ck_assert_double_eq_tol(shape.volume, 1.0 / 6, 1e-16);
  ck_assert_int_eq(vb_surface_shape_of(vertex, 4, sides, 3, &shape, &error), VB_OK);
  ck_assert_uint_eq(shape.n_boundary_edges, 3);
  ck_assert_int_eq(vb_surface_shape_of(vertex, 4, turned, 4, &shape, &error), VB_OK);
  ck_assert_uint_eq(shape.n_crowded_edges, 3);
}
END_TEST

static const struct {
  size_t n_capsules;
  double blend;
  size_t faces;
  const char *message;
} bad[] = {
    {0, 0.1, 1000, "at least one pill"},
    {38, 0, 1000, "the blend is 0 m; it must be positive"},
    {38, 0.1, 99, "99 faces are requested"},
    {38, 0.03, 1000, "1000 faces are too few for pills as thin as 0.077 m"},
};

START_TEST(reports_impossible_surfaces) {
  vb_capsule capsule[38];
  vb_mesh mesh = {.n_vertices = 7};
  vb_error error = {0};
  octopus(capsule);
  vb_capsule_surface plan = {capsule, bad[_i].n_capsules, bad[_i].blend, bad[_i].faces};
  ck_assert_int_eq(vb_capsule_surface_make(&plan, &mesh, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, bad[_i].message) != NULL, "%s", error.message);
  ck_assert_uint_eq(mesh.n_vertices, 7);
}
END_TEST

/// An edge of length 1 that ends 1e-3 above the inside of a triangle (0), or goes 1e-3 past its
/// border, which is 1/3 from the middle (1): they cross if grown by more than that share, 1e-3 or
/// 3e-3.
START_TEST(what_nearly_crosses_does_if_grown) {
  static const double GROW[2][3] = {{0, 9e-4, 1.1e-3}, {0, 2.9e-3, 3.1e-3}};
  const int32_t triangle[6] = {0, 1, 2, 3, 4, 5};
  const double x = _i ? -1e-3 : 0.3, z = _i ? -0.5 : 1e-3;
  const double vertex[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, x, 0.3, z, x, 0.3, z + 1, x, 0.8, z + 1};
  vb_surface_watch watch;
  ck_assert_int_eq(vb_surface_watch_create(vertex, 6, triangle, 2, &watch, NULL), VB_OK);
  for (int k = 0; k < 3; k++) {
    vb_surface_crossings found;
    watch.grow = GROW[_i][k];
    ck_assert_int_eq(vb_surface_watch_mark(&watch, vertex, NULL, NULL, &found, NULL), VB_OK);
    ck_assert_uint_eq(found.between, k == 2);
  }
  vb_surface_watch_clear(&watch);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("pill surface");
  tcase_set_timeout(test, 60);
  tcase_add_test(test, sheets_are_rings_of_crossed_edges);
  tcase_add_test(test, the_field_is_that_of_one_capsule_where_capsules_agree);
  tcase_add_test(test, a_capsule_has_its_volume);
  tcase_add_test(test, the_octopus_is_one_closed_surface);
  tcase_add_test(test, cubes_that_overlap_cross);
  tcase_add_test(test, a_dented_sphere_crosses_itself);
  tcase_add_loop_test(test, what_nearly_crosses_does_if_grown, 0, 2);
  tcase_add_test(test, reports_open_and_inverted_meshes);
  tcase_add_loop_test(test, reports_impossible_surfaces, 0, sizeof bad / sizeof *bad);
  return test;
}

VB_TEST_MAIN("pill_surface", make_tests())
