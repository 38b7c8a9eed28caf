// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/surface_record.h"

#include <stdlib.h>

vb_status vb_surface_record_open(vb_run_location place, vb_surface_record *out, vb_error *error) {
  vb_array triangles = {0};
  *out = (vb_surface_record){.place = place};
  vb_status status = vb_run_array(place, "run/frames/time", VB_NO_FRAME, &out->time, error);
  if (!status)
    status = vb_run_array(place, "topology/triangle", VB_NO_FRAME, &triangles, error);
  if (!status && out->time.n > 0 && out->time.width != 1)
    status = vb_bad_input(error, "%s: the times of its frames are no list", place.path);
  if (!status && triangles.width != 3)
    status = vb_bad_input(error, "%s: its triangles have %zu corners", place.path, triangles.width);
  if (!status && !vb_array_holds_indexes(&triangles, 0, INT32_MAX))
    status = vb_bad_input(error, "%s: its triangles do not name vertices", place.path);
  if (!status) {
    out->n_triangles = triangles.n;
    out->triangle = reallocarray(NULL, 3 * triangles.n + 1, sizeof *out->triangle);
    status = out->triangle ? VB_OK : vb_error_memory(error);
  }
  for (size_t i = 0; !status && i < 3 * triangles.n; i++)
    out->triangle[i] = (int32_t)triangles.values[i];
  vb_array_free(&triangles);
  return status;
}

void vb_surface_record_close(vb_surface_record *record) {
  free(record->triangle);
  vb_array_free(&record->time);
}

vb_status vb_surface_record_vertices(const vb_surface_record *r, size_t k, vb_array *out,
                                     vb_error *error) {
  vb_status status = vb_run_array(r->place, "run/frames/vertices", (int64_t)k, out, error);
  if (status)
    return status;
  bool sound = out->width == 3;
  for (size_t i = 0; sound && i < 3 * r->n_triangles; i++)
    sound = r->triangle[i] >= 0 && (size_t)r->triangle[i] < out->n;
  return sound ? VB_OK
               : vb_bad_input(error, "%s: its triangles do not fit its vertices", r->place.path);
}
