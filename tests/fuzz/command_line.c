// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines, a word a line. What only reads is also done, in a folder of its own, which has the
// results of one small study.
#include "fuzz.h"
#include "small_studies.h"

#include "cli/cli.h"

#include <argp.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Takes the place of the C library's, which prints help and ends the program.
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input) {
  static __typeof__(argp_parse) *library;
  if (!library)
    *(void **)&library = dlsym(RTLD_NEXT, "argp_parse");
  return library(argp, argc, argv, flags | ARGP_SILENT, index, input);
}

/// Verbs that write nothing but what --out names.
static bool is_harmless(const char *verb) {
  static const char *const harmless[] = {"info",   "table",    "outline", "surface",
                                         "render", "distance", "compare"};
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (strcmp(verb, harmless[i]) == 0)
      return true;
  return false;
}

/// What costs much time and is refused nowhere: large pictures, other programs, figures.
static bool is_dear(const vb_cli *cli) {
  static const char *const dear[] = {"launch", "figure", "set"};
  for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
    if (vb_cli_find(cli, dear[i]))
      return true;
  for (size_t i = 0; i < cli->n_given; i++)
    if (strcmp(cli->given[i].name, "size") == 0 && strlen(cli->given[i].text) > 5)
      return true;
  return false;
}

/// Whether all that is read and written lies in the folder at work.
static bool stays_here(const vb_cli *cli) {
  bool here = true;
  for (size_t i = 0; i < cli->n_given; i++)
    if (strcmp(cli->given[i].name, "out") == 0)
      here = here && !strchr(cli->given[i].text, '/') && strlen(cli->given[i].text) < 100;
  for (size_t i = 0; i < cli->n_arguments; i++)
    here = here && cli->arguments[i][0] != '/' && !strstr(cli->arguments[i], "..");
  return here;
}

enum { MOST_WORDS = 24 };

static void run(const uint8_t *data, size_t size) {
  char *arguments[MOST_WORDS + 1] = {"viperbench"}, home[4096];
  char *text = malloc(size + 1);
  int n = 1;
  vb_cli cli;
  vb_error error = {0};
  if (!text || !getcwd(home, sizeof home))
    abort();
  memcpy(text, data, size);
  text[size] = '\0';
  for (char *rest = text, *word; n < MOST_WORDS && (word = strsep(&rest, "\n"));)
    arguments[n++] = word;
  arguments[n] = NULL;
  vb_status status = vb_cli_parse(n, arguments, &cli, &error);
  fuzz_expect(status, &error);
  small_studies_make();
  if (!status && is_harmless(cli.verb->name) && !is_dear(&cli) && stays_here(&cli)) {
    setenv("VIPERBENCH_HOME", home, 1);
    if (chdir(fuzz_folder()))
      abort();
    status = cli.verb->run(&cli, &error);
    if (chdir(home))
      abort();
    fuzz_expect(status, &error);
  }
  vb_cli_free(&cli);
  free(text);
}

const fuzz_target fuzz_command_line = {"command_line", run, NULL};
