// SPDX-License-Identifier: GPL-3.0-or-later
/// Deformable bodies with articulated skeletons as a solver (see README.md).
#include "description.h"
#include "measures.h"
#include "skin.h"
#include "step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What `save` writes besides the numbers.
typedef struct ar_progress {
  int64_t n_steps;
  vb_divergence divergence;
  ar_report report;
} ar_progress;

typedef struct articulated {
  ar_stepper stepper;
  ar_skin skin;
  ar_choice choice;
  vb_divergence divergence;
  bool incomplete; ///< whether a projection reached its most iterations
  char warning[200];
} articulated;

static void destroy(void *self) {
  articulated *s = self;
  if (!s)
    return;
  ar_stepper_clear(&s->stepper);
  ar_skin_clear(&s->skin);
  free(s);
}

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return ar_describe();
}

/// A value that was checked to be a whole number in range; "1e3" is one, too.
static int whole(const char *value) {
  return (int)strtod(value, NULL);
}

/// Applies an option that may change at any time.
static void apply(articulated *s, const char *name, const char *value) {
  ar_stepper *t = &s->stepper;
  if (!strcmp(name, "iterations"))
    t->settings.iterations = whole(value);
  else if (!strcmp(name, "tolerance"))
    t->settings.tolerance = strtod(value, NULL);
  else if (!strcmp(name, "guess"))
    t->settings.prediction = !strcmp(value, "prediction");
  else if (!strcmp(name, "joint_iterations"))
    t->projector.most = whole(value);
  else if (!strcmp(name, "joint_stop"))
    t->projector.feasible = !strcmp(value, "feasible");
  else if (!strcmp(name, "inner"))
    t->projector.curved = !strcmp(value, "newton");
  else if (!strcmp(name, "threads"))
    t->local.threads = whole(value) > 0 ? whole(value) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static ar_choice choose(const vb_option *options, size_t n) {
  const vb_solver_description *d = ar_describe();
  static const char *const names[] = {"exact", "stiff", "shape", "free"};
  const char *bones = vb_solver_option(d, options, n, "bones");
  ar_choice c = {.keep = !strcmp(vb_solver_option(d, options, n, "bone_tetrahedra"), "kept"),
                 .arap = !strcmp(vb_solver_option(d, options, n, "material"), "arap"),
                 .ratio = strtod(vb_solver_option(d, options, n, "ratio"), NULL)};
  for (int k = 0; k < 4; k++)
    if (!strcmp(bones, names[k]))
      c.bones = (ar_bones)k;
  return c;
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = ar_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (status)
    return status;
  articulated *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->choice = choose(options, n_options);
  ar_settings settings = {
      .published = !strcmp(vb_solver_option(d, options, n_options, "projection"), "published"),
      .spring = strtod(vb_solver_option(d, options, n_options, "weight"), NULL),
      .contact = strtod(vb_solver_option(d, options, n_options, "contact_stiffness"), NULL)};
  status = ar_skin_create(scene, &s->skin, error);
  if (!status)
    status = ar_stepper_create(scene, &s->choice, &settings, &s->stepper, error);
  if (status) {
    ar_skin_clear(&s->skin);
    free(s);
    return status;
  }
  for (size_t i = 0; i < d->n_options; i++)
    apply(s, d->options[i].name, vb_solver_option(d, options, n_options, d->options[i].name));
  *out = s;
  return VB_OK;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  const vb_solver_description *d = ar_describe();
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(d, &option, 1, error);
  if (status)
    return status;
  for (size_t i = 0; i < d->n_options; i++)
    if (!strcmp(d->options[i].name, name) && !d->options[i].at_any_time)
      return vb_bad_input(error, "option %s cannot change once a run has begun", name);
  apply(self, name, value);
  return VB_OK;
}

/// The value of an option that is a word, or null.
static const char *word_of(const articulated *s, const char *name) {
  static const char *const names[] = {"exact", "stiff", "shape", "free"};
  const ar_stepper *t = &s->stepper;
  if (!strcmp(name, "projection"))
    return t->settings.published ? "published" : "consistent";
  if (!strcmp(name, "bones"))
    return names[s->choice.bones];
  if (!strcmp(name, "bone_tetrahedra"))
    return s->choice.keep ? "kept" : "left_out";
  if (!strcmp(name, "material"))
    return s->choice.arap ? "arap" : "corotated";
  if (!strcmp(name, "joint_stop"))
    return t->projector.feasible ? "feasible" : "both";
  if (!strcmp(name, "inner"))
    return t->projector.curved ? "newton" : "gauss_newton";
  if (!strcmp(name, "guess"))
    return t->settings.prediction ? "prediction" : "previous";
  return NULL;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const articulated *s = self;
  const ar_stepper *t = &s->stepper;
  const char *word = word_of(s, name);
  if (word)
    snprintf(out, size, "%s", word);
  else if (!strcmp(name, "iterations"))
    snprintf(out, size, "%d", t->settings.iterations);
  else if (!strcmp(name, "tolerance"))
    snprintf(out, size, "%.10g", t->settings.tolerance);
  else if (!strcmp(name, "joint_iterations"))
    snprintf(out, size, "%d", t->projector.most);
  else if (!strcmp(name, "ratio"))
    snprintf(out, size, "%.10g", s->choice.ratio);
  else if (!strcmp(name, "weight"))
    snprintf(out, size, "%.10g", t->settings.spring);
  else if (!strcmp(name, "contact_stiffness"))
    snprintf(out, size, "%.10g", t->settings.contact);
  else if (!strcmp(name, "threads"))
    snprintf(out, size, "%d", t->local.threads);
  else
    return vb_bad_input(error, "the articulated solver has no option \"%s\"", name);
  return VB_OK;
}

static vb_status step(void *self, int64_t count, vb_error *error) {
  articulated *s = self;
  ar_stepper *t = &s->stepper;
  vb_status status = VB_OK;
  for (int64_t k = 0; !status && k < count && !s->divergence.diverged; k++) {
    status = ar_stepper_step(t, error);
    s->incomplete = s->incomplete || t->report.joint_iterations >= t->projector.most;
    if (status || t->report.finite)
      continue;
    s->divergence = (vb_divergence){.diverged = true, .step = t->n_steps};
    snprintf(s->divergence.what, sizeof s->divergence.what, "the objective is not finite");
  }
  return status;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((articulated *)self)->divergence;
  return VB_OK;
}

static size_t state_size(const void *self) {
  const articulated *s = self;
  return sizeof(ar_progress) + s->stepper.n_saved * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  const articulated *s = self;
  ar_progress progress = {s->stepper.n_steps, s->divergence, s->stepper.report};
  memcpy(state, &progress, sizeof progress);
  memcpy((char *)state + sizeof progress, s->stepper.saved,
         s->stepper.n_saved * sizeof *s->stepper.saved);
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  articulated *s = self;
  ar_progress progress;
  memcpy(&progress, state, sizeof progress);
  memcpy(s->stepper.saved, (const char *)state + sizeof progress,
         s->stepper.n_saved * sizeof *s->stepper.saved);
  s->stepper.n_steps = progress.n_steps;
  s->stepper.report = progress.report;
  s->divergence = progress.divergence;
  ar_stepper_derive(&s->stepper);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const articulated *s = self;
  if (field >= AR_FIELD_COUNT)
    return 0;
  switch (ar_describe()->fields[field].location) {
  case VB_AT_NODE:
    return s->stepper.body.n_nodes;
  case VB_AT_TETRAHEDRON:
    return vb_scene_count(s->stepper.scene, VB_SET_TETRAHEDRON);
  case VB_AT_BONE:
    return vb_scene_count(s->stepper.scene, VB_SET_BONE);
  case VB_AT_LINK:
    return vb_scene_count(s->stepper.scene, VB_SET_LINK);
  case VB_AT_VERTEX:
    return s->skin.n_vertices;
  default:
    return field == AR_FIELD_ENCLOSED_VOLUME ? s->skin.n_triangles > 0 : 1;
  }
}

static void read_momentum(const ar_stepper *t, bool angular, double *out) {
  double momentum[3], turning[3];
  ar_measure_momentum(t, momentum, turning);
  memcpy(out, angular ? turning : momentum, sizeof momentum);
}

static void read_skin(const articulated *s, ar_field field, double *out) {
  if (field == AR_FIELD_VERTICES)
    ar_skin_vertices(&s->skin, s->stepper.x, out);
  else if (s->skin.n_triangles > 0)
    *out = ar_skin_volume(&s->skin, s->stepper.x);
}

/// A field of the whole scene that the latest step reports.
static double report_of(const ar_report *r, ar_field field) {
  return field == AR_FIELD_LOCAL_GLOBAL       ? r->iterations
         : field == AR_FIELD_JOINT_ITERATIONS ? r->joint_iterations
         : field == AR_FIELD_OBJECTIVE        ? r->objective
                                              : r->rise;
}

static vb_status read_field(void *self, size_t number, double *out, vb_error *error) {
  const articulated *s = self;
  const ar_stepper *t = &s->stepper;
  size_t n = t->body.n_nodes;
  ar_field field = (ar_field)number;
  switch (field) {
  case AR_FIELD_POSITION:
    memcpy(out, t->x, 3 * n * sizeof *out);
    return VB_OK;
  case AR_FIELD_VELOCITY:
    memcpy(out, t->v, 3 * n * sizeof *out);
    return VB_OK;
  case AR_FIELD_MASS:
    memcpy(out, t->body.mass, n * sizeof *out);
    return VB_OK;
  case AR_FIELD_ELEMENT_VOLUME:
  case AR_FIELD_DILATION:
  case AR_FIELD_DEFORMATION:
  case AR_FIELD_STRESS:
  case AR_FIELD_VOLUME:
  case AR_FIELD_DILATION_RANGE:
    ar_measure_tetrahedra(t, field, out);
    return VB_OK;
  case AR_FIELD_BONE_POSITION:
  case AR_FIELD_BONE_FRAME:
  case AR_FIELD_BONE_VELOCITY:
  case AR_FIELD_BONE_SPIN:
  case AR_FIELD_BONE_ERROR:
    ar_measure_bones(t, field, out);
    return VB_OK;
  case AR_FIELD_JOINT_ERROR:
  case AR_FIELD_JOINT_FORCE:
  case AR_FIELD_JOINT_ANGLE:
    ar_measure_links(t, field, out);
    return VB_OK;
  case AR_FIELD_MOMENTUM:
  case AR_FIELD_ANGULAR_MOMENTUM:
    read_momentum(t, field == AR_FIELD_ANGULAR_MOMENTUM, out);
    return VB_OK;
  case AR_FIELD_NODE_PUSH:
    memcpy(out, t->push, 3 * n * sizeof *out);
    return VB_OK;
  case AR_FIELD_PENETRATION:
    *out = ar_measure_penetration(t);
    return VB_OK;
  case AR_FIELD_LOCAL_GLOBAL:
  case AR_FIELD_JOINT_ITERATIONS:
  case AR_FIELD_OBJECTIVE:
  case AR_FIELD_OBJECTIVE_RISE:
    *out = report_of(&t->report, field);
    return VB_OK;
  case AR_FIELD_VERTICES:
  case AR_FIELD_ENCLOSED_VOLUME:
    read_skin(s, field, out);
    return VB_OK;
  case AR_FIELD_COUNT:
    break;
  }
  return vb_bad_input(error, "the articulated solver has no field number %zu", number);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  (void)error;
  ar_measure_energies(&((articulated *)self)->stepper, out);
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  const articulated *s = self;
  memcpy(out, s->stepper.work, s->stepper.n_work * sizeof *out);
  return VB_OK;
}

static vb_status residual(void *self, double *out, vb_error *error) {
  (void)error;
  *out = ((articulated *)self)->stepper.report.residual;
  return VB_OK;
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const ar_stepper *t = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(t->scene, VB_SET_DRIVER);
  ar_motion motion = {.time = (double)t->n_steps * vb_scene_world(t->scene)->step,
                      .bones = t->pose,
                      .x = t->x,
                      .pull = t->pull,
                      .joint = t->joint};
  memset(force, 0, 3 * n * sizeof *force);
  memset(torque, 0, 3 * n * sizeof *torque);
  ar_boundary_reactions(&t->boundary, &t->links, &motion, force, torque);
  for (size_t i = 0; i < 3 * n; i++) {
    force[i] += t->pushed[6 * (i / 3) + i % 3];
    torque[i] += t->pushed[6 * (i / 3) + 3 + i % 3];
  }
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  const articulated *s = self;
  memcpy(out, s->stepper.timer, sizeof s->stepper.timer);
  return VB_OK;
}

static const char *warning(void *self) {
  articulated *s = self;
  const ar_contact *contact = &s->stepper.contact;
  if (!s->incomplete && contact->n > 0 && contact->stiffness > contact->bound)
    snprintf(
        s->warning, sizeof s->warning,
        "contact_stiffness is %.4g N/m; explicit forces may be unstable beyond %.4g, the least "
        "mass of a surface node over the square of the step",
        contact->stiffness, contact->bound);
  if (!s->incomplete)
    return contact->n > 0 && contact->stiffness > contact->bound ? s->warning : NULL;
  snprintf(s->warning, sizeof s->warning,
           "a projection reached joint_iterations=%d before it converged; joint_error tells what "
           "links lack",
           s->stepper.projector.most);
  return s->warning;
}

const vb_solver articulated_solver = {
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
    .warning = warning,
};
