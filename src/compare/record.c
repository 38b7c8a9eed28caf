// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/record.h"

#include "harness/results_internal.h"
#include "harness/results_place.h"

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
  char **grown = name ? realloc(record->names, (record->n + 1) * sizeof *grown) : NULL;
  if (!grown)
    return false;
  record->names = grown;
  grown[record->n++] = name;
  return true;
}

static herr_t note(hid_t group, const char *name, const H5O_info_t *info, void *data) {
  listing *l = data;
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), type = H5Dget_type(dataset);
  H5T_class_t class = H5Tget_class(type);
  vb_h5_release(type);
  vb_h5_release(dataset);
  size_t size = strlen(l->group) + strlen(name) + 1;
  char *quantity = malloc(size);
  if (quantity)
    snprintf(quantity, size, "%s%s", l->group, name);
  bool wanted = quantity && (class == H5T_FLOAT || class == H5T_INTEGER) && !is_wall_time(quantity);
  if (wanted && add_name(l->record, quantity))
    return 0;
  l->failed = l->failed || !quantity || wanted;
  free(quantity);
  return 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_group(vb_h5 *h5, vb_record *record, const char *group, const char *before) {
  listing l = {.record = record, .group = before};
  if (h5->status || H5Lexists(record->root, group, H5P_DEFAULT) <= 0)
    return;
  hid_t id = VB_H5(h5, H5Gopen2(record->root, group, H5P_DEFAULT));
  VB_H5(h5, H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, note, &l, H5O_INFO_BASIC));
  vb_h5_release(id);
  if (l.failed && !h5->status)
    h5->status = vb_error_memory(h5->error);
}

/// Opens the group of the run. An index wants a name, the file of a run none.
static void open_root(vb_h5 *h5, vb_record *record, const char *run) {
  bool index = false;
  char name[300];
  record->file = vb_results_open(h5, &index);
  if (h5->status)
    return;
  snprintf(name, sizeof name, "runs/%.200s", run ? run : "");
  record->root = H5Gopen2(record->file, run ? name : "/", H5P_DEFAULT);
  if (record->root < 0 || index != (run != NULL))
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its run \"%s\" cannot be opened",
                              h5->path, run ? run : "");
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

static hid_t open_quantity(const vb_record *record, const char *quantity) {
  char path[700];
  if (!vb_results_locate(quantity, path, sizeof path))
    return -1;
  return H5Dopen2(record->root, path + 1, H5P_DEFAULT); // relative to the run's own root
}

bool vb_record_find(const vb_record *record, const char *quantity, vb_record_shape *out) {
  hid_t dataset = open_quantity(record, quantity);
  hid_t space = dataset < 0 ? -1 : H5Dget_space(dataset);
  vb_record_shape shape = {.extent = {1, 1, 1}};
  shape.rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  bool good = shape.rank >= 0 && shape.rank <= VB_RECORD_RANK &&
              H5Sget_simple_extent_dims(space, shape.extent, NULL) >= 0;
  if (good && !vb_h5_read_attribute(dataset, "units", shape.unit, sizeof shape.unit))
    shape.unit[0] = '\0';
  vb_h5_release(space);
  vb_h5_release(dataset);
  shape.rows = shape.extent[0];
  shape.width = shape.extent[1] * shape.extent[2];
  if (good)
    *out = shape;
  return good;
}

vb_status vb_record_read(const vb_record *record, const char *quantity, size_t first, size_t n,
                         double *out, vb_error *error) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, error, VB_OK};
  vb_record_shape shape = {.rank = 0};
  hid_t dataset = VB_H5(&h5, open_quantity(record, quantity));
  if (!h5.status && !vb_record_find(record, quantity, &shape))
    return vb_error_set(error, VB_BAD_INPUT, "%s: \"%s\" cannot be read", record->path, quantity);
  hsize_t start[VB_RECORD_RANK] = {first, 0, 0};
  hsize_t count[VB_RECORD_RANK] = {n, shape.extent[1], shape.extent[2]};
  hsize_t total = n * shape.width;
  hid_t space = VB_H5(&h5, H5Dget_space(dataset));
  hid_t memory = VB_H5(&h5, H5Screate_simple(1, &total, NULL));
  if (shape.rank > 0)
    VB_H5(&h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  if (total > 0)
    VB_H5(&h5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out));
  vb_h5_release(memory);
  vb_h5_release(space);
  vb_h5_release(dataset);
  return h5.status;
}

/// Opens a dataset of the run or, where a packed study keeps it once for all runs, of the file;
/// negative where there is none.
static hid_t open_fact(const vb_record *record, const char *dataset) {
  const hid_t places[] = {record->root, record->file};
  char group[64];
  snprintf(group, sizeof group, "%.*s", (int)strcspn(dataset, "/"), dataset);
  for (size_t i = 0; i < 2; i++)
    if (H5Lexists(places[i], group, H5P_DEFAULT) > 0 &&
        H5Lexists(places[i], dataset, H5P_DEFAULT) > 0)
      return H5Dopen2(places[i], dataset, H5P_DEFAULT);
  return -1;
}

char *vb_record_text(const vb_record *record, const char *dataset) {
  vb_h5 h5 = {record->path, VB_BAD_INPUT, NULL, VB_OK};
  char *read = NULL, *out = NULL;
  hid_t id = open_fact(record, dataset);
  if (id < 0)
    return NULL;
  hid_t type = vb_h5_text_type(&h5);
  VB_H5(&h5, H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read));
  if (!h5.status && read)
    out = strdup(read);
  if (read)
    H5free_memory(read);
  vb_h5_release(type);
  vb_h5_release(id);
  return out;
}

double vb_record_number(const vb_record *record, const char *dataset, double otherwise) {
  double value = otherwise;
  hid_t id = open_fact(record, dataset);
  if (id < 0 || H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0)
    value = otherwise;
  vb_h5_release(id);
  return value;
}
