// SPDX-License-Identifier: GPL-3.0-or-later
/// A smooth rod p(x, y, z) = c(z) + s(z) R(z) (x, y, 0) that is curved, twisted, tapered and of
/// uneven stiffness at rest, and deformed besides; its energies by quadrature over the rest discs
/// and along the rod; and scenes that sample it. The strain comes from differences of p alone: no
/// Darboux vector, no quaternion.
#ifndef VB_TESTS_SUPPORT_CONTINUOUS_ROD_H
#define VB_TESTS_SUPPORT_CONTINUOUS_ROD_H

#include "scenes/energy_reference.h"
#include "scenes/model_energies.h"

#include <gsl/gsl_integration.h>

#define ROD_LENGTH 1.0 ///< m

/// Which deformation: one whose strains vanish at both ends, or one whose strains do not.
typedef enum rod_ends { ROD_ENDS_AT_REST, ROD_ENDS_STRAINED } rod_ends;

/// A rod, at rest or deformed, and the rule it is integrated by.
typedef struct rod {
  rod_ends ends;
  bool rest;
  gsl_integration_glfixed_table *rule;
} rod;

/// Weight of the deformation at z: with its first three derivatives 0 at ends at rest.
static double rod_weight(const rod *r, double z) {
  if (r->rest)
    return 0;
  return r->ends == ROD_ENDS_AT_REST ? pow(sin(M_PI * z / ROD_LENGTH), 4) : 0.5 + z * z;
}

/// Angles of R = Rz(angle[0]) Ry(angle[1]) Rz(angle[2]).
static void rod_angles(const rod *r, double z, double angle[3]) {
  double b = rod_weight(r, z);
  angle[0] = 0.9 * z + 0.3 * z * z + 0.5 * b;
  angle[1] = 1.1 + 0.5 * sin(2 * z) - 0.4 * b;
  angle[2] = 0.7 * z * z - 0.6 * b * (1 + z);
}

static void rod_frame(const rod *r, double z, double m[3][3]) {
  double t[3];
  rod_angles(r, z, t);
  double turn_y[3][3] = {{cos(t[1]), 0, sin(t[1])}, {0, 1, 0}, {-sin(t[1]), 0, cos(t[1])}};
  double turn_z[3][3] = {{cos(t[2]), -sin(t[2]), 0}, {sin(t[2]), cos(t[2]), 0}, {0, 0, 1}};
  double first[3][3] = {{cos(t[0]), -sin(t[0]), 0}, {sin(t[0]), cos(t[0]), 0}, {0, 0, 1}};
  ref_product(false, turn_y, turn_z, m);
  ref_product(false, first, m, m);
}

static double rod_scale(const rod *r, double z) {
  return 1 + 0.25 * rod_weight(r, z) * (1 - 0.5 * z);
}

/// |c'|: 1 at rest, where z is the arc length.
static double rod_stretch(const rod *r, double z) {
  return 1 + 0.2 * rod_weight(r, z) * (1 + z);
}

/// The center line: c' is along the frame's third axis, so that there is no shear.
static void rod_center(const rod *r, double z, double c[3]) {
  c[0] = c[1] = c[2] = 0;
  for (size_t i = 0; i < r->rule->n; i++) {
    double at, weight, m[3][3];
    gsl_integration_glfixed_point(0, z, i, &at, &weight, r->rule);
    rod_frame(r, at, m);
    for (int k = 0; k < 3; k++)
      c[k] += weight * rod_stretch(r, at) * m[k][2];
  }
}

static double rod_radius(double z) {
  return 0.11 - 0.04 * z + 0.01 * sin(3 * z);
}

/// kx, ky, kz, kbx, kby, kv along the rod.
static void rod_stiffness(double z, double k[6]) {
  static const double base[6] = {1, 1.4, 1.2, 0.013, 0.021, 3};
  for (int i = 0; i < 6; i++)
    k[i] = base[i] * (1 + 0.3 * sin(2 * z + i));
}

/// p(x, y, z) of points of one section: center and the two axes times s.
typedef struct rod_section {
  double c[3], axis[2][3];
} rod_section;

static rod_section rod_section_at(const rod *r, double z) {
  rod_section out;
  double m[3][3];
  rod_center(r, z, out.c);
  rod_frame(r, z, m);
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 2; a++)
      out.axis[a][k] = rod_scale(r, z) * m[k][a];
  return out;
}

