// SPDX-License-Identifier: GPL-3.0-or-later
/// The broad phase of a substep: the neighbor list, the pairs of capsules that may be near, kept
/// from substep to substep.
///
/// A sphere about each capsule, widened by half the margin and by a skin, holds the capsule for as
/// long as its surface moves by no more than the skin. While that is so for all capsules, the pairs
/// of spheres are all pairs that may come nearer than the margin. A few capsules that leave their
/// spheres get new ones, and what pairs these make are added; if many do, all begins anew.
#include "viper/cpu/contact/contact_real.h"

#include <stdlib.h>
#include <string.h>

/// Substeps that a skin is meant to last, at the pace of the capsule.
#define MEANT_TO_LAST 8
/// By what part of a capsule's quickest motion so far it is expected to move again, each substep.
#define SLOWING 0.95
/// A skin beside that, in radii.
#define LEAST_SKIN 0.05
/// Where skins would be more than this part of the radii, in the mean, pairs are listed anew in
/// every substep.
#define MOST_SKIN 1.0
/// Most capsules whose spheres are not the grid's, as a part of all, and in all: each new one is
/// compared with each of them.
#define MOST_MOVED_DIVISOR 24
#define MOST_MOVED         1024

/// How skins are made: by how many substeps' paces, and by what part of the radii, they are thick.
typedef struct skin_rule {
  double paces, radii;
} skin_rule;

/// How far the surface of a capsule moved, at most: its ends, and by what their radii changed.
static viper_scalar moved(const viper_moving_capsule *from, const viper_moving_capsule *to) {
  viper_scalar most = 0;
  for (int end = 0; end < 8; end += 4) {
    viper_scalar d2 = 0;
    for (int k = end; k < end + 3; k++)
      d2 += (to->end[k] - from->end[k]) * (to->end[k] - from->end[k]);
    viper_scalar d =
        VIPER_SCALAR_SQRT(d2) + viper_scalar_abs(to->end[end + 3] - from->end[end + 3]);
    most = !(d <= most) ? d : most;
  }
  return most;
}

/// Moves the capsules to where they are predicted; returns how many left their spheres.
static int32_t move_capsules(viper_cpu *cpu, int threads) {
  viper_contacts *c = cpu->contacts;
  viper_neighbor_list *neighbors = &c->neighbors;
  int32_t n = (int32_t)cpu->model->n_segments, left = 0;
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) schedule(static)     \
    reduction(+ : left)
  for (int32_t j = 0; j < n; j++) {
    const int32_t *node = cpu->model->segment[j].node;
    viper_moving_capsule now;
    viper_fill_capsule(&c->node[node[0]], &c->node[node[1]], &now);
    viper_scalar step = neighbors->listed ? moved(&c->capsule[j], &now) : now.displacement;
    neighbors->displacement[j] += step;
    neighbors->pace[j] = neighbors->listed
                             ? viper_larger(step, VIPER_R(SLOWING) * neighbors->pace[j])
                             : now.displacement;
    neighbors->reach[j] = neighbors->displacement[j] + now.displacement;
    c->capsule[j] = now;
    left += !(neighbors->reach[j] <= neighbors->skin[j]);
  }
  return left;
}

static double radii_of(const viper_moving_capsule *capsule) {
  return (double)capsule->end[3] + (double)capsule->end[7];
}

static skin_rule choose_rule(const viper_contacts *c, int32_t n) {
  double radii = 0, pace = 0;
  for (int32_t j = 0; j < n; j++) {
    radii += 0.5 * radii_of(&c->capsule[j]);
    pace += (double)c->neighbors.pace[j];
  }
  bool lasts = MEANT_TO_LAST * pace <= MOST_SKIN * radii;
  return lasts ? (skin_rule){MEANT_TO_LAST, 0.5 * LEAST_SKIN} : (skin_rule){0};
}

/// Puts a new sphere about capsule `j`.
static void put_sphere(const viper_cpu *cpu, int32_t j, double margin, skin_rule rule) {
  viper_contacts *c = cpu->contacts;
  const int32_t *node = cpu->model->segment[j].node;
  double extra = rule.paces * (double)c->neighbors.pace[j] + rule.radii * radii_of(&c->capsule[j]);
  viper_sphere out = {
      .body = c->filter.body[j], .groups = c->filter.groups[j], .meets = c->filter.meets[j]};
  float about[4];
  viper_sphere_about(&c->node[node[0]], &c->node[node[1]], (viper_scalar)(margin + 2 * extra),
                     about);
  memcpy(out.center, about, sizeof out.center);
  out.radius = about[3];
  c->sphere[j] = out;
  c->neighbors.reach[j] = c->neighbors.displacement[j] + c->capsule[j].displacement;
  c->neighbors.skin[j] = c->neighbors.reach[j] + (viper_scalar)extra;
}

