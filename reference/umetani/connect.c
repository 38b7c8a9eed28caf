// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/rods.h"

#include <stdlib.h>
#include <string.h>

/// A scene as a graph, while it is put in order.
typedef struct graph {
  umetani_rods *rods;
  const vb_node *node;
  const vb_segment *segment;
  const vb_joint *joint;
  int32_t *first_segment, *segment_at; ///< segments at each node
  int32_t *first_joint, *joint_at;     ///< joints at each node
  int32_t *label;                      ///< of segment_at: the component of joints there
  bool *visited;                       ///< segments that are in a chain
  int32_t *path;                       ///< segments, chain after chain
  int32_t *chain_begin;                ///< in `path`; n_chains + 1
  int32_t *chain_node, *chain_body;    ///< where a chain begins
  int32_t *chain_order;                ///< chains by body
  int32_t n_path, n_chains;
} graph;

/// Fills a list of the elements at each node: `first` has n_nodes + 1 entries.
static void list_segments(graph *g, size_t n_nodes, size_t n) {
  for (size_t j = 0; j < 2 * n; j++)
    g->first_segment[g->segment[j / 2].node[j % 2] + 1]++;
  for (size_t i = 0; i < n_nodes; i++)
    g->first_segment[i + 1] += g->first_segment[i];
  for (size_t j = 2 * n; j-- > 0;) // from behind: each node's end is counted down to its beginning
    g->segment_at[--g->first_segment[g->segment[j / 2].node[j % 2] + 1]] = (int32_t)(j / 2);
  memmove(g->first_segment, g->first_segment + 1, n_nodes * sizeof *g->first_segment);
  g->first_segment[n_nodes] = (int32_t)(2 * n);
}

static void list_joints(graph *g, size_t n_nodes, size_t n) {
  for (size_t t = 0; t < n; t++)
    g->first_joint[g->joint[t].node + 1]++;
  for (size_t i = 0; i < n_nodes; i++)
    g->first_joint[i + 1] += g->first_joint[i];
  for (size_t t = n; t-- > 0;)
    g->joint_at[--g->first_joint[g->joint[t].node + 1]] = (int32_t)t;
  memmove(g->first_joint, g->first_joint + 1, n_nodes * sizeof *g->first_joint);
  g->first_joint[n_nodes] = (int32_t)n;
}

static int32_t degree(const graph *g, int32_t node) {
  return g->first_segment[node + 1] - g->first_segment[node];
}

/// The place of a segment in the list of a node.
static int32_t place_of(const graph *g, int32_t node, int32_t segment) {
  int32_t at = g->first_segment[node];
  while (g->segment_at[at] != segment)
    at++;
  return at;
}

/// Labels the segments at a node by the components that its joints make, each by the place of its
/// first segment.
static void label_node(graph *g, int32_t node) {
  int32_t begin = g->first_segment[node], end = g->first_segment[node + 1];
  for (int32_t at = begin; at < end; at++)
    g->label[at] = at;
  for (int32_t k = g->first_joint[node]; k < g->first_joint[node + 1]; k++) {
    const vb_joint *joint = &g->joint[g->joint_at[k]];
    int32_t one = g->label[place_of(g, node, joint->segment[0])];
    int32_t other = g->label[place_of(g, node, joint->segment[1])];
    int32_t least = one < other ? one : other, most = one < other ? other : one;
    for (int32_t at = begin; at < end; at++)
      if (g->label[at] == most)
        g->label[at] = least;
  }
}

/// Segments of a component at a node.
static int32_t count_label(const graph *g, int32_t node, int32_t label) {
  int32_t n = 0;
  for (int32_t at = g->first_segment[node]; at < g->first_segment[node + 1]; at++)
    n += g->label[at] == label;
  return n;
}

/// Whether a joint is one of two segments, not of a rigid body.
static bool is_plain(const graph *g, int32_t t) {
  int32_t node = g->joint[t].node;
  return count_label(g, node, g->label[place_of(g, node, g->joint[t].segment[0])]) == 2;
}

static int32_t across(const graph *g, int32_t segment, int32_t node) {
  return g->segment[segment].node[g->segment[segment].node[0] == node];
}

/// The other segment at a node of degree 2.
static int32_t next_segment(const graph *g, int32_t segment, int32_t node) {
  int32_t begin = g->first_segment[node];
  return g->segment_at[begin + (g->segment_at[begin] == segment)];
}

/// Writes the chain that holds segment `lowest` to the path: from an end, or around a loop.
static void walk(graph *g, int32_t lowest) {
  int32_t at = lowest, node = g->segment[lowest].node[0];
  while (degree(g, node) == 2) { // back to where it begins
    int32_t before = next_segment(g, at, node);
    node = across(g, before, node);
    at = before;
    if (at == lowest) {
      node = g->segment[lowest].node[0];
      break;
    }
  }
  g->chain_begin[g->n_chains] = g->n_path;
  g->chain_node[g->n_chains] = node;
  g->chain_body[g->n_chains++] = g->node[node].body;
  for (;;) {
    g->path[g->n_path++] = at;
    g->visited[at] = true;
    node = across(g, at, node);
    if (degree(g, node) != 2)
      break;
    at = next_segment(g, at, node);
    if (g->visited[at])
      break;
  }
  g->chain_begin[g->n_chains] = g->n_path;
}

