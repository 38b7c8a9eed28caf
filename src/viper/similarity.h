// SPDX-License-Identifier: GPL-3.0-or-later
/// The similarity transform that fits one set of vectors to another best (eqs. 33-36). In double
/// precision; of libm only sqrt, so that results are the same on every machine.
#ifndef VIPER_SIMILARITY_H
#define VIPER_SIMILARITY_H

/// Turns the unit quaternion `q` (w, x, y, z) to a rotation R that maximizes trace(R^T a): the
/// rotational part of `a`, which minimizes sum |R b_i - a_i|^2 where a = sum a_i b_i^T (rows of `a`
/// belong to a_i). `q` is where the search starts; near the answer it is found in one or two
/// iterations.
///
/// The iteration is that of Mueller et al. 2016 (A robust method to extract the rotational part of
/// deformations, eq. 7): turn about sum r_i x a_i, r_i and a_i being columns. Alone it converges
/// linearly, at a rate near 1 where `a` is nearly flat, and stands still at half turns from the
/// answer. So the turn is divided by the second derivative instead of by its bound where that is a
/// descent (Newton's method), and half a turn about the axis along which the trace is most convex,
/// which gains twice that curvature, is taken where it gains more: it leaves saddles for good. The
/// trace has no other local maximum than its greatest. Ends where the torque sum r_i x a_i is
/// within some rounding errors of `a`.
///
/// A reflection (det a < 0) gets the best rotation there is. Where several are best (coincident or
/// collinear vectors, a reflection with equal lengths), one of them near the start is found. Zero
/// or not finite `a` leaves q as it is. Returns trace(R^T a).
double viper_rotation_fit(const double a[3][3], double q[4]);

/// out = the rotation matrix of the unit quaternion `q`.
void viper_rotation_matrix(const double q[4], double out[3][3]);

#endif
