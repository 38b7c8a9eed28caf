// SPDX-License-Identifier: GPL-3.0-or-later
/// Planted solvers do what they are called after, on a rod that hangs from a driver and swings.
// Covers: src/cli/solvers.h src/cli/solver_table.c
#include "handle.h"
#include "planted/planted.h"
#include "scenes/scenes.h"

#include <math.h>

enum { NODES = 6, STEPS = 5 };

static const double GRAVITY = 9.81, LENGTH_OF_STEP = 0.01;

/// A bar of NODES nodes along x, node 0 held, that swings down from rest.
static vb_scene *bar(void) {
  vb_builder *b = scenes_begin(LENGTH_OF_STEP, GRAVITY);
  scenes_bar(b, NODES - 1, 1, 0.05, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  fixture_add(b, VB_SET_PIN, &(vb_pin){VB_AT_NODE, 0, VB_PIN_CENTER, wall});
  vb_builder_world(b)->damping = 2;
  return fixture_freeze(b);
}

/// A planted solver at work, and its answers.
typedef struct worker {
  vb_scene *scene;
  planted_solver solver;
  handle handle;
  double x[3 * NODES];
  double energy[16];
} worker;

static void look(worker *w) {
  const vb_solver_description *about = w->handle.solver->describe(w->handle.solver);
  size_t field = 0;
  while (strcmp(about->fields[field].name, "position") != 0)
    field++;
  ck_assert_uint_eq(w->handle.solver->count(w->handle.self, field), NODES);
  ck_assert_uint_le(about->n_energies, sizeof w->energy / sizeof *w->energy);
  ck_assert_int_eq(w->handle.solver->read(w->handle.self, field, w->x, NULL), VB_OK);
  ck_assert_int_eq(w->handle.solver->energies(w->handle.self, w->energy, NULL), VB_OK);
}

/// A solver of that kind after `n` steps, one by one.
static worker *work(int kind, vb_scene *scene, int n) {
  worker *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->scene = scene;
  planted_choose(PLANTED_NONE);
  const vb_solver *inner;
  ck_assert_int_eq(vb_solver_find("viper", &inner, NULL), VB_OK);
  planted_wrap(&w->solver, inner, kind);
  w->handle = (handle){.solver = &w->solver.solver, .scene = scene};
  ck_assert_int_eq(
      w->solver.solver.create(&w->solver.solver, scene, NULL, 0, &w->handle.self, NULL), VB_OK);
  for (int i = 0; i < n; i++)
    ck_assert(handle_try(&w->handle, 1));
  look(w);
  return w;
}

static void dismiss(worker *w) {
  handle_close(&w->handle);
  free(w->scene);
  free(w);
}

static double distance(const worker *a, const worker *b) {
  double most = 0;
  for (int i = 0; i < 3 * NODES; i++)
    most = fmax(most, fabs(a->x[i] - b->x[i]));
  return most;
}

static double total(const worker *w) {
  double sum = 0;
  for (size_t i = 0; i < sizeof w->energy / sizeof *w->energy; i++)
    sum += fabs(w->energy[i]);
  return sum;
}

START_TEST(without_a_fault_it_is_the_solver_inside) {
  worker *sound = work(PLANTED_NONE, bar(), STEPS);
  handle inside = handle_open(sound->scene, NULL);
  worker plain = {.handle = inside};
  ck_assert(handle_try(&inside, STEPS));
  look(&plain);
  ck_assert_int_eq(memcmp(plain.x, sound->x, sizeof plain.x), 0);
  ck_assert_int_eq(memcmp(plain.energy, sound->energy, sizeof plain.energy), 0);
  handle_close(&inside);
  dismiss(sound);
}
END_TEST

START_TEST(still_stays_where_it_begins) {
  worker *w = work(VB_PLANTED_STILL, bar(), STEPS), *begin = work(PLANTED_NONE, bar(), 0);
  ck_assert_double_eq(distance(w, begin), 0);
  ck_assert_double_eq(total(w), 0);
  dismiss(w);
  dismiss(begin);
}
END_TEST

/// The pin of node 0 is kept; the energies are those of the motion that is reported, in which what
/// gravity gives is the kinetic energy.
START_TEST(free_fall_is_a_parabola) {
  worker *w = work(VB_PLANTED_FREE_FALL, bar(), STEPS), *begin = work(PLANTED_NONE, bar(), 0);
  double time = STEPS * LENGTH_OF_STEP, sum = 0, most = 0;
  for (int i = 0; i < NODES; i++) {
    double depth = i == 0 ? 0 : 0.5 * GRAVITY * time * time;
    ck_assert_double_eq_tol(w->x[3 * i + 2], begin->x[3 * i + 2] - depth, 1e-15);
    ck_assert_double_eq_tol(w->x[3 * i], begin->x[3 * i], 1e-15);
  }
  for (size_t i = 0; i < sizeof w->energy / sizeof *w->energy; i++) {
    sum += w->energy[i] - begin->energy[i];
    most = fmax(most, w->energy[i]);
  }
  double mass = 1000 * 3.14159265358979 * 0.05 * 0.05 * 0.9; // of all nodes but the pinned one
  double kinetic = 0.5 * mass * GRAVITY * time * GRAVITY * time;
  ck_assert_double_eq_tol(most, kinetic, 1e-12 * kinetic); // rounding
  ck_assert_double_eq_tol(sum, 0, 1e-12 * kinetic);
  dismiss(w);
  dismiss(begin);
}
END_TEST

/// A step of half the length is that of a scene with such steps.
START_TEST(half_step_takes_half_the_time) {
  worker *w = work(VB_PLANTED_HALF_STEP, bar(), STEPS);
  vb_scene *scene = bar();
  ((vb_world *)vb_scene_world(scene))->step = 0.5 * LENGTH_OF_STEP;
  worker *half = work(PLANTED_NONE, scene, STEPS), *whole = work(PLANTED_NONE, bar(), STEPS);
  ck_assert_double_eq(distance(w, half), 0);
  ck_assert_double_gt(distance(w, whole), 1e-3);
  dismiss(w);
  dismiss(half);
  dismiss(whole);
}
END_TEST

/// Fields are of one step before, energies are not; several steps at once are as many single ones.
START_TEST(stale_is_one_step_late) {
  worker *w = work(VB_PLANTED_STALE, bar(), STEPS), *now = work(PLANTED_NONE, bar(), STEPS),
         *before = work(PLANTED_NONE, bar(), STEPS - 1), *once = work(VB_PLANTED_STALE, bar(), 0);
  ck_assert_double_eq(distance(w, before), 0);
  ck_assert_double_gt(distance(w, now), 0);
  ck_assert_int_eq(memcmp(w->energy, now->energy, sizeof w->energy), 0);
  ck_assert(handle_try(&once->handle, STEPS));
  look(once);
  ck_assert_double_eq(distance(w, once), 0);
  worker *all[] = {w, now, before, once};
  for (int i = 0; i < 4; i++)
    dismiss(all[i]);
}
END_TEST

START_TEST(zero_energies_are_zero_and_the_rest_is_right) {
  worker *w = work(VB_PLANTED_ZERO_ENERGIES, bar(), STEPS),
         *sound = work(PLANTED_NONE, bar(), STEPS);
  ck_assert_double_eq(total(w), 0);
  ck_assert_double_gt(total(sound), 0);
  ck_assert_double_eq(distance(w, sound), 0);
  dismiss(w);
  dismiss(sound);
}
END_TEST

/// A saved state goes on as it would have.
START_TEST(a_restored_state_goes_on) {
  worker *w = work(_i, bar(), 2), again;
  const vb_solver *solver = w->handle.solver;
  char *state = malloc(solver->state_size(w->handle.self));
  ck_assert_ptr_nonnull(state);
  ck_assert_int_eq(solver->save(w->handle.self, state, NULL), VB_OK);
  ck_assert(handle_try(&w->handle, 2));
  look(w);
  again = *w;
  ck_assert_int_eq(solver->restore(w->handle.self, state, NULL), VB_OK);
  ck_assert(handle_try(&w->handle, 2));
  look(w);
  ck_assert_int_eq(memcmp(again.x, w->x, sizeof w->x), 0);
  ck_assert_int_eq(memcmp(again.energy, w->energy, sizeof w->energy), 0);
  free(state);
  dismiss(w);
}
END_TEST

/// Up to 1e-3 of a radius, other noise after each step, none at the beginning, the same again.
START_TEST(noise_is_small_and_the_same_again) {
  worker *begin = work(VB_PLANTED_NOISE, bar(), 0), *w = work(VB_PLANTED_NOISE, bar(), STEPS),
         *again = work(VB_PLANTED_NOISE, bar(), STEPS), *sound = work(PLANTED_NONE, bar(), STEPS),
         *rest = work(PLANTED_NONE, bar(), 0);
  ck_assert_double_eq(distance(begin, rest), 0);
  ck_assert_double_eq(distance(w, again), 0);
  ck_assert_double_le(distance(w, sound), 1e-3 * 0.05);
  ck_assert_double_ge(distance(w, sound), 0.5e-3 * 0.05); // 18 numbers: one in 3e5 has no larger
  ck_assert_int_eq(memcmp(w->energy, sound->energy, sizeof w->energy), 0);
  worker *all[] = {begin, w, again, sound, rest};
  for (int i = 0; i < 5; i++)
    dismiss(all[i]);
}
END_TEST

/// A scene with something of all that faults change: contact, a half-plane, a collider, frictions,
/// factors of bending.
static vb_scene *scene_of_all(void) {
  vb_builder *b = scenes_begin(LENGTH_OF_STEP, GRAVITY);
  scenes_bar(b, NODES - 1, 1, 0.05, &scenes_rubber);
  scenes_bar(b, NODES - 1, 1, 0.05, &scenes_rubber);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 0.01, .static_friction = 0.5});
  fixture_add(
      b, VB_SET_HALF_PLANE,
      &(vb_half_plane){
          .normal = {0, 0, 1}, .offset = -1, .static_friction = 0.4, .kinetic_friction = 0.2});
  fixture_add(b, VB_SET_COLLIDER,
              &(vb_collider){.name = "ball", .driver = -1, .point = {{0, 0, -3}}, .radius = 1});
  fixture_add(b, VB_SET_FRICTION, &(vb_friction){.body = 1, .static_friction = 1});
  fixture_add(b, VB_SET_BENDING, &(vb_bending){.segment = 2, .factor = {3, 4}});
  vb_builder_world(b)->damping = 2;
  return fixture_freeze(b);
}