static bool reserve(viper_neighbor_list *neighbors, size_t n) {
  return VB_GROW(neighbors->other, neighbors->other_capacity, n) &&
         VB_GROW(neighbors->limit, neighbors->limit_capacity, n) &&
         VB_GROW(neighbors->spare, neighbors->spare_capacity, n);
}

/// The limits of a segment's new pairs: those of before, without the displacements until now; new
/// pairs are to be looked at.
static void carry_limits(viper_neighbor_list *neighbors, const viper_sphere_pairs *pairs,
                         int32_t i) {
  int32_t old = neighbors->first[i], end = neighbors->first[i + 1];
  for (int32_t k = pairs->first[i]; k < pairs->first[i + 1]; k++) {
    int32_t j = pairs->other[k];
    while (old < end && neighbors->other[old] < j)
      old++;
    bool known = old < end && neighbors->other[old] == j;
    neighbors->spare[k] =
        known ? neighbors->limit[old] - (neighbors->displacement[i] + neighbors->displacement[j])
              : -1;
  }
}

/// Lists the pairs that the grid found in place of those before; what is known of their gaps is
/// kept. False without memory.
static bool list_pairs(viper_neighbor_list *neighbors, int32_t n_segments,
                       const viper_sphere_pairs *pairs, int threads) {
  int32_t n = pairs->first[n_segments];
  if (!reserve(neighbors, (size_t)n))
    return false;
  if (!neighbors->listed) // nothing is known
    memset(neighbors->first, 0, ((size_t)n_segments + 1) * sizeof *neighbors->first);
#pragma omp parallel num_threads(threads) if (n_segments > VIPER_CONTACT_PARALLEL)
  {
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      carry_limits(neighbors, pairs, i);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      neighbors->displacement[i] = 0;
  }
  memcpy(neighbors->first, pairs->first, ((size_t)n_segments + 1) * sizeof *neighbors->first);
  if (n > 0)
    memcpy(neighbors->other, pairs->other, (size_t)n * sizeof *neighbors->other);
  viper_scalar *limit = neighbors->limit;
  size_t capacity = neighbors->limit_capacity;
  neighbors->limit = neighbors->spare;
  neighbors->limit_capacity = neighbors->spare_capacity;
  neighbors->spare = limit;
  neighbors->spare_capacity = capacity;
  neighbors->n_moved = 0;
  neighbors->listed = true;
  return true;
}

static int compare_pairs(const void *x, const void *y) {
  const int32_t *a = x, *b = y;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// The first place in a segment's row whose other segment is not before `j`.
static int32_t place_of(const viper_neighbor_list *neighbors, int32_t i, int32_t j) {
  int32_t begin = neighbors->first[i], n = neighbors->first[i + 1] - begin;
  while (n > 0) {
    int32_t half = n / 2;
    bool behind = neighbors->other[begin + half] < j;
    begin = behind ? begin + half + 1 : begin;
    n = behind ? n - half - 1 : half;
  }
  return begin;
}

/// Whether the pair of segments i < j is listed.
static bool is_listed(const viper_neighbor_list *neighbors, int32_t i, int32_t j) {
  int32_t k = place_of(neighbors, i, j);
  return k < neighbors->first[i + 1] && neighbors->other[k] == j;
}

/// Sorts the pairs to be added, and drops those that are twice there.
static void sift(viper_neighbor_list *neighbors) {
  size_t n = 0;
  if (neighbors->n_added > 0)
    qsort(neighbors->added, neighbors->n_added, sizeof *neighbors->added, compare_pairs);
  for (size_t e = 0; e < neighbors->n_added; e++) {
    int32_t i = neighbors->added[e][0], j = neighbors->added[e][1];
    if (n > 0 && neighbors->added[n - 1][0] == i && neighbors->added[n - 1][1] == j)
      continue;
    neighbors->added[n][0] = i;
    neighbors->added[n++][1] = j;
  }
  neighbors->n_added = n;
}

/// Adds the pairs `added`, which are not listed but may be there twice. False without memory.
static bool list_added(viper_neighbor_list *neighbors, int32_t n_segments) {
  sift(neighbors);
  if (!reserve(neighbors, (size_t)neighbors->first[n_segments] + neighbors->n_added))
    return false;
  int32_t end = neighbors->first[n_segments];
  for (size_t e = neighbors->n_added; e > 0;
       e--) { // from behind: what lies between moves by e places
    int32_t at = place_of(neighbors, neighbors->added[e - 1][0], neighbors->added[e - 1][1]);
    memmove(neighbors->other + at + e, neighbors->other + at,
            (size_t)(end - at) * sizeof *neighbors->other);
    memmove(neighbors->limit + at + e, neighbors->limit + at,
            (size_t)(end - at) * sizeof *neighbors->limit);
    neighbors->other[at + (int32_t)e - 1] = neighbors->added[e - 1][1];
    neighbors->limit[at + (int32_t)e - 1] = -1;
    end = at;
  }
  int32_t before = 0;
  for (int32_t i = 0; i <= n_segments; i++) {
    neighbors->first[i] += before;
    while (before < (int32_t)neighbors->n_added && neighbors->added[before][0] == i)
      before++;
  }
  neighbors->n_added = 0;
  return true;
}

static vb_status list_all(viper_cpu *cpu, double margin, int threads, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_segments;
  skin_rule rule = choose_rule(c, n);
  viper_sphere_pairs pairs;
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) schedule(static)
  for (int32_t j = 0; j < n; j++)
    put_sphere(cpu, j, margin, rule);
  vb_status status = viper_grid_pairs(c->grid, c->sphere, (size_t)n, threads, &pairs, error);
  if (status)
    return status;
  if (!list_pairs(&c->neighbors, n, &pairs, threads))
    return vb_error_memory(error);
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) schedule(static)
  for (int32_t j = 0; j < n; j++) { // from displacements of 0 on
    viper_scalar extra = c->neighbors.skin[j] - c->neighbors.reach[j];
    c->neighbors.reach[j] = c->capsule[j].displacement;
    c->neighbors.skin[j] = c->neighbors.reach[j] + viper_larger(extra, 0);
  }
  return VB_OK;
}

