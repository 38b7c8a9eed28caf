// SPDX-License-Identifier: GPL-3.0-or-later
// What curves move, frame by frame: half-planes, colliders, and factors on loads.
#include "report/pack_parts.h"

#include <stdlib.h>
#include <string.h>

/// What a list of `n` rows of `width` numbers becomes in each frame, by `fill` at that time: part
/// `name`.
typedef void fill_rows(const vb_recording *r, double time, double *out);

static vb_status pack_rows(vb_packing *p, const vb_recording *r, const char *name, size_t n,
                           size_t width, fill_rows *fill, vb_error *error) {
  double *out = reallocarray(NULL, p->n_frames * n * width, sizeof *out);
  if (!out)
    return vb_error_memory(error);
  for (size_t f = 0; f < p->n_frames; f++)
    fill(r, r->time.values[p->frame[f]], out + f * n * width);
  vb_status status = vb_pack_constant(p, name, out, p->n_frames * n, width, false, error);
  free(out);
  return status;
}

_Static_assert(sizeof(vb_ground) == 4 * sizeof(double), "a row of half-planes is one");

static void fill_planes(const vb_recording *r, double time, double *out) {
  memcpy(out, r->ground, r->n_grounds * sizeof *r->ground);
  vb_driven_grounds(&r->driven, time, (vb_ground *)(void *)out);
}

static void fill_colliders(const vb_recording *r, double time, double *out) {
  vb_driven_colliders(&r->driven, time, (double(*)[2][3])(void *)out);
}

static void fill_factors(const vb_recording *r, double time, double *out) {
  for (size_t i = 0; i < r->driven.n_loads; i++)
    out[i] = vb_scene_curve(r->driven.scene, r->driven.loads[i].amplitude, time, 1);
}

vb_status vb_pack_driven(vb_packing *p, const vb_recording *r, vb_error *error) {
  const vb_driven *d = &r->driven;
  bool varies = false;
  vb_status status = VB_OK;
  for (size_t i = 0; i < d->n_loads; i++)
    varies = varies || d->loads[i].amplitude >= 0;
  if (vb_scene_count(d->scene, VB_SET_PLANE_DRIVER))
    status = pack_rows(p, r, "plane_at", r->n_grounds, 4, fill_planes, error);
  if (!status && vb_driven_moves_colliders(d))
    status = pack_rows(p, r, "collider_at", vb_scene_count(d->scene, VB_SET_COLLIDER), 6,
                       fill_colliders, error);
  if (!status && varies)
    status = pack_rows(p, r, "load_factor", d->n_loads, 1, fill_factors, error);
  return status;
}
