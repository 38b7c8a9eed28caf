// SPDX-License-Identifier: GPL-3.0-or-later
/// Minimizes a step's Phi (assembly.h) by Newton's method with line search.
#ifndef NH_NEWTON_H
#define NH_NEWTON_H

#include "assembly.h"
#include "system.h"

/// Phases whose time is reported.
typedef enum nh_timer {
  NH_TIMER_ELEMENTS, ///< second derivatives of elements, their projection
  NH_TIMER_GATHER,
  NH_TIMER_FACTORIZE,
  NH_TIMER_SOLVE,
  NH_TIMER_SEARCH, ///< energies and forces
  NH_TIMER_COUNT
} nh_timer;

/// Residuals that are kept of a step.
enum { NH_KEPT = 3 };

/// How a step went.
typedef struct nh_report {
  int iterations;           ///< factorizations
  int projected;            ///< elements whose curvature the last iteration projected
  double shift;             ///< added to the matrix's diagonal in the last iteration, N/m
  double residual[NH_KEPT]; ///< the last ones, the latest last; relative, 0 where all is rounding
  bool finite;              ///< whether the step ended at finite numbers
} nh_report;

/// When the curvature of elements is projected to positive semi-definite.
typedef enum nh_projection {
  NH_PROJECT_ALWAYS,
  NH_PROJECT_ADAPTIVE, ///< where the matrix is not positive definite without
  NH_PROJECT_NEVER
} nh_projection;

/// What may change from step to step.
typedef struct nh_settings {
  nh_projection projection;
  int iterations;   ///< at most
  double tolerance; ///< relative residual that ends a step
} nh_settings;

typedef struct nh_newton {
  nh_assembly assembly;
  nh_system *system;
  nh_settings settings;
  double *gradient;       ///< (n_nodes x 3) of Phi at the latest point, held components included
  double *trial;          ///< (n_nodes x 3)
  double *trial_gradient; ///< (n_nodes x 3)
  double *direction;      ///< (n_nodes x 3)
  double *diagonal;       ///< (n_nodes) inertia of lumped masses on the matrix's diagonal
  double timer[NH_TIMER_COUNT]; ///< s
} nh_newton;

/// Makes what a minimization needs for the components not in `held` (n_nodes; bits 1, 2, 4 for x,
/// y, z). Freed by nh_newton_clear.
vb_status nh_newton_create(const nh_solid *solid, const uint8_t *held, nh_newton *out,
                           vb_error *error);
void nh_newton_clear(nh_newton *newton);

/// Minimizes Phi over the free components. `x` (n_nodes x 3) comes in with held components where
/// they were, and goes out with them moved by `moved` (n_nodes x 3, zero elsewhere). Starts where
/// Phi is least of: the free components as they are, at `newton->assembly.hat` (with inertia), or
/// moved along by the linearized body where something held moves. VB_UNAVAILABLE for want of
/// memory.
vb_status nh_newton_minimize(nh_newton *newton, double *x, const double *moved, nh_report *report,
                             vb_error *error);

/// The residual of a value: the norm of the gradient over that of the forces it sums, 0 where the
/// norm may be all rounding.
double nh_residual(const nh_value *value);

#endif
