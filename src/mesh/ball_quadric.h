// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/mesh: how far a ball is from touching the planes of a part of a surface (Thiery
/// et al. 2013, Sphere-Meshes, section 3).
#ifndef VB_MESH_BALL_QUADRIC_H
#define VB_MESH_BALL_QUADRIC_H

/// Directions in which the width of a part is kept: of a cube's faces, edges and corners.
#define VB_WIDTHS 13

/// Of a part of a surface: its quadric in (x, y, z, r), the sum over its triangles of area times
/// the square of n.(p - x) - r, and of a small share of the area times the square of |p - x|, which
/// places a ball that slides along a tube in the middle of its part; and its extent.
typedef struct vb_ball_quadric {
  double a[4][4], b[4], c; ///< s.a s - 2 b.s + c, m^2 (times m^2 for c, times m for b)
  double low[VB_WIDTHS], high[VB_WIDTHS]; ///< least and greatest place in each direction, m
} vb_ball_quadric;

/// A ball.
typedef struct vb_ball {
  double x[3], r; ///< m
} vb_ball;

/// Empties it.
void vb_ball_quadric_clear(vb_ball_quadric *q);

/// Adds `share` of a triangle, which belongs to the corner `p`. One without an area adds nothing
/// but the place of `p`.
void vb_ball_quadric_add_triangle(vb_ball_quadric *q, const double *const corner[3], double share,
                                  const double p[3]);

/// Adds another part.
void vb_ball_quadric_add(vb_ball_quadric *q, const vb_ball_quadric *other);

/// Finds the least value over the first `n` of (x, y, z, r), with s[n ..] as they are, by
/// Cholesky's factorization.
void vb_ball_quadric_solve(const vb_ball_quadric *q, int n, double s[4]);

/// Finds the ball of least value, with a radius from 0 to three quarters of the least width of the
/// part, as in the paper. Returns its value [m^4].
double vb_ball_quadric_minimize(const vb_ball_quadric *q, vb_ball *out);

#endif
