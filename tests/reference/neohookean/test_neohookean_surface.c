// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces that tetrahedra carry: they follow affine maps exactly, and bent ones where the shape
/// functions do.
/// Covers: reference/neohookean/surface.*
#include "lua_fixture.h"
#include "reference/neohookean/surface.h"
#include "scene/rotation.h"
#include "script/study/lua_study.h"
#include "solver/table.h"
#include "study/run.h"

#include <math.h>
#include <stdlib.h>

/// A box of 2 x 1 x 1 m whose nodes begin where `map` (of x, y, z) puts them, with the surface of a
/// finer box that is at one with it at rest.
#define STUDY(map)                                                                                 \
  "return {title = 't', build = function(p) local s = vb.scene{step = 1, steps = 1} "              \
  "s:mesh{mesh = vb.box{to = {2, 1, 1}, cells = {2, 1, 1}}, material = {E = 1e5, nu = 0.3}, "      \
  "density = 1, position = function(x, y, z) return " map " end} "                                 \
  "local fine = vb.box{to = {2, 1, 1}, cells = {6, 3, 4}} "                                        \
  "s:surface{vertices = fine.vertices, triangles = fine.triangles} "                               \
  "s:solver{solver = 'neohookean'} return s end}"

static size_t field_number(const vb_solver_description *d, const char *name) {
  size_t i = 0;
  while (strcmp(d->fields[i].name, name) != 0)
    i++;
  return i;
}

START_TEST(an_affine_map_moves_the_surface_along) {
  vb_study *study = load_good(STUDY("3 + 1.5 * x + 0.2 * y, 0.5 * y - x, 2 * z + 0.1 * x"));
  const vb_scene *scene = scene_of(study, 0);
  const vb_solver *solver;
  vb_option quadratic = {"elements", _i ? "quadratic" : "linear"};
  void *self;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("neohookean", &solver, NULL), VB_OK);
  ck_assert_msg(!solver->create(solver, scene, &quadratic, 1, &self, &error), "%s", error.message);
  size_t n, at = field_number(solver->describe(solver), "vertices");
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(scene, &n);
  ck_assert_uint_eq(solver->count(self, at), n);
  double *x = malloc(3 * n * sizeof *x), volume = 0;
  ck_assert_ptr_nonnull(x);
  ck_assert_int_eq(solver->read(self, at, x, NULL), VB_OK);
  for (size_t i = 0; i < n; i++) {
    const double *r = vertex[i].rest_position;
    double right[3] = {3 + 1.5 * r[0] + 0.2 * r[1], 0.5 * r[1] - r[0], 2 * r[2] + 0.1 * r[0]};
    for (int k = 0; k < 3; k++) // rounding of coordinates of some meters
      ck_assert_double_eq_tol(x[3 * i + (size_t)k], right[k], 1e-14);
  }
  at = field_number(solver->describe(solver), "enclosed_volume");
  ck_assert_int_eq(solver->read(self, at, &volume, NULL), VB_OK);
  // The map's determinant, 2 (1.5 * 0.5 + 0.2), times the box of 2 m^3.
  ck_assert_double_eq_tol(volume, 2 * 2 * (1.5 * 0.5 + 0.2), 1e-13);
  free(x);
  solver->destroy(self);
  vb_study_destroy(study);
}
END_TEST

