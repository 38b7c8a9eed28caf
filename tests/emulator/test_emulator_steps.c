// SPDX-License-Identifier: GPL-3.0-or-later
/// Steps in the emulator: scenes with everything that kernels tell apart, by every method and in
/// both precisions, are the CPU's bit by bit, without a race. What else a step depends on
/// (integrator, gyroscope, normals, scales, iterations, substeps), schedules and devices come by
/// turns, so that each meets each scene and each method.
/// Covers: src/viper/cuda/*.[ch] src/viper/cuda/*/*
/// Covers: src/viper/cpu/evaluate/bundle_residual_real.c
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_contact_cases.h"
#include "emulator.h"
#include "viper/cuda/core/blocks.h"

#include <float.h>

enum {
  SCHEDULES = 3,
  DEVICES = 3,
  N_ROD_CASES = N_CUDA_CASES + 1, // and a surface
  N_JOINED_CASES = N_BUNDLE_CASES + 1,
  N_SCENES = N_ROD_CASES + N_CONTACT_CASES + N_JOINED_CASES
};

/// Devices: bodies find room in a warp's share, in a block's, or on several multiprocessors.
static const struct {
  int multiprocessors, threads;
  size_t shared;
} devices[DEVICES] = {{4, 384, 232448}, {1, 64, 49152}, {2, 1024, 101376}};

/// Steps of the CPU until the steps that are compared: most scenes are in contact then, and thrown
/// rods hit in the second step.
static cuda_case scene_at(int i, int *before) {
  *before = 3;
  if (i < N_CUDA_CASES)
    return cuda_cases[i];
  if (i < N_ROD_CASES)
    return (cuda_case){"a surface", case_surface};
  if ((i -= N_ROD_CASES) < N_CONTACT_CASES) {
    *before = contact_cases[i].scene == contact_throw ? 0 : 8;
    return contact_cases[i];
  }
  if ((i -= N_CONTACT_CASES) < N_BUNDLE_CASES) {
    *before = bundle_cases[i].scene == bundle_heap ? 8 : 3;
    return bundle_cases[i];
  }
  return (cuda_case){"a surface on bundles", bundle_surface};
}

static void emulate(int schedule, int device) {
  emulator_forget();
  emulator_schedule(schedule, 7 + (unsigned)device, 1);
  emulator_device(devices[device].multiprocessors, devices[device].threads, devices[device].shared);
}

/// No race, no fault, nothing left behind.
static void check_end(const char *name) {
  ck_assert_msg(emulator_races() == 0, "%s: races", name);
  ck_assert_msg(!emulator_fault()[0], "%s: %s", name, emulator_fault());
  ck_assert_uint_eq(emulator_leaks(), 0);
}

static double epsilon_of(int v) {
  return v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON;
}

/// An instance of variant `v`, with what else comes by turns: `turn` is 0 to 3.
static handle open_case(const vb_scene *scene, int v, int turn, const char *backend) {
  static const char *const iterations[] = {"3", "2", "4", "1"};
  const bool joined = vb_scene_contact(scene) || vb_scene_count(scene, VB_SET_HALF_PLANE) > 0 ||
                      vb_scene_count(scene, VB_SET_BUNDLE) > 0;
  const bool bdf2 = turn % 2 && !joined && !vb_scene_count(scene, VB_SET_FOLLOWER_LOAD);
  return handle_open(scene, "backend", backend, "method", case_method(scene, v), "precision",
                     case_precisions[v / CASE_METHODS], "tolerance", "0", "iterations",
                     iterations[turn], "substeps", turn < 2 ? "2" : "1", "integrator",
                     bdf2 ? "bdf2" : "euler", "gyroscope", turn < 2 ? "auto" : "on",
                     "contact_normal", turn % 2 ? "smooth" : "segment", "bundle_scale",
                     turn % 2 ? "no" : "yes", "skin_frames",
                     vb_scene_count(scene, VB_SET_BUNDLE) > 0 ? "bundle" : "segment", NULL);
}

