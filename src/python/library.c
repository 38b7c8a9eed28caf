// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/library.h"

#include "python/reading.h"
#include "scene/rotation.h"
#include "scene/schema.h"
#include "scene/sets.h"
#include "solver/plugin/guarded_call.h"
#include "solver/plugin/serve.h"

#include <math.h>
#include <stdlib.h>

// A process serves one solver.
static vb_python_find *find_in_python;

/// A vb_serve_find.
static vb_status find_solver(const char *name, vb_channel *channel, const vb_solver **out,
                             vb_error *error) {
  (void)name;
  vb_enter_solver(channel, VB_IN_IMPORT);
  return vb_leave_solver(channel, VB_IN_IMPORT, find_in_python(out, &channel->said), error);
}

vb_status vb_python_serve(const char *name, vb_python_find *find, vb_error *error) {
  find_in_python = find;
  return vb_serve_on(name, find_solver, error);
}

vb_status vb_python_add(vb_builder *builder, vb_tag tag, const void *elements, size_t n,
                        int32_t *first, vb_error *error) {
  const char *element = elements;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < n; i++) {
    int32_t index;
    status = vb_builder_add(builder, tag, element + i * vb_element_size(tag), &index, error);
    if (!status && i == 0)
      *first = index;
  }
  return status;
}

vb_status vb_python_frames(size_t n, const double (*rest)[3], const double *twist,
                           double (*frame)[4], vb_error *error) {
  double before[3] = {0}, along[3];
  for (size_t j = 0; j + 1 < n; j++) {
    if (vb_direction(rest[j], rest[j + 1], along) <= 0)
      return vb_bad_input(error, "rod: its nodes %zu and %zu coincide", j, j + 1);
    if (j == 0)
      vb_frame_begin(along, frame[0]);
    else
      vb_frame_carry(frame[j - 1], before, along, along, frame[j]);
    for (int c = 0; c < 3; c++)
      before[c] = along[c];
  }
  for (size_t j = 0; twist && j + 1 < n; j++) {
    double spin[4] = {cos(twist[j] / 2), 0, 0, sin(twist[j] / 2)};
    vb_quaternion_multiply(frame[j], spin, frame[j]);
  }
  return VB_OK;
}

void vb_python_turn(size_t n, const double (*turn)[3], const double (*frame)[4], double (*out)[4]) {
  for (size_t j = 0; j < n; j++) {
    double angle = sqrt(vb_dot(turn[j], turn[j]));
    double factor = angle > 0 ? sin(angle / 2) / angle : 0.5;
    double rotation[4] = {cos(angle / 2), factor * turn[j][0], factor * turn[j][1],
                          factor * turn[j][2]};
    vb_quaternion_multiply(rotation, frame[j], out[j]);
  }
}

const char *vb_python_schema(void) {
  static char *text; // Python calls it with its lock held
  size_t size;
  FILE *to = text ? NULL : open_memstream(&text, &size);
  if (to) {
    vb_schema_write_lines(to);
    fclose(to);
  }
  return text;
}

void vb_python_free(vb_scene *scene) {
  free(scene);
}

void vb_python_sizes(size_t out[13]) {
  const size_t SIZES[13] = {sizeof(vb_solver),         sizeof(vb_solver_description),
                            sizeof(vb_field),          sizeof(vb_energy),
                            sizeof(vb_option_info),    sizeof(vb_option),
                            sizeof(vb_divergence),     sizeof(vb_device),
                            sizeof(vb_convergence),    sizeof(vb_error),
                            sizeof(vb_python_dataset), VB_SOLVER_VERSION,
                            VB_SCENE_VERSION};
  for (int i = 0; i < 13; i++)
    out[i] = SIZES[i];
}
