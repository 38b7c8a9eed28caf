// SPDX-License-Identifier: GPL-3.0-or-later
/// What plug-in solvers are made of: guarded arrays, descriptions as bytes, and a solver of the
/// program behind a process, which must be the same solver bit by bit.
/// Covers: src/solver/plugin/channel.* src/solver/plugin/description.* src/solver/plugin/guard.*
/// Covers: src/solver/plugin/proxy.* src/solver/plugin/motion_check.*
#include "handle.h"
#include "scenes/scenes.h"

#include "solver/plugin/description.h"
#include "solver/plugin/guard.h"
#include "solver/plugin/motion_check.h"
#include "solver/plugin/plugin.h"

#include <math.h>
#include <sys/prctl.h>

/// Sizes around the alignment and around a page.
static const size_t SIZES[] = {0, 1, 7, 8, 9, 16, 24, 120, 4080, 4088, 4096, 4104, 40000};

START_TEST(guard_sees_what_was_written) {
  size_t bytes = SIZES[_i], first = 99;
  vb_guard g;
  ck_assert_int_eq(vb_guard_make(bytes, &g, NULL), VB_OK);
  ck_assert_uint_eq((uintptr_t)g.data % 16, 0);
  vb_guard_poison(&g);
  ck_assert(vb_guard_untouched(&g));
  if (bytes >= 8) {
    ck_assert_int_eq(vb_guard_check(&g, &first), VB_GUARD_PARTLY);
    ck_assert_uint_eq(first, 0);
    memset(g.data, 0, bytes - 8);
    ck_assert_int_eq(vb_guard_check(&g, &first), bytes % 8 ? VB_GUARD_WRITTEN : VB_GUARD_PARTLY);
  }
  memset(g.data, 0, bytes);
  ck_assert_int_eq(vb_guard_check(&g, &first), VB_GUARD_WRITTEN);
  g.data[-1] ^= 1;
  ck_assert_int_eq(vb_guard_check(&g, &first), VB_GUARD_BEFORE);
  ck_assert(!vb_guard_untouched(&g));
  g.data[-1] ^= 1;
  if (bytes % 16) { // otherwise the page behind it begins at once
    g.data[bytes] ^= 1;
    ck_assert_int_eq(vb_guard_check(&g, &first), VB_GUARD_BEYOND);
  }
  vb_guard_free(&g);
}
END_TEST

START_TEST(guard_reports_sides) {
  vb_guard g;
  ck_assert_int_eq(vb_guard_make(32, &g, NULL), VB_OK);
  ck_assert_int_eq(vb_guard_side(&g, g.data), 0);
  ck_assert_int_eq(vb_guard_side(&g, g.data + 32), 1);
  ck_assert_int_eq(vb_guard_side(&g, g.map), -1);
  ck_assert_int_eq(vb_guard_side(&g, g.map - 1), 2);
  ck_assert_int_eq(vb_guard_side(&g, g.map + g.map_bytes), 2);
  vb_guard_free(&g);
}
END_TEST

/// The description of the viper solver as bytes.
// The block is written. NOLINTNEXTLINE(readability-non-const-parameter)
static size_t pack_viper(char *bytes, size_t size) {
  const vb_solver *viper = NULL;
  ck_assert_int_eq(vb_solver_find("viper", &viper, NULL), VB_OK);
  vb_pack pack = {.bytes = bytes, .size = size};
  vb_description_pack(viper->describe(viper), &pack);
  ck_assert(!pack.broken);
  return pack.at;
}

