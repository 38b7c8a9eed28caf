// SPDX-License-Identifier: GPL-3.0-or-later
/// Deformable bodies with articulated skeletons as a solver (see README.md).
#include "measures.h"

#include "base/text.h"
#include "solver/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The depth of a node, over the surface's mean edge, beyond which a run is warned of.
static const double deep = 0.1;

/// The residual that a step's iterations may leave without a warning: a twentieth of its forces.
static const double unbalanced = 0.05;
/// The greatest value of a link's rows, over the scene's size, that counts as none.
static const double apart = 1e-10;

static void read_mass(void *self, double *out) {
  const ar_body *body = &((articulated *)self)->stepper.body;
  memcpy(out, body->mass, body->n_nodes * sizeof *out);
}

static void read_vertices(void *self, double *out) {
  ar_skin_vertices(&((articulated *)self)->skin, ((articulated *)self)->stepper.x, out);
}

static void read_enclosed(void *self, double *out) {
  *out = ar_skin_volume(&((articulated *)self)->skin, ((articulated *)self)->stepper.x);
}

static size_t count_enclosed(const void *self, size_t n) {
  return ((const articulated *)self)->skin.n_triangles > 0 ? n : 0;
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "position of each node", .array = VB_ARRAY(stepper.x))         \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node", .array = VB_ARRAY(stepper.v))     \
  X("mass", VB_AT_NODE, 1, "kg",                                                                   \
    "lumped mass of the deforming tetrahedra at each node; that of a bone's nodes moves with it",  \
    .fill = read_mass)                                                                             \
  X("element_volume", VB_AT_TETRAHEDRON, 1, "m3", "current volume of each tetrahedron",            \
    .fill = ar_read_volumes)                                                                       \
  X("dilation", VB_AT_TETRAHEDRON, 1, "1", "current volume over rest volume of each tetrahedron",  \
    .fill = ar_read_dilations)                                                                     \
  X("deformation", VB_AT_TETRAHEDRON, 9, "1",                                                      \
    "deformation gradient F of each tetrahedron, row by row", .fill = ar_read_deformations)        \
  X("stress", VB_AT_TETRAHEDRON, 9, "Pa",                                                          \
    "first Piola stress of each tetrahedron, row by row; 0 inside a bone",                         \
    .fill = ar_read_stresses)                                                                      \
  X("volume", VB_AT_SCENE, 1, "m3", "current volume of all tetrahedra", .fill = ar_read_volume)    \
  X("dilation_range", VB_AT_SCENE, 2, "1", "least and greatest dilation of a tetrahedron",         \
    .fill = ar_read_dilation_range)                                                                \
  X("bone_position", VB_AT_BONE, 3, "m", "the scene's center of mass of each bone",                \
    .fill = ar_read_bone_position)                                                                 \
  X("bone_frame", VB_AT_BONE, 4, "1",                                                              \
    "turn of each bone from rest, a unit quaternion w, x, y, z whose sign is continued",           \
    .fill = ar_read_bone_frame)                                                                    \
  X("bone_velocity", VB_AT_BONE, 3, "m s-1", "velocity of that center",                            \
    .fill = ar_read_bone_velocity)                                                                 \
  X("bone_spin", VB_AT_BONE, 3, "rad s-1", "rotation vector of the latest step over its length",   \
    .fill = ar_read_bone_spin)                                                                     \
  X("bone_error", VB_AT_BONE, 1, "1", "largest entry of A^T A - I of each bone's linear map A",    \
    .fill = ar_read_bone_error)                                                                    \
  X("joint_error", VB_AT_LINK, 1, "m", "distance of the two points that a link keeps together",    \
    .fill = ar_read_joint_error)                                                                   \
  X("joint_force", VB_AT_LINK, 3, "N", "force of each link on its first bone, at its point",       \
    .fill = ar_read_joint_force)                                                                   \
  X("joint_angle", VB_AT_LINK, 1, "rad",                                                           \
    "angle of a hinge since rest, in (-pi, pi], of its first bone against its second side; 0 of "  \
    "others",                                                                                      \
    .fill = ar_read_joint_angle)                                                                   \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum", .fill = ar_read_momentum)           \
  X("angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin",          \
    .fill = ar_read_angular_momentum)                                                              \
  X("node_push", VB_AT_NODE, 3, "N",                                                               \
    "force of half-planes, colliders and other flesh on each node in the latest step",             \
    .array = VB_ARRAY(stepper.push))                                                               \
  X("penetration", VB_AT_SCENE, 1, "m",                                                            \
    "greatest depth of a node in a half-plane, collider or other flesh, 0 for none",               \
    .fill = ar_read_penetration)                                                                   \
  X("contact_missed", VB_AT_SCENE, 1, "m",                                                         \
    "by how much implicit contacts were missed in the last global step of the latest step",        \
    .number = VB_NUMBER(stepper.report.missed))                                                    \
  X("local_global", VB_AT_SCENE, 1, "1", "local and global steps of the latest step",              \
    .whole = VB_WHOLE(stepper.report.iterations))                                                  \
  X("joint_iterations", VB_AT_SCENE, 1, "1",                                                       \
    "the most iterations of a projection in the latest step",                                      \
    .whole = VB_WHOLE(stepper.report.joint_iterations))                                            \
  X("joint_gaps", VB_AT_SCENE, AR_GAPS, "m",                                                       \
    "greatest gap of a link after 1, 2, .. iterations of the latest step's first projection",      \
    .number = VB_NUMBER(stepper.report.gaps))                                                      \
  X("objective", VB_AT_SCENE, 1, "J", "what the latest step minimized, at its end",                \
    .number = VB_NUMBER(stepper.report.objective))                                                 \
  X("objective_rise", VB_AT_SCENE, 1, "J",                                                         \
    "the largest rise of the objective from one iteration of the latest step to the next",         \
    .number = VB_NUMBER(stepper.report.rise))                                                      \
  X("vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that tetrahedra carry",             \
    .fill = read_vertices)                                                                         \
  X("enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses",                  \
    .fill = read_enclosed, .count = count_enclosed)

