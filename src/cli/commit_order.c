// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commit_order.h"

#include "base/scratch.h"
#include "base/started_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What git may take: it lists some 1e5 commits in a second.
#define GIT_TIME   30.0 // s
#define GIT_MEMORY ((uint64_t)1 << 30)

static bool is_hash(const char *text) {
  size_t n = strlen(text);
  return n >= 7 && n <= 64 && strspn(text, "0123456789abcdef") == n;
}

/// Notes in `place` (n) in which line of git's list each commit stands; 0: in none.
static void find_places(FILE *list, const char *const *commits, size_t n, size_t *place) {
  char line[128];
  for (size_t number = 1; fgets(line, sizeof line, list); number++)
    for (size_t i = 0; i < n; i++)
      if (place[i] == 0 && strncmp(line, commits[i], strlen(commits[i])) == 0)
        place[i] = number;
}

/// Lists all that the commits come from, the oldest first, in the file `path`; whether git could.
static bool list_history(const char *home, const char *const *commits, size_t n, const char *path) {
  const char *words[] = {"git", "-C", home, "rev-list", "--topo-order", "--reverse"};
  enum { WORDS = sizeof words / sizeof *words };
  char said[8], **arguments = calloc(WORDS + n + 1, sizeof *arguments);
  if (!arguments)
    return false;
  memcpy(arguments, words, sizeof words);
  for (size_t i = 0; i < n; i++)
    arguments[WORDS + i] = (char *)commits[i];
  const vb_program git = {arguments, GIT_TIME, GIT_TIME, GIT_MEMORY, said, sizeof said, path};
  vb_program_end end;
  int ended;
  bool good =
      vb_program_run(&git, &end, &ended, NULL) == VB_OK && end == VB_PROGRAM_DONE && ended == 0;
  free(arguments);
  return good;
}

/// Finds the place of each commit in the history of all.
static bool ask_git(const char *home, const char *const *commits, size_t n, size_t *place) {
  char folder[VB_SCRATCH_PATH], path[VB_SCRATCH_PATH + 16];
  if (vb_scratch_make(folder, NULL))
    return false;
  snprintf(path, sizeof path, "%s/commits", folder);
  FILE *list = list_history(home, commits, n, path) ? fopen(path, "r") : NULL;
  bool good = list != NULL;
  if (list) {
    find_places(list, commits, n, place);
    fclose(list);
  }
  vb_scratch_remove(folder);
  for (size_t i = 0; good && i < n; i++)
    good = place[i] > 0;
  return good;
}

bool vb_cli_commit_order(const char *home, const char *const *commits, size_t n, size_t *order) {
  size_t *place = calloc(n + 1, sizeof *place);
  bool good = place != NULL;
  for (size_t i = 0; good && i < n; i++)
    good = is_hash(commits[i]);
  good = good && ask_git(home, commits, n, place);
  for (size_t i = 0; good && i < n; i++) {
    size_t k = i; // those before it, and equal ones that were given before
    for (; k > 0 && place[order[k - 1]] > place[i]; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  free(place);
  return good;
}
