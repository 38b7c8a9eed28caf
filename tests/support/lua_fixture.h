// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads studies from texts, by way of files in a temporary folder. Run from the project's folder:
/// include() finds its own scenarios/lib there.
#ifndef VB_TESTS_SUPPORT_LUA_FIXTURE_H
#define VB_TESTS_SUPPORT_LUA_FIXTURE_H

#include "script/study/lua_study.h"

#include "test.h"

#include <unistd.h>

/// A rod that is well; SCENE puts statements between the making of a scene and its return, on
/// line 4.
#define GOOD  "nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, "
#define STUFF "density = 1000, material = {E = 1e6, nu = 0.4}"
#define ROD   "local r = s:rod{" GOOD STUFF "} "
#define SCENE(statements)                                                                          \
  "return {title = 'test', build = function(p)\n"                                                  \
  "local s = vb.scene{step = 0.1, steps = 2}\n"                                                    \
  "\n" statements "\n"                                                                             \
  "return s end}"

/// A temporary folder with one script, bad.lua or another name.
typedef struct script_file {
  char folder[32];
  char path[64];
} script_file;

static inline script_file write_script(const char *name, const void *text, size_t size) {
  script_file file;
  strcpy(file.folder, "/tmp/vb_lua_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(file.folder));
  snprintf(file.path, sizeof file.path, "%s/%s", file.folder, name);
  FILE *stream = fopen(file.path, "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(text, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
  return file;
}

static inline void remove_script(const script_file *file) {
  unlink(file->path);
  rmdir(file->folder);
}

/// Loads the study of a text with what the command line says in `request` (its name is set here).
static inline vb_status load_with(const char *text, vb_study_request request, vb_lua_limits limits,
                                  vb_study **out, vb_error *error) {
  script_file file = write_script("test.lua", text, strlen(text));
  request.name = file.path;
  if (!request.tier)
    request.tier = "quick";
  vb_status status = vb_lua_study_load(&request, ".", limits, out, error);
  remove_script(&file);
  return status;
}

/// Loads a study that must be well.
static inline vb_study *load_good_with(const char *text, vb_study_request request) {
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status = load_with(text, request, VB_LUA_LIMITS, &study, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  return study;
}

static inline vb_study *load_good(const char *text) {
  return load_good_with(text, (vb_study_request){0});
}

/// The scene of a run.
static inline const vb_scene *scene_of(const vb_study *study, size_t run) {
  ck_assert_uint_lt(run, study->n_runs);
  return study->runs[run].scene;
}

#endif
