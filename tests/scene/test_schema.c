// SPDX-License-Identifier: GPL-3.0-or-later
/// The schema of scenes: members in the order of their structs, datasets of one name once, the page
/// SETS.md as it would be made now, and materials and features.
/// Covers: src/scene/members.h
#include "scenes/skeleton.h"

#include "scene/material.h"
#include "scene/schema.h"

#include <stdlib.h>
#include <string.h>

START_TEST(members_follow_one_another) {
  for (vb_tag tag = VB_SET_WORLD; tag < VB_SET_COUNT; tag++) {
    size_t end = 0;
    for (int i = 0; i < vb_schema[tag].n_members; i++) {
      const vb_member *m = &vb_schema[tag].members[i], *next = m + 1;
      ck_assert_msg(m->offset == end, "%s of %s", m->name, vb_schema[tag].name);
      end = i + 1 < vb_schema[tag].n_members ? next->offset : vb_schema[tag].size;
      ck_assert_msg(vb_member_text(m) && vb_member_text(m)[0], "%s has no text", m->name);
      ck_assert((m->kind == VB_KIND_INDEX) == (m->of != VB_SET_NONE));
      ck_assert((m->kind == VB_KIND_LOCATION) == (m->locations != 0));
      ck_assert(m->kind != VB_KIND_NAME || m->offset == 0);
      ck_assert(m->kind != VB_KIND_LOCATION || next->kind == VB_KIND_PLACE);
      ck_assert(m->kind != VB_KIND_CHOICE || m->words);
      ck_assert(m->rule != VB_RULE_FRICTION || strcmp(next->name, "kinetic_friction") == 0);
    }
    vb_key_member key = vb_schema_key(tag);
    ck_assert_int_le(key.n, 2);
    ck_assert(!key.first || key.first->kind == VB_KIND_INDEX || (key.first + 1)->key);
  }
}
END_TEST

/// Whether datasets of one storage fill what follows their member, up to `bytes`.
static void check_dataset(const vb_schema_set *set, const vb_member *m, const vb_dataset *d) {
  size_t width = m->kind == VB_KIND_REAL ? sizeof(double) : sizeof(int32_t);
  size_t end = m->kind == VB_KIND_NAME ? VB_NAME_SIZE : (size_t)d->components * width;
  ck_assert_msg(m->offset + end <= set->size, "%s leaves its element", d->name);
  for (const vb_member *other = set->members; other < set->members + set->n_members; other++)
    if (other->offset >= m->offset && other->offset < m->offset + end)
      ck_assert_msg((other->kind == VB_KIND_REAL) == (m->kind == VB_KIND_REAL),
                    "%s holds %s, which is of another type", d->name, other->name);
}

START_TEST(datasets_have_names_of_their_own) {
  const char *names[256];
  size_t n = 0;
  for (vb_tag tag = VB_SET_WORLD; tag < VB_SET_COUNT; tag++)
    for (int i = 0; i < vb_schema[tag].n_members; i++) {
      const vb_member *m = &vb_schema[tag].members[i];
      for (int k = 0; k < VB_MOST_DATASETS && m->datasets[k].name; k++) {
        check_dataset(&vb_schema[tag], m, &m->datasets[k]);
        for (size_t j = 0; j < n; j++)
          ck_assert_str_ne(names[j], m->datasets[k].name);
        names[n++] = m->datasets[k].name;
      }
    }
  ck_assert_uint_gt(n, 70);
}
END_TEST

static void expect_title(vb_tag tag, const char *member, const char *title) {
  ck_assert_str_eq(vb_member_title(vb_schema_member(tag, member)).text, title);
}

