// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/description.h"

#include "viper/backend/backend.h"
#include "viper/fields.h"

#define VIPER_PRECISION 64
#include "viper/energy/terms.h"
#include "viper/settings/options.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[] = {VIPER_FIELDS(VB_FIELD)};

static const vb_energy energies[] = {
#define TERM(name, NAME) {#name, VIPER_##NAME##_TEXT, true},
    VIPER_SEGMENT_TERMS(TERM) VIPER_JOINT_TERMS(TERM) // ends with a comma
        [VIPER_KINETIC] = {"kinetic", "of centers, scales and frames", false},
    [VIPER_GRAVITY] = {"gravity", "potential of gravity, 0 at the origin", true},
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
            SET(VB_SET_FRICTION) | SET(VB_SET_HILL),
    .features = VB_FEATURE_SOLID | VB_FEATURE_FRAME_INERTIA,
    .fields = fields,
    .n_fields = COUNT(fields),
    .energies = energies,
    .n_energies = COUNT(energies),
    .options = viper_options,
    .n_options = VIPER_N_OPTIONS,
    .phases = phases,
    .n_phases = COUNT(phases),
    .has_residual = true,
    .has_reactions = true,
};

const vb_solver_description *viper_describe(void) {
  return &description;
}