/// Whether all that an instance tells is the same, but for rounding where sums have another order.
static void check_same(const handle *cpu, const handle *cuda, int v, const char *what) {
  const vb_scene *scene = cpu->scene;
  ck_assert_msg(case_same_state(cpu, cuda), "%s differs", what);
  case_check_work(cpu, cuda, epsilon_of(v));
  if (vb_scene_contact(scene) || vb_scene_count(scene, VB_SET_HALF_PLANE) > 0)
    ck_assert_msg(contact_same_report(cpu, cuda), "%s: other contacts", what);
  if (vb_scene_count(scene, VB_SET_BUNDLE) > 0)
    ck_assert_msg(bundle_same(cpu, cuda, v, what), "%s: another residual", what);
  if (vb_scene_count(scene, VB_SET_SURFACE_VERTEX) > 0)
    case_check_surface(cpu, cuda, epsilon_of(v));
}

/// Some steps of the CPU, whose state then is restored on both; a step; and one with other
/// substeps, which bdf2 takes into account.
START_TEST(steps_are_the_cpus) {
  int i = _i / CASE_VARIANTS, v = _i % CASE_VARIANTS, turn = (i + v) % 4, before;
  const cuda_case c = scene_at(i, &before);
  char what[200];
  vb_scene *scene = c.scene();
  emulate((i + v / 2) % SCHEDULES, (i + v) % DEVICES);
  viper_cuda_first.pass_blocks = 2; // where a device holds so many
  handle cpu = open_case(scene, v, turn, "cpu"), cuda = open_case(scene, v, turn, "cuda");
  handle_step(&cpu, v % 2 ? before / 2 : before);
  void *state = handle_save(&cpu);
  ck_assert_int_eq(cpu.solver->restore(cpu.self, state, NULL), VB_OK);
  ck_assert_int_eq(cuda.solver->restore(cuda.self, state, NULL), VB_OK);
  free(state);
  double contacts = 0, truncated = 0;
  for (int k = 0; k < 2; k++) {
    snprintf(what, sizeof what, "%s, %s, %s, turn %d: step %d", c.name,
             case_methods[v % CASE_METHODS], case_precisions[v / CASE_METHODS], turn, k + 1);
    bool well = handle_try(&cpu, 1);
    ck_assert_int_eq(handle_try(&cuda, 1), well);
    check_same(&cpu, &cuda, v, what);
    if (vb_scene_contact(scene)) {
      contacts += handle_value(&cpu, "contacts", 0);
      truncated += handle_value(&cpu, "contact_truncated", 0);
    }
    handle_set(&cpu, "substeps", "3");
    handle_set(&cuda, "substeps", "3");
  }
  ck_assert_msg(!vb_scene_contact(scene) || contacts > 0, "%s: no contacts", what);
  // By block-descent, whose bodies are put back to their momentum, few are.
  ck_assert_msg(c.scene != contact_throw || v % CASE_METHODS == 1 || truncated > 0,
                "%s: nothing is truncated", what);
  const char *warning = cpu.solver->warning(cpu.self), *same = cuda.solver->warning(cuda.self);
  ck_assert_str_eq(warning ? warning : "", same ? same : "");
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end(c.name);
}
END_TEST

/// Bodies that find room in no block, so that all blocks of a device work on each. Their matrices
/// are factored in another order than the CPU's, also in submatrices of a few columns, so that
/// `direct` has other rounding errors. Each iteration takes back the errors of the one before, and
/// the last moves little, so what stays are some rounding errors of positions (6 m) for each
/// substep: a hundred are allowed in all.
START_TEST(bodies_of_the_whole_device_are_the_cpus) {
  enum { COLUMNS = 18 };
  static const struct {
    vb_scene *(*scene)(void);
    int v;
  } cut[] = {{case_graphs, CASE_DIRECT},
             {case_graphs, CASE_METHODS + CASE_DIRECT},
             {case_driven, CASE_DIRECT}}; // whose bodies are cut into one submatrix and a top
  const bool is_cut = _i >= CASE_VARIANTS;
  const int v = is_cut ? cut[_i - CASE_VARIANTS].v : _i;
  vb_scene *scene = is_cut ? cut[_i - CASE_VARIANTS].scene() : cuda_cases[_i].scene();
  size_t n = 3 * vb_scene_count(scene, VB_SET_NODE);
  emulator_forget();
  emulator_schedule(_i % SCHEDULES, 7 + (unsigned)_i, 1);
  emulator_device(2, 256, 256);
  viper_cuda_first.columns_at_once = is_cut ? COLUMNS : VIPER_COLUMNS_AT_ONCE;
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  for (int step = 0; step < 2; step++)
    ck_assert(handle_try(&cpu, 1) && handle_try(&cuda, 1));
  double *x = handle_read(&cpu, "position"), *y = handle_read(&cuda, "position");
  double most = case_is_direct(v) ? 100 * 6 * epsilon_of(v) : 0;
  for (size_t i = 0; i < n; i++)
    ck_assert_msg(fabs(x[i] - y[i]) <= most, "%s, %s: %g apart", case_methods[v % CASE_METHODS],
                  case_precisions[v / CASE_METHODS], fabs(x[i] - y[i]));
  free(x);
  free(y);
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end("bodies of the whole device");
}
END_TEST

