// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/fields.h"

#include "scene/schema.h"

#include <assert.h>
#include <string.h>

size_t vb_location_count(const vb_scene *scene, vb_location location) {
  if (location == VB_AT_SCENE || location == VB_AT_OWN)
    return location == VB_AT_SCENE;
  return vb_scene_count(scene, vb_location_tag((int32_t)location));
}

vb_status vb_read_by(const vb_reading *reading, void *self, size_t n, double *out,
                     vb_error *error) {
  char *at = self;
  if (reading->read)
    return reading->read(self, out, error);
  if (reading->fill) {
    reading->fill(self, out);
  } else if (reading->whole) {
    *out = *(const int *)(const void *)(at + reading->whole);
  } else if (reading->number) {
    memcpy(out, at + reading->number, n * sizeof *out);
  } else {
    const double *from;
    assert(reading->array);
    memcpy(&from, at + reading->array, sizeof from);
    if (n > 0)
      memcpy(out, from, n * sizeof *out);
  }
  return VB_OK;
}

size_t vb_fields_count(const vb_solver_description *about, const vb_reading *readings,
                       const vb_scene *scene, const void *self, size_t field) {
  if (field >= about->n_fields)
    return 0;
  size_t n = vb_location_count(scene, about->fields[field].location);
  return readings[field].count ? readings[field].count(self, n) : n;
}

vb_status vb_fields_read(const vb_solver_description *about, const vb_reading *readings,
                         const vb_scene *scene, void *self, size_t field, double *out,
                         vb_error *error) {
  if (field >= about->n_fields)
    return vb_bad_input(error, "the %s solver has no field number %zu", about->name, field);
  size_t n = vb_fields_count(about, readings, scene, self, field);
  if (n == 0)
    return VB_OK;
  return vb_read_by(&readings[field], self, n * (size_t)about->fields[field].components, out,
                    error);
}

size_t vb_work_count(const vb_scene *scene) {
  return vb_scene_count(scene, VB_SET_DRIVER) + vb_scene_count(scene, VB_SET_LOAD) +
         vb_scene_count(scene, VB_SET_ACTIVATION);
}
