// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the Markdown of this project's READMEs as HTML: headings, paragraphs, lists, tables,
/// code, links, emphasis. All else of it is text.
#ifndef VB_REPORT_MARKDOWN_H
#define VB_REPORT_MARKDOWN_H

#include <stdbool.h>
#include <stdio.h>

/// Tells where a link leads: writes the address to `out`, or "" where it becomes plain text.
typedef void vb_markdown_link(const char *target, char *out, size_t size, void *data);

/// Writes the picture that an image names, which `words` describe; false where there is none: the
/// words are written in its place.
typedef bool vb_markdown_image(FILE *out, const char *target, const char *words, void *data);

/// Where links lead, and what images show.
typedef struct vb_markdown_targets {
  vb_markdown_link *link;
  vb_markdown_image *image;
  void *data; ///< is handed to them
} vb_markdown_targets;

/// Writes `text` as HTML. Headings of the first level become those of level `top`.
void vb_markdown_write(FILE *out, const char *text, int top, const vb_markdown_targets *targets);

#endif
