// SPDX-License-Identifier: GPL-3.0-or-later
/// Rigid bodies and joints as a solver (see README.md).
#include "integrate.h"
#include "measures.h"

#include "base/clock.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_position(void *self, double *out) {
  mb_measure_nodes(&((mb_run *)self)->system, ((mb_run *)self)->state, false, out);
}

static void read_velocity(void *self, double *out) {
  mb_measure_nodes(&((mb_run *)self)->system, ((mb_run *)self)->state, true, out);
}

/// Writes `n` numbers of each bone's state, from number `first` on.
static void read_bones(const mb_run *s, size_t first, size_t n, double *out) {
  for (size_t i = 0; i < s->system.n_bones; i++)
    memcpy(out + n * i, s->state + i * MB_STATE + first, n * sizeof *out);
}

static void read_bone_position(void *self, double *out) {
  read_bones(self, 0, 3, out);
}

static void read_bone_frame(void *self, double *out) {
  read_bones(self, 3, 4, out);
}

static void read_bone_velocity(void *self, double *out) {
  read_bones(self, 7, 3, out);
}

static void read_bone_spin(void *self, double *out) {
  read_bones(self, 10, 3, out);
}

static void read_joint_error(void *self, double *out) {
  const mb_run *s = self;
  mb_measure_gap(&s->system, vb_instance_time(&s->base), s->state, out);
}

static void read_joint_force(void *self, double *out) {
  const mb_run *s = self;
  for (size_t i = 0; i < s->system.n_links; i++)
    memcpy(out + 3 * i, s->multiplier + s->system.first_row[i], 3 * sizeof *out);
}

static void read_joint_angle(void *self, double *out) {
  const mb_run *s = self;
  for (size_t i = 0; i < s->system.n_links; i++)
    out[i] = mb_angle(&s->system, i, vb_instance_time(&s->base), s->state);
}

static void read_momentum(void *self, double *out) {
  double turning[3], energy[MB_ENERGY_COUNT];
  mb_measure(&((mb_run *)self)->system, ((mb_run *)self)->state, out, turning, energy);
}

static void read_angular_momentum(void *self, double *out) {
  double momentum[3], energy[MB_ENERGY_COUNT];
  mb_measure(&((mb_run *)self)->system, ((mb_run *)self)->state, momentum, out, energy);
}

static void read_energies(void *self, double *out) {
  double momentum[3], turning[3];
  mb_measure(&((mb_run *)self)->system, ((mb_run *)self)->state, momentum, turning, out);
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "position of each node, which a bone carries",                 \
    .fill = read_position)                                                                         \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node", .fill = read_velocity)            \
  X("bone_position", VB_AT_BONE, 3, "m", "center of mass of each bone",                            \
    .fill = read_bone_position)                                                                    \
  X("bone_frame", VB_AT_BONE, 4, "1",                                                              \
    "rotation of each bone from rest, a unit quaternion w, x, y, z of continuous sign",            \
    .fill = read_bone_frame)                                                                       \
  X("bone_velocity", VB_AT_BONE, 3, "m s-1", "velocity of each bone's center",                     \
    .fill = read_bone_velocity)                                                                    \
  X("bone_spin", VB_AT_BONE, 3, "rad s-1", "angular velocity of each bone, world axes",            \
    .fill = read_bone_spin)                                                                        \
  X("joint_error", VB_AT_LINK, 1, "m", "distance of the two points that a link keeps together",    \
    .fill = read_joint_error)                                                                      \
  X("joint_force", VB_AT_LINK, 3, "N", "force of each link on its first bone, at its point",       \
    .fill = read_joint_force)                                                                      \
  X("joint_angle", VB_AT_LINK, 1, "rad",                                                           \
    "angle of a hinge since rest, in (-pi, pi], of its first bone against its second side; 0 of "  \
    "others",                                                                                      \
    .fill = read_joint_angle)                                                                      \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum", .fill = read_momentum)              \
  X("angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin",          \
    .fill = read_angular_momentum)

#define OPTIONS(X)                                                                                 \
  X("integrator", "rk8pd", "rk8pd|rk4", 0, 0, false, false,                                        \
    "rk8pd: Prince and Dormand's method of order 8 and 9, with steps that meet the tolerance; "    \
    "rk4: the classical method of order 4, with the scene's step",                                 \
    SECOND, is_fixed)                                                                              \
  X("tolerance", "1e-11", NULL, 1e-13, 1, false, true,                                             \
    "of rk8pd: error per step of each state variable, relative or absolute", NUMBER, tolerance)

VB_TABLES(mb_run, FIELDS, MB_ENERGIES, OPTIONS)

static const char *const phases[1] = {"integrate"};

static const vb_solver_description description = {
    .name = "multibody",
    .long_name = "rigid bodies and joints, accelerations by multipliers",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(DRIVER) |
            VB_TAG_BIT(LOAD) | VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) | VB_TAG_BIT(TETRAHEDRON) |
            VB_TAG_BIT(PARENT) | VB_TAG_BIT(BONE) | VB_TAG_BIT(TIE) | VB_TAG_BIT(LINK),
    VB_LISTS,
    .phases = phases,
    .n_phases = 1,
    .has_reactions = true,
};

