// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable Neo-Hookean tetrahedra as a solver (see README.md).
#include "activation.h"
#include "measures.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_mass(void *self, double *out) {
  const nh_solid *solid = ((neohookean *)self)->solid;
  memcpy(out, solid->mass, solid->n_corners * sizeof *out);
}

static void read_vertices(void *self, double *out) {
  const neohookean *s = self;
  nh_surface_vertices(&s->surface, s->solid, s->x, out);
}

static size_t count_enclosed(const void *self, size_t n) {
  return ((const neohookean *)self)->surface.n_triangles > 0 ? n : 0;
}

static vb_status read_enclosed(void *self, double *out, vb_error *error) {
  const neohookean *s = self;
  double *vertices = reallocarray(NULL, 3 * s->surface.n_vertices, sizeof *vertices);
  if (!vertices)
    return vb_error_memory(error);
  nh_surface_vertices(&s->surface, s->solid, s->x, vertices);
  *out = nh_surface_volume(&s->surface, vertices);
  free(vertices);
  return VB_OK;
}

#define FIELDS(X)                                                                                  \
  X("position", VB_AT_NODE, 3, "m", "position of each node", .array = VB_ARRAY(x))                 \
  X("velocity", VB_AT_NODE, 3, "m s-1", "velocity of each node", .array = VB_ARRAY(v))             \
  X("mass", VB_AT_NODE, 1, "kg",                                                                   \
    "lumped mass of each node (with elements=quadratic, middles of edges have theirs beside)",     \
    .fill = read_mass)                                                                             \
  X("element_volume", VB_AT_TETRAHEDRON, 1, "m3", "current volume of each tetrahedron",            \
    .fill = nh_read_volumes)                                                                       \
  X("dilation", VB_AT_TETRAHEDRON, 1, "1", "current volume over rest volume of each tetrahedron",  \
    .fill = nh_read_dilations)                                                                     \
  X("deformation", VB_AT_TETRAHEDRON, 9, "1",                                                      \
    "deformation gradient F of each tetrahedron, row by row (the mean of its points)",             \
    .fill = nh_read_deformations)                                                                  \
  X("stress", VB_AT_TETRAHEDRON, 9, "Pa",                                                          \
    "first Piola stress of each tetrahedron, row by row (the mean of its points)",                 \
    .fill = nh_read_stresses)                                                                      \
  X("volume", VB_AT_SCENE, 1, "m3", "current volume of all tetrahedra", .fill = nh_read_volume)    \
  X("dilation_range", VB_AT_SCENE, 2, "1", "least and greatest dilation of a tetrahedron",         \
    .fill = nh_read_dilation_range)                                                                \
  X("momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum", .read = nh_read_momentum)           \
  X("angular_momentum", VB_AT_SCENE, 3, "kg m2 s-1", "angular momentum about the origin",          \
    .read = nh_read_angular_momentum)                                                              \
  X("newton_iterations", VB_AT_SCENE, 1, "1", "Newton iterations of the latest step",              \
    .whole = VB_WHOLE(report.iterations))                                                          \
  X("newton_residuals", VB_AT_SCENE, 3, "1",                                                       \
    "relative residuals of the latest step's last three iterations, the last one last",            \
    .number = VB_NUMBER(report.residual))                                                          \
  X("projected", VB_AT_SCENE, 1, "1",                                                              \
    "tetrahedra whose curvature was projected in the latest step's last iteration",                \
    .whole = VB_WHOLE(report.projected))                                                           \
  X("shift", VB_AT_SCENE, 1, "N m-1",                                                              \
    "what was added to the matrix's diagonal in the latest step's last iteration",                 \
    .number = VB_NUMBER(report.shift))                                                             \
  X("vertices", VB_AT_VERTEX, 3, "m", "vertices of the surface that elements carry",               \
    .fill = read_vertices)                                                                         \
  X("enclosed_volume", VB_AT_SCENE, 1, "m3", "volume that this surface encloses",                  \
    .read = read_enclosed, .count = count_enclosed)

#define OPTIONS(X)                                                                                 \
  X("dynamics", "implicit_euler", "implicit_euler|static", 0, 0, false, false,                     \
    "implicit_euler: backward Euler; static: each step is an equilibrium without inertia", SECOND, \
    is_static)                                                                                     \
  X("elements", "linear", "linear|quadratic", 0, 0, false, false,                                  \
    "linear: four nodes, which lock if nearly incompressible; quadratic: ten nodes, of which the " \
    "solver adds those at mid-edges",                                                              \
    SECOND, quadratic)                                                                             \
  X("mass", "lumped", "lumped|consistent", 0, 0, false, false, "mass matrix", SECOND, consistent)  \
  X("projection", "adaptive", "always|adaptive|never", 0, 0, false, true,                          \
    "projection of element Hessians to positive semidefinite ones; adaptive: in iterations whose " \
    "matrix is otherwise not positive definite",                                                   \
    WORD, settings.projection)                                                                     \
  X("iterations", "50", NULL, 1, 1e6, true, true, "maximum number of Newton iterations per step",  \
    WHOLE, settings.iterations)                                                                    \
  X("tolerance", "1e-10", NULL, 0, 1, false, true,                                                 \
    "relative residual at which a step ends; 0: only at rounding", NUMBER, settings.tolerance)     \
  X("threads", "0", NULL, 0, 1024, true, true, "threads; 0: one per processor", THREADS, threads)

