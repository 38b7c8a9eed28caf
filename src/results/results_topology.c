// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Sets that every file has, be they empty.
static bool is_always_there(vb_tag tag) {
  return tag == VB_SET_BODY || tag == VB_SET_NODE || tag == VB_SET_SEGMENT || tag == VB_SET_JOINT ||
         tag == VB_SET_DRIVER;
}

/// Writes the datasets that begin at a member.
static void write_member(vb_h5 *h5, hid_t group, const vb_member *member, const void *elements,
                         size_t stride, size_t n) {
  vb_h5_storage storage = member->kind == VB_KIND_NAME   ? VB_H5_NAME
                          : member->kind == VB_KIND_REAL ? VB_H5_REAL
                                                         : VB_H5_INT32;
  size_t offset = member->offset;
  for (int k = 0; k < VB_MOST_DATASETS && member->datasets[k].name; k++) {
    const vb_dataset *d = &member->datasets[k];
    const char *unit = d->unit ? d->unit : member->unit ? member->unit : "1";
    vb_h5_column column = {d->name, storage, offset, unit, d->long_name, (hsize_t)d->components};
    vb_h5_column_write(h5, group, &column, elements, stride, n);
    offset += (size_t)d->components * sizeof(double); // several are of reals
  }
}

/// Whether a set of `n` elements is written.
static bool is_written(vb_tag tag, size_t n) {
  return n > 0 || is_always_there(tag);
}

/// The datasets of all sets that are written, and those of pins.
static vb_h5_links count_links(const vb_scene *scene) {
  vb_h5_links links = {3, strlen("pin_position"
                                 "pin_scale"
                                 "pin_frame")};
  for (vb_tag tag = VB_SET_BODY; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    for (int k = 0; k < set->n_members && is_written(tag, vb_scene_count(scene, tag)); k++)
      for (int i = 0; i < VB_MOST_DATASETS && set->members[k].datasets[i].name; i++) {
        links.n++;
        links.letters += strlen(set->members[k].datasets[i].name);
      }
  }
  return links;
}

static void write_set(vb_h5 *h5, hid_t group, vb_tag tag, const void *elements, size_t n) {
  const vb_schema_set *set = &vb_schema[tag];
  for (int k = 0; k < set->n_members && is_written(tag, n); k++)
    write_member(h5, group, &set->members[k], elements, set->size, n);
}

/// Writes the vertices of surfaces with rounded rest positions.
static void write_rounded_vertices(vb_h5 *h5, hid_t group, const vb_surface_vertex *vertices,
                                   size_t n) {
  vb_field_reach reach = {0};
  vb_surface_vertex *rounded = reallocarray(NULL, n, sizeof *rounded);
  if (!rounded) {
    vb_h5_out_of_memory(h5);
    return;
  }
  for (size_t i = 0; i < n; i++)
    vb_field_reach_add(&reach, vertices[i].rest_position, 3);
  double step = vb_rounding_step(&reach);
  for (size_t i = 0; i < n; i++) {
    rounded[i] = vertices[i];
    for (int k = 0; k < 3 && step > 0; k++)
      rounded[i].rest_position[k] = rint(vertices[i].rest_position[k] / step) * step;
  }
  write_set(h5, group, VB_SET_SURFACE_VERTEX, rounded, n);
  free(rounded);
  hid_t dataset = vb_h5_open_object(h5, group, "rest_vertex");
  vb_h5_attribute_number(h5, dataset, VB_ROUNDING_ATTRIBUTE, step / 2);
  vb_h5_release(dataset);
}

static void write_sets(vb_h5 *h5, hid_t group, const vb_run_facts *run) {
  for (vb_tag tag = VB_SET_BODY; tag < VB_SET_COUNT; tag++) {
    size_t n;
    const void *elements = vb_scene_set(run->scene, tag, &n);
    if (tag == VB_SET_SURFACE_VERTEX && n > 0 && !run->record.exact)
      write_rounded_vertices(h5, group, elements, n);
    else
      write_set(h5, group, tag, elements, n);
  }
}

