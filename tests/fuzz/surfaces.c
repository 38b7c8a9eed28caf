// SPDX-License-Identifier: GPL-3.0-or-later
// Files of triangles, and what is made of them. The first byte of an input says which kind: 'o'
// OBJ, 'p' PLY, otherwise STL.
#include "fuzz.h"

#include "base/clock.h"
#include "base/time_limit.h"
#include "mesh/capsule_fit.h"
#include "mesh/surface_repair.h"
#include "mesh/tetrahedralize.h"

/// More triangles are not made capsules of: that would leave fewer inputs for the rest.
#define MOST_FITTED 200

static bool is_over(void *context) {
  return vb_clock() > *(double *)context;
}

/// Whatever was read, or repaired, must have vertices and groups that exist.
static void look_at(const vb_surface_file *file) {
  const vb_mesh *mesh = &file->mesh;
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    for (int c = 0; c < 3; c++)
      if (mesh->triangle[t][c] < 0 || (size_t)mesh->triangle[t][c] >= mesh->n_vertices)
        __builtin_trap();
    if (file->group[t] < -1 || file->group[t] >= (int32_t)file->n_groups)
      __builtin_trap();
  }
}

/// Checks the surface, and makes capsules of it where it is one.
static void use(const vb_surface_file *file) {
  vb_error error = {0};
  vb_capsule_fit fit = {0};
  const vb_tetrahedralize asked = {.outside = {"mesh", &file->mesh}, .quality = 2};
  vb_status status = vb_tetrahedralize_check(&asked, &error);
  fuzz_expect(status, &error);
  if (status || file->mesh.n_triangles > MOST_FITTED)
    return;
  status = vb_capsule_fit_make(&file->mesh, 3, &fit, &error);
  fuzz_expect(status, &error);
  if (!status && (fit.n_capsules < 1 || fit.n_capsules > 3 || fit.n_capsules > fit.most))
    __builtin_trap();
  vb_capsule_fit_clear(&fit);
}

static void run(const uint8_t *data, size_t size) {
  char path[FUZZ_PATH];
  vb_surface_file file = {0};
  vb_surface_repairs repairs = {0};
  vb_error error = {0};
  double end = vb_clock() + 0.2;
  if (size == 0)
    return;
  const char *name = data[0] == 'o' ? "a.obj" : data[0] == 'p' ? "a.ply" : "a.stl";
  fuzz_write(name, data + 1, size - 1, path);
  vb_time_limit before = vb_time_limit_set((vb_time_limit){.over = is_over, .context = &end});
  vb_status status = vb_surface_file_read(path, name, &file, &error);
  fuzz_expect(status, &error);
  if (!status) {
    look_at(&file);
    use(&file);
    status = vb_surface_repair(&file, &repairs, &error);
    fuzz_expect(status, &error);
    look_at(&file);
    use(&file);
  }
  vb_time_limit_set(before);
  vb_surface_file_clear(&file);
}

const fuzz_target fuzz_surfaces = {"surfaces", run, NULL};