VB_TABLES(neohookean, FIELDS, NH_ENERGIES, OPTIONS)

static const char *const phases[NH_TIMER_COUNT] = {"elements", "gather", "factorize", "solve",
                                                   "search"};

static const vb_solver_description description = {
    .name = "neohookean",
    .long_name = "stable Neo-Hookean tetrahedra (Smith et al. 2018)",
    .sets = VB_TAG_BIT(WORLD) | VB_TAG_BIT(BODY) | VB_TAG_BIT(NODE) | VB_TAG_BIT(PIN) |
            VB_TAG_BIT(DRIVER) | VB_TAG_BIT(LOAD) | VB_TAG_BIT(CURVE) | VB_TAG_BIT(KEY) |
            VB_TAG_BIT(TETRAHEDRON) | VB_TAG_BIT(SURFACE_VERTEX) | VB_TAG_BIT(TRIANGLE) |
            VB_TAG_BIT(PARENT) | VB_TAG_BIT(ACTIVATION) | VB_TAG_BIT(HILL),
    VB_LISTS,
    .phases = phases,
    .n_phases = NH_TIMER_COUNT,
    .has_residual = true,
    .has_reactions = true,
};

static void clear(void *self) {
  neohookean *s = self;
  nh_newton_clear(&s->newton);
  nh_boundary_clear(&s->boundary);
  nh_surface_clear(&s->surface);
  nh_solid_destroy(s->solid);
  free(s->start);
}

static vb_status allocate(neohookean *s, vb_error *error) {
  size_t n = 3 * s->solid->n_nodes, total;
  const vb_state_array arrays[] = {
      {&s->start, n}, {&s->load, n}, {&s->moved, n},
      {&s->old, n},   {&s->x, n},    {&s->v, n},
      {&s->hat, n},   {&s->pull, n}, {&s->work, vb_work_count(s->base.scene)},
  };
  return vb_state_create(arrays, sizeof arrays / sizeof *arrays, &total, error);
}

static vb_status build(void *self, vb_error *error) {
  neohookean *s = self;
  vb_status status = nh_solid_create(s->base.scene, s->quadratic, &s->solid, error);
  if (!status)
    status = nh_surface_create(s->solid, &s->surface, error);
  if (!status)
    status = nh_boundary_create(s->solid, &s->boundary, error);
  if (!status)
    status = nh_newton_create(s->solid, s->boundary.held, &s->newton, error);
  if (!status)
    status = allocate(s, error);
  if (status)
    return status;
  size_t size = 3 * s->solid->n_nodes * sizeof *s->x;
  nh_boundary_start(s->solid, s->start, s->v);
  memcpy(s->x, s->start, size);
  memcpy(s->hat, s->start, size);
  if (nh_active_has_hill(s->solid) && s->is_static)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "dynamics static has no velocities, on which the force of an activation of "
                        "the kind hill depends; use implicit_euler");
  nh_active_start(s->solid, s->x);
  double h = vb_scene_world(s->base.scene)->step;
  s->newton.assembly.inertia = s->is_static ? 0 : 1 / (h * h);
  s->newton.assembly.consistent = s->consistent;
  s->newton.assembly.hat = s->hat;
  s->newton.assembly.load = s->load;
  return VB_OK;
}

static vb_status set(void *self, vb_error *error) {
  (void)error;
  neohookean *s = self;
  s->newton.settings = s->settings;
  s->newton.assembly.threads = s->threads;
  return VB_OK;
}

/// Prediction, and loads with gravity's, for a step that ends at `time`.
static void predict(neohookean *s, double time, double h) {
  size_t n = 3 * s->solid->n_nodes;
  const double *g = vb_scene_world(s->base.scene)->gravity;
  for (size_t i = 0; i < n; i++) {
    s->hat[i] = s->x[i] + (s->is_static ? 0 : h * s->v[i]);
    s->moved[i] = g[i % 3];
  }
  nh_solid_multiply_mass(s->solid, s->consistent, s->moved, s->load);
  nh_boundary_loads(s->solid, time, s->load);
}

