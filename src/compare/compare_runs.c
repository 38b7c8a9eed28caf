// SPDX-License-Identifier: GPL-3.0-or-later
/// Two runs: what is unlike, and every quantity.
#include "base/text.h"
#include "compare/compare.h"

#include "compare/record.h"
#include "results/results_file.h"
#include "results/results_locate.h"
#include "solver/table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Numbers of a quantity that are held at a time, of each record.
#define BLOCK ((size_t)1 << 20)

/// Two records at work.
typedef struct pair {
  vb_record a;
  vb_record b;
  vb_tolerances tolerances;
  bool same_scene; ///< then their topology is the same, too
  double *block_a; ///< BLOCK numbers or one row, whichever is more
  double *block_b;
  size_t capacity;
} pair;

const char *vb_run_property_word(vb_run_property likeness) {
  static const char *const WORDS[] = {"scene", "solver", "options", "arithmetic", "hardware"};
  return WORDS[likeness];
}

/// The options of a run without those that choose how fast, not what is computed.
static char *options_of(const vb_record *record) {
  char *text = vb_record_text(record, "solver/options");
  json_t *object = text ? json_loads(text, 0, NULL) : NULL;
  json_object_del(object, "threads");
  json_object_del(object, "instructions");
  free(text);
  text = object ? json_dumps(object, JSON_SORT_KEYS) : NULL;
  json_decref(object);
  return text;
}

/// The processor and, where the steps ran on one, the GPU.
static char *hardware_of(const vb_record *record) {
  char *cpu = vb_record_text(record, "provenance/cpu"), *out = NULL;
  char *gpu = vb_record_text(record, "provenance/gpu/name");
  if (asprintf(&out, "%s%s%s", cpu ? cpu : "unknown", gpu ? " and " : "", gpu ? gpu : "") < 0)
    out = NULL;
  free(cpu);
  free(gpu);
  return out;
}

/// What two runs are to have in common, as a text; null where it is not recorded.
static char *common_text(const vb_record *record, vb_run_property which) {
  switch (which) {
  case VB_PROPERTY_SCENE:
    return vb_record_text(record, "scenario/scene_sha256");
  case VB_PROPERTY_SOLVER:
    return vb_record_text(record, "solver/name");
  case VB_PROPERTY_OPTIONS:
    return options_of(record);
  case VB_PROPERTY_ARITHMETIC:
    return vb_record_text(record, "provenance/floating_point");
  default:
    return hardware_of(record);
  }
}

/// What differs between two lists of options, as "method direct, not xpbd".
static void describe_options(const char *a, const char *b, char *out, size_t size) {
  json_t *left = json_loads(a, 0, NULL), *right = json_loads(b, 0, NULL), *value;
  const char *name;
  out[0] = '\0';
  json_object_foreach(left, name, value) {
    const char *other = json_string_value(json_object_get(right, name));
    const char *own = json_string_value(value);
    if (own && other && strcmp(own, other) != 0)
      vb_text_add(out, size, "%s%s %.20s, not %.20s", *out ? "; " : "", name, own, other);
  }
  if (!*out)
    snprintf(out, size, "other names of options");
  json_decref(left);
  json_decref(right);
}

/// Adds to the options `text` those of `other` that it does not have, where they have the value
/// that the solver takes by itself, or are off: a program from before an option computes so.
static char *with_defaults(char *text, const char *other, const vb_solver_description *solver) {
  json_t *own = json_loads(text ? text : "", 0, NULL), *value;
  json_t *more = json_loads(other ? other : "", 0, NULL);
  const char *name;
  json_object_foreach(more, name, value) {
    const vb_option_info *option = vb_description_option(solver, name);
    const char *word = json_string_value(value);
    if (own && !json_object_get(own, name) && option && word &&
        (strcmp(word, option->default_value) == 0 || strcmp(word, "off") == 0))
      json_object_set(own, name, value);
  }
  if (own) {
    free(text);
    text = json_dumps(own, JSON_SORT_KEYS);
  }
  json_decref(own);
  json_decref(more);
  return text;
}

