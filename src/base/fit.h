// SPDX-License-Identifier: GPL-3.0-or-later
/// Least-squares fits of recorded series, for the measures of gates. All inputs must be finite.
#ifndef VB_BASE_FIT_H
#define VB_BASE_FIT_H

#include <stdbool.h>
#include <stddef.h>

/// A damped oscillation y[i] = Re(C z^i), z = decay * exp(I * angle).
typedef struct vb_oscillation {
  double angle; ///< per row, rad, in (0, pi)
  double decay; ///< factor per row
} vb_oscillation;

/// Fits one mode to `n` uniform samples by the recurrence y[i+2m] = p y[i+m] - q y[i], which one
/// mode satisfies exactly: p = 2 Re z^m, q = |z|^(2m). A first fit with m = 1 gives the angle; the
/// second takes a lag m of about a radian, which keeps a slow oscillation from drowning in
/// rounding. False where there are fewer than 4 samples, or where they do not oscillate about zero
/// by a quarter of a period at least.
bool vb_fit_mode(const double *y, size_t n, vb_oscillation *out);

/// The slope of log |y| over log x. False where there are fewer than 2 points, or one with x <= 0
/// or y = 0, or memory is out.
bool vb_fit_log_slope(const double *x, const double *y, size_t n, double *slope);

/// The x at which y grows beyond bounds, by extrapolation: the root of the polynomial through 1/y
/// in all rows. With two rows this is Southwell's line. A response to a small test force has such a
/// pole at the critical load, which 1/y approaches on a nearly straight line. Rows count from the
/// first on, at most 8, as long as |y| grows, its sign stays, and it is less than 100 times the
/// first: beyond, the response is no longer proportional to its cause. False for less than 2 such
/// rows.
bool vb_fit_pole(const double *x, const double *y, size_t n, double *pole);

#endif