static void find_chains(graph *g) {
  umetani_rods *rods = g->rods;
  for (size_t j = 0; j < rods->n_segments; j++)
    if (!g->visited[j])
      walk(g, (int32_t)j);
  int32_t *first = rods->point_of_node; // for a moment: where each body's chains begin
  memset(first, 0, (rods->n_bodies + 1) * sizeof *first);
  for (int32_t c = 0; c < g->n_chains; c++)
    first[g->chain_body[c] + 1]++;
  for (size_t b = 0; b < rods->n_bodies; b++)
    first[b + 1] += first[b];
  for (int32_t c = 0; c < g->n_chains; c++)
    g->chain_order[first[g->chain_body[c]]++] = c;
}

/// The edges of chain number `c`, and the joints at its inner nodes; of a loop, at all of them.
static void add_chain(graph *g, int32_t c) {
  umetani_rods *rods = g->rods;
  umetani_chain *chain = &rods->chain[rods->n_chains++];
  chain->first_edge = (int32_t)rods->n_segments;
  chain->first_joint = (int32_t)rods->n_joints;
  int32_t node = g->chain_node[c];
  for (int32_t p = g->chain_begin[c]; p < g->chain_begin[c + 1]; p++) {
    int32_t j = g->path[p];
    rods->edge_of[j] = (int32_t)rods->n_segments;
    rods->edge[rods->n_segments++].segment = j;
    node = across(g, j, node);
    if (degree(g, node) == 2)
      for (int32_t k = g->first_joint[node]; k < g->first_joint[node + 1]; k++)
        rods->joint[rods->n_joints++].joint = g->joint_at[k];
  }
  chain->n_edges = (int32_t)rods->n_segments - chain->first_edge;
  chain->n_joints = (int32_t)rods->n_joints - chain->first_joint;
}

/// The joints of two segments at a node where more meet: chains of their own.
static void add_lone_joints(graph *g, int32_t body) {
  umetani_rods *rods = g->rods;
  for (size_t t = 0; t < rods->n_scene_joints; t++)
    if (g->node[g->joint[t].node].body == body && degree(g, g->joint[t].node) > 2 &&
        is_plain(g, (int32_t)t)) {
      rods->chain[rods->n_chains++] =
          (umetani_chain){(int32_t)rods->n_segments, 0, (int32_t)rods->n_joints, 1};
      rods->joint[rods->n_joints++].joint = (int32_t)t;
    }
}

/// The rigid bodies at a node, one for each component of three segments or more.
static void add_hubs(graph *g, int32_t node) {
  umetani_rods *rods = g->rods;
  for (int32_t at = g->first_segment[node]; at < g->first_segment[node + 1]; at++) {
    if (g->label[at] != at || count_label(g, node, at) < 3)
      continue;
    umetani_hub *hub = &rods->hub[rods->n_hubs++];
    hub->node = node;
    hub->first_attachment = (int32_t)rods->n_attachments;
    for (int32_t k = at; k < g->first_segment[node + 1]; k++)
      if (g->label[k] == at)
        rods->attachment[rods->n_attachments++].segment = g->segment_at[k];
    hub->n_attachments = (int32_t)rods->n_attachments - hub->first_attachment;
  }
}

/// Numbers the points of a body: nodes, ghosts of its edges, ghosts of its hubs.
static void number_points(graph *g, umetani_body *body, const int32_t *node, int32_t n_nodes) {
  umetani_rods *rods = g->rods;
  body->first_point = (int32_t)rods->n_points;
  for (int32_t i = 0; i < n_nodes; i++)
    rods->point_of_node[node[i]] = (int32_t)rods->n_points++;
  for (int32_t e = body->first_edge; e < body->first_edge + body->n_edges; e++)
    rods->edge[e].point[2] = (int32_t)rods->n_points++;
  for (int32_t h = body->first_hub; h < body->first_hub + body->n_hubs; h++)
    for (int k = 1; k < 3; k++)
      rods->hub[h].point[k] = (int32_t)rods->n_points++;
  body->n_points = (int32_t)rods->n_points - body->first_point;
}

/// Puts the elements of a body, whose nodes are listed and whose chains are `order`, in their
/// places.
static void add_body(graph *g, int32_t b, const int32_t *node, int32_t n_nodes,
                     const int32_t *order, int32_t n_chains, bool lone) {
  umetani_rods *rods = g->rods;
  umetani_body *body = &rods->body[b];
  body->first_edge = (int32_t)rods->n_segments;
  body->first_joint = (int32_t)rods->n_joints;
  body->first_hub = (int32_t)rods->n_hubs;
  body->first_chain = (int32_t)rods->n_chains;
  for (int32_t c = 0; c < n_chains; c++)
    add_chain(g, order[c]);
  if (lone)
    add_lone_joints(g, b);
  for (int32_t i = 0; i < n_nodes; i++)
    add_hubs(g, node[i]);
  body->n_edges = (int32_t)rods->n_segments - body->first_edge;
  body->n_joints = (int32_t)rods->n_joints - body->first_joint;
  body->n_hubs = (int32_t)rods->n_hubs - body->first_hub;
  body->n_chains = (int32_t)rods->n_chains - body->first_chain;
  number_points(g, body, node, n_nodes);
}

