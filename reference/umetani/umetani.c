// SPDX-License-Identifier: GPL-3.0-or-later
/// Position-based elastic rods (N. Umetani, R. Schmidt, J. Stam 2014): points along the rod, and
/// ghost points beside it that show how its cross-sections are turned. See README.md in this
/// folder.
#include "reference/umetani/boundary.h"
#include "reference/umetani/measure.h"

#include <math.h>
#include <stdio.h>

static void read_penetration(void *self, double *out) {
  *out = ((umetani *)self)->state.touching[1];
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "center of each node", .fill = umetani_read_position)          \
  X("scale", VB_AT_NODE, 1, "1", "always 1: these rods have no scales",                            \
    .fill = umetani_read_scale)                                                                    \
  X("frame", VB_AT_SEGMENT, 4, "1",                                                                \
    "frame of each segment as a unit quaternion (w, x, y, z): u toward the ghost point, w along "  \
    "the segment",                                                                                 \
    .fill = umetani_read_frame)                                                                    \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center", .fill = umetani_read_velocity)  \
  X("angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes", \
    .fill = umetani_read_angular_velocity)                                                         \
  X("mass", VB_AT_NODE, 1, "kg", "lumped mass of each node, with half of the ghosts' beside it",   \
    .fill = umetani_read_mass)                                                                     \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum of points and ghosts",                \
    .fill = umetani_read_momentum)                                                                 \
  X("ghost", VB_AT_SEGMENT, 3, "m", "ghost point of each segment", .fill = umetani_read_ghost)     \
  X("darboux", VB_AT_JOINT, 3, "m-1",                                                              \
    "Darboux vector of each joint about u, v, w: 2/lb tan(angle/2) axis",                          \
    .fill = umetani_read_darboux)                                                                  \
  X("gravity_ratio", VB_AT_SEGMENT, 1, "1",                                                        \
    "part of gravity in the acceleration of each segment's middle: what stays on its ghost",       \
    .fill = umetani_read_gravity_ratio)                                                            \
  X("constraint_error", VB_AT_SCENE, 4, "1",                                                       \
    "greatest error of lengths over L, of bisectors over L Lg, of ghosts' distances over Lg, of "  \
    "held frames times L",                                                                         \
    .fill = umetani_read_constraint_error)                                                         \
  X("contacts", VB_AT_SCENE, 1, "1", "contacts that push, of pills and on half-planes",            \
    .array = VB_ARRAY(state.touching))                                                             \
  X("penetration", VB_AT_SCENE, 1, "m", "how deep a pill is in another or a node in a half-plane", \
    .fill = read_penetration)                                                                      \
  X("attachment_error", VB_AT_SEGMENT, 1, "m",                                                     \
    "distance of the end of a segment that is clamped in a triangle from its place; else 0",       \
    .fill = umetani_read_attachment_error)