/// Notes that a pair is to be listed, where it is not.
static bool add(viper_neighbor_list *neighbors, int32_t a, int32_t b) {
  int32_t i = a < b ? a : b, j = a < b ? b : a;
  if (is_listed(neighbors, i, j))
    return true;
  if (!VB_GROW(neighbors->added, neighbors->most_added, neighbors->n_added + 1))
    return false;
  neighbors->added[neighbors->n_added][0] = i;
  neighbors->added[neighbors->n_added++][1] = j;
  return true;
}

/// Adds the pairs that the new sphere of capsule `j` makes with the grid's and with other new ones.
static bool add_pairs(viper_contacts *c, int32_t j) {
  viper_neighbor_list *neighbors = &c->neighbors;
  neighbors->around.n = 0;
  bool well = viper_grid_around(c->grid, &c->sphere[j], j, &neighbors->around);
  for (size_t k = 0; well && k < neighbors->around.n; k++)
    well = add(neighbors, neighbors->around.sphere[k], j);
  for (int32_t k = 0; well && k < neighbors->n_moved; k++)
    if (neighbors->moved[k] != j &&
        viper_spheres_pair(&c->sphere[neighbors->moved[k]], &c->sphere[j]))
      well = add(neighbors, neighbors->moved[k], j);
  return well;
}

/// New spheres for those that left theirs.
static bool mend(viper_cpu *cpu, double margin) {
  viper_contacts *c = cpu->contacts;
  viper_neighbor_list *neighbors = &c->neighbors;
  const skin_rule rule = {MEANT_TO_LAST, LEAST_SKIN};
  int32_t n = (int32_t)cpu->model->n_segments;
  bool well = true;
  for (int32_t j = 0; j < n && well; j++) {
    if (neighbors->reach[j] <= neighbors->skin[j])
      continue;
    put_sphere(cpu, j, margin, rule);
    well = add_pairs(c, j);
    neighbors->moved[neighbors->n_moved++] = j;
  }
  return well && list_added(neighbors, n);
}

vb_status viper_contact_pairs(viper_cpu *cpu, double margin, int threads, vb_error *error) {
  viper_neighbor_list *neighbors = &cpu->contacts->neighbors;
  int32_t n = (int32_t)cpu->model->n_segments, left = move_capsules(cpu, threads);
  if (neighbors->listed && left == 0)
    return VB_OK;
  int32_t all = neighbors->n_moved + left;
  if (!neighbors->listed || all > MOST_MOVED || all > n / MOST_MOVED_DIVISOR)
    return list_all(cpu, margin, threads, error);
  if (mend(cpu, margin))
    return VB_OK;
  neighbors->listed = false;
  return vb_error_memory(error);
}
