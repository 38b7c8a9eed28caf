// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/timed_solver.h"

#include "base/clock.h"
#include "solver/plugin/plugin.h"
#include "solver/table.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/// Bytes that the program has allocated.
static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

/// Finds the field of the surfaces, and room for it.
static vb_status find_vertices(vb_timed_solver *timed, vb_error *error) {
  const vb_solver_description *about = timed->about;
  size_t i = 0;
  while (i < about->n_fields && strcmp(about->fields[i].name, "vertices") != 0)
    i++;
  if (i == about->n_fields)
    return vb_bad_input(error, "the solver %s moves no surfaces; leave out \"skins\" of s:bench",
                        about->name);
  size_t n = timed->solver->count(timed->instance, i);
  timed->vertex_field = i;
  timed->vertices = reallocarray(NULL, 3 * n + 1, sizeof *timed->vertices);
  return timed->vertices ? VB_OK : vb_error_memory(error);
}

vb_status vb_timed_solver_open(const vb_run_plan *run, const vb_scene *scene, vb_timed_solver *out,
                               vb_error *error) {
  *out = (vb_timed_solver){.scene = scene};
  vb_status status = vb_solver_find(run->solver, &out->solver, error);
  if (status)
    return status;
  out->about = out->solver->describe(out->solver);
  double before = allocated();
  status = vb_solver_check_scene(out->about, scene, error);
  if (!status)
    status = out->solver->create(out->solver, scene, run->options, run->n_options, &out->instance,
                                 error);
  if (status)
    return status;
  vb_plugin_usage usage;
  bool apart = vb_plugin_find_usage(out->solver, out->instance, &usage);
  out->memory = apart ? usage.memory : fmax(0, allocated() - before);
  out->state_size = out->solver->state_size(out->instance);
  out->state = malloc(out->state_size + 8);
  out->other = malloc(out->state_size + 8);
  if (!out->state || !out->other)
    return vb_error_memory(error);
  return run->bench.moves_skin ? find_vertices(out, error) : VB_OK;
}

void vb_timed_solver_close(vb_timed_solver *timed) {
  if (timed->instance)
    timed->solver->destroy(timed->instance);
  free(timed->state);
  free(timed->other);
  free(timed->vertices);
  *timed = (vb_timed_solver){0};
}

vb_status vb_timed_solver_set(vb_timed_solver *timed, const char *name, int64_t value,
                              vb_error *error) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  return timed->solver->set_option(timed->instance, name, text, error);
}

/// Writes the value of an option in use; leaves `out` where the solver has no such option.
static vb_status read_option(vb_timed_solver *timed, const char *name, char out[VB_BENCH_VALUE],
                             vb_error *error) {
  for (size_t i = 0; i < timed->about->n_options; i++)
    if (strcmp(timed->about->options[i].name, name) == 0)
      return timed->solver->get_option(timed->instance, name, out, VB_BENCH_VALUE, error);
  return VB_OK;
}

vb_status vb_timed_solver_settings(vb_timed_solver *timed, vb_bench_settings *out,
                                   vb_error *error) {
  vb_bench_settings s = {.iterations = 1};
  const struct {
    const char *option;
    char *text;
    int64_t *number;
  } settings[] = {{"method", s.method, NULL},
                  {"backend", s.backend, NULL},
                  {"precision", s.precision, NULL},
                  {"arithmetic", s.arithmetic, NULL},
                  {"instructions", s.instructions, NULL},
                  {"iterations", NULL, &s.iterations},
                  {"substeps", NULL, &s.substeps},
                  {"threads", NULL, &s.threads}};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < sizeof settings / sizeof *settings; i++) {
    char number[VB_BENCH_VALUE] = "1";
    bool is_text = settings[i].text != NULL;
    status = read_option(timed, settings[i].option, is_text ? settings[i].text : number, error);
    if (!status && !is_text)
      *settings[i].number = (int64_t)strtod(number, NULL);
  }
  if (!status)
    *out = s;
  return status;
}

/// Keeps the processor busy for so long.
static void spin(double seconds) {
  double end = vb_clock() + seconds;
  while (vb_clock() < end)
    continue;
}

