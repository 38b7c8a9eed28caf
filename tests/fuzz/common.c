// SPDX-License-Identifier: GPL-3.0-or-later
// What all fuzz targets share.
#include "fuzz.h"

#include "cli/cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *__asan_default_options(void); // NOLINT(bugprone-reserved-identifier)

/// A size that no memory has is refused, as without a sanitizer.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:handle_abort=1";
}

const fuzz_target *const FUZZ_TARGETS[] = {
    &fuzz_scripts, &fuzz_meshes,  &fuzz_results,       &fuzz_command_line,
    &fuzz_json,    &fuzz_channel, &fuzz_surfaces,      &fuzz_scenes,
    &fuzz_benches, &fuzz_shards,  &fuzz_python_reader, &fuzz_hdf5_bytes,
    &fuzz_texts,   NULL};

const fuzz_target *fuzz_find(const char *name) {
  for (const fuzz_target *const *target = FUZZ_TARGETS; *target; target++)
    if (strcmp((*target)->name, name) == 0)
      return *target;
  return NULL;
}

static void give_up(const char *what) {
  perror(what);
  abort();
}

static char folder[FUZZ_PATH - 64];

static void remove_folder(void) {
  char path[FUZZ_PATH + 256];
  DIR *list = opendir(folder);
  for (struct dirent *entry; list && (entry = readdir(list));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  if (list)
    closedir(list);
  rmdir(folder);
}

const char *fuzz_folder(void) {
  if (folder[0])
    return folder;
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.150s/vb_fuzz_XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder))
    give_up(folder);
  atexit(remove_folder);
  return folder;
}

void fuzz_write(const char *name, const void *data, size_t size, char path[FUZZ_PATH]) {
  snprintf(path, FUZZ_PATH, "%s/%.50s", fuzz_folder(), name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file))
    give_up(path);
}

void fuzz_expect(vb_status status, const vb_error *error) {
  const char *wrong = NULL;
  if (status == VB_OK)
    return;
  if (status < VB_OK || status > VB_INTERRUPTED)
    wrong = "an unknown status";
  else if (status != VB_FAILED && !error->message[0]) // a gate that failed speaks for itself
    wrong = "a failure without a word";
  for (const char *c = error->message; *c && !wrong; c++)
    if (((unsigned char)*c < 32 && *c != '\n' && *c != '\t') || *c == 127)
      wrong = "a message with a control character";
  if (!wrong)
    return;
  fprintf(stderr, "%s: status %d, \"%s\"\n", wrong, (int)status, error->message);
  abort();
}

/// Most words of a command.
enum { MOST_WORDS = 40 };

static bool tells_itself(const char *verb) {
  static const char *const VERBS[] = {"compare", "run", "join", "bench"};
  for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++)
    if (strcmp(VERBS[i], verb) == 0)
      return true;
  return false;
}

void fuzz_command(const char *words) {
  char line[2048], *arguments[MOST_WORDS + 1] = {"viperbench"};
  vb_cli cli;
  vb_error error = {0};
  size_t used = 0;
  int n = 1;
  for (const char *c = words; *c && used < sizeof line - FUZZ_PATH; c++)
    if (*c == '@')
      used = (size_t)(stpcpy(line + used, fuzz_folder()) - line);
    else
      line[used++] = *c;
  line[used] = '\0';
  for (char *word = strtok(line, " "); word && n < MOST_WORDS; word = strtok(NULL, " "))
    arguments[n++] = word;
  vb_status status = vb_cli_parse(n, arguments, &cli, &error);
  if (!status)
    status = cli.verb->run(&cli, &error);
  // What a comparison refuses is told in its report, and what fails of some studies when it does.
  if (!cli.verb || !tells_itself(cli.verb->name) || error.message[0])
    fuzz_expect(status, &error);
  vb_cli_free(&cli);
}
