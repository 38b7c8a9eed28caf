// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes as blocks of bytes, as a results file or a plug-in's process has them. Whatever the check
// takes must be a scene to everybody else.
#include "fuzz.h"

#include "scene/builder.h"
#include "scene/scene.h"
#include "solver/solver.h"
#include "solver/table.h"

#include <stdlib.h>
#include <string.h>

/// Each solver must be able to say whether it takes the scene.
static void ask_solvers(const vb_scene *scene) {
  for (const vb_solver *const *solver = vb_solver_table(); *solver; solver++) {
    vb_error error = {0};
    vb_status status = vb_solver_check_scene((*solver)->describe(*solver), scene, &error);
    fuzz_expect(status, &error);
  }
}

/// A builder takes the scene up, and makes a sound one of it again.
static void rebuild(const vb_scene *scene) {
  vb_builder *builder = NULL;
  vb_scene *again = NULL;
  vb_error error = {0};
  vb_status status = vb_builder_create(&builder, &error);
  if (!status)
    status = vb_builder_load(builder, scene, &error);
  if (!status)
    status = vb_builder_freeze(builder, &again, &error);
  fuzz_expect(status, &error);
  if (!status && vb_scene_check(again, vb_scene_bytes(again), &error))
    __builtin_trap();
  free(again);
  vb_builder_destroy(builder);
}

static void run(const uint8_t *data, size_t size) {
  vb_error error = {0};
  char hex[65];
  void *blob = aligned_alloc(64, size / 64 * 64 + 64); // as it is mapped: aligned
  if (!blob)
    return;
  memcpy(blob, data, size);
  vb_status status = vb_scene_check(blob, size, &error);
  fuzz_expect(status, &error);
  if (!status) {
    vb_scene_sha256(blob, hex);
    ask_solvers(blob);
    rebuild(blob);
  }
  free(blob);
}

const fuzz_target fuzz_scenes = {"scenes", run, NULL};
