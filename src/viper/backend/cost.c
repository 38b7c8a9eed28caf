// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/backend/cost.h"

#include "viper/energy/term.h"

#include <math.h>
#include <stdlib.h>

double viper_count_of(viper_count count) {
  static const double COUNTS[] = {
#define VIPER_COUNT_VALUE(name, operations) operations,
      VIPER_COUNTS(VIPER_COUNT_VALUE)
#undef VIPER_COUNT_VALUE
  };
  return COUNTS[count];
}

#define COUNT(name) viper_count_of(VIPER_COUNT_##name)

/// How many of each there are.
typedef struct numbers {
  double nodes, segments, joints;
  double plain;  ///< joints on which surface_bend does not act, besides `joints`
  double factor; ///< operations of all factorizations in an iteration
  bool solid;    ///< all segments are of the material model solid
  bool rays;     ///< their sweeps end on rays (method/ray.h)
} numbers;

/// The count of a phase function, or of that which solid bodies have in its place.
#define COUNT_OF(n, name) ((n)->solid ? COUNT(solid_##name) : COUNT(name))

#define BIT(name) (1 << VIPER_TERM_##name)
/// The terms that the counts are of.
enum {
  SEGMENT_COUNTED = BIT(STRETCH) | BIT(SECTION) | BIT(TAPER) | BIT(VOLUME),
  JOINT_COUNTED = BIT(BEND) | BIT(TWIST) | BIT(SURFACE_BEND) | BIT(VOLUME_BEND),
  SOLID_SEGMENT_COUNTED = BIT(STRETCH) | BIT(SECTION) | BIT(TAPER),
  SOLID_JOINT_COUNTED = BIT(TWIST) | BIT(SURFACE_BEND) | BIT(VOLUME_BEND)
};

/// Whether the terms of a segment of a solid body, or of another, are those that are counted.
static bool is_counted(const viper_model_segment *s, bool solid) {
  bool own = true;
  for (int k = 0; k < VIPER_N_SOLID_TERMS; k++)
    own = own && s->k_solid[k] > 0;
  return solid ? own && viper_acting(s->k, VIPER_N_SEGMENT_TERMS) == SOLID_SEGMENT_COUNTED
               : viper_segment_acting(s->k, s->k_solid) == SEGMENT_COUNTED;
}

/// Counts the elements; false where other terms act than those, with or without surface_bend.
static bool find_numbers(const viper_model *m, numbers *out) {
  bool all = true;
  const bool solid = m->n_segments > 0 && m->segment[0].k_solid[0] > 0;
  const int32_t joint_counted = solid ? SOLID_JOINT_COUNTED : JOINT_COUNTED;
  *out = (numbers){.nodes = (double)m->n_nodes, .segments = (double)m->n_segments, .solid = solid};
  for (size_t j = 0; j < m->n_segments; j++)
    all = all && is_counted(&m->segment[j], solid);
  for (size_t t = 0; t < m->n_joints; t++) {
    int32_t acting = viper_acting(m->joint[t].k, VIPER_N_JOINT_TERMS);
    bool plain = !(acting & BIT(SURFACE_BEND));
    all = all && (acting | BIT(SURFACE_BEND)) == joint_counted;
    out->plain += plain;
    out->joints += !plain;
  }
  return all;
}

/// Unknowns of each column, to be freed: 4 of a node, 3 of a frame. Null for want of memory.
static int8_t *list_unknowns(const viper_elimination *e, size_t n_nodes) {
  int8_t *unknowns = malloc(e->n_columns + 1);
  for (size_t v = 0; unknowns && v < e->n_columns; v++)
    unknowns[e->column_of[v]] = v < n_nodes ? 4 : 3;
  return unknowns;
}

double viper_factor_operations(const viper_elimination *e, size_t n_nodes, int32_t first,
                               int32_t end) {
  int8_t *unknowns = list_unknowns(e, n_nodes);
  double sum = unknowns ? 0 : NAN;
  for (int32_t p = first; unknowns && p < end; p++) {
    double below = 0;
    for (int32_t b = e->first_block[p]; b < e->first_block[p + 1]; b++)
      below += unknowns[e->row[b]];
    for (int k = unknowns[p] - 1; k >= 0; k--) {
      double m = below + k; // entries below the pivot
      // A reciprocal, m factors, m (m + 1) / 2 updates of two operations; then one product and two
      // operations per factor, both ways.
      sum += 1 + m + m * (m + 1) + 1 + 4 * m;
    }
  }
  free(unknowns);
  return sum;
}

