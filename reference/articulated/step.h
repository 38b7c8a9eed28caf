// SPDX-License-Identifier: GPL-3.0-or-later
/// A time step: backward Euler as the minimum of phi = |xh - yh|_M^2/(2 h^2) + Psi - <f, xh> over
/// bones that are rigid and linked, by alternating local and global steps (Li, Liu, Kavan 2019,
/// algorithm 1).
#ifndef AR_STEP_H
#define AR_STEP_H

#include "anderson.h"
#include "boundary.h"
#include "contact.h"
#include "linked.h"
#include "local.h"
#include "reduce.h"
#include "touch.h"

/// Phases whose time is reported.
typedef enum ar_timer {
  AR_TIMER_LOCAL,
  AR_TIMER_SOLVE,
  AR_TIMER_PROJECT,
  AR_TIMER_CONTACT,
  AR_TIMER_ASSEMBLE,
  AR_TIMER_FACTORIZE,
  AR_TIMER_COUNT
} ar_timer;

/// How a step went.
typedef struct ar_report {
  int iterations;
  int joint_iterations; ///< the most of a projection
  double objective;     ///< phi at its end, J
  double rise;          ///< the largest rise of phi from an iteration to the next, J
  double residual;      ///< relative, 0 where all is rounding
  double half_residual; ///< the same after half of the iterations
  double gaps[AR_GAPS]; ///< of links after 1, 2, .. iterations of the step's first projection, m
  double gap;           ///< greatest value of a link's rows, of distances over the scene's size
  double missed;        ///< by how much contacts were missed in the last global step, m
  double depth;         ///< greatest of a node in an obstacle or other flesh at the end, m
  bool finite;
  bool converged; ///< ended by the tolerance
} ar_report;

/// How steps are made.
typedef struct ar_settings {
  bool published;  ///< weigh the projection by mass, and leave flesh as it was solved
  bool prediction; ///< begin at the prediction
  int iterations;
  double tolerance;
  double spring;  ///< of AR_BONES_SHAPE, N/m
  double contact; ///< stiffness of explicit contact at each surface node, N/m; 0: half its bound
  bool explicit_contact; ///< forces of contact are those of the beginning of a step
  int threads;
  int joint_iterations; ///< iterations of a projection, at most
  bool feasible;        ///< a projection ends as soon as links hold
  bool gauss_newton;    ///< projections without the curvature of rotations and links
  bool accelerated;     ///< Anderson acceleration of iterations
} ar_settings;

typedef struct ar_stepper {
  const vb_scene *scene;
  ar_settings settings;
  ar_body body;
  ar_links links;
  ar_boundary boundary;
  ar_contact contact;
  ar_local local;
  ar_reduced reduced;
  ar_touches touches; ///< of implicit contact; else all null
  ar_linked linked;
  ar_anderson anderson; ///< of accelerated iterations; else all null
  ar_report report;
  int64_t n_steps;
  ar_pose *pose;                ///< (n_bones) of T
  ar_pose *old_pose;            ///< (n_bones) at the beginning of the step
  double rounding;              ///< of forces, N
  double timer[AR_TIMER_COUNT]; ///< s
  double *x;                    ///< (n_nodes x 3) m; the arrays below follow in one block
  double *t;                    ///< (n_bones x 4 x 3) T
  double *v;                    ///< (n_nodes x 3) m/s
  double *rate;                 ///< (n_bones x 4 x 3) of T, 1/s
  double *frame;                ///< (n_bones x 4) quaternions of T, their sign continued
  double *spin;                 ///< (n_bones x 3) rad/s
  double *pull;                 ///< (n_nodes x 3) gradient of phi: force on what is held, N
  double *joint;    ///< (n_links x 6) force and torque of each link on its first side, N, N m
  double *push;     ///< (n_nodes x 3) of half-planes and colliders on nodes, N
  double *pushed;   ///< (n_drivers x 6) of each driver's of these, N, and their torque, N m
  double *work;     ///< drivers, then loads, J
  double *rotation; ///< (n_elements x 4), that of `local`
  size_t n_saved;   ///< numbers up to here: all that the next step and what is told depend on
  double *hat, *load, *flesh, *gradient, *old_x, *trial, *more, *answer; ///< (n_nodes x 3) each
  /// (n_bones x 4 x 3) each
  double *bone_hat, *bone_load, *bones, *old_t, *bone_gradient, *next, *turned;
  double *reduced_gradient; ///< (6 n_bones)
  double *before, *after;   ///< of accelerated iterations: unknowns; multipliers behind the second
} ar_stepper;

/// Makes a stepper at time 0, of a scene that outlives it. `stepper` keeps its address; freed by
/// ar_stepper_clear.
vb_status ar_stepper_create(const vb_scene *scene, const ar_choice *choice,
                            const ar_settings *settings, ar_stepper *stepper, vb_error *error);
void ar_stepper_clear(ar_stepper *stepper);

/// Takes settings that may change from step to step.
void ar_stepper_set(ar_stepper *stepper, const ar_settings *settings);

/// Makes one step. VB_UNAVAILABLE for want of memory or where LAPACK fails.
vb_status ar_stepper_step(ar_stepper *stepper, vb_error *error);

/// The poses of T.
void ar_stepper_pose(ar_stepper *stepper);

/// What is derived from the saved numbers; after they were restored.
void ar_stepper_derive(ar_stepper *stepper);

#endif
