// SPDX-License-Identifier: GPL-3.0-or-later
/// Elastic rods whose radius is an output: stretch, bend and twist of a center line with frames, by
/// implicit Euler; after each step a segment's scale follows from its length, so that it keeps its
/// volume (the radius update of Bergou et al. 2010, "Discrete viscous threads", that the VIPER
/// paper compares with in its appendix E). See README.md in this folder.
#include "base/blas.h"
#include "reference/bergou/description.h"
#include "reference/bergou/element.h"
#include "reference/bergou/step.h"
#include "scene/rotation.h"
#include "solver/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An instance of the solver.
typedef struct bergou {
  const vb_scene *scene;
  bergou_rods *rods;
  bergou_state state;
  bergou_scratch scratch;
  bergou_settings settings;
  bool plain;    ///< whether kz is the scene's, not what kz and kv come to under a slow pull
  bool feedback; ///< whether the updated radius enters stiffness and inertia
  int64_t n_steps;
  vb_divergence divergence;
  double timer[BERGOU_PHASE_COUNT];
} bergou;

static void destroy(void *self) {
  bergou *b = self;
  if (!b)
    return;
  bergou_state_free(&b->state);
  bergou_scratch_free(&b->scratch);
  bergou_rods_destroy(b->rods);
  free(b);
}

#define PLACE(name, kind, member)                                                                  \
  { name, VB_SETTING_##kind, offsetof(bergou, member) }
static const vb_setting places[] = {
    PLACE("stiffness", SECOND, plain),           PLACE("feedback", SECOND, feedback),
    PLACE("threads", THREADS, settings.threads), PLACE("iterations", WHOLE, settings.iterations),
    PLACE("substeps", WHOLE, settings.substeps), PLACE("tolerance", NUMBER, settings.tolerance),
};
static const vb_setting_table table = {places, sizeof places / sizeof *places};

/// Lets the sections be those of the state's radii, for its energies and the next step.
static void follow_sections(bergou *b) {
  if (b->feedback)
    bergou_rods_follow(b->rods, b->state.segment_scale);
}

static vb_status build(bergou *b, vb_error *error) {
  vb_status status = bergou_rods_create(b->scene, !b->plain, &b->rods, error);
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

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return bergou_describe();
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = bergou_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (!status)
    status = bergou_check_topology(scene, error);
  if (!status)
    status = bergou_check_activations(scene, error);
  if (status)
    return status;
  bergou *b = calloc(1, sizeof *b);
  if (!b)
    return vb_error_memory(error);
  b->scene = scene;
  vb_blas_use_one_thread();
  for (size_t i = 0; i < d->n_options; i++)
    vb_setting_apply(d, &table, d->options[i].name,
                     vb_solver_option(d, options, n_options, d->options[i].name), b);
  status = build(b, error);
  if (status)
    destroy(b);
  else
    *out = b;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  vb_status status = vb_setting_check(bergou_describe(), name, value, error);
  if (!status)
    vb_setting_apply(bergou_describe(), &table, name, value, self);
  return status;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  return vb_setting_print(bergou_describe(), &table, name, self, out, size, error);
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  (void)error;
  bergou *b = self;
  double h = vb_scene_world(b->scene)->step;
  for (int64_t k = 0; k < n && !b->divergence.diverged; k++) {
    bergou_step(b->rods, &b->settings, (double)b->n_steps * h, h, &b->state, &b->scratch, b->timer);
    b->n_steps++;
    follow_sections(b);
    int64_t problem = bergou_check_state(b->rods, &b->state);
    if (problem < 0)
      continue;
    b->divergence.diverged = true;
    b->divergence.step = b->n_steps;
    snprintf(b->divergence.what, sizeof b->divergence.what,
             "segment %lld has no length, or its values are not finite", (long long)problem);
  }
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((bergou *)self)->divergence;
  return VB_OK;
}

/// What `save` writes before the state's numbers.
typedef struct saved {
  int64_t n_steps;
  vb_divergence divergence;
} saved;

static size_t state_size(const void *self) {
  return sizeof(saved) + ((const bergou *)self)->state.n_doubles * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  const bergou *b = self;
  saved head;
  memset(&head, 0, sizeof head);
  head.n_steps = b->n_steps;
  head.divergence = b->divergence;
  memcpy(state, &head, sizeof head);
  memcpy((char *)state + sizeof head, b->state.position, b->state.n_doubles * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  bergou *b = self;
  saved head;
  memcpy(&head, state, sizeof head);
  b->n_steps = head.n_steps;
  b->divergence = head.divergence;
  memcpy(b->state.position, (const char *)state + sizeof head, b->state.n_doubles * sizeof(double));
  follow_sections(b);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const bergou *b = self;
  if (field >= BERGOU_FIELD_COUNT)
    return 0;
  switch (bergou_describe()->fields[field].location) {
  case VB_AT_NODE:
    return b->rods->n_nodes;
  case VB_AT_SEGMENT:
    return b->rods->n_segments;
  default:
    return 1;
  }
}

static void read_volume(const bergou *b, double *out) {
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const bergou_segment *s = &b->rods->segment[j];
    double r = s->radius * b->state.segment_scale[j];
    out[j] = M_PI * r * r *
             vb_distance(b->state.position + 3 * s->node[0], b->state.position + 3 * s->node[1]);
  }
}

static void read_momentum(const bergou *b, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < b->rods->n_nodes; i++)
    for (size_t k = 0; k < 3; k++)
      out[k] += b->rods->node[i].mass * b->state.velocity[3 * i + k];
}

