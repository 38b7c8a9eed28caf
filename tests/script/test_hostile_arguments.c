// SPDX-License-Identifier: GPL-3.0-or-later
/// Whatever a script gives to a function of the interface - lists with holes, huge or negative
/// numbers, no numbers, cycles, functions, things of a wrong type - it ends in time, by a sentence
/// or a result.
/// Covers: src/script/scene/*.[ch] src/script/runtime/*.[ch]
#include "base/clock.h"
#include "base/file.h"
#include "lua_fixture.h"
#include "script/scene/lua_scene.h"

#include <time.h>

#define CALLS "tests/script/hostile_arguments.lua"

#define NAME(name) #name
static const char *const METHODS[] = {VB_LUA_METHODS(NAME)};
static const char *const FUNCTIONS[] = {
    "scene", "box", "read_mesh", "read_surface", "tetrahedralize", "viperize", "fibers", "muscle",
    "pills", "vertices_at", "pill_surface", "inside", "read_links", "fit", "read_scene",
    "libraries",
    // Further calls of the same functions.
    "rod solid", "rod points", "segment solid", "load torque", "pin frame", "halfplane point",
    "collider sphere", "contact pairs", "gate measure", "set node", "set segment", "set key",
    "set driver", "set pin", "set half-plane", "set collider", "set bone", "set activation",
    "set friction"};
enum {
  N_METHODS = sizeof METHODS / sizeof *METHODS,
  N_FUNCTIONS = sizeof FUNCTIONS / sizeof *FUNCTIONS
};

static double thread_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Loads the calls of a function with value number `value`.
static vb_status load_calls(const char *function, int value, vb_error *error) {
  char *calls, *text = NULL;
  size_t size;
  vb_study *study = NULL;
  vb_lua_limits limits = VB_LUA_LIMITS;
  limits.seconds = value == 0 ? 10 : 0.2; // the good call is to end by itself on a busy machine
  ck_assert_int_eq(vb_file_read(CALLS, CALLS, 1 << 20, &calls, &size, error), VB_OK);
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "local FUNCTION, VALUE, METHODS = '%s', %d, {", function, value);
  for (size_t i = 0; i < N_METHODS; i++)
    fprintf(out, "'%s',", METHODS[i]);
  fprintf(out, "} %s", calls);
  ck_assert_int_eq(fclose(out), 0);
  double begun = thread_time(), wall = vb_clock();
  vb_status status = load_with(text, (vb_study_request){0}, limits, &study, error);
  double elapsed = thread_time() - begun;
  ck_assert_msg(elapsed < 4 && vb_clock() - wall < 60, "%s: value %d took %g s", function, value,
                elapsed);
  vb_study_destroy(study);
  free(text);
  free(calls);
  return status;
}

START_TEST(any_argument_ends_in_time) {
  const char *function = _i < N_METHODS ? METHODS[_i] : FUNCTIONS[_i - N_METHODS];
  vb_error error = {0};
  vb_status status = load_calls(function, 0, &error);
  ck_assert_msg(status == VB_OK, "%s: %s", function, error.message); // the call itself is well
  // All values take a minute of processor time; of each six, every function gets another one, and
  // yet another one under sanitizers.
  int step = getenv("ALL") ? 1 : 6, value = 1 + (_i + 3 * VB_WATCHED) % step;
  if (_i == 0 && step > 1)
    vb_skip("five sixths of the values", "they take a minute: ALL=1, as \"make nightly\" does");
  do {
    error = (vb_error){0};
    status = load_calls(function, value, &error);
    value += step;
    ck_assert_msg(status == VB_OK || (status == VB_BAD_INPUT && *error.message), "%s: %d: %d %s",
                  function, value - step, status, error.message);
  } while (!strstr(error.message, "no more values"));
  ck_assert_int_gt(value, 30);
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("arguments");
  tcase_set_timeout(tests, 300);
  tcase_add_loop_test(tests, any_argument_ends_in_time, 0, N_METHODS + N_FUNCTIONS);
  return tests;
}

VB_TEST_MAIN("hostile arguments", make_tests())
