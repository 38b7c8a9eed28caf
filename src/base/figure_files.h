// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the script of a study's figure is: one of the program's, called by its name, or the
/// study's own, called by its path from the study's script.
#ifndef VB_BASE_FIGURE_FILES_H
#define VB_BASE_FIGURE_FILES_H

#include "base/status.h"

#include <stdbool.h>

/// Length of a figure's path, its zero included.
#define VB_FIGURE_PATH 4500

/// What a figure must be, for messages.
#define VB_FIGURE_RULE                                                                             \
  "the name of a script in scenarios, bench or plots, or \"./\" and a path from the study's own "  \
  "script, without ending"

/// Whether a text may name a figure: a name, or "./" and names between slashes. It does not lead
/// out of the study's folder.
bool vb_figure_is_valid(const char *figure);

/// Whether that figure is the study's own, "./NAME".
bool vb_figure_is_own(const char *figure);

/// Writes the path of the script of `figure`: NAME.gp below `home` (base/home_files.h), or, of a
/// study's own, NAME.gp from `folder`, that of the study's script. VB_BAD_INPUT where there is no
/// such script, where it is the common style, and where a study's own is looked for
/// and `folder` is null.
vb_status vb_figure_find(const char *home, const char *folder, const char *figure,
                         char path[VB_FIGURE_PATH], vb_error *error);

/// Writes the path of the template of a figure's page, NAME.md.lua, looked for where vb_figure_find
/// looks for the figure; "" where there is none. VB_BAD_INPUT where two pages have one name.
vb_status vb_figure_find_page(const char *home, const char *folder, const char *figure,
                              char path[VB_FIGURE_PATH], vb_error *error);

#endif