/// Processor time, and how often it was taken away, of this process or of the solver's own.
static void read_usage(const vb_timed_solver *timed, vb_plugin_usage *out) {
  struct rusage usage;
  if (vb_plugin_find_usage(timed->solver, timed->instance, out))
    return;
  getrusage(RUSAGE_SELF, &usage);
  out->cpu_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
               1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
  out->switches = usage.ru_nivcsw;
}

/// Steps `n` times; with skins, moves them after each.
static vb_status step(vb_timed_solver *timed, int64_t n, vb_error *error) {
  if (!timed->vertices || !timed->saved)
    return timed->solver->step(timed->instance, n, error);
  vb_status status = VB_OK;
  for (int64_t i = 0; i < n && !status; i++) {
    status = timed->solver->step(timed->instance, 1, error);
    if (!status)
      status = timed->solver->read(timed->instance, timed->vertex_field, timed->vertices, error);
  }
  return status;
}

vb_status vb_timed_solver_advance(vb_timed_solver *timed, int64_t n, vb_timing_window *out,
                                  vb_error *error) {
  vb_plugin_usage before, after;
  vb_divergence divergence = {0};
  vb_status status = VB_OK;
  // What a device may still have to do, as bringing back a state, is not part of the steps.
  if (timed->on_device)
    status = timed->solver->sync(timed->instance, &divergence, error);
  if (status)
    return status;
  read_usage(timed, &before);
  double start = vb_clock();
  status = step(timed, n, error);
  if (!status)
    status = timed->solver->sync(timed->instance, &divergence, error);
  if (status)
    return status;
  if (timed->slow > 0)
    spin(timed->slow * (vb_clock() - start));
  double wall = vb_clock() - start;
  read_usage(timed, &after);
  *out = (vb_timing_window){.wall_s = wall,
                            .cpu_s = after.cpu_s - before.cpu_s,
                            .switches = after.switches - before.switches,
                            .valid = !divergence.diverged};
  if (divergence.diverged)
    timed->divergence = divergence;
  return VB_OK;
}

vb_status vb_timed_solver_save(vb_timed_solver *timed, vb_error *error) {
  timed->saved = true;
  return timed->solver->save(timed->instance, timed->state, error);
}

vb_status vb_timed_solver_restore(vb_timed_solver *timed, vb_error *error) {
  return timed->solver->restore(timed->instance, timed->state, error);
}

vb_status vb_timed_solver_digest(vb_timed_solver *timed, uint64_t *out, vb_error *error) {
  memset(timed->other, 0, timed->state_size + 8);
  vb_status status = timed->solver->save(timed->instance, timed->other, error);
  if (status)
    return status;
  // FNV-1a over words of eight bytes; the last one is padded by zeros.
  uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
  for (size_t i = 0; i < timed->state_size; i += 8) {
    memcpy(&word, (const char *)timed->other + i, 8);
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
  }
  *out = hash;
  return VB_OK;
}

vb_status vb_timed_solver_residual(vb_timed_solver *timed, double *out, vb_error *error) {
  *out = NAN;
  return timed->about->has_residual ? timed->solver->residual(timed->instance, out, error) : VB_OK;
}

/// Whether nothing in the scene changes with time but by itself.
static bool is_steady(const vb_scene *scene) {
  size_t n_drivers, n_loads;
  const vb_driver *driver = vb_scene_drivers(scene, &n_drivers);
  const vb_load *load = vb_scene_loads(scene, &n_loads);
  bool steady = true;
  for (size_t i = 0; i < n_drivers; i++)
    steady = steady && driver[i].angle < 0 && driver[i].translation[0] < 0 &&
             driver[i].translation[1] < 0 && driver[i].translation[2] < 0;
  for (size_t i = 0; i < n_loads; i++)
    steady = steady && load[i].amplitude < 0;
  return steady;
}

/// Reads the field of that name, which must have `components` numbers at each of `n` elements;
/// null where the solver has no such field. The caller frees.
static double *read_field(vb_timed_solver *timed, const char *name, size_t n, int components,
                          vb_status *status, vb_error *error) {
  for (size_t i = 0; !*status && i < timed->about->n_fields; i++) {
    const vb_field *field = &timed->about->fields[i];
    if (strcmp(field->name, name) != 0 || field->components != components ||
        timed->solver->count(timed->instance, i) != n)
      continue;
    double *out = reallocarray(NULL, n * (size_t)components + 1, sizeof *out);
    *status = out ? timed->solver->read(timed->instance, i, out, error) : vb_error_memory(error);
    if (!*status)
      return out;
    free(out);
  }
  return NULL;
}

