// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "base/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_script(const struct dirent *entry) {
  size_t n = strlen(entry->d_name);
  return n > 3 && strcmp(entry->d_name + n - 3, ".gp") == 0 && vb_name_is_valid(entry->d_name);
}

/// Whether a figure may be called so: by a name, which is not that of the style or of a page.
static bool is_figure(const char *name) {
  size_t n = strlen(name);
  return vb_name_is_valid(name) && strcmp(name, VB_PLOT_STYLE) != 0 &&
         (n < 3 || strcmp(name + n - 3, ".md") != 0);
}

/// What a script's name has behind the figure's: ".gp" for the figure's own, "_profile.gp",
/// ".md.gp" for the page; null where it is not of that figure.
static const char *rest_of(const char *name, const char *figure) {
  size_t n = strlen(figure);
  if (strncmp(name, figure, n) != 0)
    return NULL;
  const char *rest = name + n;
  return rest[0] == '_' || strcmp(rest, ".gp") == 0 || strcmp(rest, ".md.gp") == 0 ? rest : NULL;
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

vb_status vb_plot_scripts_find(const char *home, const char *figure, const char *who,
                               vb_plot_scripts *out, vb_error *error) {
  char folder[4200];
  struct dirent **names;
  vb_plot_scripts list = {0};
  snprintf(folder, sizeof folder, "%s/plots", home);
  int n = scandir(folder, &names, is_script, alphasort);
  if (n < 0)
    return vb_bad_input(error, "cannot read the folder %s: %s", folder, strerror(errno));
  vb_status status = VB_OK;
  bool valid = is_figure(figure);
  // By the alphabet "FIGURE.gp" is before "FIGURE_*.gp"; the page, which may show them, is last.
  for (int page = 0; page < 2; page++)
    for (int i = 0; valid && !status && i < n; i++) {
      const char *rest = rest_of(names[i]->d_name, figure);
      if (rest && (strcmp(rest, ".md.gp") == 0) == page)
        status = append(folder, names[i]->d_name, strlen(figure), &list, error);
    }
  for (int i = 0; i < n; i++)
    free(names[i]);
  free(names);
  if (!status && (list.n == 0 || list.scripts[0].suffix[0]))
    status = valid ? vb_bad_input(error, "%s has the figure \"%s\", which is not a script in %s",
                                  who, figure, folder)
                   : vb_bad_input(error, "%s names an invalid figure, which is not a script in %s",
                                  who, folder);
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
