// SPDX-License-Identifier: GPL-3.0-or-later
/// Half-planes, contact and filters in scenes: what is sound, what is refused, and how scripts say
/// it.
/// Covers: src/scene/check_colliders.c src/scene/checks.h
#include "lua_fixture.h"
#include "scenes/scenes.h"

static vb_builder *touching(void) {
  vb_builder *b = fixture_builder();
  scenes_bar(b, 3, 1, 0.1, &scenes_rubber);
  vb_half_plane plane = {{0, 0, 1}, -1, 0.5, 0.4};
  vb_contact contact = {.margin = 0.01, .static_friction = 0.3, .kinetic_friction = 0.2};
  fixture_add(b, VB_SET_HALF_PLANE, &plane);
  fixture_add(b, VB_SET_CONTACT, &contact);
  for (int32_t j = 0; j < 3; j += 2)
    fixture_add(b, VB_SET_FILTER, &(vb_filter){j, 1, 3, 7});
  return b;
}

START_TEST(contact_survives_freezing) {
  size_t n;
  vb_scene *scene = fixture_freeze(touching());
  ck_assert_double_eq(vb_scene_half_planes(scene, &n)->kinetic_friction, 0.4);
  ck_assert_uint_eq(n, 1);
  ck_assert_double_eq(vb_scene_contact(scene)->margin, 0.01);
  const vb_filter *filters = vb_scene_filters(scene, &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_int_eq(filters[1].segment, 2);
  ck_assert_int_eq(filters[1].reserved, 0); // what means nothing is not hashed
  free(scene);
}
END_TEST

/// An element to be put in place of element `index`, and the message.
typedef struct defect {
  vb_tag tag;
  size_t index;
  union {
    vb_half_plane plane;
    vb_contact contact;
    vb_filter filter;
  } element;
  const char *message;
} defect;

static const defect defects[] = {
    {VB_SET_HALF_PLANE, 0, {.plane = {{0, 0, 2}, 0, 0, 0}}, "half-plane 0: normal has the norm 2"},
    {VB_SET_HALF_PLANE, 0, {.plane = {{NAN, 0, 1}, 0, 0, 0}}, "half-plane 0: normal has the norm"},
    {VB_SET_HALF_PLANE, 0, {.plane = {{0, 1, 0}, INFINITY, 0, 0}}, "half-plane 0: offset inf is"},
    {VB_SET_HALF_PLANE, 0, {.plane = {{0, 1, 0}, 0, -1, 0}}, "half-plane 0: static friction -1 is"},
    {VB_SET_HALF_PLANE, 0, {.plane = {{0, 1, 0}, 0, 1, 2}}, "half-plane 0: kinetic friction 2 is"},
    {VB_SET_CONTACT, 0, {.contact = {.margin = -1}}, "contact: margin -1 is not a number from 0"},
    {VB_SET_CONTACT, 0, {.contact = {.self = 2}}, "contact: self is 2; it should be 0 or 1"},
    {VB_SET_CONTACT,
     0,
     {.contact = {.static_friction = NAN}},
     "contact 0: static friction nan is not a number from 0 on"},
    {VB_SET_FILTER, 1, {.filter = {3, 1, 1, 0}}, "filter 1: its segment 3 does not exist; there"},
    {VB_SET_FILTER, 0, {.filter = {-1, 1, 1, 0}}, "filter 0: its segment -1 does not exist"},
    {VB_SET_FILTER,
     1,
     {.filter = {0, 1, 1, 0}},
     "filter 1: segment 0 has one already, filter 0; it can"},
};
enum { DEFECTS = sizeof defects / sizeof *defects };

START_TEST(invalid_contact_is_refused) {
  const defect *d = &defects[_i];
  vb_builder *b = touching();
  vb_scene *scene = NULL;
  vb_error error = {0};
  size_t n;
  char *elements = vb_builder_elements(b, d->tag, &n);
  size_t size = d->tag == VB_SET_HALF_PLANE ? sizeof(vb_half_plane)
                : d->tag == VB_SET_CONTACT  ? sizeof(vb_contact)
                                            : sizeof(vb_filter);
  memcpy(elements + d->index * size, &d->element, size);
  ck_assert_msg(vb_builder_freeze(b, &scene, &error) == VB_BAD_INPUT, "not seen: %s", d->message);
  ck_assert_msg(strncmp(error.message, d->message, strlen(d->message)) == 0, "%s\nshould be\n%s",
                error.message, d->message);
  vb_builder_destroy(b);
}
END_TEST

START_TEST(two_settings_are_refused) {
  vb_builder *b = touching();
  vb_scene *scene = NULL;
  vb_error error = {0};
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){0});
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "contact: there are 2 settings; one is possible");
  vb_builder_destroy(b);
}
END_TEST