/// Quadratic elements carry a quadratic map exactly: their middles are put where it puts them.
START_TEST(a_quadratic_map_moves_the_surface_of_quadratic_elements) {
  vb_study *study = load_good(STUDY("x, y, z"));
  const vb_scene *scene = scene_of(study, 0);
  nh_solid *solid = NULL;
  nh_surface surface;
  ck_assert_int_eq(nh_solid_create(scene, true, &solid, NULL), VB_OK);
  ck_assert_int_eq(nh_surface_create(solid, &surface, NULL), VB_OK);
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  double *x = malloc(3 * (solid->n_nodes + surface.n_vertices) * sizeof *x);
  ck_assert_ptr_nonnull(x);
  double *out = x + 3 * solid->n_nodes;
  for (size_t i = 0; i < solid->n_nodes; i++) {
    double r[3];
    for (int k = 0; k < 3; k++)
      r[k] = i < solid->n_corners
                 ? node[i].rest_position[k]
                 : 0.5 * (node[solid->edge[i - solid->n_corners][0]].rest_position[k] +
                          node[solid->edge[i - solid->n_corners][1]].rest_position[k]);
    memcpy(x + 3 * i, (double[3]){r[0] + r[1] * r[2], r[1] * r[1], r[2] - r[0] * r[0]},
           3 * sizeof *x);
  }
  nh_surface_vertices(&surface, solid, x, out);
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(scene, &n);
  for (size_t i = 0; i < n; i++) {
    const double *r = vertex[i].rest_position;
    ck_assert_double_eq_tol(out[3 * i], r[0] + r[1] * r[2], 1e-14); // rounding
    ck_assert_double_eq_tol(out[3 * i + 1], r[1] * r[1], 1e-14);
    ck_assert_double_eq_tol(out[3 * i + 2], r[2] - r[0] * r[0], 1e-14);
  }
  free(x);
  nh_surface_clear(&surface);
  nh_solid_destroy(solid);
  vb_study_destroy(study);
}
END_TEST

START_TEST(vertices_outside_are_refused) {
  vb_study *study = load_good(
      "return {title = 't', build = function(p) local s = vb.scene{step = 1, steps = 1} "
      "s:mesh{mesh = vb.box{to = {2, 1, 1}, cells = {2, 1, 1}}, material = {E = 1e5, nu = 0.3}, "
      "density = 1} s:surface{vertices = {{1, 1, 1}, {1, 1, 1.001}}} "
      "s:solver{solver = 'neohookean'} return s end}");
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("neohookean", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene_of(study, 0), NULL, 0, &self, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "surface vertex 1 lies outside of all tetrahedra"));
  vb_study_destroy(study);
}
END_TEST

/// What is recorded of tetrahedra is seen in each of ParaView's readers, tensors too.
START_TEST(paraview_sees_fields_of_tetrahedra) {
  if (!vb_has_paraview())
    return;
  vb_study *study = load_good(
      "return {title = 't', build = function(p) local s = vb.scene{step = 1e-3, steps = 1} "
      "s:mesh{mesh = vb.box{to = {2, 1, 1}, cells = {2, 1, 1}}, material = {E = 1e5, nu = 0.3}, "
      "density = 1e3, position = function(x, y, z) return 1.5 * x, y, 0.5 * z end} "
      "s:record{frames = 1, fields = {'position', 'velocity', 'dilation', 'deformation'}} "
      "s:solver{solver = 'neohookean'} return s end}");
  char folder[] = "/tmp/vb_cells_XXXXXX", path[64], command[200];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  const vb_solver *solver;
  vb_run_result result;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("neohookean", &solver, NULL), VB_OK);
  ck_assert_msg(!vb_run_execute(study, &study->runs[0], solver, path, NULL, &result, &error), "%s",
                error.message);
  snprintf(command, sizeof command,
           "pvpython --force-offscreen-rendering tests/support/check_cells.py %s/a.xdmf", folder);
  ck_assert_int_eq(system(command), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
  vb_study_destroy(study);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("neohookean surface");
  tcase_add_loop_test(test, an_affine_map_moves_the_surface_along, 0, 2);
  tcase_add_test(test, a_quadratic_map_moves_the_surface_of_quadratic_elements);
  tcase_add_test(test, vertices_outside_are_refused);
  tcase_set_timeout(test, 60); // for ParaView to start
  tcase_add_test(test, paraview_sees_fields_of_tetrahedra);
  return test;
}

VB_TEST_MAIN("neohookean_surface", make_case())
