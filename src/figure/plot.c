// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot.h"

#include "base/figure_files.h"
#include "base/file.h"
#include "base/home.h"
#include "base/scratch.h"
#include "figure/gnuplot.h"
#include "figure/paper_size.h"
#include "figure/plot_internal.h"
#include "figure/plot_layout.h"
#include "figure/svg_shorten.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// A script to be run, once for each format.
typedef struct drawing {
  const vb_plot_facts *facts;
  const char *index;  ///< file of the study, or null
  const char *data;   ///< text that the script knows as a file, in place of an index
  const char *script; ///< of the figure
  const char *style;  ///< script read before it
  const char *stem;   ///< path of the pictures without their ending
  vb_plot_files formats;
  double since;                 ///< a picture younger than this and than its scripts is kept
  double paper;                 ///< width for a paper [mm]; 0 for the page
  bool caption;                 ///< whether what is not on paper is told
  bool noting;                  ///< whether it is drawn to note what it has
  bool laid_out;                ///< whether there is a layout
  char folder[VB_SCRATCH_PATH]; ///< with what gnuplot reads and writes; "" as long as there is none
} drawing;

double vb_file_changed(const char *path) {
  struct stat found;
  if (stat(path, &found))
    return -INFINITY;
  return (double)found.st_mtim.tv_sec + 1e-9 * (double)found.st_mtim.tv_nsec;
}

static bool is_up_to_date(const drawing *d, const char *path) {
  double oldest = fmax(d->since, fmax(vb_file_changed(d->script), vb_file_changed(d->style)));
  return vb_file_changed(path) > oldest;
}

static vb_status open_in(const drawing *d, const char *name, FILE **out, vb_error *error) {
  char path[VB_SCRATCH_PATH + 32];
  snprintf(path, sizeof path, "%s/%s", d->folder, name);
  *out = fopen(path, "we");
  return *out ? VB_OK
              : vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(errno));
}

static vb_status close_in(const drawing *d, FILE *file, bool good, vb_error *error) {
  if (fclose(file) == 0 && good)
    return VB_OK;
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot write below %s: %s", d->folder,
                      strerror(errno));
}

/// Writes the data of an index, and what scripts know of them.
static vb_status write_asked(const drawing *d, FILE *definitions, vb_error *error) {
  vb_plot_list list;
  vb_status status = vb_plot_list_read(d->script, &list, error);
  if (status)
    return status;
  status = vb_plot_data_write(d->folder, d->index, d->script, &list, definitions, error);
  vb_plot_list_free(&list);
  return status;
}

/// Writes the data of a script that are one text.
static vb_status write_text(const drawing *d, FILE *definitions, vb_error *error) {
  FILE *file;
  char path[VB_SCRATCH_PATH + 32];
  vb_status status = open_in(d, "text", &file, error);
  if (!status)
    status = close_in(d, file, fputs(d->data, file) >= 0, error);
  snprintf(path, sizeof path, "%s/text", d->folder);
  if (!status && !vb_plot_define(definitions, "file", path))
    status = vb_error_memory(error);
  return status;
}

/// Whether a variable of a script, by its number in prepare, is for the caption on paper.
static bool is_caption(const drawing *d, size_t i) {
  return d->paper > 0 && i >= 2;
}

/// Tells the script the folder of the common style, in which pictures lie that no results make.
static bool define_folder(const char *style, FILE *out) {
  const char *end = strrchr(style, '/');
  char *folder = strndup(style, end ? (size_t)(end - style) : 0);
  bool good = folder && vb_plot_define(out, "plots", folder);
  free(folder);
  return good;
}

