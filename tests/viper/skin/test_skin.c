// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces that segments carry: weights, motion, volume, and how they are recorded.
/// Covers: src/mesh/surface_owner.* src/results/surface_record.* src/viper/skin/*.[ch]
#include "handle.h"
#include "mesh/capsule.h"
#include "results/results_array.h"
#include "scenes/tube.h"
#include "study/run.h"
#include "viper/skin/skin_nearest.h"

#include <unistd.h>

START_TEST(the_distance_to_a_capsule_is_that_to_its_nearest_sphere) {
  uint64_t seed = 11;
  for (int n = 0; n < 300; n++) {
    double x[3], a[3], b[3], r_a = 0.3 + 0.25 * scenes_random(&seed);
    double r_b = 0.3 + 0.25 * scenes_random(&seed), least = INFINITY;
    for (int k = 0; k < 3; k++) {
      x[k] = 2 * scenes_random(&seed);
      a[k] = scenes_random(&seed);
      b[k] = n % 10 ? scenes_random(&seed) : a[k] + 0.05 * scenes_random(&seed);
    }
    for (int i = 0; i <= 2000; i++) {
      double t = i / 2000.0, c[3];
      for (int k = 0; k < 3; k++)
        c[k] = a[k] + t * (b[k] - a[k]);
      least = fmin(least, vb_distance(x, c) - (r_a + t * (r_b - r_a)));
    }
    // The spheres tried are a two-thousandth of at most 4 m apart; near the nearest one the
    // distance changes with the square of that, where x is not nearer to the axis than that.
    vb_capsule capsule = vb_capsule_make(a, r_a, b, r_b);
    double normal[3], place;
    ck_assert_double_eq_tol(vb_capsule_distance(&capsule, x, normal, &place), least, 1e-4);
  }
}
END_TEST

