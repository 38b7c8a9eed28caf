// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/description.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const vb_option_info time_limit = {
    VB_TIME_LIMIT, "60",
    NULL,          0,
    1e6,           false,
    true,          "longest that the solver's process may take to answer a call, s; 0: for ever"};

void vb_description_pack(const vb_solver_description *d, vb_pack *pack) {
  vb_pack_text(pack, d->name);
  vb_pack_text(pack, d->long_name);
  vb_pack_whole(pack, d->sets);
  vb_pack_whole(pack, d->has_residual);
  vb_pack_whole(pack, d->has_reactions);
  vb_pack_whole(pack, d->n_fields);
  for (size_t i = 0; i < d->n_fields; i++) {
    vb_pack_text(pack, d->fields[i].name);
    vb_pack_whole(pack, (uint64_t)d->fields[i].location);
    vb_pack_whole(pack, (uint64_t)d->fields[i].components);
    vb_pack_text(pack, d->fields[i].unit);
    vb_pack_text(pack, d->fields[i].long_name);
  }
  vb_pack_whole(pack, d->n_energies);
  for (size_t i = 0; i < d->n_energies; i++) {
    vb_pack_text(pack, d->energies[i].name);
    vb_pack_text(pack, d->energies[i].long_name);
    vb_pack_whole(pack, d->energies[i].potential);
  }
  vb_pack_whole(pack, d->n_options);
  for (size_t i = 0; i < d->n_options; i++) {
    const vb_option_info *o = &d->options[i];
    vb_pack_text(pack, o->name);
    vb_pack_text(pack, o->default_value);
    vb_pack_text(pack, o->choices);
    vb_pack_number(pack, o->minimum);
    vb_pack_number(pack, o->maximum);
    vb_pack_whole(pack, o->integer);
    vb_pack_whole(pack, o->at_any_time);
    vb_pack_text(pack, o->long_name);
  }
  vb_pack_whole(pack, d->n_phases);
  for (size_t i = 0; i < d->n_phases; i++)
    vb_pack_text(pack, d->phases[i]);
}

static void unpack_fields(vb_pack *pack, vb_solver_description *d) {
  d->n_fields = vb_unpack_count(pack);
  vb_field *fields = calloc(d->n_fields + 1, sizeof *fields);
  d->fields = fields;
  for (size_t i = 0; fields && i < d->n_fields; i++) {
    fields[i].name = vb_unpack_text(pack);
    fields[i].location = (vb_location)vb_unpack_whole(pack);
    fields[i].components = (int)vb_unpack_whole(pack);
    fields[i].unit = vb_unpack_text(pack);
    fields[i].long_name = vb_unpack_text(pack);
  }
}

static void unpack_energies(vb_pack *pack, vb_solver_description *d) {
  d->n_energies = vb_unpack_count(pack);
  vb_energy *energies = calloc(d->n_energies + 1, sizeof *energies);
  d->energies = energies;
  for (size_t i = 0; energies && i < d->n_energies; i++) {
    energies[i].name = vb_unpack_text(pack);
    energies[i].long_name = vb_unpack_text(pack);
    energies[i].potential = vb_unpack_whole(pack) != 0;
  }
}

static void unpack_options(vb_pack *pack, vb_solver_description *d) {
  size_t n = vb_unpack_count(pack);
  vb_option_info *options = calloc(n + 1, sizeof *options);
  d->options = options;
  d->n_options = n + 1;
  for (size_t i = 0; options && i < n; i++) {
    options[i].name = vb_unpack_text(pack);
    options[i].default_value = vb_unpack_text(pack);
    options[i].choices = vb_unpack_text(pack);
    options[i].minimum = vb_unpack_number(pack);
    options[i].maximum = vb_unpack_number(pack);
    options[i].integer = vb_unpack_whole(pack) != 0;
    options[i].at_any_time = vb_unpack_whole(pack) != 0;
    options[i].long_name = vb_unpack_text(pack);
  }
  if (options)
    options[n] = time_limit;
}

