// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/angular_momentum.h"

#include "gate/quantity_run.h"
#include "results/results_array.h"
#include "results/results_locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vb_is_angular_momentum(const char *quantity) {
  return strcmp(quantity + vb_results_prefix(quantity), "momentum/angular") == 0;
}

enum { POSITION, VELOCITY, MASS, SCALE, FRAME, ANGULAR_VELOCITY, N_FIELDS };

typedef struct field {
  const char *dataset;
  bool of_segments;
  size_t width;
} field;

static const field fields[N_FIELDS] = {
    {"run/frames/position", false, 3}, {"run/frames/velocity", false, 3},
    {"run/frames/mass", false, 1},     {"run/frames/scale", false, 1},
    {"run/frames/frame", true, 4},     {"run/frames/angular_velocity", true, 3}};

/// What a run says of its segments.
typedef struct topology {
  vb_array segment; ///< their nodes
  vb_array inertia; ///< about u, v, w at scale 1
  size_t n_nodes;
} topology;

static vb_status read_topology(vb_run_location place, topology *out, vb_error *error) {
  vb_array body = {0};
  vb_status status = vb_run_array(place, "topology/body", VB_NO_FRAME, &body, error);
  out->n_nodes = body.n;
  vb_array_free(&body);
  if (!status)
    status = vb_run_array(place, "topology/segment", VB_NO_FRAME, &out->segment, error);
  if (!status)
    status = vb_run_array(place, "topology/frame_inertia", VB_NO_FRAME, &out->inertia, error);
  bool sound = !status && out->segment.n == out->inertia.n &&
               (out->segment.n == 0 || (out->segment.width == 2 && out->inertia.width == 3)) &&
               vb_array_holds_indexes(&out->segment, 0, out->n_nodes);
  return status || sound ? status : vb_bad_input(error, "%s: its topology is invalid", place.path);
}

/// Adds m x cross v of each node.
static void add_nodes(const vb_array at[N_FIELDS], size_t n, double out[3]) {
  for (size_t i = 0; i < n; i++) {
    const double *x = at[POSITION].values + 3 * i, *v = at[VELOCITY].values + 3 * i;
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      out[k] += at[MASS].values[i] * (x[a] * v[b] - x[b] * v[a]);
    }
  }
}

/// Axes u, v, w of the frame `q`.
static void find_axes(const double q[4], double out[3][3]) {
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    out[k][k] = q[0] * q[0] + q[1 + k] * q[1 + k] - q[1 + a] * q[1 + a] - q[1 + b] * q[1 + b];
    out[k][a] = 2 * (q[1 + k] * q[1 + a] + q[0] * q[1 + b]);
    out[k][b] = 2 * (q[1 + k] * q[1 + b] - q[0] * q[1 + a]);
  }
}

/// Adds what frames carry about their own centers.
static void add_frames(const vb_array at[N_FIELDS], const topology *t, double out[3]) {
  for (size_t j = 0; j < t->segment.n; j++) {
    const double *node = t->segment.values + 2 * j, *scales = at[SCALE].values;
    const double *rate = at[ANGULAR_VELOCITY].values + 3 * j;
    const double scale = (scales[(size_t)node[0]] + scales[(size_t)node[1]]) / 2;
    double axis[3][3];
    find_axes(at[FRAME].values + 4 * j, axis);
    for (size_t k = 0; k < 3; k++) {
      const double about = axis[k][0] * rate[0] + axis[k][1] * rate[1] + axis[k][2] * rate[2];
      for (size_t c = 0; c < 3; c++)
        out[c] += scale * scale * t->inertia.values[3 * j + k] * about * axis[k][c];
    }
  }
}

/// The angular momentum of frame `k`.
static vb_status measure(vb_run_location place, const topology *t, size_t k, double out[3],
                         vb_error *error) {
  vb_array at[N_FIELDS] = {{0}};
  vb_status status = VB_OK;
  for (int f = 0; !status && f < N_FIELDS; f++) {
    const size_t n = fields[f].of_segments ? t->segment.n : t->n_nodes;
    status = vb_run_array(place, fields[f].dataset, (int64_t)k, &at[f], error);
    if (!status && (at[f].n != n || at[f].width != fields[f].width))
      status =
          vb_bad_input(error, "%s: %s does not fit its topology", place.path, fields[f].dataset);
  }
  memset(out, 0, 3 * sizeof *out);
  if (!status) {
    add_nodes(at, t->n_nodes, out);
    add_frames(at, t, out);
  }
  for (int f = 0; f < N_FIELDS; f++)
    vb_array_free(&at[f]);
  return status;
}

static vb_status read_series(vb_run_location place, int component, vb_column *out,
                             vb_error *error) {
  topology t = {0};
  vb_array time = {0};
  vb_status status = read_topology(place, &t, error);
  if (!status)
    status = vb_run_array(place, "run/frames/time", VB_NO_FRAME, &time, error);
  if (!status) {
    *out = (vb_column){.n = time.n, .x = time.values};
    out->y = reallocarray(NULL, out->n + 1, sizeof *out->y);
    status = out->y ? VB_OK : vb_error_memory(error);
  }
  for (size_t k = 0; !status && k < out->n; k++) {
    double all[3];
    status = measure(place, &t, k, all, error);
    out->y[k] = all[component];
  }
  if (status)
    vb_column_free(out);
  vb_array_free(&t.segment);
  vb_array_free(&t.inertia);
  return status;
}

vb_status vb_angular_momentum_column(const char *path, const char *quantity, int component,
                                     vb_column *out, vb_error *error) {
  char run[256];
  vb_run_location place;
  vb_column column = {0};
  if (component < 0 || component > 2)
    return vb_bad_input(error, "momentum/angular has the components x, y and z; name one");
  vb_status status = vb_quantity_run(path, quantity, run, &place, error);
  if (!status)
    status = read_series(place, component, &column, error);
  if (!status)
    *out = column;
  return status;
}
