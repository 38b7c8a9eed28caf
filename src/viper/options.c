// SPDX-License-Identifier: GPL-3.0-or-later
/// The options of an instance.
#include "viper/viper_internal.h"

#include "viper/cpu/core/lanes.h"
#include "viper/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A value that was checked to be a whole number in range; "1e3" is one, too.
static int whole(const char *value) {
  return (int)strtod(value, NULL);
}

/// By viper_method.
static const char *const methods[] = {
#define WORD(name, NAME, word, traits, cost, text) word,
    VIPER_METHODS(WORD)
#undef WORD
};

static viper_method method_of(const char *name) {
  viper_method m = VIPER_DIRECT;
  while (strcmp(methods[m], name) != 0)
    m++;
  return m;
}

static void apply_setting(viper_settings *s, const char *name, const char *value) {
  if (!strcmp(name, "method"))
    s->method = method_of(value);
  else if (!strcmp(name, "integrator"))
    s->integrator = !strcmp(value, "bdf2") ? VIPER_BDF2 : VIPER_EULER;
  else if (!strcmp(name, "dynamics") && !strcmp(value, "static"))
    s->integrator = VIPER_STATIC;
  else if (!strcmp(name, "threads"))
    s->threads = whole(value) > 0 ? whole(value) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  else if (!strcmp(name, "iterations"))
    s->iterations = whole(value);
  else if (!strcmp(name, "substeps"))
    s->substeps = whole(value);
  else if (!strcmp(name, "tolerance"))
    s->tolerance = strtod(value, NULL);
  else if (!strcmp(name, "relaxation"))
    s->relaxation = strtod(value, NULL);
  else if (!strcmp(name, "contact"))
    s->averaged = !strcmp(value, "averaged") ||
                  (!strcmp(value, "auto") && viper_method_has(s->method, VIPER_AVERAGES));
  else if (!strcmp(name, "warm_start"))
    s->warm_contact = strtod(value, NULL);
  else if (!strcmp(name, "bundle_scale"))
    s->rigid_bundles = !strcmp(value, "no");
  else if (!strcmp(name, "contact_normal"))
    s->smooth_contact = !strcmp(value, "smooth");
  else if (!strcmp(name, "skin_frames"))
    s->bundled_skin = !strcmp(value, "bundle");
  else if (!strcmp(name, "launch"))
    s->stream = !strcmp(value, "stream");
}

/// Without it a method that accumulates multipliers begins elsewhere than where they are 0.
static void apply_follow(viper *v, const char *value) {
  v->follow = value[0];
  v->settings.follow =
      v->follow == 'y' ||
      (v->follow == 'a' && viper_method_has(v->settings.method, VIPER_SEEKS_MINIMUM));
}

/// Refuses what statics has not got: an integrator of time, and methods that project constraints by
/// way of the inertia.
static vb_status check_static(const char *integrator, const char *method, vb_error *error) {
  if (strcmp(integrator, "euler") != 0)
    return vb_bad_input(error, "dynamics static has no time to integrate; leave out integrator %s",
                        integrator);
  if (!viper_method_has(method_of(method), VIPER_SEEKS_MINIMUM))
    return vb_bad_input(error,
                        "dynamics static takes method direct or block-descent: %s weighs "
                        "constraints by the inertia, which a load step has not",
                        method);
  return VB_OK;
}

