// SPDX-License-Identifier: GPL-3.0-or-later
/// A step of the solver articulated against the minimum of the same objective, written a second
/// time in minimal coordinates (flesh nodes, the pose of one bone, the turn of the other about
/// their joint), with singular values by GSL, and minimized by its BFGS.
/// Covers: reference/articulated/objective.* reference/articulated/step.*
/// Covers: reference/articulated/solve.* reference/articulated/reduce.*
/// Covers: reference/articulated/links.*
#include "scenes/arm.h"

#include "scene/rotation.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_multiroots.h>

static const double step = 0.1, gravity = 9.81, young = 3e4, poisson = 0.3;

enum { MOST_NODES = 28 };

/// The scene's data, and where nodes belong: -1 held, 0 flesh, 1 and 2 bones.
typedef struct model {
  const vb_node *node;
  const vb_tetrahedron *tetrahedron;
  size_t n_nodes, n_tetrahedra, n_free;
  int part[MOST_NODES];
  double joint[3];
} model;

static void matrix_of(const double r[3], double out[9]) {
  double angle = sqrt(vb_dot(r, r)), s = angle > 0 ? sin(angle) / angle : 1;
  double c = angle > 0 ? (1 - cos(angle)) / (angle * angle) : 0.5;
  const double star[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
  for (int i = 0; i < 9; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++)
      square += star[i / 3 * 3 + k] * star[3 * k + i % 3];
    out[i] = (i % 4 == 0) + s * star[i] + c * square;
  }
}

/// The gradient by a rotation vector, for a torque: J^T t, J = I + (1 - cos)/a^2 r* + (a - sin)/a^3
/// r*^2.
static void pull_back(const double r[3], const double torque[3], double out[3]) {
  double angle = sqrt(vb_dot(r, r)), one[3], two[3];
  double b = angle > 1e-4 ? (1 - cos(angle)) / (angle * angle) : 0.5;
  double c = angle > 1e-4 ? (angle - sin(angle)) / (angle * angle * angle) : 1.0 / 6;
  vb_cross(r, torque, one);
  vb_cross(r, one, two);
  for (int k = 0; k < 3; k++)
    out[k] = torque[k] - b * one[k] + c * two[k];
}

static void place(const model *m, const double r[9], const double from[3], const double to[3],
                  size_t i, double *x) {
  double arm[3];
  vb_subtract(m->node[i].rest_position, from, arm);
  for (int c = 0; c < 3; c++)
    x[3 * i + (size_t)c] = to[c] + vb_dot(r + 3 * c, arm);
}

/// Positions for unknowns: flesh, then shift and turn of bone 1, then turn of bone 2.
static void positions(const model *m, const gsl_vector *z, double *x, double joint[3]) {
  const double *bone = z->data + 3 * m->n_free, zero[3] = {0};
  double turn[2][9];
  size_t k = 0;
  matrix_of(bone + 3, turn[0]);
  matrix_of(bone + 6, turn[1]);
  for (int c = 0; c < 3; c++)
    joint[c] = bone[c] + vb_dot(turn[0] + 3 * c, m->joint);
  for (size_t i = 0; i < m->n_nodes; i++) {
    if (m->part[i] == 1)
      place(m, turn[0], zero, bone, i, x);
    else if (m->part[i] == 2)
      place(m, turn[1], m->joint, joint, i, x);
    else
      memcpy(x + 3 * i, m->part[i] < 0 ? m->node[i].rest_position : z->data + 3 * k++,
             3 * sizeof *x);
  }
}

/// Adds the corotated energy of a tetrahedron, and its forces.
static double elastic(const vb_tetrahedron *t, const vb_node *node, const double *x, double *g) {
  double rest[9], now[9], inverse[9], f[9], v[9], s[3], work[3], r[9], d = -3, psi = 0;
  double mu = young / (2 * (1 + poisson)),
         la = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  for (int a = 0; a < 3; a++)
    for (int c = 0; c < 3; c++) {
      rest[3 * c + a] = node[t->node[a + 1]].rest_position[c] - node[t->node[0]].rest_position[c];
      now[3 * c + a] = x[3 * t->node[a + 1] + c] - x[3 * t->node[0] + c];
    }
  double volume = (rest[0] * (rest[4] * rest[8] - rest[5] * rest[7]) -
                   rest[1] * (rest[3] * rest[8] - rest[5] * rest[6]) +
                   rest[2] * (rest[3] * rest[7] - rest[4] * rest[6])) /
                  6;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
      inverse[3 * i + j] =
          (rest[3 * a + p] * rest[3 * b + q] - rest[3 * a + q] * rest[3 * b + p]) / (6 * volume);
    }
  for (int i = 0; i < 9; i++) {
    f[i] = 0;
    for (int k = 0; k < 3; k++)
      f[i] += now[i / 3 * 3 + k] * inverse[3 * k + i % 3];
  }
  double u[9];
  memcpy(u, f, sizeof u);
  gsl_matrix_view us = gsl_matrix_view_array(u, 3, 3), vs = gsl_matrix_view_array(v, 3, 3);
  gsl_vector_view ss = gsl_vector_view_array(s, 3), ws = gsl_vector_view_array(work, 3);
  ck_assert_int_eq(gsl_linalg_SV_decomp(&us.matrix, &vs.matrix, &ss.vector, &ws.vector), 0);
  for (int i = 0; i < 9; i++) { // no element turns inside out here
    r[i] = 0;
    for (int k = 0; k < 3; k++)
      r[i] += u[i / 3 * 3 + k] * v[i % 3 * 3 + k];
  }
  for (int k = 0; k < 3; k++) {
    d += s[k];
    psi += mu * (s[k] - 1) * (s[k] - 1);
  }
  for (int a = 0; a < 3; a++)
    for (int c = 0; c < 3; c++) {
      double force = 0;
      for (int k = 0; k < 3; k++) {
        double p = 2 * mu * (f[3 * c + k] - r[3 * c + k]) + la * d * r[3 * c + k];
        force += volume * p * inverse[3 * a + k];
      }
      g[3 * t->node[a + 1] + c] += force;
      g[3 * t->node[0] + c] -= force;
    }
  return volume * (psi + 0.5 * la * d * d);
}

