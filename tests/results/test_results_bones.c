// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs of scenes of bones: without any node, and with something in every set.
/// Covers: src/results/topology_sets.c
#include "results_fixture.h"
#include "scenes/skeleton.h"

#include "render/picture.h"

static void set_up_folder(vb_builder *b) {
  memset(&fix, 0, sizeof fix);
  strcpy(fix.folder, "/tmp/vb_results_XXXXXX");
  ck_assert(mkdtemp(fix.folder) != NULL);
  snprintf(fix.path, sizeof fix.path, "%s/wobbles-a.h5", fix.folder);
  snprintf(fix.part, sizeof fix.part, "%s.part", fix.path);
  set_up_scene(NODES, STEPS);
  free(fix.run.scene);
  fake_destroy(fix.instance);
  fix.run.scene = fixture_freeze(b);
  ck_assert(!fake_create(NULL, fix.run.scene, NULL, 0, &fix.instance, &fix.error));
}

static void set_up_bone(void) {
  vb_builder *b = fixture_builder();
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "bob", .mass = 2, .inertia = {1, 1, 1}});
  set_up_folder(b);
}

static void set_up_skeleton(void) {
  set_up_folder(skeleton_full());
}

/// Writes the run, reads it back, and asks for a picture, which there is only with nodes.
static void write_and_read(bool with_nodes) {
  write_run();
  expect_status(fix.path, "complete");
  vb_column energy = column(fix.path, "energy/stretch", -1, -1);
  ck_assert_uint_eq(energy.n, STEPS + 1);
  ck_assert_double_eq_tol(energy.y[3], cos(0.03) * cos(0.03), 1e-15);
  vb_column_free(&energy);
  const vb_picture_plan plan = {.width = 64,
                                .height = 64,
                                .plain = true,
                                .coloring = with_nodes ? VB_COLOR_SCALE : VB_COLOR_BODY};
  vb_picture_setting setting;
  vb_recording recording;
  vb_status status =
      vb_recording_open((vb_run_location){.path = fix.path}, false, &recording, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  status = vb_picture_prepare(&plan, &recording, 0, 0, 1, &setting, &fix.error);
  ck_assert_int_eq(status, with_nodes ? VB_OK : VB_BAD_INPUT);
  if (!with_nodes)
    ck_assert_msg(strstr(fix.error.message, "its frames hold nothing that can be shown") != NULL,
                  "%s", fix.error.message);
  vb_recording_close(&recording);
}

START_TEST(a_scene_without_nodes_is_recorded) {
  write_and_read(false);
}
END_TEST

START_TEST(a_scene_of_every_set_is_recorded) {
  write_and_read(true);
}
END_TEST

static TCase *bone_case(void) {
  TCase *c = tcase_create("a bone");
  tcase_add_checked_fixture(c, set_up_bone, tear_down);
  tcase_add_test(c, a_scene_without_nodes_is_recorded);
  return c;
}

static TCase *skeleton_case(void) {
  TCase *c = tcase_create("every set");
  tcase_add_checked_fixture(c, set_up_skeleton, tear_down);
  tcase_add_test(c, a_scene_of_every_set_is_recorded);
  return c;
}

VB_TEST_MAIN("results: bones", bone_case(), skeleton_case())
