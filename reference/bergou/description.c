// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/description.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[BERGOU_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "center of each node"},
    {"scale", VB_AT_NODE, 1, "1",
     "radius over rest radius: the mean of its segments' scales, by rest length. An output: pins "
     "of "
     "scales and scale forces act on nothing"},
    {"frame", VB_AT_SEGMENT, 4, "1", "frame of each segment as a unit quaternion (w, x, y, z)"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center"},
    {"angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes"},
    {"segment_scale", VB_AT_SEGMENT, 1, "1",
     "radius of each segment over its rest radius: the root of its rest length over its length"},
    {"segment_volume", VB_AT_SEGMENT, 1, "m3", "volume of each segment as a cylinder"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
    {"mass", VB_AT_NODE, 1, "kg", "lumped mass of each node"},
};

static const vb_energy energies[BERGOU_ENERGY_COUNT] = {
    {"stretch", "of the center line against the frame's axis", true},
    {"bend", "of bending", true},
    {"twist", "of torsion", true},
    {"kinetic", "of centers and frames", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
};

static const vb_option_info options[] = {
    {"stiffness", "matched", "matched|plain", 0, 0, false, false,
     "kz in stretch and bend. matched: kz + kv - 4 kv^2/(kx + ky + 4 kv), what VIPER's kz and kv "
     "come "
     "to under a slow pull; plain: kz as the scene gives it"},
    {"feedback", "none", "none|section", 0, 0, false, false,
     "none: the radius is an output; section: the updated radius enters the next step's stiffness "
     "and inertia"},
    {"threads", "0", NULL, 0, 1024, true, true, "threads over bodies; 0: one per processor"},
    {"iterations", "50", NULL, 1, 1e6, true, true, "Newton iterations per substep, at most"},
    {"substeps", "1", NULL, 1, 1e6, true, true, "substeps per step"},
    {"tolerance", "1e-10", NULL, 0, 1, false, true,
     "a substep ends where the gradient is below this part of the elements' own forces, or within "
     "its "
     "rounding errors"},
};

static const char *const phases[BERGOU_PHASE_COUNT] = {"predict", "solve", "update"};

static const vb_solver_description description = {
    .name = "bergou",
    .long_name = "elastic rods with the radius update of Bergou et al. 2010",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_SEGMENT) |
            SET(VB_SET_JOINT) | SET(VB_SET_PIN) | SET(VB_SET_DRIVER) | SET(VB_SET_LOAD) |
            SET(VB_SET_CURVE) | SET(VB_SET_KEY) | SET(VB_SET_PARENT) | SET(VB_SET_ACTIVATION) |
            SET(VB_SET_REST_CURVATURE) | SET(VB_SET_BENDING),
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

const vb_solver_description *bergou_describe(void) {
  return &description;
}