/// Adds the inertia of a tetrahedron from rest: lumped where it deforms, exact where it is rigid.
static double inertia(const vb_tetrahedron *t, const vb_node *node, bool rigid, const double *x,
                      double *g) {
  double mass = t->density *
                vb_volume6(node[t->node[0]].rest_position, node[t->node[1]].rest_position,
                           node[t->node[2]].rest_position, node[t->node[3]].rest_position) /
                (6 * step * step);
  double d[4][3], sum[3] = {0}, phi = 0;
  for (int a = 0; a < 4; a++)
    for (int c = 0; c < 3; c++) {
      d[a][c] = x[3 * t->node[a] + c] - node[t->node[a]].rest_position[c] +
                (c == 2 ? step * step * gravity : 0);
      sum[c] += d[a][c];
    }
  for (int a = 0; a < 4; a++)
    for (int c = 0; c < 3; c++) {
      double force = rigid ? mass / 20 * (d[a][c] + sum[c]) : mass / 4 * d[a][c];
      g[3 * t->node[a] + c] += force;
      phi += 0.5 * force * d[a][c];
    }
  return phi;
}

static double objective(const gsl_vector *z, const model *m, gsl_vector *out) {
  double x[3 * MOST_NODES], g[3 * MOST_NODES] = {0}, joint[3], phi = 0;
  positions(m, z, x, joint);
  for (size_t i = 0; i < m->n_tetrahedra; i++) {
    const vb_tetrahedron *t = &m->tetrahedron[i];
    bool rigid = m->part[t->node[0]] > 0;
    for (int a = 1; a < 4; a++)
      rigid = rigid && m->part[t->node[a]] == m->part[t->node[0]];
    phi += inertia(t, m->node, rigid, x, g) + (rigid ? 0 : elastic(t, m->node, x, g));
  }
  if (!out)
    return phi;
  const double *bone = z->data + 3 * m->n_free;
  double force[3][3] = {{0}}, torque[3][3] = {{0}}, moment[3], arm[3];
  size_t k = 0;
  for (size_t i = 0; i < m->n_nodes; i++) {
    int part = m->part[i];
    if (part == 0)
      memcpy(out->data + 3 * k++, g + 3 * i, 3 * sizeof *g);
    if (part <= 0)
      continue;
    vb_subtract(x + 3 * i, part == 1 ? bone : joint, arm);
    vb_cross(arm, g + 3 * i, moment);
    vb_add_scaled(force[part], 1, g + 3 * i, force[part]);
    vb_add_scaled(torque[part], 1, moment, torque[part]);
  }
  vb_subtract(joint, bone, arm);
  vb_cross(arm, force[2], moment);
  vb_add_scaled(torque[1], 1, moment, torque[1]);
  vb_add_scaled(force[1], 1, force[2], out->data + 3 * m->n_free);
  pull_back(bone + 3, torque[1], out->data + 3 * m->n_free + 3);
  pull_back(bone + 6, torque[2], out->data + 3 * m->n_free + 6);
  return phi;
}

static double value(const gsl_vector *z, void *m) {
  return objective(z, m, NULL);
}

static void slope(const gsl_vector *z, void *m, gsl_vector *out) {
  objective(z, m, out);
}

static void both(const gsl_vector *z, void *m, double *phi, gsl_vector *out) {
  *phi = objective(z, m, out);
}

