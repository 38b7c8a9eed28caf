// SPDX-License-Identifier: GPL-3.0-or-later
/// What options change, found by running small scenes: each option of the table
/// (viper/settings/table.h) with its default and with other values, by every method, against what
/// the table says that it changes. So an option that is listed and not applied is found, and one
/// that a method forgets.
#ifndef VB_TESTS_SUPPORT_OPTION_WALK_H
#define VB_TESTS_SUPPORT_OPTION_WALK_H

#include "cuda/cuda_bundle_cases.h"
#include "handle.h"
#include "viper/settings/options.h"

#include <math.h>

typedef enum walk_changes { WALK_STATE, WALK_ROUNDING, WALK_FIELDS, WALK_NOTHING } walk_changes;

/// By number of the option.
static const struct {
  walk_changes changes;
  unsigned methods;
} walk_table[VIPER_N_OPTIONS] = {
#define WALK(name, type, kind, place, when, changes, methods, standard, choices, least, most,      \
             help)                                                                                 \
  {WALK_##changes, methods},
    VIPER_OPTIONS(WALK)
#undef WALK
};

static const char *const walk_methods[] = {
#define WALK(name, NAME, word, traits, cost, text) word,
    VIPER_METHODS(WALK)
#undef WALK
};
enum { WALK_METHODS = sizeof walk_methods / sizeof *walk_methods };

/// Octopuses in a pile, on the ground.
static inline vb_scene *walk_contact(void) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 2; k++) {
    int32_t first = scenes_octopus(b, 6, 2, 0, &scenes_rubber);
    contact_move(b, first, (double[]){0.02 * k, 0.01, 0.08 + 0.1 * k}, (double[]){0, 0, -1.5});
  }
  contact_add(b, 0.4, false);
  contact_ground(b, 0.1, 0, 0.5);
  return fixture_freeze(b);
}

/// Scenes that have between them all that options act on, with one more option each:
/// jacobi-published has a warm start only where contacts go color by color.
static const struct {
  vb_scene *(*make)(void);
  vb_option also;
} walk_cases[] = {
    {walk_contact, {"contact", "auto"}}, {walk_contact, {"contact", "colors"}},
    {bundle_surface, {"substeps", "1"}}, {case_turning, {"substeps", "1"}},
    {case_held_fast, {"substeps", "1"}}, {case_driven, {"substeps", "1"}},
};
enum {
  WALK_CASES = sizeof walk_cases / sizeof *walk_cases,
  WALK_CALM = WALK_CASES - 1,
  WALK_STEPS = 3
};

/// An instance after some steps; `self` is null where it was refused. On the CPU, unless `option`
/// says otherwise.
static inline handle walk_run(const vb_scene *scene, int method, int which, vb_option option) {
  const vb_option options[] = {{"method", walk_methods[method]},
                               {"backend", "cpu"},
                               {"iterations", "4"},
                               {"threads", "1"},
                               walk_cases[which].also,
                               option,
                               {"precision", "float"}};
  const bool is_arithmetic = strcmp(option.name, "arithmetic") == 0; // in double few builds have it
  handle s = {.scene = scene};
  ck_assert_int_eq(vb_solver_find("viper", &s.solver, NULL), VB_OK);
  const size_t n = sizeof options / sizeof *options - !is_arithmetic;
  if (s.solver->create(s.solver, scene, options, n, &s.self, NULL))
    s.self = NULL;
  else
    handle_try(&s, WALK_STEPS); // few sweeps may end in divergence, which is a state, too
  return s;
}

/// The greatest difference between the positions, scales and frames of two instances; below 0 where
/// they are bitwise the same, velocities included.
static inline double walk_difference(const handle *a, const handle *b) {
  static const char *const fields[] = {"position", "scale", "frame", "velocity"};
  double most = -1;
  for (int i = 0; i < 4; i++) {
    size_t n = 0;
    while (strcmp(a->solver->describe(a->solver)->fields[n].name, fields[i]) != 0)
      n++;
    double *x = handle_read(a, fields[i]), *y = handle_read(b, fields[i]);
    for (size_t k = 0; k < handle_numbers(a, n); k++)
      if (x[k] != y[k])
        most = fmax(most, i < 3 ? fabs(x[k] - y[k]) : 0);
    free(x);
    free(y);
  }
  return most;
}

static inline bool walk_same_saved(handle *a, handle *b) {
  void *x = handle_save(a), *y = handle_save(b);
  size_t size = a->solver->state_size(a->self);
  bool same = size == b->solver->state_size(b->self) && memcmp(x, y, size) == 0;
  free(x);
  free(y);
  return same;
}

