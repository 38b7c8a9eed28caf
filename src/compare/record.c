// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/record.h"

#include "base/arena.h"
#include "results/results_file.h"
#include "results/results_locate.h"
#include "results/results_meaning.h"
#include "results/results_rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a visit of all objects gathers.
typedef struct listing {
  vb_record *record;
  const char *group; ///< put before each name
  bool failed;       ///< out of memory
} listing;

static bool is_wall_time(const char *quantity) {
  return strcmp(quantity, "convergence/wall_time") == 0;
}

/// Adds a name to the list, which stays as it is for want of memory.
static bool add_name(vb_record *record, char *name) {
  char **added = VB_APPEND(record->names, record->n);
  if (added)
    *added = name;
  return added != NULL;
}

static bool note(const char *name, vb_h5_kind kind, void *data) {
  listing *l = data;
  size_t size = strlen(l->group) + strlen(name) + 1;
  char *quantity = malloc(size);
  if (quantity)
    snprintf(quantity, size, "%s%s", l->group, name);
  bool wanted = quantity && kind == VB_H5_NUMBERS && !is_wall_time(quantity);
  if (wanted && add_name(l->record, quantity))
    return true;
  l->failed = l->failed || !quantity || wanted;
  free(quantity);
  return !l->failed;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_group(vb_h5 *h5, vb_record *record, const char *group, const char *before) {
  listing l = {.record = record, .group = before};
  vb_h5_list_datasets(h5, record->root, group, note, &l);
  if (l.failed && !h5->status)
    vb_h5_out_of_memory(h5);
}

/// Opens the group of the run. An index wants a name, the file of a run none.
static void open_root(vb_h5 *h5, vb_record *record, const char *run) {
  bool index = false;
  record->file = vb_results_open(h5, &index);
  if (!h5->status && index != (run != NULL))
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its run \"%s\" cannot be opened",
                              h5->path, run ? run : "");
  if (!h5->status)
    record->root =
        run ? vb_results_open_run(h5, record->file, run) : vb_h5_open_group(h5, record->file, "/");
}

vb_status vb_record_open(const char *path, const char *run, vb_record *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_record record = {.path = strdup(path), .file = -1, .root = -1};
  if (!record.path)
    h5.status = vb_error_memory(error);
  if (!h5.status)
    open_root(&h5, &record, run);
  list_group(&h5, &record, "run", "");
  list_group(&h5, &record, "convergence", "convergence/");
  list_group(&h5, &record, "topology", "topology/");
  if (h5.status) {
    vb_record_close(&record);
    return h5.status;
  }
  if (record.n > 0)
    qsort(record.names, record.n, sizeof *record.names, by_name);
  *out = record;
  return VB_OK;
}

void vb_record_close(vb_record *record) {
  for (size_t i = 0; i < record->n; i++)
    free(record->names[i]);
  free(record->names);
  free(record->path);
  vb_h5_release(record->root);
  vb_h5_release(record->file);
  *record = (vb_record){.file = -1, .root = -1};
}

static bool open_quantity(vb_h5 *h5, const vb_record *record, const char *quantity, char path[700],
                          vb_h5_dataset *out) {
  if (!vb_results_locate(quantity, path, 700))
    return false;
  // Relative to the run's own root, which need not be that of a file.
  if (!vb_h5_open_dataset(h5, record->root, path + 1, out))
    return false;
  vb_h5_expect(h5, out, VB_H5_NUMBERS, 0, VB_RECORD_RANK);
  if (h5->status)
    vb_h5_release(out->id);
  return !h5->status;
}

bool vb_record_find(const vb_record *record, const char *quantity, vb_record_shape *out) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_dataset d;
  char path[700];
  if (!open_quantity(&h5, record, quantity, path, &d))
    return false;
  vb_record_shape shape = {.rank = d.rank,
                           .rows = d.extent[0],
                           .width = d.extent[1] * d.extent[2],
                           .extent = {d.extent[0], d.extent[1], d.extent[2]}};
  vb_results_unit_of(d.id, path, shape.unit, sizeof shape.unit);
  bool known = vb_h5_read_number(&h5, d.id, VB_ROUNDING_ATTRIBUTE, &shape.rounding);
  if (!known || !(shape.rounding >= 0 && isfinite(shape.rounding)))
    shape.rounding = 0;
  vb_h5_release(d.id);
  *out = shape;
  return !h5.status;
}

vb_status vb_record_read(const vb_record *record, const char *quantity, size_t first, size_t n,
                         double *out, vb_error *error) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, error, VB_OK};
  vb_h5_dataset d;
  char path[700];
  if (!open_quantity(&h5, record, quantity, path, &d))
    return h5.status ? h5.status
                     : vb_bad_input(error, "%s: \"%s\" cannot be read", record->path, quantity);
  vb_h5_block block = {.start = {first}, .count = {n, d.extent[1], d.extent[2]}};
  vb_h5_read_numbers(&h5, &d, &block, out);
  vb_h5_release(d.id);
  return h5.status;
}

char *vb_record_text(const vb_record *record, const char *dataset) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_dataset d;
  // A packed study keeps some once for all runs, in the file.
  if (!vb_h5_open_dataset(&h5, record->root, dataset, &d) &&
      !vb_h5_open_dataset(&h5, record->file, dataset, &d))
    return NULL;
  char *text = vb_h5_new_text(&h5, &d);
  vb_h5_release(d.id);
  return text;
}

double vb_record_number(const vb_record *record, const char *dataset, double otherwise) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, NULL, VB_OK};
  double value;
  bool there = vb_h5_last_number(&h5, record->root, dataset, &value) ||
               vb_h5_last_number(&h5, record->file, dataset, &value);
  return there ? value : otherwise;
}
