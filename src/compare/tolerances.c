// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tolerances.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Built with other flags, or by another compiler, two programs differ by the rounding of single
/// operations, which the steps of a stiff rod amplify; and where rounding makes Newton's method end
/// an iteration earlier or later, by its tolerance (1e-6 of the forces, mostly). 1e-7 of what a
/// kind reaches is above what is measured of the former, tests/regress.sh tells how much, and far
/// below what a change of a stiffness by a hundredth makes.
static const vb_tolerance_entry DOUBLE[] = {
    // Positions and turns follow from the forces by way of stiffnesses, which make errors smaller.
    {"default", {0, 1e-7}},
    // Where Newton's method has converged, what is left is rounding, and below what the other kinds
    // let pass. Elsewhere it is a difference of large numbers.
    {"residual", {1e-6, 1e-4}},
    // Differences of volumes and lengths from those at rest, of which they are the rounding.
    {"volume_error", {1e-8, 1e-7}},
    {"stretch_error", {1e-8, 1e-7}},
    // Another storage of the same scene: made by the same text, so equal but for rounding.
    {"topology", {1e-12, 1e-12}},
};

/// Likewise of single precision, whose rounding is 2^29 times as coarse.
static const vb_tolerance_entry SINGLE[] = {
    {"default", {0, 1e-3}},          {"residual", {1e-3, 1e-1}},   {"volume_error", {1e-4, 1e-3}},
    {"stretch_error", {1e-4, 1e-3}}, {"topology", {1e-12, 1e-12}},
};

enum { N_DEFAULTS = sizeof DOUBLE / sizeof *DOUBLE };
_Static_assert(sizeof SINGLE == sizeof DOUBLE, "the same kinds in both precisions");

static vb_status refuse(const char *what, vb_error *error) {
  return vb_error_set(error, VB_BAD_INPUT, "the declared tolerances cannot be read: %s", what);
}

static vb_status read_policy(const json_t *value, vb_nan_policy *out, vb_error *error) {
  const char *word = json_string_value(value);
  if (!word || (strcmp(word, "equal") != 0 && strcmp(word, "never") != 0))
    return refuse("\"nan\" must be \"equal\" or \"never\"", error);
  *out = word[0] == 'e' ? VB_NAN_EQUAL : VB_NAN_NEVER;
  return VB_OK;
}

static vb_status read_entry(const char *name, const json_t *value, vb_tolerance_entry *out,
                            vb_error *error) {
  const json_t *absolute = json_object_get(value, "absolute");
  const json_t *relative = json_object_get(value, "relative");
  vb_tolerance t = {json_number_value(absolute), json_number_value(relative)};
  bool good = json_is_number(absolute) && json_is_number(relative) && t.absolute >= 0 &&
              t.relative >= 0 && strlen(name) < sizeof out->name;
  if (!good)
    return refuse("each kind must have numbers \"absolute\" and \"relative\", not negative", error);
  snprintf(out->name, sizeof out->name, "%s", name);
  out->tolerance = t;
  return VB_OK;
}

static vb_status read_declared(json_t *object, vb_tolerances *t, vb_error *error) {
  const char *name;
  json_t *value;
  vb_status status = VB_OK;
  json_object_foreach(object, name, value) {
    if (strcmp(name, "nan") == 0)
      status = read_policy(value, &t->nan, error);
    else
      status = read_entry(name, value, &t->entries[t->n++], error);
    if (status)
      break;
  }
  return status;
}

vb_status vb_tolerances_read(const char *declared, bool single, vb_tolerances *out,
                             vb_error *error) {
  json_error_t trouble;
  json_t *object = json_loads(declared && declared[0] ? declared : "{}", 0, &trouble);
  if (!json_is_object(object)) {
    json_decref(object);
    return refuse("they are no JSON object", error);
  }
  vb_tolerances t = {.nan = VB_NAN_EQUAL};
  t.entries = calloc(json_object_size(object) + N_DEFAULTS, sizeof *t.entries);
  vb_status status = t.entries ? read_declared(object, &t, error) : vb_error_memory(error);
  json_decref(object);
  if (status) {
    vb_tolerances_free(&t);
    return status;
  }
  memcpy(t.entries + t.n, single ? SINGLE : DOUBLE, sizeof DOUBLE);
  t.n += N_DEFAULTS;
  *out = t;
  return VB_OK;
}

void vb_tolerances_free(vb_tolerances *tolerances) {
  free(tolerances->entries);
  *tolerances = (vb_tolerances){0};
}

void vb_quantity_kind(const char *quantity, char *out, size_t size) {
  static const char *const GROUPS[] = {"frames/", "convergence/"};
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
    if (strncmp(quantity, GROUPS[i], strlen(GROUPS[i])) == 0)
      quantity += strlen(GROUPS[i]);
  snprintf(out, size, "%.*s", (int)strcspn(quantity, "/"), quantity);
}

static const vb_tolerance *find(const vb_tolerances *tolerances, const char *name) {
  for (size_t i = 0; i < tolerances->n; i++)
    if (strcmp(tolerances->entries[i].name, name) == 0)
      return &tolerances->entries[i].tolerance;
  return NULL;
}

vb_tolerance vb_tolerance_of(const vb_tolerances *tolerances, const char *quantity) {
  char kind[96];
  vb_quantity_kind(quantity, kind, sizeof kind);
  const vb_tolerance *t = find(tolerances, quantity);
  t = t ? t : find(tolerances, kind);
  t = t ? t : find(tolerances, "default");
  return t ? *t : (vb_tolerance){0, 0};
}