#define OPTIONS(X)                                                                                 \
  X("projection", "consistent", "consistent|published", 0, 0, false, false,                        \
    "consistent: bones are projected with the weight of the global matrix, and flesh follows, "    \
    "which gives the minimum; published: with their mass, and flesh is not moved",                 \
    SECOND, settings.published)                                                                    \
  X("bones", "exact", "exact|stiff|shape|free", 0, 0, false, false,                                \
    "exact: rigid; stiff: their tetrahedra with Young's modulus times ratio, no links; shape: "    \
    "springs pull their nodes to a rigid shape, no links; free: rigid, no links",                  \
    WORD, choice.bones)                                                                            \
  X("bone_tetrahedra", "left_out", "left_out|kept", 0, 0, false, false,                            \
    "kept: tetrahedra inside of bones stay in the global matrix, which slows convergence", SECOND, \
    choice.keep)                                                                                   \
  X("material", "corotated", "corotated|arap", 0, 0, false, false,                                 \
    "corotated: linear elasticity in rotated axes; arap: the same without volumetric part",        \
    SECOND, choice.arap)                                                                           \
  X("iterations", "20", NULL, 1, 1e6, true, true, "maximum number of local and global steps",      \
    WHOLE, settings.iterations)                                                                    \
  X("tolerance", "1e-8", NULL, 0, 1, false, true,                                                  \
    "relative residual at which a step ends (published: displacement over the scene's size); 0: "  \
    "never early",                                                                                 \
    NUMBER, settings.tolerance)                                                                    \
  X("joint_iterations", "100", NULL, 1, 1e6, true, true,                                           \
    "maximum number of iterations of a projection", WHOLE, settings.joint_iterations)              \
  X("joint_stop", "both", "both|feasible", 0, 0, false, true,                                      \
    "both: a projection ends when links hold and it has converged; feasible: when links hold",     \
    SECOND, settings.feasible)                                                                     \
  X("inner", "newton", "newton|gauss_newton", 0, 0, false, true,                                   \
    "projections with the curvature of rotations and links, or without it, as published", SECOND,  \
    settings.gauss_newton)                                                                         \
  X("acceleration", "none", "none|anderson", 0, 0, false, false,                                   \
    "anderson: accelerates iterations without active contacts or hinge limits; for stiff flesh "   \
    "and long steps",                                                                              \
    SECOND, settings.accelerated)                                                                  \
  X("guess", "previous", "previous|prediction", 0, 0, false, true,                                 \
    "initial guess of a step: the old state, or the prediction with rigid bones", SECOND,          \
    settings.prediction)                                                                           \
  X("ratio", "1e4", NULL, 1e-6, 1e12, false, false, "of bones=stiff", NUMBER, choice.ratio)        \
  X("weight", "1e6", NULL, 0, 1e15, false, false, "of bones=shape, of each spring, N/m", NUMBER,   \
    settings.spring)                                                                               \
  X("contact", "implicit", "implicit|explicit", 0, 0, false, false,                                \
    "implicit: nodes are outside of obstacles and other flesh at the end of a step, with "         \
    "friction; explicit: as published, forces at the beginning of a step, without friction",       \
    SECOND, settings.explicit_contact)                                                             \
  X("contact_stiffness", "0", NULL, 0, 1e15, false, false,                                         \
    "of contact=explicit: kc at surface nodes and at nodes inside other flesh, N/m, less than "    \
    "the node's mass over the square of the step; 0: half of this bound for the lightest node",    \
    NUMBER, settings.contact)                                                                      \
  X("threads", "0", NULL, 0, 1024, true, true, "threads; 0: one per processor", THREADS,           \
    settings.threads)

