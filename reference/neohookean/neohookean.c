// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable Neo-Hookean tetrahedra as a solver (see README.md).
#include "activation.h"
#include "boundary.h"
#include "description.h"
#include "measures.h"
#include "newton.h"
#include "surface.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What `save` writes besides the arrays.
typedef struct nh_progress {
  int64_t n_steps;
  vb_divergence divergence;
  nh_report report;
} nh_progress;

typedef struct neohookean {
  const vb_scene *scene;
  nh_solid *solid;
  nh_surface surface;
  nh_boundary boundary;
  nh_newton newton;
  nh_progress progress;
  bool is_static;
  double *start; ///< (n_nodes x 3) positions at time 0; the arrays below follow in one block
  double *load;  ///< (n_nodes x 3) of the latest step, gravity's too
  double *moved; ///< (n_nodes x 3) scratch
  double *x;     ///< (n_nodes x 3); from here on to the end of `work` it is what `save` writes
  double *v;     ///< (n_nodes x 3)
  double *hat;   ///< (n_nodes x 3) prediction of the latest step, as if nothing were held
  double *pull;  ///< (n_nodes x 3) gradient at the end of the latest step: what holds held nodes
  double *work;  ///< drivers, then loads, then activations, J
  size_t n_work;
} neohookean;

static void destroy(void *self) {
  neohookean *s = self;
  if (!s)
    return;
  nh_newton_clear(&s->newton);
  nh_boundary_clear(&s->boundary);
  nh_surface_clear(&s->surface);
  nh_solid_destroy(s->solid);
  free(s->start);
  free(s);
}

static size_t saved_doubles(const neohookean *s) {
  return 12 * s->solid->n_nodes + s->n_work;
}

static vb_status allocate(neohookean *s, vb_error *error) {
  size_t n = 3 * s->solid->n_nodes;
  s->n_work = vb_scene_count(s->scene, VB_SET_DRIVER) + vb_scene_count(s->scene, VB_SET_LOAD) +
              vb_scene_count(s->scene, VB_SET_ACTIVATION);
  s->start = calloc(3 * n + saved_doubles(s) + 1, sizeof *s->start);
  if (!s->start)
    return vb_error_memory(error);
  s->load = s->start + n;
  s->moved = s->load + n;
  s->x = s->moved + n;
  s->v = s->x + n;
  s->hat = s->v + n;
  s->pull = s->hat + n;
  s->work = s->pull + n;
  nh_boundary_start(s->solid, s->start, s->v);
  memcpy(s->x, s->start, n * sizeof *s->x);
  memcpy(s->hat, s->start, n * sizeof *s->x);
  return VB_OK;
}

/// A value that was checked to be a whole number in range; "1e3" is one, too.
static int whole(const char *value) {
  return (int)strtod(value, NULL);
}

static void apply(neohookean *s, const char *name, const char *value) {
  if (!strcmp(name, "projection"))
    s->newton.projection = !strcmp(value, "always")     ? NH_PROJECT_ALWAYS
                           : !strcmp(value, "adaptive") ? NH_PROJECT_ADAPTIVE
                                                        : NH_PROJECT_NEVER;
  else if (!strcmp(name, "iterations"))
    s->newton.iterations = whole(value);
  else if (!strcmp(name, "tolerance"))
    s->newton.tolerance = strtod(value, NULL);
  else if (!strcmp(name, "threads"))
    s->newton.assembly.threads =
        whole(value) > 0 ? whole(value) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  else if (!strcmp(name, "mass"))
    s->newton.assembly.consistent = !strcmp(value, "consistent");
  else if (!strcmp(name, "dynamics"))
    s->is_static = !strcmp(value, "static");
}

