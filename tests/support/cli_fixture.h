// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs the program as its users do, in a home of its own.
#ifndef VB_TESTS_SUPPORT_CLI_FIXTURE_H
#define VB_TESTS_SUPPORT_CLI_FIXTURE_H

#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static char output[1 << 20], error_output[65536];

static inline const char *program(void) {
  const char *path = getenv("VB_PROGRAM");
  return path ? path : "bin/viperbench";
}

static inline void write_file(const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static inline void read_file(const char *name, char *out, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  out[fread(out, 1, size - 1, file)] = '\0';
  fclose(file);
}

static inline bool exists(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

/// Copies the style into the home of the test.
static inline void copy_style(void) {
  char text[65536];
  FILE *file = fopen("plots/style.gp", "r");
  ck_assert_msg(file != NULL, "tests run in the root of the repository");
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  write_file("plots/style.gp", text);
}

/// A home of its own for the program: empty folders and the style of figures.
static inline void make_home(void) {
  char path[128];
  const char *folders[] = {"scenarios", "bench", "plots"};
  strcpy(folder, "/tmp/vb_cli_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  for (size_t i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
    ck_assert_int_eq(mkdir(path, 0777), 0);
  }
  copy_style();
  setenv("VIPERBENCH_HOME", folder, 1);
}

static inline void remove_home(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}

/// Starts the program with words separated by spaces; "@" stands for the folder of the test. What
/// it prints goes to NAME.out and NAME.err there.
static inline pid_t start_as(const char *words, const char *name) {
  char line[2048] = "", out[128], err[128], *arguments[32] = {(char *)program()};
  pid_t child;
  size_t n = 1, used = 0;
  for (const char *c = words; *c && used < sizeof line - sizeof folder; c++)
    if (*c == '@')
      used = (size_t)(stpcpy(line + used, folder) - line);
    else
      line[used++] = *c;
  for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
    arguments[n++] = word;
  snprintf(out, sizeof out, "%s/%s.out", folder, name);
  snprintf(err, sizeof err, "%s/%s.err", folder, name);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int code = posix_spawn(&child, program(), &actions, NULL, arguments, environ);
  ck_assert_msg(code == 0, "cannot start %s: %s", program(), strerror(code));
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

static inline pid_t start(const char *words) {
  return start_as(words, "program");
}

/// The exit code; what was printed is in `said` and `complained`.
static inline int finish_as(pid_t child, const char *name) {
  int ended;
  char file[80];
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  snprintf(file, sizeof file, "%s.out", name);
  read_file(file, output, sizeof output);
  snprintf(file, sizeof file, "%s.err", name);
  read_file(file, error_output, sizeof error_output);
  ck_assert_msg(WIFEXITED(ended), "ended by signal %d: %s", WTERMSIG(ended), error_output);
  return WEXITSTATUS(ended);
}

static inline int finish(pid_t child) {
  return finish_as(child, "program");
}

/// Of the words in pictures.
#define FONT "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

/// Whether figures can be drawn here.
static inline bool has_gnuplot(void) {
  return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

/// The beginning of a test about figures.
#define NEEDS_GNUPLOT                                                                              \
  if (!has_gnuplot()) {                                                                            \
    vb_skip("gnuplot", "figures need it");                                                         \
    return;                                                                                        \
  }

/// What was complained of but for the lack of gnuplot and of the font, where these are lacking.
static inline const char *other_complaints(void) {
  static const char no_gnuplot[] =
      "viperbench: gnuplot is not installed; figures need it (package gnuplot-nox)\n";
  static const char no_font[] =
      "viperbench: fonts-dejavu-core is not installed; the legend has no text\n";
  const char *rest = error_output;
  for (const char *before = NULL; before != rest;) {
    before = rest;
    if (strncmp(rest, no_gnuplot, sizeof no_gnuplot - 1) == 0 && !has_gnuplot())
      rest += sizeof no_gnuplot - 1;
    if (strncmp(rest, no_font, sizeof no_font - 1) == 0 && access(FONT, R_OK) != 0)
      rest += sizeof no_font - 1;
  }
  return rest;
}

static inline void expect(const char *words, int code, const char *complaint) {
  int got = finish(start(words));
  ck_assert_msg(got == code, "\"%s\": exit code %d, not %d: %s%s", words, got, code, output,
                error_output);
  ck_assert_msg(strstr(error_output, complaint) != NULL, "\"%s\": \"%s\" lacks \"%s\"", words,
                error_output, complaint);
  if (!complaint[0])
    ck_assert_str_eq(other_complaints(), "");
}

/// Lines have at most that many columns and end without blanks.
static inline void check_lines(char *text, size_t most) {
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    size_t length = strlen(line);
    ck_assert_msg(length <= most && line[length - 1] != ' ', "%zu columns: \"%s\"", length, line);
  }
}

/// The last line of a text that ends with a newline.
static inline const char *last_line(const char *text) {
  size_t n = strlen(text);
  ck_assert_uint_gt(n, 0);
  for (n--; n > 0 && text[n - 1] != '\n';)
    n--;
  return text + n;
}

#endif
