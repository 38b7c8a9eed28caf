// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/home_files.h"

#include "base/arena.h"
#include "base/names.h"
#include "base/nearest_word.h"

#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How files of a kind are called and where they lie.
typedef struct form {
  const char *noun;
  const char *plural;
  const char *ending;
  const char *folders[3]; ///< of the home; null: none
  const char *hint;       ///< for a message about a name that is like none
} form;

static const form FORMS[] = {
    [VB_HOME_STUDY] = {"study", "studies", ".lua", {"scenarios", "bench"}, "list shows all"},
    [VB_HOME_FIGURE] = {"figure",
                        "figures",
                        ".gp",
                        {"scenarios", "bench", "plots"},
                        "its script is not in scenarios, bench or plots"},
    [VB_HOME_PAGE] = {"page",
                      "pages",
                      ".md.lua",
                      {"scenarios", "bench", "plots"},
                      "its template is not in scenarios, bench or plots"},
};

bool vb_home_is_page(const char *path) {
  size_t n = strlen(path), ending = strlen(FORMS[VB_HOME_PAGE].ending);
  return n > ending && strcmp(path + n - ending, FORMS[VB_HOME_PAGE].ending) == 0;
}

/// Folders below scenarios that hold what studies are made of.
static const char *const PARTS[] = {"lib",         "meshes",   "scenes",
                                    "first_steps", "problems", "entries"};

static bool holds_parts(const char *folder) {
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
    if (strcmp(folder, PARTS[i]) == 0)
      return true;
  return folder[0] == '.';
}

/// A list of files that grows.
typedef struct list {
  vb_home_file *files; ///< (n)
  size_t n;
  const char *only; ///< the name of all of them; null: any
} list;

/// Appends the file at `path`, a path below `home`, where its name has the ending and is valid.
static bool append(const char *home, const char *folder, const form *f, const char *path, list *l) {
  const char *shown = path + strlen(home) + 1, *base = strrchr(path, '/') + 1;
  size_t length = strlen(base), ending = strlen(f->ending);
  char name[sizeof l->files->name];
  if (length <= ending || length - ending >= sizeof name || strlen(path) >= sizeof l->files->path ||
      strcmp(base + length - ending, f->ending) != 0 ||
      (f == &FORMS[VB_HOME_STUDY] && vb_home_is_page(base)))
    return true;
  snprintf(name, sizeof name, "%.*s", (int)(length - ending), base);
  if (!vb_name_is_valid(name) || (l->only && strcmp(name, l->only) != 0))
    return true;
  vb_home_file *added = VB_APPEND(l->files, l->n);
  if (!added)
    return false;
  strcpy(added->name, name);
  strcpy(added->path, path);
  strcpy(added->shown, shown);
  added->folder = folder;
  return true;
}

/// Appends the files below one folder of the home, which may be missing.
static vb_status add_folder(const char *home, const char *folder, const form *f, list *l,
                            vb_error *error) {
  char top[4096];
  char *tops[] = {top, NULL};
  if (snprintf(top, sizeof top, "%s/%s", home, folder) >= (int)sizeof top)
    return vb_bad_input(error, "the path of the home folder is too long");
  FTS *tree = fts_open(tops, FTS_LOGICAL | FTS_NOCHDIR, NULL);
  if (!tree)
    return vb_error_memory(error);
  bool good = true;
  for (FTSENT *entry; good && (entry = fts_read(tree));)
    if (entry->fts_info == FTS_D && entry->fts_level > 0 && holds_parts(entry->fts_name))
      fts_set(tree, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F)
      good = append(home, folder, f, entry->fts_path, l);
  fts_close(tree);
  return good ? VB_OK : vb_error_memory(error);
}

static int by_name(const void *a, const void *b) {
  const vb_home_file *p = a, *q = b;
  int order = strcmp(p->name, q->name);
  return order ? order : strcmp(p->shown, q->shown);
}

/// All files of a form, or those of one name, sorted by name, two of one name, too.
static vb_status collect(const char *home, const form *f, const char *only, list *out,
                         vb_error *error) {
  list l = {.only = only};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < sizeof f->folders / sizeof *f->folders && f->folders[i]; i++)
    status = add_folder(home, f->folders[i], f, &l, error);
  if (status) {
    free(l.files);
    return status;
  }
  if (l.n > 0)
    qsort(l.files, l.n, sizeof *l.files, by_name);
  *out = l;
  return VB_OK;
}

/// VB_BAD_INPUT where file `i` has the name of the next.
static vb_status check_alone(const list *l, const form *f, size_t i, vb_error *error) {
  if (i + 1 >= l->n || strcmp(l->files[i].name, l->files[i + 1].name) != 0)
    return VB_OK;
  return vb_bad_input(error, "two %s are called \"%s\": %.1000s and %.1000s; rename one", f->plural,
                      l->files[i].name, l->files[i].shown, l->files[i + 1].shown);
}

vb_status vb_home_files(const char *home, vb_home_kind kind, vb_home_file **out, size_t *count,
                        vb_error *error) {
  list l;
  vb_status status = collect(home, &FORMS[kind], NULL, &l, error);
  if (status)
    return status;
  for (size_t i = 0; !status && i < l.n; i++)
    status = check_alone(&l, &FORMS[kind], i, error);
  if (status) {
    free(l.files);
    return status;
  }
  *out = l.files;
  *count = l.n;
  return VB_OK;
}

static vb_status not_found(const char *home, const form *f, const char *name, vb_error *error) {
  list l;
  vb_status status = collect(home, f, NULL, &l, error);
  if (status)
    return status;
  const char **names = calloc(l.n + 1, sizeof *names);
  for (size_t i = 0; names && i < l.n; i++)
    names[i] = l.files[i].name;
  const char *nearest = names ? vb_nearest_word(name, names, l.n) : NULL;
  free(names);
  status = nearest ? vb_bad_input(error, "there is no %s \"%.100s\"; did you mean \"%s\"?", f->noun,
                                  name, nearest)
                   : vb_bad_input(error, "there is no %s \"%.100s\"; %s", f->noun, name, f->hint);
  free(l.files);
  return status;
}

vb_status vb_home_find(const char *home, vb_home_kind kind, const char *name, vb_home_file *out,
                       vb_error *error) {
  const form *f = &FORMS[kind];
  list l;
  vb_status status = collect(home, f, name, &l, error);
  if (status)
    return status;
  if (l.n == 0)
    return not_found(home, f, name, error);
  status = check_alone(&l, f, 0, error);
  if (!status)
    *out = l.files[0];
  free(l.files);
  return status;
}
