// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markdown.h"

#include "report/html.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// What is being written, and the element that is open.
typedef struct writing {
  FILE *out;
  int top;
  const vb_markdown_targets *targets;
  const char *open; ///< "p", "ul", "ol", "pre" or "table"; null for none
  bool fenced;      ///< whether the code is between fences
} writing;

static void put_part(const writing *w, const char *from, size_t n) {
  char *text = strndup(from, n);
  vb_html_text(w->out, text);
  free(text);
}

/// Writes text between marks, in which `code` alone is an element.
static void put_simple(const writing *w, const char *from, size_t n) {
  while (n > 0) {
    const char *tick = memchr(from, '`', n), *end = NULL;
    if (tick)
      end = memchr(tick + 1, '`', n - (size_t)(tick - from) - 1);
    size_t plain = end ? (size_t)(tick - from) : n, all = end ? (size_t)(end - from) + 1 : n;
    put_part(w, from, plain);
    if (end) {
      fputs("<code>", w->out);
      put_part(w, tick + 1, (size_t)(end - tick) - 1);
      fputs("</code>", w->out);
    }
    from += all;
    n -= all;
  }
}

/// Writes [text](target) or ![text](target); the number of bytes read, 0 where it is no link.
static size_t put_link(const writing *w, const char *from, size_t n) {
  bool image = *from == '!';
  const char *middle = memmem(from, n, "](", 2), *end;
  char target[512], address[512] = "", words[512];
  if ((image && from[1] != '[') || !middle || middle - from < 2 || middle - from > 500 ||
      !(end = memchr(middle, ')', n - (size_t)(middle - from))) || end - middle > 500)
    return 0;
  snprintf(target, sizeof target, "%.*s", (int)(end - middle - 2), middle + 2);
  snprintf(words, sizeof words, "%.*s", (int)(middle - from - 2), from + 2);
  if (image && w->targets->image(w->out, target, words, w->targets->data))
    return (size_t)(end - from) + 1;
  if (!image)
    w->targets->link(target, address, sizeof address, w->targets->data);
  if (address[0])
    vb_html_print(w->out, "<a href=\"%s\">", address);
  put_simple(w, from + 1 + image, (size_t)(middle - from) - 1 - image);
  if (address[0])
    fputs("</a>", w->out);
  return (size_t)(end - from) + 1;
}

/// Writes `code` as an element; the number of bytes read, or 0.
static size_t put_code_word(const writing *w, const char *from, size_t n) {
  const char *end = n > 2 ? memchr(from + 1, '`', n - 1) : NULL;
  if (!end || end == from + 1)
    return 0;
  fputs("<code>", w->out);
  put_part(w, from + 1, (size_t)(end - from) - 1);
  fputs("</code>", w->out);
  return (size_t)(end - from) + 1;
}

/// Where what a mark begins ends, at the same mark; null where it begins nothing.
static const char *find_end(const char *from, size_t n, const char *mark) {
  size_t length = strlen(mark);
  const char *end = n > 2 * length && memcmp(from, mark, length) == 0 && from[length] != ' '
                        ? memmem(from + length, n - length, mark, length)
                        : NULL;
  return end == from + length ? NULL : end;
}

/// Emphasis that may be open: its element, its marks, and where it ends.
typedef struct emphasis {
  const char *name, *mark, *end;
} emphasis;

/// Begins or ends an emphasis at a mark; the number of bytes read, or 0.
static size_t put_mark(const writing *w, const char *from, size_t n, bool inside, emphasis *e) {
  static const emphasis KINDS[] = {{"strong", "**", NULL}, {"em", "*", NULL}};
  if (e->end) {
    if (e->end != from)
      return 0;
    fprintf(w->out, "</%s>", e->name);
    e->end = NULL;
    return strlen(e->mark);
  }
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS && !inside && !e->end; i++) {
    *e = KINDS[i];
    e->end = find_end(from, n, e->mark);
  }
  if (!e->end)
    return 0;
  fprintf(w->out, "<%s>", e->name);
  return strlen(e->mark);
}

static void put_inline(const writing *w, const char *from, size_t n) {
  emphasis e = {NULL, NULL, NULL};
  for (const char *start = from; n > 0;) {
    size_t read = 0, most = e.end ? (size_t)(e.end - from) : n;
    bool inside = from > start && isalnum((unsigned char)from[-1]); // of a word: 2*3

    if (*from == '`')
      read = put_code_word(w, from, most);
    else if (*from == '*')
      read = put_mark(w, from, n, inside, &e);
    else if (*from == '[' || (*from == '!' && n > 1 && from[1] == '['))
      read = put_link(w, from, most);
    if (!read) {
      read = 1 + (n > 1 ? strcspn(from + 1, "`*[!") : 0);
      read = read < n ? read : n;
      put_part(w, from, read);
    }
    from += read;
    n -= read;
  }
}

