// SPDX-License-Identifier: GPL-3.0-or-later
/// A plain mass-spring rod, as a plug-in in C: copy it and change what is between its points.
///
/// Nodes are points of mass. A spring along each segment, of the stiffness of a slow pull on the
/// rod; a weaker one across each joint, which keeps the rod from folding. No frames; scales are 1.
/// Symplectic Euler in substeps that are short enough to be stable.
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SET(tag) (UINT64_C(1) << (tag))
#define PI       3.14159265358979323846

/// Stiffness of the spring across a joint, of that along its segments.
static const double FOLD = 1e-3;

enum { POSITION, VELOCITY, SCALE, MOMENTUM, N_FIELDS };
enum { STRETCH, FOLDING, KINETIC, GRAVITY, N_ENERGIES };
enum { SUBSTEPS, N_OPTIONS };

typedef struct spring {
  int32_t node[2];
  double rest;      ///< m
  double stiffness; ///< N/m
  int energy;       ///< STRETCH or FOLDING
} spring;

/// All that a step changes, one array after the other in `x`: positions, velocities, works of
/// drivers and loads, steps taken, step that diverged or 0.
typedef struct state {
  double *x; ///< (n_nodes x 3) m
  double *v; ///< (n_nodes x 3) m/s
  double *work;
  double *n_steps;
  double *diverged;
  size_t bytes;
} state;

typedef struct rod {
  const vb_scene *scene;
  size_t n_nodes, n_springs, n_drivers, n_loads;
  spring *springs;
  double *mass;     ///< (n_nodes) kg
  double *force;    ///< (n_nodes x 3) N, of springs, gravity and loads, at the latest positions
  uint32_t *pinned; ///< (n_nodes) vb_pin_mask
  state now;
  int stable;   ///< substeps that are stable
  int substeps; ///< in use
  double seconds;
} rod;

static const vb_solver_description *describe(const vb_solver *solver) {
  static const vb_field fields[N_FIELDS] = {
      {"position", VB_AT_NODE, 3, "m", "positions of nodes"},
      {"velocity", VB_AT_NODE, 3, "m s-1", "velocities of nodes"},
      {"scale", VB_AT_NODE, 1, "1", "scales of nodes: 1"},
      {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum of all nodes"},
  };
  static const vb_energy energies[N_ENERGIES] = {
      {"stretch", "of the springs along segments", true},
      {"folding", "of the springs across joints", true},
      {"kinetic", "of the points", false},
      {"gravity", "potential of gravity, 0 at the origin", true},
  };
  static const vb_option_info options[N_OPTIONS] = {
      {"substeps", "0", NULL, 0, 1e6, true, true, "substeps per step; 0: as many as are stable"},
  };
  static const char *const phases[] = {"step"};
  static const vb_solver_description description = {
      .name = "mass-spring",
      .long_name = "points of mass and springs, in C",
      .sets = SET(VB_SET_WORLD) | SET(VB_SET_BODY) | SET(VB_SET_NODE) | SET(VB_SET_SEGMENT) |
              SET(VB_SET_JOINT) | SET(VB_SET_PIN) | SET(VB_SET_DRIVER) | SET(VB_SET_LOAD),
      .fields = fields,
      .n_fields = N_FIELDS,
      .energies = energies,
      .n_energies = N_ENERGIES,
      .options = options,
      .n_options = N_OPTIONS,
      .phases = phases,
      .n_phases = 1,
      .has_residual = false,
      .has_reactions = true,
  };
  (void)solver;
  return &description;
}

static void destroy(void *self) {
  rod *r = self;
  if (!r)
    return;
  free(r->springs);
  free(r->mass);
  free(r->force);
  free(r->pinned);
  free(r->now.x);
  free(r);
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
              (b[2] - a[2]) * (b[2] - a[2]));
}

/// Young's modulus of a slow pull: the section shrinks as the rod grows longer.
static double modulus(const vb_segment *s) {
  const double *k = s->stiffness;
  double across = k[VB_KX] + k[VB_KY] + 4 * k[VB_KV];
  return k[VB_KZ] + k[VB_KV] - (across > 0 ? 4 * k[VB_KV] * k[VB_KV] / across : 0);
}

