// SPDX-License-Identifier: GPL-3.0-or-later
// Strains, from positions in double precision: small differences of packed positions would be
// their rounding.
#include "report/pack_parts.h"

#include "base/arena.h"
#include "scene/rotation.h"

#include <math.h>

/// What strains are made of.
typedef struct strained {
  const vb_recording *recording;
  double *rest;  ///< (tetrahedra) six times the volume at rest
  double *count; ///< (nodes) tetrahedra at each
} strained;

static const double *node_at(const double *x, const vb_array *list, size_t i) {
  return x + 3 * (size_t)list->values[i];
}

static void fill_stretch(const void *data, const double *x, double *out) {
  const vb_recording *r = data;
  for (size_t j = 0; j < r->segment.n; j++) {
    const double *a = node_at(x, &r->segment, 2 * j), *b = node_at(x, &r->segment, 2 * j + 1);
    out[j] = vb_distance(a, b) / r->rest_length.values[j] - 1;
  }
}

static double volume(const double *x, const vb_array *list, size_t t) {
  return vb_volume6(node_at(x, list, 4 * t), node_at(x, list, 4 * t + 1),
                    node_at(x, list, 4 * t + 2), node_at(x, list, 4 * t + 3));
}

static void fill_volume(const void *data, const double *x, double *out) {
  const strained *s = data;
  const vb_array *list = &s->recording->tetrahedron;
  for (size_t i = 0; i < s->recording->rest_position.n; i++)
    out[i] = s->count[i] > 0 ? 0 : NAN;
  for (size_t t = 0; t < list->n; t++) {
    double error = volume(x, list, t) / s->rest[t] - 1;
    for (size_t i = 4 * t; i < 4 * t + 4; i++)
      out[(size_t)list->values[i]] += error / s->count[(size_t)list->values[i]];
  }
}

vb_status vb_pack_strain(vb_packing *p, const vb_recording *r, vb_error *error) {
  const vb_array *list = &r->tetrahedron;
  size_t n = r->rest_position.n;
  vb_arena memory = {0};
  strained s = {.recording = r};
  VB_TAKE(&memory, s.rest, list->n);
  VB_TAKE(&memory, s.count, n);
  vb_status status = vb_arena_status(&memory, error);
  for (size_t t = 0; !status && t < list->n; t++)
    s.rest[t] = volume(r->rest_position.values, list, t);
  for (size_t i = 0; !status && i < 4 * list->n; i++)
    s.count[(size_t)list->values[i]]++;
  const vb_pack_rule stretch = {n, 3, fill_stretch, r}, error_of_volume = {n, 3, fill_volume, &s};
  if (!status && r->segment.n && !r->surface_alone)
    status = vb_pack_field(p, "stretch", "run/frames/position", r->segment.n, &stretch, error);
  if (!status && list->n && !r->surface_alone)
    status = vb_pack_field(p, "volume", "run/frames/position", n, &error_of_volume, error);
  vb_arena_clear(&memory);
  return status;
}
