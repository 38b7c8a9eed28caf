// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tolerances.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A kind and its tolerance where the solver computed in double and in single precision.
typedef struct tolerances_of_kind {
  const char *kind;
  vb_tolerance in_double, in_single;
} tolerances_of_kind;

/// Programs built with other flags, or by another compiler, differ by the rounding of single
/// operations. What comes of it was measured on the gold results, with multiplications and
/// additions fused wherever the compiler likes (tests/system/flags.sh): up to 1e-8 of what a kind
/// reaches, where Newton's method ends an iteration earlier or later. A change of a stiffness by a
/// hundredth makes 1e-4 or more. The default is between, nearer to the rounding. The absolute ones
/// matter to what is nothing but rounding, such as the forces in a body at rest; they are for
/// scenes of meters and kilograms, with stiffnesses about 1e6 Pa, and a study of others declares
/// its own. The rounding of single precision is 2^29 times as coarse: forces of 1e3 to 1e5 N cancel
/// to some 1e-3 N.
static const tolerances_of_kind DEFAULTS[] = {
    {"default", {0, 1e-7}, {0, 1e-3}},
    // Forces of 1e3 to 1e5 N (stiffness times area) cancel: 1e-16 of them, times what steps make of
    // it (2e-10 N was seen); torques likewise.
    {"reaction", {1e-8, 1e-7}, {1e-1, 1e-2}},
    // Mass times the rounding of a position over a step: 100 kg * 1e-16 m / 1e-4 s.
    {"momentum", {1e-10, 1e-7}, {1e-3, 1e-3}},
    {"angular_momentum", {1e-10, 1e-7}, {1e-3, 1e-3}},
    // Stiffness times volume times the square of the strain's rounding is 1e-27 J; this is the
    // energy of strains of 1e-12.
    {"energy", {1e-20, 1e-7}, {1e-9, 1e-3}},
    {"work", {1e-10, 1e-7}, {1e-3, 1e-2}}, // of the reactions' forces, along a centimeter
    // Where Newton's method has converged, what is left is rounding, and below what the other kinds
    // let pass. Elsewhere it is a difference of large numbers.
    {"residual", {1e-6, 1e-4}, {1e-2, 1e-1}},
    {"newton_step", {1e-9, 1e-3}, {1e-3, 1e-1}}, // m, likewise
    // Differences of volumes and lengths from those at rest, of which they are the rounding.
    {"volume_error", {1e-8, 1e-7}, {1e-4, 1e-3}},
    {"stretch_error", {1e-8, 1e-7}, {1e-4, 1e-3}},
    // Of contacts: differences of positions of some meters, and nearly zero where all is well.
    // Where a body lies flat on another rounding tells where they touch: 1e-10 m was seen to come
    // of it.
    {"penetration", {1e-9, 1e-7}, {1e-5, 1e-3}},
    {"excluded_penetration", {1e-9, 1e-7}, {1e-5, 1e-3}},
    {"complementarity", {1e-9, 1e-7}, {1e-5, 1e-3}},
    {"contact_missed", {1e-9, 1e-7}, {1e-5, 1e-3}},
    // A motion over a radius: 1e-9 m over 0.1 m.
    {"contact_speed", {1e-8, 1e-7}, {1e-4, 1e-3}},
    // Pushes of 1e2 N along 1e-9 m.
    {"contact_work", {1e-7, 1e-7}, {1e-4, 1e-2}},
    // A count: rounding tells which of those that all but touch are in it. Three were seen.
    {"contacts", {4, 0}, {4, 0}},
    // Nothing but rounding where a solver holds its constraints: of rotations and unit vectors, of
    // positions, of energies of 1e3 J.
    {"bone_error", {1e-13, 1e-7}, {1e-5, 1e-3}},
    {"constraint_error", {1e-13, 1e-7}, {1e-5, 1e-3}},
    {"joint_error", {1e-13, 1e-7}, {1e-5, 1e-3}},
    {"objective_rise", {1e-12, 1e-7}, {1e-3, 1e-3}},
    // How a solver got there, not where: rounding ends it an iteration earlier or later.
    {"newton_iterations", {INFINITY, 0}, {INFINITY, 0}},
    {"newton_residuals", {INFINITY, 0}, {INFINITY, 0}},
    // Made by the same text, so equal but for rounding.
    {"topology", {1e-12, 1e-12}, {1e-12, 1e-12}},
};

enum { N_DEFAULTS = sizeof DEFAULTS / sizeof *DEFAULTS };

static vb_status refuse(const char *what, vb_error *error) {
  return vb_bad_input(error, "the declared tolerances cannot be read: %s", what);
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
    return refuse(
        "each quantity needs \"absolute\" and \"relative\", numbers that are not negative", error);
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
  json_error_t json_error;
  json_t *object = json_loads(declared && declared[0] ? declared : "{}", 0, &json_error);
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
  for (const tolerances_of_kind *d = DEFAULTS; d < DEFAULTS + N_DEFAULTS; d++) {
    vb_tolerance_entry *entry = &t.entries[t.n++];
    snprintf(entry->name, sizeof entry->name, "%s", d->kind);
    entry->tolerance = single ? d->in_single : d->in_double;
  }
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
