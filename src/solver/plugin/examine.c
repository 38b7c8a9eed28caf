// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/examine.h"

#include "solver/fields.h"
#include "solver/plugin/description.h"
#include "solver/plugin/snapshot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Steps that an examination takes at a time, and gives back.
enum { STEPS = 3 };

/// An examination under way.
typedef struct exam {
  vb_guarded *g;
  const vb_option *options;
  size_t n_options;
  vb_snapshot before; ///< what the instance was when the examination began
  vb_snapshot after;  ///< and after STEPS steps from there
  int broken;         ///< promises
  vb_error error;     ///< of the latest call
  char list[sizeof((vb_error *)0)->message];
} exam;

/// Notes a broken promise, in a sentence, unless it was noted before.
__attribute__((format(printf, 2, 3))) static void note_broken_promise(exam *e, const char *format,
                                                                      ...) {
  char sentence[sizeof e->list];
  size_t used = strlen(e->list);
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  if (strstr(e->list, sentence))
    return;
  e->broken++;
  snprintf(e->list + used, sizeof e->list - used, "%s(%d) %s", used ? "; " : "", e->broken,
           sentence);
}

/// Whether a call went well; that it did not is noted.
static bool check_succeeds(exam *e, vb_status status) {
  if (status)
    note_broken_promise(e, "%s", e->error.message);
  return status == VB_OK;
}

/// Whether `g` is now, bit by bit, what a snapshot says; otherwise notes what was promised.
static bool matches_snapshot(exam *e, vb_guarded *g, const vb_snapshot *what, const char *promise) {
  vb_snapshot now;
  char different[VB_OUTPUT_NAME];
  bool same = check_succeeds(e, vb_snapshot_take(g, &now, &e->error));
  if (same && now.size != what->size) {
    note_broken_promise(e, "%s: its state has %zu bytes, but had %zu before", promise, now.size,
                        what->size);
    same = false;
  }
  if (same && !vb_snapshot_same(g, what, &now, different)) {
    note_broken_promise(e, "%s: %s differs", promise, different);
    same = false;
  }
  vb_snapshot_free(&now);
  return same;
}

static bool advance(exam *e, vb_guarded *g, int64_t n) {
  vb_divergence divergence;
  return check_succeeds(e, vb_guarded_step(g, n, &e->error)) &&
         check_succeeds(e, vb_guarded_sync(g, &divergence, &e->error));
}

static bool restore_start(exam *e, vb_guarded *g) {
  return check_succeeds(e,
                        vb_guarded_restore(g, e->before.bytes, &e->error)); // the state comes first
}

/// The description as bytes; freed by the caller.
static char *pack_description(const vb_guarded *g, size_t *bytes) {
  enum { MOST = 1 << 20 };
  char *block = malloc(MOST);
  vb_pack pack = {.bytes = block, .size = block ? MOST : 0};
  vb_description_pack(g->about, &pack);
  *bytes = pack.at;
  return block;
}

static void examine_description(exam *e, const char *first, size_t first_bytes) {
  vb_guarded now = *e->g;
  size_t bytes = 0;
  if (!check_succeeds(e, vb_guarded_describe(now.solver, now.channel, &now.about, &e->error)))
    return;
  char *block = pack_description(&now, &bytes);
  if (block && first && (bytes != first_bytes || memcmp(block, first, bytes) != 0))
    note_broken_promise(e, "describe does not give the same at any time");
  free(block);
}

/// A field of nodes has the scene's nodes, or none; and so on.
static void examine_counts(exam *e) {
  const vb_guarded *g = e->g;
  for (size_t i = 0; i < g->about->n_fields; i++) {
    const vb_field *f = &g->about->fields[i];
    size_t n = vb_location_count(g->scene, f->location);
    if (f->location != VB_AT_OWN && g->count[i] != 0 && g->count[i] != n)
      note_broken_promise(e, "count gives %zu elements of field %s, and the scene has %zu",
                          g->count[i], f->name, n);
  }
}

/// A value that an option must refuse; null where there is none.
static const char *bad_value(const vb_option_info *option, char buffer[64]) {
  if (option->choices)
    return "no such word";
  if (!(option->maximum < 1e300))
    return NULL;
  snprintf(buffer, 64, "%.17g", fabs(option->maximum) * 2 + 1);
  return buffer;
}

