// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/plot.h"

#include "harness/plot_facts.h"
#include "harness/study.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// A picture to be made.
typedef struct picture {
  const vb_plot_facts *facts;
  const char *index;  ///< file of the study
  const char *script; ///< of the figure
  const char *style;  ///< script read before it
  const char *term;   ///< "svg" or "png", or "md" for a page
  const char *part;   ///< name while it is drawn
  double since;       ///< a picture younger than this and than its scripts is kept
} picture;

char *vb_plot_quote(const char *text) {
  // Nothing is expanded between single quotes; a quote itself is joined on between double ones.
  const char *joint = "'.\"'\".'";
  char *out = malloc(strlen(text) * strlen(joint) + 3), *end = out;
  if (!out)
    return NULL;
  *end++ = '\'';
  for (; *text; text++)
    if (*text == '\'')
      end = stpcpy(end, joint);
    else
      *end++ = *text == '\n' ? ' ' : *text;
  *end++ = '\'';
  *end = '\0';
  return out;
}

char *vb_plot_shell_word(const char *text) {
  char *out = malloc(2 * strlen(text) + 1), *end = out;
  if (!out)
    return NULL;
  for (; *text; text++) {
    if (!isalnum((unsigned char)*text) && !strchr("/._-+", *text) && !(*text & 0x80))
      *end++ = '\\';
    *end++ = *text;
  }
  *end = '\0';
  return out;
}

/// Appends "name='value'; " to the commands.
static bool define(FILE *out, const char *name, const char *value, bool for_shell) {
  char *word = for_shell ? vb_plot_shell_word(value) : strdup(value);
  char *quoted = word ? vb_plot_quote(word) : NULL;
  bool good = quoted && fprintf(out, "%s=%s; ", name, quoted) > 0;
  free(quoted);
  free(word);
  return good;
}

/// The definitions that a script starts with; the caller frees; null for want of memory.
static char *definitions(const picture *p) {
  char *text = NULL, program[4096];
  size_t size = 0;
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  bool good = define(out, "vb", program, true) && define(out, "file", p->index, true) &&
              define(out, "runs", p->facts->runs ? p->facts->runs : "", false) &&
              define(out, "labels", p->facts->labels ? p->facts->labels : "", false) &&
              define(out, "footer", p->facts->footer, false) &&
              define(out, "term", p->term, false) && define(out, "output", p->part, false);
  if (fclose(out) || !good) {
    free(text);
    return NULL;
  }
  return text;
}

/// Reads all of `from`, keeping what fits.
static void drain(int from, char *out, size_t size) {
  char buffer[512];
  size_t used = 0;
  for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
    for (ssize_t i = 0; i < n && used + 1 < size; i++)
      out[used++] = buffer[i];
  out[used] = '\0';
}

/// Starts gnuplot with its messages going to a pipe; an errno value on failure.
static int start(char *const *arguments, const int pipe_ends[2], pid_t *child) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code)
    return code;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Runs gnuplot; its messages go to `said`, its wait status to `*ended`.
static vb_status gnuplot(char *const *arguments, char *said, size_t size, int *ended,
                         vb_error *error) {
  int ends[2];
  pid_t child;
  if (pipe2(ends, O_CLOEXEC))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start gnuplot: %s", strerror(errno));
  int code = start(arguments, ends, &child);
  close(ends[1]);
  if (!code)
    drain(ends[0], said, size);
  close(ends[0]);
  if (code == ENOENT)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "gnuplot is not installed; figures need it (package gnuplot-nox)");
  if (code)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start gnuplot: %s", strerror(code));
  while (waitpid(child, ended, 0) < 0 && errno == EINTR)
    continue;
  return VB_OK;
}

/// Whether the script went well. A plot whose data are missing is a warning to gnuplot; not here.
static vb_status judge(const picture *p, int ended, const char *said, vb_error *error) {
  struct stat made;
  bool good = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
  if (!good || strstr(said, "no valid points") || strstr(said, "viperbench: "))
    return vb_error_set(error, VB_FAILED, "%s does not draw %s: gnuplot says: %.600s", p->script,
                        p->index, said[0] ? said : "(nothing)");
  if (stat(p->part, &made) || made.st_size == 0)
    return vb_error_set(error, VB_CANNOT_WRITE, "%s could not be written", p->part);
  return VB_OK;
}

