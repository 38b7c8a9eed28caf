// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include <string.h>

static bool same_facts(const vb_report_study *a, const vb_report_study *b) {
  if (a->n_provenance != b->n_provenance)
    return false;
  for (size_t i = 0; i < a->n_provenance; i++) {
    const char *name = a->provenance[i].name;
    bool passing = strcmp(name, "date") == 0 || strcmp(name, "arguments") == 0;
    if (strcmp(name, b->provenance[i].name) != 0 ||
        (!passing && strcmp(a->provenance[i].text, b->provenance[i].text) != 0))
      return false;
  }
  return true;
}

/// Facts of the first study that has them, and the studies that share them.
static void put_facts(FILE *out, const vb_report_results *r, size_t first) {
  const vb_report_study *s = &r->studies[first];
  fputs("<h3>", out);
  for (size_t i = first; i < r->n_studies; i++)
    if (i == first || same_facts(s, &r->studies[i]))
      vb_html_print(out, "%s%s", i == first ? "" : ", ", r->studies[i].name);
  fputs("</h3>\n<dl>\n", out);
  for (size_t i = 0; i < s->n_provenance; i++)
    vb_html_print(out, "<dt>%s</dt><dd>%s</dd>\n", s->provenance[i].name, s->provenance[i].text);
  fputs("</dl>\n", out);
}

static void put_scenes(FILE *out, const vb_report_study *s) {
  vb_page_table_begin(out, "Scenes", "Run|Scene (SHA-256)|Parameters");
  for (size_t i = 0; i < s->n_runs; i++)
    vb_html_print(out,
                  "<tr><th scope=\"row\">%s</th><td><code>%s</code></td><td><code>%s</code></td>"
                  "</tr>\n",
                  s->runs[i].name, s->runs[i].scene, s->runs[i].parameters);
  vb_page_table_end(out);
}

void vb_page_provenance(FILE *out, const vb_report_results *r) {
  fputs("<section id=\"provenance\">\n<h2>Provenance</h2>\n", out);
  for (size_t i = 0; i < r->n_studies; i++) {
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen = seen || same_facts(&r->studies[k], &r->studies[i]);
    if (!seen)
      put_facts(out, r, i);
  }
  for (size_t i = 0; i < r->n_studies; i++) {
    const vb_report_study *s = &r->studies[i];
    vb_html_print(out, "<details><summary>%s: scenes and script</summary>\n", s->name);
    vb_html_print(out, "<p>From <code>%s</code></p>\n", s->path);
    put_scenes(out, s);
    if (s->script[0])
      vb_html_print(out, "<pre tabindex=\"0\"><code>%s</code></pre>\n", s->script);
    fputs("</details>\n", out);
  }
  fputs("</section>\n", out);
}
