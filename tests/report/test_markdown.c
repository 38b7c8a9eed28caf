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

static void write_html(const char *markdown) {
  written[0] = '\0';
  FILE *out = fmemopen(written, sizeof written, "w");
  vb_status status =
      vb_markdown_write(out, markdown, 1, &(vb_markdown_targets){link_to, put_picture, NULL}, NULL);
  fclose(out);
  ck_assert_int_eq(status, VB_OK);
}

static void check(const char *markdown, const char *html) {
  write_html(markdown);
  ck_assert_str_eq(written, html);
}

START_TEST(blocks) {
  check("# A `b`\ntext\nmore\n\nnew", "<h1>A <code>b</code></h1>\n<p>text\nmore</p>\n<p>new</p>\n");
  check("- a\n  b\n- c\n", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n");
  check("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n");
  check("    x < y\n\nz", "<pre tabindex=\"0\"><code>x &lt; y\n</code></pre>\n<p>z</p>\n");
  check("- a\n  - b\n\n> c\n\n---\n",
        "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n<blockquote>\n<p>c</p>\n</blockquote>\n"
        "<hr>\n");
  check("", "");
  check("```\n# a\n\n```\nb", "<pre tabindex=\"0\"><code># a\n\n</code></pre>\n<p>b</p>\n");
}
END_TEST

START_TEST(tables) {
  check("| a | `b|c` |\n|---|---|\n| d | **e** |\n",
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n"
        "<tr><th scope=\"col\">a</th><th scope=\"col\"><code>b|c</code></th></tr>\n"
        "<tr><td>d</td><td><strong>e</strong></td></tr>\n</table></div>\n");
}
END_TEST

START_TEST(inline_parts) {
  check("*a* b*c **d**", "<p><em>a</em> b*c <strong>d</strong></p>\n");
  check("[a & `b`](h\"x) [c](d) ![e](f)",
        "<p><a href=\"h&quot;x\">a &amp; <code>b</code></a> c e</p>\n");
  check("![a](p.png) ![b](q.png)", "<p><img alt=\"a\"> b</p>\n");
  check("*a\n[b](h).* **c\nd**", "<p><em>a\n<a href=\"h\">b</a>.</em> <strong>c\nd</strong></p>\n");
  check("*a* *b [c*](h) **d", "<p><em>a</em> *b <a href=\"h\">c*</a> **d</p>\n");
  check("<script>x</script> [a] `b", "<p>&lt;script&gt;x&lt;/script&gt; [a] `b</p>\n");
}
END_TEST

/// Nothing of a text is markup of its own, whatever it looks like.
START_TEST(markup_is_text) {
  check("<b onclick=\"x\">a</b>", "<p>&lt;b onclick=&quot;x&quot;&gt;a&lt;/b&gt;</p>\n");
  check("<script>\nx\n</script>\n", "<p>&lt;script&gt;\nx\n&lt;/script&gt;</p>\n");
  check("<!-- a\n\n# b -->", "<p>&lt;!-- a</p>\n<h1>b --&gt;</h1>\n");
  check("&lt;b&gt; &amp; &nothing; & \\*", "<p>&lt;b&gt; &amp; &nothing; &amp; *</p>\n");
  check("[a](javascript:b)", "<p>a</p>\n");
  check("`<b>`\n\n    <b>\n",
        "<p><code>&lt;b&gt;</code></p>\n<pre tabindex=\"0\"><code>&lt;b&gt;\n</code></pre>\n");
}
END_TEST

/// The parser forgets beginnings and ends of spans where marks lie in the target of a link.
START_TEST(elements_are_balanced) {
  static const char *const TEXTS[] = {"*a [b](c*d) e* ![x*y](z*)", "**a [b](c**d) e** `f`",
                                      "[a *b](h) c* ![d **e](f**)", "![a *b](q.png*) *c"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    int open = 0;
    write_html(TEXTS[i]);
    for (const char *at = written; *at; at++) {
      open += *at == '<' ? (at[1] == '/' ? -1 : 1) : 0;
      ck_assert_msg(open >= 0, "%s", written);
    }
    ck_assert_msg(open == 0, "%s", written);
  }
}
END_TEST

START_TEST(images_have_plain_words) {
  check("![a *b* `c`](p.png)", "<p><img alt=\"a b c\"></p>\n");
  check("![<i> ![x](p.png)](q.png)", "<p>&lt;i&gt; x</p>\n");
  check("[![a](p.png)](h)", "<p><a href=\"h\"><img alt=\"a\"></a></p>\n");
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("markdown");
  tcase_add_test(c, blocks);
  tcase_add_test(c, tables);
  tcase_add_test(c, inline_parts);
  tcase_add_test(c, markup_is_text);
  tcase_add_test(c, elements_are_balanced);
  tcase_add_test(c, images_have_plain_words);
  return c;
}

VB_TEST_MAIN("markdown", all())
