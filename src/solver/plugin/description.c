// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/description.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const vb_option_info HOST_OPTIONS[] = {
    {.name = VB_TIME_LIMIT,
     .default_value = "60",
     .maximum = 1e6,
     .at_any_time = true,
     .long_name = "longest that the solver's process may take to answer a call, s; 0: for ever"},
    {.name = VB_MEMORY_LIMIT,
     .default_value = "0",
     .maximum = 1e6,
     .long_name = "most memory of the solver's process, GB; 0: as much as the machine has"},
    {.name = VB_CPU_LIMIT,
     .default_value = "0",
     .maximum = 1e9,
     .long_name = "most processor time of the solver's process, s; 0: any"},
};

enum { N_HOST_OPTIONS = sizeof HOST_OPTIONS / sizeof *HOST_OPTIONS };

bool vb_option_is_host(const char *name) {
  for (int i = 0; i < N_HOST_OPTIONS; i++)
    if (strcmp(name, HOST_OPTIONS[i].name) == 0)
      return true;
  return false;
}

/// A description on its way into a block or out of it.
typedef struct transfer {
  vb_pack *pack;
  bool reading;
} transfer;

static void text(const transfer *t, const char **value) {
  if (t->reading)
    *value = vb_unpack_text(t->pack);
  else
    vb_pack_text(t->pack, *value);
}

static void number(const transfer *t, double *value) {
  if (t->reading)
    *value = vb_unpack_number(t->pack);
  else
    vb_pack_number(t->pack, *value);
}

/// A whole number of any type.
#define WHOLE(t, value)                                                                            \
  do {                                                                                             \
    if ((t)->reading)                                                                              \
      (value) = (__typeof__(value))vb_unpack_whole((t)->pack);                                     \
    else                                                                                           \
      vb_pack_whole((t)->pack, (uint64_t)(value));                                                 \
  } while (0)

/// The elements of a list, of which there are `*n`: new ones with room for those of the host where
/// they are to be read, and null for want of memory.
static void *elements(const transfer *t, const void *list, size_t *n, size_t size) {
  if (!t->reading) {
    vb_pack_whole(t->pack, *n);
    return (void *)list;
  }
  *n = vb_unpack_count(t->pack);
  return calloc(*n + N_HOST_OPTIONS, size);
}

static void carry_fields(const transfer *t, vb_solver_description *d) {
  vb_field *f = elements(t, d->fields, &d->n_fields, sizeof *f);
  d->fields = f;
  for (size_t i = 0; f && i < d->n_fields; i++, f++) {
    text(t, &f->name);
    WHOLE(t, f->location);
    WHOLE(t, f->components);
    text(t, &f->unit);
    text(t, &f->long_name);
  }
}

static void carry_energies(const transfer *t, vb_solver_description *d) {
  vb_energy *e = elements(t, d->energies, &d->n_energies, sizeof *e);
  d->energies = e;
  for (size_t i = 0; e && i < d->n_energies; i++, e++) {
    text(t, &e->name);
    text(t, &e->long_name);
    WHOLE(t, e->potential);
  }
}

static void carry_options(const transfer *t, vb_solver_description *d) {
  vb_option_info *o = elements(t, d->options, &d->n_options, sizeof *o);
  d->options = o;
  for (size_t i = 0; o && i < d->n_options; i++, o++) {
    text(t, &o->name);
    text(t, &o->default_value);
    text(t, &o->choices);
    number(t, &o->minimum);
    number(t, &o->maximum);
    WHOLE(t, o->integer);
    WHOLE(t, o->at_any_time);
    text(t, &o->long_name);
  }
}

static void carry(const transfer *t, vb_solver_description *d) {
  text(t, &d->name);
  text(t, &d->long_name);
  WHOLE(t, d->sets);
  WHOLE(t, d->features);
  WHOLE(t, d->has_residual);
  WHOLE(t, d->has_reactions);
  carry_fields(t, d);
  carry_energies(t, d);
  carry_options(t, d);
  const char **phases = elements(t, d->phases, &d->n_phases, sizeof *phases);
  d->phases = phases;
  for (size_t i = 0; phases && i < d->n_phases; i++)
    text(t, &phases[i]);
}

void vb_description_pack(const vb_solver_description *description, vb_pack *pack) {
  vb_solver_description d = *description;
  carry(&(transfer){pack, false}, &d);
}

