// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_rounding.h"

#include <math.h>
#include <string.h>

/// Bits of a field's greatest magnitude that are kept, and of a field that follows from others.
#define KEPT_BITS      24
#define FOLLOWING_BITS 20

void vb_field_reach_add(vb_field_reach *reach, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (isfinite(values[i]) && fabs(values[i]) > reach->greatest)
      reach->greatest = fabs(values[i]);
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

/// Multiples of what a field is rounded to; 0 where it is nothing but zeros.
static double step_of(const vb_field_reach *field) {
  int bits = field->follows ? FOLLOWING_BITS : KEPT_BITS;
  return field->greatest > 0 ? ldexp(1, ilogb(field->greatest) - bits) : 0;
}

/// Whether frame `k` is between two times, or next to a frame that is.
static bool is_between(const vb_rounding *r, size_t k, double from, double to) {
  size_t before = k > 0 ? k - 1 : 0, after = k + 1 < r->n_frames ? k + 1 : k;
  return r->time[after] >= from && r->time[before] <= to;
}

static bool is_kept(const vb_rounding *r, const vb_field_reach *field, size_t k) {
  bool kept = !field->follows && (k == 0 || k + 1 >= r->n_frames);
  for (size_t i = 0; !kept && i < r->plan->n_kept; i++) {
    const vb_exact_frames *e = &r->plan->kept[i];
    kept = (!e->field || strcmp(e->field, field->name) == 0) && is_between(r, k, e->from, e->to);
  }
  return kept;
}

void vb_rounding_apply(const vb_rounding *r, const char *path, size_t first, size_t n, size_t width,
                       double *values) {
  const vb_field_reach *field = find_field(r, path);
  double step = field ? step_of(field) : 0;
  for (size_t k = first; step > 0 && k < first + n; k++) {
    double *row = values + (k - first) * width;
    if (!is_kept(r, field, k))
      for (size_t i = 0; i < width; i++)
        row[i] = rint(row[i] / step) * step;
  }
}

double vb_rounding_error(const vb_rounding *r, const char *path) {
  const vb_field_reach *field = find_field(r, path);
  for (size_t k = 0; field && k < r->n_frames; k++)
    if (!is_kept(r, field, k))
      return step_of(field) / 2;
  return 0;
}