/// Adds the work of the step that moved nodes from `old`: of drivers the force on what is held
/// times its way (in statics the mean of the forces before and after), of loads likewise; of
/// activations what the energy changes with them where nodes were (in statics the mean of that and
/// of where they are).
static void add_work(neohookean *s, const double *old, const double *old_pull, double time) {
  size_t n_drivers = vb_scene_count(s->base.scene, VB_SET_DRIVER), n_loads;
  const vb_load *load = vb_scene_loads(s->base.scene, &n_loads);
  bool mean = s->is_static && s->base.n_steps > 0;
  for (size_t i = 0; i < 3 * s->solid->n_nodes; i++)
    if (s->boundary.held[i / 3] >> (i % 3) & 1)
      s->work[s->boundary.driver[i / 3]] +=
          (mean ? 0.5 * (old_pull[i] + s->pull[i]) : s->pull[i]) * (s->x[i] - old[i]);
  for (size_t k = 0; k < n_loads; k++) {
    double factor = vb_scene_curve(s->base.scene, load[k].amplitude, time, 1);
    for (size_t c = 0; c < 3; c++) {
      size_t at = 3 * (size_t)load[k].index + c;
      s->work[n_drivers + k] += factor * load[k].force[c] * (s->x[at] - old[at]);
    }
  }
  double before = vb_instance_time(&s->base);
  double share = s->is_static ? 0.5 : 1;
  double *of_active = s->work + n_drivers + n_loads;
  nh_active_work(s->solid, before, time, old, share, of_active);
  if (s->is_static)
    nh_active_work(s->solid, before, time, s->x, share, of_active);
}

/// Velocities from the way of a step, and what is kept of it.
static void finish_step(neohookean *s, double time, double h) {
  size_t n = 3 * s->solid->n_nodes;
  double rate = 1 / (h * (1 + vb_scene_world(s->base.scene)->damping * h));
  double residual = s->report.residual[NH_KEPT - 1], tolerance = s->settings.tolerance;
  double *old_pull = s->moved; // its memory is free now
  memcpy(old_pull, s->pull, n * sizeof *old_pull);
  memcpy(s->pull, s->newton.gradient, n * sizeof *s->pull);
  for (size_t i = 0; i < n; i++)
    s->v[i] = s->is_static ? 0 : rate * (s->x[i] - s->old[i]);
  add_work(s, s->old, old_pull, time);
  if (!s->report.finite)
    vb_instance_note_divergence(&s->base, "the step begins where its energy is not finite");
  else if (tolerance > 0)
    vb_instance_note_convergence(&s->base, residual <= tolerance, residual, tolerance);
}

/// Muscles by Hill's law go on, as nodes do with the velocities that they have.
static void advance_hills(neohookean *s, double time, double h) {
  if (!nh_active_has_hill(s->solid))
    return;
  double *ahead = s->newton.gradient; // its memory is free before a step
  for (size_t i = 0; i < 3 * s->solid->n_nodes; i++)
    ahead[i] = s->old[i] + h * s->v[i];
  nh_active_advance(s->solid, time, h, ahead);
}

static vb_status step(void *self, vb_error *error) {
  neohookean *s = self;
  double h = vb_scene_world(s->base.scene)->step, time = (double)(s->base.n_steps + 1) * h;
  size_t size = 3 * s->solid->n_nodes * sizeof(double);
  memcpy(s->old, s->x, size);
  predict(s, time, h);
  nh_boundary_moves(&s->boundary, s->solid, s->start, time, s->x, s->moved);
  nh_active_at(s->solid, time);
  advance_hills(s, time, h);
  vb_status status = nh_newton_minimize(&s->newton, s->x, s->moved, &s->report, error);
  if (!status)
    finish_step(s, time, h);
  else
    memcpy(s->x, s->old, size);
  return status;
}

static void carry(void *self, vb_state_copy *copy) {
  neohookean *s = self;
  size_t n = 3 * s->solid->n_nodes;
  VB_CARRY_ONE(copy, s->report);
  VB_CARRY(copy, s->x, n);
  VB_CARRY(copy, s->v, n);
  VB_CARRY(copy, s->hat, n);
  VB_CARRY(copy, s->pull, n);
  if (nh_active_has_hill(s->solid))
    VB_CARRY(copy, s->solid->active, s->solid->n_elements);
  VB_CARRY(copy, s->work, vb_work_count(s->base.scene));
}

static void derive(void *self) {
  neohookean *s = self;
  nh_active_at(s->solid, vb_instance_time(&s->base));
}

static void reactions(void *self, double *force, double *torque) {
  const neohookean *s = self;
  size_t n_drivers;
  const vb_driver *driver = vb_scene_drivers(s->base.scene, &n_drivers);
  double time = vb_instance_time(&s->base);
  for (size_t i = 0; i < s->solid->n_nodes; i++) {
    if (!s->boundary.held[i])
      continue;
    int32_t k = s->boundary.driver[i];
    double q[4], b[3], center[3], f[3], arm[3], moment[3];
    vb_driver_motion(s->base.scene, k, time, q, b);
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
}

static const vb_solver_parts parts = {
    .bytes = sizeof(neohookean),
    .about = &description,
    .fields = reading_list,
    .settings = &setting_table,
    .energies = {.read = nh_read_energies},
    .work = {.array = VB_ARRAY(work)},
    .timer = {.number = VB_NUMBER(newton.timer)},
    .residual = {.number = VB_NUMBER(report.residual[NH_KEPT - 1])},
    .build = build,
    .clear = clear,
    .set = set,
    .step = step,
    .carry = carry,
    .derive = derive,
    .reactions = reactions,
};

VB_INSTANCE_SOLVER(neohookean, parts, .convergence = vb_instance_convergence);
