// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/capsule_surface.h"

#include "base/time_limit.h"
#include "mesh/cube_sheets.h"
#include "mesh/surface_checks.h"
#include "scene/rotation.h"

#include <assert.h>
#include <stdlib.h>

#define FEWEST_FACES 100
#define MOST_FACES   500000
#define MOST_CORNERS ((double)(1 << 27))
#define FARTHEST     1e9  ///< cubes from the origin: rounding is then a ten-millionth of one
#define NEAR_COUNT   0.03 ///< of the wanted number of faces that the made one may miss
#define MOST_TRIES   40
#define COARSEST     1.5 ///< cubes to the least radius
#define RELAXATIONS  4
#define STEEP        0.05 ///< least squared gradient along which vertices are moved
enum { BLOCK = 8 };       ///< corners along the side of a block that is passed over as a whole

double vb_capsule_field(const vb_capsule_surface *s, const double x[3], double gradient[3]) {
  double least = INFINITY, sum = 0, normals[3] = {0};
  assert(s->n_capsules > 0);
  for (size_t i = 0; i < s->n_capsules; i++) {
    double normal[3], place, d = vb_capsule_distance(&s->capsule[i], x, normal, &place) / s->blend;
    // Sums are relative to the least distance so far, and rescaled where a lesser one comes.
    double old = d < least ? exp(d - least) : 1, weight = d < least ? 1 : exp(least - d);
    least = d < least ? d : least;
    sum = old * sum + weight;
    for (int k = 0; k < 3; k++)
      normals[k] = old * normals[k] + weight * normal[k];
  }
  for (int k = 0; k < 3; k++)
    gradient[k] = normals[k] / sum;
  double agreement = vb_dot(gradient, gradient);
  agreement *= agreement;
  return s->blend * (least - (1 - agreement * agreement) * log(sum));
}

/// Cubes of side `h`, identified by their lowest corner; corner (i, j, k) is number (i n1 + j) n2 +
/// k.
typedef struct lattice {
  const vb_capsule_surface *surface;
  double low[3], h;
  int32_t n[3];   ///< corners along each axis
  double *value;  ///< the field at the corners, or its sign where that is far from zero
  int32_t *first; ///< first vertex of each cube
  int (*label)[12];
  int *given_up; ///< whether the time is over, to all threads
} lattice;

/// Whether to give up; what is under way then comes to its end anyhow.
static bool is_interrupted(const lattice *g) {
  if (vb_time_limit_over())
    __atomic_store_n(g->given_up, 1, __ATOMIC_RELAXED);
  return __atomic_load_n(g->given_up, __ATOMIC_RELAXED);
}

static size_t corner_at(const lattice *g, const int32_t at[3]) {
  return ((size_t)at[0] * (size_t)g->n[1] + (size_t)at[1]) * (size_t)g->n[2] + (size_t)at[2];
}

static int inside_corners(const lattice *g, const int32_t cube[3]) {
  int bits = 0;
  for (int c = 0; c < 8; c++) {
    int32_t at[3] = {cube[0] + (c & 1), cube[1] + (c >> 1 & 1), cube[2] + (c >> 2)};
    bits |= (g->value[corner_at(g, at)] < 0) << c;
  }
  return bits;
}

static void corner_point(const lattice *g, const int32_t at[3], double x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = g->low[k] + g->h * at[k];
}

/// Fills the corners [from, to), or only their sign where the surface is out of reach.
static void fill_block(const lattice *g, const int32_t from[3], const int32_t to[3]) {
  double center[3], reach = 0, normal[3], place, least = INFINITY;
  const vb_capsule_surface *s = g->surface;
  if (is_interrupted(g))
    return;
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * g->h * (to[k] - 1 - from[k]);
    center[k] = g->low[k] + g->h * from[k] + half;
    reach += half * half;
  }
  for (size_t i = 0; i < s->n_capsules; i++)
    least = fmin(least, vb_capsule_distance(&s->capsule[i], center, normal, &place));
  // The field is that near to the least distance, which changes no faster than the place.
  reach = sqrt(reach) + s->blend * log((double)s->n_capsules);
  for (int32_t i = from[0]; i < to[0]; i++)
    for (int32_t j = from[1]; j < to[1] && !is_interrupted(g); j++)
      for (int32_t k = from[2]; k < to[2]; k++) {
        int32_t at[3] = {i, j, k};
        double x[3], gradient[3];
        corner_point(g, at, x);
        g->value[corner_at(g, at)] = fabs(least) > reach ? least : vb_capsule_field(s, x, gradient);
      }
}

