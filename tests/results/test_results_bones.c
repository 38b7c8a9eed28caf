// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs of scenes of bones: without any node, and with something in every set, which is read back.
#include "results_fixture.h"
#include "scenes/skeleton.h"

#include "render/picture.h"
#include "results/results_set.h"
#include "scene/schema.h"

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
    ck_assert_msg(strstr(fix.error.message, "its frames contain nothing that can be drawn") != NULL,
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

/// Whether what the datasets of a member hold of an element is as the scene has it; counts them.
static size_t check_member(const vb_member *m, const char *read, const char *wanted) {
  size_t width = m->kind == VB_KIND_REAL ? sizeof(double) : sizeof(int32_t), n = 0, bytes = 0;
  for (int k = 0; m->kind != VB_KIND_NAME && k < VB_MOST_DATASETS && m->datasets[k].name; k++) {
    bytes += (size_t)m->datasets[k].components * width;
    n++;
  }
  ck_assert_msg(memcmp(read + m->offset, wanted + m->offset, bytes) == 0, "%s", m->name);
  return n;
}

START_TEST(sets_are_read_back) {
  size_t n_datasets = 0;
  write_run();
  for (vb_tag tag = VB_SET_NODE; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    void *read = NULL;
    size_t n, n_read;
    const char *wanted = vb_scene_set(fix.run.scene, tag, &n);
    vb_status status =
        vb_run_set((vb_run_location){fix.path, NULL}, tag, &read, &n_read, &fix.error);
    ck_assert_msg(!status, "%s", fix.error.message);
    ck_assert_msg(n_read == n, "%zu of %zu elements of %s", n_read, n, set->name);
    for (size_t i = 0; i < n; i++)
      for (int k = 0; k < set->n_members; k++)
        n_datasets +=
            check_member(&set->members[k], (char *)read + i * set->size, wanted + i * set->size);
    free(read);
  }
  ck_assert_uint_gt(n_datasets, 200);
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
  tcase_add_test(c, sets_are_read_back);
  return c;
}

VB_TEST_MAIN("results: bones", bone_case(), skeleton_case())
