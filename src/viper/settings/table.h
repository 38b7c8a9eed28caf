// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of options. A line here makes an option: users see and set it, viper_settings (or
/// viper_variant) has a member of its name, and phase functions of both backends have a number's
/// value in the working precision (constants.h). To add one: write the line, and use the value;
/// tests/viper/settings/test_settings.c fails as long as nothing uses it. What an option forbids
/// or implies of others is in viper/option_rules.c.
#ifndef VIPER_SETTINGS_TABLE_H
#define VIPER_SETTINGS_TABLE_H

#include "viper/settings/methods.h"

// Words of options: W(constant, word), in the order in which users see them.
#define VIPER_INTEGRATOR_WORDS(W)                                                                  \
  W(VIPER_EULER, "euler") W(VIPER_BDF2, "bdf2") W(VIPER_MIDPOINT, "midpoint")
#define VIPER_GYROSCOPE_WORDS(W)                                                                   \
  W(VIPER_GYROSCOPE_AUTO, "auto") W(VIPER_GYROSCOPE_OFF, "off") W(VIPER_GYROSCOPE_ON, "on")
#define VIPER_DYNAMICS_WORDS(W) W(VIPER_TRANSIENT, "transient") W(VIPER_STATIC, "static")
#define VIPER_BACKEND_WORDS(W)                                                                     \
  W(VIPER_BACKEND_AUTO, "auto") W(VIPER_BACKEND_CPU, "cpu") W(VIPER_BACKEND_CUDA, "cuda")
#define VIPER_PRECISION_WORDS(W)  W(VIPER_DOUBLE, "double") W(VIPER_FLOAT, "float")
#define VIPER_ARITHMETIC_WORDS(W) W(VIPER_STRICT_SUMS, "strict") W(VIPER_FAST_SUMS, "fast")
#define VIPER_INSTRUCTION_WORDS(W)                                                                 \
  W(VIPER_WIDEST, "auto")                                                                          \
  W(VIPER_X86_V2, "x86-64-v2")                                                                     \
  W(VIPER_X86_V3, "x86-64-v3") W(VIPER_X86_V4, "x86-64-v4") W(VIPER_BASE, "base")
#define VIPER_CONTACT_WORDS(W)                                                                     \
  W(VIPER_CONTACT_AUTO, "auto") W(VIPER_CONTACT_AVERAGED, "averaged") W(VIPER_BY_COLORS, "colors")
#define VIPER_SOLVE_WORDS(W)  W(VIPER_BY_PASSES, "passes") W(VIPER_BY_NEWTON, "newton")
#define VIPER_BEGIN_WORDS(W)  W(VIPER_AS_GIVEN, "given") W(VIPER_BEGIN_APART, "apart")
#define VIPER_NORMAL_WORDS(W) W(VIPER_SEGMENT_NORMAL, "segment") W(VIPER_SMOOTH_NORMAL, "smooth")
#define VIPER_FOLLOW_WORDS(W)                                                                      \
  W(VIPER_FOLLOW_AUTO, "auto") W(VIPER_FOLLOW_YES, "yes") W(VIPER_FOLLOW_NO, "no")
#define VIPER_BUNDLE_SCALE_WORDS(W) W(VIPER_SCALED_BUNDLES, "yes") W(VIPER_RIGID_BUNDLES, "no")
#define VIPER_BUNDLE_SOLVE_WORDS(W)                                                                \
  W(VIPER_BY_IMPULSES, "impulses")                                                                 \
  W(VIPER_BY_PENALTY, "penalty") W(VIPER_BUNDLES_BY_NEWTON, "newton")
#define VIPER_SKIN_FRAME_WORDS(W)                                                                  \
  W(VIPER_SEGMENT_FRAMES, "segment") W(VIPER_BUNDLE_FRAMES, "bundle")
#define VIPER_SKIN_SHAPE_WORDS(W) W(VIPER_BLENDED_SKIN, "blended") W(VIPER_FITTED_SKIN, "fitted")
#define VIPER_LAUNCH_WORDS(W)     W(VIPER_BY_GRAPH, "graph") W(VIPER_BY_STREAM, "stream")