/// Fast arithmetic in float is near the CPU's strict one, by the methods whose constraints have
/// closed forms in it: where they have (rods, pins of whole centers), and where kernels without
/// them are taken (a center that is pinned in part, held frames). Positions (some
/// meters) are up to 6 rounding errors of 1 m apart.
START_TEST(closed_forms_are_near_strict) {
  static vb_scene *(*const of[])(void) = {case_rods, case_driven, case_octopuses, case_held};
  static const char *const methods[] = {"xpbd", "jacobi-published"};
  const char *method = methods[_i % 2];
  vb_scene *scene = of[_i / 2]();
  size_t n = 3 * vb_scene_count(scene, VB_SET_NODE);
  double *x[2], most = 0;
  handle on[2];
  emulate(_i % SCHEDULES, _i % DEVICES);
  for (int k = 0; k < 2; k++) {
    on[k] =
        handle_open(scene, "backend", k ? "cuda" : "cpu", "method", method, "precision", "float",
                    "arithmetic", k ? "fast" : "strict", "iterations", "3", "substeps", "2", NULL);
    ck_assert(handle_try(&on[k], 2));
    x[k] = handle_read(&on[k], "position");
  }
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[0][i] - x[1][i]));
  ck_assert_msg(most <= 30 * (double)FLT_EPSILON, "scene %d, %s: %g m apart", _i / 2, method, most);
  for (int k = 0; k < 2; k++) {
    free(x[k]);
    handle_close(&on[k]);
  }
  free(scene);
  check_end("closed forms");
}
END_TEST

/// Steps to an equilibrium, by the methods that have statics, in both precisions, of bodies of the
/// material model solid, too: a block's share of the device each, and by block descent (in the
/// CPU's order anywhere) the whole device. Then on from a state of the CPU's.
START_TEST(statics_are_the_cpus) {
#ifdef VIPER_CUDA_FEW
  vb_skip("statics", "this build has no CUDA kernels of them: make CUDA_ARCHS=all");
  return;
#endif
  const bool whole = _i % 5 == 4, direct = !whole && _i % 2 == 0;
  const char *precision = case_precisions[whole ? _i / 5 : _i % 5 / 2],
             *method = direct ? "direct" : "block-descent";
  vb_scene *scene = case_held_fast_of(_i >= 5);
  emulate(_i % SCHEDULES, 0);
  if (whole)
    emulator_device(2, 256, 256);
  handle on[2];
  for (int k = 0; k < 2; k++)
    on[k] = handle_open(scene, "backend", k ? "cuda" : "cpu", "dynamics", "static", "method",
                        method, "precision", precision, "iterations", "3", "substeps", "2", NULL);
  for (int k = 0; k < 2; k++) {
    bool well = handle_try(&on[0], 1);
    ck_assert_int_eq(handle_try(&on[1], 1), well);
    ck_assert_msg(case_same_state(&on[0], &on[1]), "%s, %s: step %d differs", method, precision,
                  k + 1);
    case_check_work(&on[0], &on[1], strcmp(precision, "float") ? DBL_EPSILON : FLT_EPSILON);
    void *state = handle_save(&on[0]);
    ck_assert_int_eq(on[1].solver->restore(on[1].self, state, NULL), VB_OK);
    free(state);
  }
  handle_close(&on[0]);
  handle_close(&on[1]);
  free(scene);
  check_end("statics");
}
END_TEST

