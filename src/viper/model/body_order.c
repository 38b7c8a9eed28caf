// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/body_order.h"

#include <math.h>
#include <stdlib.h>

/// A body, by its middle along the axis.
typedef struct placed {
  double x;
  int32_t body;
} placed;

static int compare(const void *left, const void *right) {
  const placed *a = left, *b = right;
  if (a->x != b->x)
    return a->x < b->x ? -1 : 1;
  return (a->body > b->body) - (a->body < b->body);
}

/// The means of the bodies' nodes (n_bodies x 3); `count` is scratch.
static void find_middles(const vb_scene *scene, size_t n_bodies, double *middle, size_t *count) {
  size_t n;
  const vb_node *node = vb_scene_nodes(scene, &n);
  for (size_t i = 0; i < n; i++) {
    size_t body = (size_t)node[i].body;
    count[body]++;
    for (size_t k = 0; k < 3; k++)
      middle[3 * body + k] += node[i].position[k];
  }
  for (size_t b = 0; b < n_bodies; b++)
    for (size_t k = 0; k < 3; k++)
      middle[3 * b + k] /= count[b] ? (double)count[b] : 1;
}

static size_t choose_axis(const vb_scene *scene, size_t n_bodies, const double *middle) {
  const double *g = vb_scene_world(scene)->gravity;
  double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), most = -1;
  size_t axis = 0;
  for (size_t k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t b = 0; b < n_bodies; b++) {
      low = fmin(low, middle[3 * b + k]);
      high = fmax(high, middle[3 * b + k]);
    }
    double spread = (high - low) * (size > 0 ? 1 - fabs(g[k]) / size : 1);
    if (spread > most) {
      most = spread;
      axis = k;
    }
  }
  return axis;
}

vb_status viper_body_order(const vb_scene *scene, size_t n_bodies, int32_t *place,
                           vb_error *error) {
  for (size_t b = 0; b < n_bodies; b++)
    place[b] = (int32_t)b;
  if (!vb_scene_contact(scene))
    return VB_OK;
  double *middle = calloc(3 * n_bodies + 1, sizeof *middle);
  size_t *count = calloc(n_bodies + 1, sizeof *count);
  placed *sorted = reallocarray(NULL, n_bodies + 1, sizeof *sorted);
  vb_status status = middle && count && sorted ? VB_OK : vb_error_memory(error);
  if (!status) {
    find_middles(scene, n_bodies, middle, count);
    size_t axis = choose_axis(scene, n_bodies, middle);
    for (size_t b = 0; b < n_bodies; b++)
      sorted[b] = (placed){middle[3 * b + axis], (int32_t)b};
    qsort(sorted, n_bodies, sizeof *sorted, compare);
    for (size_t b = 0; b < n_bodies; b++)
      place[sorted[b].body] = (int32_t)b;
  }
  free(middle);
  free(count);
  free(sorted);
  return status;
}
