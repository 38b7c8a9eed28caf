// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether a blob is a sound scene: its layout here, the rest in the files check_*.c.
#include "base/time_limit.h"
#include "scene/checks.h"

#include <string.h>

static vb_status check_head(const vb_scene *scene, size_t bytes, vb_error *error) {
  if (bytes < sizeof *scene)
    return vb_bad_input(error, "scene: %zu bytes are too few; the head alone has %zu", bytes,
                        sizeof *scene);
  if (memcmp(scene->magic, VB_SCENE_MAGIC, sizeof scene->magic) != 0)
    return vb_bad_input(error, "scene: it does not begin with \"%s\"", VB_SCENE_MAGIC);
  if (scene->version != VB_SCENE_VERSION)
    return vb_bad_input(error, "scene: version %u is not the version %d known here", scene->version,
                        VB_SCENE_VERSION);
  if (scene->bytes != bytes)
    return vb_bad_input(error, "scene: it should have %llu bytes, but has %zu",
                        (unsigned long long)scene->bytes, bytes);
  if (scene->n_sets >= VB_TAG_LIMIT || scene->n_sets * sizeof(vb_set_entry) > bytes - sizeof *scene)
    return vb_bad_input(error, "scene: a table of %u sets does not fit into %zu bytes",
                        scene->n_sets, bytes);
  return VB_OK;
}

/// Checks one entry of the table, whose set must begin at `offset` and end within `bytes`. `known`
/// is the size of an element that this program knows, 0 for an unknown set.
static vb_status check_entry(const vb_set_entry *entry, size_t offset, size_t bytes, size_t known,
                             vb_error *error) {
  if (entry->element_size == 0 || entry->element_size % 8 != 0 ||
      (known && entry->element_size != known))
    return vb_bad_input(error, "scene: set %u has elements of %u bytes; they should have %zu",
                        entry->tag, entry->element_size, known ? known : 8);
  if (entry->offset != offset)
    return vb_bad_input(error, "scene: set %u begins at byte %llu; it should begin at %zu",
                        entry->tag, (unsigned long long)entry->offset, offset);
  if (entry->count == 0 || entry->count > INT32_MAX ||
      entry->count > (bytes - offset) / entry->element_size)
    return vb_bad_input(
        error, "scene: set %u says it has %llu elements; there is room for 1 to %zu", entry->tag,
        (unsigned long long)entry->count, (bytes - offset) / entry->element_size);
  return VB_OK;
}

/// Checks that the sets of the table follow one another without gaps up to the end.
static vb_status check_table(const vb_scene *scene, size_t bytes, vb_error *error) {
  const vb_set_entry *entries = vb_scene_entries(scene);
  size_t offset = sizeof *scene + scene->n_sets * sizeof *entries;
  uint32_t previous = 0;
  for (uint32_t i = 0; i < scene->n_sets; i++) {
    uint32_t tag = entries[i].tag;
    if (tag <= previous || tag >= VB_TAG_LIMIT)
      return vb_bad_input(error,
                          "scene: set %u follows set %u; tags should increase and be under %d", tag,
                          previous, VB_TAG_LIMIT);
    size_t known = vb_element_size((vb_tag)tag);
    vb_status status = check_entry(&entries[i], offset, bytes, known, error);
    if (status != VB_OK)
      return status;
    offset += (size_t)entries[i].count * entries[i].element_size;
    previous = tag;
  }
  if (offset != bytes)
    return vb_bad_input(error, "scene: its sets end at byte %zu of %zu", offset, bytes);
  return VB_OK;
}

vb_status vb_check_passes(const vb_sets *sets, const vb_check_pass *passes, size_t n,
                          vb_error *error) {
  vb_status status = VB_OK;
  for (const vb_check_pass *pass = passes; pass < passes + n; pass++)
    for (size_t i = 0; status == VB_OK && i < pass->n; i++) {
      status = pass->check(sets, i, error);
      if (status == VB_OK && i % VB_CHECK_LOOK == 0)
        status = vb_time_limit_check(error);
    }
  return status;
}

vb_status vb_scene_check(const void *blob, size_t bytes, vb_error *error) {
  const vb_scene *scene = blob;
  vb_status status = check_head(scene, bytes, error);
  if (status == VB_OK)
    status = check_table(scene, bytes, error);
  if (status != VB_OK)
    return status;
  typedef vb_status check(const vb_sets *, vb_error *);
  static check *const CHECKS[] = {vb_check_indexes, vb_check_names,       vb_check_graph,
                                  vb_check_order,   vb_check_values,      vb_check_tetrahedra,
                                  vb_check_bundles, vb_check_surface,     vb_check_contact,
                                  vb_check_rods,    vb_check_activations, vb_check_drivers,
                                  vb_check_bones,   vb_check_links,       vb_check_colliders,
                                  vb_check_looks,   vb_check_attachments, vb_check_pin_ends};
  vb_sets sets = vb_scene_sets(scene);
  for (size_t i = 0; status == VB_OK && i < sizeof CHECKS / sizeof *CHECKS; i++) {
    status = CHECKS[i](&sets, error);
    if (status == VB_OK)
      status = vb_time_limit_check(error);
  }
  return status;
}
