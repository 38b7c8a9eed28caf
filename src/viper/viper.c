// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/viper.h"

#include "scene/rotation.h"
#include "viper/cost.h"
#include "viper/cpu/cpu.h"
#include "viper/cpu/lanes.h"
#include "viper/description.h"
#include "viper/skin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// An instance of the VIPER solver: what is common to backends and precisions.
typedef struct viper {
  const vb_scene *scene;
  viper_model *model;
  viper_elimination *elimination; ///< of the whole model, for loose bodies
  viper_links *links;             ///< likewise
  viper_kinds kinds;
  viper_skin skin;
  const viper_cpu_api *api; ///< in the working precision
  void *cpu;
  void *judge; ///< in double: evaluates energies, residual and reactions; `cpu` itself where that
               ///< is double and no bodies are worked on side by side
  viper_settings settings;
  const char *instructions; ///< of the variant that runs
  bool fast;
  viper_state state; ///< the state in double, as of the latest viper_fetch
  bool fetched;      ///< whether `state` and `judge` hold the current state
  int64_t n_steps;
  double substep; ///< length of the latest substep, s
  vb_divergence divergence;
  double *work; ///< n_drivers + n_loads, J
  size_t n_work;
  double timer[VIPER_TIMER_COUNT];
} viper;

static void destroy(void *self) {
  viper *v = self;
  if (!v)
    return;
  if (v->judge != v->cpu)
    viper_cpu_f64.destroy(v->judge);
  if (v->api)
    v->api->destroy(v->cpu);
  viper_kinds_destroy(&v->kinds);
  viper_elimination_destroy(v->elimination);
  viper_links_destroy(v->links);
  viper_skin_destroy(&v->skin);
  viper_model_destroy(v->model);
  free(v->state.node);
  free(v->work);
  free(v);
}

/// Doubles in a state: the arrays of viper_state, one after the other.
static size_t state_doubles(const viper_model *m) {
  return 12 * m->n_nodes + 11 * m->n_segments;
}

static vb_status allocate_state(viper *v, vb_error *error) {
  const viper_model *m = v->model;
  double *all = calloc(state_doubles(m) + 1, sizeof *all);
  v->n_work = vb_scene_count(v->scene, VB_SET_DRIVER) + vb_scene_count(v->scene, VB_SET_LOAD);
  v->work = calloc(v->n_work + 1, sizeof *v->work);
  v->state.node = all;
  if (!all || !v->work)
    return vb_error_memory(error);
  v->state.node_rate = all + 4 * m->n_nodes;
  v->state.node_hat = all + 8 * m->n_nodes;
  v->state.frame = all + 12 * m->n_nodes;
  v->state.frame_hat = v->state.frame + 4 * m->n_segments;
  v->state.frame_rate = v->state.frame + 8 * m->n_segments;
  return VB_OK;
}

/// The scene's initial state; the prediction is the state itself.
static void initial_state(viper *v) {
  const viper_model *m = v->model;
  size_t n;
  const vb_node *node = vb_scene_nodes(v->scene, &n);
  const vb_segment *segment = vb_scene_segments(v->scene, &n);
  for (size_t i = 0; i < m->n_nodes; i++) {
    const vb_node *from = &node[m->node[i].scene_index];
    for (int k = 0; k < 3; k++) {
      v->state.node[4 * i + k] = v->state.node_hat[4 * i + k] = from->position[k];
      v->state.node_rate[4 * i + k] = from->velocity[k];
    }
    v->state.node[4 * i + 3] = v->state.node_hat[4 * i + 3] = from->scale;
    v->state.node_rate[4 * i + 3] = from->scale_rate;
  }
  for (size_t j = 0; j < m->n_segments; j++) {
    const vb_segment *from = &segment[m->segment[j].scene_index];
    memcpy(v->state.frame + 4 * j, from->frame, 4 * sizeof(double));
    memcpy(v->state.frame_hat + 4 * j, from->frame, 4 * sizeof(double));
    memcpy(v->state.frame_rate + 3 * j, from->angular_velocity, 3 * sizeof(double));
  }
}