/// Makes the folder with all that the script reads.
static vb_status prepare(drawing *d, vb_error *error) {
  FILE *out;
  const vb_plot_facts *facts = d->facts;
  vb_status status = vb_scratch_make(d->folder, error);
  if (!status)
    status = open_in(d, "data.gp", &out, error);
  if (status)
    return status;
  const struct {
    const char *name, *text;
  } variables[] = {{"runs", facts->runs},      {"labels", facts->labels},
                   {"footer", facts->footer},  {"headline", facts->title},
                   {"varied", facts->changed}, {"shared", facts->shared}};
  bool good = true;
  for (size_t i = 0; good && i < sizeof variables / sizeof *variables; i++)
    good = vb_plot_define(out, variables[i].name,
                          variables[i].text && !is_caption(d, i) ? variables[i].text : "");
  good = good && define_folder(d->style, out);
  status = d->data ? write_text(d, out, error) : write_asked(d, out, error);
  vb_error second = {0};
  vb_status closed = close_in(d, out, good, status ? &second : error);
  return status ? status : closed;
}

/// Whether the script went well. A plot whose data are missing is a warning to gnuplot; not here.
static vb_status check_result(const drawing *d, const char *picture, int ended, char *messages,
                              vb_error *error) {
  struct stat made;
  bool good = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
  for (char *c = messages; *c; c++)
    *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
  if (!good || strstr(messages, "no valid points") || strstr(messages, "Cannot find or open file"))
    return vb_error_set(error, VB_FAILED, "%s does not draw %s; gnuplot reports: %.600s", d->script,
                        d->index ? d->index : d->stem, messages[0] ? messages : "(nothing)");
  if (stat(picture, &made) || made.st_size == 0)
    return vb_error_set(error, VB_CANNOT_WRITE, "%s has written nothing to %s", d->script, picture);
  return VB_OK;
}

/// Runs the script; what it draws becomes `picture`, in the folder.
static vb_status draw(const drawing *d, const char *term, const char *picture, vb_error *error) {
  char messages[4096];
  char names[3][VB_SCRATCH_PATH + 32];
  static const char *const NAMES[] = {"data.gp", "format.gp", "paper.gp"};
  int ended = 0;
  FILE *out;
  vb_status status = open_in(d, "format.gp", &out, error);
  if (status)
    return status;
  bool good = vb_plot_define(out, "term", term) && vb_plot_define(out, "output", picture);
  status = close_in(d, out, good, error);
  for (size_t i = 0; i < 3; i++)
    snprintf(names[i], sizeof names[i], "%s/%s", d->folder, NAMES[i]);
  // On paper, a file more: the layout, or at first what notes it.
  const char *on_page[] = {names[0], names[1], d->style, d->script, NULL};
  const char *noting[] = {names[0], names[1], d->style, d->script, names[2], NULL};
  const char *on_paper[] = {names[0], names[1], names[2], d->style, d->script, NULL};
  const char *const *scripts = d->paper <= 0 ? on_page : d->noting ? noting : on_paper;
  if (!status)
    status = vb_gnuplot_run(scripts, d->script, messages, sizeof messages, &ended, error);
  return status ? status : check_result(d, picture, ended, messages, error);
}

/// Draws the page once to see what is on it, and lays that out for the paper.
static vb_status lay_out(drawing *d, vb_error *error) {
  char picture[VB_SCRATCH_PATH + 32], noted[VB_SCRATCH_PATH + 32];
  FILE *out;
  snprintf(picture, sizeof picture, "%s/page", d->folder);
  snprintf(noted, sizeof noted, "%s/noted", d->folder);
  vb_status status = open_in(d, "paper.gp", &out, error);
  if (status)
    return status;
  char *quoted = vb_gnuplot_quote(noted);
  bool good = quoted && fprintf(out, "set print %s\nprint asked\nunset print\n", quoted) > 0;
  free(quoted);
  status = close_in(d, out, good, error);
  d->noting = true;
  if (!status)
    status = draw(d, "svg", picture, error);
  d->noting = false;
  if (!status)
    status = open_in(d, "paper.gp", &out, error);
  if (status)
    return status;
  double high = 0;
  status = vb_plot_layout(noted, picture, d->script, d->paper, &high, out, error);
  if (!status && d->caption && high > VB_PAPER_HEIGHT + 0.5)
    printf("%s: %.0f mm high, more than a page of paper has%s\n", d->stem, high,
           d->paper < 180 ? "; --width 180 has more room" : "");
  vb_error second = {0};
  vb_status closed = close_in(d, out, true, status ? &second : error);
  d->laid_out = true;
  return status ? status : closed;
}