static vb_status build(neohookean *s, bool quadratic, vb_error *error) {
  vb_status status = nh_solid_create(s->scene, quadratic, &s->solid, error);
  if (!status)
    status = nh_surface_create(s->solid, &s->surface, error);
  if (!status)
    status = nh_boundary_create(s->solid, &s->boundary, error);
  if (!status)
    status = nh_newton_create(s->solid, s->boundary.held, &s->newton, error);
  return status ? status : allocate(s, error);
}

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return nh_describe();
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = nh_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (status)
    return status;
  neohookean *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->scene = scene;
  bool quadratic = !strcmp(vb_solver_option(d, options, n_options, "elements"), "quadratic");
  status = build(s, quadratic, error);
  if (status) {
    destroy(s);
    return status;
  }
  for (size_t i = 0; i < d->n_options; i++)
    apply(s, d->options[i].name, vb_solver_option(d, options, n_options, d->options[i].name));
  double h = vb_scene_world(scene)->step;
  s->newton.assembly.inertia = s->is_static ? 0 : 1 / (h * h);
  s->newton.assembly.hat = s->hat;
  s->newton.assembly.load = s->load;
  *out = s;
  return VB_OK;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  const vb_solver_description *d = nh_describe();
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

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const neohookean *s = self;
  const nh_newton *n = &s->newton;
  if (!strcmp(name, "dynamics"))
    snprintf(out, size, "%s", s->is_static ? "static" : "implicit_euler");
  else if (!strcmp(name, "elements"))
    snprintf(out, size, "%s", s->solid->nodes == 10 ? "quadratic" : "linear");
  else if (!strcmp(name, "mass"))
    snprintf(out, size, "%s", n->assembly.consistent ? "consistent" : "lumped");
  else if (!strcmp(name, "projection"))
    snprintf(out, size, "%s",
             n->projection == NH_PROJECT_ALWAYS     ? "always"
             : n->projection == NH_PROJECT_ADAPTIVE ? "adaptive"
                                                    : "never");
  else if (!strcmp(name, "iterations"))
    snprintf(out, size, "%d", n->iterations);
  else if (!strcmp(name, "tolerance"))
    snprintf(out, size, "%.10g", n->tolerance);
  else if (!strcmp(name, "threads"))
    snprintf(out, size, "%d", n->assembly.threads);
  else
    return vb_bad_input(error, "the neohookean solver has no option \"%s\"", name);
  return VB_OK;
}

/// Prediction, and loads with gravity's, for a step that ends at `time`.
static void predict(neohookean *s, double time, double h) {
  size_t n = 3 * s->solid->n_nodes;
  const double *g = vb_scene_world(s->scene)->gravity;
  for (size_t i = 0; i < n; i++) {
    s->hat[i] = s->x[i] + (s->is_static ? 0 : h * s->v[i]);
    s->moved[i] = g[i % 3];
  }
  nh_solid_multiply_mass(s->solid, s->newton.assembly.consistent, s->moved, s->load);
  nh_boundary_loads(s->solid, time, s->load);
}

/// Adds the work of the step that moved nodes from `old`: of drivers the force on what is held
/// times its way (in statics the mean of the forces before and after), of loads likewise; of
/// activations what the energy changes with them where nodes were (in statics the mean of that and
/// of where they are).
static void add_work(neohookean *s, const double *old, const double *old_pull, double time) {
  size_t n_drivers = vb_scene_count(s->scene, VB_SET_DRIVER), n_loads;
  const vb_load *load = vb_scene_loads(s->scene, &n_loads);
  bool mean = s->is_static && s->progress.n_steps > 0;
  for (size_t i = 0; i < 3 * s->solid->n_nodes; i++)
    if (s->boundary.held[i / 3] >> (i % 3) & 1)
      s->work[s->boundary.driver[i / 3]] +=
          (mean ? 0.5 * (old_pull[i] + s->pull[i]) : s->pull[i]) * (s->x[i] - old[i]);
  for (size_t k = 0; k < n_loads; k++) {
    double factor = vb_scene_curve(s->scene, load[k].amplitude, time, 1);
    for (size_t c = 0; c < 3; c++) {
      size_t at = 3 * (size_t)load[k].index + c;
      s->work[n_drivers + k] += factor * load[k].force[c] * (s->x[at] - old[at]);
    }
  }
  double before = (double)s->progress.n_steps * vb_scene_world(s->scene)->step;
  double share = s->is_static ? 0.5 : 1;
  double *of_active = s->work + n_drivers + n_loads;
  nh_active_work(s->solid, before, time, old, share, of_active);
  if (s->is_static)
    nh_active_work(s->solid, before, time, s->x, share, of_active);
}

