// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/record.h"

#include "results/results_locate.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void vb_location_split(const vb_record_shape *shape, size_t place, size_t index[VB_RECORD_RANK]) {
  for (int k = VB_RECORD_RANK - 1; k > 0; k--) {
    size_t n = shape->extent[k] ? shape->extent[k] : 1; // without elements nothing differs
    index[k] = place % n;
    place /= n;
  }
  index[0] = place;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with) {
  size_t n = strlen(text), m = strlen(with);
  return n >= m && strcmp(text + n - m, with) == 0;
}

/// Where the solver says that a field lives ("node"); false where it does not.
static bool described(const vb_record *record, const char *field, char *location, size_t size) {
  char *text = vb_record_text(record, "solver/description");
  json_t *object = text ? json_loads(text, 0, NULL) : NULL;
  json_t *fields = json_object_get(object, "fields"), *entry;
  size_t i;
  bool found = false;
  json_array_foreach(fields, i, entry) {
    const char *name = json_string_value(json_object_get(entry, "name"));
    const char *where = json_string_value(json_object_get(entry, "location"));
    if (!name || !where || strcmp(name, field) != 0)
      continue;
    snprintf(location, size, "%s", where);
    found = true;
  }
  json_decref(object);
  free(text);
  return found;
}

/// What the elements of a quantity are.
static void name_element(const vb_record *record, const char *quantity, char *out, size_t size) {
  static const char *const OF_SEGMENTS[] = {
      "topology/segment",         "topology/rest_length", "topology/rest_frame",
      "topology/density",         "topology/stiffness",   "topology/surface_stiffness",
      "topology/volume_stiffness"};
  const char *word = "element";
  if (begins(quantity, "frames/")) {
    if (described(record, quantity + strlen("frames/"), out, size))
      return;
    word = ends(quantity, "/vertices")                                       ? "vertex"
           : ends(quantity, "/frame") || ends(quantity, "/angular_velocity") ? "segment"
                                                                             : "node";
  }
  for (size_t i = 0; i < sizeof OF_SEGMENTS / sizeof *OF_SEGMENTS; i++)
    if (strcmp(quantity, OF_SEGMENTS[i]) == 0)
      word = "segment";
  if (begins(quantity, "topology/rest_position") || begins(quantity, "topology/rest_radius"))
    word = "node";
  else if (ends(quantity, "_by_body"))
    word = "body";
  else if (begins(quantity, "reaction/"))
    word = "driver";
  snprintf(out, size, "%s", word);
}

/// The name of component `k` of `n`.
static void name_component(const char *quantity, size_t k, size_t n, char *out, size_t size) {
  static const char *const STIFFNESS[] = {"kx", "ky", "kz"}, *const SURFACE[] = {"kbx", "kby"};
  if (strcmp(quantity, "topology/stiffness") == 0 && n == 3)
    snprintf(out, size, "%s", STIFFNESS[k]);
  else if (strcmp(quantity, "topology/surface_stiffness") == 0 && n == 2)
    snprintf(out, size, "%s", SURFACE[k]);
  else if (n == 3 || n == 4)
    snprintf(out, size, "%c", (n == 3 ? "xyz" : "wxyz")[k]);
  else
    snprintf(out, size, "component %zu", k);
}

/// When row `row` was: "step 4 (0.4 s)" or "iteration 20".
static void name_row(const vb_record *record, const char *quantity, size_t row, char *out,
                     size_t size) {
  char x_path[300];
  vb_record_shape shape;
  double x = NAN, step = vb_record_number(record, "scenario/step", NAN);
  bool iterations = begins(quantity, "convergence/");
  vb_results_locate_x(quantity, x_path, sizeof x_path);
  const char *x_name = iterations ? "convergence/iteration" : x_path + strlen("/run/");
  if (!vb_record_find(record, x_name, &shape) || row >= shape.rows || shape.width != 1 ||
      vb_record_read(record, x_name, row, 1, &x, NULL))
    x = NAN;
  if (isnan(x))
    snprintf(out, size, "row %zu", row);
  else if (iterations)
    snprintf(out, size, "iteration %.0f", x);
  else if (step > 0)
    snprintf(out, size, "step %.0f (%.4g s)", round(x / step), x);
  else
    snprintf(out, size, "%.4g s", x);
}

void vb_location_name(const vb_record *record, const char *quantity, const vb_record_shape *shape,
                      const size_t index[VB_RECORD_RANK], char *out, size_t size) {
  char element[32], component[32], when[64] = "", which[64] = "", component_text[40] = "";
  bool is_static = vb_results_is_static(quantity);
  int axis = is_static ? 0 : 1; // of the elements
  if (!is_static && shape->rank > 0)
    name_row(record, quantity, index[0], when, sizeof when);
  name_element(record, quantity, element, sizeof element);
  // A series of a few numbers that belong to no element has components alone.
  bool no_elements = !is_static && shape->rank == 2 && strcmp(element, "element") == 0;
  if (shape->rank > axis && !no_elements)
    snprintf(which, sizeof which, "%s%s %zu", when[0] ? ", " : "", element, index[axis]);
  int last = no_elements ? 1 : axis + 1;
  if (shape->rank > last) {
    name_component(quantity, index[last], shape->extent[last], component, sizeof component);
    snprintf(component_text, sizeof component_text, ", %s", component);
  }
  snprintf(out, size, "%s%s%s", when, which, component_text);
}
