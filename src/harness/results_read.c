// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/results_internal.h"
#include "harness/results_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hid_t vb_results_open(vb_h5 *h5, bool *index) {
  hid_t file = vb_h5_open_file(h5, false);
  if (h5->status)
    return -1;
  char schema[64] = "", version[32] = "";
  bool ours = vb_h5_read_attribute(file, "schema_name", schema, sizeof schema) &&
              vb_h5_read_attribute(file, "schema_version", version, sizeof version);
  bool is_index = strcmp(schema, VB_INDEX_SCHEMA) == 0;
  if (!ours || (!is_index && strcmp(schema, VB_RESULTS_SCHEMA) != 0))
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                              "%s is an HDF5 file, but no results file of this program", h5->path);
  else if (atoi(version) != atoi(VB_SCHEMA_VERSION))
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s has layout version %s; this program reads %s",
                     h5->path, version, VB_SCHEMA_VERSION);
  if (h5->status) {
    vb_h5_release(file);
    return -1;
  }
  if (index)
    *index = is_index;
  return file;
}

/// Where a quantity and its x are, below the root of the run.
typedef struct place {
  char run[256]; ///< group that is the run's root: "/" or "/runs/NAME"
  char x[300];
  char y[700];
} place;

static bool find_place(const char *quantity, place *out) {
  size_t prefix = vb_results_prefix(quantity);
  bool unnamed = prefix == 0 && strncmp(quantity, "runs/", 5) == 0;
  if (unnamed || prefix + 1 > sizeof out->run || !quantity[prefix])
    return false;
  snprintf(out->run, sizeof out->run, "%s%.*s", prefix ? "/" : "", prefix ? (int)prefix - 1 : 0,
           quantity);
  return vb_results_locate_x(quantity, out->x, sizeof out->x) &&
         vb_results_locate(quantity, out->y, sizeof out->y);
}

/// Notes a member's name, for each.
static herr_t note_member(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  char *names = data;
  size_t used = strlen(names);
  (void)group;
  (void)info;
  snprintf(names + used, 512 - used, "%s%s", used ? ", " : "", name);
  return 0;
}

/// Says what there is beside a dataset that is missing.
static vb_status missing(vb_h5 *h5, hid_t file, const char *quantity, const char *path) {
  char parent[700], names[512] = "";
  snprintf(parent, sizeof parent, "%s", path);
  hid_t group = -1;
  for (char *slash = strrchr(parent, '/'); group < 0 && slash && slash != parent;
       slash = strrchr(parent, '/')) {
    *slash = '\0';
    group = H5Gopen2(file, parent, H5P_DEFAULT);
  }
  if (group >= 0)
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, note_member, names);
  vb_h5_release(group);
  return vb_error_set(h5->error, VB_BAD_INPUT, "%s has no series \"%s\"%s%s%s%s", h5->path,
                      quantity, names[0] ? "; below " : "", names[0] ? parent : "",
                      names[0] ? " it has " : "", names);
}

/// A chosen line of numbers through a dataset.
typedef struct line {
  int rank;
  hsize_t size[3];
  hsize_t start[3];
} line;

/// One axis beyond the first: an index, or none where the axis has one element.
static vb_status choose(vb_h5 *h5, const char *quantity, const char *what, int64_t index,
                        hsize_t size, hsize_t *start) {
  if (index < 0 && size == 1)
    index = 0;
  if (index < 0)
    return vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has %llu %ss; name one of them",
                        h5->path, quantity, (unsigned long long)size, what);
  if ((hsize_t)index >= size)
    return vb_error_set(h5->error, VB_BAD_INPUT,
                        "%s: \"%s\" has no %s %lld; they are counted from 0 and there are %llu",
                        h5->path, quantity, what, (long long)index, (unsigned long long)size);
  *start = (hsize_t)index;
  return VB_OK;
}

static vb_status select_line(vb_h5 *h5, const char *quantity, int64_t row, int component, line *l) {
  if (l->rank < 1 || l->rank > 3)
    return vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" is no series", h5->path, quantity);
  int wanted = (row >= 0) + (component >= 0);
  if (wanted > l->rank - 1)
    return vb_error_set(h5->error, VB_BAD_INPUT,
                        "%s: \"%s\" has %d axes besides time; leave out row or component", h5->path,
                        quantity, l->rank - 1);
  if (l->rank == 1)
    return VB_OK;
  // With one axis only, either name may choose on it.
  if (l->rank == 2)
    return choose(h5, quantity, component >= 0 ? "component" : "row",
                  component >= 0 ? component : row, l->size[1], &l->start[1]);
  vb_status status = choose(h5, quantity, "row", row, l->size[1], &l->start[1]);
  return status ? status : choose(h5, quantity, "component", component, l->size[2], &l->start[2]);
}