vb_status vb_timed_solver_field(vb_timed_solver *timed, const char *name, size_t n, int components,
                                double **out, vb_error *error) {
  vb_status status = VB_OK;
  *out = read_field(timed, name, n, components, &status, error);
  return status;
}

/// A state as a scene tells it: fields of nodes, then of segments.
enum { POSITION, SCALE, VELOCITY, SCALE_RATE, N_OF_NODES };
enum { FRAME = N_OF_NODES, ANGULAR_VELOCITY, N_FIELDS };

/// Reads all of them; false where the solver lacks one, or after a failure. The caller frees each.
static bool read_state(vb_timed_solver *timed, size_t nodes, size_t segments,
                       double *state[N_FIELDS], vb_status *status, vb_error *error) {
  static const struct {
    const char *name;
    int components;
  } fields[N_FIELDS] = {[POSITION] = {"position", 3}, [SCALE] = {"scale", 1},
                        [VELOCITY] = {"velocity", 3}, [SCALE_RATE] = {"scale_rate", 1},
                        [FRAME] = {"frame", 4},       [ANGULAR_VELOCITY] = {"angular_velocity", 3}};
  bool whole = true;
  for (int i = 0; i < N_FIELDS; i++) {
    state[i] = read_field(timed, fields[i].name, i < N_OF_NODES ? nodes : segments,
                          fields[i].components, status, error);
    whole = whole && state[i];
  }
  return whole;
}

static void put_state(double *const state[N_FIELDS], vb_node *node, size_t n_nodes,
                      vb_segment *segment, size_t n_segments) {
  for (size_t i = 0; i < n_nodes; i++) {
    memcpy(node[i].position, state[POSITION] + 3 * i, sizeof node[i].position);
    memcpy(node[i].velocity, state[VELOCITY] + 3 * i, sizeof node[i].velocity);
    node[i].scale = state[SCALE][i];
    node[i].scale_rate = state[SCALE_RATE][i];
  }
  for (size_t j = 0; j < n_segments; j++) {
    const double *q = state[FRAME] + 4 * j;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
      segment[j].frame[k] = q[k] / length;
    memcpy(segment[j].angular_velocity, state[ANGULAR_VELOCITY] + 3 * j,
           sizeof segment[j].angular_velocity);
  }
}

/// Lays out the solver's scene anew with other nodes and segments.
static vb_status pack(const vb_scene *scene, const vb_node *node, const vb_segment *segment,
                      vb_scene **out, vb_error *error) {
  const void *element[VB_SET_COUNT] = {NULL};
  size_t count[VB_SET_COUNT] = {0};
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    element[tag] = vb_scene_set(scene, (vb_tag)tag, &count[tag]);
  element[VB_SET_NODE] = node;
  element[VB_SET_SEGMENT] = segment;
  return vb_scene_pack(element, count, out, error);
}

vb_status vb_timed_solver_scene(vb_timed_solver *timed, vb_scene **out, vb_error *error) {
  size_t n_nodes, n_segments;
  const vb_node *nodes = vb_scene_nodes(timed->scene, &n_nodes);
  const vb_segment *segments = vb_scene_segments(timed->scene, &n_segments);
  vb_scene *scene = NULL;
  double *state[N_FIELDS] = {NULL};
  vb_node *node = reallocarray(NULL, n_nodes + 1, sizeof *node);
  vb_segment *segment = reallocarray(NULL, n_segments + 1, sizeof *segment);
  vb_status status = node && segment ? VB_OK : vb_error_memory(error);
  bool whole = !status && read_state(timed, n_nodes, n_segments, state, &status, error) &&
               is_steady(timed->scene);
  if (whole) {
    if (n_nodes > 0)
      memcpy(node, nodes, n_nodes * sizeof *node);
    if (n_segments > 0)
      memcpy(segment, segments, n_segments * sizeof *segment);
    put_state(state, node, n_nodes, segment, n_segments);
    status = pack(timed->scene, node, segment, &scene, error);
  }
  for (int i = 0; i < N_FIELDS; i++)
    free(state[i]);
  free(segment);
  free(node);
  if (!status)
    *out = scene;
  return status;
}
