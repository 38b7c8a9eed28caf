// SPDX-License-Identifier: GPL-3.0-or-later
/// Elastic rods whose radius is an output: stretch, bend and twist of a center line with frames, by
/// implicit Euler; after each step a segment's scale follows from its length, so that it keeps its
/// volume (the radius update of Bergou et al. 2010, "Discrete viscous threads", that the VIPER
/// paper compares with in its appendix E). See README.md in this folder.
#include "base/blas.h"
#include "reference/bergou/element.h"
#include "reference/bergou/step.h"
#include "scene/rotation.h"
#include "solver/instance.h"

#include <math.h>
#include <string.h>

/// An instance of the solver.
typedef struct bergou {
  vb_instance base;
  bergou_rods *rods;
  bergou_state state;
  bergou_scratch scratch;
  bergou_settings settings;
  bool plain;    ///< whether kz is the scene's, not what kz and kv come to under a slow pull
  bool feedback; ///< whether the updated radius enters stiffness and inertia
  double timer[BERGOU_PHASE_COUNT];
} bergou;

static void read_volume(void *self, double *out) {
  const bergou *b = self;
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const bergou_segment *s = &b->rods->segment[j];
    double r = s->radius * b->state.segment_scale[j];
    out[j] = M_PI * r * r *
             vb_distance(b->state.position + 3 * s->node[0], b->state.position + 3 * s->node[1]);
  }
}

static void read_momentum(void *self, double *out) {
  const bergou *b = self;
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < b->rods->n_nodes; i++)
    for (size_t k = 0; k < 3; k++)
      out[k] += b->rods->node[i].mass * b->state.velocity[3 * i + k];
}

static void read_mass(void *self, double *out) {
  const bergou *b = self;
  for (size_t i = 0; i < b->rods->n_nodes; i++)
    out[i] = b->rods->node[i].mass;
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "center of each node", .array = VB_ARRAY(state.position))      \
  X("scale", VB_AT_NODE, 1, "1",                                                                   \
    "radius over rest radius: the mean of its segments' scales, by rest length. An output: pins "  \
    "of scales and scale forces act on nothing",                                                   \
    .array = VB_ARRAY(state.scale))                                                                \
  X("frame", VB_AT_SEGMENT, 4, "1", "frame of each segment as a unit quaternion (w, x, y, z)",     \
    .array = VB_ARRAY(state.frame))                                                                \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each center",                                 \
    .array = VB_ARRAY(state.velocity))                                                             \
  X("angular_velocity", VB_AT_SEGMENT, 3, "rad s-1", "angular velocity of each frame, world axes", \
    .array = VB_ARRAY(state.angular_velocity))                                                     \
  X("segment_scale", VB_AT_SEGMENT, 1, "1",                                                        \
    "radius of each segment over its rest radius: the root of its rest length over its length",    \
    .array = VB_ARRAY(state.segment_scale))                                                        \
  X("segment_volume", VB_AT_SEGMENT, 1, "m3", "volume of each segment as a cylinder",              \
    .fill = read_volume)                                                                           \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum", .fill = read_momentum)              \
  X("mass", VB_AT_NODE, 1, "kg", "lumped mass of each node", .fill = read_mass)

#define ENERGIES(X)                                                                                \
  X(STRETCH, "stretch", "of the center line against the frame's axis", true)                       \
  X(BEND, "bend", "of bending", true)                                                              \
  X(TWIST, "twist", "of torsion", true)                                                            \
  X(KINETIC, "kinetic", "of centers and frames", false)                                            \
  X(GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)

#define OPTIONS(X)                                                                                 \
  X("stiffness", "matched", "matched|plain", 0, 0, false, false,                                   \
    "kz in stretch and bend. matched: kz + kv - 4 kv^2/(kx + ky + 4 kv), the stiffness of "        \
    "VIPER's rod under a slow pull; plain: kz of the scene",                                       \
    SECOND, plain)                                                                                 \
  X("feedback", "none", "none|section", 0, 0, false, false,                                        \
    "none: the radius is an output; section: the updated radius enters the next step's stiffness " \
    "and inertia",                                                                                 \
    SECOND, feedback)                                                                              \
  X("threads", "0", NULL, 0, 1024, true, true, "threads over bodies; 0: one per processor",        \
    THREADS, settings.threads)                                                                     \
  X("iterations", "50", NULL, 1, 1e6, true, true,                                                  \
    "maximum number of Newton iterations per substep", WHOLE, settings.iterations)                 \
  X("substeps", "1", NULL, 1, 1e6, true, true, "substeps per step", WHOLE, settings.substeps)      \
  X("tolerance", "1e-10", NULL, 0, 1, false, true,                                                 \
    "residual at which a substep ends; it also ends at rounding errors", NUMBER,                   \
    settings.tolerance)

enum { ENERGIES(VB_ENERGY_INDEX) N_ENERGIES };

VB_TABLES(bergou, FIELDS, ENERGIES, OPTIONS)

static const char *const phases[BERGOU_PHASE_COUNT] = {"predict", "solve", "update"};

static const vb_solver_description description = {
    VB_LISTS,
    .name = "bergou",
    .long_name = "elastic rods with the radius update of Bergou et al. 2010",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(SEGMENT) |
            VB_TAG_BIT(JOINT) | VB_TAG_BIT(PIN) | VB_TAG_BIT(DRIVER) | VB_TAG_BIT(LOAD) |
            VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) | VB_TAG_BIT(PARENT) | VB_TAG_BIT(ACTIVATION) |
            VB_TAG_BIT(REST_CURVATURE) | VB_TAG_BIT(BENDING),
    .features = VB_FEATURE_SOLID,
    .phases = phases,
    .n_phases = BERGOU_PHASE_COUNT,
    .has_residual = true,
    .has_reactions = true,
};

