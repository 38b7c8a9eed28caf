// SPDX-License-Identifier: GPL-3.0-or-later
/// Colors of bodies that bundles join, and of bones, of a small file made by HDF5 alone.
/// Covers: src/render/recording.* src/render/recording_looks.c src/render/recording_muscle.c
#include "hostile/hostile_results.h"
#include "render/appearance.h"
#include "render/recording.h"

#include <math.h>
#include <stdlib.h>

static char folder[64], path[128];

/// Two segments in a row between nodes of bodies 0, 1 and 2, and a triangle with a vertex over each
/// node; the segments are in one bundle, or (`bundle` null) in none. Two rows of pins, or null.
static void make_run(const double *bundle, const double *pins) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // what is put in place of nothing
  snprintf(folder, sizeof folder, "/tmp/viperbench-colors-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  hid_t file = begin_run(path);
  if (bundle)
    put(file, "topology/bundle", 2, (hsize_t[]){2, 2}, bundle);
  if (pins)
    put(file, "topology/pin", 2, (hsize_t[]){2, 4}, pins);
  H5Fclose(file);
}

static void remove_run(void) {
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static void check_values(const double *bundle, const double expected[3]) {
  vb_recording recording = {0};
  vb_shapes shapes = {0}, clear = {0};
  vb_error error = {0};
  make_run(bundle, NULL);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, NULL}, false, &recording, &error), "%s",
                error.message);
  ck_assert_int_eq(vb_recording_shapes(&recording, 0, VB_COLOR_BODY, &shapes, &clear, &error),
                   VB_OK);
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq(shapes.value[i], expected[i]);
  vb_shapes_clear(&shapes);
  vb_shapes_clear(&clear);
  vb_recording_close(&recording);
  remove_run();
}

START_TEST(bodies_have_numbers_of_their_own) {
  check_values(NULL, (double[]){0, 1, 2});
}
END_TEST

/// The first two become one; the third comes next.
START_TEST(bodies_that_bundles_join_have_one_number) {
  check_values((double[]){0, 0, 0, 1}, (double[]){0, 0, 1});
}
END_TEST

/// Whether the third body, at the end of the second capsule, has the color of bone, and no other.
static bool third_is_bone(const double *pins) {
  vb_recording recording = {0};
  vb_shapes shapes = {0}, clear = {0};
  vb_error error = {0};
  make_run(NULL, pins);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, NULL}, true, &recording, &error), "%s",
                error.message);
  ck_assert_int_eq(vb_recording_shapes(&recording, 0, VB_COLOR_BODY, &shapes, &clear, &error),
                   VB_OK);
  ck_assert(shapes.n_capsules == 2 && shapes.capsule_value[0][0] == 0 &&
            shapes.capsule_value[0][1] == 1 && shapes.capsule_value[1][0] == 1);
  bool bone = isnan(shapes.capsule_value[1][1]);
  vb_shapes_clear(&shapes);
  vb_shapes_clear(&clear);
  vb_recording_close(&recording);
  remove_run();
  return bone;
}

START_TEST(bodies_that_drivers_pin_are_bones) {
  // Rows: of a node, which, components, driver. The first is held in x alone.
  ck_assert(third_is_bone((double[]){0, 2, 7, 0, 0, 0, 1, 0}));
  ck_assert(!third_is_bone((double[]){0, 2, 7, -1, 0, 0, 7, -1})); // held, but by no driver
  double color[3];
  const vb_palette bodies = {.kind = VB_CATEGORICAL}, scales = {.kind = VB_SEQUENTIAL};
  vb_palette_color(&bodies, NAN, color);
  ck_assert(color[0] > color[1] && color[1] > color[2] && color[2] > 0.5); // light, and warm
  vb_palette_color(&scales, NAN, color);
  ck_assert(color[0] == color[1] && color[1] == color[2]);
}
END_TEST

/// What the triangle and the capsules are made of, of a run with this activation (a location and an
/// index), or none, and with the segments in one bundle.
static void find_appearance(const double *activation, bool bundle, bool capsules, uint8_t out[2]) {
  vb_recording recording = {0};
  vb_shapes shapes = {0}, clear = {0};
  vb_error error = {0};
  make_run(bundle ? (double[]){0, 0, 0, 1} : NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (activation)
    put(file, "topology/activation_element", 2, (hsize_t[]){1, 2}, activation);
  H5Fclose(file);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, NULL}, capsules, &recording, &error),
                "%s", error.message);
  ck_assert_int_eq(vb_recording_shapes(&recording, 0, VB_COLOR_MATERIAL, &shapes, &clear, &error),
                   VB_OK);
  memcpy(out, capsules ? shapes.capsule_appearance : shapes.triangle_appearance, capsules ? 2 : 1);
  if (!capsules && activation && activation[0] == 1) {
    ck_assert_double_gt(recording.fiber_size, 0);
    ck_assert_double_eq(shapes.fiber[0].tendon, 0);
    ck_assert_double_gt(shapes.fiber[0].direction[0],
                        0.5); // along the first segment and the second
  }
  vb_shapes_clear(&shapes);
  vb_shapes_clear(&clear);
  vb_recording_close(&recording);
  remove_run();
}

