// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "base/figure_files.h"
#include "base/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_script(const struct dirent *entry) {
  size_t n = strlen(entry->d_name);
  return n > 3 && strcmp(entry->d_name + n - 3, ".gp") == 0 && vb_name_is_valid(entry->d_name);
}

/// What a script's name has behind the figure's: ".gp" for the figure's own, or "_profile.gp"; null
/// where it is not of that figure.
static const char *rest_of(const char *name, const char *figure) {
  size_t n = strlen(figure);
  if (strncmp(name, figure, n) != 0)
    return NULL;
  const char *rest = name + n;
  return rest[0] == '_' || strcmp(rest, ".gp") == 0 ? rest : NULL;
}

/// Whether a study lies beside a script under the script's name: then the script is that study's.
static bool is_of_another(const char *folder, const char *script) {
  char *study;
  if (asprintf(&study, "%s/%.*s.lua", folder, (int)(strlen(script) - strlen(".gp")), script) < 0)
    return false;
  bool there = access(study, F_OK) == 0;
  free(study);
  return there;
}

static vb_status append(const char *folder, const char *name, size_t named, vb_plot_scripts *list,
                        vb_error *error) {
  vb_plot_script *s = VB_APPEND(list->scripts, list->n);
  if (!s)
    return vb_error_memory(error);
  s->suffix = strndup(name + named, strlen(name) - named - strlen(".gp"));
  if (asprintf(&s->path, "%s/%s", folder, name) < 0)
    s->path = NULL;
  return s->suffix && s->path ? VB_OK : vb_error_memory(error);
}

vb_status vb_plot_scripts_find(const char *home, const char *folder, const char *figure,
                               const char *who, vb_plot_scripts *out, vb_error *error) {
  char path[VB_FIGURE_PATH];
  struct dirent **names;
  vb_plot_scripts list = {0};
  vb_status status = vb_figure_find(home, folder, figure, path, error);
  if (status)
    return vb_error_prefix(error, "%s", who);
  char *name = strrchr(path, '/'); // ends the folder
  *name++ = '\0';
  name[strlen(name) - strlen(".gp")] = '\0';
  int n = scandir(path, &names, is_script, alphasort);
  if (n < 0)
    return vb_bad_input(error, "cannot read the folder %s: %s", path, strerror(errno));
  for (int i = 0; !status && i < n; i++) { // by the alphabet "FIGURE.gp" is before "FIGURE_*.gp"
    const char *rest = rest_of(names[i]->d_name, name);
    if (rest && (rest[0] == '.' || !is_of_another(path, names[i]->d_name)))
      status = append(path, names[i]->d_name, strlen(name), &list, error);
  }
  for (int i = 0; i < n; i++)
    free(names[i]);
  free(names);
  if (status)
    vb_plot_scripts_free(&list);
  else
    *out = list;
  return status;
}

void vb_plot_scripts_free(vb_plot_scripts *scripts) {
  for (size_t i = 0; i < scripts->n; i++) {
    free(scripts->scripts[i].path);
    free(scripts->scripts[i].suffix);
  }
  free(scripts->scripts);
  *scripts = (vb_plot_scripts){0};
}