static void clear(void *self) {
  mb_run *s = self;
  if (s->integrator)
    gsl_odeiv2_driver_free(s->integrator);
  mb_system_clear(&s->system);
  free(s->state);
  free(s->key);
}

static int rates(double time, const double *state, double *rate, void *parameters) {
  return mb_rates(parameters, time, state, rate) ? GSL_EBADFUNC : GSL_SUCCESS;
}

static int compare_times(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static vb_status make_keys(mb_run *s, vb_error *error) {
  const vb_key *key = vb_scene_set(s->base.scene, VB_SET_KEY, &s->n_keys);
  s->key = reallocarray(NULL, s->n_keys + 1, sizeof *s->key);
  if (!s->key)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->n_keys; i++)
    s->key[i] = key[i].time;
  qsort(s->key, s->n_keys, sizeof *s->key, compare_times);
  return VB_OK;
}

/// Leaves the multipliers of the present state beside it, and which limits hold.
static vb_status keep_multipliers(mb_run *s, double time) {
  s->system.middle = time;
  vb_status status = mb_rates(&s->system, time, s->state, s->scratch);
  memcpy(s->multiplier, s->system.multiplier, s->system.most_rows * sizeof *s->multiplier);
  for (size_t i = 0; i < s->system.n_links; i++)
    s->limit[i] = s->system.at_limit[i];
  return status;
}

static vb_status build(void *self, vb_error *error) {
  mb_run *s = self;
  vb_status status = mb_system_create(s->base.scene, &s->system, error);
  if (!status)
    status = make_keys(s, error);
  if (status)
    return status;
  s->n_state = MB_STATE * s->system.n_bones;
  size_t n = s->n_state + vb_work_count(s->base.scene), total;
  const vb_state_array arrays[] = {
      {&s->state, n},
      {&s->multiplier, s->system.most_rows},
      {&s->limit, s->system.n_links},
      {&s->scratch, 6 * n},
      {&s->begin, n},
      {&s->old, n},
  };
  status = vb_state_create(arrays, sizeof arrays / sizeof *arrays, &total, error);
  if (status)
    return status;
  s->work = s->state + s->n_state;
  mb_system_start(&s->system, s->state);
  s->rates = (gsl_odeiv2_system){rates, NULL, n, &s->system};
  return keep_multipliers(s, 0)
             ? vb_error_set(error, VB_UNAVAILABLE, "the forces of the links cannot be computed")
             : VB_OK;
}

/// Makes the integrator that the options ask for.
static vb_status set(void *self, vb_error *error) {
  mb_run *s = self;
  if (s->is_fixed || s->rates.dimension == 0)
    return VB_OK;
  if (s->integrator)
    gsl_odeiv2_driver_free(s->integrator);
  s->integrator = gsl_odeiv2_driver_alloc_y_new(&s->rates, gsl_odeiv2_step_rk8pd,
                                                vb_scene_world(s->base.scene)->step, s->tolerance,
                                                s->tolerance);
  return s->integrator ? VB_OK : vb_error_memory(error);
}

/// Continues the sign of each quaternion from `old`.
static void continue_signs(mb_run *s, const double *old) {
  for (size_t i = 0; i < s->n_state; i += MB_STATE) {
    double product = 0;
    for (size_t c = i + 3; c < i + 7; c++)
      product += s->state[c] * old[c];
    for (size_t c = i + 3; product < 0 && c < i + 7; c++)
      s->state[c] = -s->state[c];
  }
}

static vb_status step(void *self, vb_error *error) {
  (void)error;
  mb_run *s = self;
  size_t n = s->rates.dimension;
  if (n == 0)
    return VB_OK;
  double since = vb_clock(),
         end = (double)(s->base.n_steps + 1) * vb_scene_world(s->base.scene)->step;
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  memcpy(s->old, s->state, n * sizeof *s->old);
  bool well = mb_step(s);
  for (size_t i = 0; i < n; i++)
    well = well && isfinite(s->state[i]);
  if (well)
    continue_signs(s, s->old);
  else
    memcpy(s->state, s->old, n * sizeof *s->old);
  if (!well || keep_multipliers(s, end))
    vb_instance_note_divergence(&s->base,
                                "no accelerations were found, or none within the tolerance");
  gsl_set_error_handler(handler);
  s->seconds += vb_clock() - since;
  return VB_OK;
}

static void carry(void *self, vb_state_copy *copy) {
  mb_run *s = self;
  VB_CARRY(copy, s->state, s->rates.dimension);
  VB_CARRY(copy, s->multiplier, s->system.most_rows);
  VB_CARRY(copy, s->limit, s->system.n_links);
}

static void derive(void *self) {
  mb_run *s = self;
  for (size_t i = 0; i < s->system.n_links; i++)
    mb_limit(&s->system, i, (int)s->limit[i]);
}

static void reactions(void *self, double *force, double *torque) {
  mb_run *s = self;
  mb_reactions(&s->system, s->multiplier, vb_instance_time(&s->base), s->state, force, torque);
}

static const vb_solver_parts parts = {
    .bytes = sizeof(mb_run),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.fill = read_energies},
    .work = {.array = VB_ARRAY(work)},
    .timer = {.number = VB_NUMBER(seconds)},
    .check = mb_check,
    .build = build,
    .clear = clear,
    .set = set,
    .step = step,
    .carry = carry,
    .derive = derive,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(multibody, parts, .convergence = NULL);
