// SPDX-License-Identifier: GPL-3.0-or-later
/// Drivers that ride on others, in every solver of the program: pins are where the composed motion
/// says, and reactions and work are those of one driver that moves the same way.
/// Covers: src/scene/motion.c src/viper/model/boundary.*
#include "handle.h"
#include "scenes/solids.h"

#include <math.h>

static const char *const solvers[] = {"viper", "bergou", "neohookean", "articulated"};
enum { N_SOLVERS = 4, STEPS = 40 };

static const double shoulder_at[3] = {-0.3, 0.1, 0.2}, elbow_at[3] = {0, 0, 0.05};
static const double shoulder_axis[3] = {0.6, 0, 0.8}, elbow_axis[3] = {0, 1, 0};
/// Ends of motions that begin and end at rest, at 0.2 s: angles of shoulder and elbow [rad], and a
/// displacement along y [m].
static const double turned[2] = {0.7, -0.4}, displaced = 0.15;

/// From 0 to `value`, at rest at 0 and 0.2 s.
static int32_t smooth(vb_builder *b, double value) {
  const double keys[2][2] = {{0, 0}, {0.2, value}};
  return scenes_curve(b, VB_CUBIC, 2, keys);
}

static int32_t add_driver(vb_builder *b, const char *name, const double origin[3],
                          const double axis[3], double angle, double along_y, int32_t parent) {
  vb_driver d = {.translation = {-1, -1, -1}, .angle = -1};
  snprintf(d.name, sizeof d.name, "%s", name);
  memcpy(d.origin, origin, sizeof d.origin);
  memcpy(d.axis, axis, sizeof d.axis);
  if (angle != 0)
    d.angle = smooth(b, angle);
  if (along_y != 0)
    d.translation[1] = smooth(b, along_y);
  int32_t driver = fixture_add(b, VB_SET_DRIVER, &d);
  if (parent >= 0)
    fixture_add(b, VB_SET_PARENT, &(vb_parent){driver, parent});
  return driver;
}

/// The driver of the pins.
typedef enum arm {
  ELBOW, ///< 0: turns about another axis than its parent, 1, which moves and turns
  CHAIN, ///< 0: turns; 1 turns about the same axis; and 2 moves
  ONE    ///< 0: does what CHAIN does
} arm;

static void add_arm(vb_builder *b, arm which) {
  static const double none[3] = {0, 0, 0};
  if (which == ONE) {
    add_driver(b, "hand", elbow_at, elbow_axis, turned[0] + turned[1], displaced, -1);
  } else if (which == CHAIN) {
    add_driver(b, "hand", elbow_at, elbow_axis, turned[1], 0, 1);
    add_driver(b, "upper", elbow_at, elbow_axis, turned[0], 0, 2);
    add_driver(b, "trunk", none, elbow_axis, 0, displaced, -1);
  } else {
    add_driver(b, "hand", elbow_at, elbow_axis, turned[1], 0, 1);
    add_driver(b, "upper", shoulder_at, shoulder_axis, turned[0], displaced, -1);
  }
}

/// A rod, or for `neohookean` and `articulated` a bar of tetrahedra, of 0.8 m along x that driver 0
/// holds at its beginning; it falls, too.
static vb_scene *held(const char *solver, arm which, double step) {
  vb_builder *b = scenes_begin(step, 2);
  if (strcmp(solver, "neohookean") == 0 || strcmp(solver, "articulated") == 0) {
    const int32_t cells[3] = {4, 1, 1};
    solid_box s = solids_box(b, cells, (const double[3]){0.8, 0.1, 0.1}, 0.3, 0.1);
    add_arm(b, which);
    solids_pin_face(&s, 0, 0, 0);
    return fixture_freeze(b);
  }
  scenes_bar(b, 6, 0.8, 0.05, &scenes_no_surface);
  add_arm(b, which);
  scenes_pin_node(b, 0, VB_PIN_CENTER | VB_PIN_SCALE, 0);
  scenes_pin_node(b, 1, VB_PIN_CENTER, 0);
  scenes_pin_frame(b, 0, 0);
  return fixture_freeze(b);
}

static handle open_solver(const char *name, const vb_scene *scene) {
  return handle_open_as(name, scene, "iterations", "60", NULL);
}

/// Rodrigues about a point: origin + c r + s a x r + (1 - c) (a . r) a.
static void turn(const double origin[3], const double a[3], double angle, double x[3]) {
  double c = cos(angle), s = sin(angle), r[3], along = 0;
  for (int k = 0; k < 3; k++) {
    r[k] = x[k] - origin[k];
    along += a[k] * r[k];
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    x[k] = origin[k] + c * r[k] + s * (a[i] * r[j] - a[j] * r[i]) + (1 - c) * along * a[k];
  }
}