static void close_block(writing *w) {
  if (!w->open)
    return;
  if (strcmp(w->open, "ul") == 0 || strcmp(w->open, "ol") == 0)
    fputs("</li>", w->out);
  fprintf(w->out,
          strcmp(w->open, "table") == 0 ? "</%s></div>\n"
          : strcmp(w->open, "pre") == 0 ? "</code></%s>\n"
                                        : "</%s>\n",
          w->open);
  w->open = NULL;
}

/// Begins a block, unless one of that kind is open; whether it began.
static bool open_block(writing *w, const char *name, const char *markup) {
  if (w->open && strcmp(w->open, name) == 0)
    return false;
  close_block(w);
  fputs(markup, w->out);
  w->open = name;
  return true;
}

static void put_heading(writing *w, const char *line, size_t n) {
  size_t level = strspn(line, "#"), skip = level + strspn(line + level, " ");
  int shown = (int)level + w->top - 1;
  close_block(w);
  fprintf(w->out, "<h%d>", shown < 6 ? shown : 6);
  put_inline(w, line + skip, n - skip);
  fprintf(w->out, "</h%d>\n", shown < 6 ? shown : 6);
}

static void put_row(writing *w, const char *line, size_t n) {
  bool first = open_block(w, "table",
                          "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                          "aria-label=\"Table\"><table>\n");
  if (strspn(line, "|-: ") >= n) // the line below the heads
    return;
  fputs("<tr>", w->out);
  for (const char *at = line + 1, *end = line + n; at < end;) {
    const char *bar = at;
    bool code = false;
    while (bar < end && (*bar != '|' || code || bar[-1] == '\\')) {
      code = code != (*bar == '`');
      bar++;
    }
    fputs(first ? "<th scope=\"col\">" : "<td>", w->out);
    put_inline(w, at, (size_t)(bar - at));
    fputs(first ? "</th>" : "</td>", w->out);
    at = bar + 1;
  }
  fputs("</tr>\n", w->out);
}

static void put_item(writing *w, const char *line, size_t n, bool numbered) {
  size_t skip = strcspn(line, " ") + 1;
  const char *name = numbered ? "ol" : "ul";
  if (!open_block(w, name, numbered ? "<ol>\n" : "<ul>\n"))
    fputs("</li>\n", w->out);
  fputs("<li>", w->out);
  put_inline(w, line + skip, n - skip);
}

static void put_code(writing *w, const char *line, size_t n) {
  open_block(w, "pre", "<pre tabindex=\"0\"><code>");
  put_part(w, line, n);
  putc('\n', w->out);
}

static bool is_fence(const char *line, size_t n) {
  return n >= 3 && strncmp(line, "```", 3) == 0;
}

/// Whether a line is an item of a list; of a numbered one where `numbered`.
static bool is_item(const char *line, size_t n, bool numbered) {
  size_t digits = strspn(line, "0123456789");
  return numbered ? digits > 0 && n > digits + 2 && strncmp(line + digits, ". ", 2) == 0
                  : n > 2 && (strncmp(line, "- ", 2) == 0 || strncmp(line, "* ", 2) == 0);
}

static bool in_list(const writing *w) {
  return w->open && (strcmp(w->open, "ul") == 0 || strcmp(w->open, "ol") == 0);
}

static bool is_code(const writing *w, const char *line, size_t n) {
  return n > 4 && strncmp(line, "    ", 4) == 0 && !in_list(w);
}

/// Whether a line goes on with the text of the one above it.
static bool goes_on(const char *line, size_t n) {
  return n > 0 && *line != '#' && *line != '|' && !is_fence(line, n) && !is_item(line, n, false) &&
         !is_item(line, n, true);
}

/// Writes a line, or a paragraph or item of several.
static void put_line(writing *w, const char *line, size_t n) {
  if (is_fence(line, n)) {
    close_block(w);
    w->fenced = !w->fenced;
  } else if (w->fenced) {
    put_code(w, line, n);
  } else if (n == 0) {
    close_block(w);
  } else if (is_code(w, line, n)) {
    put_code(w, line + 4, n - 4);
  } else if (*line == '#') {
    put_heading(w, line, n);
  } else if (*line == '|') {
    put_row(w, line, n);
  } else if (is_item(line, n, false)) {
    put_item(w, line, n, false);
  } else if (is_item(line, n, true)) {
    put_item(w, line, n, true);
  } else {
    if (in_list(w))
      putc(' ', w->out);
    else
      open_block(w, "p", "<p>");
    put_inline(w, line, n);
  }
}

void vb_markdown_write(FILE *out, const char *text, int top, const vb_markdown_targets *targets) {
  writing w = {out, top, targets, NULL, false};
  while (*text) {
    size_t n = strcspn(text, "\n");
    bool more = !w.fenced && !is_code(&w, text, n) &&
                (goes_on(text, n) || is_item(text, n, false) || is_item(text, n, true));
    while (more && text[n] && goes_on(text + n + 1, strcspn(text + n + 1, "\n")))
      n += 1 + strcspn(text + n + 1, "\n");
    put_line(&w, text, n);
    text += n + (text[n] == '\n');
  }
  close_block(&w);
}