/// Velocities from the way of a step, and what is kept of it.
static void finish_step(neohookean *s, const double *old, double time, double h) {
  size_t n = 3 * s->solid->n_nodes;
  double rate = 1 / (h * (1 + vb_scene_world(s->scene)->damping * h));
  double *old_pull = s->moved; // its memory is free now
  memcpy(old_pull, s->pull, n * sizeof *old_pull);
  memcpy(s->pull, s->newton.gradient, n * sizeof *s->pull);
  for (size_t i = 0; i < n; i++)
    s->v[i] = s->is_static ? 0 : rate * (s->x[i] - old[i]);
  add_work(s, old, old_pull, time);
  s->progress.n_steps++;
  if (s->progress.report.finite)
    return;
  s->progress.divergence = (vb_divergence){.diverged = true, .step = s->progress.n_steps};
  snprintf(s->progress.divergence.what, sizeof s->progress.divergence.what,
           "the step begins where its energy is not finite");
}

static vb_status step(void *self, int64_t count, vb_error *error) {
  neohookean *s = self;
  double h = vb_scene_world(s->scene)->step;
  size_t size = 3 * s->solid->n_nodes * sizeof(double);
  double *old = malloc(size);
  vb_status status = old ? VB_OK : vb_error_memory(error);
  for (int64_t k = 0; !status && k < count && !s->progress.divergence.diverged; k++) {
    double time = (double)(s->progress.n_steps + 1) * h;
    memcpy(old, s->x, size);
    predict(s, time, h);
    nh_boundary_moves(&s->boundary, s->solid, s->start, time, s->x, s->moved);
    nh_active_at(s->solid, time);
    status = nh_newton_minimize(&s->newton, s->x, s->moved, &s->progress.report, error);
    if (!status)
      finish_step(s, old, time, h);
    else
      memcpy(s->x, old, size);
  }
  free(old);
  return status;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((neohookean *)self)->progress.divergence;
  return VB_OK;
}

