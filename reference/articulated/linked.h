// SPDX-License-Identifier: GPL-3.0-or-later
/// The projection of all bones, by sets: each set of bones that links, or where flesh has a part in
/// the weight, flesh, couple is a projection of its own. Sets are projected by several threads,
/// with the same results for any number.
#ifndef AR_LINKED_H
#define AR_LINKED_H

#include "project.h"
#include "reduce.h"

/// A set, its bones and links numbered by themselves.
typedef struct ar_linked_set {
  ar_body body; ///< of its bones alone
  ar_links links;
  const int32_t *bone; ///< (body.n_bones) of the body
  const int32_t *link; ///< (links.n) of all links
  ar_projector projector;
  double *weight;        ///< of the projector, three after each other
  ar_pose *pose;         ///< (n_bones) near which links hold
  double *target, *next; ///< (n_bones x 4 x 3) each
  double gaps[AR_GAPS];
  vb_status status;
  vb_error error;
} ar_linked_set;

typedef struct ar_linked {
  const ar_body *body;
  ar_links *links;
  ar_sets sets;
  ar_linked_set *set; ///< (sets.n)
  int32_t *link;      ///< (n_links) of the sets, one after the other
  int threads;
  int iterations;     ///< the most of a set's latest projection
  double *gaps;       ///< (AR_GAPS) null, or where to write the greatest gaps after 1, 2, ..
                      ///< iterations, m
  double *multiplier; ///< (most_rows) by the rows of all links
  double *values;     ///< (most_rows) of the same; scratch
  ar_pose *pose;      ///< (n_bones) the result
} ar_linked;

/// Finds the sets, weighed by S of `reduced`, or by mass over the square of the step h if
/// `published`. `links` and `reduced` outlive it; freed by ar_linked_clear.
vb_status ar_linked_create(const ar_body *body, ar_links *links, const ar_reduced *reduced,
                           bool published, double h, ar_linked *out, vb_error *error);
void ar_linked_clear(ar_linked *linked);

/// Sets the options of all projectors, and the number of threads.
void ar_linked_set_options(ar_linked *linked, int most, bool feasible, bool curved, int threads);

/// Projects `target` (n_bones x 4 x 3) as ar_project does, `start` being poses (n_bones) near which
/// links hold: poses and multipliers, and T of the poses in `out`. Limits of hinges that hold then
/// hold in the links, too.
vb_status ar_linked_project(ar_linked *linked, const ar_pose *start, const double *target,
                            double *out, vb_error *error);

/// Removes from a gradient by turns (over radii) and shifts (6 n_bones) of these poses what forces
/// of links can be. VB_UNAVAILABLE for want of memory.
vb_status ar_linked_remove(ar_linked *linked, const ar_pose *pose, double *gradient,
                           vb_error *error);

#endif
