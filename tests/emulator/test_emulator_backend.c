// SPDX-License-Identifier: GPL-3.0-or-later
/// The CUDA backend in the emulator: every call of the runtime that fails is told, loses no memory,
/// and does not spoil the next instance; which device is taken; what has no kernels. Its steps are
/// in test_emulator_steps.c.
/// Covers: src/viper/cuda/*.[ch] src/viper/cuda/*/*
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_contact_cases.h"
#include "emulator.h"
#include "viper/cpu/core/lanes.h"
#include "viper/cuda/core/blocks.h"

static void emulate(void) {
  emulator_forget();
  emulator_schedule(EMULATOR_LOCKSTEP, 1, 0);
  emulator_device(4, 384, 232448);
}

/// No race, no fault, nothing left behind.
static void check_end(void) {
  ck_assert_msg(emulator_races() == 0, "races");
  ck_assert_str_eq(emulator_fault(), "");
  ck_assert_uint_eq(emulator_leaks(), 0);
}

/// The least cost of a step, before any, and what the device is, after one.
START_TEST(what_is_asked_of_a_device) {
  handle on[2];
  double bytes[2], operations[2];
  vb_device device = {0};
  vb_scene *scene = cuda_cases[0].scene();
  emulate();
  emulator_device(2, 256, 256); // all blocks work on each body
  for (int k = 0; k < 2; k++) {
    on[k] = handle_open(scene, "backend", k ? "cuda" : "cpu", "method", "direct", NULL);
    on[k].solver->cost(on[k].self, &bytes[k], &operations[k]);
  }
  ck_assert_double_ge(bytes[1], bytes[0]); // a factor that no cache holds would add to them
  ck_assert_double_gt(operations[1], 0);
  handle_step(&on[1], 1);
  ck_assert_int_eq(on[1].solver->device(on[1].self, &device, NULL), VB_OK);
  ck_assert(device.name[0] && strncmp(device.uuid, "GPU-", 4) == 0 && device.seconds >= 0);
  handle_close(&on[0]);
  handle_close(&on[1]);
  free(scene);
  check_end();
}
END_TEST

// Calls that fail

/// A rod that falls, one that touches another, and two that are bundled: few calls and few
/// instructions each.
static vb_scene *few_rods(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_bar(b, 4, 0.3, 0.03, &scenes_rubber);
  scenes_pin_node(b, 0, VB_PIN_CENTER, scenes_wall(b, "wall"));
  return fixture_freeze(b);
}

static vb_scene *few_contacts(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 2; k++) {
    int32_t first = scenes_bar(b, 2, 0.3, 0.04, &scenes_rubber);
    contact_move(b, first, (double[]){0, 0, 0.04 + 0.07 * k}, (double[]){0, 0, -1});
  }
  contact_add(b, 0.4, false);
  contact_ground(b, 0, 0, 0.5);
  return fixture_freeze(b);
}

