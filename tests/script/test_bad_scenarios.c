// SPDX-License-Identifier: GPL-3.0-or-later
/// What is wrong in a script is bad input, said in one sentence with its place.
/// Covers: src/script/runtime/*.[ch] src/script/scene/*.[ch] src/script/study/*.[ch]
#include "lua_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

typedef struct bad_script {
  const char *text;
  const char *message; ///< a part of it
} bad_script;

/// A list of runs, and of gates, of a study that is well otherwise.
#define RUNS(runs)                                                                                 \
  "return {title = 'test', parameters = {n = 5, flag = true, word = 'a'}, build = function(p)\n"   \
  "local s = vb.scene{step = 0.1, steps = 2}\n" ROD "return s end,\n"                              \
  "runs = function(p, tier) return " runs " end}"
#define GATES(gate)                                                                                \
  "return {title = 'test', build = function(p)\n"                                                  \
  "local s = vb.scene{step = 0.1, steps = 2}\n" ROD "return s end,\n"                              \
  "runs = function() return {{name = 'a'}, {name = 'b'}, {name = 'c'}} end,\n"                     \
  "gates = function() return {{name = 'g', quantity = 'frames/scale', reason = 'r', " gate         \
  "}} end}"
#define GATE(gate)                                                                                 \
  SCENE(ROD "s:gate{name = 'g', quantity = 'frames/scale', reason = 'r', " gate "}")

/// A list with holes, which Lua takes for one of 2^62 elements: times 24 bytes each it wraps to 0.
#define HOLES                                                                                      \
  "local h = {} for i = 0, 62 do h[1 << i] = {0, 0, 0} end h[3], h[5] = h[1], h[1] "               \
  "local m = {vertices = h, triangles = h, tetrahedra = h} "                                       \
  "local few = {vertices = {{0, 0, 0}}, triangles = h, tetrahedra = h} "
#define LISTS_TOO_MANY(key) "\"" key "\" lists 4611686018427387904 elements, more than the script"

