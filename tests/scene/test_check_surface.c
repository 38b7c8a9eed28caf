// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles and surfaces in scenes: what is sound, what is refused, and how scripts say it.
#include "lua_fixture.h"
#include "scenes/scenes.h"

/// Two parallel bars of two segments, bundled, with a tetrahedron for a surface.
static vb_builder *band(void) {
  vb_builder *b = fixture_builder();
  scenes_bar(b, 2, 1, 0.1, &scenes_rubber);
  for (int i = 0; i <= 2; i++)
    fixture_node(b, 0.5 * i, 0.2, 0, 0.1);
  scenes_segment(b, 3, 4, &scenes_rubber);
  scenes_segment(b, 4, 5, &scenes_rubber);
  const vb_bundled members[4] = {{0, 0}, {0, 2}, {1, 1}, {1, 3}};
  for (int i = 0; i < 4; i++)
    fixture_add(b, VB_SET_BUNDLE, &members[i]);
  for (int i = 0; i < 4; i++) {
    vb_surface_vertex vertex = {.rest_position = {i == 1, i == 2, i == 3}, .segment = -1};
    fixture_add(b, VB_SET_SURFACE_VERTEX, &vertex);
  }
  const vb_triangle faces[4] = {{{0, 2, 1}, 0}, {{0, 1, 3}, 0}, {{0, 3, 2}, 0}, {{1, 2, 3}, 0}};
  for (int i = 0; i < 4; i++)
    fixture_add(b, VB_SET_TRIANGLE, &faces[i]);
  return b;
}

