// SPDX-License-Identifier: GPL-3.0-or-later
// Texts by the line. The first byte of an input says which kind: 'l' a file of links, 'b' the bands
// of a study's findings, otherwise Markdown of a page.
#include "fuzz.h"

#include "gate/band_file.h"
#include "mesh/link_file.h"
#include "report/markdown.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_links(const char *path) {
  static vb_link_row rows[VB_LINK_ROWS];
  vb_error error = {0};
  size_t n = 0;
  vb_status status = vb_link_file_read(path, "a.joint", rows, &n, &error);
  fuzz_expect(status, &error);
  if (!status && n > VB_LINK_ROWS)
    __builtin_trap();
  for (size_t i = 0; !status && i < n; i++)
    for (int k = 0; k < 2; k++)
      if (!memchr(rows[i].bone[k], '\0', sizeof rows[i].bone[k]))
        __builtin_trap();
}

/// Reads the bands of two findings, and writes them where they are what they were.
static void read_bands(const char *path) {
  static char one[] = "one", two[] = "two", scale[] = "scale", force[] = "force", reason[] = "r";
  char *both[] = {one, two};
  vb_gate gates[] = {{.name = scale, .runs = both, .n_runs = 1, .finding = true, .reason = reason},
                     {.name = force, .runs = both, .n_runs = 2, .finding = true, .reason = reason}};
  enum { N = sizeof gates / sizeof *gates };
  vb_verdict verdicts[N] = {{.value = 1}, {.value = -1e300}};
  const bool evaluated[N] = {true, true};
  vb_error error = {0};
  vb_status status = vb_bands_read(path, "quick", gates, N, &error);
  fuzz_expect(status, &error);
  const vb_band_source source = {"quick", gates, verdicts, evaluated, N};
  if (!status)
    fuzz_expect(vb_bands_write(path, &source, NULL, &error), &error);
}

static void link_to(const char *target, char *out, size_t size, void *data) {
  (void)data;
  snprintf(out, size, "%s", target[0] == '#' ? target : "");
}

static bool put_image(FILE *out, const char *target, const char *words, void *data) {
  (void)words, (void)data;
  return target[0] == 'y' && fputs("<img>", out) >= 0;
}

/// What is written of it is text: nothing of the input becomes a tag by itself.
static void write_markdown(const char *text) {
  const vb_markdown_targets targets = {link_to, put_image, NULL};
  char *page = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&page, &size);
  if (!out)
    abort();
  vb_status status = vb_markdown_write(out, text, 1, &targets, NULL);
  if (fclose(out) || status)
    abort();
  if (strstr(page, "<script") || strstr(page, "javascript:\""))
    __builtin_trap();
  free(page);
}

static void run(const uint8_t *data, size_t size) {
  char path[FUZZ_PATH];
  if (size == 0)
    return;
  if (data[0] == 'l' || data[0] == 'b') {
    fuzz_write(data[0] == 'l' ? "a.joint" : "a.findings", data + 1, size - 1, path);
    (data[0] == 'l' ? read_links : read_bands)(path);
    return;
  }
  char *text = calloc(size, 1);
  if (!text)
    return;
  memcpy(text, data + 1, size - 1);
  write_markdown(text);
  free(text);
}

const fuzz_target fuzz_texts = {"texts", run, NULL};
