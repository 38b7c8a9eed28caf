// SPDX-License-Identifier: GPL-3.0-or-later
/// Solids in scripts, in scenes and in results.
/// Covers: src/script/scene/lua_solid.c src/script/scene/lua_tetrahedralize.c
/// Covers: src/script/scene/lua_surface.c src/mesh/read.c
#include "lua_fixture.h"
#include "results/results.h"
#include "scenes/scene_fixture.h"
#include "solver/table.h"
#include "study/run.h"

#include <hdf5.h>
#include <math.h>

#define BOX "local m = vb.box{from = {1, 0, 0}, to = {3, 1, 1}, cells = {2, 1, 1}} "
/// The pills of a surface that is there twice, the second one moved.
#define TWICE(by)                                                                                  \
  "local a = vb.pill_surface{pills = {{0, 0, 0, 0.1, 1, 0, 0, 0.1}}, faces = 300, blend = 0.01} "  \
  "local n, m = #a.vertices, #a.triangles "                                                        \
  "for i = 1, n do local v = a.vertices[i] a.vertices[n + i] = {v[1] + " by ", v[2], v[3]} end "   \
  "for i = 1, m do local t = a.triangles[i] a.triangles[m + i] = "                                 \
  "{t[1] + n, t[2] + n, t[3] + n} end vb.pills{mesh = a, count = 1}"
#define BODY "mesh = m, material = {E = 1e6, nu = 0.4}, density = 900"

START_TEST(meshes_become_bodies) {
  vb_study *study = load_good(
      SCENE(BOX "s:node{position = {9, 9, 9}, radius = 1} "
                "local b = s:mesh{" BODY ", name = 'block', "
                "position = function(x, y, z) return 2 * x, y, z end, velocity = {0, 0, 3}} "
                "assert(b.first == 1 and b.last == 12 and #b.nodes == 12 and b.nodes[12] == 12) "
                "assert(b.first_tetrahedron == 0 and b.last_tetrahedron == 9) "
                "assert(#m.vertices == 12 and #m.tetrahedra == 10 and #m.triangles == 20) "
                "assert(#b.faces.x0 == 4 and b.faces.x0[1] == 1 and m.faces.x0[1] == 0) "
                "assert(#vb.vertices_at{mesh = m, x = 2} == 4) "
                "assert(#vb.vertices_at{mesh = m, x = 2, y = 1, z = 1} == 1) "
                "s:pin{nodes = b.faces.x1} "
                "s:gate{name = 'g', reason = 'r', quantity = 'frames/dilation', tetrahedron = 9, "
                "near = 1, tolerance = 1} "));
  const vb_scene *scene = scene_of(study, 0);
  size_t n, n_nodes, n_bodies, n_pins;
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n);
  const vb_node *nodes = vb_scene_nodes(scene, &n_nodes);
  const vb_body *bodies = vb_scene_bodies(scene, &n_bodies);
  vb_scene_pins(scene, &n_pins);
  ck_assert_uint_eq(n, 10);
  ck_assert_uint_eq(n_nodes, 13);
  ck_assert_uint_eq(n_bodies, 2);
  ck_assert_uint_eq(n_pins, 4);
  ck_assert_str_eq(bodies[1].name, "block");
  ck_assert_double_eq(t[3].young, 1e6);
  ck_assert_double_eq(t[3].poisson, 0.4);
  ck_assert_double_eq(t[3].density, 900);
  ck_assert_double_eq(nodes[12].rest_radius, 0);
  ck_assert_double_eq(nodes[12].rest_position[0], 3);
  ck_assert_double_eq(nodes[12].position[0], 6);
  ck_assert_double_eq(nodes[12].velocity[2], 3);
  ck_assert_int_eq(vb_scene_dofs(scene), 4 + 8 * 3); // a node of a rod, eight free vertices
  vb_study_destroy(study);
}
END_TEST

START_TEST(surfaces_become_bodies_with_regions) {
  if (system("command -v tetgen >/dev/null 2>&1") != 0) {
    vb_skip("tetgen", "surfaces are meshed by it");
    return;
  }
  vb_study *study = load_good(SCENE(
      "local m = vb.tetrahedralize{outside = 'bar.obj', inside = {'bar_bones.obj'}, size = 0.2} "
      "local t = vb.tetrahedralize{outside = vb.read_surface{file = 'bar.obj'}, "
      "inside = {vb.read_surface{file = 'bar_bones.obj'}}, size = 0.2} "
      "assert(#m.tetrahedra == #t.tetrahedra and #m.regions == 2) "
      "s:node{position = {9, 9, 9}, radius = 1} "
      "local b = s:mesh{" BODY "} "
      "for r = 1, 2 do assert(#b.regions[r] >= 8 and b.regions[r][1] == m.regions[r][1] + 1) "
      "for _, i in ipairs(m.regions[r]) do local x = m.vertices[i + 1][1] "
      "assert(x > 0.6 * r - 0.51 and x < 0.6 * r - 0.09) end end "));
  vb_study_destroy(study);
}
END_TEST