#define OPTIONS(X)                                                                                 \
  X("method", "pbd", "pbd|xpbd", 0, 0, false, false,                                               \
    "pbd: as published, with a stiffness that depends on iterations, step, lengths and masses; "   \
    "xpbd: with multipliers and the stiffness of the scene's material",                            \
    SECOND, settings.law.xpbd)                                                                     \
  X("iterations", "10", NULL, 1, 1e6, true, true, "iterations per substep", WHOLE,                 \
    settings.iterations)                                                                           \
  X("substeps", "1", NULL, 1, 1e6, true, true, "substeps per step", WHOLE, settings.substeps)      \
  X("threads", "0", NULL, 0, 1024, true, true, "threads over bodies; 0: one per processor",        \
    THREADS, settings.threads)                                                                     \
  X("joint", "block", "block|scalar|squared", 0, 0, false, false,                                  \
    "solution of a joint's three components: together, one after the other, or only their norm",   \
    WORD, settings.law.grouping)                                                                   \
  X("bend_u", "1", NULL, 0, 1, false, false,                                                       \
    "pbd: stiffness of bending about u, alpha_1 of the paper", NUMBER, settings.law.alpha[0])      \
  X("bend_v", "1", NULL, 0, 1, false, false, "pbd: stiffness of bending about v, alpha_2", NUMBER, \
    settings.law.alpha[1])                                                                         \
  X("twist", "1", NULL, 0, 1, false, false, "pbd: stiffness of twist, alpha_3", NUMBER,            \
    settings.law.alpha[2])                                                                         \
  X("stretch", "1", NULL, 0, 1, false, false,                                                      \
    "pbd: factor on the error of lengths; 1 in the paper", NUMBER, settings.law.stretch)           \
  X("alpha", "given", "given|law", 0, 0, false, false,                                             \
    "pbd: stiffnesses of joints as given, or such that long waves have the material's stiffness",  \
    SECOND, settings.by_stiffness)                                                                 \
  X("order", "interleaved", "interleaved|ends|sequential|random", 0, 0, false, false,              \
    "order of projections along a chain: 0, n-1, 2, n-3, ..; 0, n-1, 1, n-2, ..; 0, 1, 2, ..; a "  \
    "random permutation per iteration",                                                            \
    WORD, settings.order)                                                                          \
  X("ghosts", "published", "published|matched", 0, 0, false, false,                                \
    "published: ghosts as heavy as inner points, at a distance of the mean rest length; matched: " \
    "of ghost_mass, at the distance that gives the twist inertia of the cross-section",            \
    SECOND, settings.choice.matched)                                                               \
  X("ghost_mass", "0.05", NULL, 1e-6, 0.9, false, false,                                           \
    "share of a segment's mass on its matched ghost", NUMBER, settings.choice.ghost_mass)          \
  X("ghost_gravity", "redistributed", "redistributed|full|none", 0, 0, false, false,               \
    "weight of ghosts: on the nodes, as far as they do not fall; on the ghosts; omitted", WORD,    \
    settings.gravity)                                                                              \
  X("clamp_ratio", "no", "no|yes", 0, 0, false, false,                                             \
    "clamp the part of it on the ghosts to [0, 1]", SECOND, settings.clamp_ratio)                  \
  X("material", "matched", "matched|viper|beam", 0, 0, false, false,                               \
    "matched: stretch and bending by kz + kv - 4 kv^2/(kx + ky + 4 kv), twist by kx + ky; "        \
    "viper: bending by kz + kv; beam: twist by half of that",                                      \
    WORD, settings.choice.material)                                                                \
  X("inextensible", "no", "no|yes", 0, 0, false, false, "xpbd: lengths have no compliance",        \
    SECOND, settings.law.inextensible)                                                             \
  X("warm_start", "no", "no|yes", 0, 0, false, false,                                              \
    "xpbd: keep multipliers from substep to substep; unstable without convergence", SECOND,        \
    settings.warm_start)

VB_TABLES(umetani, FIELDS, UMETANI_ENERGIES, OPTIONS)

static const char *const phases[UMETANI_PHASE_COUNT] = {"predict", "project", "update"};

static const vb_solver_description description = {
    .name = "umetani",
    .long_name = "position-based elastic rods of Umetani, Schmidt and Stam 2014",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(SEGMENT) |
            VB_TAG_BIT(JOINT) | VB_TAG_BIT(PIN) | VB_TAG_BIT(DRIVER) | VB_TAG_BIT(LOAD) |
            VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) | VB_TAG_BIT(PARENT) | VB_TAG_BIT(FOLLOW) |
            VB_TAG_BIT(ACTIVATION) | VB_TAG_BIT(REST_CURVATURE) | VB_TAG_BIT(BENDING) |
            VB_TAG_BIT(FRAME_PIN) | VB_TAG_BIT(FOLLOWER_LOAD) | VB_TAG_BIT(HALF_PLANE) |
            VB_TAG_BIT(CONTACT) | VB_TAG_BIT(FILTER) | VB_TAG_BIT(FRICTION) |
            VB_TAG_BIT(PLANE_DRIVER) | VB_TAG_BIT(COLLIDER) | VB_TAG_BIT(ATTACHMENT),
    VB_LISTS,
    .features = VB_FEATURE_SOLID,
    .phases = phases,
    .n_phases = UMETANI_PHASE_COUNT,
    .has_residual = true,
    .has_reactions = true,
};