static vb_status draw(const picture *p, vb_error *error) {
  char said[4096] = "";
  int ended = 0;
  int file = open(p->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", p->part, strerror(errno));
  close(file);
  char *commands = definitions(p);
  if (!commands)
    return vb_error_memory(error);
  char *arguments[] = {"gnuplot", "-e", commands, (char *)p->style, (char *)p->script, NULL};
  vb_status status = gnuplot(arguments, said, sizeof said, &ended, error);
  free(commands);
  return status ? status : judge(p, ended, said, error);
}

double vb_file_changed(const char *path) {
  struct stat found;
  if (stat(path, &found))
    return -INFINITY;
  return (double)found.st_mtim.tv_sec + 1e-9 * (double)found.st_mtim.tv_nsec;
}

static bool is_current(const picture *p, const char *path) {
  double oldest = fmax(p->since, fmax(vb_file_changed(p->script), vb_file_changed(p->style)));
  return vb_file_changed(path) > oldest;
}

/// Draws one script in one format to `stem`.`term`.
static vb_status draw_to(picture *p, const char *stem, vb_error *error) {
  char *path = NULL, *part = NULL;
  vb_status status = VB_OK;
  if (asprintf(&path, "%s.%s", stem, p->term) < 0)
    path = NULL;
  if (!path || asprintf(&part, "%s.part", path) < 0)
    part = NULL;
  p->part = part;
  if (!part)
    status = vb_error_memory(error);
  bool due = !status && !is_current(p, path);
  if (due)
    status = draw(p, error);
  if (due && !status && rename(part, path))
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot rename %s: %s", part, strerror(errno));
  if (due && status)
    unlink(part);
  free(part);
  free(path);
  return status;
}

/// Draws one script, both ways. `suffix` ("" or "_profile") is added to the study's name.
static vb_status draw_script(picture *p, const char *suffix, vb_error *error) {
  char *stem = NULL;
  size_t length = strlen(p->index);
  if (length > 3 && strcmp(p->index + length - 3, ".h5") == 0)
    length -= 3;
  if (asprintf(&stem, "%.*s%s", (int)length, p->index, suffix) < 0)
    return vb_error_memory(error);
  p->term = "svg";
  vb_status status = draw_to(p, stem, error);
  p->term = "png";
  if (!status)
    status = draw_to(p, stem, error);
  free(stem);
  return status;
}

/// Draws the scripts that the pattern finds; the part of a name after `named` letters is the
/// suffix.
static vb_status draw_all(picture *p, const char *pattern, size_t named, size_t *drawn,
                          vb_error *error) {
  glob_t found;
  vb_status status = VB_OK;
  if (glob(pattern, 0, NULL, &found))
    return VB_OK;
  for (size_t i = 0; !status && i < found.gl_pathc; i++) {
    char suffix[256];
    p->script = found.gl_pathv[i];
    snprintf(suffix, sizeof suffix, "%.*s", (int)(strlen(p->script) - strlen(".gp") - named),
             p->script + named);
    status = draw_script(p, suffix, error);
    *drawn += !status;
  }
  globfree(&found);
  return status;
}

/// Writes the page of a figure, where it has one.
static vb_status draw_page(const picture *figure, const char *base, vb_error *error) {
  char script[5200];
  picture page = *figure;
  size_t length = strlen(page.index);
  if (length > 3 && strcmp(page.index + length - 3, ".h5") == 0)
    length -= 3;
  snprintf(script, sizeof script, "%s.md.gp", base);
  if (access(script, F_OK))
    return VB_OK;
  char *stem = strndup(page.index, length);
  page.script = script;
  page.term = "md";
  vb_status status = stem ? draw_to(&page, stem, error) : vb_error_memory(error);
  free(stem);
  return status;
}

static vb_status draw_figures(const char *index, double since, const vb_plot_facts *facts,
                              size_t *drawn, vb_error *error) {
  char home[4096], base[5000], pattern[5100], style[4200];
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  snprintf(style, sizeof style, "%s/plots/style.gp", home);
  snprintf(base, sizeof base, "%s/plots/%s", home, facts->figure);
  picture p = {.facts = facts, .index = index, .style = style, .since = since};
  size_t before = *drawn;
  snprintf(pattern, sizeof pattern, "%s.gp", base);
  status = draw_all(&p, pattern, strlen(base), drawn, error);
  snprintf(pattern, sizeof pattern, "%s_*.gp", base);
  if (!status)
    status = draw_all(&p, pattern, strlen(base), drawn, error);
  if (!status)
    status = draw_page(&p, base, error);
  if (!status && *drawn == before)
    status = vb_error_set(error, VB_BAD_INPUT, "the figure of %s is missing: there is no %s.gp",
                          index, base);
  return status;
}

vb_status vb_plot_index(const char *index, double since, size_t *drawn, vb_error *error) {
  vb_plot_facts facts;
  vb_status status = vb_plot_facts_read(index, &facts, error);
  if (status)
    return status;
  if (facts.figure[0])
    status = draw_figures(index, since, &facts, drawn, error);
  vb_plot_facts_free(&facts);
  return status;
}

vb_status vb_plot_data(const char *script, const char *data, const char *names, const char *labels,
                       const char *footer, const char *stem, vb_error *error) {
  char home[4096], path[4300], style[4200];
  vb_plot_facts facts = {.runs = (char *)names, .labels = (char *)labels, .footer = (char *)footer};
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  snprintf(style, sizeof style, "%s/plots/style.gp", home);
  snprintf(path, sizeof path, "%s/plots/%.100s.gp", home, script);
  picture p = {.facts = &facts, .index = data, .style = style, .script = path, .since = INFINITY};
  p.term = "svg";
  status = draw_to(&p, stem, error);
  p.term = "png";
  return status ? status : draw_to(&p, stem, error);
}