START_TEST(meshes_become_muscles) {
  vb_study *study = load_good(
      SCENE("local m = vb.box{to = {0.3, 0.1, 0.1}, cells = {6, 3, 3}} "
            "local d = vb.viperize{mesh = m, source = m.faces.x0, sink = m.faces.x1, rods = 4, "
            "slices = 5} "
            "assert(#d.rods == 4 and #d.rods[1] == 5 and math.abs(d.volume - 0.003) < 1e-12) "
            "local a = vb.muscle{scene = s, data = d, E = 1e4, nu = 0.4, density = 1000, "
            "activation = 0.8, from = 0.3, to = 0.7} "
            "assert(#a.rods == 4 and #a.first == 4 and #a.sections == 4 and #a.active == 8) "
            "assert(a.active[1] == a.sections[2][1]) s:pin{nodes = a.first} "));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  vb_scene_nodes(scene, &n);
  ck_assert_uint_eq(n, 20);
  vb_scene_bundled(scene, &n); // of four sections the two in the middle are bundles
  ck_assert_uint_eq(n, 8);
  vb_study_destroy(study);
}
END_TEST

START_TEST(tetrahedra_have_fibers) {
  vb_study *study = load_good(
      SCENE("local m = vb.box{to = {0.3, 0.1, 0.1}, cells = {6, 3, 3}} "
            "local fibers = vb.fibers{mesh = m, source = m.faces.x0, sink = m.faces.x1} "
            "local b, all = s:mesh{mesh = m, material = {E = 1e4, nu = 0.4}, density = 1}, {} "
            "for k = 2, #fibers do all[k - 1] = b.first_tetrahedron + k - 1 fibers[k - 1] = {1, "
            "k, 0} end fibers[#fibers] = nil "
            "s:activation{tetrahedra = all, amount = 0.8, direction = fibers} "));
  size_t n;
  const vb_activation *a = vb_scene_activations(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 6 * 9 * 5 - 1);
  for (size_t k = 0; k < n; k++) {
    ck_assert_int_eq(a[k].index, (int)k + 1);
    const double *d = a[k].direction; // its own, made a unit vector: a few roundings
    ck_assert_double_eq_tol(d[1] / d[0], (double)k + 2, 1e-12 * (double)(k + 2));
    ck_assert_double_eq(d[2], 0);
  }
  vb_study_destroy(study);
}
END_TEST

/// Shapes of muscles: each side of a triangle is that of one other, the other way round; the volume
/// is that of the same shape as tetrahedra, but for the chords around.
START_TEST(shapes_are_closed_and_filled) {
  vb_study *study = load_good(SCENE(
      "local shapes = include('muscle_shapes') "
      "local function volume(x, t) local a, b, c = x[t[1] + 1], x[t[2] + 1], x[t[3] + 1] "
      "return (a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3]) + a[3] * "
      "(b[1] * c[2] - b[2] * c[1])) / 6 end "
      "for name, o in pairs{fusiform = {end_radius = 0.02}, pennate = {end_radius = 0.02, slope = "
      "0.5}, tube = {bend = 1.5}, fan = {width = 0.2, end_width = 0.1, thickness = 0.02}} do "
      "o.length, o.radius, o.around, o.along, o.across = 0.3, 0.04, 24, 24, 6 "
      "local m, sides, inside, filled = shapes[name](o), {}, 0, 0 "
      "for _, t in ipairs(m.triangles) do inside = inside + volume(m.vertices, t) "
      "for c = 1, 3 do local key = t[c] .. ' ' .. t[c % 3 + 1] assert(not sides[key]) "
      "sides[key] = true end end "
      "for _, t in ipairs(m.triangles) do for c = 1, 3 do "
      "assert(sides[t[c % 3 + 1] .. ' ' .. t[c]]) end end "
      "local f, source, sink = shapes.solid(name, o) "
      "for _, t in ipairs(f.triangles) do filled = filled + volume(f.vertices, t) end "
      "assert(#source == 49 and #sink == 49 and inside > 0) "
      "assert(math.abs(filled / inside - 1) < 0.02, name) "
      "assert(#vb.viperize{mesh = f, source = source, sink = sink, rods = 3, slices = 3}.rods == "
      "3) "
      "end s:node{position = {0, 0, 0}, radius = 1} "));
  vb_study_destroy(study);
}
END_TEST