/// Where both runs are of a solver of this program, options that only one of them knows have their
/// defaults in the other.
static void complete_options(const pair *p, char **a, char **b) {
  char *name = vb_record_text(&p->a, "solver/name");
  for (const vb_solver *const *s = vb_solver_table(); name && *s; s++) {
    const vb_solver_description *description = (*s)->describe(*s);
    if (strcmp(description->name, name) != 0)
      continue;
    *a = with_defaults(*a, *b, description);
    *b = with_defaults(*b, *a, description);
  }
  free(name);
}

static void compare_texts(vb_run_comparison *out, vb_run_property which, const char *a,
                          const char *b) {
  out->differs[which] = strcmp(a ? a : "", b ? b : "") != 0;
  if (!out->differs[which])
    return;
  if (which == VB_PROPERTY_OPTIONS && a && b)
    describe_options(a, b, out->difference_text[which], sizeof out->difference_text[which]);
  else // of a hash, the first digits tell enough
    snprintf(out->difference_text[which], sizeof out->difference_text[which], "%.*s, not %.*s",
             which == VB_PROPERTY_SCENE ? 8 : 30, a ? a : "unknown",
             which == VB_PROPERTY_SCENE ? 8 : 30, b ? b : "unknown");
}

/// Notes what is unlike; hardware alone never refuses, since nothing but times depends on it.
static void compare_properties(const pair *p, const vb_compare_request *request,
                               vb_run_comparison *out) {
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++) {
    char *a = common_text(&p->a, k), *b = common_text(&p->b, k);
    if (k == VB_PROPERTY_OPTIONS)
      complete_options(p, &a, &b);
    compare_texts(out, k, a, b);
    free(a);
    free(b);
    if (out->differs[k] && !request->allow[k] && k != VB_PROPERTY_HARDWARE)
      out->refused = true;
  }
}

static void read_facts(const vb_record *record, int side, vb_run_comparison *out) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t group = vb_h5_open_group(&h5, record->root, "run");
  if (group < 0 ||
      !vb_h5_read_attribute(group, "status", out->status[side], sizeof out->status[side]))
    strcpy(out->status[side], "unknown");
  vb_h5_release(group);
  out->step_time[side] = vb_results_is_shared(&h5, record->root)
                             ? NAN
                             : vb_record_number(record, "timing/summary/median", NAN);
}

static bool is_topology(const char *quantity) {
  return strncmp(quantity, "topology/", strlen("topology/")) == 0;
}

/// Whether a quantity is to be looked at: what makes a scene only where the scenes are not the same
/// to the bit anyway, and where A kept it.
static bool is_wanted(const pair *p, const char *quantity) {
  vb_record_shape shape;
  return !is_topology(quantity) || (!p->same_scene && vb_record_find(&p->a, quantity, &shape));
}

static vb_status reserve(pair *p, size_t n, vb_error *error) {
  if (n <= p->capacity)
    return VB_OK;
  free(p->block_a);
  free(p->block_b);
  p->block_a = reallocarray(NULL, n, sizeof *p->block_a);
  p->block_b = reallocarray(NULL, n, sizeof *p->block_b);
  p->capacity = p->block_a && p->block_b ? n : 0;
  return p->capacity ? VB_OK : vb_error_memory(error);
}

/// Rows that are read at a time.
static size_t rows_at_once(const vb_record_shape *shape) {
  size_t rows = shape->width ? BLOCK / shape->width : shape->rows;
  return rows < 1 ? 1 : rows;
}

/// The greatest finite magnitude of a quantity of A.
static vb_status find_magnitude(pair *p, const char *quantity, const vb_record_shape *shape,
                                double *out, vb_error *error) {
  size_t step = rows_at_once(shape);
  vb_status status = reserve(p, step * shape->width, error);
  double most = 0;
  for (size_t row = 0; !status && row < shape->rows; row += step) {
    size_t n = shape->rows - row < step ? shape->rows - row : step;
    status = vb_record_read(&p->a, quantity, row, n, p->block_a, error);
    for (size_t i = 0; !status && i < n * shape->width; i++)
      if (isfinite(p->block_a[i]))
        most = fmax(most, fabs(p->block_a[i]));
  }
  if (!status)
    *out = most;
  return status;
}

/// What is known of each quantity of A before any is compared.
typedef struct scale {
  char kind[96];
  char unit[32];
  double magnitude;
} scale;