double viper_factor_entries(const viper_elimination *e, size_t n_nodes) {
  int8_t *unknowns = list_unknowns(e, n_nodes);
  double sum = unknowns ? 0 : NAN;
  for (size_t p = 0; unknowns && p < e->n_columns; p++) {
    double below = 0;
    for (int32_t b = e->first_block[p]; b < e->first_block[p + 1]; b++)
      below += unknowns[e->row[b]];
    sum += unknowns[p] * (below + 0.5 * (unknowns[p] + 1));
  }
  free(unknowns);
  return sum;
}

/// The factorizations of all bodies.
static double factor_all(const viper_model *m, const viper_elimination *whole,
                         const viper_body_groups *body_groups) {
  double sum = 0;
  for (size_t i = 0; i < body_groups->n_singles; i++) {
    const viper_model_body *b = &m->body[body_groups->single[i]];
    int32_t first = b->first_node + b->first_segment;
    sum += viper_factor_operations(whole, m->n_nodes, first, first + b->n_nodes + b->n_segments);
  }
  for (size_t i = 0; i < body_groups->n_groups; i++) {
    const viper_body_group *k = &body_groups->group[i];
    sum += k->n_bodies * viper_factor_operations(k->elimination, k->model->n_nodes, 0,
                                                 (int32_t)k->elimination->n_columns);
  }
  return sum;
}

/// Phi of the whole model.
static double phi(const numbers *n) {
  return n->nodes * COUNT(phi_node) + n->segments * (COUNT(phi_frame) + COUNT_OF(n, phi_segment)) +
         n->joints * COUNT_OF(n, phi_joint) + n->plain * COUNT_OF(n, phi_plain_joint);
}

// So many iterations of a substep, by the names of the table of methods.

/// The start is chosen of two, one of which is a drift (eight operations a node); an iteration is
/// assembly, factorization, one trial of the line search (the whole step: four additions and a
/// turn), Phi there. The first one has no second derivatives.
static double direct(const numbers *n, int iterations) {
  double same = n->nodes * (COUNT(direct_node) + 4) + n->segments * COUNT(turn_frame) + phi(n);
  double first = n->segments * (COUNT(direct_frame) + COUNT_OF(n, direct_segment)) +
                 n->joints * COUNT_OF(n, direct_joint) + n->plain * COUNT_OF(n, direct_plain_joint);
  double later = n->segments * (COUNT(hessian_frame) + COUNT_OF(n, hessian_segment)) +
                 n->joints * COUNT_OF(n, hessian_joint) +
                 n->plain * COUNT_OF(n, hessian_plain_joint);
  return 2 * phi(n) + 8 * n->nodes + iterations * (same + n->factor) + first +
         (iterations - 1) * later;
}

/// The inverse inertias of frames (a division, and half of it about the third axis) change with the
/// substep; those of nodes do not.
static double inverse_inertias(const numbers *n) {
  return 2 * n->segments;
}

static double xpbd(const numbers *n, int iterations) {
  return inverse_inertias(n) + iterations * (n->segments * COUNT_OF(n, xpbd_segment) +
                                             n->joints * COUNT_OF(n, xpbd_joint) +
                                             n->plain * COUNT_OF(n, xpbd_plain_joint));
}

static double jacobi_published(const numbers *n, int iterations) {
  return inverse_inertias(n) +
         iterations * (n->segments * (COUNT(jacobi_segment) + COUNT(jacobi_frame)) +
                       n->nodes * COUNT(jacobi_node) + n->joints * COUNT(jacobi_joint) +
                       n->plain * COUNT(jacobi_plain_joint));
}

/// What joints add to the scales of nodes.
static double descent_scales(const numbers *n) {
  return n->joints * (COUNT(descent_scale_before_joint) + COUNT(descent_scale_at_joint) +
                      COUNT(descent_scale_after_joint));
}

