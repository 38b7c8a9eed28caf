// SPDX-License-Identifier: GPL-3.0-or-later
/// The contacts of a substep: narrow phase, colors, half-planes.
///
/// A contact keeps its two points and its normal for the substep, so that its gap is linear in
/// centers and scales, and what its push adds up to is a force at one place.
#include "viper/cpu/contact_gaps.h"
#include "viper/cpu/contact_real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pairs that a thread looks at at once.
#define CHUNK 256
/// Squared sine of the angle between axes below which two places of a pair are watched: pills side
/// by side touch along a line.
#define PARALLEL_AXES 0.03
/// Scale below which a node is watched: its limit, and what a substep may take from it.
#define WATCHED (VIPER_LEAST_TOUCHING + 0.25)

static bool reserve(viper_touch_list *list, size_t n) {
  if (n <= list->capacity)
    return true;
  size_t capacity = n + n / 2 + 64;
  viper_touch *touch = realloc(list->touch, capacity * sizeof *touch);
  if (!touch)
    return false;
  list->touch = touch;
  list->capacity = capacity;
  return true;
}

static void append(viper_touch_list *list, const viper_touch *touch) {
  list->failed = list->failed || !reserve(list, list->n + 1);
  if (!list->failed)
    list->touch[list->n++] = *touch;
}

/// A pair of pills at work.
typedef struct meeting {
  viper_pill a, b;
  viper_vec3 old_a[2], old_b[2]; ///< ends before the substep
  const int32_t *node_a, *node_b;
  viper_real margin; ///< gap up to which it is a contact
} meeting;

static void load_pill(const viper_cpu *cpu, int32_t j, viper_pill *pill, viper_vec3 old[2]) {
  const viper_scalar *end = cpu->contacts->pill[j].end;
  for (int k = 0; k < 2; k++) {
    const viper_contact_node *x = &cpu->contacts->node[cpu->model->segment[j].node[k]];
    old[k] = viper_vec3_make(x->old[0], x->old[1], x->old[2]);
    pill->c[k] = viper_vec3_make(end[4 * k], end[4 * k + 1], end[4 * k + 2]);
    pill->r[k] = end[4 * k + 3];
  }
}

static viper_vec3 between(const viper_vec3 a[2], const viper_vec3 b[2], viper_closest at) {
  viper_vec3 pa = viper_add(a[0], viper_scale(at.al, viper_sub(a[1], a[0])));
  viper_vec3 pb = viper_add(b[0], viper_scale(at.be, viper_sub(b[1], b[0])));
  return viper_sub(pa, pb);
}

/// A unit vector that is normal to both axes, or to one where these are parallel.
static viper_vec3 common_normal(const meeting *p) {
  viper_vec3 u = viper_sub(p->a.c[1], p->a.c[0]), v = viper_sub(p->b.c[1], p->b.c[0]);
  viper_vec3 n = viper_cross(u, v);
  viper_real least = VIPER_R(VIPER_EPSILON) * viper_dot(u, u) * viper_dot(v, v);
  if (!(viper_dot(n, n) > least)) {
    viper_vec3 axis = u.x * u.x < u.y * u.y ? viper_vec3_make(1, 0, 0) : viper_vec3_make(0, 1, 0);
    n = viper_cross(u, axis);
  }
  viper_real n2 = viper_dot(n, n);
  return n2 > 0 ? viper_scale(1 / VIPER_SQRT(n2), n) : viper_vec3_make(0, 0, 1);
}

/// Whether the points at `at` passed each other nearer than the pills' radii on the straight way
/// from `old` to `now`.
static bool passed(const meeting *p, viper_closest at, viper_vec3 old, viper_vec3 now) {
  viper_vec3 way = viper_sub(now, old);
  viper_real way2 = viper_dot(way, way);
  if (!(viper_dot(old, now) < 0) || !(way2 > 0))
    return false;
  viper_real t = viper_clamp01(-viper_dot(old, way) / way2);
  viper_vec3 nearest = viper_add(old, viper_scale(t, way));
  viper_real reach = viper_pill_radius(&p->a, at.al) + viper_pill_radius(&p->b, at.be);
  return viper_dot(nearest, nearest) < reach * reach;
}

