// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page.h"

#include "base/output_policy.h"
#include "base/version.h"
#include "report/assets.h"
#include "report/page_parts.h"

#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

/// A source of a Content-Security-Policy: the hash of what may be in the page.
static void put_hash(FILE *out, const vb_asset *parts) {
  SHA2_CTX hash;
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Init(&hash);
  for (; parts->begin; parts++)
    SHA256Update(&hash, (const uint8_t *)parts->begin, (size_t)(parts->end - parts->begin));
  SHA256Final(digest, &hash);
  fputs("'sha256-", out);
  vb_html_base64(out, digest, sizeof digest);
  putc('\'', out);
}

static void put_asset(FILE *out, const vb_asset *asset) {
  fwrite(asset->begin, 1, (size_t)(asset->end - asset->begin), out);
}

void vb_page_begin(FILE *out, const char *title, const vb_asset *script, const char *sources) {
  const vb_asset style[] = {vb_asset_style, {0}};
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" VB_MARK_HTML
        " " VB_VERSION
        "\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "img-src data: blob: 'self'; base-uri 'none'; form-action 'none'; style-src ",
        out);
  put_hash(out, style);
  if (script) {
    fputs("; script-src ", out);
    put_hash(out, script);
    fputs(sources, out);
  }
  vb_html_print(out,
                "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>",
                title);
  put_asset(out, &vb_asset_style);
  fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
        out);
}

void vb_page_end(FILE *out, const vb_asset *script) {
  if (script)
    fputs("<script type=\"module\">", out);
  for (const vb_asset *a = script; a && a->begin; a++)
    put_asset(out, a);
  if (script)
    fputs("</script>\n", out);
  fputs("</body>\n</html>\n", out);
}

void vb_page_table_begin(FILE *out, const char *caption, const char *columns) {
  vb_html_print(out,
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
                "<table>\n<caption>%s</caption>\n<thead><tr>",
                caption, caption);
  for (const char *at = columns; *at;) {
    size_t length = strcspn(at, "|");
    bool number = *at == '#';
    fprintf(out, "<th scope=\"col\"%s>%.*s</th>", number ? " class=\"n\"" : "",
            (int)length - number, at + number);
    at += length + (at[length] == '|');
  }
  fputs("</tr></thead>\n<tbody>\n", out);
}

void vb_page_table_end(FILE *out) {
  fputs("</tbody>\n</table></div>\n", out);
}

void vb_page_cell(FILE *out, double value, int digits) {
  fputs("<td class=\"n\">", out);
  vb_html_number(out, value, digits);
  fputs("</td>", out);
}

void vb_page_mark(FILE *out, const char *kind, const char *word) {
  vb_html_print(out, "<span class=\"mark %s\">%s</span>", kind, word);
}

/// Room for the head, the conclusion and the player's own markup, in bytes.
#define HEAD_SIZE 20000

/// Bytes of style and script.
static size_t assets_size(void) {
  size_t sum = (size_t)(vb_asset_style.end - vb_asset_style.begin);
  for (const vb_asset *a = vb_asset_player; a->begin; a++)
    sum += (size_t)(a->end - a->begin);
  return sum;
}

static void put_contents(FILE *out, const vb_page *page) {
  const vb_report_results *r = page->results;
  fputs("<nav aria-label=\"Contents\"><ul>\n", out);
  if (page->index)
    vb_html_print(out, "<li><a href=\"%s\">All studies</a></li>\n", page->index);
  fputs("<li><a href=\"#conclusion\">Conclusion</a></li>\n", out);
  if (!page->plain)
    fputs("<li><a href=\"#motion\">Motion</a></li>\n", out);
  for (size_t i = 0; i < r->n_studies; i++) {
    fputs("<li><a href=\"#study-", out);
    vb_html_anchor(out, r->studies[i].name);
    vb_html_print(out, "\">%s</a></li>\n", r->studies[i].name);
  }
  if (page->compared)
    fputs("<li><a href=\"#comparison\">Comparison</a></li>\n", out);
  if (page->history)
    fputs("<li><a href=\"#history\">History</a></li>\n", out);
  fputs("<li><a href=\"#provenance\">Provenance</a></li>\n</ul></nav>\n", out);
}

vb_status vb_page_write(FILE *out, const vb_page *page, vb_error *error) {
  const vb_asset *script = page->plain ? NULL : vb_asset_player;
  vb_page_begin(out, page->title, script, "");
  vb_html_print(out, "<header><h1>%s</h1></header>\n", page->title);
  put_contents(out, page);
  fputs("<main id=\"main\">\n", out);
  vb_page_conclusion(out, page);
  vb_status status = VB_OK;
  // What follows the player is small beside it but for the figures; it is written first to know.
  char *rest = NULL;
  size_t size = 0;
  FILE *behind = open_memstream(&rest, &size);
  if (!behind)
    return vb_error_memory(error);
  status = vb_page_studies(behind, page, error);
  if (!status && page->compared)
    vb_page_comparison(behind, page->compared);
  if (!status && page->history)
    status = vb_page_history(behind, page->history, error);
  if (!status)
    vb_page_provenance(behind, page->results);
  if (fclose(behind) && !status)
    status = vb_error_memory(error);
  size_t used = size + assets_size() + HEAD_SIZE;
  if (!status && !page->plain)
    status =
        vb_page_player(out, page, page->most_bytes > used ? page->most_bytes - used : 0, error);
  if (!status)
    fwrite(rest, 1, size, out);
  free(rest);
  fputs("</main>\n", out);
  vb_page_end(out, script);
  if (!status && (fflush(out) || ferror(out)))
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write the page: %s", strerror(errno));
  return status;
}