START_TEST(weights_are_few_positive_and_sum_to_1) {
  vb_scene *scene = tube_bar(8, 1, 1, tube_unturned, tube_nowhere, 0, -1);
  viper_model *model = NULL;
  viper_skin skin;
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  ck_assert_int_eq(viper_skin_create(model, &(viper_settings){0}, &skin, NULL), VB_OK);
  for (size_t i = 0; i < skin.n_vertices; i++) {
    const viper_skin_weight *w = &skin.weight[i * VIPER_SKIN_MOST];
    double sum = 0;
    int n = skin.n_weights[i];
    ck_assert_int_le(n, VIPER_SKIN_MOST);
    for (int e = 0; e < n; e++) {
      ck_assert_double_gt(w[e].weight, 0);
      if (e > 0)
        ck_assert_int_lt(w[e - 1].segment, w[e].segment);
      sum += w[e].weight;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-15 * VIPER_SKIN_MOST); // rounding
    if (i < TUBE_AROUND) {
      ck_assert_int_eq(n, 1);
      ck_assert_int_eq(w[0].segment, model->segment_at[0]);
    }
  }
  // In the middle the weights are symmetrical, and greatest at the nearest segments.
  const viper_skin_weight *w = &skin.weight[(size_t)12 * TUBE_AROUND * VIPER_SKIN_MOST];
  double left = 0, near = 0;
  for (int e = 0; e < skin.n_weights[(size_t)12 * TUBE_AROUND]; e++) {
    int32_t at = model->segment[w[e].segment].scene_index;
    left += at < 4 ? w[e].weight : 0;
    near += at == 3 || at == 4 ? w[e].weight : 0;
  }
  ck_assert_double_eq_tol(left, 0.5, 0.01); // but for the vertices fastened at one end
  ck_assert_double_gt(near, 0.5);
  viper_skin_destroy(&skin);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

START_TEST(a_similarity_of_all_segments_is_one_of_the_surface) {
  const double scales[3] = {1, 1.7, 0.3}, shift[3] = {3, -2, 5};
  const double q[4] = {0.1, 0.7, -0.5, 0.5};
  vb_scene *scene = tube_bar(6, scales[_i], scales[_i], q, shift, -1, 5);
  handle s = handle_open(scene, NULL);
  size_t n;
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(scene, &n);
  double *x = handle_read(&s, "vertices");
  for (size_t i = 0; i < n; i++) {
    double expected[3];
    vb_quaternion_rotate(q, vertex[i].rest_position, expected);
    for (int k = 0; k < 3; k++) // rounding of positions some meters from the origin
      ck_assert_double_eq_tol(x[3 * i + (size_t)k], shift[k] + scales[_i] * expected[k], 1e-14);
  }
  double cube = scales[_i] * scales[_i] * scales[_i];
  ck_assert_double_eq_tol(handle_value(&s, "enclosed_volume", 0), cube * tube_volume(), 1e-13);
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// In a stretched bar each segment's similarity moves its own cross-section as it should, but not
/// what is before and behind it: the surface keeps the volume but for half a segment at either end,
/// which falls short by (e - s) l / 2 and less.
START_TEST(the_volume_of_a_stretched_bar_is_kept_to_first_order) {
  const double stretch = 1.5, s = 1 / sqrt(stretch);
  double loss[2];
  for (int fine = 0; fine < 2; fine++) {
    int n = 16 << fine;
    vb_scene *scene = tube_bar(n, stretch, s, tube_unturned, tube_nowhere, -1, -1);
    handle h = handle_open(scene, NULL);
    loss[fine] = 1 - handle_value(&h, "enclosed_volume", 0) / tube_volume();
    ck_assert_double_gt(loss[fine], 0);
    handle_close(&h);
    free(scene);
  }
  printf("volume lost: %.4g and %.4g\n", loss[0], loss[1]);
  // The smallest capsules are shorter than their radius, so that weights reach over several of
  // them.
  ck_assert_double_lt(loss[0], 4 * (stretch - s) / stretch / 16);
  ck_assert_double_lt(loss[1], 0.75 * loss[0]);
}
END_TEST

START_TEST(fastened_ends_go_where_their_segment_goes) {
  const double stretch = 1.5, s = 1 / sqrt(stretch);
  vb_scene *scene = tube_bar(16, stretch, s, tube_unturned, tube_nowhere, 0, 15);
  handle h = handle_open(scene, NULL);
  double *x = handle_read(&h, "vertices");
  for (int k = 0; k < TUBE_AROUND; k++) {
    // The middle of the first segment, and from there half a segment shrunk by s.
    ck_assert_double_eq_tol(x[3 * k], (stretch - s) / 32, 1e-14);
    ck_assert_double_eq_tol(x[3 * (48 * TUBE_AROUND + k)], stretch - (stretch - s) / 32, 1e-14);
  }
  free(x);
  handle_close(&h);
  free(scene);
}
END_TEST

/// A bar that stretches, its run recorded with its surface.
static void record(const vb_scene *scene, const char *path) {
  static char *fields[] = {"position", "vertices"};
  vb_run_plan run = {
      .name = "a",
      .label = "a",
      .scenario = "bar",
      .script = "return {}",
      .parameters = "{}",
      .solver = "viper",
      .record = {.every = 1, .frames_every = 1, .fields = fields, .n_fields = 2, .exact = true}};
  vb_study study = {.name = "bar", .title = "Bar", .tier = "quick", .script = "return {}"};
  const vb_solver *solver;
  vb_run_result result;
  vb_error error = {0};
  run.scene = (vb_scene *)(uintptr_t)scene;
  study.runs = &run;
  study.n_runs = 1;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_msg(!vb_run_execute(&study, &run, solver, path, NULL, &result, &error), "%s",
                error.message);
}

/// Reads a whole dataset or a frame of one, of a known shape.
static vb_array read_array(const char *path, const char *dataset, int64_t frame, size_t n,
                           size_t width) {
  vb_array out;
  vb_error error = {0};
  ck_assert_msg(!vb_results_array(path, dataset, frame, &out, &error), "%s", error.message);
  ck_assert_uint_eq(out.n, n);
  ck_assert_uint_eq(out.width, width);
  return out;
}

/// Opens the sidecar in each of ParaView's readers and asks for the surface's cells and points.
static void look_with_paraview(const char *sidecar, size_t n_vertices, size_t n_triangles) {
  char command[1200];
  if (!vb_has_paraview())
    return;
  snprintf(command, sizeof command,
           "pvpython --force-offscreen-rendering tests/support/check_surface.py %s %zu %zu",
           sidecar, n_vertices, n_triangles);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(surfaces_are_recorded) {
  char folder[] = "/tmp/vb_skin_XXXXXX", path[64], sidecar[64], command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/bar-a.h5", folder);
  snprintf(sidecar, sizeof sidecar, "%s/bar-a.xdmf", folder);
  vb_builder *b = fixture_builder();
  vb_builder_world(b)->n_steps = 2;
  scenes_bar(b, 4, 1, TUBE_RADIUS, &scenes_rubber);
  tube_add(b, 8, -1, -1);
  size_t n, n_triangles, count;
  ((vb_node *)vb_builder_elements(b, VB_SET_NODE, &count))[4].velocity[0] = 1;
  vb_scene *scene = fixture_freeze(b);
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(scene, &n);
  n_triangles = vb_scene_count(scene, VB_SET_TRIANGLE);
  record(scene, path);
  vb_array rest = read_array(path, "/topology/rest_vertex", VB_NO_FRAME, n, 3);
  vb_array triangle = read_array(path, "/topology/triangle", VB_NO_FRAME, n_triangles, 3);
  vb_array first = read_array(path, "/run/frames/vertices", 0, n, 3);
  vb_array last = read_array(path, "/run/frames/vertices", -1, n, 3);
  vb_array volume = read_array(path, "/run/enclosed_volume", VB_NO_FRAME, 3, 1);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < 3; k++) {
      ck_assert_double_eq(rest.values[3 * i + k], vertex[i].rest_position[k]);
      ck_assert_double_eq_tol(first.values[3 * i + k], vertex[i].rest_position[k], 1e-15);
    }
  ck_assert_double_gt(last.values[3 * (n - 1)], 1.001); // moved on with the end
  ck_assert_double_eq_tol(volume.values[0], tube_volume(), 1e-15);
  ck_assert_double_eq(triangle.values[3 * (n_triangles - 1)], (double)n - 1);
  look_with_paraview(sidecar, n, n_triangles);
  vb_array *all[] = {&rest, &triangle, &first, &last, &volume};
  for (int i = 0; i < 5; i++)
    vb_array_free(all[i]);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
  free(scene);
}
END_TEST

/// A strip of triangles at height TUBE_RADIUS between the lines (0 .. 1, y0) and (0 .. 1, y1).
static void add_strip(vb_builder *b, double y0, double y1) {
  int32_t v[2] = {-1, -1};
  for (int i = 0; i <= 10; i++)
    for (int side = 0; side < 2; side++) {
      vb_surface_vertex at = {.rest_position = {0.1 * i, side ? y1 : y0, TUBE_RADIUS},
                              .segment = -1};
      int32_t next = fixture_add(b, VB_SET_SURFACE_VERTEX, &at);
      if (v[0] >= 0)
        fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{v[0], v[1], next}, 0});
      v[0] = v[1];
      v[1] = next;
    }
}

