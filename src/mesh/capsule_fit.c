// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/capsule_fit.h"

#include "base/time_limit.h"
#include "mesh/ball_quadric.h"
#include "mesh/surface_checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// The least radius, as a part of the size of the surface: that of a flat part.
#define THINNEST 1e-3

/// A vertex of the graph that is collapsed, and the part of the surface that became it.
typedef struct node {
  vb_ball_quadric quadric;
  vb_ball ball;
  int32_t *neighbor;
  int32_t n, room;
  int32_t version; ///< how often it was changed; -1 where it is gone
} node;

/// An edge that may be collapsed; out of date where a node has another version.
typedef struct edge {
  double cost;
  int32_t end[2], version[2];
} edge;

typedef struct graph {
  node *nodes;
  size_t n_nodes, n_edges;
  edge *heap; ///< the cheapest first
  size_t n, room;
} graph;

void vb_capsule_fit_clear(vb_capsule_fit *fit) {
  free(fit->ball);
  free(fit->capsule);
  *fit = (vb_capsule_fit){0};
}

static void free_graph(graph *g) {
  for (size_t i = 0; g->nodes && i < g->n_nodes; i++)
    free(g->nodes[i].neighbor);
  free(g->nodes);
  free(g->heap);
}

/// Equal costs in the order of the nodes, so that the result is always the same.
static bool comes_before(const edge *a, const edge *b) {
  if (a->cost != b->cost)
    return a->cost < b->cost;
  return a->end[0] != b->end[0] ? a->end[0] < b->end[0] : a->end[1] < b->end[1];
}

static bool push(graph *g, edge e) {
  if (g->n == g->room) {
    size_t room = 2 * g->room + 64;
    edge *more = reallocarray(g->heap, room, sizeof *more);
    if (!more)
      return false;
    g->heap = more;
    g->room = room;
  }
  size_t i = g->n++;
  for (; i && comes_before(&e, &g->heap[(i - 1) / 2]); i = (i - 1) / 2)
    g->heap[i] = g->heap[(i - 1) / 2];
  g->heap[i] = e;
  return true;
}

static edge pop(graph *g) {
  edge top = g->heap[0], last = g->heap[--g->n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < g->n; i = child) {
    if (child + 1 < g->n && comes_before(&g->heap[child + 1], &g->heap[child]))
      child++;
    if (!comes_before(&g->heap[child], &last))
      break;
    g->heap[i] = g->heap[child];
  }
  g->heap[i] = last;
  return top;
}

static bool push_edge(graph *g, int32_t a, int32_t b) {
  const node *u = &g->nodes[a < b ? a : b], *v = &g->nodes[a < b ? b : a];
  vb_ball_quadric both = u->quadric;
  vb_ball ball;
  vb_ball_quadric_add(&both, &v->quadric);
  return push(g, (edge){vb_ball_quadric_minimize(&both, &ball),
                        {a < b ? a : b, a < b ? b : a},
                        {u->version, v->version}});
}

static int32_t find(const node *u, int32_t neighbor) {
  int32_t i = 0;
  while (i < u->n && u->neighbor[i] != neighbor)
    i++;
  return i;
}

static bool add_neighbor(node *u, int32_t neighbor) {
  if (u->n == u->room) {
    int32_t room = 2 * u->room + 8;
    int32_t *more = reallocarray(u->neighbor, (size_t)room, sizeof *more);
    if (!more)
      return false;
    u->neighbor = more;
    u->room = room;
  }
  u->neighbor[u->n++] = neighbor;
  return true;
}

static bool connect(graph *g, int32_t a, int32_t b) {
  if (find(&g->nodes[a], b) < g->nodes[a].n)
    return true;
  g->n_edges++;
  return add_neighbor(&g->nodes[a], b) && add_neighbor(&g->nodes[b], a);
}

static void disconnect(graph *g, int32_t from, int32_t neighbor) {
  node *u = &g->nodes[from];
  int32_t i = find(u, neighbor);
  if (i < u->n)
    u->neighbor[i] = u->neighbor[--u->n];
}

