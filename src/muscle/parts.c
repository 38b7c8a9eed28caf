// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/parts.h"

#include "base/components.h"
#include "base/time_limit.h"

#include <stdbool.h>
#include <stdlib.h>

void vb_parts_clear(vb_parts *parts) {
  for (size_t i = 0; parts->part && i < parts->first[parts->n_slices]; i++)
    vb_slice_clear(&parts->part[i].slice);
  free(parts->part);
  free(parts->first);
  *parts = (vb_parts){0};
}

/// Cuts the next slice and adds its parts.
static vb_status add_slice(const vb_mesh *mesh, const double *field, double level, size_t n_samples,
                           vb_edges *edges, vb_parts *p, vb_error *error) {
  vb_slice *list;
  size_t n, at = p->first[p->n_slices];
  vb_status status = vb_slice_make(mesh, field, level, n_samples, edges, &list, &n, error);
  if (status)
    return status;
  vb_part *more = reallocarray(p->part, at + n, sizeof *more);
  for (size_t i = 0; i < n; i++)
    if (more)
      more[at + i] = (vb_part){.slice = list[i]};
    else
      vb_slice_clear(&list[i]);
  free(list);
  if (!more)
    return vb_error_memory(error);
  p->part = more;
  p->first[++p->n_slices] = at + n;
  return VB_OK;
}

/// Notes what connects the parts of slices j and j + 1.
static void connect(const vb_mesh *mesh, const double *field, const double *level, size_t j,
                    vb_edges *edges, vb_parts *p) {
  vb_edges_join(edges, mesh, field, level[j], level[j + 1]);
  for (size_t i = p->first[j]; i < p->first[j + 1]; i++)
    p->part[i].after = vb_component_of(edges->parent, p->part[i].slice.edge);
  for (size_t i = p->first[j + 1]; i < p->first[j + 2]; i++)
    p->part[i].before = vb_component_of(edges->parent, p->part[i].slice.edge);
}

/// Whether a part of slice `to`, which is beside j, is connected with part i of slice j.
static bool are_connected(const vb_parts *p, size_t j, size_t i, size_t to, size_t other) {
  return to > j ? p->part[i].after == p->part[other].before
                : p->part[i].before == p->part[other].after;
}

/// Marks as dead ends, by -1, parts of slice j that lead to none of slice `to` that is alive.
static void prune(vb_parts *p, size_t j, size_t to) {
  for (size_t i = p->first[j]; i < p->first[j + 1]; i++) {
    bool leads = false;
    for (size_t k = p->first[to]; k < p->first[to + 1]; k++)
      leads = leads || (p->part[k].n_points >= 0 && are_connected(p, j, i, to, k));
    if (!leads)
      p->part[i].n_points = -1;
  }
}

/// Distributes `n` rods over the listed parts by area: each the whole number below its share, and
/// those that lack most of theirs one more.
static void distribute(vb_parts *p, const size_t *list, size_t n_list, int32_t n) {
  double area = 0;
  int32_t left = n;
  for (size_t i = 0; i < n_list; i++)
    area += p->part[list[i]].slice.area;
  for (size_t i = 0; i < n_list; i++) {
    vb_part *part = &p->part[list[i]];
    part->n_points = (int32_t)(n * (part->slice.area / area));
    left -= part->n_points;
  }
  for (; left > 0; left--) {
    size_t most = 0;
    double lacks = -1;
    for (size_t i = 0; i < n_list; i++) {
      const vb_part *part = &p->part[list[i]];
      double own = n * (part->slice.area / area) - part->n_points;
      if (own > lacks) {
        lacks = own;
        most = i;
      }
    }
    p->part[list[most]].n_points++;
  }
}

/// The parts of slice `to` that are alive and connected with part i of slice j.
static size_t list_next(const vb_parts *p, size_t j, size_t i, size_t to, size_t *list) {
  size_t n = 0;
  for (size_t k = p->first[to]; k < p->first[to + 1]; k++)
    if (p->part[k].n_points >= 0 && are_connected(p, j, i, to, k))
      list[n++] = k;
  return n;
}

/// Distributes over slice `to` the rods of slice j beside it: parts of j that lead to the same ones
/// together.
static void go_on(vb_parts *p, size_t j, size_t to, size_t *list) {
  for (size_t i = p->first[j]; i < p->first[j + 1]; i++) {
    if (p->part[i].n_points < 0)
      continue;
    size_t n = list_next(p, j, i, to, list);
    int32_t rods = 0;
    bool first = true;
    for (size_t k = p->first[j]; k < p->first[j + 1]; k++)
      if (p->part[k].n_points >= 0 && are_connected(p, j, k, to, list[0])) {
        rods += p->part[k].n_points;
        first = first && k >= i;
      }
    if (first)
      distribute(p, list, n, rods);
  }
}

/// The slice of fewest parts that are alive, of equals that of the greatest area; n_slices where a
/// slice has none.
static size_t find_fewest(const vb_parts *p) {
  size_t best = p->n_slices, fewest = SIZE_MAX;
  double most = 0;
  for (size_t j = 0; j < p->n_slices; j++) {
    size_t n = 0;
    double area = 0;
    for (size_t i = p->first[j]; i < p->first[j + 1]; i++)
      if (p->part[i].n_points >= 0) {
        n++;
        area += p->part[i].slice.area;
      }
    if (n == 0)
      return p->n_slices;
    if (n < fewest || (n == fewest && area > most)) {
      best = j;
      fewest = n;
      most = area;
    }
  }
  return best;
}

static vb_status count_rods(vb_parts *p, int32_t n_rods, vb_error *error) {
  size_t m = p->n_slices, n = 0;
  for (size_t j = 1; j < m; j++)
    prune(p, j, j - 1);
  for (size_t j = m - 1; j-- > 0;)
    prune(p, j, j + 1);
  size_t from = find_fewest(p), *list = reallocarray(NULL, p->first[m] + 1, sizeof *list);
  if (!list)
    return vb_error_memory(error);
  if (from < m) {
    for (size_t i = p->first[from]; i < p->first[from + 1]; i++)
      if (p->part[i].n_points >= 0)
        list[n++] = i;
    distribute(p, list, n, n_rods);
    for (size_t j = from; j + 1 < m; j++)
      go_on(p, j, j + 1, list);
    for (size_t j = from; j > 0; j--)
      go_on(p, j, j - 1, list);
  }
  free(list);
  for (size_t i = 0; i < p->first[m]; i++)
    p->part[i].n_points = p->part[i].n_points > 0 ? p->part[i].n_points : 0;
  return from < m ? VB_OK : vb_bad_input(error, "no part of a slice leads to source and sink");
}

vb_status vb_parts_make(const vb_mesh *mesh, const double *field, const double *level,
                        size_t n_slices, size_t n_samples, int32_t n_rods, vb_parts *out,
                        vb_error *error) {
  vb_parts p = {.first = calloc(n_slices + 1, sizeof *p.first)};
  vb_edges edges = {0};
  vb_status status = p.first ? vb_edges_create(mesh, &edges, error) : vb_error_memory(error);
  for (size_t j = 0; !status && j < n_slices; j++) {
    status = add_slice(mesh, field, level[j], n_samples, &edges, &p, error);
    if (!status)
      status = vb_time_limit_check(error);
  }
  for (size_t j = 0; !status && j + 1 < n_slices; j++) {
    connect(mesh, field, level, j, &edges, &p);
    status = vb_time_limit_check(error);
  }
  if (!status)
    status = count_rods(&p, n_rods, error);
  vb_edges_clear(&edges);
  if (status)
    vb_parts_clear(&p);
  else
    *out = p;
  return status;
}