static void clear(void *self) {
  umetani *u = self;
  umetani_state_free(&u->state);
  umetani_scratch_free(&u->scratch);
  umetani_rods_destroy(u->rods);
}

static vb_status build(void *self, vb_error *error) {
  umetani *u = self;
  vb_status status = umetani_rods_create(u->base.scene, &u->settings.choice, &u->rods, error);
  if (!status)
    status = umetani_state_create(u->rods, &u->state, error);
  if (!status)
    status = umetani_scratch_create(u->rods, &u->scratch, error);
  if (status)
    return status;
  umetani_start(u->rods, &u->state);
  umetani_activate(u->rods, 0, &u->state);
  memset(u->state.work, 0, vb_work_count(u->base.scene) * sizeof *u->state.work);
  umetani_order_elements(u->rods, u->settings.order, &u->scratch);
  return VB_OK;
}

static vb_status step(void *self, vb_error *error) {
  umetani *u = self;
  if (!umetani_step(u->rods, &u->settings, vb_instance_time(&u->base),
                    vb_scene_world(u->base.scene)->step, &u->state, &u->scratch, u->timer))
    return vb_error_memory(error);
  int64_t problem = umetani_check_state(u->rods, &u->state);
  if (problem >= 0)
    vb_instance_note_divergence(
        &u->base, "point %lld is not finite, or farther away than 1e6 times the scene's size",
        (long long)problem);
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  umetani *u = self;
  VB_CARRY(copy, (double *)u->state.x, u->state.n_doubles);
}

static void reactions(void *self, double *force, double *torque) {
  const umetani *u = self;
  umetani_reactions(u->rods, &u->state, (double(*)[3])(void *)force, (double(*)[3])(void *)torque);
}

/// Iterations from which on a warm start comes to rest with substeps of `h`: 1.4 R for bending
/// (README.md), and as many as a chain has edges, so that tension has passed along it.
static double find_warm_iterations(const umetani_rods *rods, double h) {
  double most = 0;
  for (size_t c = 0; c < rods->n_chains; c++) {
    const umetani_chain *chain = &rods->chain[c];
    most = fmax(most, chain->n_edges);
    for (int32_t t = chain->first_joint; t < chain->first_joint + chain->n_joints; t++) {
      const umetani_joint *joint = &rods->joint[t];
      const double k = fmax(joint->k[0], joint->k[1]), l = joint->lb;
      most = fmax(most, 1.4 * 6 * k * h * h / (rods->mass[joint->point[1]] * l * l * l));
    }
  }
  return ceil(most);
}

static const char *warn_of_alphas(umetani *u) {
  double share = umetani_set_alphas(u->rods, &u->settings, *u->state.h, u->scratch.alpha);
  if (share == 0)
    return NULL;
  snprintf(
      u->warning, sizeof u->warning,
      "the rods are too soft: %.3g %% of the joints' components would need an alpha above 1 to "
      "have the scene's material",
      100 * share);
  return u->warning;
}

static const char *warn_of_trembling(umetani *u) {
  double least = find_warm_iterations(u->rods, *u->state.h);
  if (u->settings.iterations >= least)
    return NULL;
  snprintf(u->warning, sizeof u->warning,
           "with warm_start rods may oscillate and not come to rest with fewer than %.0f "
           "iterations per substep; there are %d",
           least, u->settings.iterations);
  return u->warning;
}

static const char *warning(void *self) {
  umetani *u = self;
  const umetani_settings *s = &u->settings;
  if (!(*u->state.h > 0))
    return NULL;
  if (s->law.xpbd)
    return s->warm_start ? warn_of_trembling(u) : NULL;
  return s->by_stiffness ? warn_of_alphas(u) : NULL;
}

static const vb_solver_parts parts = {
    .bytes = sizeof(umetani),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.fill = umetani_read_energies},
    .work = {.array = VB_ARRAY(state.work)},
    .timer = {.number = VB_NUMBER(timer)},
    .residual = {.read = umetani_read_residual},
    .build = build,
    .clear = clear,
    .step = step,
    .carry = carry,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(umetani, parts, .warning = warning);
