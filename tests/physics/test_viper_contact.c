// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact in the time step: collisions, friction, stacks, what is kept and what is recorded, for
/// every method.
/// Covers: src/viper/contact/*.[ch] src/viper/cpu/contact/*.[ch]
#include "handle.h"
#include "scenes/lua_scene.h"
#include "scenes/scenes.h"

#include <math.h>

// Contacts go color by color here; averaged ones are in test_contact_averaged.c.
static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
enum { METHODS = 4, JACOBI = 3 };

static const scenes_material stiff = {1000, {4e5, 4e5, 4e5, 0, 0, 2e6}};

#define SCENES "tests/physics/contact.lua"

/// Contacts do not push apart what came together: both go on with the mean velocity.
START_TEST(collisions_match_the_closed_form) {
  const double ratios[3] = {1, 3, 0.01};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=capsules ratio=%g speed=1.5", ratios[k]);
    handle s =
        handle_open(scene, "method", methods[_i], "contact", "colors", "tolerance", "0", NULL);
    double before = handle_value(&s, "momentum", 0), mass = 0;
    for (size_t i = 0; i < 4; i++)
      mass += handle_value(&s, "mass", i);
    handle_step(&s, 9);
    ck_assert_double_eq(handle_value(&s, "contacts", 0), 0);
    handle_step(&s, 11);
    double expected = 1.5 * (1 - ratios[k]) / (1 + ratios[k]);
    // Bars that move as a whole are not deformed: rounding, of displacements over h, alone is left.
    ck_assert_double_eq_tol(handle_value(&s, "momentum", 0), before, 1e-12 * mass);
    for (size_t i = 0; i < 4; i++)
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 3 * i), expected, 1e-11);
    ck_assert_double_lt(handle_value(&s, "penetration", 0), 1e-14);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// What takes back a penetration is no velocity: capsules that overlap by 3 cm are beside each