/// A value that was checked to be a whole number in range; "1e3" is one, too.
static int whole(const char *value) {
  return (int)strtod(value, NULL);
}

/// By viper_method.
static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};

static viper_method method_of(const char *name) {
  viper_method m = VIPER_DIRECT;
  while (strcmp(methods[m], name) != 0)
    m++;
  return m;
}

static void apply_setting(viper_settings *s, const char *name, const char *value) {
  if (!strcmp(name, "method"))
    s->method = method_of(value);
  else if (!strcmp(name, "threads"))
    s->threads = whole(value) > 0 ? whole(value) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  else if (!strcmp(name, "iterations"))
    s->iterations = whole(value);
  else if (!strcmp(name, "substeps"))
    s->substeps = whole(value);
  else if (!strcmp(name, "tolerance"))
    s->tolerance = strtod(value, NULL);
}

static vb_status read_options(viper *v, const vb_option *options, size_t n_options,
                              vb_error *error) {
  const vb_solver_description *d = viper_describe();
  for (size_t i = 0; i < d->n_options; i++) {
    const char *name = d->options[i].name;
    apply_setting(&v->settings, name, vb_solver_option(d, options, n_options, name));
  }
  const char *precision = vb_solver_option(d, options, n_options, "precision");
  v->api = !strcmp(precision, "float") ? &viper_cpu_f32 : &viper_cpu_f64;
  v->fast = !strcmp(vb_solver_option(d, options, n_options, "arithmetic"), "fast");
  v->instructions = vb_solver_option(d, options, n_options, "instructions");
  if (!strcmp(v->instructions, "auto"))
    v->instructions = viper_lanes_best();
  else if (!viper_lanes_has(v->instructions))
    return vb_error_set(error, VB_UNAVAILABLE, "this machine has no %s instructions; take auto",
                        v->instructions);
  if (!v->instructions)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "this machine has less than the x86-64-v2 instructions");
  v->instructions = viper_lanes_name(v->instructions); // lives as long as the program
  return VB_OK;
}

static vb_status build(viper *v, vb_error *error) {
  bool direct = v->settings.method == VIPER_DIRECT;
  bool bundles = vb_scene_count(v->scene, VB_SET_BUNDLE) > 0; // tie bodies to each other
  vb_status status = viper_model_create(v->scene, &v->model, error);
  if (!status)
    status = allocate_state(v, error);
  if (!status)
    status = viper_skin_create(v->model, &v->skin, error);
  if (!status)
    status = viper_kinds_create(v->model, bundles, direct, &v->kinds, error);
  if (!status && direct && v->kinds.n_loose > 0)
    status = viper_elimination_create(v->model, &v->elimination, error);
  if (!status && !direct && v->kinds.n_loose > 0)
    status = viper_links_create(v->model, &v->links, error);
  if (status)
    return status;
  int bits = v->api == &viper_cpu_f32 ? 32 : 64;
  viper_cpu_setup setup = {v->elimination,     v->links,
                           &v->kinds,          viper_lanes_find(bits, v->instructions, v->fast),
                           v->settings.method, v->settings.threads};
  status = v->api->create(v->model, &setup, &v->cpu, error);
  if (!status && v->api == &viper_cpu_f64 && v->kinds.n_kinds == 0)
    v->judge = v->cpu;
  else if (!status)
    status = viper_cpu_f64.create(v->model, NULL, &v->judge, error);
  return status;
}

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return viper_describe();
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = viper_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (status)
    return status;
  if (!strcmp(vb_solver_option(d, options, n_options, "backend"), "cuda"))
    return vb_error_set(error, VB_UNAVAILABLE, "this build has no cuda backend; take auto or cpu");
  viper *v = calloc(1, sizeof *v);
  if (!v)
    return vb_error_memory(error);
  v->scene = scene;
  status = read_options(v, options, n_options, error);
  if (!status)
    status = build(v, error);
  if (status) {
    destroy(v);
    return status;
  }
  initial_state(v);
  v->api->put(v->cpu, &v->state);
  *out = v;
  return VB_OK;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  viper *v = self;
  const vb_solver_description *d = viper_describe();
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(d, &option, 1, error);
  if (status)
    return status;
  for (size_t i = 0; i < d->n_options; i++)
    if (!strcmp(d->options[i].name, name) && !d->options[i].at_any_time)
      return vb_error_set(error, VB_BAD_INPUT, "option %s cannot change once a run has begun",
                          name);
  apply_setting(&v->settings, name, value);
  return VB_OK;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const viper *v = self;
  const viper_settings *s = &v->settings;
  if (!strcmp(name, "method"))
    snprintf(out, size, "%s", methods[s->method]);
  else if (!strcmp(name, "backend"))
    snprintf(out, size, "cpu");
  else if (!strcmp(name, "precision"))
    snprintf(out, size, "%s", v->api == &viper_cpu_f32 ? "float" : "double");
  else if (!strcmp(name, "arithmetic"))
    snprintf(out, size, "%s", v->fast ? "fast" : "strict");
  else if (!strcmp(name, "instructions"))
    snprintf(out, size, "%s", v->instructions);
  else if (!strcmp(name, "threads"))
    snprintf(out, size, "%d", s->threads);
  else if (!strcmp(name, "iterations"))
    snprintf(out, size, "%d", s->iterations);
  else if (!strcmp(name, "substeps"))
    snprintf(out, size, "%d", s->substeps);
  else if (!strcmp(name, "tolerance"))
    snprintf(out, size, "%.10g", s->tolerance);
  else
    return vb_error_set(error, VB_BAD_INPUT, "the viper solver has no option \"%s\"", name);
  return VB_OK;
}