#define VIPER_WORD_CONSTANT(constant, word) constant,
#define VIPER_WORD_TEXT(constant, word)     "|" word

typedef enum viper_integrator { VIPER_INTEGRATOR_WORDS(VIPER_WORD_CONSTANT) } viper_integrator;
typedef enum viper_gyroscope { VIPER_GYROSCOPE_WORDS(VIPER_WORD_CONSTANT) } viper_gyroscope;
typedef enum viper_dynamics { VIPER_DYNAMICS_WORDS(VIPER_WORD_CONSTANT) } viper_dynamics;
typedef enum viper_backend_choice { VIPER_BACKEND_WORDS(VIPER_WORD_CONSTANT) } viper_backend_choice;
typedef enum viper_precision { VIPER_PRECISION_WORDS(VIPER_WORD_CONSTANT) } viper_precision;
typedef enum viper_arithmetic { VIPER_ARITHMETIC_WORDS(VIPER_WORD_CONSTANT) } viper_arithmetic;
typedef enum viper_instructions { VIPER_INSTRUCTION_WORDS(VIPER_WORD_CONSTANT) } viper_instructions;
typedef enum viper_contact_choice { VIPER_CONTACT_WORDS(VIPER_WORD_CONSTANT) } viper_contact_choice;
typedef enum viper_solve_choice { VIPER_SOLVE_WORDS(VIPER_WORD_CONSTANT) } viper_solve_choice;
typedef enum viper_begin_choice { VIPER_BEGIN_WORDS(VIPER_WORD_CONSTANT) } viper_begin_choice;
typedef enum viper_normal_choice { VIPER_NORMAL_WORDS(VIPER_WORD_CONSTANT) } viper_normal_choice;
typedef enum viper_follow { VIPER_FOLLOW_WORDS(VIPER_WORD_CONSTANT) } viper_follow;
typedef enum viper_bundle_scale {
  VIPER_BUNDLE_SCALE_WORDS(VIPER_WORD_CONSTANT)
} viper_bundle_scale;
typedef enum viper_bundle_solve {
  VIPER_BUNDLE_SOLVE_WORDS(VIPER_WORD_CONSTANT)
} viper_bundle_solve;
typedef enum viper_skin_frames { VIPER_SKIN_FRAME_WORDS(VIPER_WORD_CONSTANT) } viper_skin_frames;
typedef enum viper_skin_shape { VIPER_SKIN_SHAPE_WORDS(VIPER_WORD_CONSTANT) } viper_skin_shape;
typedef enum viper_launch_choice { VIPER_LAUNCH_WORDS(VIPER_WORD_CONSTANT) } viper_launch_choice;

/// The choices of vb_option_info: "one|two|...".
#define VIPER_CHOICES(words)                                    &(words(VIPER_WORD_TEXT))[1]
#define VIPER_METHOD_CHOICES                                    &(VIPER_METHODS(VIPER_METHOD_WORD))[1]
#define VIPER_METHOD_HELP                                       &(VIPER_METHODS(VIPER_METHOD_TEXT))[2]
#define VIPER_METHOD_WORD(name, NAME, word, traits, cost, text) "|" word
#define VIPER_METHOD_TEXT(name, NAME, word, traits, cost, text) "; " word ": " text

// Methods in which an option acts, as a mask.
#define VIPER_ALL_METHODS       (~0U)
#define VIPER_IN_METHOD(METHOD) (1U << VIPER_##METHOD)

