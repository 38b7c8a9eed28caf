// SPDX-License-Identifier: GPL-3.0-or-later
/// Markdown as HTML: the parts that READMEs use, and nothing of them as markup of its own.
#include "report/markdown.h"
#include "test.h"

static char written[4096];

static void link_to(const char *target, char *out, size_t size, void *data) {
  (void)data;
  snprintf(out, size, "%s", target[0] == 'h' ? target : "");
}

/// There is one picture, p.png.
static bool put_picture(FILE *out, const char *target, const char *words, void *data) {
  (void)data;
  bool there = strcmp(target, "p.png") == 0;
  if (there)
    fprintf(out, "<img alt=\"%s\">", words);
  return there;
}

static void check(const char *markdown, const char *html) {
  FILE *out = fmemopen(written, sizeof written, "w");
  vb_markdown_write(out, markdown, 1, &(vb_markdown_targets){link_to, put_picture, NULL});
  fclose(out);
  ck_assert_str_eq(written, html);
}

START_TEST(blocks) {
  check("# A `b`\ntext\nmore\n\nnew", "<h1>A <code>b</code></h1>\n<p>text\nmore</p>\n<p>new</p>\n");
  check("- a\n  b\n- c\n", "<ul>\n<li>a\n  b</li>\n<li>c</li></ul>\n");
  check("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li></ol>\n");
  check("    x < y\n\nz", "<pre tabindex=\"0\"><code>x &lt; y\n</code></pre>\n<p>z</p>\n");
  check("```\n# a\n\n```\nb", "<pre tabindex=\"0\"><code># a\n\n</code></pre>\n<p>b</p>\n");
}
END_TEST

START_TEST(tables) {
  check("| a | `b|c` |\n|---|---|\n| d | **e** |\n",
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n"
        "<tr><th scope=\"col\"> a </th><th scope=\"col\"> <code>b|c</code> </th></tr>\n"
        "<tr><td> d </td><td> <strong>e</strong> </td></tr>\n</table></div>\n");
}
END_TEST

START_TEST(inline_parts) {
  check("*a* b*c **d**", "<p><em>a</em> b*c <strong>d</strong></p>\n");
  check("[a & `b`](h\"x) [c](d) ![e](f)",
        "<p><a href=\"h&quot;x\">a &amp; <code>b</code></a> c e</p>\n");
  check("![a](p.png) ![b](q.png)", "<p><img alt=\"a\"> b</p>\n");
  check("*a\n[b](h).* **c\nd**", "<p><em>a\n<a href=\"h\">b</a>.</em> <strong>c\nd</strong></p>\n");
  check("*a* *b [c*](h) **d", "<p><em>a</em> <em>b [c</em>](h) **d</p>\n");
  check("<script>x</script> [a] `b", "<p>&lt;script&gt;x&lt;/script&gt; [a] `b</p>\n");
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("markdown");
  tcase_add_test(c, blocks);
  tcase_add_test(c, tables);
  tcase_add_test(c, inline_parts);
  return c;
}

VB_TEST_MAIN("markdown", all())
