// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/description.h"

#include "viper/backend/backend.h"
#include "viper/fields.h"

#define VIPER_PRECISION 64
#include "viper/energy/terms.h"
#include "viper/method/table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[] = {VIPER_FIELDS(VB_FIELD)};

static const vb_energy energies[] = {
#define TERM(name, NAME) {#name, VIPER_##NAME##_TEXT, true},
    VIPER_SEGMENT_TERMS(TERM) VIPER_JOINT_TERMS(TERM) // ends with a comma
        [VIPER_KINETIC] = {"kinetic", "of centers, scales and frames", false},
    [VIPER_GRAVITY] = {"gravity", "potential of gravity, 0 at the origin", true},
};

// Of all methods, after each other.
#define METHOD_WORD(name, NAME, word, traits, cost, text) "|" word
#define METHOD_TEXT(name, NAME, word, traits, cost, text) "; " word ": " text

static const vb_option_info options[] = {
    {"method", "direct", &(VIPER_METHODS(METHOD_WORD))[1], 0, 0, false, false,
     &(VIPER_METHODS(METHOD_TEXT))[2]},
    {"integrator", "euler", "euler|bdf2", 0, 0, false, false,
     "of time; euler: implicit, first order, damps; bdf2: the two-step backward differentiation "
     "formula, second order, without contact, half-planes or bundles"},
    {"dynamics", "transient", "transient|static", 0, 0, false, false,
     "transient: inertia acts; static: each substep is a load step, whose end is an equilibrium "
     "under the loads and drivers at its time (direct, block-descent)"},
    {"backend", "auto", "auto|cpu|cuda", 0, 0, false, false,
     "where it runs; auto: the best at hand. cuda is there in builds with nvcc"},
    {"precision", "double", "double|float", 0, 0, false, false, "arithmetic of the time step"},
    {"arithmetic", "strict", "strict|fast", 0, 0, false, false,
     "strict: IEEE, bitwise the same everywhere; fast: sums contracted and reassociated"},
    {"instructions", "auto", "auto|x86-64-v2|x86-64-v3|x86-64-v4|base", 0, 0, false, false,
     "instruction set of the cpu backend; auto: the widest that this machine has"},
    {"threads", "0", NULL, 0, 1024, true, true, "threads of the cpu backend; 0: one per processor"},
    {"iterations", "10", NULL, 1, 1e6, true, true, "iterations (sweeps) per substep, at most"},
    {"substeps", "1", NULL, 1, 1e6, true, true, "substeps per step"},
    {"tolerance", "1e-8", NULL, 0, 1, false, true,
     "direct ends a substep below this residual; 0: only after all iterations"},
    {"contact", "auto", "auto|averaged|colors", 0, 0, false, false,
     "averaged: contacts act from one state and are averaged with the elastic terms "
     "(jacobi-published); colors: one after the other, color by color; auto: averaged of "
     "jacobi-published"},
    {"contact_normal", "segment", "segment|smooth", 0, 0, false, false,
     "of contacts between capsules: normal to the segments, or to smooth curves through the nodes"},
    {"warm_start", "0.5", NULL, 0, 1, false, false,
     "part of its push in a substep that a contact begins the next with; 0: none, and no friction "
     "of it. Averaged contacts have no warm start"},
    {"relaxation", "1", NULL, 0.01, 2, false, false,
     "of jacobi-published: unknowns move by that times the mean displacement (eq. 28)"},
    {"follow", "auto", "auto|yes|no", 0, 0, false, true,
     "where a scene says so, iterations begin where drivers take nodes; auto: of direct and "
     "block-descent"},
    {"bundle_scale", "yes", "yes|no", 0, 0, false, false,
     "no: bundles are fitted by rotation and translation alone, and keep their sections' size"},
    {"skin_frames", "segment", "segment|bundle", 0, 0, false, false,
     "what carries a surface: each segment's own transform, or that of its bundle"},
    {"launch", "graph", "graph|stream", 0, 0, false, true,
     "graph: the kernels of a step start as one on a device; stream: one by one"},
};

static const char *const phases[] = {"predict", "solve", "velocity", "work", "detect", "contact"};

static const vb_solver_description description = {
    .name = "viper",
    .long_name = "volume invariant position-based elastic rods (Angles et al. 2019)",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_SEGMENT) |
            SET(VB_SET_JOINT) | SET(VB_SET_PIN) | SET(VB_SET_DRIVER) | SET(VB_SET_LOAD) |
            SET(VB_SET_CURVE) | SET(VB_SET_KEY) | SET(VB_SET_BUNDLE) | SET(VB_SET_SURFACE_VERTEX) |
            SET(VB_SET_TRIANGLE) | SET(VB_SET_HALF_PLANE) | SET(VB_SET_CONTACT) |
            SET(VB_SET_FILTER) | SET(VB_SET_PARENT) | SET(VB_SET_ACTIVATION) |
            SET(VB_SET_REST_CURVATURE) | SET(VB_SET_FRAME_PIN) | SET(VB_SET_FOLLOWER_LOAD) |
            SET(VB_SET_FOLLOW) | SET(VB_SET_BENDING) | SET(VB_SET_PLANE_DRIVER) |
            SET(VB_SET_FRICTION),
    .fields = fields,
    .n_fields = COUNT(fields),
    .energies = energies,
    .n_energies = COUNT(energies),
    .options = options,
    .n_options = COUNT(options),
    .phases = phases,
    .n_phases = COUNT(phases),
    .has_residual = true,
    .has_reactions = true,
};

const vb_solver_description *viper_describe(void) {
  return &description;
}