/// Bars of one and two segments whose nodes are held. In the first step a hand moves their last
/// nodes past the first ones: their frames then point backward, at a saddle of Phi, and turn
/// around.
static vb_scene *turned_over(int n_bars) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  vb_driver hand = {.axis = {1, 0, 0}, .translation = {-1, -1, -1}, .angle = -1};
  snprintf(hand.name, sizeof hand.name, "hand");
  hand.translation[0] = scenes_curve(b, VB_LINEAR, 2, (const double[][2]){{0, 0}, {0.01, -0.8}});
  const int32_t moved = fixture_add(b, VB_SET_DRIVER, &hand), wall = scenes_wall(b, "wall");
  for (int k = 0; k < n_bars; k++) {
    const int n = 1 + k % 2;
    const int32_t first = scenes_bar(b, n, 0.35 + 0.15 * k / n_bars, 0.03, &scenes_rubber);
    for (int32_t i = 0; i <= n; i++)
      scenes_pin_node(b, first + i, VB_PIN_CENTER | VB_PIN_SCALE, i == n ? moved : wall);
  }
  scenes_disturb(b, 1e-6, 0.1, 6);
  return fixture_freeze(b);
}

/// Thrown bars of the material model solid, disturbed so much that one sweep would give most of
/// them energy.
static vb_scene *thrown(int n_bars) {
  enum { SEGMENTS = 4 };
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < n_bars; k++)
    scenes_bar(b, SEGMENTS, 0.5, 0.03, &scenes_rubber);
  scenes_solidify(b, 1);
  scenes_disturb(b, 0.01, 0.3, 6);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].velocity[0] += i / (SEGMENTS + 1) % 2 ? 10 : -5;
  return fixture_freeze(b);
}

/// Whether a step on a device is the CPU's, by some iterations of variant `v`. Frees the scene.
static void check_searches(vb_scene *scene, int v, const char *iterations, const char *what) {
  handle on[2];
  for (int k = 0; k < 2; k++) {
    on[k] = handle_open(
        scene, "backend", k ? "cuda" : "cpu", "method", case_methods[v % CASE_METHODS], "precision",
        case_precisions[v / CASE_METHODS], "iterations", iterations, "tolerance", "0", NULL);
    ck_assert(handle_try(&on[k], 1));
  }
  ck_assert_msg(case_same_state(&on[0], &on[1]), "%s, %s: differs", what,
                case_precisions[v / CASE_METHODS]);
  handle_close(&on[0]);
  handle_close(&on[1]);
  free(scene);
  check_end(what);
}

/// Where Phi decides, it has to be the CPU's to the last digits: by `direct` steps are doubled some
/// twenty times, are too small to change Phi by a millionth, and pivots are shifted twice. Bodies
/// of the whole device, whose submatrices are assembled by a function that is called, do all that,
/// too; such small ones are factored in the CPU's order. By `block-descent` sweeps end on the ray.
START_TEST(searches_are_the_cpus) {
  const int v = _i * CASE_METHODS;
  emulate(_i % SCHEDULES, 0);
  check_searches(turned_over(40), v + CASE_DIRECT, "6", "turned over");
  check_searches(thrown(12), v + 1, "1", "thrown");
  emulator_device(2, 256, 256);
  check_searches(turned_over(8), v + CASE_DIRECT, "6", "turned over by a whole device");
}
END_TEST

/// A rod of so many nodes that sums over it are made in parts, and the sum of these, too
/// (VIPER_ROW, 32 in float; a part has 16): block descent moves a rod of the material model solid
/// by such sums at once. It is a line of the CPU's (viper/cpu/line), and at the end of a lane, node
/// 468, the step is limited.
START_TEST(sums_of_many_are_the_cpus) {
  enum { NODES = 520 };
  const int v = CASE_METHODS + 1;
  vb_builder *b = scenes_begin(0.01, 9.81);
  scenes_bar(b, NODES - 1, 0.05 * NODES, 0.03, &scenes_rubber);
  scenes_solidify(b, 1);
  scenes_disturb(b, 0.004, 0.3, 6);
  vb_scene *scene = fixture_freeze(b);
  handle on[2];
  emulate(EMULATOR_LOCKSTEP, 2);
  emulator_schedule(EMULATOR_LOCKSTEP, 7, 0);
  for (int k = 0; k < 2; k++) {
    on[k] = handle_open(scene, "backend", k ? "cuda" : "cpu", "method", case_methods[1],
                        "precision", "float", "iterations", "1", NULL);
    ck_assert(handle_try(&on[k], 1));
  }
  check_same(&on[0], &on[1], v, "a long rod");
  handle_close(&on[0]);
  handle_close(&on[1]);
  free(scene);
  check_end("sums of many");
}
END_TEST

