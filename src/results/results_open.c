// SPDX-License-Identifier: GPL-3.0-or-later
/// Opening results files: schema, names, and the runs of an index.
#include "results/results_file.h"

#include "base/figure_files.h"
#include "base/names.h"
#include "base/nearest_word.h"
#include "results/h5_reader.h"
#include "results/results.h"
#include "results/results_locate.h"
#include "results/results_trial.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Names that are being checked.
typedef struct check {
  vb_h5 *h5;
  const char *where; ///< "/scenario/runs"
} check;

static bool check_name(check *c, const char *name) {
  if (vb_recorded_name_is_valid(name))
    return true;
  int shown = (int)strcspn(name, "\n");
  c->h5->status =
      vb_error_set(c->h5->error, VB_BAD_INPUT,
                   "%s: \"%.*s\" in %s is no name; it must be of " VB_NAME_RULE ", at most %d",
                   c->h5->path, shown < 100 ? shown : 100, name, c->where, VB_RECORDED_NAME_MAX);
  return false;
}

static bool check_member(const char *name, H5L_type_t link, void *data) {
  (void)link;
  return check_name(data, name);
}

/// The names of the members of a group, if there is one.
static void check_members(vb_h5 *h5, hid_t file, const char *path) {
  check c = {h5, path};
  hid_t group = vb_h5_open_group(h5, file, path);
  if (group >= 0)
    vb_h5_list_members(h5, group, check_member, &c);
  vb_h5_release(group);
}

/// The names that a dataset holds, if there is one.
static void check_texts(vb_h5 *h5, hid_t file, const char *path) {
  check c = {h5, path};
  vb_h5_dataset d;
  size_t n = 0;
  bool valid = true;
  if (!vb_h5_open_dataset(h5, file, path, &d))
    return;
  char **names = vb_h5_new_texts(h5, &d, &n);
  for (size_t i = 0; i < n; i++) {
    valid = valid && check_name(&c, names[i]);
    free(names[i]);
  }
  free(names);
  vb_h5_release(d.id);
}

/// Places for files that were found sound, by their inode. Another one of the same place takes it.
#define N_VALID ((size_t)1 << 16)

static struct valid_file {
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
  bool index;
} valid[N_VALID];

static struct valid_file *place_of(const struct stat *found) {
  return &valid[found->st_ino % N_VALID];
}

static bool is_same(const struct stat *a, const struct valid_file *b) {
  return a->st_dev == b->device && a->st_ino == b->inode && a->st_size == b->size &&
         a->st_mtim.tv_sec == b->changed.tv_sec && a->st_mtim.tv_nsec == b->changed.tv_nsec;
}

/// A file that was found sound; null where it was not yet.
static const struct valid_file *find_valid(const struct stat *found) {
  const struct valid_file *place = place_of(found);
  return is_same(found, place) ? place : NULL;
}

static void note_valid(const struct stat *found, bool index) {
  *place_of(found) = (struct valid_file){.device = found->st_dev,
                                         .inode = found->st_ino,
                                         .size = found->st_size,
                                         .changed = found->st_mtim,
                                         .index = index};
}

static void check_all_names(vb_h5 *h5, hid_t file) {
  static const char *const LISTS[] = {"/scenario/study", "/scenario/run", "/scenario/runs",
                                      "/scenario/missing", "/scaling/names"};
  static const char *const GROUPS[] = {"/runs", "/bench", "/scaling"};
  char figure[VB_RECORDED_NAME_MAX + 2] = "";
  for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++)
    check_texts(h5, file, LISTS[i]);
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
    check_members(h5, file, GROUPS[i]);
  if (!h5->status && vb_h5_read_attribute(file, "figure", figure, sizeof figure) && figure[0] &&
      !vb_figure_is_valid(figure))
    check_name(&(check){h5, "the attribute figure"}, figure);
  vb_reader_check(h5, file);
}

/// Checks that an open file is one of ours; whether it is an index.
static bool check_schema(vb_h5 *h5, hid_t file) {
  char schema[64] = "", version[32] = "";
  bool ours = vb_h5_read_attribute(file, "schema_name", schema, sizeof schema) &&
              vb_h5_read_attribute(file, "schema_version", version, sizeof version);
  vb_reader_check(h5, file);
  if (h5->status)
    return false;
  bool is_index = strcmp(schema, VB_INDEX_SCHEMA) == 0;
  if (!ours || (!is_index && strcmp(schema, VB_RESULTS_SCHEMA) != 0))
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                              "%s is an HDF5 file, but no results file of this program", h5->path);
  else if (atoi(version) < VB_FIRST_SCHEMA || atoi(version) > atoi(VB_SCHEMA_VERSION))
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s has layout version %s; this program reads %s",
                     h5->path, version, VB_SCHEMA_VERSION);
  return is_index;
}

/// Checks a file that was not looked through yet; whether it is an index.
static bool check_file(vb_h5 *h5, hid_t file) {
  if (vb_results_has_trials())
    vb_results_read_all(h5, file);
  bool is_index = !h5->status && check_schema(h5, file);
  if (!h5->status)
    check_all_names(h5, file);
  return is_index;
}

// Names become parts of paths, and words for other programs: those that no script may give are
// refused here, before anything else of the file is used. A file is opened for each array that is
// read of it, and is looked through once.
hid_t vb_results_open_by(vb_h5 *h5, bool *index, vb_h5_fault *fault) {
  struct stat now;
  bool there = stat(h5->path, &now) == 0, is_index = false;
  const struct valid_file *known = there ? find_valid(&now) : NULL;
  hid_t file = vb_h5_open_file(h5, fault);
  if (known)
    is_index = known->index;
  else if (!h5->status)
    is_index = check_file(h5, file);
  if (h5->status) {
    vb_h5_release(file);
    return -1;
  }
  if (there && !known)
    note_valid(&now, is_index);
  if (index)
    *index = is_index;
  return file;
}

