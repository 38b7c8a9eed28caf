// SPDX-License-Identifier: GPL-3.0-or-later
/// The spheres around one that has moved since all were sorted into cells.
#include "viper/contact/grid_internal.h"

#include <stdlib.h>

/// A range of cells along an axis.
typedef struct span {
  int64_t first, n;
} span;

/// The cells along an axis in which spheres of a level may lie that overlap one at `x`.
static span span_of(const viper_grid_level *l, int axis, float x, float radius) {
  float reach = radius + (float)(0.5000001 / l->inverse); // and the largest of the level
  int64_t first = viper_grid_along(l, x - reach), last = viper_grid_along(l, x + reach);
  int64_t all = (int64_t)l->mask[axis] + 1, n = last - first + 1;
  return (span){first, n > 0 && n < all ? n : all};
}

static bool makes_pair(const viper_sorted_spheres *s, int32_t k, const viper_sphere *a) {
  float x = s->x[k] - a->center[0], y = s->y[k] - a->center[1], z = s->z[k] - a->center[2];
  float r = s->r[k] + a->radius;
  return x * x + y * y + z * z <= r * r && (a->body < 0 || a->body != s->body[k]) &&
         (a->groups & s->meets[k]) && (s->groups[k] & a->meets);
}

/// Appends what is found at places [begin, end).
static bool look_at(const viper_grid *g, int32_t begin, int32_t end, const viper_sphere *sphere,
                    int32_t self, viper_sphere_list *out) {
  size_t most = out->n + (size_t)(end - begin);
  if (most > out->capacity) {
    size_t capacity = most + most / 2 + 64;
    int32_t *list = realloc(out->sphere, capacity * sizeof *list);
    if (!list)
      return false;
    out->sphere = list;
    out->capacity = capacity;
  }
  for (int32_t k = begin; k < end; k++)
    if (makes_pair(&g->sorted, k, sphere) && g->order[k] != self)
      out->sphere[out->n++] = g->order[k];
  return true;
}

bool viper_grid_around(const viper_grid *g, const viper_sphere *sphere, int32_t self,
                       viper_sphere_list *out) {
  for (int k = 0; k < VIPER_GRID_LEVELS; k++) {
    const viper_grid_level *l = &g->level[k];
    if (l->n == 0)
      continue;
    span x = span_of(l, 0, sphere->center[0], sphere->radius);
    span y = span_of(l, 1, sphere->center[1], sphere->radius);
    span z = span_of(l, 2, sphere->center[2], sphere->radius);
    if (x.n * y.n * z.n > g->n) { // so large that all may as well be looked at, of all levels
      out->n = 0;
      return look_at(g, 0, g->n, sphere, self, out);
    }
    for (int64_t c = 0; c < x.n * y.n * z.n; c++) {
      int32_t cell =
          viper_grid_cell(l, x.first + c % x.n, y.first + c / x.n % y.n, z.first + c / (x.n * y.n));
      if (!look_at(g, g->start[cell], g->start[cell + 1], sphere, self, out))
        return false;
    }
  }
  return true;
}
