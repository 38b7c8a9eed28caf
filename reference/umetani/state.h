// SPDX-License-Identifier: GPL-3.0-or-later
/// The settings and the state of the solver, and the arrays of a step.
#ifndef UMETANI_STATE_H
#define UMETANI_STATE_H

#include "reference/umetani/element.h"

/// In which order the edges, and the joints, of a chain are visited.
typedef enum umetani_order {
  UMETANI_INTERLEAVED, ///< every other one upward, those between downward, in turns
  UMETANI_ENDS,        ///< from both ends to the middle
  UMETANI_SEQUENTIAL,
  UMETANI_RANDOM ///< a new permutation of a body's for each iteration
} umetani_order;

/// What becomes of the weight of ghosts.
typedef enum umetani_ghost_gravity {
  UMETANI_REDISTRIBUTED, ///< to the ends of their edges as far as these do not fall
  UMETANI_FULL,          ///< it stays on them
  UMETANI_NONE           ///< it is left out
} umetani_ghost_gravity;

/// All that options set.
typedef struct umetani_settings {
  umetani_choice choice;
  umetani_law law; ///< inv_h2 is that of the latest substep
  umetani_order order;
  umetani_ghost_gravity gravity;
  bool by_stiffness; ///< alphas of joints by the law of the stiffness, from K
  bool clamp_ratio;
  bool warm_start;
  int iterations, substeps, threads;
} umetani_settings;

/// What the next step depends on and what is read: one array of `n_doubles`, in parts. Points are
/// those of umetani_rods, edges, joints and the like are in its order.
typedef struct umetani_state {
  size_t n_doubles;
  double (*x)[3];     ///< points, m; the array begins here
  double (*v)[3];     ///< points, m/s
  double (*hat)[3];   ///< points: the latest substep's prediction, as if nothing were held
  double (*drift)[3]; ///< points: x + h v at its beginning
  double (
      *impulse)[3]; ///< points: sum of gradients times multipliers in it, where a component is held
  double (*contact)[3]; ///< points: sum of the moves by contacts in it over inverse masses, kg m
  double (*middle)[3];  ///< edges: velocity of the middle after it, m/s
  double *ratio;        ///< edges: part of free fall in the middle's acceleration
  double *length;       ///< edges: rest length now, m
  double (*edge)[3];    ///< edges: multipliers of length, bisector, distance
  double (*joint)[3];
  double (*hub)[3];
  double (*attachment)[3];
  double (*hold)[3];
  double (*anchor_place)[3], (*anchor_turn)[3];
  double (*torque)[3]; ///< holds: sum of the torques times h^2 in the latest substep, world axes
  double *work;        ///< drivers, loads, then activations: J done on the bodies since time 0
  double *h;           ///< one: length of the latest substep, s; 0 before the first
  double *time;        ///< one: its end
  double *touching;    ///< contacts that pushed in the latest substep, and the deepest, m
  double *visits;      ///< one: iterations done, which random orders are made of
} umetani_state;

/// A force on up to three points.
typedef struct umetani_force {
  int n;
  int32_t point[3];
  double force[3][3]; ///< N
} umetani_force;

/// What a substep works with.
typedef struct umetani_scratch {
  double (*old)[3];                  ///< points: positions at the beginning of the substep
  double (*push)[3];                 ///< points: forces of loads and activations, N
  double (*target)[3][3];            ///< holds: axes of the frames at its end
  double (*before)[3][3];            ///< holds: at its beginning
  double (*alpha)[3];                ///< joints
  umetani_force *load;               ///< loads, then activations
  struct umetani_contact *contact;   ///< null where nothing can touch
  int32_t *edge_order, *joint_order; ///< edges and joints in the order of visits, body by body
  void *memory;                      ///< of all these
} umetani_scratch;

/// Makes both, the scratch with what contact.h needs. Freed by umetani_state_free and
/// umetani_scratch_free.
vb_status umetani_state_create(const umetani_rods *rods, umetani_state *out, vb_error *error);
vb_status umetani_scratch_create(const umetani_rods *rods, umetani_scratch *out, vb_error *error);
void umetani_state_free(umetani_state *state);
void umetani_scratch_free(umetani_scratch *scratch);

/// Writes the scene's initial state.
void umetani_start(const umetani_rods *rods, umetani_state *state);

/// Writes the edges and joints of all chains in the order of visits (section 4 of the paper; random
/// orders are made by the sweep).
void umetani_order_elements(const umetani_rods *rods, umetani_order order,
                            umetani_scratch *scratch);

/// Writes the positions 0 .. n - 1 in the order of visits.
void umetani_order_chain(umetani_order order, int32_t n, int32_t *out);

/// A permutation of the n entries of `list` that depends on `seed` alone.
void umetani_shuffle(uint64_t seed, int32_t n, int32_t *list);

#endif