/// Brings the state to `state` and to the judge.
static void viper_fetch(viper *v) {
  if (v->fetched)
    return;
  v->api->get(v->cpu, &v->state);
  if (v->judge != v->cpu)
    viper_cpu_f64.put(v->judge, &v->state);
  v->fetched = true;
}

/// The first node whose free scale is at its bound (or a rounding error of float from it), or
/// n_nodes.
static size_t find_bounded(const viper *v) {
  size_t i = 0;
  while (i < v->model->n_nodes && (v->model->node[i].pinned & VB_PIN_SCALE ||
                                   !(v->state.node[4 * i + 3] <= VIPER_MINIMUM_SCALE * (1 + 1e-7))))
    i++;
  return i;
}

/// Notes that the step that just ended blew up.
static void note_divergence(viper *v) {
  viper_fetch(v);
  size_t i = find_bounded(v);
  v->divergence.diverged = true;
  v->divergence.step = v->n_steps;
  if (i == v->model->n_nodes)
    snprintf(v->divergence.what, sizeof v->divergence.what,
             "a position, scale or frame is not finite");
  else
    snprintf(v->divergence.what, sizeof v->divergence.what,
             "scale of node %d reached its lower bound %g", v->model->node[i].scene_index,
             VIPER_MINIMUM_SCALE);
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  (void)error;
  viper *v = self;
  double h = vb_scene_world(v->scene)->step;
  for (int64_t k = 0; k < n && !v->divergence.diverged; k++) {
    double time = (double)v->n_steps * h;
    v->substep = h / v->settings.substeps;
    bool trouble = v->api->step(v->cpu, &v->settings, time, h, v->work, v->timer);
    v->n_steps++;
    v->fetched = false;
    if (trouble)
      note_divergence(v);
  }
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((viper *)self)->divergence;
  return VB_OK;
}

/// What `save` writes besides the state.
typedef struct saved {
  int64_t n_steps;
  double substep;
  vb_divergence divergence;
} saved;