hid_t vb_results_open(vb_h5 *h5, bool *index) {
  return vb_results_open_by(h5, index, NULL);
}

/// Writes the path of file `name` in the folder of the index, which may be opened by a symbolic
/// link. It must be a file of its own there, not another link.
static bool find_beside(const char *index, const char *name, char *out, size_t size) {
  char real[PATH_MAX];
  struct stat found;
  if (strchr(name, '/') || lstat(index, &found) ||
      (S_ISLNK(found.st_mode) && !(index = realpath(index, real))))
    return false;
  const char *slash = strrchr(index, '/');
  int length = slash ? (int)(slash - index) + 1 : 0;
  return (size_t)snprintf(out, size, "%.*s%s", length, index, name) < size &&
         lstat(out, &found) == 0 && S_ISREG(found.st_mode);
}

/// Names of the runs of an index, to look for a near one.
typedef struct run_names {
  const char *wanted;
  char near[VB_RECORDED_NAME_MAX + 1]; ///< or empty
} run_names;

/// Keeps the nearer of the member and what was kept.
static bool keep_nearest(const char *name, H5L_type_t link, void *data) {
  run_names *r = data;
  const char *both[] = {name, r->near[0] ? r->near : NULL};
  const char *near = vb_nearest_word(r->wanted, both, 2);
  (void)link;
  if (near == name)
    snprintf(r->near, sizeof r->near, "%s", name);
  return true;
}

/// VB_BAD_INPUT: there is no such run, with the nearest that there is.
static void refuse_run(vb_h5 *h5, hid_t runs, const char *name) {
  run_names r = {.wanted = name};
  vb_h5_list_members(h5, runs, keep_nearest, &r);
  if (!h5->status)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s has no run \"%.201s\"%s%s%s", h5->path, name,
                     r.near[0] ? "; did you mean \"" : "", r.near, r.near[0] ? "\"?" : "");
}

hid_t vb_results_open_run(vb_h5 *h5, hid_t file, const char *name) {
  char target[VB_RECORDED_NAME_MAX + 64] = "", path[PATH_MAX];
  bool index = false;
  hid_t runs = vb_h5_open_group(h5, file, "/runs"), run = -1;
  if (h5->status)
    return -1;
  if (runs < 0 || !vb_recorded_name_is_valid(name)) {
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s has no run \"%.201s\"", h5->path, name);
  } else if (!vb_h5_link_target(runs, name, target, sizeof target)) {
    if (vb_h5_has_member(runs, name))
      run = vb_h5_open_group(h5, runs, name);
    else
      refuse_run(h5, runs, name);
  } else if (find_beside(h5->path, target, path, sizeof path)) {
    vb_h5 other = {path, VB_BAD_INPUT, h5->error, VB_OK};
    run = vb_results_open(&other, &index);
    h5->status = other.status;
  }
  if (!h5->status && (run < 0 || index)) {
    vb_h5_set_denied(target[0] != '\0');
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its run \"%s\" cannot be opened%s%s%s",
                              h5->path, name, target[0] ? "; it should be the file " : "", target,
                              target[0] ? " in the same folder" : "");
  }
  if (h5->status) {
    vb_h5_release(run);
    run = -1;
  }
  vb_h5_release(runs);
  return run;
}

bool vb_results_open_dataset(vb_h5 *h5, const char *path, vb_h5_dataset *out, hid_t *root,
                             const char **below) {
  char run[VB_RECORDED_NAME_MAX + 1];
  bool index = false;
  const char *rest = path;
  size_t prefix = path[0] == '/' ? vb_results_prefix(path + 1) : 0;
  hid_t base = vb_results_open(h5, &index);
  out->id = -1;
  if (index && prefix > 0) { // "runs/NAME/"
    snprintf(run, sizeof run, "%.*s", (int)(prefix - strlen("runs//")), path + strlen("/runs/"));
    hid_t file = base;
    base = vb_results_open_run(h5, file, run);
    vb_h5_release(file);
    rest = path + 1 + prefix;
  }
  bool there = vb_h5_open_dataset(h5, base, rest, out);
  if (there)
    out->path = path; // for messages
  if (there && root)
    *root = base;
  else
    vb_h5_release(base);
  if (there && below)
    *below = rest;
  return there;
}

hsize_t vb_results_whole_rows(vb_h5 *h5, hid_t root, const char *path, hsize_t n) {
  char parent[700];
  int64_t rows = 0;
  bool found = false;
  snprintf(parent, sizeof parent, "%s", path);
  for (char *slash = strrchr(parent, '/'); !found && slash && slash != parent;
       slash = strrchr(parent, '/')) {
    *slash = '\0';
    hid_t group = vb_h5_open_group(h5, root, parent);
    found = group >= 0 && vb_h5_read_integer(h5, group, VB_ROWS_ATTRIBUTE, &rows);
    vb_h5_release(group);
  }
  if (found && rows < 0 && !h5->status)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                              "%s: its attribute \"" VB_ROWS_ATTRIBUTE
                              "\" says that %lld rows of \"%.200s\" "
                              "count; it must be 0 or more",
                              h5->path, (long long)rows, path);
  return found && rows >= 0 && (hsize_t)rows < n ? (hsize_t)rows : n;
}
