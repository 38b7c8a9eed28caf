// SPDX-License-Identifier: GPL-3.0-or-later
/// The part of a symmetric matrix that is nowhere negative: the nearest such matrix.
#ifndef VIPER_CPU_EVALUATE_POSITIVE_H
#define VIPER_CPU_EVALUATE_POSITIVE_H

/// Of the unknowns of an element.
enum { VIPER_MOST_POSITIVE = 11 };

/// Takes the negative eigenvalues of `h` [n x n], n at most VIPER_MOST_POSITIVE, for 0.
void viper_positive_part(int n, double *h);

#endif