static void write_pins(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  size_t n_pins, n = vb_scene_count(scene, VB_SET_NODE), s = vb_scene_count(scene, VB_SET_SEGMENT);
  const vb_pin *pins = vb_scene_pins(scene, &n_pins);
  uint8_t *flags = calloc(4 * n + s + 1, 1);
  if (!flags) {
    vb_h5_out_of_memory(h5);
    return;
  }
  static const vb_h5_column of_position = {"pin_position", VB_H5_FLAG, 0, "1", NULL, 3};
  static const vb_h5_column of_scale = {"pin_scale", VB_H5_FLAG, 0, "1", NULL, 1};
  static const vb_h5_column of_frame = {"pin_frame", VB_H5_FLAG, 0, "1", NULL, 1};
  uint8_t *position = flags, *scale = flags + 3 * n, *frame = scale + n;
  for (size_t i = 0; i < n_pins; i++) {
    const vb_pin *pin = &pins[i];
    if (pin->location == VB_AT_SEGMENT) {
      frame[pin->index] = (pin->mask & VB_PIN_FRAME) != 0;
      continue;
    }
    for (int k = 0; k < 3; k++)
      position[3 * pin->index + k] = (pin->mask >> k) & 1;
    scale[pin->index] = (pin->mask & VB_PIN_SCALE) != 0;
  }
  vb_h5_column_write(h5, group, &of_position, position, 3, n);
  vb_h5_column_write(h5, group, &of_scale, scale, 1, n);
  vb_h5_column_write(h5, group, &of_frame, frame, 1, s);
  free(flags);
}

/// Tells for each tetrahedron the bone that all of its nodes are in, by which bones are told from
/// flesh in ParaView.
static void write_inner_tetrahedra(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  static const vb_h5_column column = {"tetrahedron_bone", VB_H5_INT32, 0, "1", NULL, 1};
  size_t n, n_ties, n_nodes = vb_scene_count(scene, VB_SET_NODE);
  const vb_tetrahedron *tetrahedra = vb_scene_set(scene, VB_SET_TETRAHEDRON, &n);
  const vb_tie *ties = vb_scene_set(scene, VB_SET_TIE, &n_ties);
  if (n == 0 || n_ties == 0)
    return;
  int32_t *bone = reallocarray(NULL, n_nodes + n, sizeof *bone), *inside = bone + n_nodes;
  if (!bone) {
    vb_h5_out_of_memory(h5);
    return;
  }
  for (size_t i = 0; i < n_nodes; i++)
    bone[i] = -1;
  for (size_t i = 0; i < n_ties; i++)
    if (ties[i].location == VB_AT_NODE)
      bone[ties[i].index] = ties[i].bone;
  for (size_t t = 0; t < n; t++) {
    inside[t] = bone[tetrahedra[t].node[0]];
    for (int c = 1; c < 4; c++)
      if (bone[tetrahedra[t].node[c]] != inside[t])
        inside[t] = -1;
  }
  vb_h5_column_write(h5, group, &column, inside, sizeof *inside, n);
  free(bone);
}

void vb_results_write_topology(vb_h5 *h5, hid_t file, const vb_run_facts *run) {
  vb_h5_links links = count_links(run->scene);
  hid_t group = vb_h5_group_of(h5, file, "topology", &links);
  write_sets(h5, group, run);
  write_pins(h5, group, run->scene);
  write_inner_tetrahedra(h5, group, run->scene);
  vb_h5_release(group);
}

/// Writes a field of the solver's as it is now.
static void write_field(vb_h5 *h5, const vb_results *results, void *instance, hid_t group,
                        const char *name, hid_t file_type) {
  size_t i;
  if (h5->status || !vb_results_find_field(results->description, name, &i) ||
      results->field_count[i] == 0)
    return;
  const vb_field *f = &results->description->fields[i];
  size_t n = results->field_count[i], width = (size_t)f->components;
  double *values = reallocarray(NULL, n * width, sizeof *values);
  if (!values)
    vb_h5_out_of_memory(h5);
  else if (!(h5->status = results->solver->read(instance, i, values, h5->error)))
    vb_h5_write(h5, group,
                &(vb_h5_array){.name = name,
                               .rank = 2,
                               .extent = {n, width},
                               .file_type = file_type,
                               .memory_type = H5T_NATIVE_DOUBLE,
                               .data = values,
                               .unit = f->unit,
                               .long_name = f->long_name});
  free(values);
}

void vb_results_write_weights(vb_h5 *h5, const vb_results *results, void *instance) {
  hid_t group = vb_h5_open_group(h5, results->file, "topology");
  write_field(h5, results, instance, group, "skin_segment", H5T_STD_I32LE);
  write_field(h5, results, instance, group, "skin_weight", H5T_IEEE_F64LE);
  vb_h5_release(group);
}