/// The normal at `at`: along the line between the points, or as it was before pills that went
/// through each other did so.
static viper_vec3 normal_of(const meeting *p, viper_closest at, viper_vec3 old, viper_vec3 now) {
  viper_real reach = viper_pill_radius(&p->a, at.al) + viper_pill_radius(&p->b, at.be);
  viper_vec3 d = passed(p, at, old, now) ? old : now;
  viper_real d2 = viper_dot(d, d);
  if (d2 > VIPER_R(1e-6) * reach * reach)
    return viper_scale(1 / VIPER_SQRT(d2), d);
  viper_vec3 n = common_normal(p);
  return viper_dot(old, n) < 0 ? viper_scale(VIPER_R(-1), n) : n;
}

static void add_contact(const viper_contacts *c, const meeting *p, viper_closest at, viper_vec3 old,
                        viper_vec3 now, viper_touch_list *out) {
  viper_vec3 n = normal_of(p, at, old, now);
  viper_touch t = {.node = {p->node_a[0], p->node_a[1], p->node_b[0], p->node_b[1]},
                   .weight = {1 - at.al, at.al, at.be - 1, -at.be},
                   .n = {n.x, n.y, n.z}};
  if (viper_touch_weigh(&t, c->node, 4))
    append(out, &t);
}

/// Makes a contact at a place of a pair where it is near enough or went through.
static void look_at(const viper_contacts *c, const meeting *p, viper_closest at,
                    viper_touch_list *out) {
  viper_vec3 now = between(p->a.c, p->b.c, at), old = between(p->old_a, p->old_b, at);
  viper_vec3 way = viper_sub(now, old);
  double reach = (double)(viper_pill_radius(&p->a, at.al) + viper_pill_radius(&p->b, at.be));
  if (!(at.gap < p->margin) && !passed(p, at, old, now))
    return;
  out->speed = fmax(out->speed, sqrt((double)viper_dot(way, way)) / reach);
  add_contact(c, p, at, old, now, out);
}

static bool side_by_side(const meeting *p) {
  viper_vec3 u = viper_sub(p->a.c[1], p->a.c[0]), v = viper_sub(p->b.c[1], p->b.c[0]);
  viper_vec3 w = viper_cross(u, v);
  return viper_dot(w, w) < VIPER_R(PARALLEL_AXES) * viper_dot(u, u) * viper_dot(v, v);
}

static viper_real apart(viper_closest a, viper_closest b) {
  viper_real al = a.al - b.al, be = a.be - b.be;
  return al * al + be * be;
}

/// Contacts of segments i < j: where they are nearest and, side by side, at the place on their
/// edges that is farthest from there.
static void touch_pair(const viper_cpu *cpu, int32_t i, int32_t j, viper_touch_list *out) {
  const viper_contacts *c = cpu->contacts;
  meeting p = {.node_a = cpu->model->segment[i].node, .node_b = cpu->model->segment[j].node};
  viper_closest candidate[VIPER_CANDIDATES];
  load_pill(cpu, i, &p.a, p.old_a);
  load_pill(cpu, j, &p.b, p.old_b);
  p.margin = (viper_real)c->settings->margin + VIPER_R(0.5) * (c->pill[i].way + c->pill[j].way);
  viper_pill_candidates(&p.a, &p.b, candidate);
  viper_closest best = candidate[0];
  for (int k = 1; k < VIPER_CANDIDATES; k++)
    best = candidate[k].gap < best.gap ? candidate[k] : best;
  look_at(c, &p, best, out);
  if (!side_by_side(&p))
    return;
  viper_closest other = best;
  for (int k = 0; k < VIPER_CANDIDATES; k++)
    if (candidate[k].gap < p.margin && apart(candidate[k], best) > apart(other, best))
      other = candidate[k];
  if (apart(other, best) > VIPER_R(0.0625))
    look_at(c, &p, other, out);
}

