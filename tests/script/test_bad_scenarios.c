// SPDX-License-Identifier: GPL-3.0-or-later
/// What is wrong in a script is bad input, said in one sentence with its place.
/// Covers: src/script/runtime/*.[ch] src/script/scene/*.[ch] src/script/study/*.[ch]
#include "bad_cases.h"
#include "lua_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

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

#define BONE                                                                                       \
  "local b = s:bone{mass = 1, inertia = {1, 1, 1, 0, 0, 0}, center = {0, 0, 0}, name = 'b'} "

static const case_word WORDS[] = {{"ROD", ROD},   {"BONE", BONE},   {"HOLES", HOLES},
                                  {"GOOD", GOOD}, {"STUFF", STUFF}, {0}};

/// Statements of a scene are on line 4.
static const case_frame FRAMES[] = {{"nothing", .text = "@"},    {"scene", .text = SCENE("@")},
                                    {"gate", .text = GATE("@")}, {"gates", .text = GATES("@")},
                                    {"runs", .text = RUNS("@")}, {0}};

static bad_cases refused, endless;

/// Loads a case, which must fail with its message.
static void expect_refusal(const bad_case *c, vb_lua_limits limits, vb_error *error) {
  vb_study *study = NULL;
  vb_status status = load_with(c->text, (vb_study_request){0}, limits, &study, error);
  ck_assert_msg(status == VB_BAD_INPUT, "%s: status %d for %s", c->place, status, c->text);
  ck_assert_ptr_null(study);
  ck_assert_msg(strstr(error->message, c->message), "%s: \"%s\" is not in \"%s\"", c->place,
                c->message, error->message);
}

START_TEST(reports_script_errors) {
  vb_error error = {0};
  expect_refusal(&refused.list[_i], VB_LUA_LIMITS, &error);
  ck_assert_msg(strstr(error.message, "test.lua:"), "no file in \"%s\"", error.message);
  ck_assert_msg(!strchr(error.message, '\n'), "more than one line: %s", error.message);
}
END_TEST

/// Scripts that would not end, and that must within few instructions or a small memory.
START_TEST(stops_endless_scripts) {
  vb_error error = {0};
  vb_lua_limits limits = {.memory = 4000000, .instructions = 100000};
  expect_refusal(&endless.list[_i], limits, &error);
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
      {{.tier = "slow"}, "unknown tier \"slow\"; there are quick, full, gold and show"},
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
  refused = find_cases("tests/script/bad/*.lua", FRAMES, WORDS);
  endless = find_cases("tests/script/endless.lua", FRAMES, WORDS);
  tcase_add_loop_test(tcase, reports_script_errors, 0, (int)refused.n);
  tcase_add_loop_test(tcase, stops_endless_scripts, 0, (int)endless.n);
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
