// SPDX-License-Identifier: GPL-3.0-or-later
/// Scripts end: what is long though it is few instructions is stopped by processor time, and what
/// prints for ever by what it has printed.
/// Covers: src/script/runtime/*.[ch] src/base/time_limit.*
#include "base/clock.h"
#include "lua_fixture.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#define MUCH  "local s = ('x'):rep(1 << 26) "
#define LIST  "local t = {} for i = 1, 1e6 do t[i] = i end "
#define HOLES "local t = {} for i = 0, 62 do t[1 << i] = 1 end "
#define CAPSULES                                                                                   \
  "local p = {} for i = 1, 20000 do p[i] = {0, 0, 0, 0.3, 1, 0, 0, 0.3} end "                      \
  "while true do pcall(vb.pill_surface, { pills = p, faces = 20000, blend = 0.001 }) end"

#define MUSCLE                                                                                     \
  "local m = vb.box{to = {1, 1, 4}, cells = {8, 8, 16}} "                                          \
  "local a = {mesh = m, source = m.faces.z0, sink = m.faces.z1, "
#define ROW "local r, t = {0, 0, 1}, {} for i = 1, 1e6 do t[i] = r end "

/// Each goes on for minutes at least without a limit of time, and for few instructions.
static const char *const LONG[] = {
    LIST "while true do table.insert(t, 1, 0) end",
    LIST "while true do table.insert(t, 1, table.remove(t, 1)) end",
    LIST "while true do table.move(t, 1, #t, 2) end",
    LIST "while true do table.concat(t, ' ') end",
    MUCH "while true do s:upper() end",
    MUCH "while true do s:reverse() end",
    MUCH "while true do utf8.len(s) end",
    MUCH "while true do string.format('%s', s) end",
    MUCH "local r = s .. 'y' while true do local less = s < r end",
    MUCH "local r = s:upper():lower() while true do local same = s == r end",
    MUCH "while true do local c = s .. 'y' end",
    MUCH "local t = {} for i = 1, 1e5 do t[i] = s end table.sort(t)", // one call
    MUCH "while true do pcall(function() while true do pcall(string.upper, s) end end) end",
    MUCH "while true do pcall(string.rep, s, 100) end",
    LIST "while true do table.sort(t) end",
    CAPSULES,
    // One call of the program's own each
    MUSCLE "rods = 1900, slices = 50} vb.viperize(a)",
    MUSCLE "rods = 1900, slices = 2} vb.viperize(a)",
    "local m = vb.pill_surface{pills = {{0, 0, 0, 1, 0, 0, 5, 1}}, faces = 2e4, blend = 0.1} "
    "while true do pcall(vb.pills, {mesh = m, count = 3000}) end",
    "vb.box{to = {1, 1, 1}, cells = {90, 90, 90}}",
    "vb.tetrahedralize{outside = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}}, size = 0.005}",
    ROW "while true do pcall(vb.vertices_at, {mesh = {vertices = t}, x = 1}) end",
    ROW "local s = vb.scene{step = 1, steps = 1} while true do s:surface{vertices = t} end",
    "local s = vb.scene{step = 1, steps = 1} while true do s:rod{nodes = 1e6, from = {0, 0, 0}, "
    "to = {0, 0, 1}, radius = 1, density = 1, material = {kx = 1}} end",
};

START_TEST(time_limit_ends_long_calls) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = VB_LUA_LIMITS;
  struct timespec begin, end;
  double wall = vb_clock();
  limits.seconds = 0.2;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  vb_status status = load_with(LONG[_i], (vb_study_request){0}, limits, &study, &error);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double elapsed =
      (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "took more than 0.2 s of processor time"), "%s: %s", LONG[_i],
                error.message);
  ck_assert_ptr_nonnull(strstr(error.message, "test.lua:1: "));
  ck_assert_msg(vb_clock() - wall < 60, "%s: took %g s", LONG[_i], vb_clock() - wall);
  printf("%.2f s: %s\n", elapsed, LONG[_i]);
  ck_assert_msg(elapsed < 20, "%s: took %g s", LONG[_i], elapsed);
}
END_TEST