static void unpack_phases(vb_pack *pack, vb_solver_description *d) {
  d->n_phases = vb_unpack_count(pack);
  const char **phases = calloc(d->n_phases + 1, sizeof *phases);
  d->phases = phases;
  for (size_t i = 0; phases && i < d->n_phases; i++)
    phases[i] = vb_unpack_text(pack);
}

vb_status vb_description_unpack(vb_pack *pack, vb_solver_description *out, vb_error *error) {
  vb_solver_description d = {.name = vb_unpack_text(pack)};
  d.long_name = vb_unpack_text(pack);
  d.sets = vb_unpack_whole(pack);
  d.has_residual = vb_unpack_whole(pack) != 0;
  d.has_reactions = vb_unpack_whole(pack) != 0;
  unpack_fields(pack, &d);
  unpack_energies(pack, &d);
  unpack_options(pack, &d);
  unpack_phases(pack, &d);
  vb_status status = VB_OK;
  if (!d.fields || !d.energies || !d.options || !d.phases)
    status = vb_error_memory(error);
  else if (pack->broken)
    status = vb_error_set(error, VB_BAD_INPUT, "what arrived is no description of a solver");
  if (status)
    vb_description_free(&d);
  else
    *out = d;
  return status;
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
      return vb_error_set(error, VB_BAD_INPUT,
                          "the name of %s %zu of its description is not one of 1 to 40 letters, "
                          "digits, and _ - . inside",
                          kind, i);
    if (!*(const char *const *)(thing + long_name))
      return vb_error_set(error, VB_BAD_INPUT, "%s %s of its description has no long_name", kind,
                          name);
    for (size_t k = 0; k < i; k++)
      if (!strcmp(*(const char *const *)(earlier + k * size), name))
        return strcmp(name, VB_TIME_LIMIT)
                   ? vb_error_set(error, VB_BAD_INPUT, "%s %s is in its description twice", kind,
                                  name)
                   : vb_error_set(error, VB_BAD_INPUT,
                                  "option " VB_TIME_LIMIT
                                  " is the host's; give yours another name");
  }
  return VB_OK;
}

static vb_status check_fields(const vb_solver_description *d, vb_error *error) {
  for (size_t i = 0; i < d->n_fields; i++) {
    const vb_field *f = &d->fields[i];
    if (!f->unit || !*f->unit)
      return vb_error_set(error, VB_BAD_INPUT, "field %s has no unit; \"1\" where it has none",
                          f->name);
    if ((int)f->location < VB_AT_NODE || (int)f->location > VB_AT_TETRAHEDRON)
      return vb_error_set(error, VB_BAD_INPUT,
                          "field %s is at location %d, which is no vb_location", f->name,
                          (int)f->location);
    if (f->components < 1 || f->components > 1000)
      return vb_error_set(error, VB_BAD_INPUT, "field %s has %d components, not 1 to 1000", f->name,
                          f->components);
  }
  for (size_t i = 0; i < d->n_energies; i++)
    if (!strcmp(d->energies[i].name, "total"))
      return vb_error_set(error, VB_BAD_INPUT, "energy total is the sum of all that are listed");
  return VB_OK;
}

static vb_status check_options(const vb_solver_description *d, vb_error *error) {
  for (size_t i = 0; i < d->n_options; i++) {
    const vb_option_info *o = &d->options[i];
    if (!o->default_value)
      return vb_error_set(error, VB_BAD_INPUT, "option %s has no default", o->name);
    vb_option preset = {o->name, o->default_value};
    if (vb_solver_check_options(d, &preset, 1, error))
      return vb_error_prefix(error, "its default");
  }
  return VB_OK;
}

vb_status vb_description_check(const vb_solver_description *d, vb_error *error) {
  if (!is_name(d->name))
    return vb_error_set(error, VB_BAD_INPUT,
                        "its name is not one of 1 to 40 letters, digits, and _ - . inside");
  if (!d->long_name)
    return vb_error_set(error, VB_BAD_INPUT, "its description has no long_name");
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
