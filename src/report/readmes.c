// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/readmes.h"

#include "base/arena.h"
#include "base/home.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/page_parts.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Bytes of a README at most.
#define MOST_README 2000000

/// Bytes of a picture in one at most.
#define MOST_IMAGE 2000000

static vb_status find(const char *home, const char *pattern, vb_readmes *r, vb_error *error) {
  char *all = NULL;
  glob_t found;
  vb_status status = VB_OK;
  if (asprintf(&all, "%s/%s", home, pattern) < 0)
    return vb_error_memory(error);
  if (glob(all, 0, NULL, &found) == 0) {
    for (size_t i = 0; !status && i < found.gl_pathc; i++) {
      char **added = VB_APPEND(r->path, r->n);
      if (added)
        *added = strdup(found.gl_pathv[i] + strlen(home) + 1);
      status = added && *added ? VB_OK : vb_error_memory(error);
    }
    globfree(&found);
  }
  free(all);
  return status;
}

/// The page of a README: "readme-src-render.html" for "src/render/README.md"; of another page of a
/// folder: "readme-scenarios-gates.html" for "scenarios/gates.md".
static void name_page(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/');
  size_t stem = slash ? (size_t)(slash - path) : 0;
  if (strcmp(slash ? slash + 1 : path, "README.md") != 0)
    stem = strlen(path) - strlen(".md");
  int n = snprintf(out, size, "readme%s%.*s.html", stem > 0 ? "-" : "", (int)stem, path);
  for (int i = 0; i < n && i < (int)size; i++)
    if (out[i] == '/')
      out[i] = '-';
}

/// A README that is being written, and all of them.
typedef struct place {
  const vb_readmes *all;
  const char *home, *path;
} place;

/// Takes "." and ".." out of a path, in place.
static void simplify(char *path) {
  char *out = path;
  for (const char *at = path; *at;) {
    size_t n = strcspn(at, "/");
    if (n == 2 && strncmp(at, "..", 2) == 0) {
      while (out > path && *--out != '/')
        continue;
    } else if (n > 0 && !(n == 1 && *at == '.')) {
      if (out > path)
        *out++ = '/';
      memmove(out, at, n);
      out += n;
    }
    at += n + (at[n] == '/');
  }
  *out = '\0';
}

/// The path below the root that a README names.
static void resolve(const place *p, const char *target, char *out, size_t size) {
  const char *slash = strrchr(p->path, '/');
  snprintf(out, size, "%.*s%s%.*s", (int)(slash ? slash - p->path : 0), p->path, slash ? "/" : "",
           (int)strcspn(target, "#"), target);
  simplify(out);
}

/// Writes a picture of the project by its bytes.
static bool put_image(FILE *out, const char *target, const char *words, void *data) {
  static const char *const KINDS[][2] = {{".png", "png"}, {".svg", "svg+xml"}};
  const place *p = data;
  char path[1024], *bytes, *all = NULL;
  const char *dot = strrchr(target, '.'), *kind = NULL;
  size_t size;
  vb_error error;
  for (size_t i = 0; dot && i < sizeof KINDS / sizeof *KINDS; i++)
    if (strcmp(dot, KINDS[i][0]) == 0)
      kind = KINDS[i][1];
  resolve(p, target, path, sizeof path);
  if (!kind || strstr(target, "://") || asprintf(&all, "%s/%s", p->home, path) < 0)
    return false;
  vb_status status = vb_file_read(all, all, MOST_IMAGE, &bytes, &size, &error);
  free(all);
  if (status)
    return false;
  vb_html_print(out, "<img alt=\"%s\" src=\"data:image/%s;base64,", words, kind);
  vb_html_base64(out, (const uint8_t *)bytes, size);
  fputs("\">", out);
  free(bytes);
  return true;
}

/// Links to other READMEs lead to their pages, those to the web stay, and others become text.
static void find_link(const char *target, char *out, size_t size, void *data) {
  const place *p = data;
  char path[1024];
  if (strncmp(target, "https://", 8) == 0) {
    snprintf(out, size, "%s", target);
    return;
  }
  resolve(p, target, path, sizeof path);
  for (size_t i = 0; i < p->all->n; i++)
    if (strcmp(p->all->path[i], path) == 0)
      name_page(path, out, size);
}

static vb_status write_one(const char *home, const vb_site_plan *plan, const vb_readmes *all,
                           size_t i, vb_error *error) {
  char *path = NULL, *text, name[600];
  size_t size;
  vb_output output;
  FILE *out;
  if (asprintf(&path, "%s/%s", home, all->path[i]) < 0)
    return vb_error_memory(error);
  vb_status status = vb_file_read(path, path, MOST_README, &text, &size, error);
  free(path);
  if (status)
    return status;
  name_page(all->path[i], name, sizeof name);
  status = vb_site_begin(plan, name, &output, &out, error);
  if (!status) {
    vb_page_begin(out, all->path[i], NULL, "");
    fputs("<nav aria-label=\"Site\"><a href=\"index.html\">All studies</a></nav>\n"
          "<main id=\"main\">\n",
          out);
    place here = {all, home, all->path[i]};
    status =
        vb_markdown_write(out, text, 1, &(vb_markdown_targets){find_link, put_image, &here}, error);
    fputs("</main>\n", out);
    vb_page_end(out, NULL);
    status = vb_site_end(&output, out, status, error);
  }
  free(text);
  return status;
}

vb_status vb_readmes_write(const vb_site_plan *plan, vb_readmes *out, vb_error *error) {
  static const char *const PATTERNS[] = {"README.md", "*/README.md", "*/*/README.md",
                                         "*/*/*/README.md", "scenarios/[!R]*.md"};
  char home[4096];
  vb_status status = vb_home(home, sizeof home, error);
  for (size_t i = 0; !status && i < sizeof PATTERNS / sizeof *PATTERNS; i++)
    status = find(home, PATTERNS[i], out, error);
  for (size_t i = 0; !status && i < out->n; i++)
    status = write_one(home, plan, out, i, error);
  return status;
}

void vb_readmes_free(vb_readmes *r) {
  for (size_t i = 0; i < r->n; i++)
    free(r->path[i]);
  free(r->path);
  *r = (vb_readmes){0};
}

void vb_readmes_list(FILE *out, const vb_readmes *r) {
  if (r->n == 0)
    return;
  fputs("<section id=\"readmes\">\n<h2>READMEs</h2>\n<ul class=\"list\">\n", out);
  for (size_t i = 0; i < r->n; i++) {
    char name[600];
    name_page(r->path[i], name, sizeof name);
    vb_html_print(out, "<li><a href=\"%s\">%s</a></li>\n", name, r->path[i]);
  }
  fputs("</ul>\n</section>\n", out);
}