VB_TABLES(articulated, FIELDS, AR_ENERGIES, OPTIONS)

static const char *const phases[AR_TIMER_COUNT] = {"local",   "solve",    "project",
                                                   "contact", "assemble", "factorize"};

static const vb_solver_description description = {
    .name = "articulated",
    .long_name = "deformable bodies with articulated skeletons (Li, Liu, Kavan 2019)",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(PIN) |
            VB_TAG_BIT(DRIVER) | VB_TAG_BIT(LOAD) | VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) |
            VB_TAG_BIT(TETRAHEDRON) | VB_TAG_BIT(PARENT) | VB_TAG_BIT(FOLLOW) | VB_TAG_BIT(BONE) |
            VB_TAG_BIT(TIE) | VB_TAG_BIT(LINK) | VB_TAG_BIT(HALF_PLANE) | VB_TAG_BIT(PLANE_DRIVER) |
            VB_TAG_BIT(COLLIDER) | VB_TAG_BIT(CONTACT) | VB_TAG_BIT(SURFACE_VERTEX) |
            VB_TAG_BIT(TRIANGLE),
    VB_LISTS,
    .phases = phases,
    .n_phases = AR_TIMER_COUNT,
    .has_residual = true,
    .has_reactions = true,
};

static void clear(void *self) {
  articulated *s = self;
  ar_stepper_clear(&s->stepper);
  ar_skin_clear(&s->skin);
}

static vb_status build(void *self, vb_error *error) {
  articulated *s = self;
  if (s->settings.accelerated && s->settings.published)
    return vb_bad_input(error, "acceleration=anderson needs projection=consistent: with the "
                               "published projection no objective decreases in every iteration");
  vb_status status = ar_skin_create(s->base.scene, &s->skin, error);
  return status ? status
                : ar_stepper_create(s->base.scene, &s->choice, &s->settings, &s->stepper, error);
}

static vb_status set(void *self, vb_error *error) {
  (void)error;
  ar_stepper_set(&((articulated *)self)->stepper, &((articulated *)self)->settings);
  return VB_OK;
}

static bool has_default_tolerance(const articulated *s) {
  const vb_option_info *option = vb_description_option(s->base.parts->about, "tolerance");
  return s->settings.tolerance == strtod(option->default_value, NULL);
}

/// Remembers the step that its iterations left furthest from its end.
static void note_residual(articulated *s) {
  const ar_report *r = &s->stepper.report;
  int n = s->settings.iterations - s->settings.iterations / 2;
  if (s->settings.published || r->iterations < s->settings.iterations || r->residual <= s->left)
    return;
  s->left = r->residual;
  s->factor = r->half_residual > 0 ? pow(r->residual / r->half_residual, 1.0 / n) : 1;
}

