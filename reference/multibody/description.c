// SPDX-License-Identifier: GPL-3.0-or-later
#include "description.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[MB_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "position of each node, which a bone carries"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node"},
    {"bone_position", VB_AT_BONE, 3, "m", "center of mass of each bone"},
    {"bone_frame", VB_AT_BONE, 4, "1",
     "turn of each bone from rest, a unit quaternion w, x, y, z whose sign is continued"},
    {"bone_velocity", VB_AT_BONE, 3, "m s-1", "velocity of each bone's center"},
    {"bone_spin", VB_AT_BONE, 3, "rad s-1", "angular velocity of each bone, world axes"},
    {"joint_error", VB_AT_LINK, 1, "m", "distance of the two points that a link keeps together"},
    {"joint_force", VB_AT_LINK, 3, "N", "force of each link on its first bone, at its point"},
    {"joint_angle", VB_AT_LINK, 1, "rad",
     "angle of a hinge since rest, in (-pi, pi], of its first bone against its second side; 0 of "
     "others"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
    {"angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin"},
};

static const vb_energy energies[] = {
    {"kinetic", "of the bones", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
};

static const vb_option_info options[] = {
    {"integrator", "rk8pd", "rk8pd|rk4", 0, 0, false, false,
     "rk8pd: Prince and Dormand's of order 8 and 9, with as many steps within one of the scene as "
     "the tolerance asks for; rk4: the classical one of order 4, at the scene's step"},
    {"tolerance", "1e-11", NULL, 1e-13, 1, false, true,
     "of rk8pd: error of a step in each number of the state, relative to it or absolute"},
};

static const char *const phases[] = {"integrate"};

static const vb_solver_description description = {
    .name = "multibody",
    .long_name = "rigid bodies and joints, accelerations by multipliers",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_DRIVER) |
            SET(VB_SET_LOAD) | SET(VB_SET_CURVE) | SET(VB_SET_KEY) | SET(VB_SET_TETRAHEDRON) |
            SET(VB_SET_PARENT) | SET(VB_SET_BONE) | SET(VB_SET_TIE) | SET(VB_SET_LINK),
    .fields = fields,
    .n_fields = COUNT(fields),
    .energies = energies,
    .n_energies = COUNT(energies),
    .options = options,
    .n_options = COUNT(options),
    .phases = phases,
    .n_phases = COUNT(phases),
    .has_reactions = true,
};

const vb_solver_description *mb_describe(void) {
  return &description;
}