static void add_elastic(const bergou *b, double *out) {
  bergou_element e;
  const double *x = b->state.position, *q = b->state.frame;
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const bergou_segment *s = &b->rods->segment[j];
    bergou_stretch(s, b->state.active[j], x + 3 * s->node[0], x + 3 * s->node[1], q + 4 * j,
                   BERGOU_CONVEX, &e);
    out[STRETCH] += e.energy[0];
  }
  for (size_t t = 0; t < b->rods->n_joints; t++) {
    const bergou_joint *joint = &b->rods->joint[t];
    bergou_turn(joint, q + 4 * joint->segment[0], q + 4 * joint->segment[1], BERGOU_CONVEX, &e);
    out[BEND] += e.energy[0];
    out[TWIST] += e.energy[1];
  }
}

static void read_energies(void *self, double *out) {
  const bergou *b = self;
  const double *g = vb_scene_world(b->base.scene)->gravity;
  memset(out, 0, N_ENERGIES * sizeof *out);
  add_elastic(b, out);
  for (size_t i = 0; i < b->rods->n_nodes; i++) {
    const double *v = b->state.velocity + 3 * i, m = b->rods->node[i].mass;
    out[KINETIC] += 0.5 * m * vb_dot(v, v);
    out[GRAVITY] -= m * vb_dot(g, b->state.position + 3 * i);
  }
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const double *v = b->state.angular_velocity + 3 * j;
    double w[3];
    vb_frame_axis(b->state.frame + 4 * j, 2, w);
    double along = vb_dot(w, v);
    out[KINETIC] += 0.5 * b->rods->segment[j].inertia * (vb_dot(v, v) + along * along);
  }
}

/// Lets the sections be those of the state's radii, for its energies and the next step.
static void follow_sections(void *self) {
  bergou *b = self;
  if (b->feedback)
    bergou_rods_follow(b->rods, b->state.segment_scale);
}

static vb_status check(const vb_scene *scene, vb_error *error) {
  vb_status status = bergou_check_topology(scene, error);
  return status ? status : bergou_check_activations(scene, error);
}

static vb_status build(void *self, vb_error *error) {
  bergou *b = self;
  vb_blas_use_one_thread();
  vb_status status = bergou_rods_create(b->base.scene, !b->plain, &b->rods, error);
  if (!status)
    status = bergou_state_create(b->rods, &b->state, error);
  if (!status)
    status = bergou_scratch_create(b->rods, &b->scratch, error);
  if (!status) {
    bergou_start(b->rods, &b->state);
    follow_sections(b);
  }
  return status;
}

static void clear(void *self) {
  bergou *b = self;
  bergou_state_free(&b->state);
  bergou_scratch_free(&b->scratch);
  bergou_rods_destroy(b->rods);
}

static vb_status step(void *self, vb_error *error) {
  (void)error;
  bergou *b = self;
  bergou_outcome outcome =
      bergou_step(b->rods, &b->settings, vb_instance_time(&b->base),
                  vb_scene_world(b->base.scene)->step, &b->state, &b->scratch, b->timer);
  follow_sections(b);
  int64_t problem = bergou_check_state(b->rods, &b->state);
  if (b->settings.tolerance > 0)
    vb_instance_note_convergence(&b->base, outcome.converged, outcome.residual,
                                 b->settings.tolerance);
  if (problem >= 0)
    vb_instance_note_divergence(
        &b->base, "segment %lld has no length, or its values are not finite", (long long)problem);
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  bergou *b = self;
  VB_CARRY(copy, b->state.position, b->state.n_doubles);
}

/// Adds what one pin exerts to the force and torque about `center`.
static void add_reaction(const bergou *b, const vb_pin *pin, const double center[3],
                         double force[3], double torque[3]) {
  int32_t i = pin->index;
  double f[3], arm[3], moment[3];
  if (pin->location == VB_AT_SEGMENT) {
    vb_quaternion_rotate(b->state.frame + 4 * i, b->state.gradient + b->rods->segment[i].at,
                         moment);
  } else {
    for (int k = 0; k < 3; k++) {
      f[k] = pin->mask >> k & 1 ? b->state.gradient[b->rods->node[i].at + k] : 0;
      arm[k] = b->state.position[3 * i + k] - center[k];
      force[k] += f[k];
    }
    vb_cross(arm, f, moment);
  }
  for (int k = 0; k < 3; k++)
    torque[k] += moment[k];
}

static void reactions(void *self, double *force, double *torque) {
  const bergou *b = self;
  size_t n_drivers, n_pins;
  const vb_driver *driver = vb_scene_drivers(b->base.scene, &n_drivers);
  const vb_pin *pin = vb_scene_pins(b->base.scene, &n_pins);
  for (size_t m = 0; m < n_pins; m++) {
    double q[4], shift[3], center[3];
    vb_driver_motion(b->base.scene, pin[m].driver, vb_instance_time(&b->base), q, shift);
    vb_rigid_move(q, shift, driver[pin[m].driver].origin, center);
    add_reaction(b, &pin[m], center, force + 3 * pin[m].driver, torque + 3 * pin[m].driver);
  }
}

static const vb_solver_parts parts = {
    .bytes = sizeof(bergou),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.fill = read_energies},
    .work = {.array = VB_ARRAY(state.work)},
    .timer = {.number = VB_NUMBER(timer)},
    .residual = {.array = VB_ARRAY(state.residual)},
    .check = check,
    .build = build,
    .clear = clear,
    .step = step,
    .carry = carry,
    .derive = follow_sections,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(bergou, parts, .convergence = vb_instance_convergence);