/// Sets an option, which must be refused.
static void refuse(exam *e, const char *name, const char *value, const char *why) {
  vb_status status = vb_guarded_set_option(e->g, name, value, &e->error);
  if (status != VB_BAD_INPUT)
    note_broken_promise(e, "set_option gave status %d, not %d (VB_BAD_INPUT), for option %s, %s",
                        (int)status, VB_BAD_INPUT, name, why);
}

/// Whether the option's value in use is `value`.
static void check_option_is(exam *e, const char *name, const char *value) {
  if (check_succeeds(e, vb_guarded_get_option(e->g, name, &e->error)) &&
      strcmp(e->g->text.data, value) != 0)
    note_broken_promise(e, "option %s is \"%s\" after it was set, or refused, at \"%s\"", name,
                        e->g->text.data, value);
}

static void examine_option(exam *e, const vb_option_info *option) {
  char value[VB_VALUE_SIZE], buffer[64];
  if (!check_succeeds(e, vb_guarded_get_option(e->g, option->name, &e->error)))
    return;
  memcpy(value, e->g->text.data, sizeof value);
  if (option->at_any_time) {
    if (check_succeeds(e, vb_guarded_set_option(e->g, option->name, value, &e->error)))
      check_option_is(e, option->name, value);
    const char *bad = bad_value(option, buffer);
    if (bad)
      refuse(e, option->name, bad, "set to what it does not take");
  } else {
    refuse(e, option->name, value, "which cannot change after create");
  }
  check_option_is(e, option->name, value);
}

static void examine_options(exam *e) {
  int broken = e->broken;
  for (size_t i = 0; i < e->g->about->n_options; i++)
    examine_option(e, &e->g->about->options[i]);
  if (e->broken == broken)
    matches_snapshot(e, e->g, &e->before, "options set to their own values change something");
}

static void examine_timings(exam *e, double *earlier) {
  vb_guarded *g = e->g;
  if (!check_succeeds(e, vb_guarded_timings(g, &e->error)))
    return;
  const double *now = (const double *)(const void *)g->timings.data;
  for (size_t i = 0; g->solver->timings && i < g->about->n_phases; i++) {
    if (now[i] < earlier[i])
      note_broken_promise(e, "timings of phase %s go from %g s back to %g s", g->about->phases[i],
                          earlier[i], now[i]);
    earlier[i] = now[i];
  }
}

/// Steps in one go and one by one, with a way back in between.
static void examine_steps(exam *e) {
  vb_guarded *g = e->g;
  if (!advance(e, g, 0) || !matches_snapshot(e, g, &e->before, "step(0) changes something"))
    return;
  if (!advance(e, g, STEPS) || !check_succeeds(e, vb_snapshot_take(g, &e->after, &e->error)) ||
      !restore_start(e, g) ||
      !matches_snapshot(e, g, &e->before, "restore does not bring back what was saved"))
    return;
  for (int i = 0; i < STEPS; i++)
    if (!advance(e, g, 1))
      return;
  matches_snapshot(e, g, &e->after, "three times step(1) is not step(3)");
  if (restore_start(e, g))
    matches_snapshot(e, g, &e->before, "restore does not bring back what was saved");
}

/// Makes an instance alike; to be destroyed.
static bool make_twin(exam *e, const vb_option *options, size_t n, vb_guarded *out) {
  return check_succeeds(
      e, vb_guarded_create(e->g->solver, e->g->channel, e->g->scene, options, n, out, &e->error));
}

/// An instance made alike goes on from the saved state as this one did; one that was not restored
/// does so, too, where this one was new.
static void examine_twin(exam *e, bool restored) {
  vb_guarded twin;
  bool made =
      make_twin(e, e->options, e->n_options, &twin) && (!restored || restore_start(e, &twin));
  const char *promise =
      restored ? "a second instance with the same options differs after it restored a saved state"
               : "two instances with the same options differ";
  if (made && matches_snapshot(e, &twin, &e->before, promise) && e->after.bytes &&
      advance(e, &twin, STEPS))
    matches_snapshot(
        e, &twin, &e->after,
        restored
            ? "a second instance with the same options continues differently from a saved state"
            : "two instances with the same options take different steps");
  vb_guarded_destroy(&twin);
}