/// Makes one node of the two ends of an edge, the lower one.
static bool collapse(graph *g, const edge *e) {
  node *u = &g->nodes[e->end[0]], *v = &g->nodes[e->end[1]];
  vb_ball_quadric_add(&u->quadric, &v->quadric);
  vb_ball_quadric_minimize(&u->quadric, &u->ball);
  u->version++;
  v->version = -1;
  for (int32_t i = 0; i < v->n; i++) {
    int32_t w = v->neighbor[i];
    g->n_edges--;
    disconnect(g, w, e->end[1]);
    if (w != e->end[0] && !connect(g, w, e->end[0]))
      return false;
  }
  v->n = 0;
  for (int32_t i = 0; i < u->n; i++)
    if (!push_edge(g, e->end[0], u->neighbor[i]))
      return false;
  return true;
}

/// Collapses edges until `count` are left; the last of a part stays.
static bool collapse_all(graph *g, size_t count) {
  for (size_t i = 0; g->n_edges > count && g->n; i++) {
    if (i % 64 == 0 && vb_time_limit_over())
      return false;
    edge e = pop(g);
    const node *u = &g->nodes[e.end[0]], *v = &g->nodes[e.end[1]];
    bool old = u->version != e.version[0] || v->version != e.version[1];
    if (!old && !(u->n == 1 && v->n == 1) && !collapse(g, &e))
      return false;
  }
  return true;
}

/// Why a graph could not be made or collapsed.
static vb_status fail(vb_error *error) {
  vb_status status = vb_time_limit_check(error);
  return status ? status : vb_error_memory(error);
}

/// The graph of the surface's edges, each vertex with the triangles around it.
static bool make_graph(const vb_mesh *surface, bool inside_out, graph *g) {
  g->n_nodes = surface->n_vertices;
  g->nodes = calloc(g->n_nodes, sizeof *g->nodes);
  if (!g->nodes)
    return false;
  for (size_t i = 0; i < g->n_nodes; i++)
    vb_ball_quadric_clear(&g->nodes[i].quadric);
  for (size_t t = 0; t < surface->n_triangles; t++) {
    const int32_t *v = surface->triangle[t];
    const double *corner[3];
    if (t % 64 == 0 && vb_time_limit_over())
      return false;
    for (int c = 0; c < 3; c++)
      corner[c] = surface->vertex[v[inside_out ? 2 - c : c]];
    for (int c = 0; c < 3; c++) {
      vb_ball_quadric_add_triangle(&g->nodes[v[c]].quadric, corner, 1.0 / 3, surface->vertex[v[c]]);
      if (!connect(g, v[c], v[(c + 1) % 3]))
        return false;
    }
  }
  for (size_t i = 0; i < g->n_nodes; i++) {
    if (g->nodes[i].n)
      vb_ball_quadric_minimize(&g->nodes[i].quadric, &g->nodes[i].ball);
    for (int32_t k = 0; k < g->nodes[i].n; k++)
      if ((int32_t)i < g->nodes[i].neighbor[k] &&
          !push_edge(g, (int32_t)i, g->nodes[i].neighbor[k]))
        return false;
  }
  return true;
}

/// The greatest extent of the surface along an axis.
static double size_of(const vb_mesh *surface) {
  double size = 0;
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < surface->n_vertices; i++) {
      low = fmin(low, surface->vertex[i][k]);
      high = fmax(high, surface->vertex[i][k]);
    }
    size = fmax(size, high - low);
  }
  return size;
}