/// Copies a picture out of the folder, which may be on another disk. It gets its name when it is
/// whole.
static vb_status publish(const char *picture, const char *path, vb_error *error) {
  vb_output output;
  const char *why;
  vb_status status = vb_output_begin(path, false, &output, error);
  if (status)
    return status;
  int from = vb_file_open(picture, O_RDONLY, &why);
  int code = from < 0 ? 0 : vb_file_copy(from, output.file);
  if (from < 0 || code)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path,
                          from < 0 ? why : strerror(code));
  if (from >= 0)
    close(from);
  return vb_output_end(&output, status, error);
}

/// Whether a picture is asked for. One that was drawn before must not show other results than the
/// SVG beside it.
static bool is_wanted(const drawing *d, const char *term, const char *path) {
  return d->formats == VB_PLOT_ALL || strcmp(term, "svg") == 0 || access(path, F_OK) == 0;
}

/// Draws the script in one format, unless there is such a picture that is young enough.
static vb_status draw_as(drawing *d, const char *term, vb_error *error) {
  char *path = NULL, picture[VB_SCRATCH_PATH + 32];
  vb_status status = VB_OK;
  if (asprintf(&path, "%s.%s", d->stem, term) < 0)
    return vb_error_memory(error);
  if (is_wanted(d, term, path) && !is_up_to_date(d, path)) {
    if (!d->folder[0])
      status = vb_gnuplot_find(error);
    if (!status && !d->folder[0])
      status = prepare(d, error);
    if (!status && d->paper > 0 && !d->laid_out)
      status = lay_out(d, error);
    snprintf(picture, sizeof picture, "%s/picture", d->folder);
    if (!status)
      status = draw(d, term, picture, error);
    if (!status && strcmp(term, "svg") == 0)
      status = vb_svg_shorten_file(picture, error);
    if (!status && d->paper > 0)
      status = vb_paper_size(picture, term, d->paper, error);
    if (!status)
      status = publish(picture, path, error);
  }
  free(path);
  return status;
}

/// Draws the script in its formats.
static vb_status draw_script(drawing *d, vb_error *error) {
  d->folder[0] = '\0';
  d->laid_out = false;
  vb_status status = draw_as(d, "svg", error);
  if (!status)
    status = draw_as(d, "png", error);
  if (!status)
    status = draw_as(d, "pdf", error);
  if (d->folder[0])
    vb_scratch_remove(d->folder);
  return status;
}

/// The length of an index's path without its ending.
static int stem_length(const char *index) {
  size_t length = strlen(index);
  return (int)(length > 3 && strcmp(index + length - 3, ".h5") == 0 ? length - 3 : length);
}

static vb_status draw_figures(const char *index, const char *home, const char *folder, double since,
                              vb_plot_files formats, double paper, bool caption,
                              const vb_plot_facts *facts, size_t *drawn, vb_error *error) {
  char style[4200];
  vb_plot_scripts found;
  vb_status status = vb_plot_scripts_find(home, folder, facts->figure, index, &found, error);
  if (status)
    return status;
  snprintf(style, sizeof style, "%s/plots/style.gp", home);
  drawing d = {.facts = facts, .index = index, .style = style, .formats = formats, .since = since};
  char width[32] = "";
  d.paper = paper;
  d.caption = caption;
  if (paper > 0)
    snprintf(width, sizeof width, "-%gmm", paper);
  for (size_t i = 0; !status && i < found.n; i++) {
    char *stem = NULL;
    if (asprintf(&stem, "%.*s%s%s", stem_length(index), index, found.scripts[i].suffix, width) < 0)
      stem = NULL;
    d.script = found.scripts[i].path;
    d.stem = stem;
    status = stem ? draw_script(&d, error) : vb_error_memory(error);
    *drawn += !status;
    free(stem);
  }
  vb_plot_scripts_free(&found);
  return status;
}