/// What was found of an option and a method.
typedef struct walk_finding {
  unsigned values; ///< mask of the values (walk_value) that changed the state in some scene
  bool fields;     ///< it changed anything that is read
  bool saved;      ///< it changed what is saved
  double most;     ///< the greatest difference of states in the scene that does not grow errors
} walk_finding;

static inline void walk_compare(walk_finding *found, int k, int which, handle *standard,
                                handle *other) {
  double difference = walk_difference(standard, other);
  if (difference >= 0)
    found->values |= 1U << k;
  if (which == WALK_CALM)
    found->most = fmax(found->most, difference);
  found->fields = found->fields || !handle_same(standard, other);
  found->saved = found->saved || !walk_same_saved(standard, other);
}

/// Value `k` of an option, to be tried against the default; false after the last. Of words all, of
/// numbers the ends of the range and what is near the default.
static inline bool walk_value(const vb_option_info *info, int k, char out[32]) {
  double standard = strtod(info->default_value, NULL);
  const double near[] = {info->minimum, standard + 1, standard + 2};
  const double part[] = {info->minimum, info->maximum, 0.5 * (info->minimum + info->maximum)};
  const char *word = info->choices;
  if (!word)
    return k < 3 && snprintf(out, 32, "%.10g", info->integer ? near[k] : part[k]) > 0;
  for (; k > 0 && word; k--)
    word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL;
  return word && snprintf(out, 32, "%.*s", (int)strcspn(word, "|"), word) > 0;
}

/// Adds what the values of an option change in one scene.
static inline void walk_case(const vb_option_info *info, int method, int which,
                             walk_finding *found) {
  char value[32];
  vb_scene *scene = walk_cases[which].make();
  const bool on_cpu = strcmp(info->name, "backend") == 0; // devices add in other orders
  handle standard =
      walk_run(scene, method, which, (vb_option){info->name, on_cpu ? "cpu" : info->default_value});
  for (int k = 0; standard.self && walk_value(info, k, value); k++) {
    char is[32];
    handle other = walk_run(scene, method, which, (vb_option){info->name, value});
    if (!other.self)
      continue;
    ck_assert_int_eq(other.solver->get_option(other.self, "backend", is, sizeof is, NULL), VB_OK);
    if (strcmp(is, "cpu") == 0)
      walk_compare(found, k, which, &standard, &other);
    handle_close(&other);
  }
  if (standard.self)
    handle_close(&standard);
  free(scene);
}

/// After some steps in single precision or by sums in another order, m: some hundred roundings of a
/// float are 1e-5.
#define WALK_ROUNDING_MOST 1e-5

/// Checks option number `i` in a method against what the table says.
static inline void walk_check(int i, int method) {
  const vb_option_info *info = &viper_options[i];
  const walk_changes changes =
      walk_table[i].methods >> method & 1 ? walk_table[i].changes : WALK_NOTHING;
  walk_finding found = {.most = -1};
  for (int which = 0; which < WALK_CASES; which++)
    walk_case(info, method, which, &found);
  const char *name = info->name, *by = walk_methods[method];
  if (changes == WALK_NOTHING || changes == WALK_FIELDS)
    ck_assert_msg(!found.values && !found.saved, "option %s changes the state by %s", name, by);
  if (changes == WALK_NOTHING)
    ck_assert_msg(!found.fields, "option %s changes what is read by %s", name, by);
  if (changes == WALK_FIELDS)
    ck_assert_msg(found.fields, "option %s changes nothing by %s: what uses it?", name, by);
  if (changes == WALK_STATE || changes == WALK_ROUNDING)
    ck_assert_msg(found.values != 0, "option %s changes nothing by %s: what uses it?", name, by);
  if (changes == WALK_STATE && !info->choices && !info->integer)
    ck_assert_msg(found.values & (found.values - 1),
                  "option %s is used as on or off alone by %s: values %x of 7", name, by,
                  found.values);
  if (changes == WALK_ROUNDING)
    ck_assert_msg(found.most >= 0 && found.most < WALK_ROUNDING_MOST,
                  "option %s changes states by %g by %s", name, found.most, by);
}

/// Checks an option by its name, in all methods.
static inline void walk_check_name(const char *name) {
  int n_found = 0;
  for (int i = 0; i < VIPER_N_OPTIONS; i++)
    if (strcmp(viper_options[i].name, name) == 0)
      for (int method = 0; method < WALK_METHODS; method++, n_found++)
        walk_check(i, method);
  ck_assert_msg(n_found > 0, "no option %s: a line is missing in the table", name);
}

#endif
