// SPDX-License-Identifier: GPL-3.0-or-later
/// That a set of scenes besides the known ones is whole (tests/extend.sh): markers on segments,
/// with weights. Builders sort them and clear what is reserved; what is wrong with them is said by
/// name; they have an accessor, datasets, and lines for Python.
#include "hostile/scene_defects.h"
#include "scenes/scene_fixture.h"

#include "scene/schema.h"

static vb_builder *marked(void) {
  vb_builder *b = fixture_full();
  fixture_add(b, VB_SET_MARKER, &(vb_marker){.segment = 3, .reserved = 9, .weight = 0.5});
  fixture_add(b, VB_SET_MARKER, &(vb_marker){.segment = 1, .reserved = 9});
  return b;
}

START_TEST(builders_complete_it) {
  vb_scene *scene = fixture_freeze(marked());
  size_t n;
  const vb_marker *marker = vb_scene_markers(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert(marker[0].segment == 1 && marker[1].segment == 3 && marker[1].weight == 0.5);
  ck_assert(marker[0].reserved == 0 && marker[1].reserved == 0);
  ck_assert_uint_eq(vb_scene_count(scene, VB_SET_MARKER), 2);
  ck_assert_str_eq(vb_tag_name(VB_SET_MARKER), "marker");
  free(scene);
}
END_TEST

START_TEST(checks_know_it) {
  static const defect DEFECTS[] = {
      {VB_SET_MARKER, 0, IN(vb_marker, segment), 'i', 9, "marker 0: its segment 9 does not exist"},
      {VB_SET_MARKER, 0, IN(vb_marker, segment), 'i', 3,
       "marker 1: segment 3 has one already, mar"},
      {VB_SET_MARKER, 1, IN(vb_marker, weight), 'd', -1, "marker 1: weight -1 is negative"},
      {VB_SET_MARKER, 1, IN(vb_marker, weight), 'd', 1.0 / 0,
       "marker 1: weight inf is not a fini"}};
  vb_scene *scene = fixture_freeze(marked());
  defect_plant(scene, &DEFECTS[_i]);
  defect_expect(scene, vb_scene_bytes(scene), DEFECTS[_i].message);
}
END_TEST

START_TEST(results_and_python_know_it) {
  const vb_member *weight = vb_schema_member(VB_SET_MARKER, "weight");
  ck_assert_ptr_nonnull(weight);
  ck_assert_str_eq(weight->datasets[0].name, "marker_weight");
  char *lines;
  size_t n;
  FILE *to = open_memstream(&lines, &n);
  vb_schema_write_lines(to);
  fclose(to);
  ck_assert_ptr_nonnull(
      strstr(lines, "\nset\tmarker\tmarkers\t16\nsegment\tindex\t0\t1\t0\t0\t\n"));
  ck_assert_ptr_nonnull(strstr(lines, "\nweight\treal\t8\t1\t0\t1\t\n"));
  free(lines);
}
END_TEST

static TCase *tag(void) {
  TCase *c = tcase_create("tag");
  tcase_add_test(c, builders_complete_it);
  tcase_add_loop_test(c, checks_know_it, 0, 4);
  tcase_add_test(c, results_and_python_know_it);
  return c;
}

VB_TEST_MAIN("tag", tag())