START_TEST(scripts_make_contact) {
  vb_study *study = load_good(
      SCENE(ROD "assert(s:halfplane{normal = {0, 0, 2}, point = {0, 0, 3}, friction = 0.5} == 0) "
                "assert(s:halfplane{} == 1) s:contact{static_friction = 0.6, kinetic_friction = "
                "0.5, self = true} s:filter{segments = {0, 2}, groups = {1, 31}, meets = {0}}"));
  size_t n;
  const vb_half_plane *planes = vb_scene_half_planes(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_double_eq(planes[0].normal[2], 1);
  ck_assert_double_eq(planes[0].offset, 3);
  ck_assert_double_eq(planes[0].kinetic_friction, 0.5);
  ck_assert_double_eq(planes[1].normal[2], 1);
  const vb_contact *contact = vb_scene_contact(scene_of(study, 0));
  ck_assert_double_eq(contact->kinetic_friction, 0.5);
  ck_assert_int_eq(contact->self, 1);
  ck_assert_double_gt(contact->margin, 0);
  const vb_filter *filters = vb_scene_filters(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_uint_eq(filters[1].groups, UINT32_C(0x80000002));
  ck_assert_uint_eq(filters[1].meets, 1);
  vb_study_destroy(study);
}
END_TEST

static const struct {
  const char *text, *message;
} bad[] = {
    {SCENE("s:halfplane{normal = {0, 0, 0}}"), "halfplane: \"normal\" is zero"},
    {SCENE("s:halfplane{offset = 1, point = {0, 0, 0}}"), "\"point\" or \"offset\", not both"},
    {SCENE("s:halfplane{friction = -0.1}"), "its friction -0.1 is negative"},
    {SCENE("s:halfplane{friction = 1, static_friction = 1}"), "not both"},
    {SCENE("s:halfplane{static_friction = 0.1, kinetic_friction = 0.2}"),
     "\"kinetic_friction\" 0.2 must be between 0 and the static friction 0.1"},
    {SCENE("s:halfplane{hight = 1}"), "halfplane: unknown key \"hight\""},
    {SCENE("s:contact{}"), "contact: needs a \"margin\" where it comes before all rods"},
    {SCENE(ROD "s:contact{} s:contact{}"), "contact: is already set; it can be set only once"},
    {SCENE(ROD "s:contact{margin = -1}"), "\"margin\" is -1 m; it must not be negative"},
    {SCENE(ROD "s:filter{segments = {}}"), "filter: needs \"segments\""},
    {SCENE(ROD "s:filter{segments = {1, 0}}"), "segment 0 comes after segment 1"},
    {SCENE(ROD "s:filter{segments = {0}, groups = {32}}"), "\"groups\""},
    {SCENE(ROD "s:filter{segments = {99}}"), "there is no segment 99"},
};
enum { BAD_SCRIPTS = sizeof bad / sizeof *bad };

START_TEST(reports_bad_scripts) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_study_request request = {0};
  ck_assert_int_eq(load_with(bad[_i].text, request, VB_LUA_LIMITS, &study, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, bad[_i].message), "%s\nshould say\n%s", error.message,
                bad[_i].message);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("contact in scenes");
  tcase_add_test(all, contact_survives_freezing);
  tcase_add_loop_test(all, invalid_contact_is_refused, 0, DEFECTS);
  tcase_add_test(all, two_settings_are_refused);
  tcase_add_test(all, scripts_make_contact);
  tcase_add_loop_test(all, reports_bad_scripts, 0, BAD_SCRIPTS);
  return all;
}

VB_TEST_MAIN("contact in scenes", make_case())