#define viper_pill_gaps VIPER_NAME(viper_pill_gaps)

/// Makes the contacts of `n` pairs, at most VIPER_GAPS: first the gaps of all, then a closer look
/// at those that are near enough, or may have gone through each other.
static void touch_block(const viper_cpu *cpu, const viper_sphere_pair *pair, int n,
                        viper_touch_list *out) {
  viper_scalar block[VIPER_PAIR_NUMBERS][VIPER_GAPS] = {{0}}, gap[VIPER_GAPS], way[VIPER_GAPS];
  double margin = cpu->contacts->settings->margin;
  for (int k = 0; k < n; k++) {
    const viper_moving_pill *a = &cpu->contacts->pill[pair[k].i];
    const viper_moving_pill *b = &cpu->contacts->pill[pair[k].j];
    for (int row = 0; row < 8; row++) {
      block[row][k] = a->end[row];
      block[8 + row][k] = b->end[row];
    }
    way[k] = a->way + b->way;
  }
  viper_pill_gaps((const viper_scalar(*)[VIPER_GAPS])block, gap);
  for (int k = 0; k < n; k++)
    if (gap[k] < (viper_real)margin + way[k] &&
        viper_filter_allows(&cpu->contacts->filter, pair[k].i, pair[k].j))
      touch_pair(cpu, pair[k].i, pair[k].j, out);
}

static bool reserve_chunks(viper_contacts *c, size_t n) {
  if (n <= c->n_found)
    return true;
  viper_touch_list *found = realloc(c->found, n * sizeof *found);
  if (!found)
    return false;
  memset(found + c->n_found, 0, (n - c->n_found) * sizeof *found);
  c->found = found;
  c->n_found = n;
  return true;
}

/// The narrow phase, chunk by chunk; returns how many chunks there are, or -1 without memory.
static int64_t find_touches(viper_cpu *cpu, const viper_sphere_pair *pairs, size_t n, int threads) {
  viper_contacts *c = cpu->contacts;
  int64_t n_chunks = (int64_t)((n + CHUNK - 1) / CHUNK);
  if (!reserve_chunks(c, (size_t)n_chunks))
    return -1;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (n_chunks > 16)
  for (int64_t k = 0; k < n_chunks; k++) {
    viper_touch_list *out = &c->found[k];
    size_t end = (size_t)(k + 1) * CHUNK < n ? (size_t)(k + 1) * CHUNK : n;
    out->n = 0;
    out->speed = 0;
    out->failed = false;
    for (size_t i = (size_t)k * CHUNK; i < end; i += VIPER_GAPS)
      touch_block(cpu, pairs + i, end - i < VIPER_GAPS ? (int)(end - i) : VIPER_GAPS, out);
  }
  return n_chunks;
}

/// The least color that none of a contact's nodes has yet; the last one where all are taken.
static int color_of(viper_contacts *c, const viper_touch *t) {
  uint64_t taken = 0;
  for (int k = 0; k < 4; k++)
    taken |= c->colors[t->node[k]];
  int color = 0;
  while (color < VIPER_CONTACT_COLORS && taken >> color & 1)
    color++;
  for (int k = 0; k < 4 && color < VIPER_CONTACT_COLORS; k++)
    c->colors[t->node[k]] |= UINT64_C(1) << color;
  return color;
}