static double stiffness(const vb_segment *s, const vb_node *node) {
  double radius = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
  return modulus(s) * PI * radius * radius / s->rest_length;
}

static void add_spring(rod *r, const vb_node *node, int32_t a, int32_t b, double k, int energy) {
  r->springs[r->n_springs++] =
      (spring){{a, b}, distance(node[a].rest_position, node[b].rest_position), k, energy};
}

static void make_springs(rod *r) {
  size_t n_nodes, n_segments, n_joints;
  const vb_node *node = vb_scene_nodes(r->scene, &n_nodes);
  const vb_segment *segment = vb_scene_segments(r->scene, &n_segments);
  const vb_joint *joint = vb_scene_joints(r->scene, &n_joints);
  for (size_t j = 0; j < n_segments; j++) {
    const vb_segment *s = &segment[j];
    double radius = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
    double half = 0.5 * s->density * PI * radius * radius * s->rest_length;
    r->mass[s->node[0]] += half;
    r->mass[s->node[1]] += half;
    add_spring(r, node, s->node[0], s->node[1], stiffness(s, node), STRETCH);
  }
  for (size_t i = 0; i < n_joints; i++) {
    const vb_segment *s = &segment[joint[i].segment[0]], *t = &segment[joint[i].segment[1]];
    int32_t a = s->node[s->node[0] == joint[i].node], b = t->node[t->node[0] == joint[i].node];
    add_spring(r, node, a, b, FOLD * fmin(stiffness(s, node), stiffness(t, node)), FOLDING);
  }
}

/// Substeps so short that the fastest oscillation, bounded by the sum of the springs at each point
/// (Gershgorin), turns by one radian at most: symplectic Euler is stable below two.
static int count_stable(const rod *r) {
  double fastest = 0, *sum = calloc(r->n_nodes + 1, sizeof *sum);
  if (!sum)
    return 0;
  for (size_t i = 0; i < r->n_springs; i++)
    for (int e = 0; e < 2; e++)
      sum[r->springs[i].node[e]] += 2 * r->springs[i].stiffness;
  for (size_t i = 0; i < r->n_nodes; i++)
    if (r->mass[i] > 0)
      fastest = fmax(fastest, sqrt(sum[i] / r->mass[i]));
  free(sum);
  return (int)fmin(1e6, ceil(vb_scene_world(r->scene)->step * fastest) + 1);
}

/// Loads act on points alone: what acts on scales and frames finds nothing here.
static vb_status check_loads(const vb_scene *scene, vb_error *error) {
  size_t n;
  const vb_load *load = vb_scene_loads(scene, &n);
  for (size_t i = 0; i < n; i++)
    if (load[i].location != VB_AT_NODE || load[i].scale_force != 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %zu (%s) acts on a scale or a frame, which mass-spring has not", i,
                          load[i].name);
  return VB_OK;
}

static bool allocate(rod *r) {
  size_t n_springs =
      vb_scene_count(r->scene, VB_SET_SEGMENT) + vb_scene_count(r->scene, VB_SET_JOINT);
  size_t n_numbers = 6 * r->n_nodes + r->n_drivers + r->n_loads + 2;
  r->springs = calloc(n_springs + 1, sizeof *r->springs);
  r->mass = calloc(r->n_nodes + 1, sizeof *r->mass);
  r->force = calloc(3 * r->n_nodes + 1, sizeof *r->force);
  r->pinned = calloc(r->n_nodes + 1, sizeof *r->pinned);
  r->now.x = calloc(n_numbers, sizeof *r->now.x);
  if (!r->springs || !r->mass || !r->force || !r->pinned || !r->now.x)
    return false;
  r->now.v = r->now.x + 3 * r->n_nodes;
  r->now.work = r->now.v + 3 * r->n_nodes;
  r->now.n_steps = r->now.work + r->n_drivers + r->n_loads;
  r->now.diverged = r->now.n_steps + 1;
  r->now.bytes = n_numbers * sizeof *r->now.x;
  return true;
}

