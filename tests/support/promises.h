// SPDX-License-Identifier: GPL-3.0-or-later
/// What the tables of a solver in the program promise: each output is as large as its description
/// says, what is saved is all that counts, and each option is kept by itself.
#ifndef VB_TESTS_SUPPORT_PROMISES_H
#define VB_TESTS_SUPPORT_PROMISES_H

#include "handle.h"

#include <math.h>

/// Numbers before and behind an output, which must stay as they are.
enum { PROMISES_MARGIN = 16 };

/// No number that a solver computes: a NaN with this payload.
static inline uint64_t promises_poison(void) {
  return UINT64_C(0x7ff4dead00c0ffee);
}

/// An output of `n` numbers between margins, all of it poisoned; to be freed.
static inline double *promises_begin(size_t n) {
  uint64_t *all = malloc((n + 2 * PROMISES_MARGIN) * sizeof *all);
  ck_assert_ptr_nonnull(all);
  for (size_t i = 0; i < n + 2 * PROMISES_MARGIN; i++)
    all[i] = promises_poison();
  return (double *)(void *)all;
}

/// That exactly the `n` numbers of an output were written; frees it.
static inline void promises_end(double *out, size_t n, const char *solver, const char *what) {
  for (size_t i = 0; i < n + 2 * PROMISES_MARGIN; i++) {
    uint64_t bits;
    memcpy(&bits, &out[i], sizeof bits);
    bool inside = i >= PROMISES_MARGIN && i < PROMISES_MARGIN + n;
    ck_assert_msg(inside == (bits != promises_poison()),
                  "%s of %s: number %ld of %zu was %swritten", what, solver,
                  (long)i - PROMISES_MARGIN, n, inside ? "not " : "");
  }
  free(out);
}

/// Every output, whole and not beyond.
static inline void promises_outputs(const handle *s) {
  const vb_solver *solver = s->solver;
  const vb_solver_description *d = solver->describe(solver);
  size_t n = 3 * vb_scene_count(s->scene, VB_SET_DRIVER), n_work = n / 3;
  n_work += vb_scene_count(s->scene, VB_SET_LOAD) + vb_scene_count(s->scene, VB_SET_ACTIVATION);
  for (size_t i = 0; i < d->n_fields; i++) {
    double *out = promises_begin(handle_numbers(s, i));
    ck_assert_int_eq(solver->read(s->self, i, out + PROMISES_MARGIN, NULL), VB_OK);
    promises_end(out, handle_numbers(s, i), d->name, d->fields[i].name);
  }
  const struct {
    const char *name;
    vb_status (*read)(void *self, double *out, vb_error *error);
    size_t n;
  } all[] = {{"energies", solver->energies, d->n_energies},
             {"work", solver->work, n_work},
             {"residual", d->has_residual ? solver->residual : NULL, 1},
             {"timings", solver->timings, d->n_phases}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (!all[i].read)
      continue;
    double *out = promises_begin(all[i].n);
    ck_assert_int_eq(all[i].read(s->self, out + PROMISES_MARGIN, NULL), VB_OK);
    promises_end(out, all[i].n, d->name, all[i].name);
  }
  double *force = promises_begin(n), *torque = promises_begin(n);
  if (d->has_reactions)
    ck_assert_int_eq(
        solver->reactions(s->self, force + PROMISES_MARGIN, torque + PROMISES_MARGIN, NULL), VB_OK);
  promises_end(force, d->has_reactions ? n : 0, d->name, "force");
  promises_end(torque, d->has_reactions ? n : 0, d->name, "torque");
}

/// A number that is no field, and one more, are refused.
static inline void promises_refusals(const handle *s) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  vb_error error = {0};
  double untouched = 7;
  ck_assert_uint_eq(s->solver->count(s->self, d->n_fields), 0);
  ck_assert_int_eq(s->solver->read(s->self, d->n_fields, &untouched, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "has no field number"));
  ck_assert_double_eq(untouched, 7);
}

/// A saved state has as many bytes as state_size says, and from it the same steps follow, in this
/// instance and in another.
static inline void promises_state(handle *s) {
  size_t size = s->solver->state_size(s->self), margin = PROMISES_MARGIN;
  unsigned char *state = malloc(size + 2 * margin);
  handle other = *s;
  ck_assert_ptr_nonnull(state);
  memset(state, 0xa5, size + 2 * margin);
  ck_assert_int_eq(s->solver->save(s->self, state + margin, NULL), VB_OK);
  for (size_t i = 0; i < margin; i++)
    ck_assert(state[i] == 0xa5 && state[margin + size + i] == 0xa5);
  ck_assert_int_eq(s->solver->create(s->solver, s->scene, NULL, 0, &other.self, NULL), VB_OK);
  ck_assert_int_eq(s->solver->restore(other.self, state + margin, NULL), VB_OK);
  handle_step(s, 2);
  ck_assert_int_eq(s->solver->restore(s->self, state + margin, NULL), VB_OK);
  handle_step(s, 2);
  handle_step(&other, 2);
  unsigned char *a = handle_save(s), *b = handle_save(&other);
  ck_assert_msg(memcmp(a, b, size) == 0, "a restored %s takes other steps",
                s->solver->describe(s->solver)->name);
  free(a);
  free(b);
  free(state);
  handle_close(&other);
}

/// The value of an option in use.
static inline void promises_get(const handle *s, const char *name, char value[64]) {
  ck_assert_int_eq(s->solver->get_option(s->self, name, value, 64, NULL), VB_OK);
}

/// An instance with option number `which` at `value` says so of that option, and of all others what
/// one without it says. What cannot be had here is passed over.
static inline void promises_option(const handle *s, size_t which, const char *value) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  const vb_option option = {d->options[which].name, value};
  handle t = *s;
  vb_error error = {0};
  vb_status status = s->solver->create(s->solver, s->scene, &option, 1, &t.self, &error);
  if (status) { // a solver may refuse a value for this scene, or beside the others' defaults
    ck_assert(error.message[0]);
    return;
  }
  for (size_t i = 0; i < d->n_options; i++) {
    char now[64], before[64];
    promises_get(&t, d->options[i].name, now);
    promises_get(s, d->options[i].name, before);
    const char *want = i == which ? value : before;
    bool same =
        d->options[i].choices ? strcmp(now, want) == 0 : strtod(now, NULL) == strtod(want, NULL);
    ck_assert_msg(same, "%s with %s=%s has %s=%s, not %s", d->name, option.name, value,
                  d->options[i].name, now, want);
  }
  handle_close(&t);
}

/// Each word and the ends of the range of each option that is kept as it is given: all but "auto"
/// and a 0 that stands for the number of processors, and what options of viper follow from others.
static inline void promises_options(const handle *s) {
  const vb_solver_description *d = s->solver->describe(s->solver);
  for (size_t i = 0; i < d->n_options; i++) {
    const vb_option_info *o = &d->options[i];
    char value[64], words[256];
    if (!o->choices) {
      snprintf(value, sizeof value, "%.17g", o->integer ? fmax(o->minimum, 1) + 1 : o->minimum);
      promises_option(s, i, value);
      continue;
    }
    snprintf(words, sizeof words, "%s", o->choices);
    char *rest = NULL;
    for (char *word = strtok_r(words, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
      if (strcmp(word, "auto") != 0)
        promises_option(s, i, word);
  }
}

#endif
