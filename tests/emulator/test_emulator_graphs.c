// SPDX-License-Identifier: GPL-3.0-or-later
/// What graphs of steps, and steps that wait in line, may not spoil, in the emulator: a state that
/// is restored, arrays that are made larger, and what pins and loads follow.
/// Covers: src/viper/cuda/steps_cuda.c src/viper/cuda/contact/host_cuda.c
#include "cuda/cuda_contact_cases.h"
#include "emulator.h"

/// Rods on a ground, in contact with each other and with it from the first step on.
static vb_scene *pile(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 3; k++) {
    int32_t first = scenes_bar(b, 2, 0.3, 0.04, &scenes_rubber);
    contact_move(b, first, (double[]){0.02 * k, 0.01 * k, 0.04 + 0.075 * k},
                 (double[]){0.3, 0.1 * k, -1});
  }
  contact_add(b, 0.4, false);
  contact_ground(b, 0, 0, 0.5);
  return fixture_freeze(b);
}

/// The same scene on either backend.
static void open_both(const vb_scene *scene, handle on[2]) {
  emulator_forget();
  emulator_schedule(EMULATOR_LOCKSTEP, 7, 1);
  emulator_device(4, 384, 232448);
  for (int k = 0; k < 2; k++)
    on[k] = handle_open(scene, "backend", k ? "cuda" : "cpu", "method", "xpbd", "iterations", "2",
                        NULL);
}

static void restore(handle *s, const void *state) {
  vb_error error = {0};
  ck_assert_msg(s->solver->restore(s->self, state, &error) == VB_OK, "%s", error.message);
}

/// No race, no fault, nothing left behind; closes both.
static void check_end(handle on[2]) {
  for (int k = 0; k < 2; k++)
    handle_close(&on[k]);
  ck_assert_msg(emulator_races() == 0, "races");
  ck_assert_str_eq(emulator_fault(), "");
  ck_assert_uint_eq(emulator_leaks(), 0);
}

/// Contact statistics for the host are the same, and there are contacts. Forces of the device are
/// sums in another order: 1e-12 of their size, which is that of some newtons.
static void check_told(const handle on[2], const char *when) {
  const vb_solver_description *d = on[0].solver->describe(on[0].solver);
  size_t compared = 0;
  for (size_t f = 0; f < d->n_fields; f++) {
    const char *name = d->fields[f].name;
    if (!strstr("contacts penetration complementarity contact_speed contact_work contact_force "
                "half_plane_force",
                name))
      continue;
    double *x = handle_read(&on[0], name), *y = handle_read(&on[1], name);
    for (size_t k = 0; k < handle_numbers(&on[0], f); k++)
      ck_assert_msg(fabs(x[k] - y[k]) <= 1e-12 * fmax(1, fabs(x[k])),
                    "%s: %s [%zu] is %.17g and %.17g", when, name, k, x[k], y[k]);
    compared++;
    free(x);
    free(y);
  }
  ck_assert_uint_eq(compared, 7);
  ck_assert_double_gt(handle_value(&on[0], "contacts", 0), 0);
}

/// A state that was saved in contact goes on as it would have, bit by bit: with a graph that was
/// made before, and in a new instance. Contact statistics are of the steps since.
START_TEST(a_restored_state_goes_on_in_contact) {
  vb_scene *scene = pile();
  handle on[2], fresh[2];
  open_both(scene, on);
  void *saved[2];
  for (int k = 0; k < 2; k++) {
    handle_step(&on[k], 4);
    saved[k] = handle_save(&on[k]);
    handle_step(&on[k], 3);
  }
  check_told(on, "before");
  for (int k = 0; k < 2; k++)
    restore(&on[k], saved[k]);
  for (int step = 0; step < 2; step++) {
    for (int k = 0; k < 2; k++)
      handle_step(&on[k], 1);
    check_told(on, "restored");
  }
  ck_assert(case_same_state(&on[0], &on[1]));
  open_both(scene, fresh);
  for (int k = 0; k < 2; k++) {
    restore(&fresh[k], saved[k]);
    handle_step(&fresh[k], 2);
    ck_assert_msg(case_same_state(&fresh[k], &on[0]), "a new instance goes on otherwise");
    free(saved[k]);
    handle_close(&fresh[k]);
  }
  check_end(on);
  free(scene);
}
END_TEST

/// Rods through one point in all directions, or far from each other: a state of one scene is one of
/// the other. All of those that cross touch: more contacts than there is room for at first,
/// segments and 1024.
static vb_scene *crossing(double apart) {
  enum { RODS = 125 };
  vb_builder *b = scenes_begin(0.01, 0);
  uint64_t seed = 3;
  for (int k = 0; k < RODS; k++) {
    double way[3], size = 0, at[3] = {apart * (k % 5), apart * (k / 5 % 5), apart * (k / 25)};
    for (int i = 0; i < 3; i++) {
      way[i] = scenes_random(&seed) - 0.5;
      size += way[i] * way[i];
    }
    int32_t end[2];
    for (int e = 0; e < 2; e++) {
      double far = (e ? 0.2 : -0.2) / sqrt(size);
      end[e] =
          fixture_node(b, at[0] + far * way[0], at[1] + far * way[1], at[2] + far * way[2], 0.02);
    }
    scenes_segment(b, end[0], end[1], &scenes_rubber);
  }
  contact_add(b, 0.4, false);
  return fixture_freeze(b);
}

/// Room that is made when there is a graph: the next graph knows the new arrays.
START_TEST(room_is_made_after_a_graph) {
  vb_scene *far = crossing(1), *near = crossing(0);
  handle on[2],
      other = handle_open(near, "backend", "cpu", "method", "xpbd", "iterations", "2", NULL);
  handle_step(&other, 1); // the first of all has settings of its own, and no graph
  void *state = handle_save(&other);
  open_both(far, on);
  emulator_schedule(EMULATOR_LOCKSTEP, 7, 0);
  for (int k = 0; k < 2; k++) {
    handle_step(&on[k], 3);
    restore(&on[k], state);
    handle_step(&on[k], 2);
  }
  ck_assert_double_gt(handle_value(&on[0], "contacts", 0), 125 + 1024);
  ck_assert(case_same_state(&on[0], &on[1]));
  check_end(on);
  handle_close(&other);
  free(state);
  free(far);
  free(near);
}
END_TEST

/// More steps with drivers and loads in line than there are places for what they follow.
START_TEST(steps_in_line_follow_their_drivers) {
  vb_scene *scene = case_driven();
  handle on[2];
  open_both(scene, on);
  for (int k = 0; k < 2; k++)
    handle_step(&on[k], 70);
  ck_assert(case_same_state(&on[0], &on[1]));
  check_end(on);
  free(scene);
}
END_TEST

static TCase *graphs(void) {
  TCase *t = tcase_create("graphs");
  tcase_set_timeout(t, 240);
  tcase_add_test(t, a_restored_state_goes_on_in_contact);
  tcase_add_test(t, room_is_made_after_a_graph);
  tcase_add_test(t, steps_in_line_follow_their_drivers);
  return t;
}

VB_TEST_MAIN("emulator graphs", graphs())