/// An instance made with the values that the options have in use is the same, too.
static void examine_options_in_use(exam *e) {
  vb_guarded *g = e->g, twin = {0};
  size_t n = g->about->n_options;
  vb_option *options = calloc(n + 1, sizeof *options);
  bool whole = options != NULL;
  for (size_t i = 0; whole && i < n; i++) {
    options[i].name = g->about->options[i].name;
    whole = check_succeeds(e, vb_guarded_get_option(g, options[i].name, &e->error)) &&
            (options[i].value = strdup(g->text.data));
  }
  if (whole && n > 0 && make_twin(e, options, n, &twin))
    matches_snapshot(e, &twin, &e->before,
                     "an instance made with the options that are in use differs");
  vb_guarded_destroy(&twin);
  for (size_t i = 0; options && i < n; i++)
    free((void *)options[i].value);
  free(options);
}

/// A create that must fail, which does no harm to another that follows.
static void examine_bad_create(exam *e) {
  vb_option bad = {"no_such_option", "1"};
  vb_guarded g;
  vb_status status =
      vb_guarded_create(e->g->solver, e->g->channel, e->g->scene, &bad, 1, &g, &e->error);
  if (status == VB_FAILED)
    note_broken_promise(e, "%s", e->error.message);
  else if (status != VB_BAD_INPUT)
    note_broken_promise(e, "create gave status %d, not %d (VB_BAD_INPUT), for an unknown option",
                        (int)status, VB_BAD_INPUT);
  vb_guarded_destroy(&g);
}

/// What is there to be seen in an instance that never took a step.
static void examine_beginning(exam *e) {
  vb_guarded *g = e->g;
  examine_counts(e);
  examine_bad_create(e);
  if (g->about->has_residual && check_succeeds(e, vb_guarded_residual(g, &e->error)) &&
      *(const double *)(const void *)g->residual.data != 0)
    note_broken_promise(e, "residual is %g, not 0, before the first step",
                        *(const double *)(const void *)g->residual.data);
  examine_twin(e, false);
  examine_options_in_use(e);
}

static void examine(exam *e, bool new, double *timing) {
  vb_guarded *g = e->g;
  size_t bytes = 0;
  char *description = pack_description(g, &bytes);
  examine_timings(e, timing);
  if (check_succeeds(e, vb_snapshot_take(g, &e->before, &e->error))) {
    matches_snapshot(e, g, &e->before, "asking changes something");
    check_succeeds(e, vb_guarded_refuses(g, &e->error));
    examine_options(e);
    examine_steps(e);
    check_succeeds(e, vb_guarded_same_sizes(g, &e->error));
    examine_twin(e, true);
    if (new)
      examine_beginning(e);
  }
  examine_timings(e, timing);
  examine_description(e, description, bytes);
  free(description);
}

static vb_status run(vb_guarded *g, const vb_option *options, size_t n_options, bool new,
                     vb_error *error) {
  exam e = {.g = g, .options = options, .n_options = n_options};
  int64_t n_steps = g->n_steps;
  double *timing = calloc(g->about->n_phases + 1, sizeof *timing);
  if (!timing)
    return vb_error_memory(error);
  examine(&e, new, timing);
  g->n_steps = n_steps;
  free(timing);
  vb_snapshot_free(&e.before);
  vb_snapshot_free(&e.after);
  if (!e.broken)
    return VB_OK;
  return vb_error_set(error, VB_FAILED, "after step %lld it breaks %d promise%s: %s",
                      (long long)n_steps, e.broken, e.broken > 1 ? "s" : "", e.list);
}

vb_status vb_examine_new(vb_guarded *g, const vb_option *options, size_t n_options,
                         vb_error *error) {
  return run(g, options, n_options, true, error);
}

vb_status vb_examine_running(vb_guarded *g, const vb_option *options, size_t n_options,
                             vb_error *error) {
  return run(g, options, n_options, false, error);
}
