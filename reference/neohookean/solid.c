// SPDX-License-Identifier: GPL-3.0-or-later
#include "solid.h"

#include "activation.h"

#include <stdlib.h>
#include <string.h>

/// Ends of an element's edges, in the order of their middles.
static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// Integrals of products of shape functions over an element of volume 1. Linear: (1 + [a = b])/20.
/// Quadratic, in 1/420: from the integrals of barycentric monomials,
/// 3! i! j! k! l! / (i + j + k + l + 3)!.
static const double linear_mass[16] = {
    0.1,  0.05, 0.05, 0.05, //
    0.05, 0.1,  0.05, 0.05, //
    0.05, 0.05, 0.1,  0.05, //
    0.05, 0.05, 0.05, 0.1,
};
#define M(x) ((x) / 420.0)
static const double quadratic_mass[100] = {
    M(6),  M(1),  M(1),  M(1),  M(-4), M(-4), M(-4), M(-6), M(-6), M(-6), //
    M(1),  M(6),  M(1),  M(1),  M(-4), M(-6), M(-6), M(-4), M(-4), M(-6), //
    M(1),  M(1),  M(6),  M(1),  M(-6), M(-4), M(-6), M(-4), M(-6), M(-4), //
    M(1),  M(1),  M(1),  M(6),  M(-6), M(-6), M(-4), M(-6), M(-4), M(-4), //
    M(-4), M(-4), M(-6), M(-6), M(32), M(16), M(16), M(16), M(16), M(8),  //
    M(-4), M(-6), M(-4), M(-6), M(16), M(32), M(16), M(16), M(8),  M(16), //
    M(-4), M(-6), M(-6), M(-4), M(16), M(16), M(32), M(8),  M(16), M(16), //
    M(-6), M(-4), M(-4), M(-6), M(16), M(16), M(8),  M(32), M(16), M(16), //
    M(-6), M(-4), M(-6), M(-4), M(16), M(8),  M(16), M(16), M(32), M(16), //
    M(-6), M(-6), M(-4), M(-4), M(8),  M(16), M(16), M(16), M(16), M(32),
};

/// Lumped mass of a node of an element of mass 1: the diagonal of the consistent one, scaled to the
/// whole (E. Hinton, T. Rock, O. Zienkiewicz 1976).
static double lumped_share(const nh_solid *solid, int a) {
  double sum = 0;
  for (int b = 0; b < solid->nodes; b++)
    sum += solid->mass_pattern[b * solid->nodes + b];
  return solid->mass_pattern[a * solid->nodes + a] / sum;
}

/// Gradients of the barycentric coordinates [1/m]; returns the volume [m^3].
static double barycentric_gradients(const vb_node *nodes, const int32_t node[4], double out[4][3]) {
  double e[3][3];
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      e[i][c] = nodes[node[i + 1]].rest_position[c] - nodes[node[0]].rest_position[c];
  for (int i = 0; i < 3; i++) {
    const double *p = e[(i + 1) % 3], *q = e[(i + 2) % 3];
    for (int c = 0; c < 3; c++)
      out[i + 1][c] = p[(c + 1) % 3] * q[(c + 2) % 3] - p[(c + 2) % 3] * q[(c + 1) % 3];
  }
  double det = e[0][0] * out[1][0] + e[0][1] * out[1][1] + e[0][2] * out[1][2];
  for (int c = 0; c < 3; c++) {
    for (int i = 1; i < 4; i++)
      out[i][c] /= det;
    out[0][c] = -out[1][c] - out[2][c] - out[3][c];
  }
  return det / 6;
}

/// Gradients of the shape functions at quadrature point `q`, from those of the coordinates.
static void shape_gradients(const nh_solid *solid, const double l[4][3], int q, double *out) {
  if (solid->nodes == 4) {
    memcpy(out, l, 12 * sizeof *out);
    return;
  }
  // Four points, exact for polynomials of degree 2: (5 + 3 sqrt 5)/20 and (5 - sqrt 5)/20.
  double at[4];
  for (int i = 0; i < 4; i++)
    at[i] = i == q ? 0.58541019662496845446 : 0.13819660112501051518;
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < 4; i++)
      out[3 * i + c] = (4 * at[i] - 1) * l[i][c];
    for (int k = 0; k < 6; k++) {
      int i = ends[k][0], j = ends[k][1];
      out[3 * (4 + k) + c] = 4 * (at[i] * l[j][c] + at[j] * l[i][c]);
    }
  }
}

