// SPDX-License-Identifier: GPL-3.0-or-later
/// Studies, figures and templates of pages below the program's home, which are called by name,
/// whatever their folder.
#ifndef VB_BASE_HOME_FILES_H
#define VB_BASE_HOME_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// What is looked for, and where: at any depth below these folders of the home, but in no folder
/// called lib, meshes, scenes or first_steps, which hold what studies are made of, nor in problems
/// and entries.
typedef enum vb_home_kind {
  VB_HOME_STUDY,  ///< NAME.lua in scenarios and bench, but for templates of pages
  VB_HOME_FIGURE, ///< NAME.gp in scenarios, bench and plots
  VB_HOME_PAGE,   ///< NAME.md.lua in scenarios, bench and plots: the template of a page
} vb_home_kind;

/// One of these files.
typedef struct vb_home_file {
  char name[128];     ///< the file's, without folder and ending
  char path[4096];    ///< to open it
  char shown[4096];   ///< how messages call it: its path from the home
  const char *folder; ///< which of the home's folders it lies below: "scenarios"; null: in none
} vb_home_file;

/// Whether a path is that of a page's template, which ends as a study's does, too.
bool vb_home_is_page(const char *path);

/// All files of a kind, sorted by name; the caller frees `*out` with free(). VB_BAD_INPUT where two
/// have one name.
vb_status vb_home_files(const char *home, vb_home_kind kind, vb_home_file **out, size_t *count,
                        vb_error *error);

/// The file of a kind with that name. VB_BAD_INPUT where there is none, with the nearest name that
/// there is, and where there are two.
vb_status vb_home_find(const char *home, vb_home_kind kind, const char *name, vb_home_file *out,
                       vb_error *error);

#endif
