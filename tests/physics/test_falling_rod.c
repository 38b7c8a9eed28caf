// SPDX-License-Identifier: GPL-3.0-or-later
/// The rod of bench/rods.lua, straight, of the material model solid: it is clamped at one end and
/// falls. Compared with a planar integration of point masses and springs by Runge and Kutta's
/// method, which shares nothing with the solver.
/// Covers: src/viper/model/solid.*
#include "handle.h"
#include "scenes/lua_scene.h"

#include <math.h>
#include <string.h>

#define LENGTH  1.0
#define RADIUS  0.02
#define DENSITY 1000.0
#define YOUNG   1e6
#define NU      0.49
#define GRAVITY 9.81
enum { SEGMENTS = 64, MOST = 144 };

/// The first segment's frame is held and its joint bends about its end: the rod is clamped at its
/// middle.
static const double CLAMP = 0.5 * LENGTH / SEGMENTS;

/// Points (x, z) with bars between them, the angles of the bars' sections, and how fast both
/// change; point 0 is the clamp.
typedef struct rod {
  double x[MOST + 1][3], v[MOST + 1][3];
} rod;

/// How the state changes: n bars of length a, with the tension of a Neo-Hookean solid of constant
/// volume, the shear of Timoshenko's beam, and a bending stiffness that falls with the cube of the
/// stretch, as fibers become thinner and come nearer to the axis.
static rod rate_of(const rod *p, int n, double a) {
  const double area = M_PI * RADIUS * RADIUS, moment = area * RADIUS * RADIUS / 4;
  const double shear = 6 * (1 + NU) / (7 + 6 * NU) * YOUNG / (2 * (1 + NU)) * area * a;
  double force[MOST + 1][3] = {{0}}, last = 1;
  rod out;
  memset(&out, 0, sizeof out);
  for (int k = 0; k < n; k++) {
    double d[2] = {p->x[k + 1][0] - p->x[k][0], p->x[k + 1][1] - p->x[k][1]}, l = hypot(d[0], d[1]);
    double stretch = l / a, mean = k == 0 ? stretch : 0.5 * (stretch + last), angle = p->x[k][2];
    double tension = YOUNG / 3 * area * (stretch - 1 / (stretch * stretch));
    double slip = shear * sin(atan2(d[1], d[0]) - angle); // torque on the section, and off the bar
    double bend =
        YOUNG * moment / a / (mean * mean * mean) * (k == 0 ? 2 * angle : angle - p->x[k - 1][2]);
    force[k][2] += slip - bend;
    if (k > 0)
      force[k - 1][2] += bend;
    double f[2] = {(tension * d[0] - slip * d[1] / l) / l, (tension * d[1] + slip * d[0] / l) / l};
    for (int c = 0; c < 2; c++) {
      force[k][c] += f[c];
      force[k + 1][c] -= f[c];
    }
    last = stretch;
  }
  for (int k = 0; k <= n; k++)
    for (int c = 0; c < 3; c++) {
      double inertia = DENSITY * a * (c == 2 ? moment : k == n ? 0.5 * area : area);
      if ((c < 2 && k == 0) || (c == 2 && k == n))
        continue;
      out.x[k][c] = p->v[k][c];
      out.v[k][c] = force[k][c] / inertia - (c == 1 ? GRAVITY : 0);
    }
  return out;
}

static rod moved(const rod *p, const rod *rate, double h) {
  rod out = *p;
  for (int k = 0; k <= MOST; k++)
    for (int c = 0; c < 3; c++) {
      out.x[k][c] += h * rate->x[k][c];
      out.v[k][c] += h * rate->v[k][c];
    }
  return out;
}

/// Where the tip of `n` bars is at `time`.
static void integrate(int n, double time, double tip[2]) {
  const double a = (LENGTH - CLAMP) / n;
  const int steps = (int)ceil(time / 5e-5);
  const double h = time / steps;
  rod p;
  memset(&p, 0, sizeof p);
  for (int k = 0; k <= n; k++)
    p.x[k][0] = CLAMP + a * k;
  for (int step = 0; step < steps; step++) {
    rod r1 = rate_of(&p, n, a), at = moved(&p, &r1, h / 2), r2 = rate_of(&at, n, a);
    at = moved(&p, &r2, h / 2);
    rod r3 = rate_of(&at, n, a);
    at = moved(&p, &r3, h);
    rod r4 = rate_of(&at, n, a);
    p = moved(&p, &r1, h / 6);
    p = moved(&p, &r2, h / 3);
    p = moved(&p, &r3, h / 3);
    p = moved(&p, &r4, h / 6);
  }
  tip[0] = p.x[n][0];
  tip[1] = p.x[n][1];
}

static double distance(const double a[2], const double b[2]) {
  return hypot(a[0] - b[0], a[1] - b[1]);
}

/// After half a second the tip is below the clamp. Another number of bars moves the reference by
/// less than a tenth of what is allowed.
START_TEST(a_falling_rod_is_where_a_planar_integration_is) {
  double fine[2], coarse[2], tip[2];
  const double time = 0.5;
  integrate(MOST, time, fine);
  integrate(MOST / 2, time, coarse);
  ck_assert_double_le(distance(fine, coarse), 1e-3 * LENGTH);
  vb_scene *scene = lua_scene("tests/physics/falling.lua", "model=solid");
  handle s = handle_open(scene, "method", "direct", "integrator", "bdf2", "iterations", "20", NULL);
  handle_step(&s, (int64_t)lround(time / 1e-3));
  tip[0] = handle_value(&s, "position", 3 * SEGMENTS);
  tip[1] = handle_value(&s, "position", 3 * SEGMENTS + 2);
  ck_assert_double_le(distance(tip, fine), 0.01 * LENGTH);
  handle_close(&s);
  free(scene);
}
END_TEST

static TCase *falling(void) {
  TCase *c = tcase_create("falling rod");
  tcase_add_test(c, a_falling_rod_is_where_a_planar_integration_is);
  return c;
}

VB_TEST_MAIN("falling rod", falling())