/// Bars of four segments side by side, `gap` apart; as models have them, body by body.
static viper_model *bars(int n, double gap, vb_builder *b) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= 4; i++) {
      vb_node node = {.rest_position = {0.25 * i, k * (2 * TUBE_RADIUS + gap), 0},
                      .rest_radius = TUBE_RADIUS};
      memcpy(node.position, node.rest_position, sizeof node.position);
      int32_t at = fixture_add(b, VB_SET_NODE, &node);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_rubber);
    }
  viper_model *model = NULL;
  ck_assert_int_eq(viper_model_create(fixture_freeze(b), true, &model, NULL), VB_OK);
  return model;
}

/// Which of the first two bodies carry vertices [begin, end): a bit for each.
static int carriers(const viper_skin *skin, const viper_model *model, size_t begin, size_t end) {
  int out = 0;
  for (size_t i = begin; i < end; i++)
    for (int e = 0; e < skin->n_weights[i]; e++)
      out |= skin->weight[i * VIPER_SKIN_MOST + (size_t)e].segment < model->body[1].first_segment
                 ? 1
                 : 2;
  return out;
}

START_TEST(a_surface_of_one_body_follows_that_alone) {
  vb_builder *b = fixture_builder();
  add_strip(b, -0.02, 0.02);
  add_strip(b, 0.21 - 0.02, 0.21 + 0.02);
  add_strip(b, 0, 0.21);
  viper_model *model = bars(2, 0.01, b);
  viper_skin skin;
  ck_assert_int_eq(viper_skin_create(model, &(viper_settings){0}, &skin, NULL), VB_OK);
  ck_assert_uint_eq(skin.n_vertices, 66);
  ck_assert_int_eq(carriers(&skin, model, 0, 22), 1);
  ck_assert_int_eq(carriers(&skin, model, 22, 44), 2);
  ck_assert_int_eq(carriers(&skin, model, 44, 66), 3);
  free((void *)model->scene);
  viper_skin_destroy(&skin);
  viper_model_destroy(model);
}
END_TEST