static void add_bodies(graph *g) {
  umetani_rods *rods = g->rods;
  int32_t *by_body = g->label + 2 * rods->n_segments; // nodes in the order of their bodies
  int32_t *first = by_body + rods->n_nodes;           // n_bodies + 1
  bool lone = false;
  for (size_t i = 0; i < rods->n_nodes; i++)
    first[g->node[i].body + 1]++;
  for (size_t b = 0; b < rods->n_bodies; b++)
    first[b + 1] += first[b];
  for (size_t i = rods->n_nodes; i-- > 0;)
    by_body[--first[g->node[i].body + 1]] = (int32_t)i;
  memmove(first, first + 1, rods->n_bodies * sizeof *first);
  first[rods->n_bodies] = (int32_t)rods->n_nodes;
  for (size_t t = 0; t < rods->n_scene_joints; t++)
    lone = lone || (degree(g, g->joint[t].node) > 2 && is_plain(g, (int32_t)t));
  rods->n_segments = 0; // counted up again
  for (int32_t b = 0, c = 0; b < (int32_t)rods->n_bodies; b++) {
    int32_t n_chains = 0;
    while (c + n_chains < g->n_chains && g->chain_body[g->chain_order[c + n_chains]] == b)
      n_chains++;
    add_body(g, b, by_body + first[b], first[b + 1] - first[b], g->chain_order + c, n_chains, lone);
    c += n_chains;
  }
}

static vb_status check_nodes(const graph *g, vb_error *error) {
  size_t n;
  const vb_body *body = vb_scene_bodies(g->rods->scene, &n);
  for (size_t i = 0; i < g->rods->n_nodes; i++)
    if (degree(g, (int32_t)i) == 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver umetani takes rods only; body %d (\"%.47s\") has no segment at "
                          "node %zu",
                          g->node[i].body, body[g->node[i].body].name, i);
  return VB_OK;
}

static bool allocate_rods(umetani_rods *rods) {
  const vb_scene *scene = rods->scene;
  rods->n_nodes = vb_scene_count(scene, VB_SET_NODE);
  rods->n_segments = vb_scene_count(scene, VB_SET_SEGMENT);
  rods->n_scene_joints = vb_scene_count(scene, VB_SET_JOINT);
  rods->n_bodies = vb_scene_count(scene, VB_SET_BODY);
  size_t n = rods->n_nodes, m = rods->n_segments, t = rods->n_scene_joints;
  rods->edge = calloc(m + 1, sizeof *rods->edge);
  rods->joint = calloc(t + 1, sizeof *rods->joint);
  rods->hub = calloc(m + 1, sizeof *rods->hub);
  rods->attachment = calloc(2 * m + 1, sizeof *rods->attachment);
  rods->body = calloc(rods->n_bodies + 1, sizeof *rods->body);
  rods->chain = calloc(m + t + 1, sizeof *rods->chain);
  rods->point_of_node = calloc(n + rods->n_bodies + 1, sizeof *rods->point_of_node);
  rods->edge_of = calloc(m + 1, sizeof *rods->edge_of);
  return rods->edge && rods->joint && rods->hub && rods->attachment && rods->body && rods->chain &&
         rods->point_of_node && rods->edge_of;
}

vb_status umetani_connect(umetani_rods *rods, vb_error *error) {
  graph g = {.rods = rods};
  if (!allocate_rods(rods))
    return vb_error_memory(error);
  size_t n = rods->n_nodes, m = rods->n_segments, t = rods->n_scene_joints, count;
  g.node = vb_scene_nodes(rods->scene, &count);
  g.segment = vb_scene_segments(rods->scene, &count);
  g.joint = vb_scene_joints(rods->scene, &count);
  int32_t *at = calloc(3 * n + 9 * m + t + rods->n_bodies + 8, sizeof *at);
  g.visited = calloc(m + 1, sizeof *g.visited);
  vb_status status = at && g.visited ? VB_OK : vb_error_memory(error);
  if (!status) {
    g.first_segment = at;
    g.first_joint = g.first_segment + n + 1;
    g.segment_at = g.first_joint + n + 1;
    g.joint_at = g.segment_at + 2 * m;
    g.path = g.joint_at + t;
    g.chain_begin = g.path + m;
    g.chain_node = g.chain_begin + m + 1;
    g.chain_body = g.chain_node + m;
    g.chain_order = g.chain_body + m;
    g.label = g.chain_order + m; // 2 m, and behind it what bodies are made with
    list_segments(&g, n, m);
    list_joints(&g, n, t);
    status = check_nodes(&g, error);
  }
  if (!status) {
    for (size_t i = 0; i < n; i++)
      label_node(&g, (int32_t)i);
    find_chains(&g);
    add_bodies(&g);
  }
  free(at);
  free(g.visited);
  return status;
}