START_TEST(members_have_titles_words_and_values) {
  expect_title(VB_SET_NODE, "rest_position", "rest position");
  expect_title(VB_SET_REST_CURVATURE, "darboux", "Darboux vector");
  ck_assert_ptr_null(vb_schema_member(VB_SET_NODE, "mass"));
  char word[24];
  const vb_member *stiffness = vb_schema_member(VB_SET_SEGMENT, "stiffness");
  ck_assert(vb_member_word(stiffness, 4, word) && strcmp(word, "kby") == 0);
  ck_assert(!vb_member_word(stiffness, 6, word));
  vb_filter filter;
  vb_driver driver;
  vb_follow follow;
  vb_schema_initialize(VB_SET_FILTER, &filter);
  vb_schema_initialize(VB_SET_DRIVER, &driver);
  vb_schema_initialize(VB_SET_FOLLOW, &follow);
  ck_assert(filter.segment == 0 && filter.groups == 1 && filter.meets == UINT32_MAX);
  ck_assert(driver.axis[2] == 1 && driver.translation[1] == -1 && driver.angle == -1);
  ck_assert(driver.name[0] == 0 && follow.driver[0] == -1 && follow.weight[0] == 1);
}
END_TEST

/// "make sets" writes the page, whose name it tells by the environment.
START_TEST(page_is_current) {
  static const char page[] = "src/scene/SETS.md";
  const char *to_write = getenv("SETS_PAGE");
  char *made = NULL;
  size_t n, n_read;
  FILE *file = to_write ? fopen(to_write, "w") : open_memstream(&made, &n);
  vb_schema_write_page(file);
  fclose(file);
  if (to_write)
    return;
  file = fopen(page, "r");
  ck_assert_ptr_nonnull(file);
  char *there = calloc(1, n + 2);
  n_read = fread(there, 1, n + 1, file);
  fclose(file);
  ck_assert_msg(n_read == n && memcmp(made, there, n) == 0,
                "%s is not what the schema makes; write it anew with \"make sets\"", page);
  free(there);
  free(made);
}
END_TEST

START_TEST(features_tell_what_is_beyond_the_published_model) {
  vb_builder *b = fixture_full();
  size_t n;
  vb_scene *plain = fixture_freeze(fixture_full());
  ck_assert_uint_eq(vb_scene_features(plain), 0);
  const vb_segment *segment = &vb_scene_segments(plain, &n)[1];
  const vb_node *nodes = vb_scene_nodes(plain, &n);
  double r = (nodes[segment->node[0]].rest_radius + nodes[segment->node[1]].rest_radius) / 2;
  double disc =
      segment->density * segment->rest_length * 3.14159265358979323846 * r * r * r * r / 4;
  ck_assert_double_eq_tol(segment->frame_inertia[0], disc, 1e-14 * disc);
  ck_assert_double_eq(segment->frame_inertia[1], segment->frame_inertia[0]);
  ck_assert_double_eq(segment->frame_inertia[2], 2 * segment->frame_inertia[0]);

  vb_segment *own = (vb_segment *)vb_builder_elements(b, VB_SET_SEGMENT, &n) + 1;
  memcpy(own->frame_inertia, (double[]){disc, disc, disc}, sizeof own->frame_inertia);
  own->young = 3;
  own->shear = 1.25;
  vb_scene *heavy = fixture_freeze(b);
  ck_assert_uint_eq(vb_scene_features(heavy), VB_FEATURE_FRAME_INERTIA);

  vb_segment *solid = (vb_segment *)vb_scene_segments(heavy, &n) + 1;
  memcpy(solid->frame_inertia, segment->frame_inertia, sizeof solid->frame_inertia);
  solid->model = VB_MATERIAL_SOLID;
  vb_error error = {0};
  ck_assert_msg(!vb_scene_check(heavy, vb_scene_bytes(heavy), &error), "%s", error.message);
  ck_assert_uint_eq(vb_scene_features(heavy), VB_FEATURE_SOLID);
  free(heavy);
  free(plain);
}
END_TEST

static TCase *schema_case(void) {
  TCase *c = tcase_create("schema");
  tcase_add_test(c, members_follow_one_another);
  tcase_add_test(c, datasets_have_names_of_their_own);
  tcase_add_test(c, members_have_titles_words_and_values);
  tcase_add_test(c, page_is_current);
  tcase_add_test(c, features_tell_what_is_beyond_the_published_model);
  return c;
}

VB_TEST_MAIN("schema of scenes", schema_case())