/// A bar of 6 x 1 x 1 cells; nodes from 0.2 to 0.4 m are bone 1, from 0.8 to 1 m bone 2.
static vb_scene *small_scene(model *m) {
  vb_builder *b = scenes_begin(step, gravity);
  solid_box s =
      solids_box(b, (const int32_t[]){6, 1, 1}, (const double[]){1.2, 0.2, 0.2}, poisson, 0);
  size_t n;
  vb_tetrahedron *t = vb_builder_elements(b, VB_SET_TETRAHEDRON, &n);
  for (size_t i = 0; i < n; i++)
    t[i].young = young;
  solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "upper"});
  fixture_add(b, VB_SET_BONE, &(vb_bone){.name = "fore"});
  for (size_t i = 0; i < s.n_nodes; i++) {
    int cell = (int)(solids_nodes(&s)[i].rest_position[0] / 0.2 + 0.5);
    m->part[i] = cell == 0 ? -1 : cell == 3 || cell == 6 ? 0 : cell < 3 ? 1 : 2;
    m->n_free += m->part[i] == 0;
    if (m->part[i] > 0)
      fixture_add(b, VB_SET_TIE,
                  &(vb_tie){.location = VB_AT_NODE, .index = (int32_t)i, .bone = m->part[i] - 1});
  }
  vb_link elbow = bones_link("elbow", VB_LINK_BALL, 1, 0, -1, 0.6, 0.1, 0.1);
  memcpy(m->joint, elbow.at, sizeof m->joint);
  fixture_add(b, VB_SET_LINK, &elbow);
  vb_scene *scene = fixture_freeze(b);
  m->node = vb_scene_nodes(scene, &m->n_nodes);
  m->tetrahedron = vb_scene_tetrahedra(scene, &m->n_tetrahedra);
  return scene;
}

static int balance(const gsl_vector *z, void *m, gsl_vector *out) {
  objective(z, m, out);
  return 0;
}

/// Goes on from near the minimum by the root of the gradient, which line searches on the value, its
/// digits being lost in a sum, do not find. Returns the norm of what is left of it.
static double finish(model *m, gsl_vector *z) {
  gsl_multiroot_function f = {balance, z->size, m};
  gsl_multiroot_fsolver *s = gsl_multiroot_fsolver_alloc(gsl_multiroot_fsolver_hybrids, z->size);
  gsl_multiroot_fsolver_set(s, &f, z);
  for (int i = 0; i < 200 && gsl_multiroot_fsolver_iterate(s) == 0; i++)
    if (gsl_blas_dnrm2(s->f) < 1e-9)
      break;
  gsl_vector_memcpy(z, s->x);
  double left = gsl_blas_dnrm2(s->f);
  gsl_multiroot_fsolver_free(s);
  return left;
}

/// The minimum by GSL, of the positions `x`.
static double minimize(model *m, double *x) {
  size_t n = 3 * m->n_free + 9, k = 0;
  gsl_vector *z = gsl_vector_calloc(n);
  for (size_t i = 0; i < m->n_nodes; i++)
    if (m->part[i] == 0)
      memcpy(z->data + 3 * k++, m->node[i].rest_position, 3 * sizeof *x);
  gsl_multimin_function_fdf f = {value, slope, both, n, m};
  gsl_multimin_fdfminimizer *s =
      gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, n);
  double joint[3];
  for (int round = 0; round < 4; round++) { // begun anew, it comes nearer
    gsl_multimin_fdfminimizer_set(s, &f, z, 1e-3, 0.1);
    for (int i = 0; i < 2000 && gsl_multimin_fdfminimizer_iterate(s) == 0; i++)
      if (gsl_blas_dnrm2(s->gradient) < 1e-10)
        break;
    gsl_vector_memcpy(z, s->x);
  }
  double left = finish(m, z);
  positions(m, z, x, joint);
  gsl_multimin_fdfminimizer_free(s);
  gsl_vector_free(z);
  return left;
}

START_TEST(consistent_is_the_minimum) {
  model m = {0};
  double x[3 * MOST_NODES], worst[2] = {0};
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  vb_scene *scene = small_scene(&m);
  ck_assert_uint_eq(m.n_nodes, MOST_NODES);
  double left = minimize(&m, x);
  for (int published = 0; published < 2; published++) {
    handle s =
        handle_open_as("articulated", scene, "projection", published ? "published" : "consistent",
                       "iterations", "3000", "tolerance", "1e-13", "threads", "1", NULL);
    handle_step(&s, 1);
    double *own = handle_read(&s, "position");
    for (size_t i = 0; i < m.n_nodes; i++)
      worst[published] = fmax(worst[published], vb_distance(own + 3 * i, x + 3 * i));
    free(own);
    handle_close(&s);
  }
  double sag = m.node[m.n_nodes - 1].rest_position[2] - x[3 * m.n_nodes - 1];
  printf("sag %.3f m, gradient left %.1e N; consistent %.1e m off, published %.1e m\n", sag, left,
         worst[0], worst[1]);
  ck_assert_double_gt(sag, 0.05);
  ck_assert_double_lt(worst[0], 1e-8 * 1.2);
  ck_assert_double_gt(worst[1], 1e-4);
  gsl_set_error_handler(handler);
  free(scene);
}
END_TEST

static TCase *minimum(void) {
  TCase *c = tcase_create("minimum");
  tcase_add_test(c, consistent_is_the_minimum);
  return c;
}

VB_TEST_MAIN("articulated: minimum", minimum())