START_TEST(pins_are_where_the_composed_motion_says) {
  const char *name = solvers[_i];
  vb_scene *scene = held(name, ELBOW, 0.005);
  handle s = open_solver(name, scene);
  size_t n_pins, n;
  const vb_pin *pin = vb_scene_pins(scene, &n_pins);
  const vb_node *node = vb_scene_nodes(scene, &n);
  for (int step = 1; step <= STEPS; step++) {
    handle_step(&s, 1);
    double t = 0.005 * step / 0.2, part = t * t * (3 - 2 * t);
    double *position = handle_read(&s, "position");
    for (size_t i = 0; i < n_pins; i++) {
      if (pin[i].location != VB_AT_NODE)
        continue;
      double x[3];
      memcpy(x, node[pin[i].index].position, sizeof x);
      turn(elbow_at, elbow_axis, part * turned[1], x);
      turn(shoulder_at, shoulder_axis, part * turned[0], x);
      x[1] += part * displaced;
      // Positions of 1 m; the curve's own rounding is the largest.
      for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(position[3 * pin[i].index + k], x[k], 1e-12);
    }
    free(position);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// Position, reactions and work of driver 0 of a chain are those of one driver; those above it hold
/// nothing, exert nothing and do no work. Both solve the same problems to rounding.
START_TEST(a_chain_is_one_driver) {
  const char *name = solvers[_i];
  vb_scene *scene[2] = {held(name, CHAIN, 0.005), held(name, ONE, 0.005)};
  handle s[2] = {open_solver(name, scene[0]), open_solver(name, scene[1])};
  double work[2][3], force[2][9], torque[2][9], most = 0;
  for (int step = 0; step < STEPS; step++)
    for (int k = 0; k < 2; k++) {
      handle_step(&s[k], 1);
      ck_assert_int_eq(s[k].solver->work(s[k].self, work[k], NULL), VB_OK);
      ck_assert_int_eq(s[k].solver->reactions(s[k].self, force[k], torque[k], NULL), VB_OK);
      most = fmax(most, fabs(work[k][0]));
    }
  double *x[2] = {handle_read(&s[0], "position"), handle_read(&s[1], "position")};
  size_t n_nodes;
  vb_scene_nodes(scene[0], &n_nodes);
  // Iterations end at their own rounding, which stiffness magnifies in forces.
  for (size_t i = 0; i < 3 * n_nodes; i++)
    ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-9);
  double size = fabs(force[1][0]) + fabs(force[1][1]) + fabs(force[1][2]);
  ck_assert_double_gt(size, 0.1);
  for (int c = 0; c < 3; c++) {
    ck_assert_double_eq_tol(force[0][c], force[1][c], 1e-6 * size);
    ck_assert_double_eq_tol(torque[0][c], torque[1][c], 1e-6 * size);
  }
  ck_assert_double_gt(most, 1e-3);
  ck_assert_double_eq_tol(work[0][0], work[1][0], 1e-7 * most);
  for (int c = 3; c < 9; c++)
    ck_assert(force[0][c] == 0 && torque[0][c] == 0);
  ck_assert(work[0][1] == 0 && work[0][2] == 0);
  for (int k = 0; k < 2; k++) {
    free(x[k]);
    handle_close(&s[k]);
    free(scene[k]);
  }
}
END_TEST

/// Kinetic and potential energies, less the work of the drivers.
static double balance(handle *s) {
  double work[2];
  ck_assert_int_eq(s->solver->work(s->self, work, NULL), VB_OK);
  return handle_elastic(s) + handle_energy(s, "kinetic") + handle_energy(s, "gravity") - work[0] -
         work[1];
}

/// The energy that implicit Euler loses in 0.2 s in steps of `h`.
static double lost(const char *solver, double h) {
  vb_scene *scene = held(solver, ELBOW, h);
  handle s = open_solver(solver, scene);
  double start = balance(&s);
  handle_step(&s, (int64_t)round(0.2 / h));
  double loss = start - balance(&s);
  handle_close(&s);
  free(scene);
  return loss;
}

/// Work done is the energy gained plus a loss, which is positive and vanishes with h.
START_TEST(work_balances_energy) {
  double coarse = lost(solvers[_i], 5e-4), fine = lost(solvers[_i], 2.5e-4);
  ck_assert_double_gt(fine, 0);
  ck_assert_double_gt(coarse / fine, 1.6);
  ck_assert_double_lt(coarse / fine, 2.4);
}
END_TEST

static TCase *make_case(void) {
  TCase *c = tcase_create("parents");
  tcase_add_loop_test(c, pins_are_where_the_composed_motion_says, 0, N_SOLVERS);
  tcase_add_loop_test(c, a_chain_is_one_driver, 0, N_SOLVERS);
  tcase_add_loop_test(c, work_balances_energy, 0, N_SOLVERS);
  return c;
}

VB_TEST_MAIN("drivers that ride on others", make_case())