static void fill_values(const lattice *g) {
  int32_t blocks[3];
  for (int k = 0; k < 3; k++)
    blocks[k] = (g->n[k] + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(dynamic) collapse(2)
  for (int32_t i = 0; i < blocks[0]; i++)
    for (int32_t j = 0; j < blocks[1]; j++)
      for (int32_t k = 0; k < blocks[2]; k++) {
        int32_t from[3] = {BLOCK * i, BLOCK * j, BLOCK * k}, to[3];
        for (int c = 0; c < 3; c++)
          to[c] = from[c] + BLOCK < g->n[c] ? from[c] + BLOCK : g->n[c];
        fill_block(g, from, to);
      }
}

/// Moves a point onto the surface by Newton's method, no further than half a cube.
static void project(const lattice *g, double x[3]) {
  for (int i = 0; i < 4 && !is_interrupted(g); i++) {
    double gradient[3], f = vb_capsule_field(g->surface, x, gradient);
    double square = vb_dot(gradient, gradient);
    if (square < STEEP)
      return;
    double step = fmax(-0.5 * g->h, fmin(0.5 * g->h, f / sqrt(square))) / sqrt(square);
    for (int k = 0; k < 3; k++)
      x[k] -= step * gradient[k];
  }
}

/// The vertices of a cube: the mean of the points where edges cross their sheet, on the surface.
static void add_vertices(const lattice *g, const int32_t cube[3], int inside, int sheets,
                         double (*vertex)[3]) {
  int count[4] = {0};
  for (int i = 0; i < sheets; i++)
    memset(vertex[i], 0, sizeof *vertex);
  for (int e = 0; e < 12; e++) {
    int sheet = g->label[inside][e], axis = e / 4;
    int32_t end[2][3];
    double x[2][3], f[2];
    if (sheet < 0)
      continue;
    for (int i = 0; i < 2; i++) {
      int corner = vb_cube_corner(axis, i, e / 2 % 2, e % 2);
      for (int k = 0; k < 3; k++)
        end[i][k] = cube[k] + (corner >> k & 1);
      corner_point(g, end[i], x[i]);
      f[i] = g->value[corner_at(g, end[i])];
    }
    double share = f[0] / (f[0] - f[1]);
    count[sheet]++;
    for (int k = 0; k < 3; k++)
      vertex[sheet][k] += (1 - share) * x[0][k] + share * x[1][k];
  }
  for (int i = 0; i < sheets; i++) {
    for (int k = 0; k < 3; k++)
      vertex[i][k] /= count[i];
    project(g, vertex[i]);
  }
}

/// Calls for each cube that the surface passes, in order; where `vertex` is null only counts.
static size_t visit_cubes(const lattice *g, double (*vertex)[3]) {
  size_t n = 0;
  for (int32_t i = 0; i + 1 < g->n[0] && !is_interrupted(g); i++)
    for (int32_t j = 0; j + 1 < g->n[1]; j++)
      for (int32_t k = 0; k + 1 < g->n[2]; k++) {
        int32_t cube[3] = {i, j, k};
        int label[12];
        int inside = inside_corners(g, cube);
        if (inside == 0 || inside == 255)
          continue;
        int sheets = vb_cube_sheets(inside, label);
        g->first[corner_at(g, cube)] = (int32_t)n;
        if (vertex)
          add_vertices(g, cube, inside, sheets, vertex + n);
        n += (size_t)sheets;
      }
  return n;
}

/// The two triangles around an edge of the lattice, from lower to upper corner along `axis`.
static void add_faces(const lattice *g, const int32_t at[3], int axis, bool outward,
                      const double (*vertex)[3], int32_t (*triangle)[3]) {
  static const int around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
  int32_t v[4];
  for (int i = 0; i < 4; i++) {
    int p = around[i][0], q = around[i][1];
    int32_t cube[3] = {at[0], at[1], at[2]};
    cube[(axis + 1) % 3] -= p;
    cube[(axis + 2) % 3] -= q;
    int label = g->label[inside_corners(g, cube)][4 * axis + 2 * p + q];
    v[outward ? i : 3 - i] = g->first[corner_at(g, cube)] + label;
  }
  bool odd =
      vertex && vb_distance(vertex[v[1]], vertex[v[3]]) < vb_distance(vertex[v[0]], vertex[v[2]]);
  memcpy(triangle[0], (int32_t[3]){v[odd], v[1 + odd], v[2 + odd]}, sizeof *triangle);
  memcpy(triangle[1], (int32_t[3]){v[odd], v[2 + odd], v[(3 + odd) % 4]}, sizeof *triangle);
}

/// Likewise for each edge of the lattice that the surface crosses.
static size_t visit_edges(const lattice *g, const double (*vertex)[3], int32_t (*triangle)[3]) {
  size_t n = 0;
  for (int32_t i = 0; i < g->n[0] && !is_interrupted(g); i++)
    for (int32_t j = 0; j < g->n[1]; j++)
      for (int32_t k = 0; k < g->n[2]; k++)
        for (int axis = 0; axis < 3; axis++) {
          int32_t at[3] = {i, j, k}, next[3] = {i, j, k};
          if (++next[axis] >= g->n[axis])
            continue;
          bool in = g->value[corner_at(g, at)] < 0;
          if (in == (g->value[corner_at(g, next)] < 0))
            continue;
          if (triangle)
            add_faces(g, at, axis, in, vertex, triangle + n);
          n += 2;
        }
  return n;
}

/// Evens the triangles out: moves vertices towards the mean of their neighbors and back onto the
/// surface.
static vb_status relax(const lattice *g, vb_mesh *mesh, vb_error *error) {
  double(*sum)[4] = reallocarray(NULL, mesh->n_vertices + 1, sizeof *sum);
  if (!sum)
    return vb_error_memory(error);
  for (int pass = 0; pass < RELAXATIONS; pass++) {
    memset(sum, 0, mesh->n_vertices * sizeof *sum);
    for (size_t t = 0; t < 3 * mesh->n_triangles; t++) {
      int32_t to = mesh->triangle[t / 3][t % 3], from = mesh->triangle[t / 3][(t + 1) % 3];
      for (int k = 0; k < 3; k++)
        sum[to][k] += mesh->vertex[from][k];
      sum[to][3]++;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < mesh->n_vertices; i++) {
      for (int k = 0; k < 3; k++)
        mesh->vertex[i][k] = 0.5 * (mesh->vertex[i][k] + sum[i][k] / sum[i][3]);
      project(g, mesh->vertex[i]);
    }
  }
  free(sum);
  return VB_OK;
}

static vb_status place_lattice(const vb_capsule_surface *s, double h, lattice *g, vb_error *error) {
  vb_bounds all = vb_bounds_none();
  double margin = 2 * h + s->blend * log((double)s->n_capsules), corners = 1;
  g->surface = s;
  g->h = h;
  for (size_t i = 0; i < s->n_capsules; i++) {
    vb_bounds b = vb_capsule_bounds(&s->capsule[i]);
    vb_bounds_grow(&all, b.low, margin);
    vb_bounds_grow(&all, b.high, margin);
  }
  double far = 0;
  for (int k = 0; k < 3; k++) {
    g->low[k] = all.low[k];
    far = fmax(far, fmax(fabs(all.low[k]), fabs(all.high[k])));
    corners *= ceil((all.high[k] - all.low[k]) / h) + 1;
  }
  if (!(far < FARTHEST * h))
    return vb_bad_input(error, "pills %g m from the origin are too far for faces of %g m", far, h);
  if (!(corners < MOST_CORNERS))
    return vb_bad_input(error, "the requested faces need a grid of %.3g cubes; request fewer",
                        corners);
  for (int k = 0; k < 3; k++)
    g->n[k] = (int32_t)ceil((all.high[k] - all.low[k]) / h) + 1;
  g->value = reallocarray(NULL, (size_t)corners, sizeof *g->value);
  g->first = reallocarray(NULL, (size_t)corners, sizeof *g->first);
  g->label = reallocarray(NULL, 256, sizeof *g->label);
  return g->value && g->first && g->label ? VB_OK : vb_error_memory(error);
}

static vb_status mesh_lattice(const lattice *g, vb_mesh *out, vb_error *error) {
  out->n_vertices = visit_cubes(g, NULL);
  out->n_triangles = visit_edges(g, NULL, NULL);
  out->vertex = reallocarray(NULL, out->n_vertices + 1, sizeof *out->vertex);
  out->triangle = reallocarray(NULL, out->n_triangles + 1, sizeof *out->triangle);
  if (!out->vertex || !out->triangle)
    return vb_error_memory(error);
  visit_cubes(g, out->vertex);
  visit_edges(g, (const double(*)[3])out->vertex, out->triangle);
  return is_interrupted(g) ? VB_OK : relax(g, out, error); // the caller says so
}

/// The surface for cubes of side `h`.
static vb_status make_once(const vb_capsule_surface *s, double h, vb_mesh *out, vb_error *error) {
  int given_up = 0;
  lattice g = {.surface = s, .given_up = &given_up};
  vb_mesh mesh = {0};
  vb_status status = place_lattice(s, h, &g, error);
  if (!status) {
    for (int i = 0; i < 256; i++)
      vb_cube_sheets(i, g.label[i]);
    fill_values(&g);
    if (!is_interrupted(&g))
      status = mesh_lattice(&g, &mesh, error);
  }
  if (!status && is_interrupted(&g))
    status = vb_bad_input(error, "a surface of %zu pills takes too long", s->n_capsules);
  free(g.value);
  free(g.first);
  free(g.label);
  if (status)
    vb_mesh_clear(&mesh);
  else
    *out = mesh;
  return status;
}

static vb_status check(const vb_capsule_surface *s, double *area, double *radius, vb_error *error) {
  *area = 0;
  *radius = INFINITY;
  if (s->n_capsules == 0)
    return vb_bad_input(error, "a surface of pills needs at least one pill");
  if (!(s->blend > 0 && isfinite(s->blend)))
    return vb_bad_input(error, "the blend is %g m; it must be positive", s->blend);
  if (s->n_faces < FEWEST_FACES || s->n_faces > MOST_FACES)
    return vb_bad_input(error, "%zu faces are requested; it must be %d to %d", s->n_faces,
                        FEWEST_FACES, MOST_FACES);
  for (size_t i = 0; i < s->n_capsules; i++) {
    const vb_capsule *p = &s->capsule[i];
    *area += M_PI * (p->r_a + p->r_b) * (p->length + p->r_a + p->r_b);
    *radius = fmin(*radius, fmin(p->r_a, p->r_b));
  }
  if (!isfinite(*area))
    return vb_bad_input(error, "a pill is too long for double precision");
  return *radius > 0 ? VB_OK : vb_bad_input(error, "a pill has no radius at one end");
}

vb_status vb_capsule_surface_make(const vb_capsule_surface *s, vb_mesh *out, vb_error *error) {
  double area, radius, wanted = (double)s->n_faces;
  vb_status status = check(s, &area, &radius, error);
  // A face of the lattice's size has an edge of the lattice across it: two triangles for each of
  // these, 3/2 of them on a unit of area whose normal may have any direction.
  double h = status ? 0 : sqrt(3 * area / wanted);
  for (int i = 0; !status && i < MOST_TRIES; i++) {
    vb_mesh mesh = {0};
    vb_surface_shape shape;
    status = make_once(s, fmin(h, COARSEST * radius), &mesh, error);
    if (!status)
      status = vb_surface_shape_of(mesh.vertex[0], mesh.n_vertices, mesh.triangle[0],
                                   mesh.n_triangles, &shape, error);
    double ratio = (double)mesh.n_triangles / wanted;
    if (!status && fabs(ratio - 1) <= NEAR_COUNT && shape.n_boundary_edges == 0 &&
        shape.n_crowded_edges == 0) {
      *out = mesh;
      return VB_OK;
    }
    vb_mesh_clear(&mesh);
    if (!status && h > COARSEST * radius && ratio > 1 + NEAR_COUNT)
      return vb_bad_input(error,
                          "%zu faces are too few for pills as thin as %g m; request %.0f or more",
                          s->n_faces, radius, ceil(ratio * wanted));
    // Sheets that touch each other come apart on another lattice.
    h *= fabs(ratio - 1) <= NEAR_COUNT ? 0.999 : sqrt(ratio);
  }
  return status
             ? status
             : vb_bad_input(error, "no closed surface of about %zu faces was found; request more",
                            s->n_faces);
}
