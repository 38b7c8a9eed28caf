// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markdown.h"

#include "report/html.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

/// Spans that are open at most; those in deeper ones are plain text.
enum { MOST_SPANS = 32 };

/// What is being written.
typedef struct writing {
  FILE *out;
  int top;
  const vb_markdown_targets *targets;
  int n_images;     ///< that are open, one in the words of the other
  FILE *words;      ///< of the image that is open
  char *words_text; ///< what is in that stream once it is closed
  size_t words_size;
  int n_spans; ///< that are open
  struct span {
    MD_SPANTYPE type;
    const char *end; ///< what ends it
  } spans[MOST_SPANS];
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

/// Begins an element in the text.
static int begin_span(writing *w, MD_SPANTYPE type, const char *begin, const char *end) {
  if (w->n_spans == MOST_SPANS)
    return 0;
  w->spans[w->n_spans++] = (struct span){type, end};
  fputs(begin, w->out);
  return 0;
}

/// Ends all spans that are open but the first `n`.
static void end_spans(writing *w, int n) {
  while (w->n_spans > n)
    fputs(w->spans[--w->n_spans].end, w->out);
}

/// Begins a link; one that leads nowhere is plain text.
static int begin_link(writing *w, const MD_SPAN_A_DETAIL *detail) {
  char *target = copy_text(detail->href.text, detail->href.size), address[512] = "";
  if (!target)
    return -1;
  w->targets->link(target, address, sizeof address, w->targets->data);
  free(target);
  bool linked = address[0] && w->n_spans < MOST_SPANS;
  if (linked)
    vb_html_print(w->out, "<a href=\"%s\">", address);
  return begin_span(w, MD_SPAN_A, "", linked ? "</a>" : "");
}

/// Begins an image, whose words are plain text.
static int begin_image(writing *w) {
  if (w->n_images++ == 0)
    w->words = open_memstream(&w->words_text, &w->words_size);
  return w->words ? 0 : -1;
}

/// Ends an image: the picture of that name, or its words where there is none.
static int end_image(writing *w, const MD_ATTRIBUTE *name) {
  char *target = copy_text(name ? name->text : NULL, name ? name->size : 0);
  bool failed = fclose(w->words) != 0 || !target;
  w->words = NULL;
  w->n_images = 0;
  if (!failed && !w->targets->image(w->out, target, w->words_text, w->targets->data))
    vb_html_text(w->out, w->words_text);
  free(w->words_text);
  free(target);
  w->words_text = NULL;
  return failed;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data) {
  const writing *w = data;
  if (type == MD_BLOCK_H)
    fprintf(w->out, "<h%d>", level_of(w, detail));
  else
    fputs(MARKS[type].begin ? MARKS[type].begin : "", w->out);
  return 0;
}

/// Ends a block. md4c 0.4.8 forgets the ends of some spans, as in "*a [b](c*d) e* ![f*g](h*)".
static int leave_block(MD_BLOCKTYPE type, void *detail, void *data) {
  writing *w = data;
  int failed = w->words ? end_image(w, NULL) : 0;
  end_spans(w, 0);
  if (type == MD_BLOCK_H)
    fprintf(w->out, "</h%d>\n", level_of(w, detail));
  else
    fputs(MARKS[type].end ? MARKS[type].end : "", w->out);
  return failed;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data) {
  writing *w = data;
  if (type == MD_SPAN_IMG)
    return begin_image(w);
  if (w->words)
    return 0;
  switch (type) {
  case MD_SPAN_A:
    return begin_link(w, detail);
  case MD_SPAN_EM:
    return begin_span(w, type, "<em>", "</em>");
  case MD_SPAN_STRONG:
    return begin_span(w, type, "<strong>", "</strong>");
  case MD_SPAN_CODE:
    return begin_span(w, type, "<code>", "</code>");
  default:
    return 0;
  }
}

/// Ends a span, and those in it that have no end; one that did not begin has none (see
/// leave_block).
static int leave_span(MD_SPANTYPE type, void *detail, void *data) {
  writing *w = data;
  if (w->words) {
    bool last = type == MD_SPAN_IMG && --w->n_images == 0;
    return last ? end_image(w, &((const MD_SPAN_IMG_DETAIL *)detail)->src) : 0;
  }
  for (int k = w->n_spans - 1; k >= 0; k--)
    if (w->spans[k].type == type) {
      end_spans(w, k);
      break;
    }
  return 0;
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