/// A bar of half the radius in a tube, and a bone beside it, whose surface is `gap` from the
/// tube's.
static viper_model *flesh_and_bone(double gap) {
  vb_builder *b = fixture_builder();
  tube_add(b, 12, -1, -1);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 4; i++) {
      vb_node node = {.rest_position = {0.25 * i, k * (1.5 * TUBE_RADIUS + gap), 0},
                      .rest_radius = TUBE_RADIUS / 2};
      memcpy(node.position, node.rest_position, sizeof node.position);
      int32_t at = fixture_add(b, VB_SET_NODE, &node);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_rubber);
    }
  viper_model *model = NULL;
  ck_assert_int_eq(viper_model_create(fixture_freeze(b), true, &model, NULL), VB_OK);
  return model;
}

/// A bone that is nearer to a part of the skin than the rods in it has no part in it: all weights
/// are those with the bone far off, to the bit. So it is where the bone touches the skin.
START_TEST(a_bone_beside_a_skin_does_not_carry_it) {
  static const double gaps[] = {100, 9e-3, 1e-3, -5e-3};
  viper_skin skin[4];
  viper_model *model[4];
  for (int k = 0; k < 4; k++) {
    model[k] = flesh_and_bone(gaps[k]);
    ck_assert_int_eq(viper_skin_create(model[k], &(viper_settings){0}, &skin[k], NULL), VB_OK);
    ck_assert_int_eq(carriers(&skin[k], model[k], 0, skin[k].n_vertices), 1);
    size_t different = 0;
    for (size_t i = 0; i < skin[k].n_vertices; i++)
      different +=
          skin[k].n_weights[i] != skin[0].n_weights[i] ||
          memcmp(skin[k].weight + i * VIPER_SKIN_MOST, skin[0].weight + i * VIPER_SKIN_MOST,
                 (size_t)skin[0].n_weights[i] * sizeof *skin[0].weight) != 0;
    ck_assert_uint_eq(different, 0);
  }
  for (int k = 0; k < 4; k++) {
    free((void *)model[k]->scene);
    viper_skin_destroy(&skin[k]);
    viper_model_destroy(model[k]);
  }
}
END_TEST

START_TEST(bodies_that_bundles_join_carry_as_one) {
  vb_builder *b = fixture_builder();
  add_strip(b, 0.21, 0.42); // between the second bar and the third
  add_strip(b, 0, 0.21);    // between the first and the second
  fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){0, 4});
  fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){0, 8});
  viper_model *model = bars(3, 0.01, b);
  viper_skin skin;
  ck_assert_int_eq(viper_skin_create(model, &(viper_settings){0}, &skin, NULL), VB_OK);
  ck_assert_int_eq(carriers(&skin, model, 0, 22), 2);
  ck_assert_int_eq(carriers(&skin, model, 22, 44), 3);
  free((void *)model->scene);
  viper_skin_destroy(&skin);
  viper_model_destroy(model);
}
END_TEST

/// Two bars whose middle segments are a bundle, its second member `apart` farther off and both
/// `scale` as large.
static vb_scene *pair(double apart, double scale) {
  vb_builder *b = fixture_builder();
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= 2; i++) {
      vb_node node = {
          .rest_position = {0.5 * i, 0.3 * k, 0}, .rest_radius = TUBE_RADIUS, .scale = scale};
      memcpy(node.position, node.rest_position, sizeof node.position);
      node.position[1] += k * apart;
      int32_t at = fixture_add(b, VB_SET_NODE, &node);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_rubber);
    }
  for (int32_t k = 0; k < 2; k++)
    fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){0, 2 * k});
  for (int i = 0; i < 4; i++)
    fixture_add(
        b, VB_SET_SURFACE_VERTEX,
        &(vb_surface_vertex){.rest_position = {0.25 + 0.1 * i, 0.1 * i, 0.05}, .segment = i});
  fixture_add(b, VB_SET_TRIANGLE, &(vb_triangle){{0, 1, 2}, 0});
  return fixture_freeze(b);
}

