// SPDX-License-Identifier: GPL-3.0-or-later
/// Links between bones, and their rows: the distance of the two points of a link (Li, Liu, Kavan
/// 2019, eqs. 16, 17), and values (R_j a) . (R_k n) that stay 0, of which a hinge has two and a
/// universal joint one, and a hinge at its limit one more.
#ifndef AR_LINKS_H
#define AR_LINKS_H

#include "body.h"

/// The most values (R_j a) . (R_k n) of a link.
enum { AR_MOST_VALUES = 3 };

/// A rigid pose: the local point x is at R x + t.
typedef struct ar_pose {
  double r[9];
  double t[3];
} ar_pose;

typedef struct ar_link {
  int32_t bone[2]; ///< the second -1 for a driver or the world
  int32_t driver;  ///< -1 for none
  bool hinge;
  double point[2][3]; ///< in the local coordinates of each side
  int n_values;       ///< that hold now
  int n_always;       ///< of them, that hold always
  double a[AR_MOST_VALUES][3], n[AR_MOST_VALUES][3];
  double across[2][3]; ///< of a hinge, two directions normal to its axis at rest
  double limit[2];     ///< rad
  int at_limit;        ///< -1 at the least angle, 1 at the greatest, else 0
  ar_pose side;        ///< of the second side where it is no bone, at the end of the step
  size_t row;          ///< its first row
} ar_link;

typedef struct ar_links {
  const ar_body *body;
  size_t n;
  ar_link *link;
  size_t n_rows; ///< that hold now
  size_t most_rows;
} ar_links;

/// Reads the links of the scene. Freed by ar_links_clear.
vb_status ar_links_create(const ar_body *body, ar_links *out, vb_error *error);
void ar_links_clear(ar_links *links);

/// The `n` links `link` of `whole`, of `body`, in which bone b of the whole has the index place[b].
/// Freed by ar_links_clear.
vb_status ar_links_select(const ar_links *whole, const ar_body *body, const int32_t *link, size_t n,
                          const int32_t *place, ar_links *out, vb_error *error);

/// Moves sides that are no bones to where they are at `time`.
void ar_links_drive(ar_links *links, double time);

/// Lets the limit of hinge `i` hold (-1, 1) or none (0), and numbers all rows anew.
void ar_links_limit(ar_links *links, size_t i, int which);

/// The pose of a side, for those of the bones.
const ar_pose *ar_links_side(const ar_links *links, size_t i, int which, const ar_pose *bones);

/// Writes the values of all rows (n_rows) [m, 1]; 0 where links hold.
void ar_links_gap(const ar_links *links, const ar_pose *bones, double *out);

/// The greatest of these values, those of distances over the scene's size.
double ar_links_greatest(const ar_links *links, const double *values);

/// Writes C (n_rows x 6 n_bones): with the changes s (turn and shift of each bone in its own axes)
/// the values become those of ar_links_gap less C s, to first order.
void ar_links_rows(const ar_links *links, const ar_pose *bones, double *out);

/// Writes the rows of link `i` alone: six columns of each side that is a bone, to `out`, in rows of
/// `columns` numbers.
void ar_links_part(const ar_links *links, size_t i, const ar_pose *bones, double *const out[2],
                   size_t columns);

/// Adds the second derivatives of - multiplier . values to `matrix` (6 n_bones x 6 n_bones of
/// leading dimension `lead`) and, those that turn single bones, as B to `turn` (n_bones x 9): they
/// are sym(B) - tr(B) I.
void ar_links_curve(const ar_links *links, const ar_pose *bones, const double *multiplier,
                    double *turn, double *matrix, size_t lead);

/// The same of link `i` alone; what is between the turns of its two bones (3 x 3, those of the
/// first in rows) is added to `between`, of leading dimension `lead`.
void ar_links_curve_one(const ar_links *links, size_t i, const ar_pose *bones,
                        const double *multiplier, double *turn, double *between, size_t lead);

/// Angle of hinge `i` since rest [rad], in (-pi, pi]; 0 of other links.
double ar_links_angle(const ar_links *links, size_t i, const ar_pose *bones);

/// Force [N] on the first side of link `i`, at its point, and torque [N m].
void ar_links_force(const ar_links *links, size_t i, const ar_pose *bones, const double *multiplier,
                    double force[3], double torque[3]);

/// out = R v, and R^T v.
void ar_turn(const double r[9], const double v[3], double out[3]);
void ar_turn_back(const double r[9], const double v[3], double out[3]);

#endif
