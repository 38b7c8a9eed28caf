// SPDX-License-Identifier: GPL-3.0-or-later
/// Counts the least number of operations and bytes of a step, with which benchmarks compare
/// measured times.
///
/// Operations are additions, subtractions, multiplications, divisions and square roots of the
/// working precision, one each; changes of sign, comparisons and selections are free. Each phase
/// function is counted as an ideal compiler would leave it: no value is computed twice, none that
/// is not used, and nothing is added to a known zero or multiplied by a known zero, one or minus
/// one. tests/viper/model/test_cost.cpp counts them that way from the headers themselves.
///
/// Counted is the method as it is defined, with one trial of each line search of `direct`, of each
/// step that `block-descent` limits and of its end on a ray, and without an early end: the least,
/// from which states with more trials differ. Products of rest data alone (springs of
/// `block-descent`) are known; pins, which take a few unknowns away, and loads are left out, and so
/// is what bending factors add to `block-descent`, and fused rods to twist. Of what must move, only
/// the state counts, read once and written once a step: a body stays in the cache for all
/// iterations, and rest data with it. (A device adds the factors of `direct` that do not:
/// viper_factor_entries.)
#ifndef VIPER_BACKEND_COST_H
#define VIPER_BACKEND_COST_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"

/// Operations of the phase functions: X(name, operations). A joint is "plain" where surface_bend
/// does not act on it. Those of "solid" are in the place of the others in bodies of the material
/// model solid, whose frames keep their momentum; solid_spin_node is beside predict_node.
#define VIPER_COUNTS(X)                                                                            \
  X(predict_node, 14)                                                                              \
  X(predict_frame, 99)                                                                             \
  X(rate_node, 8)                                                                                  \
  X(rate_frame, 27)                                                                                \
  X(frame_inertia, 4)                                                                              \
  X(xpbd_segment, 494)                                                                             \
  X(xpbd_joint, 933)                                                                               \
  X(xpbd_plain_joint, 897)                                                                         \
  X(jacobi_segment, 392)                                                                           \
  X(jacobi_joint, 622)                                                                             \
  X(jacobi_plain_joint, 586)                                                                       \
  X(jacobi_node, 8)                                                                                \
  X(jacobi_frame, 43)                                                                              \
  X(descent_node, 40)                                                                              \
  X(descent_node_of_segment, 58)                                                                   \
  X(descent_scale_before_joint, 8)                                                                 \
  X(descent_scale_at_joint, 8)                                                                     \
  X(descent_scale_after_joint, 8)                                                                  \
  X(descent_turn, 44)                                                                              \
  X(descent_pull, 39)                                                                              \
  X(descent_hold, 34)                                                                              \
  X(descent_frame, 132)                                                                            \
  X(descent_frame_of_joint, 54)                                                                    \
  X(descent_block, 159)                                                                            \
  X(descent_block_of_joint, 100)                                                                   \
  X(direct_node, 14)                                                                               \
  X(direct_frame, 58)                                                                              \
  X(direct_segment, 254)                                                                           \
  X(direct_joint, 666)                                                                             \
  X(direct_plain_joint, 635)                                                                       \
  X(hessian_frame, 68)                                                                             \
  X(hessian_segment, 304)                                                                          \
  X(hessian_joint, 843)                                                                            \
  X(hessian_plain_joint, 812)                                                                      \
  X(phi_node, 15)                                                                                  \
  X(phi_frame, 30)                                                                                 \
  X(phi_segment, 58)                                                                               \
  X(phi_joint, 92)                                                                                 \
  X(phi_plain_joint, 82)                                                                           \
  X(turn_frame, 40)                                                                                \
  X(solid_spin_frame, 276)                                                                         \
  X(solid_spin_node, 3)                                                                            \
  X(solid_rate_frame, 113)                                                                         \
  X(solid_xpbd_segment, 596)                                                                       \
  X(solid_xpbd_joint, 593)                                                                         \
  X(solid_xpbd_plain_joint, 557)                                                                   \
  X(solid_direct_segment, 330)                                                                     \
  X(solid_direct_joint, 438)                                                                       \
  X(solid_direct_plain_joint, 407)                                                                 \
  X(solid_hessian_segment, 511)                                                                    \
  X(solid_hessian_joint, 597)                                                                      \
  X(solid_hessian_plain_joint, 566)                                                                \
  X(solid_phi_segment, 98)                                                                         \
  X(solid_phi_joint, 82)                                                                           \
  X(solid_phi_plain_joint, 72)                                                                     \
  X(solid_descent_node, 72)                                                                        \
  X(solid_descent_node_of_segment, 119)                                                            \
  X(solid_descent_pull, 33)                                                                        \
  X(solid_descent_hold, 26)                                                                        \
  X(solid_descent_frame, 163)                                                                      \
  X(solid_descent_block, 320)                                                                      \
  X(solid_limit_node, 31)                                                                          \
  X(solid_limit_node_of_segment, 117)                                                              \
  X(solid_limit_joint, 36)                                                                         \
  X(solid_ray_node, 39)                                                                            \
  X(solid_ray_frame, 72)                                                                           \
  X(solid_ray_segment, 169)                                                                        \
  X(solid_ray_joint, 247)                                                                          \
  X(solid_ray_plain_joint, 228)

typedef enum viper_count {
#define VIPER_COUNT_ENUM(name, operations) VIPER_COUNT_##name,
  VIPER_COUNTS(VIPER_COUNT_ENUM)
#undef VIPER_COUNT_ENUM
      VIPER_N_COUNTS
} viper_count;

/// Operations of one call of that phase function.
double viper_count_of(viper_count count);

/// Operations to factor (LDL^T) and to solve with the matrix of columns `first` to `end` - 1 of an
/// elimination; `n_nodes` is that of its model.
double viper_factor_operations(const viper_elimination *elimination, size_t n_nodes, int32_t first,
                               int32_t end);

/// Numbers in the factor of a whole elimination. Where it is larger than the memory near the
/// processor, each iteration of `direct` must write it once and read it once.
double viper_factor_entries(const viper_elimination *elimination, size_t n_nodes);

/// Bytes and operations of a step of the whole model; `bytes_of_real` is 4 or 8. `elimination` is
/// of the whole model, for its single bodies; it and those of the body groups are needed for
/// `direct` only. NaN in both where a term other than surface_bend is switched off somewhere, or
/// one that is not counted acts: that is not counted. Where all segments are of the material model
/// solid, Euler's method is counted.
void viper_step_cost(const viper_model *model, const viper_elimination *elimination,
                     const viper_body_groups *body_groups, const viper_settings *settings,
                     int bytes_of_real, double *bytes, double *operations);

#endif
