// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markdown.h"

#include "report/html.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

/// What is being written.
typedef struct writing {
  FILE *out;
  int top;
  const vb_markdown_targets *targets;
  int n_images;     ///< that are open, one in the words of the other
  FILE *words;      ///< of the image that is open
  char *words_text; ///< what is in that stream once it is closed
  size_t words_size;
  bool linked; ///< whether the link that is open has an address; links do not nest
} writing;

/// A text of md4c, which does not end with a null character, as one that does; the caller frees.
static char *copy_text(const MD_CHAR *text, MD_SIZE n) {
  return strndup(text ? text : "", n);
}

#define TABLE_BEGINS                                                                               \
  "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n"

/// What blocks begin and end with. Paragraphs in a list without blank lines are none; the heads of
/// a table are rows like others.
static const struct {
  const char *begin, *end;
} MARKS[] = {[MD_BLOCK_QUOTE] = {"<blockquote>\n", "</blockquote>\n"},
             [MD_BLOCK_UL] = {"<ul>\n", "</ul>\n"},
             [MD_BLOCK_OL] = {"<ol>\n", "</ol>\n"},
             [MD_BLOCK_LI] = {"<li>", "</li>\n"},
             [MD_BLOCK_HR] = {"<hr>\n", ""},
             [MD_BLOCK_CODE] = {"<pre tabindex=\"0\"><code>", "</code></pre>\n"},
             [MD_BLOCK_P] = {"<p>", "</p>\n"},
             [MD_BLOCK_TABLE] = {TABLE_BEGINS, "</table></div>\n"},
             [MD_BLOCK_TR] = {"<tr>", "</tr>\n"},
             [MD_BLOCK_TH] = {"<th scope=\"col\">", "</th>"},
             [MD_BLOCK_TD] = {"<td>", "</td>"}};

/// The level of a heading on the page.
static int level_of(const writing *w, const void *detail) {
  int shown = (int)((const MD_BLOCK_H_DETAIL *)detail)->level + w->top - 1;
  return shown < 6 ? shown : 6;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data) {
  const writing *w = data;
  if (type == MD_BLOCK_H)
    fprintf(w->out, "<h%d>", level_of(w, detail));
  else
    fputs(MARKS[type].begin ? MARKS[type].begin : "", w->out);
  return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data) {
  const writing *w = data;
  if (type == MD_BLOCK_H)
    fprintf(w->out, "</h%d>\n", level_of(w, detail));
  else
    fputs(MARKS[type].end ? MARKS[type].end : "", w->out);
  return 0;
}

/// Begins a link; one that leads nowhere is plain text.
static int begin_link(writing *w, const MD_SPAN_A_DETAIL *detail) {
  char *target = copy_text(detail->href.text, detail->href.size), address[512] = "";
  if (!target)
    return -1;
  w->targets->link(target, address, sizeof address, w->targets->data);
  free(target);
  if (address[0])
    vb_html_print(w->out, "<a href=\"%s\">", address);
  w->linked = address[0] != '\0';
  return 0;
}

/// Ends an image: the picture, or its words where there is none.
static int end_image(writing *w, const MD_SPAN_IMG_DETAIL *detail) {
  char *target = copy_text(detail->src.text, detail->src.size);
  bool failed = fclose(w->words) != 0 || !target;
  w->words = NULL;
  if (!failed && !w->targets->image(w->out, target, w->words_text, w->targets->data))
    vb_html_text(w->out, w->words_text);
  free(w->words_text);
  free(target);
  w->words_text = NULL;
  return failed;
}

/// Whether a span is a part of an image's words, which are plain text; counts the images.
static bool is_in_words(writing *w, MD_SPANTYPE type, int change) {
  int before = w->n_images;
  w->n_images += type == MD_SPAN_IMG ? change : 0;
  return before > 0 && w->n_images > 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data) {
  writing *w = data;
  if (is_in_words(w, type, 1))
    return 0;
  switch (type) {
  case MD_SPAN_A:
    return begin_link(w, detail);
  case MD_SPAN_IMG:
    w->words = open_memstream(&w->words_text, &w->words_size);
    return w->words ? 0 : -1;
  case MD_SPAN_EM:
    fputs("<em>", w->out);
    return 0;
  case MD_SPAN_STRONG:
    fputs("<strong>", w->out);
    return 0;
  case MD_SPAN_CODE:
    fputs("<code>", w->out);
    return 0;
  default:
    return 0;
  }
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data) {
  writing *w = data;
  if (is_in_words(w, type, -1))
    return 0;
  switch (type) {
  case MD_SPAN_A:
    fputs(w->linked ? "</a>" : "", w->out);
    return 0;
  case MD_SPAN_IMG:
    return end_image(w, detail);
  case MD_SPAN_EM:
    fputs("</em>", w->out);
    return 0;
  case MD_SPAN_STRONG:
    fputs("</strong>", w->out);
    return 0;
  case MD_SPAN_CODE:
    fputs("</code>", w->out);
    return 0;
  default:
    return 0;
  }
}

static int put_text(MD_TEXTTYPE type, const MD_CHAR *from, MD_SIZE n, void *data) {
  const writing *w = data;
  char *text = copy_text(from, n);
  if (!text)
    return -1;
  if (type == MD_TEXT_BR && !w->words)
    fputs("<br>\n", w->out);
  else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
    fputc('\n', w->words ? w->words : w->out);
  else if (w->words || type == MD_TEXT_ENTITY) // an entity is one in HTML, too
    fputs(text, w->words ? w->words : w->out);
  else
    vb_html_text(w->out, text);
  free(text);
  return 0;
}

vb_status vb_markdown_write(FILE *out, const char *text, int top,
                            const vb_markdown_targets *targets, vb_error *error) {
  static const MD_PARSER PARSER = {.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
                                   .enter_block = enter_block,
                                   .leave_block = leave_block,
                                   .enter_span = enter_span,
                                   .leave_span = leave_span,
                                   .text = put_text};
  writing w = {.out = out, .top = top, .targets = targets};
  int failed = md_parse(text, (MD_SIZE)strlen(text), &PARSER, &w);
  if (w.words)
    fclose(w.words);
  free(w.words_text);
  return failed ? vb_error_memory(error) : VB_OK;
}