vb_status vb_description_unpack(vb_pack *pack, vb_solver_description *out, vb_error *error) {
  vb_solver_description d = {.name = NULL};
  vb_status status = VB_OK;
  carry(&(transfer){pack, true}, &d);
  if (!d.fields || !d.energies || !d.options || !d.phases)
    status = vb_error_memory(error);
  else if (pack->broken)
    status = vb_bad_input(error, "the received description of a solver is invalid");
  if (status) {
    vb_description_free(&d);
    return status;
  }
  for (int i = 0; i < N_HOST_OPTIONS; i++)
    ((vb_option_info *)d.options)[d.n_options++] = HOST_OPTIONS[i];
  *out = d;
  return VB_OK;
}

void vb_description_free(vb_solver_description *d) {
  free((void *)d->fields);
  free((void *)d->energies);
  free((void *)d->options);
  free((void *)d->phases);
  *d = (vb_solver_description){0};
}

/// Names become names of datasets, columns and options.
static bool is_name(const char *name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  size_t n = name ? strlen(name) : 0;
  return n > 0 && n <= 40 && strspn(name, allowed) == n && name[0] != '-' && name[0] != '.';
}

/// Checks the names of a list of things of a kind ("field"), each of which begins with its name,
/// and with a text that tells of it at `long_name`, or nowhere where that is 0.
static vb_status check_names(const char *kind, const void *things, size_t n, size_t size,
                             size_t long_name, vb_error *error) {
  const char *thing = things, *earlier = things;
  for (size_t i = 0; i < n; i++, thing += size) {
    const char *name = *(const char *const *)thing;
    if (!is_name(name))
      return vb_bad_input(error,
                          "the name of %s %zu of its description is not one of 1 to 40 letters, "
                          "digits, and _ - . inside",
                          kind, i);
    if (!*(const char *const *)(thing + long_name))
      return vb_bad_input(error, "%s %s of its description has no long_name", kind, name);
    for (size_t k = 0; k < i; k++)
      if (!strcmp(*(const char *const *)(earlier + k * size), name))
        return strcmp(kind, "option") == 0 && vb_option_is_host(name)
                   ? vb_bad_input(error, "option %s is the host's; give yours another name", name)
                   : vb_bad_input(error, "%s %s is in its description twice", kind, name);
  }
  return VB_OK;
}

static vb_status check_fields(const vb_solver_description *d, vb_error *error) {
  for (size_t i = 0; i < d->n_fields; i++) {
    const vb_field *f = &d->fields[i];
    if (!f->unit || !*f->unit)
      return vb_bad_input(error, "field %s has no unit; \"1\" where it has none", f->name);
    if ((int)f->location < VB_AT_NODE || (int)f->location > VB_AT_LINK)
      return vb_bad_input(error, "field %s is at location %d, which is no vb_location", f->name,
                          (int)f->location);
    if (f->components < 1 || f->components > 1000)
      return vb_bad_input(error, "field %s has %d components, not 1 to 1000", f->name,
                          f->components);
  }
  for (size_t i = 0; i < d->n_energies; i++)
    if (!strcmp(d->energies[i].name, "total"))
      return vb_bad_input(error, "energy total is the sum of all that are listed");
  return VB_OK;
}

static vb_status check_options(const vb_solver_description *d, vb_error *error) {
  for (size_t i = 0; i < d->n_options; i++) {
    const vb_option_info *o = &d->options[i];
    if (!o->default_value)
      return vb_bad_input(error, "option %s has no default", o->name);
    vb_option preset = {o->name, o->default_value};
    if (vb_solver_check_options(d, &preset, 1, error))
      return vb_error_prefix(error, "its default");
  }
  return VB_OK;
}

vb_status vb_description_check(const vb_solver_description *d, vb_error *error) {
  if (!is_name(d->name))
    return vb_bad_input(error, "its name is not one of 1 to 40 letters, digits, and _ - . inside");
  if (!d->long_name)
    return vb_bad_input(error, "its description has no long_name");
  vb_status status = check_names("field", d->fields, d->n_fields, sizeof *d->fields,
                                 offsetof(vb_field, long_name), error);
  if (!status)
    status = check_names("energy", d->energies, d->n_energies, sizeof *d->energies,
                         offsetof(vb_energy, long_name), error);
  if (!status)
    status = check_names("option", d->options, d->n_options, sizeof *d->options,
                         offsetof(vb_option_info, long_name), error);
  if (!status)
    status = check_names("phase", d->phases, d->n_phases, sizeof *d->phases, 0, error);
  if (!status)
    status = check_fields(d, error);
  return status ? status : check_options(d, error);
}
