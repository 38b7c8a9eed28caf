// SPDX-License-Identifier: GPL-3.0-or-later
#include "description.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[AR_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "position of each node"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node"},
    {"mass", VB_AT_NODE, 1, "kg",
     "lumped mass of the deforming tetrahedra at each node; that of a bone's nodes moves with it"},
    {"element_volume", VB_AT_TETRAHEDRON, 1, "m3", "current volume of each tetrahedron"},
    {"dilation", VB_AT_TETRAHEDRON, 1, "1", "current volume over rest volume of each tetrahedron"},
    {"deformation", VB_AT_TETRAHEDRON, 9, "1",
     "deformation gradient F of each tetrahedron, row by row"},
    {"stress", VB_AT_TETRAHEDRON, 9, "Pa",
     "first Piola stress of each tetrahedron, row by row; 0 inside a bone"},
    {"volume", VB_AT_SCENE, 1, "m3", "current volume of all tetrahedra"},
    {"dilation_range", VB_AT_SCENE, 2, "1", "least and greatest dilation of a tetrahedron"},
    {"bone_position", VB_AT_BONE, 3, "m", "the scene's center of mass of each bone"},
    {"bone_frame", VB_AT_BONE, 4, "1",
     "turn of each bone from rest, a unit quaternion w, x, y, z whose sign is continued"},
    {"bone_velocity", VB_AT_BONE, 3, "m s-1", "velocity of that center"},
    {"bone_spin", VB_AT_BONE, 3, "rad s-1", "rotation vector of the latest step over its length"},
    {"bone_error", VB_AT_BONE, 1, "1", "largest entry of A^T A - I of each bone's linear map A"},
    {"joint_error", VB_AT_LINK, 1, "m", "distance of the two points that a link keeps together"},
    {"joint_force", VB_AT_LINK, 3, "N", "force of each link on its first bone, at its point"},
    {"joint_angle", VB_AT_LINK, 1, "rad",
     "angle of a hinge since rest, in (-pi, pi], of its first bone against its second side; 0 of "
     "others"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum"},
    {"angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin"},
    {"node_push", VB_AT_NODE, 3, "N",
     "force of half-planes, colliders and other flesh on each node in the latest step"},
    {"penetration", VB_AT_SCENE, 1, "m",
     "greatest depth of a node in a half-plane, collider or other flesh, 0 for none"},
    {"local_global", VB_AT_SCENE, 1, "1", "local and global steps of the latest step"},
    {"joint_iterations", VB_AT_SCENE, 1, "1",
     "the most iterations of a projection in the latest step"},
    {"objective", VB_AT_SCENE, 1, "J", "what the latest step minimized, at its end"},
    {"objective_rise", VB_AT_SCENE, 1, "J",
     "the largest rise of the objective from one iteration of the latest step to the next"},
    {"vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that tetrahedra carry"},
    {"enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses"},
};

static const vb_energy energies[] = {
    {"elastic", "corotated linear elasticity, 0 at rest", true},
    {"kinetic", "of flesh and bones", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
    {"contact", "of nodes in half-planes, colliders and other flesh, kc/2 depth^2 each", true},
};

static const vb_option_info options[] = {
    {"projection", "consistent", "consistent|published", 0, 0, false, false,
     "consistent: bones are projected by the weight that the flesh leaves them, and flesh follows: "
     "the minimum; published: by their mass, and flesh stays where it was solved"},
    {"bones", "exact", "exact|stiff|shape|free", 0, 0, false, false,
     "exact: rigid; stiff: their tetrahedra with Young's modulus times ratio, no links; shape: "
     "flesh whose nodes springs pull to a rigid shape, no links; free: rigid, no links"},
    {"bone_tetrahedra", "left_out", "left_out|kept", 0, 0, false, false,
     "kept: tetrahedra inside of bones stay in the global matrix, which slows convergence"},
    {"material", "corotated", "corotated|arap", 0, 0, false, false,
     "corotated: linear elasticity in turned axes; arap: without its volumetric part"},
    {"iterations", "20", NULL, 1, 1e6, true, true, "local and global steps, at most"},
    {"tolerance", "1e-8", NULL, 0, 1, false, true,
     "a step ends below this relative residual, as published below this movement over the scene's "
     "size; 0: never early"},
    {"joint_iterations", "100", NULL, 1, 1e6, true, true, "iterations of a projection, at most"},
    {"joint_stop", "both", "both|feasible", 0, 0, false, true,
     "both: a projection ends where links hold and it moves no more; feasible: where links hold"},
    {"inner", "newton", "newton|gauss_newton", 0, 0, false, true,
     "of projections: with the curvature of rotations and links, or as published without"},
    {"guess", "previous", "previous|prediction", 0, 0, false, true,
     "where a step begins: at the old state, or at the prediction with its bones made rigid"},
    {"ratio", "1e4", NULL, 1e-6, 1e12, false, false, "of bones=stiff"},
    {"weight", "1e6", NULL, 0, 1e15, false, false, "of bones=shape, of each spring, N/m"},
    {"contact_stiffness", "0", NULL, 0, 1e15, false, false,
     "kc of contact at each node of the surface, and at each inside of other flesh, N/m, less than "
     "the node's mass "
     "over the square of the step; 0: half of that of the lightest"},
    {"threads", "0", NULL, 0, 1024, true, true, "threads; 0: one per processor"},
};

static const char *const phases[] = {"local", "solve", "project", "assemble", "factorize"};

static const vb_solver_description description = {
    .name = "articulated",
    .long_name = "deformable bodies with articulated skeletons (Li, Liu, Kavan 2019)",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_PIN) |
            SET(VB_SET_DRIVER) | SET(VB_SET_LOAD) | SET(VB_SET_CURVE) | SET(VB_SET_KEY) |
            SET(VB_SET_TETRAHEDRON) | SET(VB_SET_PARENT) | SET(VB_SET_FOLLOW) | SET(VB_SET_BONE) |
            SET(VB_SET_TIE) | SET(VB_SET_LINK) | SET(VB_SET_HALF_PLANE) | SET(VB_SET_PLANE_DRIVER) |
            SET(VB_SET_COLLIDER) | SET(VB_SET_CONTACT) | SET(VB_SET_SURFACE_VERTEX) |
            SET(VB_SET_TRIANGLE),
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

const vb_solver_description *ar_describe(void) {
  return &description;
}