static size_t state_size(const void *self) {
  return sizeof(nh_progress) + saved_doubles(self) * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  const neohookean *s = self;
  memcpy(state, &s->progress, sizeof s->progress);
  memcpy((char *)state + sizeof s->progress, s->x, saved_doubles(s) * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  neohookean *s = self;
  memcpy(&s->progress, state, sizeof s->progress);
  memcpy(s->x, (const char *)state + sizeof s->progress, saved_doubles(s) * sizeof(double));
  nh_active_at(s->solid, (double)s->progress.n_steps * vb_scene_world(s->scene)->step);
  return VB_OK;
}

static vb_status read_enclosed(const neohookean *s, double *out, vb_error *error) {
  if (s->surface.n_triangles == 0)
    return VB_OK;
  double *vertices = malloc(3 * s->surface.n_vertices * sizeof *vertices);
  if (!vertices)
    return vb_error_memory(error);
  nh_surface_vertices(&s->surface, s->solid, s->x, vertices);
  *out = nh_surface_volume(&s->surface, vertices);
  free(vertices);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const neohookean *s = self;
  if (field >= NH_FIELD_COUNT)
    return 0;
  switch (nh_describe()->fields[field].location) {
  case VB_AT_NODE:
    return s->solid->n_corners;
  case VB_AT_TETRAHEDRON:
    return s->solid->n_elements;
  case VB_AT_VERTEX:
    return s->surface.n_vertices;
  default:
    return field == NH_FIELD_ENCLOSED_VOLUME ? s->surface.n_triangles > 0 : 1;
  }
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  const neohookean *s = self;
  const nh_report *report = &s->progress.report;
  size_t corners = 3 * s->solid->n_corners * sizeof *out;
  bool consistent = s->newton.assembly.consistent;
  switch ((nh_field)field) {
  case NH_FIELD_POSITION:
    memcpy(out, s->x, corners);
    return VB_OK;
  case NH_FIELD_VELOCITY:
    memcpy(out, s->v, corners);
    return VB_OK;
  case NH_FIELD_MASS:
    memcpy(out, s->solid->mass, s->solid->n_corners * sizeof *out);
    return VB_OK;
  case NH_FIELD_ELEMENT_VOLUME:
    nh_measure_volumes(s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_DILATION:
    nh_measure_dilations(s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_DEFORMATION:
    nh_measure_deformations(s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_STRESS:
    nh_measure_stresses(s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_VOLUME:
    *out = nh_measure_volume(s->solid, s->x);
    return VB_OK;
  case NH_FIELD_DILATION_RANGE:
    nh_measure_dilation_range(s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_MOMENTUM:
    return nh_measure_momentum(s->solid, consistent, s->x, s->v, out, NULL, error);
  case NH_FIELD_ANGULAR_MOMENTUM:
    return nh_measure_momentum(s->solid, consistent, s->x, s->v, NULL, out, error);
  case NH_FIELD_ITERATIONS:
    *out = report->iterations;
    return VB_OK;
  case NH_FIELD_RESIDUALS:
    memcpy(out, report->residual, sizeof report->residual);
    return VB_OK;
  case NH_FIELD_PROJECTED:
    *out = report->projected;
    return VB_OK;
  case NH_FIELD_SHIFT:
    *out = report->shift;
    return VB_OK;
  case NH_FIELD_VERTICES:
    nh_surface_vertices(&s->surface, s->solid, s->x, out);
    return VB_OK;
  case NH_FIELD_ENCLOSED_VOLUME:
    return read_enclosed(s, out, error);
  case NH_FIELD_COUNT:
    break;
  }
  return vb_bad_input(error, "the neohookean solver has no field number %zu", field);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  const neohookean *s = self;
  return nh_measure_energies(s->solid, s->newton.assembly.consistent, s->x, s->v, out, error);
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  const neohookean *s = self;
  memcpy(out, s->work, s->n_work * sizeof *out);
  return VB_OK;
}

static vb_status residual(void *self, double *out, vb_error *error) {
  (void)error;
  *out = ((neohookean *)self)->progress.report.residual[NH_KEPT - 1];
  return VB_OK;
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const neohookean *s = self;
  size_t n_drivers;
  const vb_driver *driver = vb_scene_drivers(s->scene, &n_drivers);
  memset(force, 0, 3 * n_drivers * sizeof *force);
  memset(torque, 0, 3 * n_drivers * sizeof *torque);
  double time = (double)s->progress.n_steps * vb_scene_world(s->scene)->step;
  for (size_t i = 0; i < s->solid->n_nodes; i++) {
    if (!s->boundary.held[i])
      continue;
    int32_t k = s->boundary.driver[i];
    double q[4], b[3], center[3], f[3], arm[3], moment[3];
    vb_driver_motion(s->scene, k, time, q, b);
    vb_rigid_move(q, b, driver[k].origin, center);
    for (int c = 0; c < 3; c++) {
      f[c] = s->boundary.held[i] >> c & 1 ? s->pull[3 * i + (size_t)c] : 0;
      arm[c] = s->x[3 * i + (size_t)c] - center[c];
      force[3 * k + c] += f[c];
    }
    vb_cross(arm, f, moment);
    for (int c = 0; c < 3; c++)
      torque[3 * k + c] += moment[c];
  }
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  const neohookean *s = self;
  memcpy(out, s->newton.timer, sizeof s->newton.timer);
  return VB_OK;
}

const vb_solver neohookean_solver = {
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
