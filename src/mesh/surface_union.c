// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_union.h"

#include "mesh/surface_checks.h"
#include "mesh/surface_crossings.h"
#include "mesh/surface_repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void vb_surface_union_clear(vb_surface_union *all) {
  vb_mesh_clear(&all->mesh);
  free(all->component);
  free(all->surface);
  free(all->volume);
  *all = (vb_surface_union){0};
}

static const vb_named_surface *surface_at(const vb_tetrahedralize *asked, size_t i) {
  return i ? &asked->inside[i - 1] : &asked->outside;
}

/// A triangle with what it is sorted by.
typedef struct placed {
  int32_t surface, component, order;
  int32_t vertex[3];
} placed;

static int by_component(const void *left, const void *right) {
  const placed *a = left, *b = right;
  if (a->surface != b->surface)
    return a->surface < b->surface ? -1 : 1;
  if (a->component != b->component)
    return a->component < b->component ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

/// Appends surface `i` to the vertices and to the list.
static vb_status append(const vb_tetrahedralize *asked, size_t i, vb_mesh *all, placed *list,
                        vb_error *error) {
  const vb_named_surface *s = surface_at(asked, i);
  const vb_mesh *m = s->mesh;
  if (m->n_triangles == 0)
    return vb_bad_input(error, "%s: the surface is empty: it has no triangles", s->name);
  if (vb_surface_check_closed(m->vertex[0], m->triangle[0], m->n_triangles, error))
    return vb_error_prefix(error, "%s", s->name);
  int32_t *component = reallocarray(NULL, m->n_vertices + 1, sizeof *component);
  if (!component)
    return vb_error_memory(error);
  vb_surface_components(component, m->n_vertices, m->triangle[0], m->n_triangles);
  int32_t first = (int32_t)all->n_vertices;
  for (size_t t = 0; t < m->n_triangles; t++) {
    placed *p = &list[all->n_triangles + t];
    *p = (placed){.surface = (int32_t)i,
                  .component = component[m->triangle[t][0]],
                  .order = (int32_t)(all->n_triangles + t)};
    for (int c = 0; c < 3; c++)
      p->vertex[c] = first + m->triangle[t][c];
  }
  memcpy(all->vertex + all->n_vertices, m->vertex, m->n_vertices * sizeof *m->vertex);
  all->n_vertices += m->n_vertices;
  all->n_triangles += m->n_triangles;
  free(component);
  return VB_OK;
}

/// Finds where components begin, and turns inner ones outward.
static vb_status split(vb_surface_union *u, const placed *list, vb_error *error) {
  size_t n = u->mesh.n_triangles;
  u->component = reallocarray(NULL, n + 1, sizeof *u->component);
  u->surface = calloc(n + 1, sizeof *u->surface);
  u->volume = reallocarray(NULL, n + 1, sizeof *u->volume);
  if (!u->component || !u->surface || !u->volume)
    return vb_error_memory(error);
  for (size_t t = 0; t < n; t++) {
    if (t == 0 || list[t].surface != list[t - 1].surface ||
        list[t].component != list[t - 1].component) {
      u->surface[u->n_components] = list[t].surface;
      u->component[u->n_components++] = (int32_t)t;
    }
    memcpy(u->mesh.triangle[t], list[t].vertex, sizeof list[t].vertex);
  }
  u->component[u->n_components] = (int32_t)n;
  for (size_t k = 0; k < u->n_components; k++) {
    int32_t(*first)[3] = u->mesh.triangle + u->component[k];
    size_t count = (size_t)(u->component[k + 1] - u->component[k]);
    vb_surface_shape shape;
    vb_status status =
        vb_surface_shape_of(u->mesh.vertex[0], u->mesh.n_vertices, first[0], count, &shape, error);
    if (status)
      return status;
    u->volume[k] = fabs(shape.volume);
    for (size_t t = 0; shape.volume < 0 && u->surface[k] && t < count; t++) {
      int32_t last = first[t][2];
      first[t][2] = first[t][1];
      first[t][1] = last;
    }
  }
  return VB_OK;
}

/// The component that triangle `t` is of.
static size_t component_of(const vb_surface_union *u, int32_t t) {
  size_t k = 0;
  while (u->component[k + 1] <= t)
    k++;
  return k;
}

/// Checks that no triangle lies where another one does, by the same corners.
static vb_status check_doubled(const vb_tetrahedralize *asked, const vb_surface_union *u,
                               vb_error *error) {
  int32_t pair[2];
  vb_status status = vb_surface_find_doubled(&u->mesh, pair, error);
  if (status || pair[0] < 0)
    return status;
  const double *x = u->mesh.vertex[u->mesh.triangle[pair[1]][0]];
  int32_t a = u->surface[component_of(u, pair[0])], b = u->surface[component_of(u, pair[1])];
  if (a == b)
    return vb_bad_input(error, "%s: the surface is doubled: two triangles lie at (%g, %g, %g)",
                        surface_at(asked, (size_t)a)->name, x[0], x[1], x[2]);
  return vb_bad_input(error, "%s and %s have a triangle in common, at (%g, %g, %g)",
                      surface_at(asked, (size_t)a)->name, surface_at(asked, (size_t)b)->name, x[0],
                      x[1], x[2]);
}

static vb_status check_crossings(const vb_tetrahedralize *asked, const vb_surface_union *u,
                                 vb_error *error) {
  vb_surface_crossings found;
  vb_status status =
      vb_surface_crossings_of(u->mesh.vertex[0], u->mesh.n_vertices, u->mesh.triangle[0],
                              u->mesh.n_triangles, &found, error);
  if (status || found.first[0] < 0)
    return status;
  double at[3] = {0};
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        at[k] += u->mesh.vertex[u->mesh.triangle[found.first[i]][c]][k] / 6;
  int32_t a = u->surface[component_of(u, found.first[0])];
  int32_t b = u->surface[component_of(u, found.first[1])];
  size_t pairs = found.within + found.between;
  const char *name = surface_at(asked, (size_t)a)->name;
  if (a == b)
    return vb_bad_input(error,
                        "%s: the surface crosses itself near (%g, %g, %g): %zu pairs of triangles",
                        name, at[0], at[1], at[2], pairs);
  return vb_bad_input(error, "%s and %s cross near (%g, %g, %g): %zu pairs of triangles", name,
                      surface_at(asked, (size_t)b)->name, at[0], at[1], at[2], pairs);
}

vb_status vb_surface_union_make(const vb_tetrahedralize *asked, vb_surface_union *out,
                                vb_error *error) {
  vb_surface_union u = {0};
  size_t n_vertices = 0, n_triangles = 0;
  for (size_t i = 0; i <= asked->n_inside; i++) {
    n_vertices += surface_at(asked, i)->mesh->n_vertices;
    n_triangles += surface_at(asked, i)->mesh->n_triangles;
  }
  if (n_vertices > INT32_MAX / 4 || n_triangles > INT32_MAX / 4)
    return vb_bad_input(error, "the surfaces have more than %d triangles", INT32_MAX / 4);
  placed *list = reallocarray(NULL, n_triangles + 1, sizeof *list);
  u.mesh.vertex = reallocarray(NULL, n_vertices + 1, sizeof *u.mesh.vertex);
  u.mesh.triangle = reallocarray(NULL, n_triangles + 1, sizeof *u.mesh.triangle);
  vb_status status = list && u.mesh.vertex && u.mesh.triangle ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i <= asked->n_inside; i++)
    status = append(asked, i, &u.mesh, list, error);
  if (!status) {
    qsort(list, n_triangles, sizeof *list, by_component);
    status = split(&u, list, error);
  }
  if (!status)
    status = check_doubled(asked, &u, error);
  if (!status)
    status = check_crossings(asked, &u, error);
  free(list);
  if (status)
    vb_surface_union_clear(&u);
  else
    *out = u;
  return status;
}