START_TEST(description_survives_packing) {
  static char bytes[1 << 16];
  const vb_solver *viper = NULL;
  vb_solver_description d;
  vb_pack pack = {.bytes = bytes, .size = pack_viper(bytes, sizeof bytes)};
  ck_assert_int_eq(vb_solver_find("viper", &viper, NULL), VB_OK);
  const vb_solver_description *v = viper->describe(viper);
  ck_assert_int_eq(vb_description_unpack(&pack, &d, NULL), VB_OK);
  ck_assert_int_eq(vb_description_check(&d, NULL), VB_OK);
  ck_assert_str_eq(d.name, v->name);
  ck_assert_uint_eq(d.sets, v->sets);
  ck_assert_uint_eq(d.n_fields, v->n_fields);
  for (size_t i = 0; i < d.n_fields; i++) {
    ck_assert_str_eq(d.fields[i].name, v->fields[i].name);
    ck_assert_int_eq(d.fields[i].location, v->fields[i].location);
    ck_assert_int_eq(d.fields[i].components, v->fields[i].components);
  }
  ck_assert_uint_eq(d.n_energies, v->n_energies);
  ck_assert_uint_eq(d.n_phases, v->n_phases);
  ck_assert_uint_eq(d.n_options, v->n_options + 3);
  for (size_t i = 0; i < v->n_options; i++) {
    ck_assert_str_eq(d.options[i].default_value, v->options[i].default_value);
    ck_assert(!d.options[i].choices == !v->options[i].choices);
    ck_assert(d.options[i].maximum == v->options[i].maximum);
  }
  for (size_t i = 0; i < d.n_options; i++)
    ck_assert(vb_option_is_host(d.options[i].name) == (i >= v->n_options));
  ck_assert_str_eq(d.options[v->n_options].name, VB_TIME_LIMIT);
  vb_description_free(&d);
}
END_TEST

START_TEST(broken_description_is_refused) {
  static char bytes[1 << 16], broken[1 << 16];
  size_t size = pack_viper(bytes, sizeof bytes);
  for (size_t n = 0; n < size; n++) { // cut off anywhere
    vb_solver_description d;
    vb_error error = {0};
    memcpy(broken, bytes, n);
    vb_pack pack = {.bytes = broken, .size = n};
    ck_assert_int_eq(vb_description_unpack(&pack, &d, &error), VB_BAD_INPUT);
  }
  for (size_t n = 0; n + 8 <= size; n++) { // and with a number that is beyond all, anywhere
    vb_solver_description d;
    vb_error error = {0};
    memcpy(broken, bytes, size);
    memset(broken + n, 0xff, 8);
    vb_pack pack = {.bytes = broken, .size = size};
    if (!vb_description_unpack(&pack, &d, &error)) {
      vb_description_check(&d, &error);
      vb_description_free(&d);
    }
  }
}
END_TEST

/// A bar that hangs from a wall, bent by a load.
static vb_scene *make_scene(void) {
  vb_builder *b = scenes_begin(1.0 / 60, 9.81);
  int32_t first = scenes_bar(b, 8, 1, 0.05, &scenes_rubber);
  scenes_pin_node(b, first, VB_PIN_CENTER, scenes_wall(b, "wall"));
  scenes_push(b, first + 8, 0, 0.5, 0, 0);
  vb_builder_world(b)->n_steps = 20;
  return fixture_freeze(b);
}

/// The named solver in a process of the program.
static handle open_apart(const char *name, const vb_scene *scene) {
  const char *program = getenv("VB_PROGRAM");
  handle s = {.scene = scene};
  vb_error error = {0};
  ck_assert_msg(!vb_plugin_open(name, program ? program : "bin/viperbench", &s.solver, &error),
                "%s", error.message);
  ck_assert_msg(!s.solver->create(s.solver, scene, NULL, 0, &s.self, &error), "%s", error.message);
  return s;
}

START_TEST(same_solver_behind_a_process) {
  vb_scene *scene = make_scene();
  handle in_process = handle_open(scene, NULL), apart = open_apart("check:viper", scene);
  ck_assert(handle_same(&in_process, &apart));
  for (int n = 1; n <= 4; n++) {
    handle_step(&in_process, n);
    handle_step(&apart, n);
    ck_assert(handle_same(&in_process, &apart));
  }
  // A state crosses both ways.
  void *from_in_process = handle_save(&in_process), *from_apart = handle_save(&apart);
  handle_step(&in_process, 5);
  ck_assert_int_eq(in_process.solver->restore(in_process.self, from_apart, NULL), VB_OK);
  ck_assert_int_eq(apart.solver->restore(apart.self, from_in_process, NULL), VB_OK);
  handle_set(&in_process, "iterations", "3");
  handle_set(&apart, "iterations", "3");
  handle_step(&in_process, 2);
  handle_step(&apart, 2);
  ck_assert(handle_same(&in_process, &apart));
  double cost[2][2];
  in_process.solver->cost(in_process.self, &cost[0][0], &cost[0][1]);
  apart.solver->cost(apart.self, &cost[1][0], &cost[1][1]);
  ck_assert(cost[0][0] == cost[1][0] && cost[0][1] == cost[1][1]);
  vb_plugin_usage usage = {0};
  ck_assert(vb_plugin_find_usage(apart.solver, apart.self, &usage) && usage.cpu_s > 0);
  // A solver of an ordinary user can neither trace this process nor read its memory.
  ck_assert_int_eq(prctl(PR_GET_DUMPABLE), 0);
  ck_assert(!vb_plugin_find_usage(in_process.solver, in_process.self, &usage));
  free(from_in_process);
  free(from_apart);
  handle_close(&in_process);
  handle_close(&apart);
  free(scene);
}
END_TEST

