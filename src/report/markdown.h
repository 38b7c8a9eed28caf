// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the Markdown of this project's READMEs as HTML: headings, paragraphs, lists, tables,
/// code, links, emphasis. All else of it is text.
#ifndef VB_REPORT_MARKDOWN_H
#define VB_REPORT_MARKDOWN_H

#include <stdio.h>

/// Tells where a link leads: writes the address to `out`, or "" where it becomes plain text.
typedef void vb_markdown_link(const char *target, char *out, size_t size, void *data);

/// Writes `text` as HTML. Headings of the first level become those of level `top`.
void vb_markdown_write(FILE *out, const char *text, int top, vb_markdown_link *link, void *data);

#endif
