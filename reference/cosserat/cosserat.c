// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver cosserat: equilibria of geometrically exact rods with shear and extension by finite
/// elements. Each step ends in the equilibrium under the loads and drivers at its end; there is no
/// inertia. See README.md in this folder.
#include "base/blas.h"
#include "base/clock.h"
#include "reference/cosserat/bodies.h"
#include "scene/rotation.h"
#include "solver/instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cosserat {
  vb_instance base;
  cosserat_bodies bodies;
  double *work;        ///< drivers, then loads
  double (*before)[3]; ///< where nodes were before an increment
  double (*frame)[4];  ///< frames of segments then
  double (*push)[6];   ///< force and torque of each pin then
  double *kept;        ///< positions and frames of all nodes of chains then
  int dynamics;        ///< static, which is all there is
  int iterations, increments;
  double tolerance;
  double residual[1];
  double timer[1];
} cosserat;

static void read_position(void *self, double *out) {
  const cosserat *c = self;
  for (size_t i = 0; i < c->bodies.n_nodes; i++) {
    const cosserat_address *at = &c->bodies.node[i];
    memcpy(out + 3 * i, c->bodies.chain[at->chain].position[at->node], 3 * sizeof *out);
  }
}

static void read_frame(void *self, double *out) {
  const cosserat *c = self;
  for (size_t j = 0; j < c->bodies.n_segments; j++)
    cosserat_bodies_frame(&c->bodies, j, out + 4 * j);
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "center of each node", .fill = read_position)                  \
  X("frame", VB_AT_SEGMENT, 4, "1",                                                                \
    "frame of each segment, at its middle, as a unit quaternion (w, x, y, z)", .fill = read_frame)

#define ENERGIES(X)                                                                                \
  X(STRETCH, "stretch", "of stretch and shear", true)                                              \
  X(BEND, "bend", "of bending", true)                                                              \
  X(TWIST, "twist", "of torsion", true)                                                            \
  X(KINETIC, "kinetic", "of motion: 0 in statics", false)                                          \
  X(GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)

#define OPTIONS(X)                                                                                 \
  X("dynamics", "static", "static", 0, 0, false, false,                                            \
    "static: each step ends in the equilibrium under the loads at its end", WORD, dynamics)        \
  X("iterations", "15", NULL, 1, 1e6, true, true,                                                  \
    "maximum number of Newton iterations per increment; if more are needed, it is halved", WHOLE,  \
    iterations)                                                                                    \
  X("increments", "1", NULL, 1, 1e6, true, true, "number of load increments per step", WHOLE,      \
    increments)                                                                                    \
  X("tolerance", "1e-11", NULL, 0, 1, false, true,                                                 \
    "maximum unbalanced fraction of all forces at the end of an increment", NUMBER, tolerance)

enum { ENERGIES(VB_ENERGY_INDEX) N_ENERGIES };

VB_TABLES(cosserat, FIELDS, ENERGIES, OPTIONS)

static const char *const phases[] = {"solve"};

static const vb_solver_description description = {
    VB_LISTS,
    .name = "cosserat",
    .long_name = "equilibria of geometrically exact rods with shear and extension, by elements",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(SEGMENT) |
            VB_TAG_BIT(JOINT) | VB_TAG_BIT(PIN) | VB_TAG_BIT(DRIVER) | VB_TAG_BIT(LOAD) |
            VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) | VB_TAG_BIT(PARENT) | VB_TAG_BIT(REST_CURVATURE) |
            VB_TAG_BIT(BENDING),
    .features = VB_FEATURE_SOLID | VB_FEATURE_FRAME_INERTIA,
    .phases = phases,
    .n_phases = 1,
    .has_residual = true,
    .has_reactions = true,
};

static void read_energies(void *self, double *out) {
  const cosserat *c = self;
  memset(out, 0, N_ENERGIES * sizeof *out);
  for (size_t b = 0; b < c->bodies.n_chains; b++) {
    const double *energy = c->bodies.chain[b].energy;
    out[STRETCH] += energy[0];
    out[BEND] += energy[1];
    out[TWIST] += energy[2];
  }
  out[GRAVITY] = cosserat_bodies_gravity(&c->bodies);
}

static void evaluate(void *self) {
  cosserat *c = self;
  for (size_t b = 0; b < c->bodies.n_chains; b++)
    cosserat_chain_evaluate(&c->bodies.chain[b]);
}

