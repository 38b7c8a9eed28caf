// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/description.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SET(tag)     (UINT64_C(1) << (tag))

static const vb_field fields[UMETANI_FIELD_COUNT] = {
    {"position", VB_AT_NODE, 3, "m", "center of each node"},
    {"scale", VB_AT_NODE, 1, "1", "always 1: these rods have no scales"},
    {"frame", VB_AT_SEGMENT, 4, "1",
     "frame of each segment as a unit quaternion (w, x, y, z): u toward the ghost point, w along "
     "the segment"},
    {"velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center"},
    {"angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes"},
    {"mass", VB_AT_NODE, 1, "kg", "lumped mass of each node, with half of the ghosts' beside it"},
    {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum of points and ghosts"},
    {"ghost", VB_AT_SEGMENT, 3, "m", "ghost point of each segment"},
    {"darboux", VB_AT_JOINT, 3, "m-1",
     "Darboux vector of each joint about u, v, w: 2/lb tan(angle/2) axis"},
    {"gravity_ratio", VB_AT_SEGMENT, 1, "1",
     "part of gravity in the acceleration of each segment's middle: what stays on its ghost"},
    {"constraint_error", VB_AT_SCENE, 4, "1",
     "greatest error of lengths over L, of bisectors over L Lg, of ghosts' distances over Lg, of "
     "held frames times L"},
    {"contacts", VB_AT_SCENE, 1, "1", "contacts that push, of pills and on half-planes"},
    {"penetration", VB_AT_SCENE, 1, "m", "how deep a pill is in another or a node in a half-plane"},
};

static const vb_energy energies[UMETANI_ENERGY_COUNT] = {
    {"stretch", "of segments: with method pbd what the scene's material would store in this shape",
     true},
    {"bend", "of joints about u and v: with pbd what the scene's material would store", true},
    {"twist", "of joints about w: with pbd what the scene's material would store", true},
    {"kinetic", "of points and ghosts", false},
    {"gravity", "potential of gravity, 0 at the origin", true},
};

#define NUMBER(name, value, low, high, text)                                                       \
  { name, value, NULL, low, high, false, false, text }
#define WHOLE(name, value, low, high, text)                                                        \
  { name, value, NULL, low, high, true, true, text }
#define WORDS(name, value, words, text)                                                            \
  { name, value, words, 0, 0, false, false, text }

static const vb_option_info options[] = {
    WORDS(
        "method", "pbd", "pbd|xpbd",
        "pbd: the paper's, whose stiffness depends on iterations, step, lengths and masses; xpbd: "
        "that of the scene's material, with multipliers"),
    WHOLE("iterations", "10", 1, 1e6, "iterations per substep"),
    WHOLE("substeps", "1", 1, 1e6, "substeps per step"),
    WHOLE("threads", "0", 0, 1024, "threads over bodies; 0: one per processor"),
    WORDS("joint", "block", "block|scalar|squared",
          "how a joint's three components are enforced: at once, one after the other, their norm "
          "alone"),
    NUMBER("bend_u", "1", 0, 1, "pbd: stiffness of bending about u, alpha_1 of the paper"),
    NUMBER("bend_v", "1", 0, 1, "pbd: stiffness of bending about v, alpha_2"),
    NUMBER("twist", "1", 0, 1, "pbd: stiffness of twist, alpha_3"),
    NUMBER("stretch", "1", 0, 1, "pbd: factor on the error of lengths; 1 in the paper"),
    WORDS("alpha", "given", "given|law",
          "pbd: stiffnesses of joints as given, or such that long waves have the scene's material"),
    WORDS("order", "interleaved", "interleaved|ends|sequential|random",
          "order of visits along a chain: 0, n-1, 2, n-3, ..; 0, n-1, 1, n-2, ..; 0, 1, 2, ..; a "
          "permutation for each iteration"),
    WORDS("ghosts", "published", "published|matched",
          "published: ghosts as heavy as inner points, the mean rest length away; matched: of "
          "ghost_mass, so far away that they have the twist inertia of the cross-section"),
    NUMBER("ghost_mass", "0.05", 1e-6, 0.9, "share of a segment's mass on its matched ghost"),
    WORDS("ghost_gravity", "redistributed", "redistributed|full|none",
          "weight of ghosts: on the nodes as far as these do not fall; on the ghosts; left out"),
    WORDS("clamp_ratio", "no", "no|yes", "keep the part of it on the ghosts in [0, 1]"),
    WORDS("material", "matched", "matched|viper|beam",
          "matched: stretch and bending by kz + kv - 4 kv^2/(kx + ky + 4 kv), twist by kx + ky; "
          "viper: bending by kz + kv; beam: twist by half of that"),
    WORDS("inextensible", "no", "no|yes", "xpbd: lengths without compliance"),
    WORDS("warm_start", "no", "no|yes",
          "xpbd: keep multipliers from substep to substep; unstable where it does not converge"),
};

static const char *const phases[UMETANI_PHASE_COUNT] = {"predict", "project", "update"};

static const vb_solver_description description = {
    .name = "umetani",
    .long_name = "position-based elastic rods of Umetani, Schmidt and Stam 2014",
    .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_SEGMENT) |
            SET(VB_SET_JOINT) | SET(VB_SET_PIN) | SET(VB_SET_DRIVER) | SET(VB_SET_LOAD) |
            SET(VB_SET_CURVE) | SET(VB_SET_KEY) | SET(VB_SET_PARENT) | SET(VB_SET_FOLLOW) |
            SET(VB_SET_ACTIVATION) | SET(VB_SET_REST_CURVATURE) | SET(VB_SET_BENDING) |
            SET(VB_SET_FRAME_PIN) | SET(VB_SET_FOLLOWER_LOAD) | SET(VB_SET_HALF_PLANE) |
            SET(VB_SET_CONTACT) | SET(VB_SET_FILTER) | SET(VB_SET_FRICTION) |
            SET(VB_SET_PLANE_DRIVER),
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

const vb_solver_description *umetani_describe(void) {
  return &description;
}
