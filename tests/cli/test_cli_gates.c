// SPDX-License-Identifier: GPL-3.0-or-later
/// The verb "gates": what it lists of recorded gates, in which order, and in which form.
#include "cli_fixture.h"

#include <jansson.h>

/// A node that falls freely for a second, with gates that use 1e-3, a half and 0.9 of what they
/// allow, one that fails, and one of which no part can be said.
static const char SCRIPT[] =
    "return { title = 'A fall', build = function()\n"
    "  local s = vb.scene{ step = 0.1, steps = 10 }\n"
    "  local rod = s:rod{ nodes = 2, from = {0, 0, 1}, to = {1, 0, 1}, radius = 0.1,\n"
    "    density = 1000, material = { E = 1e6, nu = 0.3 } }\n"
    "  s:record{ every = 1, frames = 1, fields = {'position'} }\n"
    "  local function gate(name, key, limit)\n"
    "    local g = { name = name, quantity = 'frames/position', node = rod.first,\n"
    "      component = 'z', reason = 'it stays at 1' }\n"
    "    g[key] = limit\n"
    "    if key == 'near' then g.tolerance, g.absolute = 2, true end\n"
    "    s:gate(g)\n"
    "  end\n"
    "  gate('tight', 'at_least', 0.9)\n"
    "  gate('loose', 'at_most', 1000)\n"
    "  gate('half', 'near', 2)\n"
    "  gate('missed', 'at_most', 0.5)\n"
    "  gate('of nothing', 'at_least', 0)\n"
    "  return s\n"
    "end }\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/fall.lua", SCRIPT);
  expect("run fall --quiet --out @/results", 1, "gate \"missed\" missed");
}

/// Where the output has a text; it must.
static const char *place_of(const char *text) {
  const char *at = strstr(output, text);
  ck_assert_msg(at != NULL, "no \"%s\" in\n%s", text, output);
  return at;
}

static bool comes_before(const char *first, const char *second) {
  return place_of(first) < place_of(second);
}

START_TEST(the_loosest_comes_first) {
  expect("gates @/results", 0, "");
  ck_assert(comes_before("loose", "half"));
  ck_assert(comes_before("half", "tight"));
  ck_assert(comes_before("tight", "of nothing"));
  ck_assert_ptr_null(strstr(output, "missed"));
  expect("gates @/results/fall.h5", 0, "");
  place_of("near 2 +- 2");
}
END_TEST

START_TEST(those_that_use_less_are_chosen) {
  expect("gates @/results --below 0.6", 0, "");
  place_of("loose");
  place_of("half");
  ck_assert_ptr_null(strstr(output, "tight"));
  ck_assert_ptr_null(strstr(output, "of nothing"));
  expect("gates @/results --below some", 2, "--below needs a positive number");
  expect("gates @/results --below 0", 2, "--below needs a positive number");
}
END_TEST

START_TEST(other_programs_read_it) {
  expect("gates @/results --csv", 0, "");
  ck_assert_ptr_eq(place_of("study,name,runs,used,value,"), output);
  place_of("fall,loose,fall,0.001,1,frames/position,final,at_most,1000,,false,false,");
  place_of("fall,half,fall,0.5,1,frames/position,final,near,2,2,false,false,");
  expect("gates @/results --json", 0, "");
  json_t *document = json_loads(output, 0, NULL), *gates = json_object_get(document, "gates");
  ck_assert_uint_eq(json_array_size(gates), 4);
  json_t *first = json_array_get(gates, 0), *last = json_array_get(gates, 3);
  ck_assert_str_eq(json_string_value(json_object_get(first, "name")), "loose");
  ck_assert_double_eq(json_real_value(json_object_get(first, "used")), 0.001);
  ck_assert(json_is_null(json_object_get(last, "used")));
  json_decref(document);
}
END_TEST

START_TEST(bad_input_is_refused) {
  expect("gates @/nothing", 2, "nothing");
  expect("gates @/scenarios", 2, "holds no results");
}
END_TEST

static TCase *listing(void) {
  TCase *c = tcase_create("listing");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 60);
  tcase_add_test(c, the_loosest_comes_first);
  tcase_add_test(c, those_that_use_less_are_chosen);
  tcase_add_test(c, other_programs_read_it);
  tcase_add_test(c, bad_input_is_refused);
  return c;
}

VB_TEST_MAIN("cli_gates", listing())
