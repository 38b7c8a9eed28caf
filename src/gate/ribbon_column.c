// SPDX-License-Identifier: GPL-3.0-or-later
/// Ribbons of recorded runs: the chain of a body's segments, frame by frame.
#include "base/arena.h"
#include "gate/quantity_run.h"
#include "gate/ribbon.h"
#include "results/results_array.h"
#include "results/results_locate.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"ribbon/writhe", "ribbon/twist", "ribbon/linking"};

/// The part of a quantity behind the prefix "runs/NAME/".
static const char *name_of(const char *quantity) {
  return quantity + vb_results_prefix(quantity);
}

bool vb_is_ribbon(const char *quantity) {
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strcmp(name_of(quantity), NAMES[i]) == 0)
      return true;
  return false;
}

/// The segments of a body in the order of its path.
typedef struct chain {
  size_t n;         ///< nodes of the path
  size_t n_edges;   ///< n where it is closed, else n - 1
  int64_t *node;    ///< (n)
  int64_t *segment; ///< (n_edges)
  double (*point)[3];
  double (*u)[3];
  vb_arena memory;
} chain;

/// What a run says of its segments.
typedef struct graph {
  vb_array segment; ///< their nodes
  vb_array body;    ///< of nodes
} graph;

static int64_t end_of(const graph *g, int64_t segment, int end) {
  return (int64_t)g->segment.values[2 * segment + end];
}

/// Up to two segments at each node of the body, -1 where there is none.
static vb_status gather(const graph *g, int64_t body, int64_t (*at)[2], size_t *n_edges,
                        vb_error *error) {
  for (size_t i = 0; i < g->body.n; i++)
    at[i][0] = at[i][1] = -1;
  *n_edges = 0;
  for (size_t j = 0; j < g->segment.n; j++) {
    if ((int64_t)g->body.values[end_of(g, (int64_t)j, 0)] != body)
      continue;
    for (int end = 0; end < 2; end++) {
      int64_t *both = at[end_of(g, (int64_t)j, end)];
      if (both[1] >= 0)
        return vb_bad_input(error, "body %lld branches at node %lld; it must be a chain or a ring",
                            (long long)body, (long long)end_of(g, (int64_t)j, end));
      both[both[0] >= 0] = (int64_t)j;
    }
    ++*n_edges;
  }
  return *n_edges > 0 ? VB_OK : vb_bad_input(error, "body %lld has no segments", (long long)body);
}

/// Walks along the body from an end, or around it from its lowest node.
static vb_status walk(const graph *g, int64_t body, chain *out, vb_error *error) {
  int64_t(*at)[2] = calloc(g->body.n + 1, sizeof *at), node = -1;
  if (!at)
    return vb_error_memory(error);
  vb_status status = gather(g, body, at, &out->n_edges, error);
  for (size_t i = g->body.n; !status && i-- > 0;) // the lowest end, if there is one
    if (at[i][0] >= 0 && (node < 0 || at[i][1] < 0 || at[node][1] >= 0))
      node = (int64_t)i;
  bool closed = !status && at[node][1] >= 0;
  out->n = closed ? out->n_edges : out->n_edges + 1;
  VB_TAKE(&out->memory, out->node, out->n_edges + 1);
  VB_TAKE(&out->memory, out->segment, out->n_edges + 1);
  VB_TAKE(&out->memory, out->point, out->n_edges + 1);
  VB_TAKE(&out->memory, out->u, out->n_edges + 1);
  if (!status)
    status = vb_arena_status(&out->memory, error);
  for (size_t k = 0; !status && k < out->n_edges; k++) {
    int64_t before = k > 0 ? out->segment[k - 1] : -1;
    int64_t next = at[node][0] != before ? at[node][0] : at[node][1];
    out->node[k] = node;
    out->segment[k] = next;
    node = end_of(g, next, 0) != node ? end_of(g, next, 0) : end_of(g, next, 1);
  }
  if (!status)
    out->node[out->n_edges] = node;
  free(at);
  return status;
}