/// Processor time of this process and of those that it waited for, s.
static double all_time(void) {
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  const struct timeval t[] = {own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime};
  double sum = 0;
  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    sum += (double)t[i].tv_sec + 1e-6 * (double)t[i].tv_usec;
  return sum;
}

/// Each is short for the script, and takes ten times its time or more in what knows no clock of its
/// own: the order and the factors of a matrix; the checks of a scene, here of links whose drivers
/// ride on each other, each on all before it.
static const struct unseen {
  const char *text;
  double seconds;
} UNSEEN[] = {
    {"local m = vb.box{to = {1, 1, 1}, cells = {40, 40, 40}} "
     "vb.viperize{mesh = m, source = m.faces.z0, sink = m.faces.z1, rods = 1, slices = 2}",
     1},
    {"return {title = 't', build = function() local s = vb.scene{step = 1, steps = 1} "
     "s:rod{nodes = 2, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, density = 1, "
     "material = {kx = 1}} "
     "local b = s:bone{name = 'b', mass = 1, center = {0, 0, 0}, inertia = {1, 1, 1, 0, 0, 0}} "
     "local d for i = 1, 12000 do d = s:driver{name = 'd' .. i, parent = d} end "
     "for i = 1, 12000 do s:link{name = 'l' .. i, kind = 'ball', bones = {b}, driver = d, "
     "at = {0, 0, 0}} end "
     "return s end}",
     0.5}};

START_TEST(time_limit_ends_what_knows_no_clock) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = VB_LUA_LIMITS;
  limits.seconds = UNSEEN[_i].seconds;
  double begun = all_time();
  vb_status status = load_with(UNSEEN[_i].text, (vb_study_request){0}, limits, &study, &error);
  double elapsed = all_time() - begun;
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "s of processor time"), "%s", error.message);
  printf("%.2f s of %g s: %s\n", elapsed, limits.seconds, UNSEEN[_i].text);
  ck_assert_msg(elapsed < limits.seconds + 1, "%s: took %g s", UNSEEN[_i].text, elapsed);
}
END_TEST

START_TEST(instruction_limit_ends_loops) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = VB_LUA_LIMITS;
  limits.instructions = 1000000;
  ck_assert_int_eq(load_with("while true do end", (vb_study_request){0}, limits, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "more than 1000000 instructions"));
}
END_TEST

static void expect_refusal(const char *text, const char *message) {
  vb_study *study = NULL;
  vb_error error = {0};
  ck_assert_int_eq(load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, message), "%s: \"%s\" lacks \"%s\"", text, error.message,
                message);
}

START_TEST(one_call_is_no_endless_loop) {
  expect_refusal(HOLES "while true do table.insert(t, 1, 0) end",
                 "test.lua:1: table.insert: 4611686018427387904");
  expect_refusal("table.move({}, 1, 1 << 62, 2)", "test.lua:1: table.move: 4611686018427387903");
  expect_refusal("table.concat({}, '', 1, math.maxinteger)",
                 "test.lua:1: invalid value (at index 1");
  expect_refusal("local x = ('x'):rep(1 << 29)", "need more than 268435456 bytes of memory");
  expect_refusal("local x = ('x'):rep(1 << 28) x = x .. x", "bytes of memory");
  expect_refusal("table.sort({1, 2}, rawequal)", "test.lua:1: table.sort: the order must be");
}
END_TEST

