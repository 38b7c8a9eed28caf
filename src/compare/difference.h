// SPDX-License-Identifier: GPL-3.0-or-later
/// Computes the difference of two records of one quantity. Pure functions.
#ifndef VB_COMPARE_DIFFERENCE_H
#define VB_COMPARE_DIFFERENCE_H

#include "compare/tolerances.h"

#include <stdint.h>

/// What two lists of numbers, handed over in parts, come to. Start it with vb_difference_begin.
typedef struct vb_difference {
  double allowed; ///< greatest difference that is none
  vb_nan_policy nan;
  size_t n;              ///< numbers compared
  size_t n_bad;          ///< those too far apart
  double greatest;       ///< |b - a|; infinite where only one is finite
  double relative;       ///< greatest |b - a| / max(|a|, |b|)
  double sum_of_squares; ///< of the finite differences
  size_t n_finite;
  size_t first_bad; ///< its place in the list; meaningful where n_bad > 0
  double first_a;   ///< the numbers there
  double first_b;
  size_t worst; ///< place of the greatest difference; NaN against a number comes first
} vb_difference;

/// The difference of nothing, with at most `allowed` between two numbers.
vb_difference vb_difference_begin(double allowed, vb_nan_policy nan);

/// Compares `n` numbers more. Equal infinities are equal; a NaN against a number never is.
void vb_difference_add(vb_difference *difference, const double *a, const double *b, size_t n);

/// The root of the mean square of the finite differences; 0 where there are none.
double vb_difference_rms(const vb_difference *difference);

/// Turns those of `n` quaternions `b` (n x 4) that are nearer to minus `a`: q and -q are one
/// rotation.
void vb_align_quaternions(const double *a, double *b, size_t n);

#endif