static vb_status read_graph(vb_run_location place, graph *out, vb_error *error) {
  vb_status status = vb_run_array(place, "topology/segment", VB_NO_FRAME, &out->segment, error);
  if (!status)
    status = vb_run_array(place, "topology/body", VB_NO_FRAME, &out->body, error);
  bool sound = !status && (out->segment.n == 0 || out->segment.width == 2) &&
               vb_array_holds_indexes(&out->segment, 0, out->body.n) &&
               vb_array_holds_indexes(&out->body, 0, out->body.n + 1);
  return status || sound ? status : vb_bad_input(error, "%s: its topology is invalid", place.path);
}

/// Reads one field of frame `k`: `width` numbers of each of `n` elements.
static vb_status read_field(vb_run_location place, const char *field, size_t k, size_t n,
                            size_t width, vb_array *out, vb_error *error) {
  vb_status status = vb_run_array(place, field, (int64_t)k, out, error);
  if (!status && (out->n != n || out->width != width))
    status = vb_bad_input(error, "%s: %s does not fit its topology", place.path, field);
  return status;
}

/// Reads the points of frame `k`, and with `framed` the axes u.
static vb_status read_frame(vb_run_location place, const graph *g, size_t k, bool framed,
                            chain *rod, vb_error *error) {
  vb_array position = {0}, frame = {0};
  vb_status status = read_field(place, "run/frames/position", k, g->body.n, 3, &position, error);
  if (!status && framed)
    status = read_field(place, "run/frames/frame", k, g->segment.n, 4, &frame, error);
  for (size_t i = 0; !status && i < rod->n; i++)
    memcpy(rod->point[i], position.values + 3 * rod->node[i], sizeof rod->point[i]);
  for (size_t j = 0; !status && framed && j < rod->n_edges; j++) {
    const double *q = frame.values + 4 * rod->segment[j];
    rod->u[j][0] = q[0] * q[0] + q[1] * q[1] - q[2] * q[2] - q[3] * q[3];
    rod->u[j][1] = 2 * (q[1] * q[2] + q[0] * q[3]);
    rod->u[j][2] = 2 * (q[1] * q[3] - q[0] * q[2]);
  }
  vb_array_free(&position);
  vb_array_free(&frame);
  return status;
}

/// The number of one frame.
static double measure(const chain *rod, const char *name) {
  bool closed = rod->n == rod->n_edges;
  const double(*point)[3] = (const double(*)[3])rod->point;
  const double(*u)[3] = (const double(*)[3])rod->u;
  double sum = 0;
  if (strcmp(name, "ribbon/twist") != 0)
    sum += vb_writhe(point, rod->n, closed);
  if (strcmp(name, "ribbon/writhe") != 0)
    sum += vb_twist(point, u, rod->n, closed);
  return sum;
}

static vb_status read_series(vb_run_location place, const char *name, int64_t body, vb_column *out,
                             vb_error *error) {
  graph g = {0};
  chain c = {0};
  vb_array time = {0};
  vb_status status = read_graph(place, &g, error);
  for (size_t i = 0; !status && body < 0 && i < g.body.n; i++)
    if (g.body.values[i] > 0)
      status = vb_bad_input(error, "%s has several bodies; choose one", place.path);
  if (!status)
    status = walk(&g, body < 0 ? 0 : body, &c, error);
  if (!status)
    status = vb_run_array(place, "run/frames/time", VB_NO_FRAME, &time, error);
  if (!status) {
    *out = (vb_column){.n = time.n, .x = time.values};
    time.values = NULL;
    out->y = reallocarray(NULL, out->n + 1, sizeof *out->y);
    status = out->y ? VB_OK : vb_error_memory(error);
  }
  for (size_t k = 0; !status && k < out->n; k++) {
    status = read_frame(place, &g, k, strcmp(name, "ribbon/writhe") != 0, &c, error);
    if (!status)
      out->y[k] = measure(&c, name);
  }
  if (status)
    vb_column_free(out);
  vb_array_free(&time);
  vb_array_free(&g.segment);
  vb_array_free(&g.body);
  vb_arena_clear(&c.memory);
  return status;
}

vb_status vb_ribbon_column(const char *path, const char *quantity, int64_t body, vb_column *out,
                           vb_error *error) {
  char run[256];
  vb_run_location place;
  vb_column column = {0};
  vb_status status = vb_quantity_run(path, quantity, run, &place, error);
  if (!status)
    status = read_series(place, name_of(quantity), body, &column, error);
  if (!status)
    *out = column;
  return status;
}
