// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes of Lua files below tests/. Run from the project's folder.
#ifndef VB_TESTS_SUPPORT_LUA_SCENE_H
#define VB_TESTS_SUPPORT_LUA_SCENE_H

#include "script/study/lua_study.h"
#include "test.h"

#include <stdarg.h>

/// The scene of a script, to be freed. The text, printed as by printf, sets its parameters:
/// "scene=stacks n=%d".
__attribute__((format(printf, 2, 3))) static inline vb_scene *
lua_scene(const char *script, const char *parameters, ...) {
  char text[256], *rest = text;
  vb_setting set[8];
  vb_study_request request = {.name = script, .tier = "quick", .parameters = set};
  va_list values;
  va_start(values, parameters);
  ck_assert_int_lt(vsnprintf(text, sizeof text, parameters, values), (int)sizeof text);
  va_end(values);
  for (char *word; (word = strsep(&rest, " "));) {
    ck_assert_uint_lt(request.n_parameters, sizeof set / sizeof *set);
    char *name = strsep(&word, "=");
    set[request.n_parameters++] = (vb_setting){name, word};
  }
  vb_study *study = NULL;
  vb_error error = {0};
  vb_status status = vb_lua_study_load(&request, ".", VB_LUA_LIMITS, &study, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  vb_scene *scene = study->runs[0].scene;
  study->runs[0].scene = NULL;
  vb_study_destroy(study);
  return scene;
}

#endif