START_TEST(surfaces_become_bones) {
  vb_study *study = load_good(SCENE(
      "local a = vb.pill_surface{pills = {{0, 0, 0, 0.1, 1, 0, 0, 0.1}}, faces = 1000, blend = "
      "0.001} local d = vb.pills{mesh = a, count = 1} "
      "assert(#d.pills == 1 and #d.pills[1] == 8 and d.hausdorff < 0.02) "
      "local b = include('bone')(s, {pills = {d.pills[1], {1, 0, 0, 0.1, 1, 1, 0, 0.1}, "
      "{1, 1, 0, 0.1, 2, 2, 0, 0.2}}}, {driver = s:driver{name = 'hand', x = {{0, 0}, {1, 1}}}}) "
      "assert(#b.nodes == 5 and #b.segments == 3) "));
  const vb_scene *scene = scene_of(study, 0);
  size_t n;
  vb_scene_pins(scene, &n);
  ck_assert_uint_eq(n, 8); // five balls and three segments
  vb_study_destroy(study);
}
END_TEST

START_TEST(meshes_may_be_changed_by_hand) {
  vb_study *study = load_good(
      SCENE(BOX "for _, x in ipairs(m.vertices) do x[1] = 10 * x[1] end "
                "s:mesh{" BODY "} "
                "s:mesh{mesh = {vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, "
                "tetrahedra = {{0, 1, 2, 3}}}, material = {E = 1, nu = -0.5}, density = 1} "));
  size_t n;
  const vb_node *nodes = vb_scene_nodes(scene_of(study, 0), &n);
  ck_assert_uint_eq(n, 16);
  ck_assert_double_eq(nodes[11].rest_position[0], 30);
  ck_assert_double_eq(nodes[15].rest_position[2], 1);
  vb_study_destroy(study);
}
END_TEST

#define MUSCLE(rest) "vb.muscle{scene = s, E = 1, nu = 0, density = 1, " rest

