// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of methods. To add one that sweeps: write how it iterates (viper_iterate_NAME) in a
/// header of its own in viper/method, include that in sweeps.h there, and add a line to
/// VIPER_SWEEPS. The words of the option, memory, and what each backend runs follow from that line.
#ifndef VIPER_SETTINGS_METHODS_H
#define VIPER_SETTINGS_METHODS_H

#include <stdbool.h>

/// What backends must know of a method.
typedef enum viper_trait {
  VIPER_FACTORS = 1 << 0,       ///< factors a matrix: needs an elimination, and sweeps over nothing
  VIPER_SEEKS_MINIMUM = 1 << 1, ///< ends at the minimum of Phi: what contacts and bundles push acts
                                ///< only if it also moves the prediction
  VIPER_LOSES_MOMENTUM = 1 << 2, ///< as long as it has not converged: contact puts bodies back
  VIPER_OWN_PHASES = 1 << 3,     ///< those of the adjacency (nodes, frames, and joints between) in
                                 ///< place of the model's colors of segments and joints
  // Fields (viper/method/fields.h):
  VIPER_MULTIPLIERS = 1 << 4, ///< of constraints, with h^2 over the inertias
  VIPER_NODE_SUMS = 1 << 5,   ///< of what elements ask of nodes
  VIPER_FRAME_SUMS = 1 << 6,  ///< likewise of frames
  VIPER_NOTES = 1 << 7,       ///< of joints, and inverses of the frames' blocks
  VIPER_STARTS = 1 << 8,      ///< the state where a step or a choice starts
  VIPER_AVERAGES = 1 << 10,   ///< averages displacements, those by contacts among them
  VIPER_ALWAYS = 1 << 9       ///< what every method keeps
} viper_trait;

/// The methods that sweep over elements: X(name, NAME, word, traits, cost, text). `word` is what
/// the option says, `cost` names a function of viper/backend/cost.c, `text` is the option's help.
#define VIPER_SWEEPS(X)                                                                            \
  X(xpbd, XPBD, "xpbd", VIPER_MULTIPLIERS, xpbd,                                                   \
    "constraints by Gauss-Seidel with accumulated multipliers")                                    \
  X(block_descent, BLOCK_DESCENT, "block-descent",                                                 \
    VIPER_SEEKS_MINIMUM | VIPER_LOSES_MOMENTUM | VIPER_OWN_PHASES | VIPER_FRAME_SUMS |             \
        VIPER_NOTES,                                                                               \
    block_descent, "Phi minimized over one node, then one frame at a time")                        \
  X(jacobi_published, JACOBI_PUBLISHED, "jacobi-published",                                        \
    VIPER_MULTIPLIERS | VIPER_NODE_SUMS | VIPER_FRAME_SUMS | VIPER_AVERAGES, jacobi_published,     \
    "all constraints at once, displacements averaged, as published")

/// All methods, in the order of the option's words; the first is the default.
#define VIPER_METHODS(X)                                                                           \
  X(direct, DIRECT, "direct", VIPER_FACTORS | VIPER_SEEKS_MINIMUM | VIPER_STARTS, direct,          \
    "Newton on Phi with an exact factorization")                                                   \
  VIPER_SWEEPS(X)

typedef enum viper_method {
#define VIPER_METHOD_ENUM(name, NAME, word, traits, cost, text) VIPER_##NAME,
  VIPER_METHODS(VIPER_METHOD_ENUM)
#undef VIPER_METHOD_ENUM
} viper_method;

#ifdef __CUDACC__
#define VIPER_TRAIT_FN static __host__ __device__ constexpr
#else
#define VIPER_TRAIT_FN static inline
#endif

/// All traits of a method, as a mask.
VIPER_TRAIT_FN unsigned viper_traits(viper_method method) {
  switch (method) {
#define VIPER_METHOD_TRAITS(name, NAME, word, traits, cost, text)                                  \
  case VIPER_##NAME:                                                                               \
    return (unsigned)((traits) | VIPER_ALWAYS);
    VIPER_METHODS(VIPER_METHOD_TRAITS)
#undef VIPER_METHOD_TRAITS
  }
  return 0;
}

VIPER_TRAIT_FN bool viper_method_has(viper_method method, viper_trait trait) {
  return (viper_traits(method) & (unsigned)trait) != 0;
}

#endif
