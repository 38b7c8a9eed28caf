// SPDX-License-Identifier: GPL-3.0-or-later
/// The pieces that Phi is made of, each with its gradient and Hessian by hand.
///
/// Unknowns are displacements of centers in world axes [m], and of frames rotation vectors in body
/// axes, Q <- Q exp(delta/2): exp(delta/2) = (1 - |delta|^2/8, delta/2) to second order.
#ifndef BERGOU_ELEMENT_H
#define BERGOU_ELEMENT_H

#include "reference/bergou/rods.h"

enum { BERGOU_ELEMENT_UNKNOWNS = 9 };

/// How much of the Hessian of k W^2 / 2 is taken.
typedef enum bergou_hessian {
  BERGOU_EXACT, ///< k dW dW^T + k W ddW: quadratic convergence, not always positive definite
  BERGOU_CONVEX ///< k dW dW^T, and of k W ddW only the tilts of a segment under tension: positive
                ///< semi-definite always
} bergou_hessian;

/// An element's share of Phi [J], over `n` unknowns.
typedef struct bergou_element {
  int n;
  double energy[2]; ///< of its terms: stretch; bend and twist; or inertia
  double g[BERGOU_ELEMENT_UNKNOWNS];
  double h[BERGOU_ELEMENT_UNKNOWNS][BERGOU_ELEMENT_UNKNOWNS]; ///< whole and symmetric
} bergou_element;

/// Stretch of a segment that rests at the stretch `rest` (1 where it is passive), W = (c_b - c_a)/l
/// - rest Q e_z, over center a (0-2), frame (3-5), center b (6-8).
void bergou_stretch(const bergou_segment *s, double rest, const double a[3], const double b[3],
                    const double frame[4], bergou_hessian hessian, bergou_element *out);

/// Bend and twist of a joint, W = (2/lm) Im D, over its frames j (0-2) and k (3-5).
void bergou_turn(const bergou_joint *joint, const double frame_j[4], const double frame_k[4],
                 bergou_hessian hessian, bergou_element *out);

/// Inertia of a frame, W = 2 Im(conj(Qhat) Q) with the inertia (1, 1, 2) `inertia` over h^2.
void bergou_frame_inertia(double inertia, double h, const double hat[4], const double frame[4],
                          bergou_hessian hessian, bergou_element *out);

#endif
