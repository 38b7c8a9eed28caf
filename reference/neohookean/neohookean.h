// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the solver.
#ifndef NH_NEOHOOKEAN_H
#define NH_NEOHOOKEAN_H

#include "boundary.h"
#include "newton.h"
#include "surface.h"

#include "solver/instance.h"

typedef struct neohookean {
  vb_instance base;
  nh_solid *solid;
  nh_surface surface;
  nh_boundary boundary;
  nh_newton newton;
  nh_settings settings;
  nh_report report; ///< of the latest step
  bool is_static;
  bool quadratic;  ///< elements
  bool consistent; ///< mass
  int threads;
  double *start; ///< (n_nodes x 3) positions at time 0; the arrays below follow in one block
  double *load;  ///< (n_nodes x 3) of the latest step, gravity's too
  double *moved; ///< (n_nodes x 3) scratch
  double *old;   ///< (n_nodes x 3) positions before the step
  double *x;     ///< (n_nodes x 3)
  double *v;     ///< (n_nodes x 3)
  double *hat;   ///< (n_nodes x 3) prediction of the latest step, as if nothing were held
  double *pull;  ///< (n_nodes x 3) gradient at the end of the latest step: what holds held nodes
  double *work;  ///< drivers, then loads, then activations, J
} neohookean;

#endif