static void fill_elements(nh_solid *solid) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(solid->scene, &n);
  const vb_tetrahedron *t = vb_scene_tetrahedra(solid->scene, &n);
  for (size_t e = 0; e < solid->n_elements; e++) {
    double l[4][3];
    double volume = barycentric_gradients(nodes, t[e].node, l);
    solid->material[e] = nh_material_from(t[e].young, t[e].poisson);
    solid->element_mass[e] = t[e].density * volume;
    for (int q = 0; q < solid->points; q++) {
      size_t at = e * (size_t)solid->points + (size_t)q;
      solid->weight[at] = volume / solid->points;
      shape_gradients(solid, (const double(*)[3])l, q,
                      solid->gradient + at * 3 * (size_t)solid->nodes);
    }
    for (int a = 0; a < solid->nodes; a++)
      solid->mass[solid->node[e * (size_t)solid->nodes + (size_t)a]] +=
          solid->element_mass[e] * lumped_share(solid, a);
  }
}

/// An edge of an element, its ends in order.
typedef struct edge_key {
  int32_t low;
  int32_t high;
  int32_t place; ///< of its middle: element * nodes + node of the element
} edge_key;

static int compare_edges(const void *left, const void *right) {
  const edge_key *a = left, *b = right;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  if (a->high != b->high)
    return a->high < b->high ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/// Numbers the middles of edges behind the corners.
static vb_status number_middles(nh_solid *solid, vb_error *error) {
  size_t n = 6 * solid->n_elements, found = 0;
  edge_key *keys = reallocarray(NULL, n, sizeof *keys);
  solid->edge = reallocarray(NULL, n, sizeof *solid->edge);
  if (!keys || !solid->edge) {
    free(keys);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < n; i++) {
    const int32_t *node = solid->node + i / 6 * 10;
    int32_t a = node[ends[i % 6][0]], b = node[ends[i % 6][1]];
    keys[i] = (edge_key){a < b ? a : b, a < b ? b : a, (int32_t)(i / 6 * 10 + 4 + i % 6)};
  }
  qsort(keys, n, sizeof *keys, compare_edges);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || keys[i].low != keys[i - 1].low || keys[i].high != keys[i - 1].high) {
      solid->edge[found][0] = keys[i].low;
      solid->edge[found][1] = keys[i].high;
      found++;
    }
    solid->node[keys[i].place] = (int32_t)(solid->n_corners + found - 1);
  }
  solid->n_nodes += found;
  free(keys);
  return VB_OK;
}

/// Lists the places of each node.
static vb_status list_places(nh_solid *solid, vb_error *error) {
  size_t n = solid->n_elements * (size_t)solid->nodes;
  solid->first = calloc(solid->n_nodes + 2, sizeof *solid->first);
  solid->at = reallocarray(NULL, n + 1, sizeof *solid->at);
  if (!solid->first || !solid->at)
    return vb_error_memory(error);
  // Counted two places further on: filling then moves each begin to where it belongs.
  for (size_t i = 0; i < n; i++)
    solid->first[solid->node[i] + 2]++;
  for (size_t i = 2; i < solid->n_nodes + 2; i++)
    solid->first[i] += solid->first[i - 1];
  for (size_t i = 0; i < n; i++)
    solid->at[solid->first[solid->node[i] + 1]++] = (int32_t)i;
  for (size_t i = 0; i < solid->n_corners; i++)
    if (solid->first[i] == solid->first[i + 1])
      return vb_bad_input(
          error,
          "node %zu belongs to no tetrahedron; solver neohookean supports only nodes of tetrahedra",
          i);
  return VB_OK;
}