static void read_mass(const bergou *b, double *out) {
  for (size_t i = 0; i < b->rods->n_nodes; i++)
    out[i] = b->rods->node[i].mass;
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  const bergou *b = self;
  const double *from = NULL;
  switch ((bergou_field)field) {
  case BERGOU_FIELD_POSITION:
    from = b->state.position;
    break;
  case BERGOU_FIELD_SCALE:
    from = b->state.scale;
    break;
  case BERGOU_FIELD_FRAME:
    from = b->state.frame;
    break;
  case BERGOU_FIELD_VELOCITY:
    from = b->state.velocity;
    break;
  case BERGOU_FIELD_ANGULAR_VELOCITY:
    from = b->state.angular_velocity;
    break;
  case BERGOU_FIELD_SEGMENT_SCALE:
    from = b->state.segment_scale;
    break;
  case BERGOU_FIELD_SEGMENT_VOLUME:
    read_volume(b, out);
    return VB_OK;
  case BERGOU_FIELD_MOMENTUM:
    read_momentum(b, out);
    return VB_OK;
  case BERGOU_FIELD_MASS:
    read_mass(b, out);
    return VB_OK;
  case BERGOU_FIELD_COUNT:
    break;
  }
  if (!from)
    return vb_bad_input(error, "the bergou solver has no field number %zu", field);
  memcpy(out, from,
         count(self, field) * (size_t)bergou_describe()->fields[field].components * sizeof *out);
  return VB_OK;
}

static void add_elastic(const bergou *b, double *out) {
  bergou_element e;
  const double *x = b->state.position, *q = b->state.frame;
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const bergou_segment *s = &b->rods->segment[j];
    bergou_stretch(s, b->state.active[j], x + 3 * s->node[0], x + 3 * s->node[1], q + 4 * j,
                   BERGOU_CONVEX, &e);
    out[BERGOU_ENERGY_STRETCH] += e.energy[0];
  }
  for (size_t t = 0; t < b->rods->n_joints; t++) {
    const bergou_joint *joint = &b->rods->joint[t];
    bergou_turn(joint, q + 4 * joint->segment[0], q + 4 * joint->segment[1], BERGOU_CONVEX, &e);
    out[BERGOU_ENERGY_BEND] += e.energy[0];
    out[BERGOU_ENERGY_TWIST] += e.energy[1];
  }
}

static vb_status energies(void *self, double *out, vb_error *error) {
  (void)error;
  const bergou *b = self;
  const double *g = vb_scene_world(b->scene)->gravity;
  memset(out, 0, BERGOU_ENERGY_COUNT * sizeof *out);
  add_elastic(b, out);
  for (size_t i = 0; i < b->rods->n_nodes; i++) {
    const double *v = b->state.velocity + 3 * i, m = b->rods->node[i].mass;
    out[BERGOU_ENERGY_KINETIC] += 0.5 * m * vb_dot(v, v);
    out[BERGOU_ENERGY_GRAVITY] -= m * vb_dot(g, b->state.position + 3 * i);
  }
  for (size_t j = 0; j < b->rods->n_segments; j++) {
    const double *v = b->state.angular_velocity + 3 * j;
    double w[3];
    vb_frame_axis(b->state.frame + 4 * j, 2, w);
    double along = vb_dot(w, v);
    out[BERGOU_ENERGY_KINETIC] +=
        0.5 * b->rods->segment[j].inertia * (vb_dot(v, v) + along * along);
  }
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  const bergou *b = self;
  memcpy(out, b->state.work, bergou_count_work(b->scene) * sizeof *out);
  return VB_OK;
}

static vb_status residual(void *self, double *out, vb_error *error) {
  (void)error;
  *out = *((const bergou *)self)->state.residual;
  return VB_OK;
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

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const bergou *b = self;
  size_t n_drivers, n_pins;
  const vb_driver *driver = vb_scene_drivers(b->scene, &n_drivers);
  const vb_pin *pin = vb_scene_pins(b->scene, &n_pins);
  double time = (double)b->n_steps * vb_scene_world(b->scene)->step;
  memset(force, 0, 3 * n_drivers * sizeof *force);
  memset(torque, 0, 3 * n_drivers * sizeof *torque);
  for (size_t m = 0; m < n_pins; m++) {
    double q[4], shift[3], center[3];
    vb_driver_motion(b->scene, pin[m].driver, time, q, shift);
    vb_rigid_move(q, shift, driver[pin[m].driver].origin, center);
    add_reaction(b, &pin[m], center, force + 3 * pin[m].driver, torque + 3 * pin[m].driver);
  }
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  memcpy(out, ((const bergou *)self)->timer, sizeof((const bergou *)self)->timer);
  return VB_OK;
}

const vb_solver bergou_solver = {
    .version = VB_SOLVER_VERSION,
    .scene_version = VB_SCENE_VERSION,
    .describe = describe,
    .create = create,
    .set_option = set_option,
    .get_option = get_option,
    .step = step,
    .sync = sync_steps,
    .state_size = state_size,
    .save = save,
    .restore = restore,
    .count = count,
    .read = read_field,
    .energies = energies,
    .work = work,
    .residual = residual,
    .reactions = reactions,
    .timings = timings,
    .destroy = destroy,
};