/// Writes the page, unless it is young enough.
static vb_status write_page(const char *index, const char *home, const char *folder, double since,
                            const vb_plot_facts *facts, vb_error *error) {
  char script[VB_FIGURE_PATH], *path = NULL;
  vb_status status = vb_figure_find_page(home, folder, facts->figure, script, error);
  if (status || !script[0])
    return status;
  if (asprintf(&path, "%.*s.md", stem_length(index), index) < 0)
    return vb_error_memory(error);
  if (!(vb_file_changed(path) > fmax(since, vb_file_changed(script))))
    status = vb_plot_page_write(index, facts, script, path, error);
  free(path);
  return status;
}

/// The figures, and the page that may show them: this needs no gnuplot.
static vb_status draw_all(const char *index, const char *folder, double since,
                          vb_plot_files formats, const vb_plot_facts *facts, size_t *drawn,
                          vb_error *error) {
  char home[4096];
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  status = draw_figures(index, home, folder, since, formats, 0, false, facts, drawn, error);
  if (status && status != VB_UNAVAILABLE)
    return status;
  vb_error second = {0};
  vb_status page = write_page(index, home, folder, since, facts, status ? &second : error);
  return status ? status : page;
}

vb_status vb_plot_index(const char *index, const char *folder, double since, vb_plot_files formats,
                        size_t *drawn, vb_error *error) {
  vb_plot_facts facts;
  vb_status status = vb_plot_facts_read(index, &facts, error);
  if (status)
    return status;
  if (facts.figure[0])
    status = draw_all(index, folder, since, formats, &facts, drawn, error);
  vb_plot_facts_free(&facts);
  return status;
}

/// The text of a figure's page that is not on paper.
static void print_caption(const vb_plot_facts *facts) {
  const char *texts[] = {facts->title, facts->changed, facts->shared, facts->footer};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i] && texts[i][0])
      printf("%s%s\n", i ? "  " : "caption: ", texts[i]);
}

vb_status vb_plot_paper(const char *index, const char *folder, double mm, bool caption,
                        size_t *drawn, vb_error *error) {
  char home[4096];
  vb_plot_facts facts;
  vb_status status = vb_plot_facts_read(index, &facts, error);
  if (status)
    return status;
  status = vb_home(home, sizeof home, error);
  if (!status && facts.figure[0])
    status =
        draw_figures(index, home, folder, INFINITY, VB_PLOT_ALL, mm, caption, &facts, drawn, error);
  if (!status && facts.figure[0] && caption)
    print_caption(&facts);
  vb_plot_facts_free(&facts);
  return status;
}

vb_status vb_plot_text(const char *figure, const char *data, const char *names, const char *labels,
                       const char *title, const char *footer, const char *stem, vb_error *error) {
  char home[4096], style[4200];
  vb_plot_scripts found;
  vb_plot_facts facts = {.runs = (char *)names,
                         .labels = (char *)labels,
                         .title = (char *)title,
                         .footer = (char *)footer};
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = vb_plot_scripts_find(home, NULL, figure, stem, &found, error);
  if (status)
    return status;
  snprintf(style, sizeof style, "%s/plots/style.gp", home);
  drawing d = {.facts = &facts, .data = data, .style = style, .stem = stem, .since = INFINITY};
  d.script = found.scripts[0].path;
  status = draw_script(&d, error);
  vb_plot_scripts_free(&found);
  return status;
}