static const struct {
  const char *script;
  const char *message;
} bad[] = {
    {"vb.box{to = {1, 1, 1}}", "4: box: needs \"cells\", a list of 3 counts"},
    {"vb.box{cells = {1, 1, 1}}", "4: box: needs \"to\", its highest corner"},
    {"vb.box{to = {1, 1, 1}, cells = {1, 1, 0}}", "4: box: \"cells\""},
    {"vb.box{to = {1, -1, 1}, cells = {1, 1, 1}}", "box: it goes from 0 to -1 m along y"},
    {"vb.box{to = {1, 1, 1}, cells = {1, 1, 1}, tetrahedra = 7}", "4: box: \"tetrahedra\""},
    {"vb.box{to = {1, 1, 1}, cells = {1000000, 1000000, 1000000}}",
     "4: the script needs more than"},
    {"vb.read_mesh{file = '../x.msh'}", "4: read_mesh: \"file\" is \"../x.msh\"; it must name"},
    {"vb.read_surface{file = 'nothing.obj'}",
     "4: read_surface: scenarios/meshes/nothing.obj: cannot"},
    {"vb.fibers{mesh = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}}, source = {}, sink = {0}}",
     "4: fibers: the source has 0 vertices"},
    {"local m = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}} s:mesh{mesh = m, material = {E = 1, nu = "
     "0}, "
     "density = 1} s:activation{tetrahedra = {0, 1}, amount = 0.8, direction = {{1, 0, 0}}}",
     "4: activation: \"direction\" lists 1 directions; it must list one for each of the 2 "
     "tetrahedra"},
    {"vb.viperize{mesh = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}}, source = {}, sink = {0}, rods "
     "= 1, "
     "slices = 2}",
     "4: viperize: the source has 0 vertices"},
    {MUSCLE("}"), "4: muscle: needs either \"file\", which viperbench viperize wrote, or \"data\""},
    {"vb.muscle{E = 1}", "4: muscle: needs \"scene\", as vb.scene makes it"},
    {MUSCLE("file = 'nothing.lua'}"), "4: muscle: scenarios/meshes/nothing.lua: cannot be opened"},
    {MUSCLE("data = {}}"), "4: muscle: data: needs \"rods\", a list of lists of points"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}}}}}"), "4: muscle: data: rod 0 has 1 points"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}, {1, 0, 0, 0}}}}}"),
     "4: muscle: data: point 1 of rod 0 has radius 0 m; it must be positive"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}, {1, 0, 0, 1}}}}}"),
     "4: muscle: data: has no \"vertices\" and \"triangles\" for a skin"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}, {1, 0, 0, 1}}}, parts = {{1}}}}"),
     "4: muscle: data: \"parts\" must have a list for each of the 2 points of a rod"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}, {1, 0, 0, 1}}}, parts = {{1}, {1, 2}}}}"),
     "4: muscle: data: list 1 of \"parts\" must have a number for each of the 1 rods"},
    {MUSCLE("data = {rods = {{{0, 0, 0, 1}, {1, 0, 0, 1}}}, parts = {{1}, {0.5}}}}"),
     "4: muscle: data: number 0 in list 1 of \"parts\" must be whole"},
    {MUSCLE("data = {}, from = 0.5, to = 0.5}"), "4: muscle: it is active from 0.5 to 0.5"},
    {MUSCLE("data = {}, area = {0, 0, 0, 0}}"), "with the radius 0 m; it must be positive"},
    {MUSCLE("data = {}, area = {0, 0, 0}}"), "area"},
    {MUSCLE("data = {}, tendon_last = 1}"), "\"tendon_last\" must be a table { points ="},
    {MUSCLE("data = {}, tendon_first = {points = {{0, 0, 0}}, radius = 1, E = 1}}"),
     "muscle: tendon_first: needs \"points\", a list of two points"},
    {MUSCLE("data = {}, tendon_last = {points = {{0, 0, 0}, {1, 0, 0}}, radius = 0, E = 1}}"),
     "4: muscle: tendon_last: \"radius\" is 0 m; it must be positive"},
    {"vb.pills{count = 1}", "4: pills: needs either \"mesh\", a closed surface, or \"file\""},
    {"vb.pills{file = 'bar.obj', count = 3}", "4: pills: a \"file\" has its own count of pills"},
    {"vb.pills{mesh = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}}, count = 0}",
     "4: pills: \"count\""},
    {"vb.pills{mesh = {vertices = {{0, 0, 0}}, triangles = {{0, 0, 1}}}, count = 1}",
     "\"triangles\": element 0 names vertex 1"},
    {"vb.pills{mesh = {vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {{0, 1, 2}}}, "
     "count "
     "= 1}",
     "4: pills:"},
    {TWICE("0.05"), "4: pills: mesh: the surface crosses itself near ("},
    {TWICE("0"), "4: pills: mesh: the surface is doubled: two triangles lie at ("},
    {"vb.tetrahedralize{}", "4: tetrahedralize: needs \"outside\""},
    {"vb.tetrahedralize{outside = 3}", "\"outside\" must be the name of a file, or a table"},
    {"vb.tetrahedralize{outside = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}}, quality = 1}",
     "the quality is 1"},
    {"vb.tetrahedralize{outside = {vertices = {{0, 0, 0}}, triangles = {{0, 0, 1}}}}",
     "\"triangles\": element 0 names vertex 1"},
    {"vb.read_mesh{file = 'nothing.msh'}",
     "4: read_mesh: scenarios/meshes/nothing.msh: cannot be opened"},
    {BOX "vb.vertices_at{mesh = m}", "4: vertices_at: needs \"x\", \"y\" or \"z\""},
    {"s:mesh{material = {E = 1, nu = 0}, density = 1}", "4: mesh: needs \"mesh\""},
    {BOX "s:mesh{mesh = m, density = 1}", "4: mesh: needs \"material\""},
    {BOX "s:mesh{mesh = m, material = {E = 1, nu = 0}}", "4: mesh: needs \"density\""},
    {BOX "s:mesh{mesh = m, material = {E = 1, nu = 0.5}, density = 1}",
     "4: mesh: material: \"nu\" is 0.5; it must be more than -1 and less than 0.5"},
    {BOX "s:mesh{mesh = m, material = {E = 0, nu = 0}, density = 1}",
     "4: mesh: material: \"E\" is 0 Pa; it must be positive"},
    {BOX "m.tetrahedra[2][3] = 12 s:mesh{" BODY "}",
     "4: mesh: mesh: \"tetrahedra\": element 1 names vertex 12; there are 0 to 11"},
    {BOX "m.vertices[2][3] = nil s:mesh{" BODY "}",
     "4: mesh: mesh: \"vertices\": element 1 must be a list of 3 numbers"},
    {BOX "m.tetrahedra = {} s:mesh{" BODY "}", "4: mesh: mesh: needs \"tetrahedra\""},
    {BOX "m.tetrahedra[1][1], m.tetrahedra[1][2] = m.tetrahedra[1][2], m.tetrahedra[1][1] "
         "s:mesh{" BODY "}",
     "tetrahedron 0: its rest volume is -0.333333 m^3; it should be positive (exchange"},
};

