// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/plugin.h"

#include "base/process_limits.h"
#include "solver/plugin/description.h"
#include "solver/plugin/proxy.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

vb_status vb_proxy_digest(const char *path, char hex[65], vb_error *error) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  hex[0] = '\0';
  if (!path)
    return VB_OK;
  if (!SHA256File(path, digest))
    return vb_bad_input(error, "cannot read %s: %s", path, strerror(errno));
  memcpy(hex, digest, sizeof digest);
  return VB_OK;
}

static void free_proxy(vb_proxy *proxy) {
  if (!proxy)
    return;
  if (proxy->about.fields)
    vb_description_free(&proxy->about);
  free(proxy->described);
  free(proxy->path);
  free(proxy->program);
  free(proxy->name);
  free(proxy);
}

/// Finds the file of a solver and its hash.
static vb_status find_file(vb_proxy *proxy, const char *name, vb_error *error) {
  struct stat found;
  char *file = strndup(name, vb_plugin_file_length(name));
  char *path = file ? realpath(file, NULL) : NULL;
  free(file);
  if (!path)
    return vb_bad_input(error,
                        "%s; a solver whose name has a slash or ends in .so or .py "
                        "is a shared object or a Python file",
                        strerror(errno));
  proxy->path = path;
  if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
    return vb_bad_input(error, "is not a file");
  return vb_proxy_digest(path, proxy->sha256, error);
}

/// Copies what the child process sent, and makes a description of it.
static vb_status take_description(vb_proxy *proxy, const vb_channel *channel, vb_error *error) {
  size_t bytes =
      channel->data_bytes < VB_DESCRIPTION_DATA ? channel->data_bytes : VB_DESCRIPTION_DATA;
  proxy->described = malloc(bytes);
  if (!proxy->described)
    return vb_error_memory(error);
  memcpy(proxy->described, channel->data, bytes);
  vb_pack pack = {.bytes = proxy->described, .size = bytes};
  if (!vb_unpack_whole(&pack))
    proxy->solver.cost = NULL;
  if (!vb_unpack_whole(&pack))
    proxy->solver.device = NULL;
  if (!vb_unpack_whole(&pack))
    proxy->solver.convergence = NULL;
  vb_status status = vb_description_unpack(&pack, &proxy->about, error);
  return status ? status : vb_description_check(&proxy->about, error);
}

/// Asks a process for the description.
static vb_status ask_description(vb_proxy *proxy, vb_error *error) {
  vb_channel channel;
  vb_channel_limits limits = {.memory = vb_machine_memory()};
  vb_status status = vb_channel_open(proxy->program, proxy->name, NULL, limits, &channel, error);
  if (status)
    return status;
  status = vb_channel_ask(&channel, VB_CALL_LOAD, VB_LOAD_S, error);
  if (!status)
    status = take_description(proxy, &channel, error);
  vb_channel_close(&channel);
  return status;
}

static vb_status make(const char *name, const char *program, vb_proxy **out, vb_error *error) {
  const char *inner = vb_plugin_checked(name);
  vb_proxy *proxy = calloc(1, sizeof *proxy);
  if (!proxy)
    return vb_error_memory(error);
  proxy->solver = vb_proxy_functions;
  proxy->name = strdup(name);
  proxy->program = program ? strdup(program) : NULL;
  vb_status status = proxy->name && (proxy->program || !program) ? VB_OK : vb_error_memory(error);
  inner = inner ? inner : name;
  if (!status && vb_plugin_named(inner))
    status = find_file(proxy, inner, error);
  if (!status)
    status = ask_description(proxy, error);
  if (status) {
    free_proxy(proxy);
    return status;
  }
  *out = proxy;
  return VB_OK;
}

// Solvers live as long as the program, as those of the table do.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vb_proxy *opened;

vb_status vb_plugin_open(const char *name, const char *program, const vb_solver **out,
                         vb_error *error) {
  vb_status status = VB_OK;
  vb_error solver_error = {0};
  pthread_mutex_lock(&lock);
  vb_proxy *proxy = opened;
  while (proxy && strcmp(proxy->name, name) != 0)
    proxy = proxy->next;
  if (!proxy && !(status = make(name, program, &proxy, &solver_error))) {
    proxy->next = opened;
    opened = proxy;
  }
  pthread_mutex_unlock(&lock);
  if (status)
    // A solver that crashes before it has told what it is cannot be worked with.
    return vb_error_set(error, status == VB_FAILED ? VB_BAD_INPUT : status, "solver %s: %s", name,
                        solver_error.message);
  *out = &proxy->solver;
  return VB_OK;
}

bool vb_solver_find_origin(const vb_solver *solver, vb_solver_origin *out) {
  if (solver->describe != vb_proxy_functions.describe)
    return false;
  const vb_proxy *proxy = (const vb_proxy *)solver;
  *out = (vb_solver_origin){proxy->name, proxy->path, proxy->path ? proxy->sha256 : NULL};
  return true;
}
