// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commit_order.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// Starts git with what it prints going to `*out`; its process, or 0.
static pid_t start_git(char *const *arguments, FILE **out) {
  int ends[2];
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  if (pipe2(ends, O_CLOEXEC))
    return 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (posix_spawnp(&child, "git", &actions, NULL, arguments, environ))
    child = 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out = child ? fdopen(ends[0], "r") : NULL;
  if (!*out)
    close(ends[0]);
  return child;
}

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

/// Lists all that the commits come from, the oldest first.
static bool ask_git(const char *home, const char *const *commits, size_t n, size_t *place) {
  const char *words[] = {"git", "-C", home, "rev-list", "--topo-order", "--reverse"};
  enum { WORDS = sizeof words / sizeof *words };
  char **arguments = calloc(WORDS + n + 1, sizeof *arguments);
  if (!arguments)
    return false;
  memcpy(arguments, words, sizeof words);
  for (size_t i = 0; i < n; i++)
    arguments[WORDS + i] = (char *)commits[i];
  FILE *list = NULL;
  int ended = 1;
  pid_t child = start_git(arguments, &list);
  if (list) {
    find_places(list, commits, n, place);
    fclose(list);
  }
  bool good = child > 0 && waitpid(child, &ended, 0) == child && ended == 0;
  free(arguments);
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