/// other after a step, and go on with the mean of what they had, be that nothing.
START_TEST(penetrations_give_no_velocity) {
  const double speeds[2] = {0, 1.5};
  for (int k = 0; k < 2; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=capsules ratio=3 apart=0.17 speed=%g", speeds[k]);
    handle s =
        handle_open(scene, "method", methods[_i], "contact", "colors", "tolerance", "0", NULL);
    handle_step(&s, 1);
    // The step moves them by their mean velocity, too; what is left is rounding of 3 cm over h.
    double gap = handle_value(&s, "position", 6) - handle_value(&s, "position", 0);
    ck_assert_double_eq_tol(gap, 0.2, 1e-12);
    for (size_t i = 0; i < 4; i++)
      ck_assert_double_eq_tol(handle_value(&s, "velocity", 3 * i), -0.5 * speeds[k], 1e-11);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Capsules of 0.1 m that begin 3 cm deep in each other are told of before the first step; those
/// that are apart, or in each other by a rounded number, are not.
START_TEST(scenes_that_begin_overlapped_are_told) {
  const double gaps[3] = {0.17, 0.5, 0.2 - 1e-4};
  for (int k = 0; k < 3; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=capsules ratio=3 apart=%g", gaps[k]);
    handle s = handle_open(scene, NULL);
    const char *warning = s.solver->warning(s.self);
    ck_assert_msg(k == 0
                      ? warning && strstr(warning, "overlap each other or a half-plane by 0.03 m")
                      : !warning,
                  "%s", warning ? warning : "no warning");
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// With begin=apart such capsules touch at time 0: their center of mass is where it was, they have
/// the velocities of the scene, and how far they were moved is told. What does not overlap stays.
START_TEST(bodies_that_overlap_begin_apart) {
  const double gaps[2] = {0.17, 0.5};
  for (int k = 0; k < 2; k++) {
    vb_scene *scene = lua_scene(SCENES, "scene=capsules ratio=3 apart=%g speed=1.5", gaps[k]);
    handle given = handle_open(scene, "method", methods[_i], NULL);
    handle s = handle_open(scene, "method", methods[_i], "begin", "apart", NULL);
    double *x = handle_read(&given, "position"), *y = handle_read(&s, "position");
    double *m = handle_read(&s, "mass"), shift = 0;
    const char *warning = s.solver->warning(s.self);
    for (size_t i = 0; i < 4; i++) {
      shift += m[i] * (y[3 * i] - x[3 * i]);
      ck_assert_double_eq(handle_value(&s, "velocity", 3 * i),
                          handle_value(&given, "velocity", 3 * i));
    }
    ck_assert_double_eq_tol(shift, 0, 1e-12 * m[0]); // rounding of some hundred steps
    // A hundredth of the radius of 0.1 m is left.
    ck_assert_double_ge(y[6] - y[0], k ? gaps[k] - 1e-15 : 0.2 - 1e-3);
    ck_assert_double_le(y[6] - y[0], k ? gaps[k] + 1e-15 : 0.2 + 1e-3);
    ck_assert_msg(k ? !warning : warning && strstr(warning, "moved apart before time 0, by up to"),
                  "%s", warning ? warning : "no warning");
    free(x);
    free(y);
    free(m);
    handle_close(&given);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// Where such a scene diverges, that is told with what was found at the end. (Here the speed is
/// what no number holds.)
START_TEST(what_begins_overlapped_diverges_by_that) {
  vb_scene *scene = lua_scene(SCENES, "scene=capsules ratio=3 apart=0.17 speed=1e200");
  handle s = handle_open(scene, NULL);
  vb_divergence divergence = {0};
  ck_assert_int_eq(s.solver->step(s.self, 3, NULL), VB_OK);
  ck_assert_int_eq(s.solver->sync(s.self, &divergence, NULL), VB_OK);
  ck_assert(divergence.diverged);
  ck_assert_msg(strstr(divergence.what, "pills overlapped each other or a half-plane by 0.03 m") &&
                    strstr(divergence.what, "not finite"),
                "%s", divergence.what);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A capsule 2 cm deep in the ground is lifted out, and stays there.
START_TEST(half_planes_give_no_velocity) {
  vb_scene *scene = lua_scene(SCENES, "scene=sunk");
  handle s = handle_open(scene, "method", methods[_i], "contact", "colors", "tolerance", "0", NULL);
  handle_step(&s, 3);
  for (size_t i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(handle_value(&s, "position", 3 * i + 2), 0.1, 1e-14);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 3 * i + 2), 0, 1e-12);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Two helices that fly through each other's way, with friction.
static vb_scene *two_helices(void) {
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 2; k++) {
    int32_t first = scenes_helix(b, 9, k ? 0.45 : 0, &scenes_rubber);
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    for (size_t i = (size_t)first; i < n; i++) {
      node[i].velocity[0] = k ? 0.5 : -0.2;
      node[i].velocity[1] = k ? -2 : 2;
      node[i].velocity[2] = k ? 0.3 : 0;
    }
  }
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){0.01, 0.5, 0.4, 0, 0});
  return fixture_freeze(b);
}

START_TEST(contacts_keep_momentum) {
  vb_scene *scene = two_helices();
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "5", NULL);
  double before[3], most = 0;
  for (size_t k = 0; k < 3; k++)
    before[k] = handle_value(&s, "momentum", k);
  for (int i = 0; i < 30; i++) {
    handle_step(&s, 1);
    most = fmax(most, handle_value(&s, "contacts", 0));
    // Rounding of positions of 1 m over h = 0.01 s, times the mass of 6 kg, of each step.
    for (size_t k = 0; k < 3; k++)
      ck_assert_double_eq_tol(handle_value(&s, "momentum", k), before[k], 1e-11);
  }
  ck_assert_double_gt(most, 2);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Below the angle of friction the bar stays (it slips a little while its weight comes to bear);
/// above, it slides with g (sin - 0.5 cos).
START_TEST(friction_holds_up_to_its_angle) {
  const double slopes[4] = {0.3, 0.49, 0.51, 0.8};
  for (int k = 0; k < 4; k++) {
    double angle = atan(slopes[k]);
    vb_scene *scene = lua_scene(SCENES, "scene=incline angle=%.17g", angle);
    handle s =
        handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "20", NULL);
    handle_step(&s, 100);
    double early = handle_value(&s, "velocity", 6);
    handle_step(&s, 100);
    double rate = (handle_value(&s, "velocity", 6) - early) / 0.5;
    double sliding = slopes[k] > 0.5 ? 10 * (sin(angle) - 0.5 * cos(angle)) : 0;
    // The bar's own swinging under its weight, which makes the push swing, too.
    ck_assert_msg(fabs(rate - sliding) < 0.02, "slope %g: %g m/s^2, expected %g", slopes[k], rate,
                  sliding);
    if (slopes[k] < 0.5)
      ck_assert_double_lt(fabs(handle_value(&s, "position", 6) - 0.5), 2e-3);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

START_TEST(stacks_come_to_rest) {
  vb_scene *scene = lua_scene(SCENES, "scene=stacks");
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "20", NULL);
  handle_step(&s, 400);
  // A bar of 31 kg that falls by its radius has 31 J.
  ck_assert_double_lt(handle_energy(&s, "kinetic"), _i == JACOBI ? 0.3 : 3e-3);
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 1e-3);
  ck_assert_double_gt(handle_value(&s, "position", 3 * 12 + 2), 0.4);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What the pillars hold is the weight of what lies on them.
START_TEST(reactions_hold_what_presses_on_pins) {
  vb_scene *scene = lua_scene(SCENES, "scene=pillars");
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "50", NULL);
  double mass = 0, own = 0, force[6], torque[6];
  for (size_t i = 0; i < 9; i++)
    *(i < 4 ? &own : &mass) += handle_value(&s, "mass", i);
  handle_step(&s, 600);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  // Left after 3 s: a thousandth of the swing that it began with.
  ck_assert_double_eq_tol((force[2] + force[5]) / (10 * (mass + own)), 1, 2e-3);
  ck_assert_double_eq_tol(force[2] / force[5], 1, 0.02);
  handle_close(&s);
  free(scene);
}
END_TEST

/// What may not touch is recorded apart from what may, by how much deeper it is than at rest.
START_TEST(excluded_pairs_are_recorded_apart) {
  for (int self = 0; self < 2; self++) {
    vb_scene *scene = lua_scene(SCENES, "scene=folded depth=0.04 self=%s", self ? "true" : "false");
    handle s = handle_open(scene, NULL);
    // The outer segments are 0.04 m deep in each other, the filtered pair 0.02 m.
    ck_assert_double_eq_tol(handle_value(&s, "penetration", 0), (self ? 0.04 : 0), 1e-12);
    ck_assert_double_eq_tol(handle_value(&s, "excluded_penetration", 0), (self ? 0.02 : 0.04),
                            1e-12);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

/// A rod pinched by two capsules of which one is driven: thinner there, thicker beside it.
START_TEST(a_pinched_rod_bulges) {
  vb_scene *scene = lua_scene(SCENES, "scene=pinched");
  handle s =
      handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "60", NULL);
  handle_step(&s, 300);
  double pinched = handle_value(&s, "scale", 4), beside = handle_value(&s, "scale", 3);
  // 0.36 m between the pillars' axes leave 0.16 m for a diameter of 0.2 m. The pillars rest on the
  // cones beside the pinched node, which is thinner by up to its share of the bulge.
  ck_assert_double_le(pinched, 0.8 + 1e-3);
  ck_assert_double_gt(pinched, 0.74);
  ck_assert_double_gt(beside, 1.01);
  ck_assert_double_gt(handle_value(&s, "scale", 5), 1.01);
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 1e-3);
  handle_close(&s);
  free(scene);
}
END_TEST

/// With iterations, what is left of the residual and of complementarity falls: the coupling ends
/// where the minimum of Phi under the contacts is. Contacts begin without push, so that iterations
/// alone find it.
START_TEST(iterations_converge_in_contact) {
  vb_scene *scene = lua_scene(SCENES, "scene=stacks");
  double residual[3], error[3];
  const char *const iterations[3] = {"10", "100", "1000"};
  for (int k = 0; k < 3; k++) {
    handle s = handle_open(scene, "method", methods[_i], "contact", "colors", "iterations", "10",
                           "tolerance", "0", "warm_start", "0", NULL);
    handle_step(&s, 20);
    handle_set(&s, "iterations", iterations[k]);
    handle_step(&s, 1);
    residual[k] = handle_residual(&s);
    error[k] = handle_value(&s, "complementarity", 0);
    handle_close(&s);
  }
  ck_assert_msg(error[2] < 1e-2 * error[0], "complementarity %g %g %g", error[0], error[1],
                error[2]);
  ck_assert_msg(residual[2] < 1e-3 * residual[0], "residual %g %g %g", residual[0], residual[1],
                residual[2]);
  free(scene);
}
END_TEST

/// Bodies side by side in lanes, single ones, a driven one: the same bits for any number of threads
/// and after a state was restored.
START_TEST(threads_and_restarts_leave_the_bits_alone) {
  static const char *const precisions[] = {"double", "float"};
  vb_scene *scene = lua_scene(SCENES, "scene=stacks n=11 step=0.01");
  const char *method = methods[_i % METHODS], *precision = precisions[_i / METHODS];
  handle one = handle_open(scene, "method", method, "precision", precision, "threads", "1", NULL);
  handle three = handle_open(scene, "method", method, "precision", precision, "threads", "3", NULL);
  handle_step(&one, 20);
  handle_step(&three, 20);
  ck_assert(handle_same(&one, &three));
  ck_assert_double_gt(handle_value(&one, "contacts", 0), 50);
  void *state = handle_save(&one);
  handle_step(&one, 10);
  handle_step(&three, 10);
  ck_assert_int_eq(three.solver->restore(three.self, state, NULL), VB_OK);
  handle_step(&three, 10);
  ck_assert(handle_same(&one, &three));
  free(state);
  handle_close(&one);
  handle_close(&three);
  free(scene);
}
END_TEST

/// What is pressed goes on after its state was restored: copies of a body that nothing solves or
/// pushes, in rows and lanes without use, used to be found at the bound of their scales.
START_TEST(pressed_bodies_go_on_after_a_restart) {
  vb_scene *scene = lua_scene(SCENES, "scene=pressed");
  handle s = handle_open(scene, "iterations", "5", NULL);
  handle_step(&s, 90);
  ck_assert_double_lt(handle_value(&s, "scale", 0), 0.7);
  void *state = handle_save(&s);
  ck_assert_int_eq(s.solver->restore(s.self, state, NULL), VB_OK);
  handle_step(&s, 9);
  free(state);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Pairs are listed once for many steps, and the gaps of those far apart are not looked at in each:
/// the bits are those of steps that each begin without any list.
START_TEST(lists_of_pairs_leave_the_bits_alone) {
  static const char *const precisions[] = {"double", "float"};
  vb_scene *scene = lua_scene(SCENES, "scene=thrown n=96");
  handle going = handle_open(scene, "method", "xpbd", "precision", precisions[_i], "threads", "2",
                             "iterations", "4", NULL);
  handle anew = handle_open(scene, "method", "xpbd", "precision", precisions[_i], "threads", "1",
                            "iterations", "4", NULL);
  for (int step = 0; step < 60; step++) {
    void *state = handle_save(&anew);
    ck_assert_int_eq(anew.solver->restore(anew.self, state, NULL), VB_OK);
    free(state);
    handle_step(&anew, 1);
    handle_step(&going, 1);
    ck_assert_msg(handle_same(&going, &anew), "step %d", step);
  }
  ck_assert_double_gt(handle_value(&going, "contacts", 0), 50);
  handle_close(&going);
  handle_close(&anew);
  free(scene);
}
END_TEST

/// Three bars cross at one place, two of one body; what touches what is asked for.
static double count_touching(bool self, uint32_t groups, uint32_t meets) {
  vb_builder *b = scenes_begin(0.01, 0);
  int32_t first = scenes_bar(b, 3, 1.5, 0.1, &stiff);
  int32_t arm[2] = {fixture_node(b, 1.5, 0.5, 0.3, 0.05), fixture_node(b, 0.25, 0.5, 0.3, 0.05)};
  int32_t end = fixture_node(b, 0.25, -0.3, 0.16, 0.05); // the rod comes back over itself
  scenes_segment(b, first + 3, arm[0], &stiff);
  scenes_segment(b, arm[0], arm[1], &stiff);
  scenes_segment(b, arm[1], end, &stiff);
  int32_t across = fixture_node(b, 0.75, -0.25, -0.195, 0.1);
  scenes_segment(b, across, fixture_node(b, 0.75, 0.25, -0.195, 0.1), &stiff);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  node[end].position[2] = 0; // pressed into it at time 0, above it at rest
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.margin = 0.01, .self = self});
  fixture_add(b, VB_SET_FILTER, &(vb_filter){.segment = 6, .groups = groups, .meets = meets});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", "xpbd", NULL);
  handle_step(&s, 1);
  double contacts = handle_value(&s, "contacts", 0);
  handle_close(&s);
  free(scene);
  return contacts;
}

START_TEST(filters_say_what_touches) {
  double both = count_touching(true, 1, UINT32_MAX), other = count_touching(false, 1, UINT32_MAX);
  ck_assert_double_gt(other, 0);
  ck_assert_double_gt(both, other);
  ck_assert_double_eq(count_touching(false, 2, 1), other); // in another group, which is met
  ck_assert_double_eq(count_touching(false, 1, 2), 0);     // meets only those of another group
  ck_assert_double_eq(count_touching(false, 0, 1), 0);     // in none
}
END_TEST

/// A capsule that would fly through another in one step is caught; the speed tells that its contact
/// might have been found late.
START_TEST(speed_is_told) {
  vb_scene *slow = lua_scene(SCENES, "scene=capsules speed=1.5"),
           *fast = lua_scene(SCENES, "scene=capsules speed=30");
  handle s = handle_open(slow, NULL), f = handle_open(fast, NULL);
  double most[2] = {0};
  for (int i = 0; i < 15; i++) {
    handle_step(&s, 1);
    handle_step(&f, 1);
    most[0] = fmax(most[0], handle_value(&s, "contact_speed", 0));
    most[1] = fmax(most[1], handle_value(&f, "contact_speed", 0));
  }
  ck_assert_double_eq_tol(most[0], 0.03 / 0.2, 1e-9); // 2 x 1.5 m/s in 0.01 s over two radii
  ck_assert_double_eq_tol(most[1], 0.6 / 0.2, 1e-9);
  ck_assert_double_eq_tol(handle_value(&f, "velocity", 0), 0, 1e-9);
  handle_close(&s);
  handle_close(&f);
  free(slow);
  free(fast);
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("contact");
  tcase_set_timeout(all, 120);
  tcase_add_loop_test(all, collisions_match_the_closed_form, 0, METHODS);
  tcase_add_loop_test(all, penetrations_give_no_velocity, 0, METHODS);
  tcase_add_test(all, scenes_that_begin_overlapped_are_told);
  tcase_add_loop_test(all, bodies_that_overlap_begin_apart, 0, METHODS);
  tcase_add_test(all, excluded_pairs_are_recorded_apart);
  tcase_add_test(all, what_begins_overlapped_diverges_by_that);
  tcase_add_loop_test(all, half_planes_give_no_velocity, 0, METHODS);
  tcase_add_loop_test(all, contacts_keep_momentum, 0, JACOBI);
  tcase_add_loop_test(all, friction_holds_up_to_its_angle, 0, JACOBI);
  tcase_add_loop_test(all, stacks_come_to_rest, 0, METHODS);
  tcase_add_loop_test(all, reactions_hold_what_presses_on_pins, 0, JACOBI);
  tcase_add_loop_test(all, a_pinched_rod_bulges, 0, METHODS);
  tcase_add_loop_test(all, iterations_converge_in_contact, 0, JACOBI);
  tcase_add_loop_test(all, threads_and_restarts_leave_the_bits_alone, 0, 2 * METHODS);
  tcase_add_test(all, pressed_bodies_go_on_after_a_restart);
  tcase_add_loop_test(all, lists_of_pairs_leave_the_bits_alone, 0, 2);
  tcase_add_test(all, filters_say_what_touches);
  tcase_add_test(all, speed_is_told);
  return all;
}

VB_TEST_MAIN("viper contact", make_case())