static vb_status build(nh_solid *solid, vb_error *error) {
  size_t n = solid->n_elements, nodes = (size_t)solid->nodes, points = (size_t)solid->points, count;
  const vb_tetrahedron *t = vb_scene_tetrahedra(solid->scene, &count);
  solid->node = reallocarray(NULL, n * nodes, sizeof *solid->node);
  solid->gradient = reallocarray(NULL, n * points * nodes * 3, sizeof *solid->gradient);
  solid->weight = reallocarray(NULL, n * points, sizeof *solid->weight);
  solid->material = reallocarray(NULL, n, sizeof *solid->material);
  solid->element_mass = reallocarray(NULL, n, sizeof *solid->element_mass);
  if (!solid->node || !solid->gradient || !solid->weight || !solid->material ||
      !solid->element_mass)
    return vb_error_memory(error);
  for (size_t e = 0; e < n; e++)
    memcpy(solid->node + e * nodes, t[e].node, sizeof t[e].node);
  vb_status status = solid->nodes == 10 ? number_middles(solid, error) : VB_OK;
  if (status)
    return status;
  solid->mass = calloc(solid->n_nodes, sizeof *solid->mass);
  if (!solid->mass)
    return vb_error_memory(error);
  status = list_places(solid, error);
  if (!status)
    fill_elements(solid);
  return status ? status : nh_active_create(solid, error);
}

vb_status nh_solid_create(const vb_scene *scene, bool quadratic, nh_solid **out, vb_error *error) {
  size_t n = vb_scene_count(scene, VB_SET_TETRAHEDRON);
  if (n == 0)
    return vb_bad_input(error, "the scene has no tetrahedra; solver neohookean needs at least one");
  if (n > INT32_MAX / (2 * NH_MAX_PAIRS))
    return vb_bad_input(error, "too many tetrahedra: %zu (maximum %d)", n,
                        INT32_MAX / (2 * NH_MAX_PAIRS));
  nh_solid *solid = calloc(1, sizeof *solid);
  if (!solid)
    return vb_error_memory(error);
  solid->scene = scene;
  solid->n_corners = solid->n_nodes = vb_scene_count(scene, VB_SET_NODE);
  solid->n_elements = n;
  solid->nodes = quadratic ? 10 : 4;
  solid->points = quadratic ? 4 : 1;
  solid->pairs = solid->nodes * (solid->nodes + 1) / 2;
  solid->mass_pattern = quadratic ? quadratic_mass : linear_mass;
  vb_status status = build(solid, error);
  if (status) {
    nh_solid_destroy(solid);
    return status;
  }
  *out = solid;
  return VB_OK;
}

void nh_solid_destroy(nh_solid *solid) {
  if (!solid)
    return;
  free(solid->edge);
  free(solid->node);
  free(solid->gradient);
  free(solid->weight);
  free(solid->material);
  free(solid->active);
  free(solid->element_mass);
  free(solid->mass);
  free(solid->first);
  free(solid->at);
  free(solid);
}

void nh_solid_deformation(const nh_solid *solid, size_t e, int q, const double *x, double f[9]) {
  const int32_t *node = solid->node + e * (size_t)solid->nodes;
  const double *g =
      solid->gradient + (e * (size_t)solid->points + (size_t)q) * 3 * (size_t)solid->nodes;
  // From differences to the first node: the gradients sum to zero, and F = I comes out exact to
  // rounding of the edges, not of the distance to the origin.
  const double *origin = x + 3 * (size_t)node[0];
  for (int k = 0; k < 9; k++)
    f[k] = 0;
  for (int a = 1; a < solid->nodes; a++) {
    const double *p = x + 3 * (size_t)node[a];
    for (int i = 0; i < 3; i++) {
      double d = p[i] - origin[i];
      for (int j = 0; j < 3; j++)
        f[3 * i + j] += d * g[3 * a + j];
    }
  }
}

void nh_solid_multiply_mass(const nh_solid *solid, bool consistent, const double *v, double *out) {
  if (!consistent) {
    for (size_t i = 0; i < solid->n_nodes; i++)
      for (size_t c = 0; c < 3; c++)
        out[3 * i + c] = solid->mass[i] * v[3 * i + c];
    return;
  }
  size_t nodes = (size_t)solid->nodes;
  memset(out, 0, 3 * solid->n_nodes * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++) {
    const int32_t *node = solid->node + e * nodes;
    for (size_t a = 0; a < nodes; a++)
      for (size_t b = 0; b < nodes; b++) {
        double m = solid->element_mass[e] * solid->mass_pattern[a * nodes + b];
        for (size_t c = 0; c < 3; c++)
          out[3 * (size_t)node[a] + c] += m * v[3 * (size_t)node[b] + c];
      }
  }
}