/// Positions and velocities at time 0, and what is pinned.
static void start(rod *r) {
  size_t n;
  const vb_node *node = vb_scene_nodes(r->scene, &n);
  for (size_t i = 0; i < n; i++) {
    memcpy(r->now.x + 3 * i, node[i].position, sizeof node[i].position);
    memcpy(r->now.v + 3 * i, node[i].velocity, sizeof node[i].velocity);
  }
  const vb_pin *pin = vb_scene_pins(r->scene, &n);
  for (size_t i = 0; i < n; i++)
    if (pin[i].location == VB_AT_NODE)
      r->pinned[pin[i].index] = pin[i].mask;
  for (size_t i = 0; i < r->n_nodes; i++)
    for (size_t k = 0; k < 3; k++)
      if (r->pinned[i] >> k & 1)
        r->now.v[3 * i + k] = 0;
}

static void set_substeps(rod *r, const char *value) {
  int n = (int)strtod(value, NULL);
  r->substeps = n > 0 ? n : r->stable;
}

static void add_forces(rod *r);

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  const vb_solver_description *about = describe(solver);
  vb_status status = vb_solver_check_options(about, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(about, scene, error);
  if (!status)
    status = check_loads(scene, error);
  if (status)
    return status;
  rod *r = calloc(1, sizeof *r);
  if (!r)
    return vb_error_memory(error);
  r->scene = scene;
  r->n_nodes = vb_scene_count(scene, VB_SET_NODE);
  r->n_drivers = vb_scene_count(scene, VB_SET_DRIVER);
  r->n_loads = vb_scene_count(scene, VB_SET_LOAD);
  if (!allocate(r)) {
    destroy(r);
    return vb_error_memory(error);
  }
  make_springs(r);
  r->stable = count_stable(r);
  if (r->stable == 0) {
    destroy(r);
    return vb_error_memory(error);
  }
  set_substeps(r, vb_solver_option(about, options, n_options, "substeps"));
  start(r);
  add_forces(r);
  *out = r;
  return VB_OK;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(describe(NULL), &option, 1, error);
  if (!status)
    set_substeps(self, value); // the only option
  return status;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  if (strcmp(name, "substeps") != 0)
    return vb_error_set(error, VB_BAD_INPUT, "mass-spring has no option \"%s\"", name);
  snprintf(out, size, "%d", ((rod *)self)->substeps);
  return VB_OK;
}

/// Forces at the present positions.
static void add_forces(rod *r) {
  const double *g = vb_scene_world(r->scene)->gravity;
  size_t n;
  const vb_load *load = vb_scene_loads(r->scene, &n);
  for (size_t i = 0; i < 3 * r->n_nodes; i++)
    r->force[i] = r->mass[i / 3] * g[i % 3];
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      r->force[3 * load[i].index + k] += load[i].force[k];
  for (size_t i = 0; i < r->n_springs; i++) {
    const spring *s = &r->springs[i];
    const double *a = r->now.x + 3 * s->node[0], *b = r->now.x + 3 * s->node[1];
    double length = distance(a, b);
    double pull = length > 0 ? s->stiffness * (length - s->rest) / length : 0;
    for (int k = 0; k < 3; k++) {
      double f = pull * (b[k] - a[k]);
      r->force[3 * s->node[0] + k] += f;
      r->force[3 * s->node[1] + k] -= f;
    }
  }
}

static void substep(rod *r, double h) {
  size_t n;
  const vb_load *load = vb_scene_loads(r->scene, &n);
  double keep = exp(-h * vb_scene_world(r->scene)->damping);
  for (size_t i = 0; i < 3 * r->n_nodes; i++) {
    bool held = r->pinned[i / 3] >> (i % 3) & 1;
    if (held || r->mass[i / 3] == 0)
      continue;
    r->now.v[i] = keep * (r->now.v[i] + h * r->force[i] / r->mass[i / 3]);
    r->now.x[i] += h * r->now.v[i];
  }
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      r->now.work[r->n_drivers + i] += h * load[i].force[k] * r->now.v[3 * load[i].index + k];
  add_forces(r);
}

