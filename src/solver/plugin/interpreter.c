// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/interpreter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What the package's part for solvers is called.
static const char SCRIPT[] = "viperbench/_child.py";

/// Where the package is, from the folder of the program: installed, in the sources, in another
/// build of them, or around the program, which a wheel has in viperbench/home/bin.
static const char *const PLACES[] = {"../share/viperbench/python", "../src/python",
                                     "../../src/python", "../../.."};

/// Writes the folder of the program; false where it is not known.
static bool find_own_folder(char out[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
  if (n <= 0)
    return false;
  out[n] = '\0';
  char *slash = strrchr(out, '/');
  if (slash)
    *slash = '\0';
  return slash != NULL;
}

/// Finds the script of the package that serves solvers.
static vb_status find_script(const char *folder, char out[PATH_MAX], vb_error *error) {
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
    if (snprintf(out, PATH_MAX, "%s/%s/%s", folder, PLACES[i], SCRIPT) < PATH_MAX &&
        access(out, R_OK) == 0)
      return VB_OK;
  return vb_error_set(error, VB_UNAVAILABLE,
                      "a solver in Python needs the package viperbench, which is not in %.400s/%s",
                      folder, PLACES[0]);
}

/// The interpreter to run: a path, or a name to be looked for in PATH.
static vb_status find_interpreter(char out[PATH_MAX], vb_error *error) {
  const char *named = getenv("VIPERBENCH_PYTHON"), *virtual = getenv("VIRTUAL_ENV");
  if (named && *named) {
    if (snprintf(out, PATH_MAX, "%s", named) >= PATH_MAX ||
        (strchr(named, '/') && access(named, X_OK)))
      return vb_error_set(error, VB_UNAVAILABLE,
                          "VIPERBENCH_PYTHON names %.400s, which cannot be run: %s", named,
                          strerror(errno));
    return VB_OK;
  }
  if (virtual && *virtual && snprintf(out, PATH_MAX, "%s/bin/python3", virtual) < PATH_MAX &&
      access(out, X_OK) == 0)
    return VB_OK;
  strcpy(out, "python3");
  return VB_OK;
}

vb_status vb_interpreter_start(const char *name, const vb_channel *channel, vb_error *error) {
  char folder[PATH_MAX], script[PATH_MAX], interpreter[PATH_MAX];
  if (!find_own_folder(folder))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot find the path of the program");
  vb_status status = find_script(folder, script, error);
  if (!status)
    status = find_interpreter(interpreter, error);
  if (status)
    return status;
  fcntl(channel->socket, F_SETFD, 0);
  fcntl(channel->memory, F_SETFD, 0);
  setenv("PYTHONUNBUFFERED", "1", 0); // a process that is ended loses what waits
  char *arguments[] = {interpreter, script, folder, (char *)name, NULL};
  execvp(interpreter, arguments);
  status = vb_error_set(error, VB_UNAVAILABLE,
                        "a solver in Python needs %.400s, which cannot be started: %s; install "
                        "Python 3.8 or later with numpy, or name one in VIPERBENCH_PYTHON",
                        interpreter, strerror(errno));
  fcntl(channel->socket, F_SETFD, FD_CLOEXEC);
  fcntl(channel->memory, F_SETFD, FD_CLOEXEC);
  return status;
}
