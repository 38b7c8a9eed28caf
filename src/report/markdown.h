// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes Markdown (CommonMark, and the tables of GitHub) as HTML. Markup in it is text.
#ifndef VB_REPORT_MARKDOWN_H
#define VB_REPORT_MARKDOWN_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

/// Tells where a link leads: writes the address to `out`, or "" where it becomes plain text.
typedef void vb_markdown_link(const char *target, char *out, size_t size, void *data);

/// Writes the picture that an image names, which `words` describe, as plain text; false where there
/// is none: the words are written in its place.
typedef bool vb_markdown_image(FILE *out, const char *target, const char *words, void *data);

/// Where links lead, and what images show.
typedef struct vb_markdown_targets {
  vb_markdown_link *link;
  vb_markdown_image *image;
  void *data; ///< is handed to them
} vb_markdown_targets;

/// Writes `text` as HTML. Headings of the first level become those of level `top`. Fails for want
/// of memory.
vb_status vb_markdown_write(FILE *out, const char *text, int top,
                            const vb_markdown_targets *targets, vb_error *error);

#endif