/// The greatest magnitude of all quantities that share kind and unit with the i-th.
static double shared_magnitude(const scale *scales, size_t n, size_t i) {
  double most = 0;
  for (size_t k = 0; k < n; k++)
    if (strcmp(scales[k].kind, scales[i].kind) == 0 && strcmp(scales[k].unit, scales[i].unit) == 0)
      most = fmax(most, scales[k].magnitude);
  return most;
}

static vb_status measure_scales(pair *p, scale *scales, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < p->a.n; i++) {
    vb_record_shape shape;
    vb_quantity_kind(p->a.names[i], scales[i].kind, sizeof scales[i].kind);
    if (!is_wanted(p, p->a.names[i]) || !vb_record_find(&p->a, p->a.names[i], &shape))
      continue;
    memcpy(scales[i].unit, shape.unit, sizeof shape.unit);
    status = find_magnitude(p, p->a.names[i], &shape, &scales[i].magnitude, error);
  }
  return status;
}

static vb_status add_up(pair *p, const char *quantity, const vb_record_shape *shape,
                        vb_difference *d, vb_error *error) {
  size_t step = rows_at_once(shape);
  bool quaternions = strcmp(quantity, "frames/frame") == 0 && shape->extent[2] == 4;
  vb_status status = reserve(p, step * shape->width, error);
  for (size_t row = 0; !status && row < shape->rows; row += step) {
    size_t n = shape->rows - row < step ? shape->rows - row : step;
    status = vb_record_read(&p->a, quantity, row, n, p->block_a, error);
    if (!status)
      status = vb_record_read(&p->b, quantity, row, n, p->block_b, error);
    if (!status && quaternions)
      vb_align_quaternions(p->block_a, p->block_b, n * shape->extent[1]);
    if (!status)
      vb_difference_add(d, p->block_a, p->block_b, n * shape->width);
  }
  return status;
}

/// Whether both shapes are the same; otherwise the note says how they differ.
static bool same_shape(const vb_record_shape *a, const vb_record_shape *b, char *note,
                       size_t size) {
  if (a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0) {
    if (strcmp(a->unit, b->unit) == 0)
      return true;
    snprintf(note, size, "in %s, not %s", a->unit, b->unit);
    return false;
  }
  snprintf(note, size, "%llu x %llu x %llu, not %llu x %llu x %llu",
           (unsigned long long)a->extent[0], (unsigned long long)a->extent[1],
           (unsigned long long)a->extent[2], (unsigned long long)b->extent[0],
           (unsigned long long)b->extent[1], (unsigned long long)b->extent[2]);
  return false;
}

static vb_status compare_quantity(pair *p, const char *quantity, double magnitude,
                                  vb_quantity_result *out, vb_error *error) {
  vb_record_shape a, b;
  size_t index[VB_RECORD_RANK];
  if (!vb_record_find(&p->a, quantity, &a))
    return vb_bad_input(error, "%s: \"%s\" cannot be read", p->a.path, quantity);
  memcpy(out->unit, a.unit, sizeof out->unit);
  if (!vb_record_find(&p->b, quantity, &b)) {
    out->outcome = VB_MISSING_B;
    return VB_OK;
  }
  if (!same_shape(&a, &b, out->note, sizeof out->note)) {
    out->outcome = VB_OTHER_SHAPE;
    return VB_OK;
  }
  vb_tolerance t = vb_tolerance_of(&p->tolerances, quantity);
  double tolerance = t.absolute + t.relative * magnitude + a.rounding + b.rounding;
  vb_difference d = vb_difference_begin(tolerance, p->tolerances.nan);
  vb_status status = add_up(p, quantity, &a, &d, error);
  if (status)
    return status;
  out->difference = d;
  out->outcome = d.n_bad ? VB_DIFFERS : VB_AGREES;
  vb_location_split(&a, d.worst, out->worst_place);
  vb_location_split(&a, d.first_bad, index);
  if (d.n_bad)
    vb_location_name(&p->a, quantity, &a, index, out->first, sizeof out->first);
  return VB_OK;
}