vb_status viper_read_options(viper *v, const vb_option *options, size_t n_options,
                             vb_error *error) {
  const vb_solver_description *d = viper_describe();
  for (size_t i = 0; i < d->n_options; i++) {
    const char *name = d->options[i].name;
    apply_setting(&v->settings, name, vb_solver_option(d, options, n_options, name));
  }
  if (v->settings.integrator == VIPER_STATIC) {
    vb_status status = check_static(vb_solver_option(d, options, n_options, "integrator"),
                                    vb_solver_option(d, options, n_options, "method"), error);
    if (status)
      return status;
  }
  if (!viper_method_has(v->settings.method, VIPER_AVERAGES) &&
      (v->settings.averaged || v->settings.relaxation != 1))
    return vb_bad_input(error,
                        "%s takes method jacobi-published, whose displacements are averaged; it is "
                        "method %s",
                        v->settings.averaged ? "contact averaged" : "a relaxation other than 1",
                        methods[v->settings.method]);
  apply_follow(v, vb_solver_option(d, options, n_options, "follow"));
  const char *precision = vb_solver_option(d, options, n_options, "precision");
  v->precision = !strcmp(precision, "float") ? 32 : 64;
  v->fast = !strcmp(vb_solver_option(d, options, n_options, "arithmetic"), "fast");
  v->instructions = vb_solver_option(d, options, n_options, "instructions");
  if (!strcmp(v->instructions, "auto"))
    v->instructions = viper_lanes_best();
  else if (!viper_lanes_has(v->instructions))
    return vb_error_set(error, VB_UNAVAILABLE, "this machine has no %s instructions; take auto",
                        v->instructions);
  if (!v->instructions)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "this machine has less than the x86-64-v2 instructions");
  v->instructions = viper_lanes_name(v->instructions); // lives as long as the program
  return VB_OK;
}

vb_status viper_set_option(void *self, const char *name, const char *value, vb_error *error) {
  viper *v = self;
  const vb_solver_description *d = viper_describe();
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(d, &option, 1, error);
  if (status)
    return status;
  for (size_t i = 0; i < d->n_options; i++)
    if (!strcmp(d->options[i].name, name) && !d->options[i].at_any_time)
      return vb_bad_input(error, "option %s cannot change once a run has begun", name);
  apply_setting(&v->settings, name, value);
  if (!strcmp(name, "follow"))
    apply_follow(v, value);
  return VB_OK;
}

vb_status viper_get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  const viper *v = self;
  const viper_settings *s = &v->settings;
  if (!strcmp(name, "method"))
    snprintf(out, size, "%s", methods[s->method]);
  else if (!strcmp(name, "integrator"))
    snprintf(out, size, "%s", s->integrator == VIPER_BDF2 ? "bdf2" : "euler");
  else if (!strcmp(name, "dynamics"))
    snprintf(out, size, "%s", s->integrator == VIPER_STATIC ? "static" : "transient");
  else if (!strcmp(name, "backend"))
    snprintf(out, size, "%s", v->backend->name);
  else if (!strcmp(name, "precision"))
    snprintf(out, size, "%s", v->precision == 32 ? "float" : "double");
  else if (!strcmp(name, "arithmetic"))
    snprintf(out, size, "%s", v->fast ? "fast" : "strict");
  else if (!strcmp(name, "instructions"))
    snprintf(out, size, "%s", v->instructions);
  else if (!strcmp(name, "threads"))
    snprintf(out, size, "%d", s->threads);
  else if (!strcmp(name, "iterations"))
    snprintf(out, size, "%d", s->iterations);
  else if (!strcmp(name, "substeps"))
    snprintf(out, size, "%d", s->substeps);
  else if (!strcmp(name, "tolerance"))
    snprintf(out, size, "%.10g", s->tolerance);
  else if (!strcmp(name, "relaxation"))
    snprintf(out, size, "%.10g", s->relaxation);
  else if (!strcmp(name, "contact"))
    snprintf(out, size, "%s", s->averaged ? "averaged" : "colors");
  else if (!strcmp(name, "follow"))
    snprintf(out, size, "%s", v->follow == 'a' ? "auto" : v->follow == 'y' ? "yes" : "no");
  else if (!strcmp(name, "bundle_scale"))
    snprintf(out, size, "%s", s->rigid_bundles ? "no" : "yes");
  else if (!strcmp(name, "contact_normal"))
    snprintf(out, size, "%s", s->smooth_contact ? "smooth" : "segment");
  else if (!strcmp(name, "warm_start"))
    snprintf(out, size, "%.10g", s->warm_contact);
  else if (!strcmp(name, "skin_frames"))
    snprintf(out, size, "%s", s->bundled_skin ? "bundle" : "segment");
  else if (!strcmp(name, "launch"))
    snprintf(out, size, "%s", s->stream ? "stream" : "graph");
  else
    return vb_bad_input(error, "the viper solver has no option \"%s\"", name);
  return VB_OK;
}