/// Opens the run of bundled segments, one activated, with Young's moduli, and returns what its
/// three nodes are: 1 in a tendon.
static void find_tendon(const double young[2], double tendon[3]) {
  vb_recording recording = {0};
  vb_error error = {0};
  make_run((double[]){0, 0, 0, 1}, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put(file, "topology/activation_element", 2, (hsize_t[]){1, 2}, (double[]){1, 0});
  H5Ldelete(file, "topology/body", H5P_DEFAULT);
  put(file, "topology/body", 1, (hsize_t[]){3}, (double[]){0, 0, 0});
  put(file, "topology/segment_young", 1, (hsize_t[]){2}, young);
  H5Fclose(file);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, NULL}, false, &recording, &error), "%s",
                error.message);
  memcpy(tendon, recording.tendon, 3 * sizeof *tendon);
  vb_recording_close(&recording);
  remove_run();
}

/// Where a muscle's rod goes on as a much stiffer one it is a tendon, though bundles join both.
START_TEST(stiff_ends_of_muscles_are_tendons) {
  double tendon[3];
  find_tendon((double[]){3e4, 3e5}, tendon);
  ck_assert(tendon[0] == 0 && tendon[1] == 0 && tendon[2] == 1);
  find_tendon((double[]){3e4, 9e4}, tendon); // no more than a stiffer part
  ck_assert(tendon[0] == 0 && tendon[1] == 0 && tendon[2] == 0);
}
END_TEST

/// An activated segment makes its body a muscle, and bodies that bundles join with it; a surface
/// around several bodies is a skin if there is a muscle among them.
START_TEST(what_is_activated_is_a_muscle) {
  uint8_t kind[2];
  find_appearance(NULL, true, true, kind);
  ck_assert(kind[0] == VB_APPEARANCE_ROPE && kind[1] == VB_APPEARANCE_ROPE);
  find_appearance((double[]){1, 1}, false, true, kind); // the second segment, of bodies 1 and 2
  ck_assert(kind[0] == VB_APPEARANCE_ROPE && kind[1] == VB_APPEARANCE_MUSCLE);
  find_appearance((double[]){1, 1}, true, true, kind);
  ck_assert(kind[0] == VB_APPEARANCE_MUSCLE && kind[1] == VB_APPEARANCE_MUSCLE);
  find_appearance((double[]){1, 9}, false, true, kind); // no segment has this number
  ck_assert(kind[0] == VB_APPEARANCE_ROPE && kind[1] == VB_APPEARANCE_ROPE);
  find_appearance(NULL, true, false, kind);
  ck_assert_int_eq(kind[0], VB_APPEARANCE_SOLID);
  find_appearance(NULL, false, false, kind);
  ck_assert_int_eq(kind[0], VB_APPEARANCE_SOLID);
  find_appearance((double[]){1, 0}, false, false, kind);
  ck_assert_int_eq(kind[0], VB_APPEARANCE_SKIN);
}
END_TEST