/// Adds a quantity without a result; null without memory.
static vb_quantity_result *add_quantity(vb_run_comparison *out, const char *name, vb_error *error) {
  vb_quantity_result *added = VB_APPEND(out->quantities, out->n_quantities);
  if (added && (added->name = vb_arena_text(&out->memory, name)))
    return added;
  vb_error_memory(error);
  return NULL;
}

/// Names those that B alone has.
static vb_status add_missing(pair *p, vb_run_comparison *out, vb_error *error) {
  vb_record_shape shape;
  for (size_t i = 0; i < p->b.n; i++) {
    if (is_topology(p->b.names[i]) || vb_record_find(&p->a, p->b.names[i], &shape))
      continue;
    vb_quantity_result *q = add_quantity(out, p->b.names[i], error);
    if (!q)
      return VB_UNAVAILABLE;
    q->outcome = VB_MISSING_A;
    out->n_bad++;
  }
  return VB_OK;
}

static vb_status compare_all(pair *p, vb_run_comparison *out, vb_error *error) {
  scale *scales = calloc(p->a.n + 1, sizeof *scales);
  vb_status status = scales ? measure_scales(p, scales, error) : vb_error_memory(error);
  for (size_t i = 0; !status && i < p->a.n; i++) {
    if (!is_wanted(p, p->a.names[i]))
      continue;
    vb_quantity_result *q = add_quantity(out, p->a.names[i], error);
    status = q ? compare_quantity(p, p->a.names[i], shared_magnitude(scales, p->a.n, i), q, error)
               : VB_UNAVAILABLE;
    out->n_bad += q && q->outcome != VB_AGREES;
  }
  free(scales);
  return status ? status : add_missing(p, out, error);
}

static vb_status read_tolerances(pair *p, const vb_compare_request *request, vb_error *error) {
  char *declared = vb_record_text(&p->a, "scenario/compare");
  char *precision = vb_record_text(&p->a, "solver/precision");
  char *other = vb_record_text(&p->b, "solver/precision");
  bool single =
      (precision && strcmp(precision, "float") == 0) || (other && strcmp(other, "float") == 0);
  vb_status status = vb_tolerances_read(declared, single, &p->tolerances, error);
  if (status)
    vb_error_prefix(error, "%s", p->a.path);
  if (!status && request->has_nan)
    p->tolerances.nan = request->nan;
  free(declared);
  free(precision);
  free(other);
  return status;
}

static vb_status name_runs(const vb_source *a, const vb_source *b, vb_run_comparison *out,
                           vb_error *error) {
  out->study = vb_arena_text(&out->memory, a->study);
  out->run = vb_arena_text(&out->memory, a->run);
  out->other = vb_arena_text(&out->memory, b->run);
  out->path[0] = vb_arena_text(&out->memory, a->path);
  out->path[1] = vb_arena_text(&out->memory, b->path);
  out->inside[0] = a->inside;
  out->inside[1] = b->inside;
  return vb_arena_status(&out->memory, error);
}

vb_status vb_compare_runs(const vb_source *a, const vb_source *b, const vb_compare_request *request,
                          vb_run_comparison *out, vb_error *error) {
  pair p = {.a = {.file = -1, .root = -1}, .b = {.file = -1, .root = -1}};
  vb_run_comparison result = {0};
  vb_status status = name_runs(a, b, &result, error);
  if (!status)
    status = vb_record_open(a->path, a->inside ? a->run : NULL, &p.a, error);
  if (!status)
    status = vb_record_open(b->path, b->inside ? b->run : NULL, &p.b, error);
  if (!status)
    status = read_tolerances(&p, request, error);
  if (!status) {
    compare_properties(&p, request, &result);
    p.same_scene = !result.differs[VB_PROPERTY_SCENE];
    read_facts(&p.a, 0, &result);
    read_facts(&p.b, 1, &result);
    if (!result.refused)
      status = compare_all(&p, &result, error);
  }
  vb_record_close(&p.a);
  vb_record_close(&p.b);
  vb_tolerances_free(&p.tolerances);
  free(p.block_a);
  free(p.block_b);
  if (status)
    vb_run_comparison_free(&result);
  else
    *out = result;
  return status;
}

void vb_run_comparison_free(vb_run_comparison *result) {
  free(result->quantities);
  vb_arena_clear(&result->memory);
  *result = (vb_run_comparison){0};
}
