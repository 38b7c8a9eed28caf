// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/description.h"

#define VIPER_PRECISION 64
#include "viper/energy/terms.h"
#include "viper/settings/options.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[VIPER_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "center of each node"},
    {"scale", VB_AT_NODE, 1, "1", "radius over rest radius"},
    {"frame", VB_AT_SEGMENT, 4, "1", "frame of each segment as a unit quaternion (w, x, y, z)"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center"},
    {"scale_rate", VB_AT_NODE, 1, "s-1", "rate of each scale"},
    {"angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
    {"mass", VB_AT_NODE, 1, "kg", "lumped mass of each node"},
    {"vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that segments carry"},
    {"enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses"},
    {VB_NEWTON_STEP, VB_AT_SCENE, 1, "m",
     "largest displacement of a node in one Newton step with the full Hessian"},
    {"contacts", VB_AT_SCENE, 1, "1", "contacts that push, of pills and on half-planes"},
    {"penetration", VB_AT_SCENE, 1, "m", "how deep a pill is in another or in a half-plane"},
    {"complementarity", VB_AT_SCENE, 1, "m",
     "greatest error of a contact that should be closed or without push"},
    {"contact_speed", VB_AT_SCENE, 1, "1",
     "predicted motion of two pills in a substep over the sum of their radii; above 1 contacts may "
     "be found late"},
    {"contact_truncated", VB_AT_SCENE, 1, "1",
     "nodes whose motion was truncated in the latest step, for a pill would have passed through "
     "another"},
    {"contact_work", VB_AT_SCENE, 2, "J",
     "work of contacts and half-planes in the latest substep, over how their two surfaces moved "
     "against each other: of pushes, of friction"},
    {"contact_force", VB_AT_BODY, 3, "N",
     "sum of the forces that contacts and half-planes exert on each body, in the latest substep"},
    {"half_plane_force", VB_AT_HALF_PLANE, 3, "N",
     "force that the bodies exert on each half-plane, in the latest substep"},
};

static const vb_energy energies[] = {
#define TERM(name, NAME) {#name, VIPER_##NAME##_TEXT, true},
    VIPER_SEGMENT_TERMS(TERM)
        VIPER_JOINT_TERMS(TERM){"kinetic", "of centers, scales and frames", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
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