static bool is_finite(const rod *r) {
  double sum = 0; // not finite where any is not
  for (size_t i = 0; i < 6 * r->n_nodes; i++)
    sum += 0 * r->now.x[i];
  return sum == 0;
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  rod *r = self;
  struct timespec from, to;
  (void)error;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int64_t k = 0; k < n && *r->now.diverged == 0; k++) {
    for (int i = 0; i < r->substeps; i++)
      substep(r, vb_scene_world(r->scene)->step / r->substeps);
    *r->now.n_steps += 1;
    if (!is_finite(r))
      *r->now.diverged = *r->now.n_steps;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  r->seconds += (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  const rod *r = self;
  (void)error;
  *divergence =
      (vb_divergence){.diverged = *r->now.diverged > 0, .step = (int64_t)*r->now.diverged};
  if (divergence->diverged)
    snprintf(divergence->what, sizeof divergence->what, "a position or velocity is not finite");
  return VB_OK;
}

static size_t state_size(const void *self) {
  return ((const rod *)self)->now.bytes;
}

static vb_status save(void *self, void *out, vb_error *error) {
  const rod *r = self;
  (void)error;
  memcpy(out, r->now.x, r->now.bytes);
  return VB_OK;
}

static vb_status restore(void *self, const void *from, vb_error *error) {
  rod *r = self;
  (void)error;
  memcpy(r->now.x, from, r->now.bytes);
  add_forces(r);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const rod *r = self;
  return field == MOMENTUM ? 1 : field < N_FIELDS ? r->n_nodes : 0;
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  const rod *r = self;
  if (field >= N_FIELDS)
    return vb_error_set(error, VB_BAD_INPUT, "mass-spring has no field number %zu", field);
  for (size_t i = 0; field == SCALE && i < r->n_nodes; i++)
    out[i] = 1;
  if (field == POSITION || field == VELOCITY)
    memcpy(out, field == POSITION ? r->now.x : r->now.v, 3 * r->n_nodes * sizeof *out);
  if (field == MOMENTUM)
    out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; field == MOMENTUM && i < 3 * r->n_nodes; i++)
    out[i % 3] += r->mass[i / 3] * r->now.v[i];
  return VB_OK;
}

static vb_status energies(void *self, double *out, vb_error *error) {
  const rod *r = self;
  const double *g = vb_scene_world(r->scene)->gravity;
  (void)error;
  memset(out, 0, N_ENERGIES * sizeof *out);
  for (size_t i = 0; i < r->n_springs; i++) {
    const spring *s = &r->springs[i];
    double longer = distance(r->now.x + 3 * s->node[0], r->now.x + 3 * s->node[1]) - s->rest;
    out[s->energy] += 0.5 * s->stiffness * longer * longer;
  }
  for (size_t i = 0; i < 3 * r->n_nodes; i++) {
    out[KINETIC] += 0.5 * r->mass[i / 3] * r->now.v[i] * r->now.v[i];
    out[GRAVITY] -= r->mass[i / 3] * g[i % 3] * r->now.x[i];
  }
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  const rod *r = self;
  (void)error;
  if (r->n_drivers + r->n_loads > 0)
    memcpy(out, r->now.work, (r->n_drivers + r->n_loads) * sizeof *out);
  return VB_OK;
}

/// A pin exerts what the other forces on its point leave to be held.
static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  const rod *r = self;
  size_t n_pins, n_drivers;
  const vb_pin *pin = vb_scene_pins(r->scene, &n_pins);
  const vb_driver *driver = vb_scene_drivers(r->scene, &n_drivers);
  (void)error;
  for (size_t i = 0; i < 3 * n_drivers; i++)
    force[i] = torque[i] = 0;
  for (size_t m = 0; m < n_pins; m++) {
    double f[3], arm[3];
    if (pin[m].location != VB_AT_NODE)
      continue;
    for (int k = 0; k < 3; k++) {
      f[k] = pin[m].mask >> k & 1 ? -r->force[3 * pin[m].index + k] : 0;
      arm[k] = r->now.x[3 * pin[m].index + k] - driver[pin[m].driver].origin[k];
      force[3 * pin[m].driver + k] += f[k];
    }
    for (int k = 0; k < 3; k++)
      torque[3 * pin[m].driver + k] +=
          arm[(k + 1) % 3] * f[(k + 2) % 3] - arm[(k + 2) % 3] * f[(k + 1) % 3];
  }
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  *out = ((const rod *)self)->seconds;
  return VB_OK;
}

const vb_solver *vb_plugin(void) {
  static const vb_solver solver = {
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
      .reactions = reactions,
      .timings = timings,
      .destroy = destroy,
  };
  return &solver;
}