START_TEST(reports_mistakes) {
  char text[1024];
  vb_study *study = NULL;
  vb_error error = {0};
  snprintf(text, sizeof text, SCENE("%s"), bad[_i].script);
  ck_assert_int_eq(load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, bad[_i].message) != NULL, "%s\nshould hold\n%s",
                error.message, bad[_i].message);
}
END_TEST

/// A tetrahedron with something wrong, straight in a builder.
static const struct {
  vb_tetrahedron t;
  const char *message;
} invalid[] = {
    {{{0, 1, 2, 4}, 1, 0, 1}, "tetrahedron 0: its node 4 does not exist; there are 0 to 3"},
    {{{0, 1, 2, 1}, 1, 0, 1}, "tetrahedron 0: it names node 1 twice; it needs four nodes"},
    {{{0, 1, 2, 3}, 0, 0, 1}, "tetrahedron 0: Young's modulus 0 is not positive and finite"},
    {{{0, 1, 2, 3}, 1, NAN, 1}, "tetrahedron 0: Poisson's ratio nan is not between -1 and 0.5"},
    {{{0, 1, 2, 3}, 1, -1, 1}, "tetrahedron 0: Poisson's ratio -1 is not between -1 and 0.5"},
    {{{0, 1, 2, 3}, 1, 0, INFINITY}, "tetrahedron 0: density inf is not positive and finite"},
    {{{1, 0, 2, 3}, 1, 0, 1}, "tetrahedron 0: its rest volume is -0.166667 m^3; it should be"},
};

START_TEST(invalid_tetrahedra_are_refused) {
  static const double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 4; i++)
    fixture_node(b, at[i][0], at[i][1], at[i][2], 0);
  fixture_add(b, VB_SET_TETRAHEDRON, &invalid[_i].t);
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, invalid[_i].message, strlen(invalid[_i].message)) == 0,
                "%s\nshould be\n%s", error.message, invalid[_i].message);
  vb_builder_destroy(b);
}
END_TEST

/// Two rods along x go on around a corner: thinner, side by side at two of their radii, in bundles
/// but for the outermost section; so is the muscle's section at that end.
START_TEST(tendons_go_on_from_rods) {
  char text[1024];
  vb_study *study = NULL;
  vb_error error = {0};
  size_t n;
  snprintf(text, sizeof text, SCENE("%s"),
           MUSCLE("skin = false, data = {rods = {{{0, -.1, 0, .1}, {1, -.1, 0, .1}, {2, -.1, 0, "
                  ".1}}, {{0, .1, 0, .1}, {1, .1, 0, .1}, {2, .1, 0, .1}}}}, tendon_last = {points "
                  "= {{3, 0, 0}, {4, 0, 0}, {4, 1, 0}}, radius = 0.05, E = 1}}"));
  vb_status status = load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  ck_assert_msg(!status, "%s", error.message);
  const vb_node *node = vb_scene_nodes(study->runs[0].scene, &n);
  const double r = 0.05 / sqrt(2);
  ck_assert_uint_eq(n, 12);
  ck_assert_uint_eq(vb_scene_count(study->runs[0].scene, VB_SET_SEGMENT), 10);
  ck_assert_uint_eq(vb_scene_count(study->runs[0].scene, VB_SET_BUNDLE), 6);
  for (size_t i = 6; i < 12; i++)
    ck_assert_double_eq_tol(node[i].rest_radius, r, 1e-15);
  ck_assert_double_eq_tol(node[6].rest_position[1], -r, 1e-15); // rounding
  ck_assert_double_eq_tol(node[7].rest_position[1], r, 1e-15);
  ck_assert_double_eq_tol(node[10].rest_position[0], 4 + r, 1e-15); // around the corner
  ck_assert_double_eq_tol(node[11].rest_position[0], 4 - r, 1e-15);
  vb_study_destroy(study);
}
END_TEST

