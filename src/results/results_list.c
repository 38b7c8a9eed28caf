// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_list.h"

#include "results/results_file.h"
#include "results/results_locate.h"
#include "results/results_meaning.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A listing of one root group.
typedef struct listing {
  vb_h5 *h5;
  hid_t root;
  const char *run; ///< prefix of the paths: a run of an index, or null
  vb_dataset_visit *visit;
  void *context;
} listing;

/// Whether `table` can print what lies there.
static bool is_column(const char *path) {
  return strncmp(path, "run/", 4) == 0 || strncmp(path, "timing/", 7) == 0 ||
         strncmp(path, "convergence/", 12) == 0 || vb_results_is_static(path);
}

/// Finds what an energy or a field is in what the solver said of itself.
static void find_described(const listing *l, const char *path, char *out, size_t size) {
  static const char *const LISTS[] = {"fields", "energies"};
  const char *name = strrchr(path, '/');
  vb_h5_dataset d;
  json_t *said = NULL;
  if (!name || !vb_h5_open_dataset(l->h5, l->root, "solver/description", &d))
    return;
  char *text = d.kind == VB_H5_TEXTS ? vb_h5_new_text(l->h5, &d) : NULL;
  vb_h5_release(d.id);
  said = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  for (size_t i = 0; said && i < 2; i++) {
    json_t *one;
    size_t k;
    json_array_foreach(json_object_get(said, LISTS[i]), k, one) {
      const char *own = json_string_value(json_object_get(one, "name"));
      const char *what = json_string_value(json_object_get(one, "long_name"));
      if (own && what && strcmp(own, name + 1) == 0)
        snprintf(out, size, "%s", what);
    }
  }
  json_decref(said);
}

static bool tell(const char *path, vb_h5_kind kind, void *data) {
  listing *l = data;
  vb_h5_dataset d;
  char name[600], unit[64] = "", what[300] = "";
  bool packed = !l->run && strncmp(path, "runs/", 5) == 0; // a run in the index itself
  if (packed || !is_column(path))
    return true;
  if (kind == VB_H5_OTHER || !vb_h5_open_dataset(l->h5, l->root, path, &d))
    return !l->h5->status;
  // Series lie below "run", which `table` leaves out.
  const char *shown = strncmp(path, "run/", 4) == 0 ? path + 4 : path;
  snprintf(name, sizeof name, "%s%s%s%s", l->run ? "runs/" : "", l->run ? l->run : "",
           l->run ? "/" : "", shown);
  vb_results_unit_of(d.id, path, unit, sizeof unit);
  if (!vb_h5_read_attribute(d.id, "long_name", what, sizeof what))
    snprintf(what, sizeof what, "%s", vb_results_meaning(path));
  if (!what[0])
    find_described(l, path, what, sizeof what);
  vb_dataset_info info = {.path = name, .unit = unit, .what = what, .rank = d.rank};
  for (int k = 0; k < d.rank && k < 3; k++)
    info.extent[k] = (size_t)d.extent[k];
  if (d.rank > 0)
    info.extent[0] = (size_t)vb_results_whole_rows(l->h5, l->root, path, d.extent[0]);
  vb_h5_release(d.id);
  l->visit(&info, l->context);
  return !l->h5->status;
}

vb_status vb_results_list(const char *path, const char *run, vb_dataset_visit *visit, void *context,
                          vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  bool index = false;
  hid_t file = vb_results_open(&h5, &index), group = -1;
  listing l = {&h5, file, NULL, visit, context};
  if (!h5.status)
    vb_h5_list_datasets(&h5, file, "/", tell, &l);
  if (!h5.status && run) {
    group = vb_results_open_run(&h5, file, run);
    listing of_run = {&h5, group, run, visit, context};
    vb_h5_list_datasets(&h5, group, "/", tell, &of_run);
  }
  vb_h5_release(group);
  vb_h5_release(file);
  return h5.status;
}
