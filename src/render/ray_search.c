// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/ray_search.h"

/// Of distances in float, more than their errors (see the tree's margin).
#define ROUNDING 0x1p-20F

typedef int32_t four_bits __attribute__((vector_size(4 * VB_RAY_BRANCHES)));
typedef float four __attribute__((vector_size(4 * VB_RAY_BRANCHES)));

/// A ray as the tree's boxes see it: from where it enters their bounds on, relative to their
/// middle.
typedef struct near_ray {
  four origin[3], inverse[3]; ///< the same in all components
  int back[3];                ///< whether it comes to a box's high side first
  double start;               ///< distance to where it enters
} near_ray;

/// A branch that waits to be looked at, and the distance to its box.
typedef struct waiting_branch {
  float distance;
  int32_t first, count;
} waiting_branch;

static four all(float x) {
  return (four){x, x, x, x};
}

static four smaller(four a, four b) {
  four out;
  for (int i = 0; i < VB_RAY_BRANCHES; i++)
    out[i] = a[i] < b[i] ? a[i] : b[i];
  return out;
}

static four larger(four a, four b) {
  four out;
  for (int i = 0; i < VB_RAY_BRANCHES; i++)
    out[i] = a[i] > b[i] ? a[i] : b[i];
  return out;
}

/// Whether the ray meets the bounds of all. A ray within a side's plane counts as in the box.
static bool enter(const vb_ray_tree *tree, const vb_ray *ray, near_ray *out) {
  double near = 0, far = INFINITY;
  for (int k = 0; k < 3; k++) {
    double inverse = 1 / ray->direction[k];
    double s = (tree->bounds.low[k] - ray->origin[k]) * inverse;
    double t = (tree->bounds.high[k] - ray->origin[k]) * inverse;
    double first = s < t ? s : t, last = s < t ? t : s;
    near = first > near ? first : near;
    far = last < far ? last : far;
    out->inverse[k] = all((float)inverse);
    out->back[k] = inverse < 0;
  }
  if (!(near <= far))
    return false;
  for (int k = 0; k < 3; k++)
    out->origin[k] = all((float)(ray->origin[k] + near * ray->direction[k] - tree->middle[k]));
  out->start = near;
  return true;
}

static four load(const float *x) {
  four out;
  memcpy(&out, x, sizeof out);
  return out;
}

/// Narrows what of a ray is in boxes to what is between their sides along axis `k`; the other limit
/// stays where one is not a number.
static inline void narrow(const vb_ray_node *node, const near_ray *ray, int k, four *near,
                          four *far) {
  *near = larger((load(node->side[k][ray->back[k]]) - ray->origin[k]) * ray->inverse[k], *near);
  *far = smaller((load(node->side[k][!ray->back[k]]) - ray->origin[k]) * ray->inverse[k], *far);
}

/// Has the processor fetch what is in a branch, which takes longer than to compare a ray with it.
static inline void fetch(const vb_shapes *s, int32_t first, int32_t count) {
  const void *to = count ? (const void *)s->corner[first] : (const void *)&s->tree.node[first];
  __builtin_prefetch(to);
  __builtin_prefetch((const char *)to + 64);
}

/// Puts the branches of a node aside that the ray meets, the nearest on top.
static inline int put_aside(const vb_shapes *s, const vb_ray_node *node, const near_ray *ray,
                            float limit, waiting_branch *stack, int n) {
  four near = all(0), far = all(limit);
  int begin = n;
  narrow(node, ray, 0, &near, &far);
  narrow(node, ray, 1, &near, &far);
  narrow(node, ray, 2, &near, &far);
  int64_t met[2];
  four_bits hit = near <= far;
  memcpy(met, &hit, sizeof met);
  if (!(met[0] | met[1]))
    return n;
  for (int i = 0; i < VB_RAY_BRANCHES; i++) {
    if (!(near[i] <= far[i]))
      continue;
    int at = n++;
    for (; at > begin && stack[at - 1].distance < near[i]; at--)
      stack[at] = stack[at - 1];
    stack[at] = (waiting_branch){near[i], node->first[i], node->count[i]};
    fetch(s, node->first[i], node->count[i]);
  }
  return n;
}

/// Distance to the item at a place of the tree.
static inline double intersect_item(const vb_shapes *s, int32_t place, int32_t item,
                                    const vb_ray *ray) {
  double uv[2];
  const double(*corner)[3] = s->corner[place];
  return (size_t)item < s->n_capsules
             ? vb_capsule_intersect(&s->capsule[item], ray, 0)
             : vb_ray_intersect_corners(corner[0], corner[1], corner[2], ray, uv);
}

int32_t vb_ray_search(const vb_shapes *s, const vb_ray *ray, bool any, double *distance) {
  waiting_branch stack[VB_RAY_TREE_WAITING];
  near_ray r;
  r.start = 0;
  double best = INFINITY;
  float limit = INFINITY;
  int32_t found = -1;
  int n = s->tree.n_items > 0 && enter(&s->tree, ray, &r);
  stack[0] = (waiting_branch){0, 0, 0};
  while (n > 0 && !(any && found >= 0)) {
    waiting_branch next = stack[--n];
    if (next.distance > limit)
      continue;
    if (next.count == 0)
      n = put_aside(s, &s->tree.node[next.first], &r, limit, stack, n);
    for (int32_t i = 0; i < next.count; i++) {
      int32_t place = next.first + i, item = s->tree.item[place];
      double d = intersect_item(s, place, item, ray);
      if (d < best || (d == best && d < INFINITY && item < found)) {
        best = d;
        found = item;
        limit = (float)(best - r.start) * (1 + ROUNDING) + (float)s->tree.margin;
      }
    }
  }
  *distance = best;
  return found;
}
