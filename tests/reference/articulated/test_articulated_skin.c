// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces that the tetrahedra of the solver articulated carry: they follow affine maps exactly.
/// Covers: reference/articulated/skin.*
#include "handle.h"
#include "lua_fixture.h"

/// A box of 2 x 1 x 1 m whose nodes begin where an affine map puts them; `surface` is what it
/// carries.
#define STUDY(surface)                                                                             \
  "return {title = 't', build = function(p) local s = vb.scene{step = 1, steps = 1} "              \
  "s:mesh{mesh = vb.box{to = {2, 1, 1}, cells = {2, 1, 1}}, material = {E = 1e5, nu = 0.3}, "      \
  "density = 1, position = function(x, y, z) return 3 + 1.5 * x + 0.2 * y, 0.5 * y - x, "          \
  "2 * z + 0.1 * x end} "                                                                          \
  "local fine = vb.box{to = {2, 1, 1}, cells = {6, 3, 4}} " surface                                \
  "s:solver{solver = 'articulated'} return s end}"

/// Elements of the field of this name.
static size_t count_of(const handle *h, const char *name) {
  const vb_solver_description *d = h->solver->describe(h->solver);
  size_t i = 0;
  while (strcmp(d->fields[i].name, name) != 0)
    i++;
  return h->solver->count(h->self, i);
}

START_TEST(an_affine_map_moves_the_surface_along) {
  vb_study *study = load_good(STUDY("s:surface{vertices = fine.vertices, triangles = "
                                    "fine.triangles} "));
  const vb_scene *scene = scene_of(study, 0);
  handle h = handle_open_as("articulated", scene, NULL);
  size_t n;
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(scene, &n);
  ck_assert_uint_eq(count_of(&h, "vertices"), n);
  double *x = handle_read(&h, "vertices");
  for (size_t i = 0; i < n; i++) {
    const double *r = vertex[i].rest_position;
    double right[3] = {3 + 1.5 * r[0] + 0.2 * r[1], 0.5 * r[1] - r[0], 2 * r[2] + 0.1 * r[0]};
    for (size_t k = 0; k < 3; k++) // rounding of coordinates of some meters
      ck_assert_double_eq_tol(x[3 * i + k], right[k], 1e-14);
  }
  // The map's determinant, 2 (1.5 * 0.5 + 0.2), times the box of 2 m^3.
  ck_assert_double_eq_tol(handle_value(&h, "enclosed_volume", 0), 2 * 2 * (1.5 * 0.5 + 0.2), 1e-13);
  free(x);
  handle_close(&h);
  vb_study_destroy(study);
}
END_TEST

START_TEST(without_a_surface_there_is_no_volume) {
  vb_study *study = load_good(STUDY(""));
  handle h = handle_open_as("articulated", scene_of(study, 0), NULL);
  ck_assert_uint_eq(count_of(&h, "vertices"), 0);
  ck_assert_uint_eq(count_of(&h, "enclosed_volume"), 0);
  handle_close(&h);
  vb_study_destroy(study);
}
END_TEST

START_TEST(vertices_outside_are_refused) {
  vb_study *study = load_good(STUDY("s:surface{vertices = {{1, 1, 1}, {1, 1, 1.001}}} "));
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("articulated", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene_of(study, 0), NULL, 0, &self, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "surface vertex 1 lies outside of all tetrahedra"));
  vb_study_destroy(study);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("articulated skin");
  tcase_add_test(test, an_affine_map_moves_the_surface_along);
  tcase_add_test(test, without_a_surface_there_is_no_volume);
  tcase_add_test(test, vertices_outside_are_refused);
  return test;
}

VB_TEST_MAIN("articulated_skin", make_case())
