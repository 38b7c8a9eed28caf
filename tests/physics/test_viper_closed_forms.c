// SPDX-License-Identifier: GPL-3.0-or-later
/// Answers known in closed form, through the interface of the viper solver.
/// Covers: src/viper/method/*.h src/viper/model/*.[ch]
#include "handle.h"
#include "scenes/scenes.h"

#include <complex.h>

enum { N = 12 };
static const double length = 0.6, radius = 0.05, density = 1000;
/// kx + ky, kz, kv, kbx + kby of scenes_rubber.
static const double kxy = 9e4, kz = 6e4, kv = 3e5, kb = 90;

/// A bar held in a straight line at stretch e, its scales free, at rest after one long step.
static vb_scene *held_bar(double e) {
  vb_builder *b = scenes_begin(1e4, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].position[0] *= e;
  int32_t wall = scenes_wall(b, "wall");
  for (int32_t i = 0; i <= N; i++)
    scenes_pin_node(b, i, VB_PIN_CENTER, wall);
  return fixture_freeze(b);
}

/// The positive root of (kx + ky)(s - 1) + 2 kv s e (s^2 e - 1), by bisection.
static double held_scale(double e) {
  double low = 0.05, high = 3;
  for (int k = 0; k < 100; k++) {
    double s = (low + high) / 2;
    if (kxy * (s - 1) + 2 * kv * s * e * (s * s * e - 1) > 0)
      high = s;
    else
      low = s;
  }
  return low;
}

