// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_rounding.h"

#include <math.h>
#include <string.h>

/// Bits of a field's greatest magnitude that are kept, and of what gates read of a field that
/// follows from others.
#define KEPT_BITS     20
#define MEASURED_BITS 24

void vb_field_reach_add(vb_field_reach *reach, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (isfinite(values[i]) && fabs(values[i]) > reach->greatest)
      reach->greatest = fabs(values[i]);
}

double vb_rounding_step(const vb_field_reach *reach) {
  return reach->greatest > 0 ? ldexp(1, ilogb(reach->greatest) - MEASURED_BITS) : 0;
}

/// The field that a dataset holds; null for none that is rounded.
static const vb_field_reach *find_field(const vb_rounding *r, const char *path) {
  static const char FOLDER[] = "run/frames/";
  path += *path == '/';
  if (r->plan->exact || strncmp(path, FOLDER, strlen(FOLDER)) != 0)
    return NULL;
  for (size_t i = 0; i < r->n_fields; i++)
    if (strcmp(r->fields[i].name, path + strlen(FOLDER)) == 0)
      return &r->fields[i];
  return NULL;
}

/// Whether frame `k` is between two times, or next to a frame that is.
static bool is_between(const vb_rounding *r, size_t k, double from, double to) {
  size_t before = k > 0 ? k - 1 : 0, after = k + 1 < r->n_frames ? k + 1 : k;
  return r->time[after] >= from && r->time[before] <= to;
}

/// Whether gates read frame `k` of a field.
static bool is_measured(const vb_rounding *r, const vb_field_reach *field, size_t k) {
  bool measured = false;
  for (size_t i = 0; !measured && i < r->plan->n_kept; i++) {
    const vb_exact_frames *e = &r->plan->kept[i];
    measured =
        (!e->field || strcmp(e->field, field->name) == 0) && is_between(r, k, e->from, e->to);
  }
  return measured;
}

/// Multiples of what frame `k` of a field is rounded to; 0 where it stays as it is, or is nothing
/// but zeros.
static double step_of(const vb_rounding *r, const vb_field_reach *field, size_t k) {
  bool measured = is_measured(r, field, k), end = k == 0 || k + 1 >= r->n_frames;
  if (!(field->greatest > 0) || (!field->follows && (measured || end)))
    return 0;
  return measured ? vb_rounding_step(field) : ldexp(1, ilogb(field->greatest) - KEPT_BITS);
}

void vb_rounding_apply(const vb_rounding *r, const char *path, size_t first, size_t n, size_t width,
                       double *values) {
  const vb_field_reach *field = find_field(r, path);
  for (size_t k = first; field && k < first + n; k++) {
    double *row = values + (k - first) * width, step = step_of(r, field, k);
    for (size_t i = 0; step > 0 && i < width; i++)
      row[i] = rint(row[i] / step) * step;
  }
}

double vb_rounding_error(const vb_rounding *r, const char *path) {
  const vb_field_reach *field = find_field(r, path);
  double greatest = 0;
  for (size_t k = 0; field && k < r->n_frames; k++)
    greatest = fmax(greatest, step_of(r, field, k) / 2);
  return greatest;
}