/// Lists what is left, in the order of the surface's vertices.
static vb_status list(const graph *g, double thinnest, vb_capsule_fit *out, vb_error *error) {
  int32_t *name = calloc(g->n_nodes, sizeof *name);
  out->ball = reallocarray(NULL, 2 * g->n_edges + 1, sizeof *out->ball);
  out->capsule = reallocarray(NULL, g->n_edges + 1, sizeof *out->capsule);
  if (!name || !out->ball || !out->capsule) {
    free(name);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < g->n_nodes; i++) {
    const node *u = &g->nodes[i];
    if (u->version < 0 || !u->n)
      continue;
    if (vb_time_limit_over())
      break; // the caller's next step says so
    name[i] = (int32_t)out->n_balls;
    memcpy(out->ball[out->n_balls], u->ball.x, sizeof u->ball.x);
    out->ball[out->n_balls++][3] = fmax(u->ball.r, thinnest);
    for (size_t k = 0; k < i; k++) // few are left
      if (g->nodes[k].version >= 0 && find(u, (int32_t)k) < u->n) {
        out->capsule[out->n_capsules][0] = name[k];
        out->capsule[out->n_capsules++][1] = name[i];
      }
  }
  free(name);
  return VB_OK;
}

static vb_status check(const vb_mesh *surface, size_t count, bool *inside_out, vb_error *error) {
  vb_surface_shape shape = {0};
  if (!surface->n_triangles)
    return vb_bad_input(error, "the surface has no triangles");
  vb_status status = vb_surface_check_closed(surface->vertex[0], surface->triangle[0],
                                             surface->n_triangles, error);
  if (!status)
    status = vb_surface_shape_of(surface->vertex[0], surface->n_vertices, surface->triangle[0],
                                 surface->n_triangles, &shape, error);
  if (!status && shape.volume == 0)
    status = vb_bad_input(error, "the surface encloses no volume");
  if (!status && count < shape.n_components)
    status = vb_bad_input(error, "the surface has %zu parts, which need a pill each; %zu requested",
                          shape.n_components, count);
  if (!status)
    *inside_out = shape.volume < 0;
  return status;
}

/// Keeps a fit where it is the nearest so far, and frees the other.
static void keep_nearest(vb_capsule_fit *fit, size_t count, vb_capsule_fit *best) {
  size_t most = best->most;
  double most_hausdorff = best->most_hausdorff;
  if (fit->n_capsules <= count &&
      (fit->n_capsules > most || (fit->n_capsules == most && fit->hausdorff < most_hausdorff))) {
    most = fit->n_capsules;
    most_hausdorff = fit->hausdorff;
  }
  if (fit->n_capsules > count || (best->ball && fit->hausdorff >= best->hausdorff)) {
    vb_capsule_fit_clear(fit);
  } else {
    vb_capsule_fit_clear(best);
    *best = *fit;
  }
  best->most = most;
  best->most_hausdorff = most_hausdorff;
}

/// The capsules of the graph's edges, as they are or refined; measured where there are at most
/// `count`.
static vb_status fit_graph(const vb_mesh *surface, const graph *g, bool refined, size_t count,
                           vb_capsule_fit *out, vb_error *error) {
  double thinnest = THINNEST * size_of(surface);
  vb_status status = list(g, thinnest, out, error);
  if (!status)
    status = vb_time_limit_check(error);
  if (!status && refined)
    status = vb_capsule_fit_refine(surface, thinnest, out, error);
  if (!status && out->n_capsules <= count)
    status = vb_capsule_fit_measure(surface, out, error);
  return status;
}

vb_status vb_capsule_fit_make(const vb_mesh *surface, size_t count, vb_capsule_fit *out,
                              vb_error *error) {
  vb_capsule_fit best = {0};
  graph g = {0};
  bool inside_out = false;
  vb_status status = check(surface, count, &inside_out, error);
  if (!status && !make_graph(surface, inside_out, &g))
    status = fail(error);
  for (size_t half = 4; !status && half >= 1; half--) { // of twice as many some may be needless
    size_t before = g.n_edges;
    if (!collapse_all(&g, (count * half + 1) / 2))
      status = fail(error);
    for (int refined = 0; !status && refined < 2 && (half == 4 || g.n_edges < before); refined++) {
      vb_capsule_fit fit = {0};
      status = fit_graph(surface, &g, refined, count, &fit, error);
      keep_nearest(&fit, status ? 0 : count, &best);
    }
  }
  free_graph(&g);
  if (status)
    vb_capsule_fit_clear(&best);
  else
    *out = best;
  return status;
}
