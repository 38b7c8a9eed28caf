// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/provenance.h"

#include "base/blas.h"

#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <jansson.h>
#include <lua.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// The build passes these.
#ifndef VB_COMMIT
#define VB_COMMIT "unknown"
#endif
#ifndef VB_DIRTY
#define VB_DIRTY 0
#endif
#ifndef VB_CFLAGS
#define VB_CFLAGS "unknown"
#endif

#if defined __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#if defined __AVX512F__
#define INSTRUCTION_SET "x86-64-v4"
#elif defined __AVX2__
#define INSTRUCTION_SET "x86-64-v3"
#elif defined __SSE4_2__
#define INSTRUCTION_SET "x86-64-v2"
#elif defined __x86_64__
#define INSTRUCTION_SET "x86-64-v1"
#elif defined __aarch64__
#define INSTRUCTION_SET "aarch64"
#else
#define INSTRUCTION_SET "unknown"
#endif

#define COPY(target, text) snprintf((target), sizeof(target), "%s", (text))

static void read_arguments(char *out, size_t size) {
  FILE *file = fopen("/proc/self/cmdline", "rb");
  size_t n = file ? fread(out, 1, size - 1, file) : 0;
  if (file)
    fclose(file);
  while (n > 0 && out[n - 1] == '\0')
    n--;
  for (size_t i = 0; i < n; i++)
    if (out[i] == '\0')
      out[i] = ' ';
  out[n] = '\0';
}

/// The value of `line` ("key : value\n") where it has that key, or null.
static char *cpu_value(char *line, const char *key) {
  char *colon = strchr(line, ':');
  if (!colon || strncmp(line, key, strlen(key)) != 0)
    return NULL;
  colon[strcspn(colon, "\n")] = '\0';
  return colon + 1 + strspn(colon + 1, " \t");
}

static void read_cpu(vb_provenance *out) {
  COPY(out->cpu, "unknown");
  cpu_set_t set;
  CPU_ZERO(&set);
  out->threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                             : (int)sysconf(_SC_NPROCESSORS_ONLN);
  FILE *file = fopen("/proc/cpuinfo", "r");
  int per_package = 0, last_package = 0;
  char line[4096];
  while (file && fgets(line, sizeof line, file)) {
    char *value;
    if ((value = cpu_value(line, "model name")))
      COPY(out->cpu, value);
    else if ((value = cpu_value(line, "cpu cores")))
      per_package = atoi(value);
    else if ((value = cpu_value(line, "physical id")) && atoi(value) > last_package)
      last_package = atoi(value);
  }
  if (file)
    fclose(file);
  out->cores = per_package > 0 ? per_package * (last_package + 1) : out->threads;
}

static void read_libraries(char *out, size_t size) {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  char hdf5[32];
  snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, release);
  const char *lua = LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE;
  // What computes for CHOLMOD is the system's choice; OpenBLAS tells its version and its kernels.
  char cholmod[32];
  snprintf(cholmod, sizeof cholmod, "%d.%d.%d", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
           CHOLMOD_SUBSUB_VERSION);
  json_t *versions =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "blas", vb_blas_name(), "cholmod", cholmod, "gsl",
                gsl_version, "hdf5", hdf5, "jansson", JANSSON_VERSION, "lua", lua);
  char *text = versions ? json_dumps(versions, JSON_SORT_KEYS) : NULL;
  snprintf(out, size, "%s", text ? text : "{}");
  free(text);
  json_decref(versions);
}

void vb_provenance_collect(vb_provenance *out) {
  *out = (vb_provenance){.dirty = VB_DIRTY};
  COPY(out->commit, VB_COMMIT);
  COPY(out->compiler, COMPILER);
  COPY(out->flags, VB_CFLAGS);
  COPY(out->floating_point, "strict");
  COPY(out->instruction_set, INSTRUCTION_SET);
  read_arguments(out->arguments, sizeof out->arguments);
  read_cpu(out);
  read_libraries(out->libraries, sizeof out->libraries);
  struct utsname name;
  bool named = uname(&name) == 0;
  COPY(out->host, named ? name.nodename : "unknown");
  if (named)
    snprintf(out->system, sizeof out->system, "%.60s %.120s", name.sysname, name.release);
  else
    COPY(out->system, "unknown");
  time_t now = time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || !strftime(out->date, sizeof out->date, "%Y-%m-%dT%H:%M:%SZ", &utc))
    COPY(out->date, "unknown");
}