static const bad_script BAD[] = {
    // Keys and types
    {SCENE("s:rod{radus = 1}"), "test.lua:4: rod: unknown key \"radus\"; did you mean \"radius\"?"},
    {SCENE("s:rod{qqqqq = 1}"), "test.lua:4: rod: unknown key \"qqqqq\"; known: nodes"},
    {SCENE("s:rod{1, 2}"), "test.lua:4: rod: takes named values only"},
    {SCENE("s:rod(3)"), "test.lua:4: rod: takes one table of named values, not a number"},
    {SCENE("s.rod{}"), "test.lua:4: rod: must be called on a scene, as in s:rod{...}"},
    {SCENE("s:rod()"), "test.lua:4: rod: takes one table"},
    {SCENE("s:rodd{}"), "unknown method or property \"rodd\"; did you mean \"rod\"?"},
    {SCENE("local x = s[1]"), "test.lua:4: scene: has methods and properties only"},
    {SCENE("s:rod{" STUFF "}"), "rod: needs exactly one of \"from\""},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, radius = 1, " STUFF "}"), "go together"},
    {SCENE("s:rod{nodes = 'five', from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "rod: \"nodes\" must be a whole number, not a string"},
    {SCENE("s:rod{nodes = 2.5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "\"nodes\" must be a whole number, not 2.5"},
    {SCENE("s:rod{nodes = 1, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "\"nodes\" is 1; it must be at least 2"},
    {SCENE("s:rod{nodes = 5, from = {0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "\"from\" must be a list of 3 numbers; it has 2"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 'a'}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "\"from\" must be a number, not a string"},
    {SCENE("s:rod{nodes = 5, curve = 3, radius = 1, " STUFF "}"),
     "\"curve\" must be a function of t"},
    {SCENE("s:rod{nodes = 5, curve = function(t) return t end, radius = 1, " STUFF "}"),
     "\"curve\" at t = 0 must return 3 numbers; value 3 is a nil"},
    {SCENE("s:rod{nodes = 3, points = {{0, 0, 0}, {0, 0, 1}}, radius = 1, " STUFF "}"),
     "\"nodes\" is not the number of \"points\", which is 2"},
    {SCENE("s:rod{points = {{0, 0, 0}}, radius = 1, " STUFF "}"), "at least 2 points"},
    {SCENE("s:rod{points = {{0, 0, 0}, 4}, radius = 1, " STUFF "}"), "point 1 must be a list"},
    {SCENE("s:rod{points = {{0, 0, 0}, {0, 0, 0/0}}, radius = 1, " STUFF "}"), "finite"},
    {SCENE("s:rod{nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = {1, 2}, " STUFF "}"),
     "\"radius\" lists 2 values where 3 are needed"},
    {SCENE("s:rod{" GOOD STUFF ", reverse = 3}"), "\"reverse\" must be true, false or a function"},
    {SCENE("s:rod{" GOOD STUFF ", name = 3}"), "\"name\" must be a text, not a number"},
    {SCENE("s:rod{" GOOD STUFF ", name = '\\xff'}"), "\"name\" must be a text of UTF-8"},
    {SCENE("s:rod{" GOOD STUFF ", name = ''}"), "\"name\" is empty"},
    {SCENE("s:rod{" GOOD STUFF ", name = ('x'):rep(48)}"), "\"name\" is longer than 47 bytes"},
    {SCENE("s:rod{" GOOD STUFF ", reverse_joints = 1}"),
     "\"reverse_joints\" must be true or false"},
    {SCENE("s:rod{" GOOD STUFF ", twist = 1, frame = function() end}"),
     "either \"frame\" or \"twist\""},
    {SCENE("s:rod{" GOOD STUFF ", frame = function() return 1, 1, 0, 0 end}"),
     "\"frame\" must be a unit quaternion w, x, y, z; its norm is 1.41421"},
    {SCENE("s:rod{" GOOD STUFF ", frame = function() return 0, 1, 0, 0 end}"),
     "\"frame\" has its third axis along (0, 0, -1); it must be along the segment, (0, 0, 1)"},

    // Lists with holes
    {SCENE(HOLES "s:rod{points = h, radius = 1, " STUFF "}"), LISTS_TOO_MANY("points")},
    {SCENE(HOLES "vb.pills{mesh = m, count = 1}"), LISTS_TOO_MANY("vertices")},
    {SCENE(HOLES "vb.pills{mesh = few, count = 1}"), LISTS_TOO_MANY("triangles")},
    {SCENE(HOLES "vb.tetrahedralize{outside = m}"), LISTS_TOO_MANY("vertices")},
    {SCENE(HOLES "vb.tetrahedralize{outside = few}"), LISTS_TOO_MANY("triangles")},
    {SCENE(HOLES "vb.viperize{mesh = few, source = h, sink = h, rods = 1, slices = 2}"),
     LISTS_TOO_MANY("tetrahedra")},
    {SCENE(HOLES "vb.pill_surface{pills = h, faces = 100, blend = 1}"), LISTS_TOO_MANY("pills")},
    {SCENE(HOLES "vb.vertices_at{mesh = m, x = 0}"), LISTS_TOO_MANY("vertices")},
    {SCENE(HOLES "s:mesh{mesh = few, density = 1, material = {E = 1, nu = 0}}"),
     LISTS_TOO_MANY("tetrahedra")},
    {SCENE(HOLES "s:surface{vertices = h}"), LISTS_TOO_MANY("vertices")},
    {SCENE("local t = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}} t.regions = {{math.maxinteger}} "
           "s:mesh{mesh = t, density = 1, material = {E = 1, nu = 0}}"),
     "\"regions\" must hold lists of vertices"},
    {SCENE("vb.box{to = {1, 1, 1}, cells = {1000000, 1000000, 1000000}}"),
     "test.lua:4: the script needs more than 4294967296 bytes"},

    // Numbers
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0, " STUFF "}"),
     "\"radius\" of node 0 is 0 m; it must be positive"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = function(t) return 0.5 - t "
           "end, " STUFF "}"),
     "\"radius\" of node 2 is 0 m"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = -1, " STUFF "}"),
     "is -1 m"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0/0, " STUFF "}"),
     "\"radius\" is NaN; it must be finite"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = math.huge, " STUFF "}"),
     "\"radius\" is infinite"},
    {SCENE("s:rod{" GOOD STUFF ", scale = function(t) return 0/0 end}"),
     "\"scale\" at t = 0 returned NaN"},
    {SCENE("s:rod{" GOOD STUFF ", scale = 0}"), "\"scale\" of node 0 is 0; it must be positive"},
    {SCENE("s:rod{nodes = 5, from = {0, 0, 1}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "has no length"},
    {SCENE("s:rod{points = {{0, 0, 0}, {0, 0, 1}, {0, 0, 1}}, radius = 1, " STUFF "}"),
     "its nodes 1 and 2 coincide"},
    {SCENE("s:rod{" GOOD "density = 0, material = {E = 1, nu = 0}}"),
     "\"density\" is 0 kg/m^3; it must be positive"},
    {SCENE("s:rod{" GOOD "material = {E = 1, nu = 0}}"), "rod: needs \"density\""},
    {SCENE("s:rod{" GOOD "density = 1}"), "rod: needs \"material\""},
    {SCENE("s:rod{" GOOD "density = 1, material = {E = 1}}"), "rod: material: needs \"nu\""},
    {SCENE("s:rod{" GOOD "density = 1, material = {E = 1, nu = 0.5}}"), "\"nu\" is 0.5"},
    {SCENE("s:rod{" GOOD "density = 1, material = {E = 1, nu = -0.1}}"), "\"nu\" is -0.1"},
    {SCENE("s:rod{" GOOD "density = 1, material = {E = 0, nu = 0}}"), "\"E\" is 0 Pa"},
    {SCENE("s:rod{" GOOD "density = 1, material = {kx = -1}}"),
     "\"kx\" is -1; it must not be negative"},
    {SCENE("s:rod{" GOOD "density = 1, material = {}}"), "needs \"E\" and \"nu\", or stiffnesses"},
    {SCENE("s:rod{" GOOD "density = 1, material = {kxx = 1}}"), "did you mean \"kx\"?"},

    // Nodes, segments, joints
    {SCENE("s:node{radius = 1}"), "node: needs \"position\""},
    {SCENE("s:node{position = {0, 0, 0}, radius = 0}"), "node: \"radius\" is 0 m"},
    {SCENE("s:node{position = {0, 0, 0}, radius = 1, scale = -1}"), "node: \"scale\" is -1"},
    {SCENE(ROD "s:segment{nodes = {0, 7}, " STUFF "}"),
     "test.lua:4: segment: \"nodes\": there is no node 7; the scene has 5 so far, counted from 0"},
    {SCENE(ROD "s:segment{nodes = {-1, 2}, " STUFF "}"), "there is no node -1"},
    {SCENE(ROD "s:segment{nodes = {2, 2}, " STUFF "}"), "goes from node 2 to itself"},
    {SCENE(ROD "s:segment{nodes = {0}, " STUFF "}"), "must be a list of 2 nodes"},
    {SCENE(ROD "s:segment{nodes = {0, s:node{position = {0, 0, 0}, radius = 1}}, " STUFF "}"),
     "segment: its nodes 0 and 5 coincide"},
    {SCENE(ROD "s:segment{nodes = {0, 2}, frame = {1, 0, 0, 1}, " STUFF "}"), "unit quaternion"},
    {SCENE(ROD "s:joint{segments = {0, 2}}"),
     "test.lua:4: joint: segments 0 and 2 do not touch: they share no node"},
    {SCENE(ROD "s:joint{segments = {1, 1}}"), "joins segment 1 with itself"},
    {SCENE(ROD "s:joint{segments = {0, 4}}"), "there is no segment 4"},
    {SCENE(ROD "s:joint{segments = {0, 1}} s:joint{segments = {1, 0}}"), "run \"test\""},
    {SCENE(ROD "s:segment{nodes = {0, 1}, " STUFF "}"), "run \"test\""},
    {SCENE(""), "run \"test\""},
    {SCENE(ROD "s:hinge{node = 5}"), "hinge: \"node\": there is no node 5"},
    {SCENE(ROD "s:name{node = 0}"), "name: needs \"name\""},

    // Pins, drivers, loads
    {SCENE(ROD "s:pin{}"), "pin: pins nothing"},
    {SCENE(ROD "s:pin{node = 9}"), "there is no node 9"},
    {SCENE(ROD "s:pin{node = 0, components = 'xq'}"), "\"components\" has \"q\""},
    {SCENE(ROD "s:pin{segment = 0, components = 'x'}"), "\"components\" are of nodes"},
    {SCENE(ROD "s:pin{segment = 0, frame = 'x'}"),
     "\"frame\" has \"x\"; it takes the letters u, v"},
    {SCENE(ROD "s:pin{node = 0, frame = 'u'}"), "\"frame\" is of segments"},
    {SCENE(ROD "s:pin{segment = 0, frame = 'u'} s:pin{segment = 0, frame = 'v'}"),
     "the frame of segment 0 is pinned already; name all of its components in one s:pin"},
    {SCENE(ROD "s:pin{segment = 0, frame = 'u'} s:pin{segment = 0}"),
     "components of the frame of segment 0 are pinned already"},
    {SCENE(ROD "s:driver{parent = 0}"), "driver: \"parent\": there is no driver 0"},
    {SCENE(ROD "s:driver{parnt = 0}"), "did you mean \"parent\"?"},
    {SCENE(ROD "s:follow{nodes = {0}}"), "\"drivers\" must be a list of one or two drivers"},
    {SCENE(ROD "s:follow{nodes = {0}, drivers = {s:driver{}, s:driver{}}, weights = {0.5, 1}}"),
     "\"weights\" of node 0 of the list are 0.5 and 1; they must not be negative, and their sum"},
    {SCENE(ROD "s:follow{nodes = {0}, drivers = {s:driver{}, s:driver{}}}"),
     "follow: needs \"weights\", one per driver, or a function of t"},

    // Loads that turn, activation, factors
    {SCENE(ROD "s:load{node = 1, force = {1, 0, 0}, turns_with = 9}"),
     "\"turns_with\": there is no segment 9"},
    {SCENE(ROD "s:activation{segments = {0}}"), "needs \"amount\""},
    {SCENE(ROD "s:activation{amount = 1}"), "needs either \"segments\" or \"tetrahedra\""},
    {SCENE(ROD "s:activation{segments = {}, amount = 1}"), "activates nothing"},
    {SCENE(ROD "s:activation{segments = {0}, amount = 1, kind = 'fibre'}"),
     "did you mean \"fiber\"?"},
    {SCENE(ROD "s:activation{segments = {0}, amount = 1, direction = {1, 0, 0}}"),
     "\"direction\" is for tetrahedra"},
    {SCENE("s:rod{" GOOD STUFF ", bending = {1, -1}}"),
     "\"bending\" of segment 0 is {1, -1}; its factors must not be negative"},
    {SCENE("s:rod{" GOOD STUFF ", bending = 2}"), "\"bending\" must be a list of 2 numbers"},
    {SCENE("s:rod{" GOOD STUFF ", friction = -2}"), "its friction -2 is negative"},
    {SCENE("s:rod{" GOOD STUFF ", rest_curvature = {{1, 0, 0}}}"),
     "\"rest_curvature\" lists 1 joints; the rod has 3"},
    {SCENE("s:rod{" GOOD STUFF ", rest_curvature = 1}"),
     "\"rest_curvature\" must be a list of 3 numbers, not a number"},
    {SCENE("s:rod{" GOOD STUFF ", loop = 'spred'}"), "did you mean \"spread\"?"},
    {SCENE("s:rod{" GOOD STUFF ", loop = 'spread'}"), "loop"},

// Bones and links
#define BONE                                                                                       \
  "local b = s:bone{mass = 1, inertia = {1, 1, 1, 0, 0, 0}, center = {0, 0, 0}, name = 'b'} "
    {SCENE(ROD "s:bone{mass = 1, inertia = {1, 1, 1, 0, 0, 0}}"), "bone: needs \"center\""},
    {SCENE(ROD "s:bone{mass = 1, center = {0, 0, 0}}"), "it has no inertia, and no tetrahedron"},
    {SCENE(ROD "s:bone{mass = 1, center = {0, 0, 0}, inertia = {1}}"), "list of 6 numbers"},
    {SCENE(ROD BONE BONE), "there is a bone \"b\" already"},
    {SCENE(ROD "s:bone{driver = s:driver{}, mass = 2}"), "\"mass\" is of a bone that moves freely"},
    {SCENE(ROD "s:tie{nodes = {0}}"), "tie: needs \"bone\", as s:bone returned it"},
    {SCENE(ROD "s:tie{bone = 'b', nodes = {0}}"), "must be a bone that s:bone returned, not a str"},
    {SCENE(ROD "s:tie{bone = 3, nodes = {0}}"), "there is no bone 3; the scene has 0 so far"},
    {SCENE(ROD BONE "s:tie{bone = b}"), "ties nothing"},
    {SCENE(ROD "s:tie{bone = s:bone{driver = s:driver{}}, nodes = {0}}"), "\"bone\" is driven"},
    {SCENE(ROD BONE "s:link{kind = 'ball', bones = {b}}"), "link: needs \"at\""},
    {SCENE(ROD BONE "s:link{kind = 'bal', bones = {b}}"), "did you mean \"ball\"?"},
    {SCENE(ROD BONE "s:link{kind = 'ball', at = {0, 0, 0}}"), "a list of one or two bones"},
    {SCENE(ROD BONE "s:link{kind = 'ball', bones = {b}, at = {0, 0, 0}, axis = {1, 0, 0}}"),
     "\"axis\" is of a hinge"},
    {SCENE(ROD BONE "s:link{kind = 'hinge', bones = {b}, at = {0, 0, 0}}"), "needs \"axis\""},
    {SCENE(ROD BONE "s:link{kind = 'hinge', bones = {b}, at = {0, 0, 0}, axis = {0, 0, 0}}"),
     "an axis is zero"},
    {SCENE(ROD BONE "s:link{kind = 'ball', bones = {b}, at = {0, 0, 0}, limit = {0, 1}}"),
     "\"limit\" is of the angle of a hinge"},
    {SCENE(ROD "s:link{kind = 'ball', bones = {s:bone{driver = s:driver{}}}, at = {0, 0, 0}}"),
     "the first of \"bones\" is driven"},
    {SCENE(ROD BONE "s:load{bone = b, scale_force = 1}"), "a bone takes \"force\" and \"torque\""},
    {SCENE(ROD BONE "s:load{bone = b, node = 0, force = {1, 0, 0}}"), "needs exactly one of"},
    {SCENE(ROD BONE "s:load{bone = b, force = {1, 0, 0}, turns_with = 0}"),
     "\"turns_with\" is for a load on a node or a segment"},

    // Colliders
    {SCENE(ROD "s:collider{radius = 1}"), "exactly one of \"sphere\", \"cylinder\" and"},
    {SCENE(ROD "s:collider{sphere = {0, 0, 0}, radius = 0}"), "\"radius\" is 0 m"},
    {SCENE(ROD "s:collider{sphere = {0, 0, 0}, radius = 1, inside = true}"),
     "\"inside\" is of a cylinder"},
    {SCENE(ROD "s:collider{capsule = {{0, 0, 0}, {0, 0, 0}}, radius = 1}"), "coincide"},
    {SCENE(ROD "s:collider{capsul = {0, 0, 0}, radius = 1}"), "did you mean \"capsule\"?"},
    {SCENE(ROD "s:friction{node = 9, friction = 1}"), "there is no node 9"},
    {SCENE(ROD "s:halfplane{driver = 1}"), "\"driver\": there is no driver 1"},
    {SCENE(ROD "s:pin{node = 0, driver = 0}"), "there is no driver 0"},
    {SCENE(ROD "s:pin{node = 0} s:pin{node = 0, driver = s:driver{}}"),
     "node 0 is pinned to another driver already"},
    {SCENE("s:driver{axis = {0, 0, 0}}"), "\"axis\" is zero"},
    {SCENE("s:driver{name = 'a'} s:driver{name = 'a'}"), "there is a driver \"a\" already"},
    {SCENE("s:driver{x = 'a'}"), "\"x\" must be a number or a list of keys {time, value}"},
    {SCENE("s:driver{x = {}}"), "at least one key"},
    {SCENE("s:driver{x = {{0, 1}, {0, 2}}}"), "key 2 is at 0 s, not after the one before it"},
    {SCENE("s:driver{x = {{0, 1}, 2}}"), "key 2 must be {time, value}"},
    {SCENE("s:driver{x = {{0, 0/0}}}"), "the value of key 1 must be a finite number"},
    {SCENE("s:driver{x = {{0, 1, 'linaer'}}}"), "did you mean \"linear\"?"},
    {SCENE(ROD "s:load{force = {0, 0, 1}}"), "needs exactly one of \"node\", \"segment\""},
    {SCENE(ROD "s:load{node = 0}"), "load: does nothing"},
    {SCENE(ROD "s:load{node = 0, torque = {0, 0, 1}}"), "\"torque\" is for a segment"},
    {SCENE(ROD "s:load{segment = 0, force = {0, 0, 1}}"),
     "\"force\" and \"scale_force\" are for a node"},

    // The world and the plans
    {"return {title = 't', build = function() vb.scene{step = 0, steps = 1} end}",
     "test.lua:1: scene: \"step\" is 0 s; it must be positive"},
    {"return {title = 't', build = function() vb.scene{step = -1, steps = 1} end}", "is -1 s"},
    {"return {title = 't', build = function() vb.scene{step = 1} end}",
     "either \"duration\" or \"steps\""},
    {"return {title = 't', build = function() vb.scene{step = 1, duration = -1} end}",
     "\"duration\""},
    {"return {title = 't', build = function() vb.scene{step = 1e-300, duration = 1} end}", "takes"},
    {"return {title = 't', build = function() vb.scene{step = 1, steps = -1} end}",
     "\"steps\" is -1"},
    {"return {title = 't', build = function() vb.scene{step = 1, steps = 1, gravity = 9.81} end}",
     "\"gravity\" must be a list of 3 numbers, not a number"},
    {"return {title = 't', build = function() vb.scene{step = 1, steps = 1, damping = -1} end}",
     "\"damping\" is -1"},
    {SCENE(ROD "s:record{every = 0}"), "record: \"every\" is 0; it must be at least 1"},
    {SCENE(ROD "s:record{converged = -1e-6}"), "\"converged\" is -1e-06; it must be a residual"},
    {SCENE(ROD "s:record{fields = {'scale', 'scale'}}"), "names \"scale\" twice"},
    {SCENE(ROD "s:record{reference = {{0, 0, 1}}}"), "\"reference\" has one point"},
    {SCENE(ROD "s:record{reference = {{0, 0, 1}, {0, 1}}}"), "point 1 must be a list of 3 numbers"},
    {SCENE(ROD "s:record{fields = {'scael'}}"),
     "unknown field to record \"scael\"; did you mean \"scale\"?"},
    {SCENE(ROD "s:solver{methd = 'direct'}"),
     "solver: unknown key \"methd\"; did you mean \"method\"?"},
    {SCENE(ROD "s:solver{method = 'dircet'}"), "dircet"},
    {SCENE(ROD "s:solver{iterations = 0}"), "iterations"},
    {SCENE(ROD "s:solver{iterations = {}}"), "\"iterations\" must be a text, not a table"},
    {SCENE(ROD "s:solver{solver = 'vipre'}"), "vipre"},
    {SCENE(ROD "s:convergence{}"), "convergence: needs \"iterations\""},
    {SCENE(ROD "s:convergence{iterations = {1, 5, 2}}"), "must increase; 2 follows 5"},
    {SCENE(ROD "s:convergence{iterations = {1}, after = 3}"),
     "\"after\" is 3; it must be at most 2"},

    // Gates
    {GATE("measure = 'fnal', near = 1, tolerance = 1"),
     "unknown measure \"fnal\"; did you mean \"final\"?"},
    {GATE("near = 1"), "gate: needs \"tolerance\""},
    {GATE("near = 1, tolerance = -1"), "\"tolerance\" is -1"},
    {GATE("near = 0, tolerance = 1"), "set absolute = true"},
    {GATE("near = 0/0, tolerance = 1"), "\"near\" is NaN"},
    {GATE("tolerance = 1"), "exactly one of \"near\", \"at_most\" and \"at_least\""},
    {GATE("at_most = 1, at_least = 1"), "exactly one of"},
    {GATE("at_most = 1, tolerance = 1"), "go with \"near\" only"},
    {GATE("at_most = 1, at = 1"), "\"at\" goes with measure = \"value\" only"},
    {GATE("at_most = 1, measure = 'value'"), "measure = \"value\" needs \"at\""},
    {GATE("at_most = 1, from = 2, to = 1"), "window is empty"},
    {GATE("at_most = 1, node = 9"), "there is no node 9"},
    {GATE("at_most = 1, body = 1"), "there is no body 1"},
    {GATE("at_most = 1, node = 1, segment = 1"), "either \"node\" or \"segment\""},
    {GATE("at_most = 1, number = 1"), "takes either \"number\" or \"quantity\""},
    {GATE("at_most = 1, component = 'w'"), "unknown component \"w\""},
    {GATE("at_most = 1, component = 0"), "\"component\" is 0"},
    {GATE("at_most = 1, run = 'test'"), "unknown key \"run\""},
    {SCENE(ROD "s:gate{name = 'g', quantity = 'q', at_most = 1}"), "gate: needs \"reason\""},
    {GATES("at_most = 1"), "gate \"g\": needs either \"run\" or \"runs\""},
    {GATES("at_most = 1, run = 'd'"), "gate \"g\": there is no run \"d\""},
    {GATES("at_most = 1, run = 'a', node = 5"), "gate \"g\": there is no node 5; run \"a\" has 5"},
    {GATES("at_most = 1, runs = {'a', 'b'}"), "set \"combine\""},
    {GATES("at_most = 1, runs = {'a', 'a'}, combine = 'ratio'"), "names run \"a\" twice"},
    {GATES("at_most = 1, runs = {'a', 'b', 'c'}, combine = 'ratio'"), "takes 2 runs, not 3"},
    {GATES("at_most = 1, run = 'a', combine = 'surface_rms'"), "takes 2 runs, not 1"},
    {GATES("at_most = 1, run = 'a', apart_from = 2"), "\"apart_from\" goes with a row"},
    {GATES("at_most = 1, run = 'a', node = 0, component = 'x', apart_from = 2"),
     "either \"component\" or \"apart_from\""},
    {GATES("at_most = 1, run = 'a', node = 0, apart_from = -1"), "it must be at least 0"},
    {GATES("at_most = 1, run = 'a', finding = 1"), "\"finding\" must be true or false"},
    {GATES("at_most = 1, run = 'a', timed = true"), "\"timed\" goes with finding = true only"},
    {GATES("at_most = 1, runs = {'a', 'b'}, combine = 'ordre'"), "did you mean \"order\"?"},
    {GATES("at_most = 1, runs = {'a', 'b'}, combine = 'order', sizes = {1, 2}"), "at least 3 runs"},
    {GATES("at_most = 1, runs = {'a', 'b', 'c'}, combine = 'order'"),
     "needs \"sizes\", one per run: 3"},
    {GATES("at_most = 1, runs = {'a', 'b', 'c'}, combine = 'order', sizes = {1, 3, 2}"),
     "increase"},
    {GATES("at_most = 1, run = 'a', limit = 2"), "go with combine = \"order\" only"},

    // The study
    {"return {", "test.lua:1:"},
    {"x = = 1", "test.lua:1: unexpected symbol near '='"},
    {"local x = 1", "test.lua: study: the script must return a table"},
    {"return {title = 't', bild = 1}", "study: unknown key \"bild\"; did you mean \"build\"?"},
    {"return {build = function() end}", "study: needs \"title\""},
    {"return {title = 3}", "\"title\" must be a text, not a number"},
    {"return {title = 't'}", "run \"test\": the scenario needs \"build\""},
    {"return {title = 't', build = function() end}", "\"build\" must return the scene"},
    {"return {title = 't', figure = '../x'}", "test.lua:1: study: a figure must be the name of"},
    {"return {title = 't', parameters = 3}", "\"parameters\" must be a table of defaults"},
    {"return {title = 't', parameters = {n = {}}}", "parameter \"n\" must be a number"},
    {"return {title = 't', parameters = {n = 0/0}}", "parameter \"n\" must be finite"},
    {"return {title = 't', parameters = {3}}", "takes named values only"},
    {"return {title = 't', parameters = {nodes = 1}, build = function(p) return p.noeds end}",
     "test.lua:1: parameters: unknown parameter \"noeds\"; did you mean \"nodes\"?"},
    {"return {title = 't', gates = 3, build = function() local s = vb.scene{step = 1, steps = "
     "1} " ROD "return s end}",
     "\"gates\" must be a function"},
    {"local s return {title = 't', runs = function() return {{name = 'a'}, {name = 'b'}} end,\n"
     "build = function() if not s then s = vb.scene{step = 1, steps = 1} " ROD "end return s end}",
     "run \"b\": \"build\" returned the scene of an earlier run"},
    {"local s return {title = 't', runs = function() return {{name = 'a'}, {name = 'b'}} end,\n"
     "build = function() if s then s:hinge{node = 0} end s = vb.scene{step = 1, steps = 1} " ROD
     "return s end}",
     "test.lua:2: "},
    {"return {title = 't', build = function() error({}) end}", "an error that is not a string"},
    {"return {title = 't', build = function() error('mine', 0) end}", "test.lua: mine"},

    // Runs
    {RUNS("3"), "\"runs\" must return a list of runs, not a number"},
    {RUNS("{}"), "\"runs\" returned no run"},
    {RUNS("{3}"), "run 1: must be a table"},
    {RUNS("{{}}"), "run 1: needs \"name\""},
    {RUNS("{{name = 'a b'}}"), "run 1: \"name\" is \"a b\"; it must be of letters"},
    {RUNS("{{name = '../a'}}"), "\"name\" is \"../a\""},
    {RUNS("{{name = 'a'}, {name = 'a'}}"), "run \"a\": there are two runs of that name"},
    {RUNS("{{name = 'a', lable = 'x'}}"),
     "run \"a\": unknown key \"lable\"; did you mean \"label\"?"},
    {RUNS("{{name = 'a', methd = 'x'}}"), "did you mean \"method\"?"},
    {RUNS("{{name = 'a', method = 'x'}}"), "run \"a\""},
    {RUNS("{{name = 'a', solver = 'x'}}"), "run \"a\""},
    {RUNS("{{name = 'a', parameters = {m = 3}}}"), "run \"a\": unknown parameter \"m\""},
    {RUNS("{{name = 'a', parameters = {n = 'x'}}}"),
     "run \"a\": parameter \"n\" must be a number, not a string"},
    {RUNS("{{name = 'a', parameters = 3}}"), "\"parameters\" must be a table"},
    {RUNS("{{name = 'a', scenario = 'cantilevr'}}"), "did you mean \"cantilever\"?"},
    {RUNS("{{name = 'a', scenario = '/etc/passwd'}}"), "there is no study \"/etc/passwd\""},

    // Doors that are closed
    {"io.open('/etc/passwd')", "test.lua:1: attempt to index a nil value (global 'io')"},
    {"os.exit(0)", "global 'os'"},
    {"package.loadlib('x', 'y')", "global 'package'"},
    {"debug.sethook()", "global 'debug'"},
    {"require('x')", "global 'require'"},
    {"coroutine.wrap(print)", "global 'coroutine'"},
    {"dofile('/etc/passwd')", "global 'dofile'"},
    {"loadfile('/etc/passwd')", "global 'loadfile'"},
    {"load('x = 1')", "global 'load'"},
    {"collectgarbage('stop')", "global 'collectgarbage'"},
    {"setmetatable({}, {__gc = function() end})", "global 'setmetatable'"},
    {"getmetatable('')", "global 'getmetatable'"},
    {"xpcall(print, print)", "global 'xpcall'"}, // its handler would run without a limit
    {"string.dump(print)", "field 'dump'"},
    {"return ('x'):find('x')", "method 'find'"},
    {"string.format('%5p', 'x')", "test.lua:1: string.format: there are no addresses (%p)"},
    {"math.randomseed()", "test.lua:1: bad argument #1 to 'randomseed'"},
    {"include('../octopus')", "test.lua:1: include: \"../octopus\" is no name"},
    {"include('no_such_file')", "include: scenarios/lib/no_such_file.lua: cannot be opened"},
    {"include(3)", "include: takes the name of a file"},
    {"include('octopus')(vb.scene{step = 1, steps = 1}, {orign = {}})",
     "test.lua:1: octopus: unknown key \"orign\"; known: E, E_tip, angular_velocity, loop, name, "
     "nu"},
};

START_TEST(reports_script_errors) {
  const bad_script *bad = &BAD[_i];
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status = load_with(bad->text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  ck_assert_msg(status == VB_BAD_INPUT, "status %d for %s", status, bad->text);
  ck_assert_ptr_null(study);
  ck_assert_msg(strstr(error.message, bad->message), "\"%s\" is not in \"%s\"", bad->message,
                error.message);
  ck_assert_msg(strstr(error.message, "test.lua:"), "no file in \"%s\"", error.message);
  ck_assert_msg(!strchr(error.message, '\n'), "more than one line: %s", error.message);
}
END_TEST

/// Scripts that would not end, and that must within a million instructions or a small memory.
static const bad_script HUNGRY[] = {
    {"while true do end", "test.lua:1: the script ran more than 100000 instructions"},
    {"while true do pcall(function() while true do end end) end", "ran more than"},
    {"local function f() pcall(f) f() end while true do pcall(f) end", "ran more than"},
    {"return {title = 't', build = function() for i = 1, 1e9 do end end}", "ran more than"},
    {"local t = {} for i = 1, 1e9 do t[i] = i end", "than"},
    {"local x = ('x'):rep(1e9)", "string.rep: 1000000000 copies need more than 4000000 bytes"},
    {"local x = (''):rep(1e18) while true do end", "ran more than"},
    {"table.move({}, 1, math.maxinteger - 1, 2)",
     "table.move: 9223372036854775805 elements are more than the script has"},
    {"table.move({}, math.mininteger, math.maxinteger, 2)",
     "table.move: 18446744073709551615 elements"},
    {"local x = 'x' while true do x = x .. x end", "more than 4000000 bytes of memory"},
    {SCENE("s:rod{nodes = 2147483647, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, " STUFF "}"),
     "more than 4000000 bytes of memory"},
    {SCENE("for i = 1, 1e9 do s:node{position = {i, 0, 0}, radius = 1} end"), "than"},
    {"local function f() return f() + 1 end f()", "than"},
    {SCENE(ROD "for i = 1, 1e9 do s:hinge{node = 1} end"), "than"},
    {SCENE(ROD
           "local x = ('x'):rep(1e5) for i = 1, 100 do s:gate{name = x, quantity = x, reason = x, "
           "at_most = 1} end"),
     "more than 4000000 bytes of memory"},
};

START_TEST(stops_endless_scripts) {
  const bad_script *bad = &HUNGRY[_i];
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = {.memory = 4000000, .instructions = 100000};
  vb_status status = load_with(bad->text, (vb_study_request){0}, limits, &study, &error);
  ck_assert_msg(status == VB_BAD_INPUT, "status %d for %s", status, bad->text);
  ck_assert_msg(strstr(error.message, bad->message), "\"%s\" is not in \"%s\"", bad->message,
                error.message);
}
END_TEST

/// Loads the file at `path` and expects bad input with `message`.
static void expect_bad_file(const char *path, const char *message) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_study_request request = {.name = path, .tier = "quick"};
  ck_assert_int_eq(vb_lua_study_load(&request, ".", VB_LUA_LIMITS, &study, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, message), "\"%s\" is not in \"%s\"", message, error.message);
}

static void expect_bad_bytes(const void *bytes, size_t size, const char *message) {
  script_file file = write_script("test.lua", bytes, size);
  expect_bad_file(file.path, message);
  remove_script(&file);
}

static int append(lua_State *L, const void *bytes, size_t size, void *stream) {
  (void)L;
  return fwrite(bytes, 1, size, stream) != size;
}

START_TEST(refuses_binary_chunks) {
  char *bytes;
  size_t size;
  FILE *stream = open_memstream(&bytes, &size);
  lua_State *L = luaL_newstate();
  ck_assert_int_eq(luaL_loadstring(L, "return {title = 't'}"), LUA_OK);
  ck_assert_int_eq(lua_dump(L, append, stream, 0), 0);
  ck_assert_int_eq(fclose(stream), 0);
  lua_close(L);
  expect_bad_bytes(bytes, size, "test.lua: is a binary chunk; only the source text");
  expect_bad_bytes(bytes, size / 2, "is a binary chunk");
  free(bytes);
}
END_TEST

START_TEST(refuses_binary_files) {
  expect_bad_bytes("return\0{}", 9, "is not a text file: it contains a zero byte");
  expect_bad_bytes("", 0, "the script must return a table");
  expect_bad_file("/dev/null/x.lua", "cannot be opened");
  expect_bad_file("/nowhere/x.lua", "/nowhere/x.lua: cannot be opened: No such file or directory");
  expect_bad_file("/nowhere/x y.lua", "its name must be of letters");
  expect_bad_file(".lua", "its name must be of letters");
  script_file file = write_script("x.lua", "", 0);
  ck_assert_int_eq(unlink(file.path), 0);
  ck_assert_int_eq(mkdir(file.path, 0700), 0);
  expect_bad_file(file.path, "x.lua: cannot be opened: it is a folder, not a file");
  ck_assert_int_eq(rmdir(file.path), 0);
  remove_script(&file);
}
END_TEST

START_TEST(refuses_endless_files) {
  script_file file = write_script("x.lua", "", 0);
  ck_assert_int_eq(unlink(file.path), 0);
  ck_assert_int_eq(symlink("/dev/zero", file.path), 0);
  expect_bad_file(file.path, "cannot be opened: it is a device, not a file");
  ck_assert_int_eq(unlink(file.path), 0);
  ck_assert_int_eq(mkfifo(file.path, 0600), 0);
  expect_bad_file(file.path, "cannot be opened: it is a pipe, not a file");
  ck_assert_int_eq(unlink(file.path), 0);
  int long_one = open(file.path, O_WRONLY | O_CREAT, 0600);
  ck_assert_int_eq(ftruncate(long_one, 1 << 25), 0);
  close(long_one);
  expect_bad_file(file.path, "is longer than 16777216 bytes");
  remove_script(&file);
}
END_TEST

/// The superuser may read every file: it becomes another user for as long as the file is asked for.
START_TEST(refuses_files_without_permission) {
  script_file file = write_script("x.lua", "", 0);
  uid_t user = geteuid();
  ck_assert_int_eq(chmod(file.path, 0), 0);
  if (user == 0)
    ck_assert_int_eq(seteuid(65534), 0);
  expect_bad_file(file.path, "cannot be opened: Permission denied");
  if (user == 0)
    ck_assert_int_eq(seteuid(user), 0);
  remove_script(&file);
}
END_TEST

START_TEST(suggests_the_nearest_study) {
  expect_bad_file("cantilevr", "there is no study \"cantilevr\"; did you mean \"cantilever\"?");
  expect_bad_file("qqqqqq", "there is no study \"qqqqqq\"; list shows all");
  expect_bad_file("../scenarios/cantilever", "there is no study");
}
END_TEST

/// What the command line says wrongly of a study that is well.
START_TEST(refuses_wrong_settings) {
  static const struct {
    const char *name, *value, *message;
  } bad[] = {
      {"m", "3", "--set: unknown parameter \"m\""},
      {"flg", "3", "did you mean \"flag\"?"},
      {"n", "three", "--set n=three: parameter \"n\" takes a finite number"},
      {"n", "", "takes a finite number"},
      {"n", "1e999", "takes a finite number"},
      {"n", "nan", "takes a finite number"},
      {"flag", "1", "--set flag=1: parameter \"flag\" takes true or false"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    vb_setting setting = {(char *)bad[i].name, (char *)bad[i].value};
    vb_study *study = NULL;
    vb_error error = {0};
    vb_study_request request = {.parameters = &setting, .n_parameters = 1};
    vb_status status = load_with(RUNS("{{name = 'a'}}"), request, VB_LUA_LIMITS, &study, &error);
    ck_assert_int_eq(status, VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, bad[i].message), "%s", error.message);
  }
}
END_TEST

START_TEST(refuses_wrong_requests) {
  static const vb_option xpbd = {"method", "xpbd"}, unknown = {"methd", "xpbd"};
  static const struct {
    vb_study_request request;
    const char *message;
  } bad[] = {
      {{.tier = "slow"}, "unknown tier \"slow\"; there are quick, full and gold"},
      {{.solver = "none"}, "none"},
      {{.options = &unknown, .n_options = 1}, "methd"},
      {{.options = &xpbd, .n_options = 1},
       "no run is left; every one fixes settings other than "
       "--method xpbd"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    vb_study *study = NULL;
    vb_error error = {0};
    vb_status status = load_with(RUNS("{{name = 'a', method = 'direct'}}"), bad[i].request,
                                 VB_LUA_LIMITS, &study, &error);
    ck_assert_int_eq(status, VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, bad[i].message), "%s", error.message);
  }
}
END_TEST

static TCase *bad_scenarios(void) {
  TCase *tcase = tcase_create("bad scenarios");
  tcase_add_loop_test(tcase, reports_script_errors, 0, (int)(sizeof BAD / sizeof *BAD));
  tcase_add_loop_test(tcase, stops_endless_scripts, 0, (int)(sizeof HUNGRY / sizeof *HUNGRY));
  tcase_add_test(tcase, refuses_binary_chunks);
  tcase_add_test(tcase, refuses_binary_files);
  tcase_add_test(tcase, refuses_endless_files);
  tcase_add_test(tcase, refuses_files_without_permission);
  tcase_add_test(tcase, suggests_the_nearest_study);
  tcase_add_test(tcase, refuses_wrong_settings);
  tcase_add_test(tcase, refuses_wrong_requests);
  return tcase;
}

VB_TEST_MAIN("bad scenarios", bad_scenarios())