/// The same scene as it is given to the solver inside, which is sound.
static vb_scene *changed_by(int kind, const vb_scene *scene) {
  vb_scene *changed = NULL;
  vb_error error = {0};
  ck_assert_int_eq(planted_change_scene(scene, kind, &changed, NULL), VB_OK);
  ck_assert_ptr_nonnull(changed);
  vb_status status = vb_scene_check(changed, vb_scene_bytes(changed), &error);
  ck_assert_msg(!status, "%s", error.message);
  return changed;
}

START_TEST(faults_of_scenes_change_what_they_say) {
  size_t n;
  vb_scene *scene = scene_of_all(), *slow = changed_by(VB_PLANTED_SLOW_TIME, scene),
           *damped = changed_by(VB_PLANTED_DOUBLE_DAMPING, scene),
           *rough = changed_by(VB_PLANTED_FRICTION, scene),
           *apart = changed_by(VB_PLANTED_NO_CONTACT, scene),
           *stiff = changed_by(VB_PLANTED_BENDING, scene),
           *limp = changed_by(VB_PLANTED_TERM_MISSING, scene);
  ck_assert_double_eq(vb_scene_world(slow)->step, 0.98 * LENGTH_OF_STEP);
  ck_assert_double_eq(vb_scene_world(damped)->damping, 4);
  ck_assert_double_eq(vb_scene_contact(rough)->static_friction, 1.05 * 0.5);
  ck_assert_double_eq(vb_scene_half_planes(rough, &n)->kinetic_friction, 1.05 * 0.2);
  ck_assert_double_eq(vb_scene_frictions(rough, &n)->static_friction, 1.05);
  ck_assert_ptr_null(vb_scene_contact(apart));
  ck_assert_double_lt(vb_scene_half_planes(apart, &n)->offset, -1e5);
  ck_assert_uint_eq(n, 1);
  ck_assert_double_gt(vb_scene_colliders(apart, &n)->point[0][0], 1e5);
  ck_assert_uint_eq(n, 1);
  const vb_bending *more = vb_scene_bendings(stiff, &n), *none = vb_scene_bendings(limp, &n);
  ck_assert_uint_eq(n, vb_scene_count(scene, VB_SET_SEGMENT));
  ck_assert_double_eq(more[0].factor[0], 1.02);
  ck_assert_double_eq(more[2].factor[1], 1.02 * 4);
  ck_assert_double_eq(none[2].factor[1], 0);
  vb_scene *all[] = {scene, slow, damped, rough, apart, stiff, limp};
  for (int i = 0; i < 7; i++)
    free(all[i]);
}
END_TEST