/// Members that part symmetrically turn nothing: the scale is eq. 35's, by hand, about the common
/// middle. Segments outside of the bundle carry as before, and without the option all do.
START_TEST(a_bundle_carries_by_its_own_transform) {
  const double apart = 0.06, scale = 1.1, half = 0.15;
  vb_scene *scene = pair(apart, scale);
  // Columns (r/2) s u and (r/2) s v of both discs, and the middles, against those at rest.
  double disc = TUBE_RADIUS * TUBE_RADIUS / 4, norm = 2 * disc + half * half;
  double fit = (2 * disc * scale + half * (half + apart / 2)) / norm;
  handle by_bundle = handle_open(scene, "skin_frames", "bundle", NULL);
  handle by_segment = handle_open(scene, "skin_frames", "segment", NULL);
  double *x = handle_read(&by_bundle, "vertices"), *y = handle_read(&by_segment, "vertices");
  size_t n;
  const vb_surface_vertex *v = vb_scene_surface_vertices(scene, &n);
  for (size_t i = 0; i < n; i++) {
    bool bundled = v[i].segment % 2 == 0;
    const double *at = v[i].rest_position;
    const int bar = v[i].segment / 2;
    double second = bar;
    double own[3] = {v[i].segment % 2 ? 0.75 : 0.25, 0.3 * second, 0};
    double moved[3] = {own[0], own[1] + apart * second, 0};
    double mean[3] = {0.25, half, 0}, mean_now[3] = {0.25, half + apart / 2, 0};
    for (int k = 0; k < 3; k++) {
      double segment = moved[k] + scale * (at[k] - own[k]);
      double bundle = bundled ? mean_now[k] + fit * (at[k] - mean[k]) : segment;
      ck_assert_double_eq_tol(y[3 * i + (size_t)k], segment, 1e-15); // rounding
      ck_assert_double_eq_tol(x[3 * i + (size_t)k], bundle, 1e-15);
    }
  }
  free(x);
  free(y);
  handle_close(&by_bundle);
  handle_close(&by_segment);
  free(scene);
}
END_TEST

START_TEST(bundles_cannot_carry_where_there_are_none) {
  vb_scene *scene = tube_bar(4, 1, 1, tube_unturned, tube_nowhere, -1, -1);
  const vb_option option = {"skin_frames", "bundle"};
  vb_error error = {0};
  void *self = NULL;
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, &option, 1, &self, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message,
                   "skin_frames=bundle needs bundles, and the scene has none; use segment");
  free(scene);
}
END_TEST

/// The tree leaves out no segment that is nearer than those it finds.
START_TEST(the_nearest_segments_are_those_of_a_search) {
  viper_model *model = bars(30, 0.01, fixture_builder());
  viper_skin_capsules *capsules = NULL;
  uint64_t seed = 5;
  int32_t n = (int32_t)model->n_segments;
  viper_skin_weight *all = malloc((size_t)n * sizeof *all), found[VIPER_SKIN_MOST];
  ck_assert_int_eq(viper_skin_capsules_create(model, &capsules, NULL), VB_OK);
  for (int k = 0; k < 500; k++) {
    double x[3] = {scenes_random(&seed), 3 + 3 * scenes_random(&seed), 0.3 * scenes_random(&seed)};
    int32_t body = k % 3 ? -1 : k % 30;
    ck_assert_int_eq(viper_skin_nearest(capsules, x, body, n, all), body < 0 ? n : 4);
    int few = viper_skin_nearest(capsules, x, body, VIPER_SKIN_MOST, found);
    ck_assert_int_eq(few, body < 0 ? VIPER_SKIN_MOST : 4);
    for (int e = 0; e < few; e++) {
      ck_assert_int_eq(found[e].segment, all[e].segment);
      ck_assert_double_eq(found[e].weight, all[e].weight);
      ck_assert(e == 0 || found[e - 1].weight >= found[e].weight);
    }
  }
  viper_skin_capsules_destroy(capsules);
  free(all);
  free((void *)model->scene);
  viper_model_destroy(model);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("skin");
  tcase_set_timeout(test, 60); // for ParaView to start
  tcase_add_test(test, the_distance_to_a_capsule_is_that_to_its_nearest_sphere);
  tcase_add_test(test, weights_are_few_positive_and_sum_to_1);
  tcase_add_loop_test(test, a_similarity_of_all_segments_is_one_of_the_surface, 0, 3);
  tcase_add_test(test, the_volume_of_a_stretched_bar_is_kept_to_first_order);
  tcase_add_test(test, fastened_ends_go_where_their_segment_goes);
  tcase_add_test(test, a_surface_of_one_body_follows_that_alone);
  tcase_add_test(test, a_bone_beside_a_skin_does_not_carry_it);
  tcase_add_test(test, bodies_that_bundles_join_carry_as_one);
  tcase_add_test(test, a_bundle_carries_by_its_own_transform);
  tcase_add_test(test, bundles_cannot_carry_where_there_are_none);
  tcase_add_test(test, the_nearest_segments_are_those_of_a_search);
  tcase_add_test(test, surfaces_are_recorded);
  return test;
}

VB_TEST_MAIN("skin", make_case())