hsize_t vb_results_whole_rows(hid_t file, const char *path, hsize_t n) {
  char parent[700];
  int64_t rows = -1;
  snprintf(parent, sizeof parent, "%s", path);
  for (char *slash = strrchr(parent, '/'); rows < 0 && slash && slash != parent;
       slash = strrchr(parent, '/')) {
    *slash = '\0';
    hid_t group = H5Gopen2(file, parent, H5P_DEFAULT);
    bool counted = group >= 0 && H5Aexists(group, VB_ROWS_ATTRIBUTE) > 0;
    hid_t attribute = counted ? H5Aopen(group, VB_ROWS_ATTRIBUTE, H5P_DEFAULT) : -1;
    if (attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT64, &rows) < 0)
      rows = -1;
    vb_h5_release(attribute);
    vb_h5_release(group);
  }
  return rows >= 0 && (hsize_t)rows < n ? (hsize_t)rows : n;
}

/// Reads dataset `path`, one number per row; the caller frees `*out`.
static void read_line(vb_h5 *h5, hid_t file, const char *path, const char *quantity, int64_t row,
                      int component, double **out, size_t *n) {
  hid_t dataset = h5->status ? -1 : H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0) {
    h5->status = h5->status ? h5->status : missing(h5, file, quantity, path);
    return;
  }
  line l = {0};
  hid_t space = VB_H5(h5, H5Dget_space(dataset)), memory = -1;
  l.rank = (int)VB_H5(h5, H5Sget_simple_extent_ndims(space));
  if (!h5->status && l.rank <= 3)
    VB_H5(h5, H5Sget_simple_extent_dims(space, l.size, NULL));
  l.size[0] = vb_results_whole_rows(file, path, l.size[0]);
  if (!h5->status)
    h5->status = select_line(h5, quantity, row, component, &l);
  double *values = h5->status ? NULL : calloc(l.size[0] + 1, sizeof *values);
  if (!values)
    h5->status = h5->status ? h5->status : vb_error_memory(h5->error);
  if (l.size[0] > 0) {
    hsize_t count[3] = {l.size[0], 1, 1};
    memory = VB_H5(h5, H5Screate_simple(1, l.size, NULL));
    VB_H5(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, l.start, NULL, count, NULL));
    VB_H5(h5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
  }
  vb_h5_release(memory);
  vb_h5_release(space);
  vb_h5_release(dataset);
  if (h5->status) {
    free(values);
    return;
  }
  *out = values;
  *n = l.size[0];
}

/// An external link to a run that cannot be followed deserves its own sentence.
static void check_run(vb_h5 *h5, hid_t file, bool index, const place *p) {
  if (h5->status)
    return;
  if (index != (p->run[0] != '\0')) {
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT,
                     index ? "%s is the index of a study; name a quantity as "
                             "\"runs/NAME/quantity\""
                           : "%s is the file of one run; name a quantity without \"runs/\"",
                     h5->path);
    return;
  }
  hid_t group = index ? H5Gopen2(file, p->run, H5P_DEFAULT) : -1;
  if (index && group < 0)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its run \"%s\" cannot be opened",
                              h5->path, p->run + strlen("/runs/"));
  vb_h5_release(group);
}

vb_status vb_results_column(const char *path, const char *quantity, int64_t row, int component,
                            vb_column *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  place p;
  if (!find_place(quantity, &p))
    return vb_error_set(error, VB_BAD_INPUT, "\"%s\" is no name of a recorded quantity", quantity);
  bool index = false;
  vb_column column = {0};
  size_t n_x = 0;
  hid_t file = vb_results_open(&h5, &index);
  check_run(&h5, file, index, &p);
  read_line(&h5, file, p.y, quantity, row, component, &column.y, &column.n);
  read_line(&h5, file, p.x, quantity, -1, -1, &column.x, &n_x);
  if (!h5.status && n_x != column.n)
    h5.status =
        vb_error_set(error, VB_BAD_INPUT, "%s: \"%s\" is no series: it has %zu rows, not %zu", path,
                     quantity, column.n, n_x);
  vb_h5_release(file);
  if (h5.status) {
    vb_column_free(&column);
    return h5.status;
  }
  *out = column;
  return VB_OK;
}

void vb_column_free(vb_column *column) {
  free(column->x);
  free(column->y);
  *column = (vb_column){0};
}