/// `direct` in double: 1e-9, conditioning times rounding. In float: positions and scales of order 1
/// have an epsilon of 1.2e-7, strains of segments of 0.05 m one of 1e-6; ten of these.
START_TEST(a_held_bar_finds_its_scale) {
  static const double stretches[] = {0.6, 1, 1.5, 2};
  static const char *const precisions[] = {"double", "float"};
  double e = stretches[_i % 4], right = held_scale(e);
  vb_scene *scene = held_bar(e);
  handle s = handle_open(scene, "iterations", "60", "tolerance", "0", "precision",
                         precisions[_i / 4], NULL);
  handle_step(&s, 1);
  for (size_t i = 0; i <= N; i++)
    ck_assert_double_eq_tol(handle_value(&s, "scale", i), right, _i / 4 ? 1e-5 : 1e-9);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A cantilever's tip deflects by F l^3 N (N-1) (2N-1) / (6 B) + F N l / ((kz + kv) pi r^2) under a
/// small force F: to first order, so to 1e-6 where the deflection is 1e-4 of the length.
START_TEST(a_cantilever_bends) {
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  const double force = 1.6e-3, l = length / N;
  scenes_push(b, N, 0, force, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "60", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double area = M_PI * radius * radius, bending = (kz + kv) * area * radius * radius / 4;
  double right = force * l * l * l * N * (N - 1) * (2 * N - 1) / (6 * bending) +
                 force * N * l / ((kz + kv) * area);
  ck_assert_double_gt(right, 0.5e-4);
  ck_assert_double_eq_tol(handle_value(&s, "position", 3 * N + 1), right, 1e-6 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// The same bar, whose factors about the axis that the push bends it about are four in one half and
/// one in the other: B of a joint is the mean of its segments'. The other axis, which is softer,
/// does not bend.
START_TEST(bending_factors_stiffen_a_cantilever) {
  const double force = 1.6e-3, l = length / N, area = M_PI * radius * radius;
  vb_builder *b = scenes_begin(1e5, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  for (int32_t j = 0; j < N; j++) {
    vb_bending bending = {.segment = j, .factor = {0.5, 0.5}};
    bending.factor[_i] = j < N / 2 ? 4 : 1;
    fixture_add(b, VB_SET_BENDING, &bending);
  }
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_frame(b, 0, wall);
  // u is -z and v is y: the push along y bends about u.
  scenes_push(b, N, 0, _i == 0 ? force : 0, _i == 0 ? 0 : force, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "60", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double right = force * N * l / ((kz + kv) * area);
  for (int i = 1; i < N; i++) { // joint i turns the rest of the bar, of length (N - i) l
    double mean = ((i - 1 < N / 2 ? 4 : 1) + (i < N / 2 ? 4 : 1)) / 2.0;
    double bending = mean * (kz + kv) * area * radius * radius / 4;
    right += force * pow((N - i) * l, 2) * l / bending;
  }
  ck_assert_double_gt(right, 1e-5);
  ck_assert_double_eq_tol(handle_value(&s, "position", 3 * N + 1 + (size_t)(_i)), right,
                          1e-6 * right);
  handle_close(&s);
  free(scene);
}
END_TEST

/// U and S of a mode (displacement gradient and scale), or its amplitude of twist.
typedef struct mode {
  double w, u, s;
} mode;

/// Acoustic (0) or optical (1) branch at wave number k: eigenvector of the 2x2 system of the model.
static mode find_mode(int branch, double k, double surface) {
  double l = length / N, kap = 2 / l * sin(k * l / 2), c = cos(k * l / 2), r2 = radius * radius;
  double a = (kz + kv) * kap * kap / density, off_u = 2 * kv * kap * c / density;
  double d = ((kxy + 4 * kv) * c * c + r2 / 4 * (kxy * kap * kap + surface * pow(kap, 4))) /
             (density * r2 / 2);
  double off_s = 2 * kv * kap * c / (density * r2 / 2);
  double root = sqrt((a - d) * (a - d) / 4 + off_u * off_s);
  double w2 = (a + d) / 2 + (branch ? root : -root);
  return (mode){sqrt(w2), off_u, w2 - a};
}

/// A bar with held end centers and free scales in a standing mode of amplitude 1e-6.
static vb_scene *vibrating(const mode *m, double k, double h) {
  vb_builder *b = scenes_begin(h, 0);
  scenes_bar(b, N, length, radius, &scenes_no_surface);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  double size = 1e-6 / hypot(m->u, m->s);
  for (size_t i = 0; i < n; i++) {
    double z = node[i].rest_position[0];
    node[i].position[0] += size * m->u * sin(k * z);
    node[i].scale = 1 + size * m->s * cos(k * z);
  }
  int32_t wall = scenes_wall(b, "wall");
  scenes_pin_node(b, 0, VB_PIN_CENTER, wall);
  scenes_pin_node(b, N, VB_PIN_CENTER, wall);
  return fixture_freeze(b);
}

/// Each step multiplies a mode by (1 - i w h)^-1. Started at rest: x + i y / (w) .. follows from
/// the complex amplitude z = x + i v / w, here its real part over five steps. Tolerance: terms of
/// second order in the amplitude 1e-6.
START_TEST(vibrations_take_one_multiplier) {
  int branch = _i % 2, waves = 1 + _i / 2;
  double k = M_PI * waves / length;
  mode m = find_mode(branch, k, 0);
  double h = 0.3 / m.w, size = 1e-6 / hypot(m.u, m.s);
  vb_scene *scene = vibrating(&m, k, h);
  handle s = handle_open(scene, "iterations", "8", "tolerance", "0", NULL);
  double complex z = 1;
  for (int step = 0; step < 5; step++) {
    handle_step(&s, 1);
    z /= 1 - I * m.w * h;
    for (size_t i = 0; i <= N; i++) {
      double at = length * (double)i / N;
      ck_assert_double_eq_tol(handle_value(&s, "position", 3 * i) - at,
                              creal(z) * size * m.u * sin(k * at), 1e-11);
      ck_assert_double_eq_tol(handle_value(&s, "scale", i) - 1, creal(z) * size * m.s * cos(k * at),
                              2e-11);
    }
  }
  handle_close(&s);
  free(scene);
}
END_TEST

/// With surface_bend the interior of a periodic bar has the modes of the whole formula; here a bar
/// so long that one step does not tell the middle of its ends.
START_TEST(surface_bend_stiffens_the_interior) {
  double k = M_PI * 4 / length;
  mode with = find_mode(1, k, kb), without = find_mode(1, k, 0);
  ck_assert_double_gt(with.w, 1.002 * without.w);
  double h = 0.3 / with.w, size = 1e-6 / hypot(with.u, with.s);
  vb_builder *b = scenes_begin(h, 0);
  scenes_bar(b, 10 * N, 10 * length, radius, &scenes_rubber);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++) {
    double z = node[i].rest_position[0];
    node[i].position[0] += size * with.u * sin(k * z);
    node[i].scale = 1 + size * with.s * cos(k * z);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "8", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double factor = creal(1 / (1 - I * with.w * h)), z = 5 * length;
  ck_assert_double_eq_tol(handle_value(&s, "scale", 5 * N) - 1, factor * size * with.s * cos(k * z),
                          2e-11);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Twist waves: w = sqrt((kx + ky) / (2 rho)) kap; a free bar, frames at segments' middles turn by
/// an angle cos(k z).
START_TEST(twist_waves_take_their_multiplier) {
  double l = length / N, k = M_PI * 2 / length, kap = 2 / l * sin(k * l / 2);
  double w = sqrt(kxy / (2 * density)) * kap, h = 0.3 / w, size = 1e-5;
  vb_builder *b = scenes_begin(h, 0);
  scenes_bar(b, N, length, radius, &scenes_rubber);
  size_t n;
  vb_scene *rest = NULL;
  ck_assert_int_eq(vb_builder_freeze(b, &rest, NULL), VB_OK);
  const vb_segment *at_rest = vb_scene_segments(rest, &n);
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++) {
    double half = 0.5 * size * cos(k * l * ((double)j + 0.5));
    const double *q = at_rest[j].rest_frame; // times a turn about w in body axes
    double frame[4] = {q[0] - half * q[3], q[1] + half * q[2], q[2] - half * q[1],
                       q[3] + half * q[0]};
    memcpy(segment[j].frame, frame, sizeof frame);
  }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "8", "tolerance", "0", NULL);
  double complex z = 1;
  for (int step = 0; step < 4; step++) {
    double now[N];
    handle_step(&s, 1);
    z /= 1 - I * w * h;
    double *frame = handle_read(&s, "frame");
    for (size_t j = 0; j < N; j++) { // the turn since rest, about w
      const double *p = frame + 4 * j, *q = at_rest[j].rest_frame;
      now[j] = 2 * (q[0] * p[3] - q[3] * p[0] - q[1] * p[2] + q[2] * p[1]);
      ck_assert_double_eq_tol(now[j], creal(z) * size * cos(k * l * ((double)j + 0.5)), 1e-9 * 0.1);
    }
    free(frame);
  }
  handle_close(&s);
  free(rest);
  free(scene);
}
END_TEST

/// A free node's scale under a scale force, and a free frame under a torque, gather speed by their
/// own inertias: J = rho pi r^4/4 l at each of two ends, I = rho l pi r^4/4 (1, 1, 2). (Eq. 69
/// prints the two in each other's rows.) The rod is nearly without stiffness; one step.
START_TEST(torque_turns_and_scale_force_swells) {
  const double h = 0.01, l = 0.4, torque = 1e-3, swell = 2e-3;
  vb_builder *b = scenes_begin(h, 0);
  scenes_material loose = {density, {1e-9, 1e-9, 1e-9, 0, 0, 0}};
  scenes_bar(b, 1, l, radius, &loose);
  scenes_push(b, 1, 0, 0, 0, swell);
  scenes_twist(b, 0, torque, 0, 0);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "iterations", "10", "tolerance", "0", NULL);
  handle_step(&s, 1);
  double moment = density * l * M_PI * pow(radius, 4) / 4, swelling = h * h * swell / moment;
  double shat = 1 + swelling / 2;
  ck_assert_double_eq_tol(handle_value(&s, "scale", 1) - 1, swelling, 1e-9 * swelling);
  ck_assert_double_eq_tol(handle_value(&s, "scale", 0), 1, 1e-9 * swelling);
  double rate = h * torque / (2 * moment * shat * shat);
  double turned = 2 / h * sin(0.5 * h * rate); // the discrete angular velocity of that turn
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 0), turned, 1e-9 * turned);
  ck_assert_double_eq_tol(handle_value(&s, "angular_velocity", 1), 0, 1e-12);
  handle_close(&s);
  free(scene);
}
END_TEST

/// A damped free fall: v_(k+1) = (v_k + h g) / (1 + d h), to rounding.
START_TEST(damping_is_a_rate) {
  const double h = 0.01, d = 7;
  vb_builder *b = scenes_begin(h, 9.81);
  scenes_bar(b, 3, length, radius, &scenes_rubber);
  vb_builder_world(b)->damping = d;
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, NULL);
  double v = 0;
  for (int step = 0; step < 20; step++) {
    handle_step(&s, 1);
    v = (v - h * 9.81) / (1 + d * h);
    ck_assert_double_eq_tol(handle_value(&s, "velocity", 5), v, 1e-12);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *statics(void) {
  TCase *t = tcase_create("statics");
  tcase_add_loop_test(t, a_held_bar_finds_its_scale, 0, 8);
  tcase_add_test(t, a_cantilever_bends);
  tcase_add_loop_test(t, bending_factors_stiffen_a_cantilever, 0, 2);
  return t;
}

static TCase *dynamics(void) {
  TCase *t = tcase_create("dynamics");
  tcase_add_loop_test(t, vibrations_take_one_multiplier, 0, 6);
  tcase_add_test(t, surface_bend_stiffens_the_interior);
  tcase_add_test(t, twist_waves_take_their_multiplier);
  tcase_add_test(t, torque_turns_and_scale_force_swells);
  tcase_add_test(t, damping_is_a_rate);
  return t;
}

VB_TEST_MAIN("viper closed forms", statics(), dynamics())