/// Sections at z and at four places to either side, for eighth-order differences. With this step
/// both truncation, (4 pi h)^8/630, and rounding, 1e-16/h, are under 1e-12.
#define ROD_STEP 2e-3
typedef struct rod_stencil {
  rod_section at[9];
  double frame[3][3], s_zz; ///< R, and s''
} rod_stencil;

static rod_stencil rod_stencil_at(const rod *r, double z) {
  static const double second[5] = {-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560};
  rod_stencil out = {.s_zz = 0};
  rod_frame(r, z, out.frame);
  for (int i = -4; i <= 4; i++) {
    out.at[i + 4] = rod_section_at(r, z + i * ROD_STEP);
    // A ten times longer step: rounding counts as 1e-16/h^2 here.
    out.s_zz += second[abs(i)] * rod_scale(r, z + 10 * i * ROD_STEP) / (100 * ROD_STEP * ROD_STEP);
  }
  return out;
}

/// R^T grad p at (x, y) of the section in the middle of the stencil, less the unit matrix.
static void rod_strain(const rod_stencil *s, double x, double y, double g[3][3]) {
  static const double first[5] = {0, 4. / 5, -1. / 5, 4. / 105, -1. / 280};
  double grad[3][3];
  for (int k = 0; k < 3; k++) {
    grad[k][0] = s->at[4].axis[0][k];
    grad[k][1] = s->at[4].axis[1][k];
    grad[k][2] = 0;
    for (int i = -4; i <= 4; i++) {
      const rod_section *at = &s->at[i + 4];
      double p = at->c[k] + at->axis[0][k] * x + at->axis[1][k] * y;
      grad[k][2] += (i < 0 ? -1 : 1) * first[abs(i)] * p / ROD_STEP;
    }
  }
  double frame[3][3];
  memcpy(frame, s->frame, sizeof frame);
  ref_product(true, frame, grad, g);
}

static double determinant(double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// What a material point's strain exceeds that of the rest shape by: of the gradient g, and of the
/// volume det g.
typedef struct rod_excess {
  double g[3][3], volume;
} rod_excess;

static rod_excess rod_excess_at(const rod_stencil *now, const rod_stencil *rest, double x,
                                double y) {
  rod_excess out;
  double g_rest[3][3];
  rod_strain(now, x, y, out.g);
  rod_strain(rest, x, y, g_rest);
  out.volume = determinant(out.g) - determinant(g_rest);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out.g[i][k] -= g_rest[i][k];
  return out;
}

/// Energy density [Pa] at a point (x, y), not the center, of a section, by term: the rows of the
/// strain weigh kx, ky, kz and the volume kv. In the third column the center's strain is the
/// stretch; across it the rest divides into a radial part (taper) and one around (twist), along it
/// is the bending.
static void rod_density(const rod_stencil *now, const rod_stencil *rest, const double k[6],
                        double x, double y, double out[N_TERMS]) {
  rod_excess center = rod_excess_at(now, rest, 0, 0), at = rod_excess_at(now, rest, x, y);
  double t[3], square = x * x + y * y;
  for (int i = 0; i < 3; i++)
    t[i] = at.g[i][2] - center.g[i][2];
  double radial = (t[0] * x + t[1] * y) / square, around = (t[1] * x - t[0] * y) / square;
  out[STRETCH] = k[VB_KX] * pow(center.g[0][2], 2) + k[VB_KY] * pow(center.g[1][2], 2) +
                 k[VB_KZ] * pow(center.g[2][2], 2);
  out[SECTION] = k[VB_KX] * pow(at.g[0][0], 2) + k[VB_KY] * pow(at.g[1][1], 2);
  out[TAPER] = k[VB_KX] * pow(radial * x, 2) + k[VB_KY] * pow(radial * y, 2);
  out[TWIST] = k[VB_KX] * pow(around * y, 2) + k[VB_KY] * pow(around * x, 2);
  out[BEND] = k[VB_KZ] * pow(t[2], 2);
  out[VOLUME] = k[VB_KV] * pow(center.volume, 2);
  out[VOLUME_BEND] = k[VB_KV] * pow(at.volume - center.volume, 2);
  out[SURFACE_BEND] = k[VB_KBX] * pow(now->s_zz * x, 2) + k[VB_KBY] * pow(now->s_zz * y, 2);
  for (int i = 0; i < N_TERMS; i++)
    out[i] /= 2;
}

/// Adds the integral of the density over the disc at z, times `weight`. Six radii by Gauss and
/// eight angles are exact for the polynomials of degree 2 here.
static void rod_add_disc(const rod *now, const rod *rest, double z, double weight,
                         double out[N_TERMS]) {
  rod_stencil a = rod_stencil_at(now, z), b = rod_stencil_at(rest, z);
  gsl_integration_glfixed_table *radii = gsl_integration_glfixed_table_alloc(6);
  double k[6], density[N_TERMS];
  rod_stiffness(z, k);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) {
      double radius, w;
      gsl_integration_glfixed_point(0, rod_radius(z), (size_t)i, &radius, &w, radii);
      double angle = M_PI / 4 * (j + 0.3);
      rod_density(&a, &b, k, radius * cos(angle), radius * sin(angle), density);
      for (int term = 0; term < N_TERMS; term++)
        out[term] += weight * w * radius * M_PI / 4 * density[term];
    }
  gsl_integration_glfixed_table_free(radii);
}