static vb_scene *few_bundles(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  bundle_band(b, 2, 2, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  return fixture_freeze(b);
}

static const cuda_case small_scenes[] = {{"rods", few_rods},
                                         {"contacts", few_contacts},
                                         {"bundles", few_bundles},
                                         {"contacts with too little room", few_contacts}};
enum { N_SMALL = sizeof small_scenes / sizeof *small_scenes, LITTLE_ROOM = N_SMALL - 1 };

/// Calls of the runtime, and launches and copies, until an instance was last created.
static long created, worked;

/// The state after two steps, one of them as a graph; NULL, with a message, where a call fails.
static double *positions(const vb_scene *scene, const char *backend, vb_error *error) {
  const vb_solver *solver;
  const vb_option option[] = {{"backend", backend}, {"method", "xpbd"}, {"iterations", "2"}};
  void *self = NULL;
  vb_divergence divergence;
  double *x = calloc(3 * vb_scene_count(scene, VB_SET_NODE), sizeof *x);
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  bool well = solver->create(solver, scene, option, 3, &self, error) == VB_OK;
  created = emulator_calls();
  worked = emulator_works();
  for (int k = 0; well && k < 2; k++)
    well = solver->step(self, 1, error) == VB_OK && solver->sync(self, &divergence, error) == VB_OK;
  well = well && solver->read(self, 0, x, error) == VB_OK;
  ck_assert_str_eq(solver->describe(solver)->fields[0].name, "position");
  if (self)
    solver->destroy(self);
  if (well)
    return x;
  free(x);
  return NULL;
}

/// Whether a run in which call `k` from now on fails is told as failed, with a sentence. If not,
/// its states are right all the same (as where memory is freed, or a device asked whether it can do
/// what is optional). No memory is lost.
static bool check_failure(const vb_scene *scene, long k, const double *expected) {
  size_t leaks = emulator_leaks();
  size_t bytes = 3 * vb_scene_count(scene, VB_SET_NODE) * sizeof(double);
  vb_error error = {0};
  emulator_fail_call(k);
  double *x = positions(scene, "cuda", &error);
  emulator_fail_call(-1);
  const char *call = emulator_failed_call();
  bool told = !x;
  ck_assert_msg(x || error.message[0], "call %ld, %s: no message", k, call);
  ck_assert_msg(!x || !memcmp(x, expected, bytes), "call %ld, %s: other states", k, call);
  ck_assert_msg(emulator_leaks() <= leaks, "call %ld, %s: memory is lost", k, call);
  ck_assert_msg(!emulator_fault()[0], "call %ld, %s: %s", k, call, emulator_fault());
  free(x);
  return told;
}

/// One call after the other fails, each in a run of its own. Of the scene that needs more room for
/// its pairs than there is at first only those calls from the first step on.
START_TEST(calls_that_fail_are_told) {
  const cuda_case *c = &small_scenes[_i];
  vb_scene *scene = c->scene();
  size_t bytes = 3 * vb_scene_count(scene, VB_SET_NODE) * sizeof(double);
  vb_error error = {0};
  emulate();
  if (_i == LITTLE_ROOM)
    viper_cuda_first.pairs = viper_cuda_first.touches = 1;
  double *expected = positions(scene, "cpu", &error);
  long first = emulator_calls(), told = 0;
  double *x = positions(scene, "cuda", &error);
  ck_assert_msg(x && !memcmp(x, expected, bytes), "%s", error.message);
  free(x);
  long n = emulator_calls() - first, begin = _i == LITTLE_ROOM ? created - first : 0;
  bool grows = false, frees = false;
  for (long k = begin; k < n; k++) {
    told += check_failure(scene, k, expected);
    grows = grows || strcmp(emulator_failed_call(), "cudaMalloc") == 0;
    frees = frees || strcmp(emulator_failed_call(), "cudaFree") == 0;
  }
  ck_assert(grows && frees); // memory is taken at creation, or for more pairs
  x = positions(scene, "cuda", &error);
  ck_assert_msg(x && !memcmp(x, expected, bytes), "after failures: %s", error.message);
  fprintf(stderr, "%s: %ld calls, %ld of which end a run\n", c->name, n - begin, told);
  ck_assert_int_gt(told, (n - begin) / 2);
  free(x);
  free(expected);
  free(scene);
}
END_TEST

/// One launch or copy after the other fails when it is executed, long after it was queued: a call
/// that follows tells, and what the host holds is freed. Where there is too little room, those from
/// the first step on.
START_TEST(work_that_fails_later_is_told) {
  vb_scene *scene = small_scenes[_i].scene();
  size_t bytes = 3 * vb_scene_count(scene, VB_SET_NODE) * sizeof(double);
  vb_error error = {0};
  emulate();
  if (_i == LITTLE_ROOM)
    viper_cuda_first.pairs = viper_cuda_first.touches = 1;
  long first = emulator_works();
  double *expected = positions(scene, "cuda", &error);
  long n = emulator_works() - first, begin = _i == LITTLE_ROOM ? worked - first : 0;
  ck_assert_msg(expected != NULL, "%s", error.message);
  ck_assert_int_gt(n - begin, 5);
  for (long k = begin; k < n; k++) {
    error.message[0] = '\0';
    emulator_fail_work(k);
    double *x = positions(scene, "cuda", &error);
    emulator_fail_work(-1);
    emulator_forget();
    ck_assert_msg(!x, "work %ld of %ld fails, and nothing tells", k, n);
    ck_assert_msg(strstr(error.message, "uncorrectable ECC error") != NULL, "work %ld of %ld: %s",
                  k, n, error.message);
  }
  double *x = positions(scene, "cuda", &error);
  ck_assert_msg(x && !memcmp(x, expected, bytes), "after failures: %s", error.message);
  free(x);
  free(expected);
  free(scene);
}
END_TEST

/// What an instance of backend "auto" warns of; "" for nothing.
static void warning_of_auto(const vb_scene *scene, char *out, size_t size) {
  const vb_solver *solver;
  const vb_option option = {"backend", "auto"};
  void *self;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_msg(solver->create(solver, scene, &option, 1, &self, &error) == VB_OK, "%s",
                error.message);
  const char *warning = solver->warning(self);
  snprintf(out, size, "%s", warning ? warning : "");
  solver->destroy(self);
}

/// "auto" takes the CPU where a device has too little memory, and says so; and where there is no
/// device, and does not.
START_TEST(auto_tells_why_it_passes_over_a_device) {
  char warning[400] = "none";
  vb_scene *scene = few_rods();
  emulate();
  long none = emulator_calls();
  warning_of_auto(scene, warning, sizeof warning);
  ck_assert_str_eq(warning, "");
  long n = emulator_calls() - none;
  bool memory = false;
  for (long k = 0; k < n && !memory; k++) {
    emulator_fail_call(k);
    warning_of_auto(scene, warning, sizeof warning);
    emulator_fail_call(-1);
    if (k == 0)
      ck_assert_str_eq(warning, ""); // cudaGetDeviceCount
    memory = strcmp(emulator_failed_call(), "cudaMalloc") == 0;
  }
  ck_assert_msg(memory && strstr(warning, "backend auto did not take cuda: the CUDA device cannot "
                                          "go on: ") == warning,
                "%s", warning);
  ck_assert_ptr_null(strstr(warning, "take backend"));
  free(scene);
}
END_TEST

/// Of several devices an instance takes the first that is seen: its own number is in the last byte
/// of its UUID. Where none is seen, the sentence says what may be the reason.
START_TEST(the_first_visible_device_is_taken) {
  static const struct {
    const char *visible;
    int taken;
  } cases[] = {{NULL, 0}, {"2", 2}, {"1,0", 1}, {"0,7", 0}, {"", -1}, {"-1", -1}, {"3", -1}};
  vb_scene *scene = few_rods();
  emulate();
  emulator_devices(3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const vb_solver *solver;
    const vb_option option = {"backend", "cuda"};
    vb_device device = {0};
    vb_error error = {0};
    void *self = NULL;
    char ends[16];
    if (cases[i].visible)
      setenv("CUDA_VISIBLE_DEVICES", cases[i].visible, 1);
    else
      unsetenv("CUDA_VISIBLE_DEVICES");
    ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
    vb_status status = solver->create(solver, scene, &option, 1, &self, &error);
    ck_assert_int_eq(status, cases[i].taken < 0 ? VB_UNAVAILABLE : VB_OK);
    if (status) {
      ck_assert_msg(strstr(error.message, "CUDA_VISIBLE_DEVICES is set"), "%s", error.message);
      continue;
    }
    ck_assert_int_eq(solver->step(self, 1, NULL), VB_OK);
    ck_assert_int_eq(solver->device(self, &device, NULL), VB_OK);
    snprintf(ends, sizeof ends, "%02x", (unsigned)cases[i].taken);
    ck_assert_str_eq(device.uuid + strlen(device.uuid) - 2, ends);
    solver->destroy(self);
  }
  unsetenv("CUDA_VISIBLE_DEVICES");
  emulator_devices(1);
  free(scene);
  check_end();
}
END_TEST

static vb_scene *solid_held_fast(void) {
  return case_held_fast_of(true);
}

#define NO_STATICS "backend cuda has dynamics static in arithmetic strict alone"
#ifdef VIPER_CUDA_FEW
#define LEFT_OUT                                                                                   \
  "this build has no CUDA kernels of fast arithmetic in double: take strict arithmetic, or build " \
  "with CUDA_ARCHS=all"
#define STATICS_LEFT_OUT "this build has no CUDA kernels of dynamics static: take backend cpu, or "
#else
#define LEFT_OUT         ""
#define STATICS_LEFT_OUT ""
#endif

/// What has no kernels: never, and in a build for no device.
typedef struct without {
  cuda_case scene;
  const char *dynamics, *arithmetic, *precision, *expected;
} without;
static const without without_kernels[] = {
    {{"rods", few_rods}, "transient", "fast", "float", ""},
    {{"rods", few_rods}, "transient", "fast", "double", LEFT_OUT},
    {{"solid", case_solid}, "transient", "fast", "float", ""},
    {{"solid", case_solid}, "transient", "fast", "double", LEFT_OUT},
    {{"held fast", case_held_fast}, "static", "fast", "float", NO_STATICS},
    {{"solid held fast", solid_held_fast}, "static", "fast", "double", NO_STATICS},
    {{"held fast", case_held_fast}, "static", "strict", "double", STATICS_LEFT_OUT}};
enum { N_WITHOUT = sizeof without_kernels / sizeof *without_kernels };

/// Whether the CPU has these.
static bool on_cpu(const without *w) {
  return strcmp(w->arithmetic, "fast") != 0 || strcmp(w->precision, "double") != 0 ||
         viper_lanes_find(64, viper_lanes_best(), true) != NULL;
}

/// A build that leaves out kernels of fast arithmetic says so, and how to have them; "auto" takes
/// the CPU and warns, if that has them.
START_TEST(kernels_that_were_left_out_are_told) {
  const char *expected = without_kernels[_i].expected, *warning;
  vb_scene *scene = without_kernels[_i].scene.scene();
  vb_option option[] = {{"backend", "cuda"},
                        {"arithmetic", without_kernels[_i].arithmetic},
                        {"dynamics", without_kernels[_i].dynamics},
                        {"precision", without_kernels[_i].precision}};
  const vb_solver *solver;
  void *self = NULL;
  vb_error error = {0};
  emulate();
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, option, 4, &self, &error),
                   *expected ? VB_UNAVAILABLE : VB_OK);
  ck_assert_msg(strstr(error.message, expected) == error.message, "%s", error.message);
  if (!*expected)
    solver->destroy(self);
  option[0].value = "auto";
  vb_status status = solver->create(solver, scene, option, 4, &self, &error);
  if (*expected && !on_cpu(&without_kernels[_i])) {
    ck_assert_int_eq(status, VB_UNAVAILABLE);
  } else {
    ck_assert_msg(status == VB_OK, "%s", error.message);
    warning = solver->warning(self);
    ck_assert_msg(*expected ? warning && strstr(warning, expected) != NULL : !warning || !*warning,
                  "%s", warning);
    solver->destroy(self);
  }
  free(scene);
  check_end();
}
END_TEST

static TCase *backend(void) {
  TCase *t = tcase_create("backend");
  tcase_set_timeout(t, 120);
  emulator_read();
  tcase_add_loop_test(t, calls_that_fail_are_told, 0, N_SMALL);
  tcase_add_loop_test(t, work_that_fails_later_is_told, 0, N_SMALL);
  tcase_add_test(t, what_is_asked_of_a_device);
  tcase_add_test(t, the_first_visible_device_is_taken);
  tcase_add_loop_test(t, kernels_that_were_left_out_are_told, 0, N_WITHOUT);
  tcase_add_test(t, auto_tells_why_it_passes_over_a_device);
  return t;
}

VB_TEST_MAIN("emulator backend", backend())