START_TEST(bundles_and_surfaces_survive_freezing) {
  size_t n;
  vb_scene *scene = fixture_freeze(band());
  const vb_bundled *members = vb_scene_bundled(scene, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_int_eq(members[3].segment, 3);
  const vb_surface_vertex *vertices = vb_scene_surface_vertices(scene, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_double_eq(vertices[2].rest_position[1], 1);
  const vb_triangle *triangles = vb_scene_triangles(scene, &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_int_eq(triangles[3].vertex[2], 3);
  free(scene);
}
END_TEST

/// An element to be put into the band in place of its element `index`, and the message.
typedef struct defect {
  vb_tag tag;
  size_t index;
  union {
    vb_bundled bundled;
    vb_surface_vertex vertex;
    vb_triangle triangle;
  } element;
  const char *message;
} defect;

static const defect defects[] = {
    {VB_SET_BUNDLE, 0, {.bundled = {1, 0}}, "bundle 1: bundles are numbered from 0 in order; 0"},
    {VB_SET_BUNDLE, 0, {.bundled = {-1, 0}}, "bundle -1: bundles are numbered from 0 in order; 0"},
    {VB_SET_BUNDLE, 1, {.bundled = {2, 2}}, "bundle 0: it has one segment; it needs two or more"},
    {VB_SET_BUNDLE, 3, {.bundled = {0, 3}}, "bundle 1: it has one segment"},
    {VB_SET_BUNDLE, 3, {.bundled = {2, 3}}, "bundle 1: it has one segment"},
    {VB_SET_BUNDLE, 2, {.bundled = {1, 4}}, "bundle 1: its segment 4 does not exist; there are 4"},
    {VB_SET_BUNDLE, 2, {.bundled = {1, -1}}, "bundle 1: its segment -1 does not exist"},
    {VB_SET_BUNDLE, 2, {.bundled = {1, 2}}, "bundle 1: its segment 2 is in bundle 0 already"},
    {VB_SET_SURFACE_VERTEX,
     1,
     {.vertex = {.rest_position = {0, NAN, 0}, .segment = -1}},
     "surface vertex 1: rest position nan is not a finite number"},
    {VB_SET_SURFACE_VERTEX,
     1,
     {.vertex = {.segment = 4}},
     "surface vertex 1: its segment 4 does not exist; there are 4 segments"},
    {VB_SET_SURFACE_VERTEX, 1, {.vertex = {.segment = -2}}, "surface vertex 1: its segment -2"},
    {VB_SET_TRIANGLE, 2, {.triangle = {{0, 4, 1}, 0}}, "triangle 2: its vertex 4 does not exist"},
    {VB_SET_TRIANGLE, 2, {.triangle = {{0, 1, -1}, 0}}, "triangle 2: its vertex -1 does not exist"},
    {VB_SET_TRIANGLE,
     2,
     {.triangle = {{1, 0, 1}, 0}},
     "triangle 2: its vertices 1, 0 and 1 are not three"},
};

START_TEST(invalid_bundles_and_surfaces_are_refused) {
  const defect *d = &defects[_i];
  vb_builder *b = band();
  vb_scene *scene = NULL;
  vb_error error = {0};
  size_t n;
  char *elements = vb_builder_elements(b, d->tag, &n);
  size_t size = d->tag == VB_SET_BUNDLE     ? sizeof(vb_bundled)
                : d->tag == VB_SET_TRIANGLE ? sizeof(vb_triangle)
                                            : sizeof(vb_surface_vertex);
  memcpy(elements + d->index * size, &d->element, size);
  ck_assert_msg(vb_builder_freeze(b, &scene, &error) == VB_BAD_INPUT, "not seen: %s", d->message);
  ck_assert_msg(strncmp(error.message, d->message, strlen(d->message)) == 0, "%s\nshould be\n%s",
                error.message, d->message);
  vb_builder_destroy(b);
}
END_TEST

START_TEST(scripts_make_bundles_and_surfaces) {
  vb_study *study =
      load_good(SCENE(ROD ROD "assert(s:bundle{segments = {0, 4}} == 0) "
                              "assert(s:bundle{segments = {3, 7}} == 1) "
                              "assert(s:surface{vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "
                              "triangles = {{0, 1, 2}}, segments = {-1, 2, -1}} == 0) "
                              "assert(s:surface{vertices = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, "
                              "triangles = {{2, 1, 0}}} == 3)"));
  size_t n;
  const vb_bundled *members = vb_scene_bundled(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 4);
  ck_assert_int_eq(members[2].bundle, 1);
  ck_assert_int_eq(members[3].segment, 7);
  const vb_surface_vertex *vertices = vb_scene_surface_vertices(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 6);
  ck_assert_int_eq(vertices[0].segment, -1);
  ck_assert_int_eq(vertices[1].segment, 2);
  ck_assert_double_eq(vertices[4].rest_position[0], 1);
  const vb_triangle *triangles = vb_scene_triangles(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 2);
  ck_assert_int_eq(triangles[1].vertex[0], 5);
  vb_study_destroy(study);
}
END_TEST

static const struct {
  const char *text;
  const char *message;
} bad_scripts[] = {
    {SCENE(ROD "s:bundle{segments = {0}}"), "\"segments\" must be a list of two segments or more"},
    {SCENE(ROD "s:bundle{segments = {0, 4}}"), "there is no segment 4; the scene has 4"},
    {SCENE(ROD "s:bundle{segments = {0, 0}}"), "its segment 0 is in bundle 0 already"},
    {SCENE(ROD "s:surface{triangles = {{0, 1, 2}}}"), "needs \"vertices\""},
    {SCENE(ROD "s:surface{vertices = {{0, 0}}}"), "element 1 must be a list of 3 numbers"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 'x'}}}"), "3 numbers, not of a string"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 0/0}}}"), "is not a finite number"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 0}}, triangles = {{0, 1, 2}}}"),
     "element 1 names vertex 1; there are 1, counted from 0"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 0}}, triangles = {{0, 0.5, 2}}}"),
     "element 1 names vertex 0.5"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 0}}, segments = {0, 1}}"),
     "\"segments\" lists 2 segments where there are 1 vertices"},
    {SCENE(ROD "s:surface{vertices = {{0, 0, 0}}, segments = {9}}"), "there is no segment 9"},
};

START_TEST(reports_script_errors) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status =
      load_with(bad_scripts[_i].text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, bad_scripts[_i].message), "%s\nshould say\n%s", error.message,
                bad_scripts[_i].message);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("surface");
  tcase_add_test(test, bundles_and_surfaces_survive_freezing);
  tcase_add_loop_test(test, invalid_bundles_and_surfaces_are_refused, 0,
                      sizeof defects / sizeof *defects);
  tcase_add_test(test, scripts_make_bundles_and_surfaces);
  tcase_add_loop_test(test, reports_script_errors, 0, sizeof bad_scripts / sizeof *bad_scripts);
  return test;
}

VB_TEST_MAIN("check_surface", make_case())
