// SPDX-License-Identifier: GPL-3.0-or-later
#include "objective.h"

#include "base/clock.h"
#include "scene/rotation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Links hold if their rows are below this, of distances over the scene's size: what a projection
/// leaves, many times over.
static const double held = 1e-10;

double ar_objective_rounding(const ar_body *body, double h) {
  double square = 0;
  for (size_t e = 0; e < body->n_elements; e++) {
    const ar_element *element = &body->element[e];
    double most = 0;
    for (int a = 0; a < 4; a++)
      most = fmax(most, vb_dot(element->gradient[a], element->gradient[a]));
    double f = (2 * element->material.mu + 3 * element->material.la) * element->volume * most;
    square += f * f;
  }
  for (size_t k = 0; k < body->n_bones; k++) {
    double f = body->bone[k].mass / (h * h);
    square += f * f;
  }
  return 4 * DBL_EPSILON * body->size * sqrt(square);
}

/// out = M u of a bone, 4 x 3.
static void multiply(const double *mass, const double *u, double out[12]) {
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int k = 0; k < 4; k++)
        sum += mass[4 * r + k] * u[3 * k + c];
      out[3 * r + c] = sum;
    }
}

/// Squares of the norms of what the gradient sums.
typedef struct ar_scale {
  double inertia, loads;
} ar_scale;

/// Adds inertia and loads of flesh to phi and the gradient.
static double add_flesh(ar_stepper *s, double h, ar_scale *scale) {
  double phi = 0;
  for (size_t i = 0; i < 3 * s->body.n_nodes; i++) {
    if (s->body.bone_of[i / 3] >= 0)
      continue;
    double mass = s->body.mass[i / 3] / (h * h), off = s->x[i] - s->hat[i];
    phi += 0.5 * mass * off * off - s->load[i] * s->x[i];
    s->gradient[i] += mass * off - s->load[i];
    scale->inertia += mass * off * mass * off;
    scale->loads += s->load[i] * s->load[i];
  }
  return phi;
}

/// The square of a force on T of a bone, those on its linear part over the bone's radius.
static double force_square(const ar_stepper *s, size_t k, const double *force) {
  double square = 0, radius = s->body.bone[k].radius;
  for (int i = 0; i < 9; i++)
    square += force[i] * force[i] / (radius * radius);
  return square + vb_dot(force + 9, force + 9);
}

/// Gathers the gradient by T of each bone, and adds inertia and loads; returns what phi gains.
static double add_bones(ar_stepper *s, double h, ar_scale *scale) {
  double phi = 0;
  memset(s->bone_gradient, 0, 12 * s->body.n_bones * sizeof *s->bone_gradient);
  for (size_t j = 0; j < s->body.n_carried; j++) {
    size_t i = (size_t)s->body.carried[j];
    double local[4], *out = s->bone_gradient + 12 * (size_t)s->body.bone_of[i];
    ar_body_local(&s->body, i, local);
    for (size_t r = 0; r < 4; r++)
      for (size_t c = 0; c < 3; c++)
        out[3 * r + c] += local[r] * s->gradient[3 * i + c];
  }
  for (size_t k = 0; k < s->body.n_bones; k++) {
    double off[12], force[12], *out = s->bone_gradient + 12 * k;
    for (size_t i = 0; i < 12; i++)
      off[i] = (s->t[12 * k + i] - s->bone_hat[12 * k + i]) / (h * h);
    multiply(s->reduced.bone_mass + 16 * k, off, force);
    for (size_t i = 0; i < 12; i++) {
      phi += 0.5 * h * h * off[i] * force[i] - s->bone_load[12 * k + i] * s->t[12 * k + i];
      out[i] += force[i] - s->bone_load[12 * k + i];
    }
    scale->inertia += force_square(s, k, force);
    scale->loads += force_square(s, k, s->bone_load + 12 * k);
  }
  return phi;
}

