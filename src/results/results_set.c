// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_set.h"

#include "scene/schema.h"

#include <stdio.h>
#include <stdlib.h>

/// Elements as they are read.
typedef struct reader {
  vb_run_location place;
  vb_tag tag;
  char *elements; ///< null before the first dataset
  size_t n;
} reader;

/// Makes `n` elements whose members are not given.
static vb_status make_elements(reader *r, size_t n, vb_error *error) {
  size_t size = vb_schema[r->tag].size;
  bool named = vb_schema_find(r->tag, VB_KIND_NAME) != NULL;
  r->elements = calloc(n + 1, size);
  if (!r->elements)
    return vb_error_memory(error);
  r->n = n;
  for (size_t i = 0; i < n; i++) {
    vb_schema_initialize(r->tag, r->elements + i * size);
    if (named)
      snprintf(r->elements + i * size, VB_NAME_SIZE, "%zu", i);
  }
  return VB_OK;
}

/// Writes the rows of a dataset to the members from byte `offset` on.
static void fill(reader *r, const vb_array *rows, size_t offset, bool real) {
  for (size_t i = 0; i < rows->n; i++) {
    char *at = r->elements + i * vb_schema[r->tag].size + offset;
    for (size_t k = 0; k < rows->width; k++) {
      double value = rows->values[i * rows->width + k];
      if (real)
        ((double *)(void *)at)[k] = value;
      else
        ((int32_t *)(void *)at)[k] = (int32_t)value;
    }
  }
}

static vb_status read_dataset(reader *r, const vb_dataset *dataset, size_t offset, bool real,
                              vb_error *error) {
  char path[64];
  bool there = false;
  vb_array rows = {0};
  snprintf(path, sizeof path, "topology/%s", dataset->name);
  vb_status status = vb_run_has(r->place, path, &there, error);
  if (status || !there)
    return status;
  status = vb_run_array(r->place, path, VB_NO_FRAME, &rows, error);
  if (!status && !r->elements)
    status = make_elements(r, rows.n, error);
  if (!status && (rows.n != r->n || (rows.n > 0 && rows.width != (size_t)dataset->components) ||
                  (!real && !vb_array_holds_indexes(&rows, INT32_MIN, (size_t)INT32_MAX + 1))))
    status = vb_bad_input(error, "%s: %s does not fit the set %s", r->place.path, path,
                          vb_tag_name(r->tag));
  if (!status)
    fill(r, &rows, offset, real);
  vb_array_free(&rows);
  return status;
}

vb_status vb_run_set(vb_run_location place, vb_tag tag, void **elements, size_t *n,
                     vb_error *error) {
  reader r = {.place = place, .tag = tag};
  vb_status status = VB_OK;
  for (int i = 0; i < vb_schema[tag].n_members; i++) {
    const vb_member *m = &vb_schema[tag].members[i];
    bool real = m->kind == VB_KIND_REAL;
    size_t offset = m->offset;
    for (int k = 0; m->kind != VB_KIND_NAME && k < VB_MOST_DATASETS && m->datasets[k].name; k++) {
      if (!status)
        status = read_dataset(&r, &m->datasets[k], offset, real, error);
      offset += (size_t)m->datasets[k].components * sizeof(double);
    }
  }
  if (status) {
    free(r.elements);
    return status;
  }
  *elements = r.elements;
  *n = r.n;
  return VB_OK;
}