/// Opens a run with one look (a location, an index, a material) of this color.
static vb_status open_with_look(const double look[3], const double color[3], bool capsules,
                                vb_recording *recording, vb_shapes shapes[2]) {
  vb_error error = {0};
  make_run(NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put(file, "topology/look", 2, (hsize_t[]){1, 3}, look);
  put(file, "topology/look_color", 2, (hsize_t[]){1, 3}, color);
  H5Fclose(file);
  vb_status status = vb_recording_open((vb_run_location){path, NULL}, capsules, recording, &error);
  if (!status)
    status = vb_recording_shapes(recording, 0, VB_COLOR_MATERIAL, &shapes[0], &shapes[1], &error);
  remove_run();
  return status;
}

static void close_run(vb_recording *recording, vb_shapes shapes[2]) {
  vb_shapes_clear(&shapes[0]);
  vb_shapes_clear(&shapes[1]);
  vb_recording_close(recording);
}

static const double NO_COLOR[3] = {-1, -1, -1}, GREEN[3] = {0.1, 0.8, 0.2};

START_TEST(looks_replace_what_follows) {
  vb_recording r = {0};
  vb_shapes s[2] = {{0}};
  ck_assert(!open_with_look((double[]){VB_AT_NODE, 0, VB_LOOK_BONE}, GREEN, true, &r, s));
  ck_assert(s[0].n_capsules == 2 && s[0].capsule_appearance[0] == VB_APPEARANCE_BONE);
  ck_assert(s[0].capsule_color[0] == 1 && memcmp(s[0].own_color[0], GREEN, sizeof GREEN) == 0);
  ck_assert(s[0].capsule_appearance[1] == VB_APPEARANCE_ROPE && s[0].capsule_color[1] == 0);
  close_run(&r, s);
  ck_assert(!open_with_look((double[]){VB_AT_NODE, 0, VB_LOOK_DEFAULT}, GREEN, true, &r, s));
  ck_assert(s[0].capsule_appearance[0] == VB_APPEARANCE_ROPE && s[0].capsule_color[0] == 1);
  close_run(&r, s);
  ck_assert(!open_with_look((double[]){VB_AT_VERTEX, 2, VB_LOOK_SKIN}, NO_COLOR, false, &r, s));
  ck_assert(s[0].triangle_appearance[0] == VB_APPEARANCE_SKIN && s[0].triangle_color[0] == 0);
  close_run(&r, s);
  // The body that carries the surface, which has no look of its own.
  ck_assert(!open_with_look((double[]){VB_AT_NODE, 0, VB_LOOK_MUSCLE}, NO_COLOR, false, &r, s));
  ck_assert(s[0].triangle_appearance[0] == VB_APPEARANCE_SKIN && r.is_muscle[0] && !r.is_muscle[1]);
  close_run(&r, s);
}
END_TEST

START_TEST(glass_is_seen_through) {
  vb_recording r = {0};
  vb_shapes s[2] = {{0}};
  ck_assert(!open_with_look((double[]){VB_AT_NODE, 0, VB_LOOK_GLASS}, GREEN, true, &r, s));
  ck_assert(s[0].n_capsules == 1 && s[1].n_capsules == 1 && s[1].capsule_color[0] == 1);
  ck_assert_int_eq(s[0].capsule_appearance[0], VB_APPEARANCE_ROPE);
  close_run(&r, s);
  ck_assert(!open_with_look((double[]){VB_AT_VERTEX, 0, VB_LOOK_GLASS}, NO_COLOR, false, &r, s));
  ck_assert(s[0].n_triangles == 0 && s[1].n_triangles == 1 && s[1].n_vertices == 3);
  ck_assert_int_eq(s[1].triangle_appearance[0], VB_APPEARANCE_GLASS);
  close_run(&r, s);
}
END_TEST

START_TEST(looks_that_make_no_sense_are_refused) {
  static const double LOOK[][3] = {{VB_AT_NODE, 3, 1},     {VB_AT_NODE, 0, 7},
                                   {VB_AT_BONE, 0, 1},     {VB_AT_VERTEX, -1, 1},
                                   {VB_AT_COLLIDER, 0, 1}, {VB_AT_NODE, 0.5, 1}};
  vb_recording r = {0};
  vb_shapes s[2] = {{0}};
  for (size_t i = 0; i < sizeof LOOK / sizeof *LOOK; i++)
    ck_assert_int_eq(open_with_look(LOOK[i], NO_COLOR, true, &r, s), VB_BAD_INPUT);
  ck_assert_int_eq(open_with_look((double[]){VB_AT_NODE, 0, 1}, (double[]){0, 2, 0}, true, &r, s),
                   VB_BAD_INPUT);
}
END_TEST

/// By its own color in natural colors alone.
START_TEST(own_colors_are_shown) {
  const vb_palette natural = {.kind = VB_NATURAL}, bodies = {.kind = VB_CATEGORICAL};
  vb_shapes none = {0};
  vb_hit hit = {.appearance = VB_APPEARANCE_ROPE, .value = 1, .color = GREEN};
  double color[3], body[3];
  vb_appearance_color(&natural, &none, &hit, color);
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(vb_encode_srgb(color[k]), GREEN[k], 1e-12);
  vb_appearance_color(&bodies, &none, &hit, color);
  vb_palette_color(&bodies, 1, body);
  ck_assert_mem_eq(color, body, sizeof color);
}
END_TEST

START_TEST(a_bundle_of_no_segment_is_refused) {
  vb_recording recording = {0};
  vb_error error = {0};
  make_run((double[]){0, 0, 0, 2}, NULL);
  ck_assert_int_eq(vb_recording_open((vb_run_location){path, NULL}, false, &recording, &error),
                   VB_BAD_INPUT);
  remove_run();
}
END_TEST

static TCase *colors(void) {
  TCase *c = tcase_create("bundled colors");
  tcase_add_test(c, bodies_have_numbers_of_their_own);
  tcase_add_test(c, bodies_that_bundles_join_have_one_number);
  tcase_add_test(c, bodies_that_drivers_pin_are_bones);
  tcase_add_test(c, what_is_activated_is_a_muscle);
  tcase_add_test(c, stiff_ends_of_muscles_are_tendons);
  tcase_add_test(c, looks_replace_what_follows);
  tcase_add_test(c, glass_is_seen_through);
  tcase_add_test(c, looks_that_make_no_sense_are_refused);
  tcase_add_test(c, own_colors_are_shown);
  tcase_add_test(c, a_bundle_of_no_segment_is_refused);
  return c;
}

VB_TEST_MAIN("bundled colors", colors())