/// X(name, type, kind, place, when, changes, methods, standard, choices, least, most, help):
/// - `type` is the member's; `kind` says how a value is read: WORD, WHOLE, THREADS (whole; 0 is the
///   number of processors) or NUMBER;
/// - `place`: STEP, what steps need (viper_settings), or VARIANT, what creation alone needs
///   (viper_variant); `when` it may be set: AT_CREATION or AT_ANY_TIME;
/// - what another value `changes` in each of the `methods`: the STATE; the state by ROUNDING;
///   FIELDS alone; NOTHING that is read;
/// - `standard` is the default; `choices` of words, `least` and `most` of numbers;
/// - `help` is what users read.
#define VIPER_OPTIONS(X)                                                                           \
  X(method, viper_method, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "direct",             \
    VIPER_METHOD_CHOICES, 0, 0, VIPER_METHOD_HELP)                                                 \
  X(integrator, viper_integrator, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "euler",      \
    VIPER_CHOICES(VIPER_INTEGRATOR_WORDS), 0, 0,                                                   \
    "time integrator; euler: implicit, first order, dissipative; bdf2: two-step backward "         \
    "differentiation formula, second order, without contact, half-planes or bundles; midpoint: "   \
    "conserves energy over long runs, without these, damping, activations and moving drivers "     \
    "(direct, block-descent)")                                                                     \
  X(gyroscope, viper_gyroscope, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "auto",         \
    VIPER_CHOICES(VIPER_GYROSCOPE_WORDS), 0, 0,                                                    \
    "on: frames conserve angular momentum, and its centrifugal force acts on scales; off: "        \
    "frames keep their angular velocity, as published; auto: on if a segment has the material "    \
    "model solid or a frame_inertia of its own, and with integrator midpoint")                     \
  X(dynamics, viper_dynamics, WORD, STEP, AT_CREATION, STATE,                                      \
    VIPER_IN_METHOD(DIRECT) | VIPER_IN_METHOD(BLOCK_DESCENT), "transient",                         \
    VIPER_CHOICES(VIPER_DYNAMICS_WORDS), 0, 0,                                                     \
    "transient: with inertia; static: each substep is a load step, which ends in the "             \
    "equilibrium under the loads and drivers at its time (direct, block-descent)")                 \
  X(backend, viper_backend_choice, WORD, VARIANT, AT_CREATION, NOTHING, VIPER_ALL_METHODS, "auto", \
    VIPER_CHOICES(VIPER_BACKEND_WORDS), 0, 0,                                                      \
    "backend; auto: the fastest available. cuda is available in builds with nvcc")                 \
  X(precision, viper_precision, WORD, VARIANT, AT_CREATION, ROUNDING, VIPER_ALL_METHODS, "double", \
    VIPER_CHOICES(VIPER_PRECISION_WORDS), 0, 0, "precision of the time step")                      \
  X(arithmetic, viper_arithmetic, WORD, VARIANT, AT_CREATION, ROUNDING, VIPER_ALL_METHODS,         \
    "strict", VIPER_CHOICES(VIPER_ARITHMETIC_WORDS), 0, 0,                                         \
    "strict: IEEE, bitwise reproducible anywhere; fast: sums contracted and reassociated")         \
  X(instructions, viper_instructions, WORD, VARIANT, AT_CREATION, NOTHING, VIPER_ALL_METHODS,      \
    "auto", VIPER_CHOICES(VIPER_INSTRUCTION_WORDS), 0, 0,                                          \
    "instruction set of the cpu backend; auto: the widest that this machine has")                  \
  X(threads, int, THREADS, STEP, AT_ANY_TIME, NOTHING, VIPER_ALL_METHODS, "0", NULL, 0, 1024,      \
    "threads of the cpu backend; 0: one per processor")                                            \
  X(iterations, int, WHOLE, STEP, AT_ANY_TIME, STATE, VIPER_ALL_METHODS, "10", NULL, 1, 1e6,       \
    "maximum number of iterations (sweeps) per substep")                                           \
  X(substeps, int, WHOLE, STEP, AT_ANY_TIME, STATE, VIPER_ALL_METHODS, "1", NULL, 1, 1e6,          \
    "substeps per step")                                                                           \
  X(tolerance, double, NUMBER, STEP, AT_ANY_TIME, STATE, VIPER_IN_METHOD(DIRECT), "1e-8", NULL, 0, \
    1, "direct ends a substep below this residual; 0: only after all iterations")                  \
  X(contact, viper_contact_choice, WORD, STEP, AT_CREATION, STATE,                                 \
    VIPER_IN_METHOD(JACOBI_PUBLISHED), "auto", VIPER_CHOICES(VIPER_CONTACT_WORDS), 0, 0,           \
    "averaged: contacts start from one state and are averaged with the elastic terms "             \
    "(jacobi-published); colors: sequentially, color by color; auto: averaged with "               \
    "jacobi-published")                                                                            \
  X(contact_solve, viper_solve_choice, WORD, STEP, AT_CREATION, STATE, VIPER_IN_METHOD(DIRECT),    \
    "passes", VIPER_CHOICES(VIPER_SOLVE_WORDS), 0, 0,                                              \
    "passes: a pass over contacts after each iteration of the bodies; newton: bodies, contacts "   \
    "and friction simultaneously, to the tolerance (direct on the cpu; bundles with bundle_solve " \
    "newton)")                                                                                     \
  X(contact_normal, viper_normal_choice, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS,        \
    "segment", VIPER_CHOICES(VIPER_NORMAL_WORDS), 0, 0,                                            \
    "contact normals of capsules: normal to the segments, or to smooth curves through the nodes")  \
  X(begin, viper_begin_choice, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "given",         \
    VIPER_CHOICES(VIPER_BEGIN_WORDS), 0, 0,                                                        \
    "given: pills begin where the scene has them; apart: bodies that overlap are first moved "     \
    "apart, without velocities, until they overlap by less than a hundredth of the least radius")  \
  X(warm_start, double, NUMBER, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "0.5", NULL, 0, 1,    \
    "part of the normal impulse that a contact starts the next substep with; 0: none, and no "     \
    "friction from it. Averaged contacts have no warm start")                                      \
  X(relaxation, double, NUMBER, STEP, AT_CREATION, STATE, VIPER_IN_METHOD(JACOBI_PUBLISHED), "1",  \
    NULL, 0.01, 2,                                                                                 \
    "of jacobi-published: unknowns move by this times the mean displacement (eq. 28)")             \
  X(follow, viper_follow, WORD, STEP, AT_ANY_TIME, STATE, VIPER_ALL_METHODS, "auto",               \
    VIPER_CHOICES(VIPER_FOLLOW_WORDS), 0, 0,                                                       \
    "start iterations with nodes moved by their drivers, if the scene says so; auto: with "        \
    "direct and block-descent")                                                                    \
  X(bundle_scale, viper_bundle_scale, WORD, STEP, AT_CREATION, STATE, VIPER_ALL_METHODS, "yes",    \
    VIPER_CHOICES(VIPER_BUNDLE_SCALE_WORDS), 0, 0,                                                 \
    "no: bundles are fitted only by rotation and translation, and keep their sections' size")      \
  X(bundle_solve, viper_bundle_solve, WORD, STEP, AT_CREATION, STATE,                              \
    VIPER_IN_METHOD(DIRECT) | VIPER_IN_METHOD(BLOCK_DESCENT), "impulses",                          \
    VIPER_CHOICES(VIPER_BUNDLE_SOLVE_WORDS), 0, 0,                                                 \
    "impulses: bundles move bodies after each iteration; penalty: they pull bodies during "        \
    "iterations, with multipliers that last over substeps (with direct and block-descent, "        \
    "on the cpu); newton: bodies and bundles simultaneously, to the tolerance (direct on the "     \
    "cpu; in contact with contact_solve newton)")                                                  \
  X(skin_frames, viper_skin_frames, WORD, STEP, AT_CREATION, FIELDS, VIPER_ALL_METHODS, "segment", \
    VIPER_CHOICES(VIPER_SKIN_FRAME_WORDS), 0, 0,                                                   \
    "transform of a surface's vertices: that of their segment, or of its bundle")                  \
  X(skin_shape, viper_skin_shape, WORD, STEP, AT_CREATION, FIELDS, VIPER_ALL_METHODS, "blended",   \
    VIPER_CHOICES(VIPER_SKIN_SHAPE_WORDS), 0, 0,                                                   \
    "blended: vertices of a surface are where their segments carry them; fitted: then "            \
    "relaxed, on their own side of other pills, and with the volume of their rods around")         \
  X(launch, viper_launch_choice, WORD, STEP, AT_ANY_TIME, NOTHING, VIPER_ALL_METHODS, "graph",     \
    VIPER_CHOICES(VIPER_LAUNCH_WORDS), 0, 0,                                                       \
    "graph: cuda launches the kernels of a step as one graph; stream: one by one")

#endif