/// Adds the springs of bones by shape constraints: w/2 sum |x_i - R X_i - t|^2, with the nearest
/// rotation and shift of each bone's nodes.
static double add_shapes(ar_stepper *s) {
  size_t n;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  size_t n_bones = vb_scene_count(s->scene, VB_SET_BONE);
  double phi = 0, w = s->settings.spring;
  for (size_t k = 0; k < n_bones && s->body.choice.bones == AR_BONES_SHAPE; k++) {
    const size_t first = s->body.shape_first[k], end = s->body.shape_first[k + 1];
    double rest[3] = {0}, now[3] = {0}, f[9] = {0}, q[4], r[9], count = (double)(end - first);
    for (size_t j = first; j < end; j++) {
      size_t i = (size_t)s->body.shape_node[j];
      vb_add_scaled(rest, 1, node[i].rest_position, rest);
      vb_add_scaled(now, 1, s->x + 3 * i, now);
    }
    for (int pass = 0; pass < 2; pass++) {
      for (size_t j = first; j < end; j++) {
        size_t i = (size_t)s->body.shape_node[j];
        double a[3], b[3], target[3];
        vb_add_scaled(node[i].rest_position, -1 / count, rest, a);
        vb_add_scaled(s->x + 3 * i, -1 / count, now, b);
        if (pass == 1)
          ar_turn(r, a, target);
        for (size_t c = 0; c < 9 && pass == 0; c++)
          f[c] += b[c / 3] * a[c % 3];
        for (size_t c = 0; c < 3 && pass == 1; c++) {
          phi += 0.5 * w * (b[c] - target[c]) * (b[c] - target[c]);
          s->gradient[3 * i + c] += w * (b[c] - target[c]);
        }
      }
      if (pass == 0)
        ar_rotation_fresh(f, q, r);
    }
  }
  return phi;
}

/// The square of the bones' gradient, but for the forces of links.
static vb_status bones_square(ar_stepper *s, double *square, vb_error *error) {
  double *g = s->reduced_gradient;
  ar_pose_gradient(s->pose, s->body.n_bones, s->bone_gradient, g);
  for (size_t k = 0; k < s->body.n_bones; k++)
    for (size_t j = 6 * k; j < 6 * k + 3; j++)
      g[j] /= s->body.bone[k].radius;
  vb_status status = ar_linked_remove(&s->linked, s->pose, g, error);
  *square = 0;
  for (size_t j = 0; j < 6 * s->body.n_bones; j++)
    *square += g[j] * g[j];
  return status;
}

vb_status ar_objective_evaluate(ar_stepper *s, double h, double *since, bool *holds,
                                vb_error *error) {
  double elements, phi, square, free_square = 0, bones;
  ar_scale scale = {0};
  phi = ar_local_evaluate(&s->local, s->x, s->gradient, &elements);
  double now = vb_clock();
  s->timer[AR_TIMER_LOCAL] += now - *since;
  *since = now;
  phi += add_shapes(s);
  phi += add_flesh(s, h, &scale);
  phi += add_bones(s, h, &scale);
  // Forces of contact are what constraints exert: no part of phi.
  for (size_t i = 0; i < 3 * s->body.n_nodes && !s->settings.explicit_contact; i++)
    phi += s->push[i] * s->x[i];
  for (size_t i = 0; i < 3 * s->body.n_nodes; i++)
    if (s->body.bone_of[i / 3] < 0 && !(s->boundary.held[i / 3] >> (i % 3) & 1))
      free_square += s->gradient[i] * s->gradient[i];
  vb_status status = bones_square(s, &bones, error);
  square = sqrt(free_square + bones);
  double sum = elements + sqrt(scale.inertia) + sqrt(scale.loads);
  s->report.objective = phi;
  s->report.residual = square <= s->rounding + 16 * DBL_EPSILON * sum ? 0 : square / sum;
  ar_links_gap(&s->links, s->pose, s->linked.values);
  s->report.gap = ar_links_greatest(&s->links, s->linked.values);
  // Links that do not hold are no equilibrium, whatever the forces.
  if (s->report.gap > held)
    s->report.residual = fmax(s->report.residual, s->report.gap);
  now = vb_clock();
  s->timer[AR_TIMER_ASSEMBLE] += now - *since;
  *since = now;
  *holds = s->report.gap <= held;
  return status;
}