static size_t state_size(const void *self) {
  const viper *v = self;
  return sizeof(saved) + (state_doubles(v->model) + v->n_work) * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  viper *v = self;
  char *out = state;
  saved head;
  memset(&head, 0, sizeof head);
  head.n_steps = v->n_steps;
  head.substep = v->substep;
  head.divergence = v->divergence;
  viper_fetch(v);
  memcpy(out, &head, sizeof head);
  memcpy(out + sizeof head, v->state.node, state_doubles(v->model) * sizeof(double));
  memcpy(out + sizeof head + state_doubles(v->model) * sizeof(double), v->work,
         v->n_work * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  viper *v = self;
  const char *in = state;
  saved head;
  memcpy(&head, in, sizeof head);
  v->n_steps = head.n_steps;
  v->substep = head.substep;
  v->divergence = head.divergence;
  memcpy(v->state.node, in + sizeof head, state_doubles(v->model) * sizeof(double));
  memcpy(v->work, in + sizeof head + state_doubles(v->model) * sizeof(double),
         v->n_work * sizeof(double));
  v->api->put(v->cpu, &v->state);
  v->fetched = false;
  return VB_OK;
}

/// Copies `n` components from `from` on of each node's row of four, in the scene's order.
static void read_node(const viper *v, const double *row, int from, int n, double *out) {
  for (size_t i = 0; i < v->model->n_nodes; i++)
    memcpy(out + (size_t)n * (size_t)v->model->node[i].scene_index, row + 4 * i + from,
           (size_t)n * sizeof *out);
}

static void read_segment(const viper *v, const double *row, int n, double *out) {
  for (size_t j = 0; j < v->model->n_segments; j++)
    memcpy(out + (size_t)n * (size_t)v->model->segment[j].scene_index, row + (size_t)n * j,
           (size_t)n * sizeof *out);
}

static void read_momentum(const viper *v, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < v->model->n_nodes; i++)
    for (int k = 0; k < 3; k++)
      out[k] += v->model->node[i].mass * v->state.node_rate[4 * i + k];
}

static void read_mass(const viper *v, double *out) {
  for (size_t i = 0; i < v->model->n_nodes; i++)
    out[v->model->node[i].scene_index] = v->model->node[i].mass;
}

static vb_status read_volume(const viper *v, double *out, vb_error *error) {
  if (v->skin.n_triangles == 0)
    return VB_OK;
  double *vertices = malloc(3 * v->skin.n_vertices * sizeof *vertices);
  if (!vertices)
    return vb_error_memory(error);
  viper_skin_vertices(&v->skin, v->model, v->state.node, v->state.frame, vertices);
  *out = viper_skin_volume(&v->skin, vertices);
  free(vertices);
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const viper *v = self;
  if (field >= VIPER_FIELD_COUNT)
    return 0;
  switch (viper_describe()->fields[field].location) {
  case VB_AT_NODE:
    return v->model->n_nodes;
  case VB_AT_SEGMENT:
    return v->model->n_segments;
  case VB_AT_VERTEX:
    return v->skin.n_vertices;
  default:
    return field == VIPER_FIELD_ENCLOSED_VOLUME ? v->skin.n_triangles > 0 : 1;
  }
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  viper *v = self;
  viper_fetch(v);
  switch ((viper_field)field) {
  case VIPER_FIELD_POSITION:
    read_node(v, v->state.node, 0, 3, out);
    return VB_OK;
  case VIPER_FIELD_SCALE:
    read_node(v, v->state.node, 3, 1, out);
    return VB_OK;
  case VIPER_FIELD_FRAME:
    read_segment(v, v->state.frame, 4, out);
    return VB_OK;
  case VIPER_FIELD_VELOCITY:
    read_node(v, v->state.node_rate, 0, 3, out);
    return VB_OK;
  case VIPER_FIELD_SCALE_RATE:
    read_node(v, v->state.node_rate, 3, 1, out);
    return VB_OK;
  case VIPER_FIELD_ANGULAR_VELOCITY:
    read_segment(v, v->state.frame_rate, 3, out);
    return VB_OK;
  case VIPER_FIELD_MOMENTUM:
    read_momentum(v, out);
    return VB_OK;
  case VIPER_FIELD_MASS:
    read_mass(v, out);
    return VB_OK;
  case VIPER_FIELD_VERTICES:
    viper_skin_vertices(&v->skin, v->model, v->state.node, v->state.frame, out);
    return VB_OK;
  case VIPER_FIELD_ENCLOSED_VOLUME:
    return read_volume(v, out, error);
  case VIPER_FIELD_COUNT:
    break;
  }
  return vb_error_set(error, VB_BAD_INPUT, "the viper solver has no field number %zu", field);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  (void)error;
  viper *v = self;
  viper_fetch(v);
  viper_cpu_f64.energies(v->judge, out);
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  viper *v = self;
  memcpy(out, v->work, v->n_work * sizeof *out);
  return VB_OK;
}