/// Sweeps over solid bodies, `blocks` of which make blocks and limit steps by the whole one.
static double solid_descent(const numbers *n, int iterations, int blocks) {
  double joints = n->joints + n->plain;
  double frames =
      n->segments * COUNT(solid_descent_frame) + 2 * joints * COUNT(descent_frame_of_joint);
  double made = n->segments * COUNT(solid_descent_block) +
                2 * joints * COUNT(descent_block_of_joint) + n->nodes * COUNT(solid_limit_node) +
                2 * n->segments * COUNT(solid_limit_node_of_segment) +
                joints * COUNT(solid_limit_joint);
  double nodes =
      n->nodes * COUNT(solid_descent_node) +
      2 * n->segments * COUNT(solid_descent_node_of_segment) + descent_scales(n) +
      joints * (2 * COUNT(descent_turn) + COUNT(solid_descent_pull) + COUNT(solid_descent_hold));
  return iterations * nodes + blocks * made + (iterations - blocks) * frames;
}

/// The drift before them, eight operations a node, and the slope at their end.
static double ray(const numbers *n) {
  return n->nodes * (8 + COUNT(solid_ray_node)) +
         n->segments * (COUNT(solid_ray_frame) + COUNT(solid_ray_segment)) +
         n->joints * COUNT(solid_ray_joint) + n->plain * COUNT(solid_ray_plain_joint);
}

/// A segment acts on two nodes, a joint on two frames and on the
/// scales of one node or of three. Joints are turned before nodes, and again between frames of two
/// colors, as in a chain. Sweeps over bodies of the material model solid begin at the drift and end
/// on a ray, and those that make blocks limit steps; without rays each does.
static double block_descent(const numbers *n, int iterations) {
  int blocks = (iterations + VIPER_BLOCK_SWEEPS - 1) / VIPER_BLOCK_SWEEPS;
  if (n->solid)
    return solid_descent(n, iterations, n->rays ? blocks : iterations) + (n->rays ? ray(n) : 0);
  double joints = n->joints + n->plain;
  double frames = n->segments * COUNT(descent_frame) + 2 * joints * COUNT(descent_frame_of_joint);
  double made = n->segments * COUNT(descent_block) + 2 * joints * COUNT(descent_block_of_joint);
  double nodes = n->nodes * COUNT(descent_node) + 2 * n->segments * COUNT(descent_node_of_segment) +
                 descent_scales(n) +
                 joints * (2 * COUNT(descent_turn) + COUNT(descent_pull) + COUNT(descent_hold));
  return iterations * nodes + blocks * made + (iterations - blocks) * frames;
}

/// So many iterations of a substep by method `m`.
static double iterate(const numbers *n, viper_method m, int iterations) {
  switch (m) {
#define ITERATE(name, NAME, word, traits, cost, text)                                              \
  case VIPER_##NAME:                                                                               \
    return cost(n, iterations);
    VIPER_METHODS(ITERATE)
#undef ITERATE
  }
  return NAN;
}

/// Before and after the iterations of a substep, if frames keep their momentum (`spin`).
static double motion(const numbers *n, bool spin) {
  if (spin)
    return n->nodes * (COUNT(predict_node) + COUNT(solid_spin_node) + COUNT(rate_node)) +
           n->segments * (COUNT(solid_spin_frame) + COUNT(solid_rate_frame) + COUNT(frame_inertia));
  return n->nodes * (COUNT(predict_node) + COUNT(rate_node)) +
         n->segments * (COUNT(predict_frame) + COUNT(rate_frame) + COUNT(frame_inertia));
}

void viper_step_cost(const viper_model *model, const viper_elimination *elimination,
                     const viper_body_groups *body_groups, const viper_settings *settings,
                     int bytes_of_real, double *bytes, double *operations) {
  numbers n;
  *bytes = *operations = NAN;
  if (!find_numbers(model, &n))
    return;
  if (viper_method_has(settings->method, VIPER_FACTORS))
    n.factor = factor_all(model, elimination, body_groups);
  n.rays = !settings->in_parts && settings->integrator == VIPER_EULER;
  *operations = settings->substeps * (motion(&n, viper_has_spin(settings)) +
                                      iterate(&n, settings->method, settings->iterations));
  if (viper_has_history(settings)) // not counted
    *operations = NAN;
  // Center, scale and their rates; a quaternion and an angular velocity.
  *bytes = 2.0 * bytes_of_real * (8 * n.nodes + 7 * n.segments);
  if (viper_has_history(settings)) // those of the state before, too
    *bytes *= 2;
}