START_TEST(options_go_through) {
  vb_scene *scene = make_scene();
  handle s = open_apart("check:bergou", scene);
  vb_error error = {0};
  char value[64];
  ck_assert_int_eq(s.solver->get_option(s.self, VB_TIME_LIMIT, value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "60");
  handle_set(&s, VB_TIME_LIMIT, "7.5");
  ck_assert_int_eq(s.solver->get_option(s.self, VB_TIME_LIMIT, value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "7.5");
  ck_assert_int_eq(s.solver->get_option(s.self, VB_MEMORY_LIMIT, value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "0");
  ck_assert_int_eq(s.solver->set_option(s.self, VB_MEMORY_LIMIT, "1", &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "option memory_limit cannot be changed after creation");
  handle_set(&s, "iterations", "4");
  ck_assert_int_eq(s.solver->get_option(s.self, "iterations", value, sizeof value, NULL), VB_OK);
  ck_assert_str_eq(value, "4");
  ck_assert_int_eq(s.solver->set_option(s.self, "iterations", "many", &error), VB_BAD_INPUT);
  ck_assert_int_eq(s.solver->set_option(s.self, "nonsense", "1", &error), VB_BAD_INPUT);
  strcpy(value, "untouched");
  ck_assert_int_eq(s.solver->get_option(s.self, "nonsense", value, sizeof value, &error),
                   VB_BAD_INPUT);
  ck_assert_str_eq(value, "untouched");
  handle_close(&s);
  free(scene);
}
END_TEST

/// Why a bar of two nodes could move, each in turn; its first node is pinned.
START_TEST(what_could_move_a_scene) {
  static const char *const reasons[] = {NULL, "there is gravity", "there are velocities at time 0",
                                        "there are loads", "a driver moves pins"};
  vb_builder *b = scenes_begin(0.01, _i == 1 ? 9.81 : 0);
  int32_t first = scenes_bar(b, 1, 1, 0.1, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, first, VB_PIN_CENTER, wall});
  size_t n;
  if (_i == 2)
    ((vb_node *)vb_builder_elements(b, VB_SET_NODE, &n))[1].velocity[2] = 1;
  if (_i == 3)
    fixture_add(b, VB_SET_LOAD,
                &(vb_load){.name = "wind",
                           .location = VB_AT_NODE,
                           .index = 1,
                           .force = {1, 0, 0},
                           .amplitude = -1});
  if (_i == 4) {
    vb_key key = {.time = 0, .value = 0, .interpolation = VB_LINEAR};
    vb_curve curve = {fixture_add(b, VB_SET_KEY, &key), 1};
    int32_t index = fixture_add(b, VB_SET_CURVE, &curve);
    ((vb_driver *)vb_builder_elements(b, VB_SET_DRIVER, &n))[0].translation[0] = index;
  }
  vb_scene *scene = fixture_freeze(b);
  const char *reason = vb_motion_reason(scene);
  ck_assert_str_eq(reason ? reason : "none", reasons[_i] ? reasons[_i] : "none");
  free(scene);
}
END_TEST

static TCase *parts(void) {
  TCase *t = tcase_create("parts");
  tcase_add_loop_test(t, guard_sees_what_was_written, 0, sizeof SIZES / sizeof *SIZES);
  tcase_add_test(t, guard_reports_sides);
  tcase_add_test(t, description_survives_packing);
  tcase_add_test(t, broken_description_is_refused);
  tcase_add_test(t, same_solver_behind_a_process);
  tcase_add_test(t, options_go_through);
  tcase_add_loop_test(t, what_could_move_a_scene, 0, 5);
  return t;
}

VB_TEST_MAIN("plugin parts", parts())