static vb_status residual(void *self, double *out, vb_error *error) {
  (void)error;
  viper *v = self;
  viper_fetch(v);
  // With bundles only the backend itself knows the state before they moved it last.
  bool bundled = vb_scene_count(v->scene, VB_SET_BUNDLE) > 0;
  double value =
      bundled ? v->api->residual(v->cpu, v->substep) : viper_cpu_f64.residual(v->judge, v->substep);
  *out = v->n_steps > 0 ? value : 0;
  return VB_OK;
}

/// Adds what one pin exerts to its driver's force and torque about `center`.
static void add_reaction(const viper *v, const viper_model_pin *pin, const double center[3],
                         const double *node, const double *frame, double force[3],
                         double torque[3]) {
  int32_t i = pin->index;
  if (pin->location == VB_AT_SEGMENT) {
    double world[3];
    vb_quaternion_rotate(v->state.frame + 4 * i, frame + 3 * i, world);
    for (int k = 0; k < 3; k++)
      torque[k] += world[k];
    return;
  }
  double f[3], arm[3], moment[3];
  for (int k = 0; k < 3; k++) {
    f[k] = pin->mask >> k & 1 ? node[4 * i + k] : 0;
    arm[k] = v->state.node[4 * i + k] - center[k];
    force[k] += f[k];
  }
  vb_cross(arm, f, moment);
  for (int k = 0; k < 3; k++)
    torque[k] += moment[k];
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  viper *v = self;
  size_t n_drivers;
  const vb_driver *driver = vb_scene_drivers(v->scene, &n_drivers);
  memset(force, 0, 3 * n_drivers * sizeof *force);
  memset(torque, 0, 3 * n_drivers * sizeof *torque);
  if (v->n_steps == 0 || v->model->n_pins == 0)
    return VB_OK;
  viper_fetch(v);
  double *node = malloc((4 * v->model->n_nodes + 3 * v->model->n_segments + 1) * sizeof *node);
  if (!node)
    return vb_error_memory(error);
  double *frame = node + 4 * v->model->n_nodes;
  double time = (double)v->n_steps * vb_scene_world(v->scene)->step;
  viper_cpu_f64.gradient(v->judge, v->substep, node, frame);
  for (size_t k = 0; k < v->model->n_pins; k++) {
    const viper_model_pin *pin = &v->model->pin[k];
    double center[3], angle;
    vb_driver_at(v->scene, &driver[pin->driver], time, center, &angle);
    for (int c = 0; c < 3; c++)
      center[c] += driver[pin->driver].origin[c];
    add_reaction(v, pin, center, node, frame, force + 3 * pin->driver, torque + 3 * pin->driver);
  }
  free(node);
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  memcpy(out, ((viper *)self)->timer, sizeof((viper *)self)->timer);
  return VB_OK;
}

/// See solver.h; bundles and surfaces are not counted.
static void cost(const void *self, double *bytes, double *operations) {
  const viper *v = self;
  viper_step_cost(v->model, v->elimination, &v->kinds, &v->settings,
                  v->api == &viper_cpu_f32 ? 4 : 8, bytes, operations);
  if (vb_scene_count(v->scene, VB_SET_BUNDLE) > 0)
    *bytes = *operations = NAN;
}

const vb_solver viper_solver = {
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
    .cost = cost,
};
