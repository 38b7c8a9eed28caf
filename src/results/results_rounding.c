// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_rounding.h"

#include <math.h>
#include <string.h>

/// Bits of a field's greatest magnitude that are kept: of frames that are looked at, of such
/// quaternions, of what gates read at least, and at most (unless all).
#define KEPT_BITS     20
#define TURN_BITS     17
#define MEASURED_BITS 24
#define PRECISE_BITS  32

void vb_field_reach_add(vb_field_reach *reach, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (isfinite(values[i]) && fabs(values[i]) > reach->greatest)
      reach->greatest = fabs(values[i]);
}

static double step_of_bits(const vb_field_reach *reach, int bits) {
  return reach->greatest > 0 ? ldexp(1, ilogb(reach->greatest) - bits) : 0;
}

double vb_rounding_step(const vb_field_reach *reach) {
  return step_of_bits(reach, MEASURED_BITS);
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

/// The error that those who read frame `k` of a field allow; infinite where nobody does.
static double allowed_of(const vb_rounding *r, const vb_field_reach *field, size_t k) {
  double allowed = INFINITY;
  bool end = k == 0 || k + 1 >= r->n_frames;
  for (size_t i = 0; i < r->plan->n_kept; i++) {
    const vb_exact_frames *e = &r->plan->kept[i];
    if (e->field && strcmp(e->field, field->name) != 0)
      continue;
    if (e->ends ? end && !field->follows : is_between(r, k, e->from, e->to))
      allowed = fmin(allowed, e->allowed);
  }
  return allowed;
}

/// Multiples of what frame `k` of a field is rounded to; 0 where it stays as it is, or is nothing
/// but zeros.
static double step_of(const vb_rounding *r, const vb_field_reach *field, size_t k) {
  double allowed = allowed_of(r, field, k), precise = step_of_bits(field, PRECISE_BITS);
  bool measured = allowed < INFINITY, end = k == 0 || k + 1 >= r->n_frames;
  if (field->follows)
    return step_of_bits(field, measured ? MEASURED_BITS : KEPT_BITS);
  if (!measured && !end)
    return step_of_bits(field, field->turns ? TURN_BITS : KEPT_BITS);
  if (precise / 2 > allowed)
    return 0;
  double step = precise, most = end ? precise : step_of_bits(field, MEASURED_BITS);
  while (step < most && step <= allowed)
    step *= 2;
  return step;
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