/// Only a vertex that no segment touches needs no radius.
START_TEST(rods_need_radii) {
  vb_builder *b = fixture_builder();
  for (int i = 0; i < 4; i++)
    fixture_node(b, i == 1, i == 2, i == 3, i == 3);
  vb_tetrahedron t = {{0, 1, 2, 3}, 1, 0, 1};
  fixture_add(b, VB_SET_TETRAHEDRON, &t);
  fixture_segment(b, 3, 0);
  vb_scene *scene = NULL;
  vb_error error = {0};
  ck_assert_int_eq(vb_builder_freeze(b, &scene, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "node 0: radius 0 is not positive");
  vb_builder_destroy(b);
}
END_TEST

static double number_in(hid_t file, const char *path, size_t n, size_t i) {
  double *all = calloc(n, sizeof *all);
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  ck_assert_int_ge(set, 0);
  ck_assert_int_ge(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), 0);
  double value = all[i];
  H5Dclose(set);
  free(all);
  return value;
}

/// A run of a solid stores its mesh, and its sidecar shows it.
START_TEST(results_hold_the_mesh) {
  vb_study *study = load_good(SCENE(
      BOX "local b = s:mesh{" BODY "} s:pin{nodes = b.faces.x0} "
          "s:pin{nodes = b.faces.x1, driver = s:driver{name = 'hand', x = {{0, 0}, {0.2, 0.5}}}} "
          "s:record{frames = 1, fields = {'position', 'dilation'}} "
          "s:solver{solver = 'neohookean', dynamics = 'static'} "));
  const vb_solver *solver = NULL;
  vb_error error = {0};
  vb_run_result result;
  char folder[] = "/tmp/vb_solid_XXXXXX", path[64], line[512];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  ck_assert_int_eq(vb_solver_find(study->runs[0].solver, &solver, NULL), VB_OK);
  ck_assert_msg(vb_run_execute(study, &study->runs[0], solver, path, NULL, &result, &error) ==
                    VB_OK,
                "%s", error.message);
  ck_assert_int_eq(result.status, VB_RUN_COMPLETE);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  ck_assert_double_eq(number_in(file, "topology/young", 10, 9), 1e6);
  ck_assert_double_eq(number_in(file, "topology/tetrahedron", 40, 39), 11);
  ck_assert_double_eq(number_in(file, "run/volume", 3, 0), 2);
  double volume = number_in(file, "run/volume", 3, 2), sum = 0;
  for (size_t k = 0; k < 10; k++) {
    double rest = k % 5 == 0 ? 1.0 / 3 : 1.0 / 6;
    sum += rest * number_in(file, "run/frames/dilation", 30, 20 + k);
  }
  ck_assert_double_gt(volume, 2);
  ck_assert_double_eq_tol(sum, volume, 0x1p-31); // dilations of order one, in multiples of 2^-32
  H5Fclose(file);
  unlink(path);
  snprintf(path, sizeof path, "%s/a.xdmf", folder);
  FILE *sidecar = fopen(path, "r");
  ck_assert_ptr_nonnull(sidecar);
  int shown = 0;
  while (fgets(line, sizeof line, sidecar))
    shown += strstr(line, "TopologyType=\"Tetrahedron\" NumberOfElements=\"10\"") != NULL &&
             strstr(line, "Dimensions=\"10 4\">a.h5:/topology/tetrahedron<") != NULL;
  fclose(sidecar);
  ck_assert_int_eq(shown, 3); // frames
  unlink(path);
  rmdir(folder);
  vb_study_destroy(study);
}
END_TEST

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static TCase *solids(void) {
  TCase *c = tcase_create("solids");
  tcase_set_timeout(c, 60); // on a busy machine
  tcase_add_test(c, tendons_go_on_from_rods);
  tcase_add_test(c, meshes_become_bodies);
  tcase_add_test(c, surfaces_become_bodies_with_regions);
  tcase_add_test(c, meshes_become_muscles);
  tcase_add_test(c, tetrahedra_have_fibers);
  tcase_add_test(c, shapes_are_closed_and_filled);
  tcase_add_test(c, surfaces_become_bones);
  tcase_add_test(c, meshes_may_be_changed_by_hand);
  tcase_add_loop_test(c, reports_mistakes, 0, N_OF(bad));
  tcase_add_loop_test(c, invalid_tetrahedra_are_refused, 0, N_OF(invalid));
  tcase_add_test(c, rods_need_radii);
  tcase_add_test(c, results_hold_the_mesh);
  return c;
}

VB_TEST_MAIN("lua meshes", solids())
