// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to site.c: the READMEs of the program, and the pages beside that of scenarios/, as
/// pages of a site.
#ifndef VB_REPORT_READMES_H
#define VB_REPORT_READMES_H

#include "base/file.h"
#include "report/site.h"

/// Paths of the READMEs below the program's home: "README.md", "scenarios/README.md".
typedef struct vb_readmes {
  char **path; ///< (n)
  size_t n;
} vb_readmes;

/// Finds all that are there and writes the page of each to the site's folder. VB_CANNOT_WRITE. To
/// be freed by vb_readmes_free, whatever is returned.
vb_status vb_readmes_write(const vb_site_plan *plan, vb_readmes *out, vb_error *error);
void vb_readmes_free(vb_readmes *readmes);

/// Writes links to them.
void vb_readmes_list(FILE *out, const vb_readmes *readmes);

/// Begins and ends a file of a site (site.c). VB_BAD_INPUT where another is in its place.
vb_status vb_site_begin(const vb_site_plan *plan, const char *name, vb_output *output, FILE **out,
                        vb_error *error);
vb_status vb_site_end(vb_output *output, FILE *out, vb_status status, vb_error *error);

#endif