/// What is not a fault of the scene leaves it alone.
START_TEST(other_faults_change_no_scene) {
  static const int kinds[] = {VB_PLANTED_STILL,         VB_PLANTED_FREE_FALL, VB_PLANTED_STALE,
                              VB_PLANTED_ZERO_ENERGIES, VB_PLANTED_NOISE,     PLANTED_NONE};
  vb_scene *scene = scene_of_all(), *changed = NULL;
  ck_assert_int_eq(planted_change_scene(scene, kinds[_i], &changed, NULL), VB_OK);
  ck_assert_ptr_null(changed);
  free(scene);
}
END_TEST

/// Each fault of a scene makes the bar move otherwise, but for contact, of which it has none.
START_TEST(faults_of_scenes_move_the_bar) {
  static const int kinds[] = {VB_PLANTED_SLOW_TIME, VB_PLANTED_DOUBLE_DAMPING, VB_PLANTED_BENDING,
                              VB_PLANTED_TERM_MISSING};
  worker *w = work(kinds[_i], bar(), STEPS), *sound = work(PLANTED_NONE, bar(), STEPS);
  ck_assert_double_gt(distance(w, sound), 1e-6);
  dismiss(w);
  dismiss(sound);
}
END_TEST

START_TEST(the_table_has_the_chosen_kind) {
  const vb_solver *solver;
  planted_choose(VB_PLANTED_STALE);
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(((const planted_solver *)solver)->kind, VB_PLANTED_STALE);
  for (int i = 0; i < VB_PLANTED_COUNT; i++)
    ck_assert_int_eq(planted_find(planted_word(i)), i);
  ck_assert_int_eq(planted_find("none"), PLANTED_NONE);
  ck_assert_int_eq(planted_find("stil"), -1);
}
END_TEST

static TCase *all_cases(void) {
  TCase *tcase = tcase_create("planted");
  tcase_add_test(tcase, without_a_fault_it_is_the_solver_inside);
  tcase_add_test(tcase, still_stays_where_it_begins);
  tcase_add_test(tcase, free_fall_is_a_parabola);
  tcase_add_test(tcase, half_step_takes_half_the_time);
  tcase_add_test(tcase, stale_is_one_step_late);
  tcase_add_test(tcase, zero_energies_are_zero_and_the_rest_is_right);
  tcase_add_test(tcase, noise_is_small_and_the_same_again);
  tcase_add_test(tcase, faults_of_scenes_change_what_they_say);
  tcase_add_loop_test(tcase, other_faults_change_no_scene, 0, 6);
  tcase_add_loop_test(tcase, faults_of_scenes_move_the_bar, 0, 4);
  tcase_add_loop_test(tcase, a_restored_state_goes_on, 0, PLANTED_NONE + 1);
  tcase_add_test(tcase, the_table_has_the_chosen_kind);
  return tcase;
}

VB_TEST_MAIN("planted solvers", all_cases())