static vb_status step(void *self, vb_error *error) {
  articulated *s = self;
  const ar_report *report = &s->stepper.report;
  vb_status status = ar_stepper_step(&s->stepper, error);
  s->incomplete = s->incomplete || report->joint_iterations >= s->settings.joint_iterations;
  s->deepest = fmax(s->deepest, report->depth);
  note_residual(s);
  if (status)
    return status;
  if (!report->finite)
    vb_instance_note_divergence(&s->base, "the objective is not finite");
  // Links hold exactly, whatever the tolerance; but for published inner iterations, which may not.
  else if (report->gap > apart && !s->settings.gauss_newton && !s->settings.feasible)
    vb_instance_note_convergence(&s->base, false, report->gap, apart);
  // Local and global steps converge linearly and are ended by their number, as in the paper; only
  // another tolerance than the default one asks whether it is met. That is told by its value alone:
  // instances with the same values take the same steps.
  else if (s->settings.tolerance > 0 && !has_default_tolerance(s))
    vb_instance_note_convergence(&s->base, report->converged, report->residual,
                                 s->settings.tolerance);
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  articulated *s = self;
  VB_CARRY_ONE(copy, s->stepper.report);
  VB_CARRY(copy, s->stepper.x, s->stepper.n_saved);
}

static void derive(void *self) {
  articulated *s = self;
  s->stepper.n_steps = s->base.n_steps;
  ar_stepper_derive(&s->stepper);
}

static void reactions(void *self, double *force, double *torque) {
  const ar_stepper *t = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(t->scene, VB_SET_DRIVER);
  ar_motion motion = {.time = vb_instance_time(self),
                      .bones = t->pose,
                      .x = t->x,
                      .pull = t->pull,
                      .joint = t->joint};
  ar_boundary_reactions(&t->boundary, &t->links, &motion, force, torque);
  for (size_t i = 0; i < 3 * n; i++) {
    force[i] += t->pushed[6 * (i / 3) + i % 3];
    torque[i] += t->pushed[6 * (i / 3) + 3 + i % 3];
  }
}

static const char *warning(void *self) {
  articulated *s = self;
  const ar_contact *contact = &s->stepper.contact;
  s->warning[0] = 0;
  if (s->incomplete)
    vb_text_add(s->warning, sizeof s->warning,
                "%sa projection reached joint_iterations=%d before it converged; joint_error is "
                "the remaining error of links",
                s->warning[0] ? "; " : "", s->settings.joint_iterations);
  if (contact->n > 0 && contact->stiffness > contact->bound)
    vb_text_add(s->warning, sizeof s->warning,
                "%scontact_stiffness is %.4g N/m; explicit forces may be unstable beyond %.4g, the "
                "smallest mass of a surface node over the square of the step",
                s->warning[0] ? "; " : "", contact->stiffness, contact->bound);
  if (contact->n > 0 && s->deepest > deep * contact->cell)
    vb_text_add(s->warning, sizeof s->warning,
                "%sa node was %.3g m deep in an obstacle or other flesh at the end of a step, more "
                "than a tenth of the mean edge of %.3g m",
                s->warning[0] ? "; " : "", s->deepest, contact->cell);
  if (s->left > unbalanced)
    vb_text_add(s->warning, sizeof s->warning,
                "%sa step ended with a residual of %.2g after %d iterations; each of the last ones "
                "multiplied it by %.3g, as with stiff flesh or long steps; %s",
                s->warning[0] ? "; " : "", s->left, s->settings.iterations, s->factor,
                s->factor >= 1 ? "more iterations would not help"
                : s->settings.accelerated
                    ? "more iterations or a shorter step would help"
                    : "more iterations, acceleration=anderson or a shorter step would help");
  return s->warning[0] ? s->warning : NULL;
}

static const vb_solver_parts parts = {
    .bytes = sizeof(articulated),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.fill = ar_read_energies},
    .work = {.array = VB_ARRAY(stepper.work)},
    .timer = {.number = VB_NUMBER(stepper.timer)},
    .residual = {.number = VB_NUMBER(stepper.report.residual)},
    .build = build,
    .clear = clear,
    .set = set,
    .step = step,
    .carry = carry,
    .derive = derive,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(articulated, parts, .warning = warning, .convergence = vb_instance_convergence);