/// With too little room a substep is done again with more, as often as it takes: nothing is lost.
/// Also after a state was put, and by several substeps in a step.
START_TEST(no_contact_is_lost_for_want_of_room) {
  const int v = 5 * _i; // a method in double, another one in float
  vb_scene *scene = contact_heap();
  emulate(_i % SCHEDULES, _i % DEVICES);
  handle cpu = case_open(scene, v, "cpu");
  handle_step(&cpu, 6);
  void *state = handle_save(&cpu);
  const double contacts = handle_value(&cpu, "contacts", 0);
  viper_cuda_first.pairs = 3;
  viper_cuda_first.touches = 2;
  handle cuda = case_open(scene, v, "cuda");
  ck_assert_int_eq(cpu.solver->restore(cpu.self, state, NULL), VB_OK);
  ck_assert_int_eq(cuda.solver->restore(cuda.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_value(&cuda, "contacts", 0), contacts);
  handle_step(&cpu, 2);
  handle_step(&cuda, 2);
  check_same(&cpu, &cuda, v, "too little room");
  ck_assert_double_gt(handle_value(&cpu, "contacts", 0), 10);
  free(state);
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end("too little room");
}
END_TEST

/// Rods of 12 segments, side by side on a ground, and as many across them: each crossing is a
/// contact, so that first colors have more contacts than a block of a grid has quads, and last ones
/// fewer. Those above slide, and so those below.
static vb_scene *lattice(void) {
  enum { RODS = 12 };
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 2 * RODS; k++) {
    const double side = 0.1 * (k % RODS), height = k < RODS ? 0.029 : 0.087, speed = k % 3 - 1;
    int32_t first = -1;
    for (int j = 0; j <= RODS; j++) {
      const double along = 0.1 * j - 0.05;
      const int32_t node =
          fixture_node(b, k < RODS ? along : side, k < RODS ? side : along, height, 0.03);
      first = j == 0 ? node : first;
      if (j > 0)
        scenes_segment(b, node - 1, node, &scenes_rubber);
    }
    contact_move(b, first, (double[]){0, 0, 0}, (double[]){0.4 * speed, 0.3, -0.5});
  }
  contact_add(b, 0.4, false);
  contact_ground(b, 0, 0, 0.5);
  return fixture_freeze(b);
}

/// Several blocks go over contacts: two, or so many that consecutive contacts are of different
/// warps. In every second case three blocks sort and color them, too, as in scenes of more than
/// 16384 segments.
START_TEST(contacts_of_a_grid_are_the_cpus) {
  const int v = _i % CASE_VARIANTS;
  vb_scene *scene = lattice();
  emulate(_i % SCHEDULES, 2);
  emulator_device(8, devices[2].threads, devices[2].shared);
  viper_cuda_first.pass_blocks = _i % 2 ? 2 : 8;
  viper_cuda_first.color_blocks = (_i / 2 + _i / 4) % 2 ? 3 : 1; // by all schedules
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  for (int k = 0; k < 2; k++) {
    bool well = handle_try(&cpu, 1);
    ck_assert_int_eq(handle_try(&cuda, 1), well);
    check_same(&cpu, &cuda, v, "a lattice");
  }
  ck_assert_double_ge(handle_value(&cpu, "contacts", 0), 144);
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end("a lattice");
}
END_TEST

/// Capsules that fly at each other from all sides, far enough in a step for most to be truncated.
static vb_scene *implosion(void) {
  vb_builder *b = scenes_begin(1.0 / 60, 0);
  uint64_t seed = 3;
  for (int k = 0; k < 120; k++) {
    double x[3], size = 0;
    for (int c = 0; c < 3; c++) {
      x[c] = 2 * scenes_random(&seed) - 1;
      size += x[c] * x[c];
    }
    size = sqrt(size);
    int32_t first = fixture_node(b, x[0] / size, x[1] / size, x[2] / size, 0.02);
    int32_t last = fixture_node(b, x[0] / size + 0.1, x[1] / size - 0.1 * x[2], x[2] / size, 0.02);
    scenes_segment(b, first, last, &scenes_rubber);
    contact_move(b, first, (double[]){0, 0, 0},
                 (double[]){-25 * x[0] / size, -25 * x[1] / size, -25 * x[2] / size});
  }
  contact_add(b, 0.3, false);
  return fixture_freeze(b);
}