START_TEST(table_functions_are_unchanged) {
  vb_study *study = load_good(
      "local t = {3, 1, 2}\n"
      "table.sort(t) assert(t[1] == 1 and t[2] == 2 and t[3] == 3)\n"
      "table.sort(t, function(a, b) return a > b end) assert(t[1] == 3 and t[3] == 1)\n"
      "table.insert(t, 0) table.insert(t, 1, 9) assert(#t == 5 and t[1] == 9 and t[5] == 0)\n"
      "assert(table.remove(t) == 0 and table.remove(t, 1) == 9 and #t == 3)\n"
      "assert(table.concat(table.move(t, 1, 3, 2), ',') == '3,3,2,1')\n"
      "local s = {'b', 'a'} table.sort(s) assert(s[1] == 'a' and ('ab'):rep(2, '-') == "
      "'ab-ab')\n" SCENE(ROD));
  vb_study_destroy(study);
  study =
      load_good("assert(table.concat({}) == '' and table.concat({1, 'a', 2.5}) == '1a2.5')\n"
                "assert(table.concat({1, 2, 3}, '-', 2) == '2-3' and table.concat({1, 2}, 0, 1, "
                "2) == '102')\n"
                "assert(table.concat({[math.maxinteger] = 'x'}, ',', math.maxinteger, "
                "math.maxinteger) == 'x' and table.concat({1}, ',', 3, 2) == '')\n" SCENE(ROD));
  vb_study_destroy(study);
  expect_refusal("table.concat({1, {}})",
                 "test.lua:1: invalid value (at index 2) in table for 'concat'");
  expect_refusal("table.concat({1, 2}, {})", "test.lua:1: bad argument #2");
  expect_refusal("table.concat(1)", "test.lua:1: bad argument #1 to 'concat' (table expected");
  expect_refusal("table.insert({}, 5, 1)", "test.lua:1: bad argument #2");
  expect_refusal("table.insert(1, 1)", "test.lua:1: bad argument #1 to 'insert' (table expected");
  expect_refusal("table.sort({1, 'a'})", "test.lua:1: attempt to compare");
}
END_TEST

/// The size of what the load of a text leaves on the standard error.
static long printed_by(const char *text, const char *message) {
  struct stat found;
  char path[] = "/tmp/vb_print_XXXXXX";
  int file = mkstemp(path), kept = dup(STDERR_FILENO);
  ck_assert(file >= 0 && dup2(file, STDERR_FILENO) == STDERR_FILENO);
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status = load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error);
  dup2(kept, STDERR_FILENO);
  ck_assert_int_eq(fstat(file, &found), 0);
  close(file);
  close(kept);
  unlink(path);
  ck_assert_int_eq(status, VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, message), "\"%s\" lacks \"%s\"", error.message, message);
  return (long)found.st_size;
}

START_TEST(print_has_a_limit) {
  long n = printed_by("while true do print(('x'):rep(999)) end",
                      "test.lua:1: print: the script printed more than 1048576 bytes");
  ck_assert_int_le(n, 1 << 20);
  ck_assert_int_ge(n, (1 << 20) - 1000);
  n = printed_by("print(('x'):rep(1 << 21))", "printed more than");
  ck_assert_int_eq(n, 0);
  n = printed_by("for i = 1, 3000 do pcall(print, ('x'):rep(999)) end error('end')", ":1: end");
  ck_assert_int_le(n, 1 << 20);
  n = printed_by("print('a', 1, nil) error('end')", "end");
  ck_assert_int_eq(n, (long)strlen("a\t1\tnil\n"));
}
END_TEST

/// No text that a script can make of them tells where they lie.
START_TEST(values_have_no_addresses) {
  vb_study *study =
      load_good("for _, x in ipairs{print, vb.box, {}, vb, function() end} do\n"
                "assert(tostring(x) == type(x) and string.format('%-9s|', x) == type(x) .. "
                "(' '):rep(9 - #type(x)) .. '|') end\n"
                "assert(tostring(1.5) .. tostring(nil) .. tostring(true) == '1.5niltrue')\n"
                "assert(string.format('%s %5.1f %d%%', 'a', 2, 3) == 'a   2.0 3%')\n" SCENE(
                    ROD "assert(tostring(s) == 'userdata' and tostring(s.rod) == 'function')"));
  vb_study_destroy(study);
  ck_assert_int_eq(printed_by("print(print, {}) error('end')", "end"),
                   (long)strlen("function\ttable\n"));
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("limits");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, time_limit_ends_long_calls, 0, sizeof LONG / sizeof *LONG);
  tcase_add_loop_test(tests, time_limit_ends_what_knows_no_clock, 0,
                      sizeof UNSEEN / sizeof *UNSEEN);
  tcase_add_test(tests, instruction_limit_ends_loops);
  tcase_add_test(tests, one_call_is_no_endless_loop);
  tcase_add_test(tests, table_functions_are_unchanged);
  tcase_add_test(tests, print_has_a_limit);
  tcase_add_test(tests, values_have_no_addresses);
  return tests;
}

VB_TEST_MAIN("lua limits", make_tests())
