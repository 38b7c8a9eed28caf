// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/study_script.h"

#include "base/home.h"
#include "script/study/lua_study.h"
#include "script/study/study_files.h"

#include <stdlib.h>
#include <string.h>

vb_status vb_study_load(const vb_study_request *request, vb_study **out, vb_error *error) {
  char home[4096];
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  vb_lua_limits limits = VB_LUA_LIMITS;
  if (request->script_time > 0)
    limits.seconds = request->script_time;
  return vb_lua_study_load(request, home, limits, out, error);
}

vb_status vb_study_list(vb_study_info **out, size_t *count, vb_error *error) {
  char home[4096];
  vb_study_file *files = NULL;
  vb_study_info *list = NULL;
  size_t n = 0;
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = vb_study_files(home, &files, &n, error);
  if (status)
    return status;
  list = calloc(n ? n : 1, sizeof *list);
  if (!list)
    status = vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++)
    status = vb_lua_study_inspect(&files[i], home, VB_LUA_LIMITS, &list[i], error);
  free(files);
  if (status) {
    vb_study_list_destroy(list, n);
    return status;
  }
  *out = list;
  *count = n;
  return VB_OK;
}

void vb_study_list_destroy(vb_study_info *list, size_t count) {
  for (size_t i = 0; list && i < count; i++) {
    free(list[i].name);
    free(list[i].title);
    free(list[i].path);
    free(list[i].parameters);
  }
  free(list);
}

bool vb_study_in_folder(const vb_study_info *info, const char *folder) {
  const char *name = strrchr(info->path, '/');
  size_t length = strlen(folder);
  return name && (size_t)(name - info->path) > length &&
         strncmp(name - length, folder, length) == 0 && name[-(ptrdiff_t)length - 1] == '/';
}