/// Sorts contacts into colors that share no node: greedily, in the order of the pairs.
static bool sort_touches(viper_contacts *c, int64_t n_chunks) {
  size_t n = 0;
  int32_t next[VIPER_CONTACT_COLORS + 1] = {0};
  for (int64_t k = 0; k < n_chunks; k++) {
    if (c->found[k].failed)
      return false;
    n += c->found[k].n;
    c->speed = fmax(c->speed, c->found[k].speed);
    for (size_t i = 0; i < c->found[k].n; i++) {
      viper_touch *t = &c->found[k].touch[i];
      t->which = color_of(c, t);
      next[t->which]++;
    }
  }
  if (!reserve(&c->touch, n))
    return false;
  c->touch.n = n;
  c->color_first[0] = 0;
  for (int color = 0; color <= VIPER_CONTACT_COLORS; color++) {
    c->color_first[color + 1] = c->color_first[color] + next[color];
    next[color] = c->color_first[color];
  }
  for (int64_t k = 0; k < n_chunks; k++)
    for (size_t i = 0; i < c->found[k].n; i++)
      c->touch.touch[next[c->found[k].touch[i].which]++] = c->found[k].touch[i];
  for (size_t k = 0; k < n; k++)
    for (int node = 0; node < 4; node++) {
      c->colors[c->touch.touch[k].node[node]] = 0;
      c->is_active[c->touch.touch[k].node[node]] = 1;
    }
  return true;
}

/// The contact of a node with a half-plane, where it is near enough.
static void rest_on(viper_contacts *c, double margin, int32_t i, int32_t plane) {
  const viper_contact_node *x = &c->node[i];
  const vb_half_plane *h = &c->plane[plane];
  double gap = -h->offset - (double)x->radius * (double)x->x[3], way2 = 0;
  for (int k = 0; k < 3; k++) {
    double way = (double)x->x[k] - (double)x->old[k];
    gap += h->normal[k] * (double)x->x[k];
    way2 += way * way;
  }
  if (!(gap < margin + sqrt(way2)))
    return;
  viper_touch t = {
      .node = {i},
      .weight = {1},
      .n = {(viper_scalar)h->normal[0], (viper_scalar)h->normal[1], (viper_scalar)h->normal[2]},
      .offset = (viper_scalar)h->offset,
      .which = plane};
  if (!viper_touch_weigh(&t, c->node, 1))
    return;
  append(&c->rest, &t);
  c->is_active[i] = 1;
}

/// Watches scales that may come to their limit in this substep.
static void watch_scale(viper_contacts *c, int32_t i) {
  const viper_contact_node *x = &c->node[i];
  if (x->inverse[3] > 0 && (x->x[3] < VIPER_R(WATCHED) || x->old[3] < VIPER_R(WATCHED))) {
    c->limit[c->n_limits++] = (viper_limit){.node = i};
    c->is_active[i] = 1;
  }
}

static void list_active(viper_contacts *c, int32_t n_nodes) {
  c->n_active = 0;
  for (int32_t i = 0; i < n_nodes; i++)
    if (c->is_active[i]) {
      c->active[c->n_active++] = i;
      c->is_active[i] = 0;
    }
}

vb_status viper_contact_detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  int32_t n_nodes = (int32_t)cpu->model->n_nodes;
  const viper_sphere_pair *pairs;
  size_t n_pairs = 0;
  double margin = c->settings ? c->settings->margin : 0;
  c->touch.n = c->rest.n = 0;
  c->n_active = c->n_limits = 0;
  c->speed = 0;
  c->rest.failed = false;
  viper_contact_gather(cpu, settings->threads);
  if (c->settings) {
    vb_status status = viper_contact_pairs(cpu, margin, settings->threads, &pairs, &n_pairs, error);
    if (status)
      return status;
    int64_t n_chunks = find_touches(cpu, pairs, n_pairs, settings->threads);
    if (n_chunks < 0 || !sort_touches(c, n_chunks))
      return vb_error_memory(error);
  }
  for (int32_t i = 0; i < n_nodes; i++)
    for (int32_t p = 0; p < (int32_t)c->n_planes; p++)
      rest_on(c, margin, i, p);
  for (int32_t i = 0; i < n_nodes; i++)
    watch_scale(c, i);
  list_active(c, n_nodes);
  c->fastest = fmax(c->fastest, c->speed);
  return c->rest.failed ? vb_error_memory(error) : VB_OK;
}
