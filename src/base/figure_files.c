// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/figure_files.h"

#include "base/home_files.h"
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool vb_figure_is_own(const char *figure) {
  return strncmp(figure, "./", 2) == 0;
}

bool vb_figure_is_valid(const char *figure) {
  char name[VB_RECORDED_NAME_MAX + 1];
  if (!vb_figure_is_own(figure))
    return vb_recorded_name_is_valid(figure);
  if (strlen(figure) > VB_RECORDED_NAME_MAX)
    return false;
  for (const char *at = figure + 2, *end;; at = end + 1) {
    end = strchrnul(at, '/');
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    if (!vb_name_is_valid(name))
      return false;
    if (!*end)
      return true;
  }
}

vb_status vb_figure_find(const char *home, const char *folder, const char *figure,
                         char path[VB_FIGURE_PATH], vb_error *error) {
  vb_home_file file;
  if (!vb_figure_is_valid(figure))
    return vb_bad_input(error, "a figure must be " VB_FIGURE_RULE);
  if (strcmp(figure, "style") == 0)
    return vb_bad_input(error,
                        "there is no figure \"style\"; that name is reserved for the common style");
  if (!vb_figure_is_own(figure)) {
    vb_status status = vb_home_find(home, VB_HOME_FIGURE, figure, &file, error);
    if (!status)
      strcpy(path, file.path);
    return status;
  }
  if (!folder)
    return vb_bad_input(error,
                        "its figure \"%s\" is beside the study's script; draw it by the path of "
                        "the script: viperbench plot PATH.lua",
                        figure);
  int n = snprintf(path, VB_FIGURE_PATH, "%s/%s.gp", folder, figure + 2);
  if (n >= VB_FIGURE_PATH)
    return vb_bad_input(error, "the path of the figure \"%s\" is too long", figure);
  return access(path, R_OK) == 0
             ? VB_OK
             : vb_bad_input(error, "there is no figure \"%s\": %s cannot be read", figure, path);
}

vb_status vb_figure_find_page(const char *home, const char *folder, const char *figure,
                              char path[VB_FIGURE_PATH], vb_error *error) {
  vb_home_file *files;
  size_t n_files;
  path[0] = '\0';
  if (vb_figure_is_own(figure)) {
    int n = folder ? snprintf(path, VB_FIGURE_PATH, "%s/%s.md.lua", folder, figure + 2) : 0;
    if (n >= VB_FIGURE_PATH || access(path, R_OK) != 0)
      path[0] = '\0';
    return VB_OK;
  }
  vb_status status = vb_home_files(home, VB_HOME_PAGE, &files, &n_files, error);
  if (status)
    return status;
  for (size_t i = 0; i < n_files; i++)
    if (strcmp(files[i].name, figure) == 0)
      strcpy(path, files[i].path);
  free(files);
  return VB_OK;
}
