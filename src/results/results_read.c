// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results.h"

#include "results/results_file.h"
#include "results/results_locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Where a quantity and its x are.
typedef struct place {
  char run[256]; ///< of an index, or empty
  char x[300];   ///< below the root of the run
  char y[700];
} place;

static bool find_place(const char *quantity, place *out) {
  size_t prefix = vb_results_prefix(quantity);
  bool unnamed = prefix == 0 && strncmp(quantity, "runs/", 5) == 0;
  if (unnamed || prefix + 1 > sizeof out->run || !quantity[prefix])
    return false;
  snprintf(out->run, sizeof out->run, "%.*s", prefix ? (int)(prefix - strlen("runs//")) : 0,
           quantity + (prefix ? strlen("runs/") : 0));
  quantity += prefix;
  return vb_results_locate_x(quantity, out->x, sizeof out->x) &&
         vb_results_locate(quantity, out->y, sizeof out->y);
}

/// Notes a member's name, for each.
static bool note_member(const char *name, H5L_type_t link, void *data) {
  char *names = data;
  size_t used = strlen(names);
  (void)link;
  snprintf(names + used, 512 - used, "%s%s", used ? ", " : "", name);
  return used < 512 - 2;
}

/// Says what there is beside a dataset that is missing; `path` is below `root`.
static vb_status missing(vb_h5 *h5, hid_t root, const char *quantity, const char *path) {
  char parent[700], names[512] = "";
  bool there = vb_h5_has(h5, root, path);
  if (h5->status)
    return h5->status;
  if (there)
    return vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" is no series: it is no dataset",
                        h5->path, quantity);
  snprintf(parent, sizeof parent, "%s", path);
  hid_t group = -1;
  for (char *slash = strrchr(parent, '/'); group < 0 && slash && !h5->status;
       slash = strrchr(parent, '/')) {
    *slash = '\0';
    group = vb_h5_open_group(h5, root, parent);
  }
  if (group >= 0)
    vb_h5_list_members(h5, group, note_member, names);
  vb_h5_release(group);
  return vb_error_set(h5->error, VB_BAD_INPUT, "%s has no series \"%s\"%s%s%s%s", h5->path,
                      quantity, names[0] ? "; below /" : "", names[0] ? parent : "",
                      names[0] ? " it has " : "", names);
}

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

/// Chooses a line of numbers through a dataset, along its first axis.
static vb_status select_line(vb_h5 *h5, const vb_h5_dataset *d, const char *quantity, int64_t row,
                             int component, vb_h5_block *out) {
  if (d->rank < 1)
    return vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" is no series", h5->path, quantity);
  int wanted = (row >= 0) + (component >= 0);
  if (wanted > d->rank - 1)
    return vb_error_set(h5->error, VB_BAD_INPUT,
                        "%s: \"%s\" has %d axes besides time; leave out row or component", h5->path,
                        quantity, d->rank - 1);
  *out = (vb_h5_block){.count = {d->extent[0], 1, 1}};
  if (d->rank == 1)
    return VB_OK;
  // With one axis only, either name may choose on it.
  if (d->rank == 2)
    return choose(h5, quantity, component >= 0 ? "component" : "row",
                  component >= 0 ? component : row, d->extent[1], &out->start[1]);
  vb_status status = choose(h5, quantity, "row", row, d->extent[1], &out->start[1]);
  return status ? status
                : choose(h5, quantity, "component", component, d->extent[2], &out->start[2]);
}

/// Reads the dataset at `path` below `root`, one number per row; the caller frees `*out`.
static void read_line(vb_h5 *h5, hid_t root, const char *path, const char *quantity, int64_t row,
                      int component, double **out, size_t *n) {
  vb_h5_dataset d;
  vb_h5_block block;
  if (!vb_h5_open_dataset(h5, root, path, &d)) {
    h5->status = h5->status ? h5->status : missing(h5, root, quantity, path);
    return;
  }
  if (d.rank > 0)
    d.extent[0] = vb_results_whole_rows(h5, root, path, d.extent[0]);
  vb_h5_expect(h5, &d, VB_H5_NUMBERS, 0, VB_H5_RANK);
  if (!h5->status)
    h5->status = select_line(h5, &d, quantity, row, component, &block);
  double *values = h5->status ? NULL : vb_h5_new_numbers(h5, &d, &block);
  vb_h5_release(d.id);
  if (h5->status)
    return;
  *out = values;
  *n = block.count[0];
}

/// Opens what quantities are read from: the file of a run, or the run that the name asks for.
static hid_t open_root(vb_h5 *h5, const place *p) {
  bool index = false;
  hid_t file = vb_results_open(h5, &index);
  if (h5->status)
    return -1;
  if (index != (p->run[0] != '\0')) {
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT,
                     index ? "%s is the index of a study; name a quantity as "
                             "\"runs/NAME/quantity\""
                           : "%s is the file of one run; name a quantity without \"runs/\"",
                     h5->path);
    vb_h5_release(file);
    return -1;
  }
  if (!index)
    return file;
  hid_t run = vb_results_open_run(h5, file, p->run);
  vb_h5_release(file);
  return run;
}

vb_status vb_results_column(const char *path, const char *quantity, int64_t row, int component,
                            vb_column *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  place p;
  if (!find_place(quantity, &p))
    return vb_bad_input(error, "\"%s\" is no name of a recorded quantity", quantity);
  vb_column column = {0};
  size_t n_x = 0;
  hid_t root = open_root(&h5, &p);
  read_line(&h5, root, p.y + 1, quantity, row, component, &column.y, &column.n);
  read_line(&h5, root, p.x + 1, p.x + 1, -1, -1, &column.x, &n_x);
  if (!h5.status && n_x != column.n)
    h5.status = vb_bad_input(error, "%s: \"%s\" is no series: it has %zu rows, not %zu", path,
                             quantity, column.n, n_x);
  vb_h5_release(root);
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