/// Where most motions are truncated the CPU looks for pairs with a grid, the device without: the
/// first such step, before which the CPU's state is restored.
START_TEST(many_truncated_motions_are_the_cpus) {
  vb_scene *scene = implosion();
  const int v = _i * CASE_METHODS;
  emulate(EMULATOR_BLOCKS, 0);
  emulator_schedule(EMULATOR_BLOCKS, 7, 0);
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  void *state = handle_save(&cpu);
  for (int k = 0; k < 4 && handle_try(&cpu, 1) && handle_value(&cpu, "contact_truncated", 0) <= 64;
       k++) {
    free(state);
    state = handle_save(&cpu);
  }
  ck_assert_int_eq(cpu.solver->restore(cpu.self, state, NULL), VB_OK);
  ck_assert_int_eq(cuda.solver->restore(cuda.self, state, NULL), VB_OK);
  free(state);
  bool well = handle_try(&cpu, 1);
  ck_assert_int_eq(handle_try(&cuda, 1), well);
  check_same(&cpu, &cuda, v, "an implosion");
  ck_assert_double_gt(handle_value(&cpu, "contact_truncated", 0), 64);
  vb_convergence found[2];
  ck_assert(!cpu.solver->convergence(cpu.self, &found[0], NULL));
  ck_assert(!cuda.solver->convergence(cuda.self, &found[1], NULL));
  ck_assert_int_eq(found[0].missed, found[1].missed);
  ck_assert_int_gt(found[0].missed, 0);
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end("an implosion");
}
END_TEST

/// A rod without stiffness whose scales fall fast, to the bound of 0.05 in the third of four
/// substeps: alone, or beside a band.
static vb_scene *trouble(bool band) {
  static const scenes_material none = {1000, {1e-20, 1e-20, 1e-20, 0, 0, 1e-20}};
  vb_builder *b = scenes_begin(0.01, 0);
  if (band)
    bundle_band(b, 3, 4, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  int32_t first = scenes_bar(b, 2, 0.2, 0.05, &none);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = (size_t)first; i < n; i++)
    node[i].scale_rate = -80;
  return fixture_freeze(b);
}

/// Both end in the same substep, and what follows it changes nothing.
START_TEST(trouble_ends_both_equally) {
  const int v = _i % CASE_VARIANTS;
  vb_scene *scene = trouble(_i < CASE_VARIANTS);
  emulate(_i % SCHEDULES, _i % DEVICES);
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  ck_assert(handle_try(&cpu, 1) && handle_try(&cuda, 1));
  for (int k = 0; k < 2; k++) {
    ck_assert(!handle_try(&cpu, 1));
    ck_assert(!handle_try(&cuda, 1));
    ck_assert(case_same_state(&cpu, &cuda));
  }
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
  check_end("trouble");
}
END_TEST

static TCase *scenes(void) {
  TCase *t = tcase_create("scenes");
  tcase_set_timeout(t, 120);
  emulator_read();
  tcase_add_loop_test(t, steps_are_the_cpus, 0, N_SCENES * CASE_VARIANTS);
  return t;
}

static TCase *what_few_scenes_need(void) {
  TCase *t = tcase_create("what few scenes need");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, bodies_of_the_whole_device_are_the_cpus, 0, CASE_VARIANTS + 3);
  tcase_add_loop_test(t, searches_are_the_cpus, 0, CASE_PRECISIONS);
  tcase_add_test(t, sums_of_many_are_the_cpus);
  tcase_add_loop_test(t, closed_forms_are_near_strict, 0, 8);
  tcase_add_loop_test(t, statics_are_the_cpus, 0, 10);
  tcase_add_loop_test(t, no_contact_is_lost_for_want_of_room, 0, 2);
  tcase_add_loop_test(t, contacts_of_a_grid_are_the_cpus, 0, CASE_VARIANTS);
  tcase_add_loop_test(t, many_truncated_motions_are_the_cpus, 0, CASE_PRECISIONS);
  tcase_add_loop_test(t, trouble_ends_both_equally, 0, 2 * CASE_VARIANTS);
  return t;
}

VB_TEST_MAIN("emulator steps", scenes(), what_few_scenes_need())