/// Puts pins and loads as they are at `time`. The weight grows within the first step, so that its
/// increments do not begin with all of it.
static void load(cosserat *c, double time) {
  cosserat_bodies_load(&c->bodies, time, fmin(1, time / vb_scene_world(c->base.scene)->step));
}

static vb_status build(void *self, vb_error *error) {
  cosserat *c = self;
  const vb_scene *scene = c->base.scene;
  vb_blas_use_one_thread();
  vb_status status = cosserat_bodies_create(scene, &c->bodies, error);
  c->work = calloc(vb_work_count(scene) + 1, sizeof *c->work);
  c->before = calloc(c->bodies.n_nodes + 1, sizeof *c->before);
  c->frame = calloc(c->bodies.n_segments + 1, sizeof *c->frame);
  c->push = calloc(vb_scene_count(scene, VB_SET_PIN) + 1, sizeof *c->push);
  size_t n = 0;
  for (size_t b = 0; b < c->bodies.n_chains; b++)
    n += c->bodies.chain[b].n_nodes;
  c->kept = calloc(7 * n + 1, sizeof *c->kept);
  if (!status && (!c->kept || !c->work || !c->before || !c->frame || !c->push))
    status = vb_error_memory(error);
  if (!status) {
    load(c, 0);
    evaluate(c);
  }
  return status;
}

static void clear(void *self) {
  cosserat *c = self;
  cosserat_bodies_free(&c->bodies);
  free(c->work);
  free(c->before);
  free(c->frame);
  free(c->push);
  free(c->kept);
}

/// How far a node or segment has moved since the increment began: its displacement, or its turn as
/// 2 Im(q conj(old)), in world axes.
static void change_of(const cosserat *c, bool frame, int32_t index, double out[3]) {
  const cosserat_address *at = &c->bodies.node[frame ? 0 : index];
  if (!frame) {
    vb_subtract(c->bodies.chain[at->chain].position[at->node], c->before[index], out);
    return;
  }
  double q[4], d[4], old[4];
  const double *o = c->frame[index];
  cosserat_bodies_frame(&c->bodies, (size_t)index, q);
  for (int k = 0; k < 4; k++)
    old[k] = k ? -o[k] : o[k];
  vb_quaternion_multiply(q, old, d);
  for (int k = 0; k < 3; k++)
    out[k] = (d[0] < 0 ? -2 : 2) * d[1 + k];
}

/// Adds what pins and loads did in an increment that ended at `time`: force times distance, the
/// mean of the force before and after.
static void add_work(cosserat *c, double before, double time) {
  size_t n_pins, n_drivers, n_loads;
  const vb_scene *scene = c->base.scene;
  const vb_pin *pin = vb_scene_pins(scene, &n_pins);
  const vb_load *load = vb_scene_loads(scene, &n_loads);
  double change[3], now[6];
  vb_scene_drivers(scene, &n_drivers);
  for (size_t m = 0; m < n_pins; m++) {
    bool frame = pin[m].location == VB_AT_SEGMENT;
    int first = frame ? 3 : 0;
    change_of(c, frame, pin[m].index, change);
    cosserat_bodies_reaction(&c->bodies, &pin[m], now, now + 3);
    c->work[pin[m].driver] +=
        0.5 * (vb_dot(now + first, change) + vb_dot(c->push[m] + first, change));
  }
  for (size_t m = 0; m < n_loads; m++) {
    bool frame = load[m].location == VB_AT_SEGMENT;
    double factor = 0.5 * (vb_scene_curve(scene, load[m].amplitude, before, 1) +
                           vb_scene_curve(scene, load[m].amplitude, time, 1));
    change_of(c, frame, load[m].index, change);
    c->work[n_drivers + m] += factor * vb_dot(frame ? load[m].torque : load[m].force, change);
  }
}

/// Keeps what add_work compares with.
static void keep(cosserat *c) {
  size_t n;
  const vb_pin *pin = vb_scene_pins(c->base.scene, &n);
  read_position(c, c->before[0]);
  read_frame(c, c->frame[0]);
  for (size_t m = 0; m < n; m++)
    cosserat_bodies_reaction(&c->bodies, &pin[m], c->push[m], c->push[m] + 3);
}

/// Exchanges the state of all chains with the one that is kept.
static void copy_state(cosserat *c, bool back) {
  double *kept = c->kept;
  for (size_t b = 0; b < c->bodies.n_chains; b++) {
    cosserat_chain *chain = &c->bodies.chain[b];
    size_t n[2] = {3 * chain->n_nodes, 4 * chain->n_nodes};
    double *state[2] = {chain->position[0], chain->frame[0]};
    for (int k = 0; k < 2; k++, kept += n[k - 1])
      memcpy(back ? state[k] : kept, back ? kept : state[k], n[k] * sizeof *kept);
  }
}