/// Points along the rod of the quadrature: with these the integrals are at rounding.
#define ROD_RULE 40

/// Energies [J] of the continuous rod, by term.
static void rod_energies(rod_ends ends, double out[N_TERMS]) {
  gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(ROD_RULE);
  rod now = {ends, false, rule}, rest = {ends, true, rule};
  memset(out, 0, N_TERMS * sizeof *out);
  for (size_t i = 0; i < ROD_RULE; i++) {
    double z, weight;
    gsl_integration_glfixed_point(0, ROD_LENGTH, i, &z, &weight, rule);
    rod_add_disc(&now, &rest, z, weight, out);
  }
  gsl_integration_glfixed_table_free(rule);
}

/// Where node i of a mesh of n segments is: segments smoothly grow and shrink by up to 30 %.
static double rod_mesh(int i, int n) {
  double x = (double)i / n;
  return ROD_LENGTH * (x + 0.3 / (2 * M_PI) * sin(2 * M_PI * x));
}

static void rod_quaternion(const rod *r, double z, double q[4]) {
  double t[3], turn[4];
  rod_angles(r, z, t);
  ref_turn((double[]){0, 0, 1}, t[0], q);
  ref_turn((double[]){0, 1, 0}, t[1], turn);
  ref_quaternion_product(q, turn, q);
  ref_turn((double[]){0, 0, 1}, t[2], turn);
  ref_quaternion_product(q, turn, q);
}

/// Turns the frame `q` by the least rotation that takes its third axis along a - b.
static void rod_align(const double a[3], const double b[3], double q[4]) {
  double m[3][3], half[3], length = 0, norm = 0, turn[4] = {0};
  for (int k = 0; k < 3; k++)
    length += (a[k] - b[k]) * (a[k] - b[k]);
  ref_matrix(q, m);
  for (int k = 0; k < 3; k++) {
    half[k] = m[k][2] + (a[k] - b[k]) / sqrt(length);
    norm += half[k] * half[k];
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    turn[0] += m[k][2] * half[k] / sqrt(norm);
    turn[1 + k] = (m[i][2] * half[j] - m[j][2] * half[i]) / sqrt(norm);
  }
  ref_quaternion_product(turn, q, q);
}

/// The rod sampled at the nodes of a mesh, frames in the middle of its segments. Rest frames are
/// turned along their segments, as a scene wants them: a change of second order.
static vb_scene *rod_scene(rod_ends ends, int n) {
  gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(ROD_RULE);
  rod now = {ends, false, rule}, rest = {ends, true, rule};
  vb_builder *builder = new_builder();
  vb_node node = {0}, before = {0};
  for (int i = 0; i <= n; i++) {
    double z = rod_mesh(i, n), middle = (z + rod_mesh(i - 1, n)) / 2;
    node = (vb_node){.rest_radius = rod_radius(z), .scale = rod_scale(&now, z)};
    rod_center(&rest, z, node.rest_position);
    rod_center(&now, z, node.position);
    add(builder, VB_SET_NODE, &node);
    vb_segment segment = {.node = {i - 1, i}, .density = 1};
    rod_quaternion(&rest, middle, segment.rest_frame);
    rod_align(node.rest_position, before.rest_position, segment.rest_frame);
    rod_quaternion(&now, middle, segment.frame);
    rod_stiffness(middle, segment.stiffness);
    if (i > 0)
      add(builder, VB_SET_SEGMENT, &segment);
    before = node;
  }
  gsl_integration_glfixed_table_free(rule);
  return finish(builder);
}

#endif
