// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/study_files.h"

#include "base/arena.h"
#include "base/names.h"
#include "base/nearest_word.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const FOLDERS[] = {"scenarios", "bench"};

/// Writes the file's name without folder and ending; false where it has not that ending.
static bool base_name(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  size_t n = strlen(base);
  if (n < 5 || n - 4 >= size || strcmp(base + n - 4, ".lua") != 0)
    return false;
  memcpy(out, base, n - 4);
  out[n - 4] = '\0';
  return vb_name_is_valid(out);
}

/// Fills in a file of a folder; false where a path does not fit.
static bool fill(const char *home, const char *folder, const char *name, vb_study_file *out) {
  int a = snprintf(out->name, sizeof out->name, "%s", name);
  int b = snprintf(out->shown, sizeof out->shown, "%s/%s.lua", folder, name);
  int c = snprintf(out->path, sizeof out->path, "%s/%s/%s.lua", home, folder, name);
  return a < (int)sizeof out->name && b < (int)sizeof out->shown && c < (int)sizeof out->path;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const vb_study_file *)a)->name, ((const vb_study_file *)b)->name);
}

/// Appends the scripts of one folder, which may be missing.
static vb_status add_folder(const char *home, const char *folder, vb_study_file **files, size_t *n,
                            vb_error *error) {
  char path[4096], name[sizeof((*files)->name)];
  if (snprintf(path, sizeof path, "%s/%s", home, folder) >= (int)sizeof path)
    return vb_bad_input(error, "the path of the home folder is too long");
  DIR *dir = opendir(path);
  if (!dir)
    return VB_OK;
  vb_status status = VB_OK;
  for (struct dirent *entry; !status && (entry = readdir(dir));) {
    if (!base_name(entry->d_name, name, sizeof name))
      continue;
    vb_study_file *added = VB_APPEND(*files, *n);
    if (!added)
      status = vb_error_memory(error);
    else if (!fill(home, folder, name, added))
      (*n)--;
  }
  closedir(dir);
  return status;
}

vb_status vb_study_files(const char *home, vb_study_file **out, size_t *count, vb_error *error) {
  vb_study_file *files = NULL;
  size_t n = 0;
  for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
    vb_status status = add_folder(home, FOLDERS[i], &files, &n, error);
    if (status) {
      free(files);
      return status;
    }
  }
  if (n > 0)
    qsort(files, n, sizeof *files, by_name);
  *out = files;
  *count = n;
  return VB_OK;
}

static vb_status not_found(const char *home, const char *name, vb_error *error) {
  vb_study_file *files;
  size_t n;
  vb_status status = vb_study_files(home, &files, &n, error);
  if (status)
    return status;
  const char *nearest = NULL;
  const char **names = calloc(n ? n : 1, sizeof *names);
  for (size_t i = 0; names && i < n; i++)
    names[i] = files[i].name;
  if (names)
    nearest = vb_nearest_word(name, names, n);
  status = vb_bad_input(error, "there is no study \"%.100s\"%s%s%s", name,
                        nearest ? "; did you mean \"" : "; list shows all", nearest ? nearest : "",
                        nearest ? "\"?" : "");
  free(names);
  free(files);
  return status;
}

static vb_status find_path(const char *path, vb_study_file *out, vb_error *error) {
  if (strlen(path) >= sizeof out->path)
    return vb_bad_input(error, "the path of the script is longer than %zu bytes",
                        sizeof out->path - 1);
  if (!base_name(path, out->name, sizeof out->name))
    return vb_bad_input(error,
                        "%s: its name must be of letters, digits and . _ + -, at most 100, before "
                        ".lua: results are called after it",
                        path);
  strcpy(out->path, path);
  strcpy(out->shown, path);
  return VB_OK;
}

vb_status vb_study_find(const char *home, const char *name, vb_study_file *out, vb_error *error) {
  size_t n = strlen(name);
  if (n >= 4 && strcmp(name + n - 4, ".lua") == 0)
    return find_path(name, out, error);
  for (size_t i = 0; vb_name_is_valid(name) && i < sizeof FOLDERS / sizeof *FOLDERS; i++)
    if (fill(home, FOLDERS[i], name, out) && access(out->path, F_OK) == 0)
      return VB_OK;
  return not_found(home, name, error);
}
