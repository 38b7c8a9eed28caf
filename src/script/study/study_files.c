// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/study_files.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

static vb_status find_path(const char *path, vb_home_file *out, vb_error *error) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  size_t n = strlen(base) - strlen(".lua");
  if (strlen(path) >= sizeof out->path)
    return vb_bad_input(error, "the path of the script is longer than %zu bytes",
                        sizeof out->path - 1);
  if (vb_home_is_page(path))
    return vb_bad_input(
        error, "%s is the template of a page, not a study; \"plot\" writes its page", path);
  *out = (vb_home_file){0};
  snprintf(out->name, sizeof out->name, "%.*s", (int)(n < sizeof out->name ? n : 0), base);
  if (!vb_name_is_valid(out->name))
    return vb_bad_input(error,
                        "%s: its name must be of letters, digits and . _ + -, at most 100, before "
                        ".lua, because results are named after it",
                        path);
  strcpy(out->path, path);
  strcpy(out->shown, path);
  return VB_OK;
}

vb_status vb_study_find(const char *home, const char *name, vb_home_file *out, vb_error *error) {
  size_t n = strlen(name);
  if (n >= 4 && strcmp(name + n - 4, ".lua") == 0)
    return find_path(name, out, error);
  return vb_home_find(home, VB_HOME_STUDY, name, out, error);
}