/// Tries an increment of the load; whether all bodies came to balance.
static bool try_increment(cosserat *c, double before, double time) {
  bool converged = true;
  double worst = 0;
  keep(c);
  load(c, time);
  for (size_t b = 0; b < c->bodies.n_chains; b++) {
    cosserat_outcome outcome =
        cosserat_chain_balance(&c->bodies.chain[b], c->iterations, c->tolerance);
    converged &= outcome.converged;
    worst = fmax(worst, outcome.residual);
  }
  c->residual[0] = worst;
  if (converged)
    add_work(c, before, time);
  return converged;
}

/// Goes from `time` on by `h`, in increments that are halved where Newton's method does not
/// converge in a few iterations, for it might also come to another equilibrium. Whether it got
/// there; the last try is left where it did not.
static bool advance(cosserat *c, double time, double h) {
  enum { HALVINGS = 10 };
  double part = h / c->increments, reached = 0;
  int halvings = 0;
  while (reached < h * (1 - 1e-9)) {
    double next = fmin(h, reached + part);
    copy_state(c, false);
    if (try_increment(c, time + reached, time + next)) {
      reached = next;
      continue;
    }
    if (halvings++ == HALVINGS)
      return false;
    part /= 2;
    copy_state(c, true);
    load(c, time + reached);
    evaluate(c);
  }
  return true;
}

static vb_status step(void *self, vb_error *error) {
  (void)error;
  cosserat *c = self;
  double begun = vb_clock();
  bool converged = advance(c, vb_instance_time(&c->base), vb_scene_world(c->base.scene)->step);
  c->timer[0] += vb_clock() - begun;
  vb_instance_note_convergence(&c->base, converged, c->residual[0], c->tolerance);
  if (!isfinite(c->residual[0]))
    vb_instance_note_divergence(&c->base, "forces are not finite");
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  cosserat *c = self;
  for (size_t b = 0; b < c->bodies.n_chains; b++) {
    cosserat_chain *chain = &c->bodies.chain[b];
    VB_CARRY(copy, chain->position, chain->n_nodes);
    VB_CARRY(copy, chain->frame, chain->n_nodes);
  }
  VB_CARRY(copy, c->work, vb_work_count(c->base.scene));
  VB_CARRY(copy, c->residual, 1);
}

/// Loads, forces and energies follow from the state.
static void derive(void *self) {
  cosserat *c = self;
  load(c, vb_instance_time(&c->base));
  evaluate(c);
}

static void reactions(void *self, double *force, double *torque) {
  const cosserat *c = self;
  size_t n_drivers, n_pins;
  const vb_scene *scene = c->base.scene;
  const vb_driver *driver = vb_scene_drivers(scene, &n_drivers);
  const vb_pin *pin = vb_scene_pins(scene, &n_pins);
  for (size_t m = 0; m < n_pins; m++) {
    double q[4], shift[3], center[3], f[3], moment[3], arm[3];
    double *sum_f = force + 3 * pin[m].driver, *sum_t = torque + 3 * pin[m].driver;
    cosserat_bodies_reaction(&c->bodies, &pin[m], f, moment);
    if (pin[m].location == VB_AT_NODE) {
      const cosserat_address *at = &c->bodies.node[pin[m].index];
      vb_driver_motion(scene, pin[m].driver, vb_instance_time(&c->base), q, shift);
      vb_rigid_move(q, shift, driver[pin[m].driver].origin, center);
      vb_subtract(c->bodies.chain[at->chain].position[at->node], center, arm);
      vb_cross(arm, f, moment);
    }
    vb_add_scaled(sum_f, 1, f, sum_f);
    vb_add_scaled(sum_t, 1, moment, sum_t);
  }
}

static const vb_solver_parts parts = {
    .bytes = sizeof(cosserat),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.fill = read_energies},
    .work = {.array = VB_ARRAY(work)},
    .timer = {.number = VB_NUMBER(timer)},
    .residual = {.number = VB_NUMBER(residual)},
    .check = cosserat_bodies_check,
    .build = build,
    .clear = clear,
    .step = step,
    .carry = carry,
    .derive = derive,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(cosserat, parts, .convergence = vb_instance_convergence);
