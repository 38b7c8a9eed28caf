// SPDX-License-Identifier: GPL-3.0-or-later
/// A solver at work on a scene, through the one interface: for tests of solvers.
#ifndef VB_TESTS_SUPPORT_HANDLE_H
#define VB_TESTS_SUPPORT_HANDLE_H

#include "solver/table.h"
#include "test.h"

#include <stdarg.h>

typedef struct handle {
  const vb_solver *solver;
  const vb_scene *scene;
  void *self;
} handle;

/// Makes an instance of the named solver with options (name, value, .., NULL).
static inline handle handle_open_list(const char *solver, const vb_scene *scene, va_list list) {
  handle s = {.scene = scene};
  vb_error error = {0};
  vb_option option[16];
  size_t n = 0;
  for (const char *name; n < 16 && (name = va_arg(list, const char *)); n++)
    option[n] = (vb_option){name, va_arg(list, const char *)};
  ck_assert_int_eq(vb_solver_find(solver, &s.solver, NULL), VB_OK);
  ck_assert_msg(s.solver->create(s.solver, scene, option, n, &s.self, &error) == VB_OK, "%s",
                error.message);
  return s;
}

/// The same with the options as arguments.
static inline handle handle_open_as(const char *solver, const vb_scene *scene, ...) {
  va_list list;
  va_start(list, scene);
  handle s = handle_open_list(solver, scene, list);
  va_end(list);
  return s;
}

/// Makes a viper instance with options (name, value, .., NULL).
static inline handle handle_open(const vb_scene *scene, ...) {
  va_list list;
  va_start(list, scene);
  handle s = handle_open_list("viper", scene, list);
  va_end(list);
  return s;
}

static inline void handle_close(handle *s) {
  s->solver->destroy(s->self);
  s->self = NULL;
}

static inline void handle_set(handle *s, const char *name, const char *value) {
  ck_assert_int_eq(s->solver->set_option(s->self, name, value, NULL), VB_OK);
}

/// Steps; whether all went well.
static inline bool handle_try(handle *s, int64_t n) {
  vb_divergence divergence;
  vb_error error = {0};
  ck_assert_int_eq(s->solver->step(s->self, n, NULL), VB_OK);
  ck_assert_msg(!s->solver->sync(s->self, &divergence, &error), "%s", error.message);
  return !divergence.diverged;
}

static inline void handle_step(handle *s, int64_t n) {
  vb_divergence divergence;
  bool well = handle_try(s, n);
  ck_assert_int_eq(s->solver->sync(s->self, &divergence, NULL), VB_OK);
  ck_assert_msg(well, "step %lld: %s", (long long)divergence.step, divergence.what);
}

/// Numbers in field `i` of the description.
static inline size_t handle_numbers(const handle *s, size_t i) {
  return s->solver->count(s->self, i) *
         (size_t)s->solver->describe(s->solver)->fields[i].components;
}

/// A field by its name, to be freed.
static inline double *handle_read(const handle *s, const char *name) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  for (size_t i = 0; i < d->n_fields; i++)
    if (!strcmp(d->fields[i].name, name)) {
      size_t n = handle_numbers(s, i);
      double *out = malloc((n + 1) * sizeof *out);
      ck_assert_ptr_nonnull(out);
      ck_assert_int_eq(s->solver->read(s->self, i, out, NULL), VB_OK);
      return out;
    }
  ck_abort_msg("no field %s", name);
}

/// Value `index` of a field.
static inline double handle_value(const handle *s, const char *name, size_t index) {
  double *all = handle_read(s, name), value = all[index];
  free(all);
  return value;
}

static inline double handle_residual(const handle *s) {
  double residual;
  ck_assert_int_eq(s->solver->residual(s->self, &residual, NULL), VB_OK);
  return residual;
}

/// An energy by its name.
static inline double handle_energy(const handle *s, const char *name) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  double all[32];
  ck_assert_int_eq(s->solver->energies(s->self, all, NULL), VB_OK);
  for (size_t i = 0; i < d->n_energies; i++)
    if (!strcmp(d->energies[i].name, name))
      return all[i];
  ck_abort_msg("no energy %s", name);
}

/// The sum of all elastic energies.
static inline double handle_elastic(const handle *s) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  double all[32], sum = 0;
  ck_assert_int_eq(s->solver->energies(s->self, all, NULL), VB_OK);
  for (size_t i = 0; i < d->n_energies; i++)
    if (d->energies[i].potential && strcmp(d->energies[i].name, "gravity") != 0)
      sum += all[i];
  return sum;
}

/// A saved state, to be freed.
static inline void *handle_save(handle *s) {
  void *state = malloc(s->solver->state_size(s->self));
  ck_assert_ptr_nonnull(state);
  ck_assert_int_eq(s->solver->save(s->self, state, NULL), VB_OK);
  return state;
}

/// Steps, and keeps the first numbers of the positions, or asserts that they have these bits: those
/// of a body alone and in company.
static inline void handle_first_positions(handle *s, int64_t steps, bool keep, double *first,
                                          size_t bytes) {
  handle_step(s, steps);
  double *x = handle_read(s, "position");
  if (keep)
    memcpy(first, x, bytes);
  else
    ck_assert_mem_eq(x, first, bytes);
  free(x);
}

/// Whether a field of two handles on one scene is bitwise equal.
static inline bool handle_same_field(const handle *a, const handle *b, const char *name) {
  const vb_solver_description *d = a->solver->describe(a->solver);
  double *x = handle_read(a, name), *y = handle_read(b, name);
  size_t i = 0;
  while (strcmp(d->fields[i].name, name) != 0)
    i++;
  size_t n = handle_numbers(a, i);
  bool same = n == handle_numbers(b, i) && !memcmp(x, y, n * sizeof *x);
  free(x);
  free(y);
  return same;
}

/// Whether all fields, energies, works, the residual and reactions of two handles on one scene are
/// bitwise equal.
static inline bool handle_same(handle *a, handle *b) {
  const vb_solver_description *d = a->solver->describe(a->solver);
  bool same = true;
  for (size_t i = 0; i < d->n_fields; i++)
    same = same && handle_same_field(a, b, d->fields[i].name);
  enum { MOST = 256 };
  double x[2][MOST] = {{0}};
  handle *s[2] = {a, b};
  size_t n_drivers = vb_scene_count(a->scene, VB_SET_DRIVER);
  ck_assert_uint_lt(8 * n_drivers + vb_scene_count(a->scene, VB_SET_LOAD) + 32, MOST);
  for (int i = 0; i < 2; i++) {
    x[i][0] = handle_residual(s[i]);
    ck_assert_int_eq(s[i]->solver->energies(s[i]->self, x[i] + 1, NULL), VB_OK);
    ck_assert_int_eq(
        s[i]->solver->reactions(s[i]->self, x[i] + 32, x[i] + 32 + 3 * n_drivers, NULL), VB_OK);
    ck_assert_int_eq(s[i]->solver->work(s[i]->self, x[i] + 32 + 6 * n_drivers, NULL), VB_OK);
  }
  return same && !memcmp(x[0], x[1], sizeof x[0]);
}

#endif
