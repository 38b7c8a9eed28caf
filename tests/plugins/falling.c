// SPDX-License-Identifier: GPL-3.0-or-later
/// Bones that fall freely: a plug-in for scenes of every set, with or without nodes, which reads
/// fields of bones and links and tells the work of activations. VB_FAULT "links" gives one link too
/// many; "version 5" and "scene version 1" make it an older one.
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

typedef struct falling {
  const vb_scene *scene;
  size_t n, n_links, n_work;
  int64_t step;
  double *position; ///< n x 3, then velocities
} falling;

static int is(const char *fault) {
  const char *given = getenv("VB_FAULT");
  return given && strcmp(given, fault) == 0;
}

static const vb_solver_description *describe(const vb_solver *solver) {
  static const vb_field fields[] = {
      {"bone_position", VB_AT_BONE, 3, "m", "centers of bones"},
      {"joint_force", VB_AT_LINK, 3, "N", "forces of links: 0"},
      {"position", VB_AT_NODE, 3, "m", "nodes, which stay"},
  };
  static const vb_energy energies[] = {{"kinetic", "of the bones' centers", false}};
  static const vb_solver_description description = {.name = "falling",
                                                    .long_name = "bones that fall freely",
                                                    .sets = UINT64_MAX,
                                                    .fields = fields,
                                                    .n_fields = 3,
                                                    .energies = energies,
                                                    .n_energies = 1};
  (void)solver;
  return &description;
}

static void destroy(void *self) {
  falling *f = self;
  if (f)
    free(f->position);
  free(f);
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)options;
  if (n_options > 0)
    return vb_bad_input(error, "there is no option");
  vb_status status = vb_solver_check_scene(describe(solver), scene, error);
  falling *f = status ? NULL : calloc(1, sizeof *f);
  if (!f)
    return status ? status : vb_error_memory(error);
  const vb_bone *bone = vb_scene_bones(scene, &f->n);
  vb_scene_links(scene, &f->n_links);
  f->n_links += is("links") ? 1 : 0;
  f->scene = scene;
  f->n_work = vb_scene_count(scene, VB_SET_DRIVER) + vb_scene_count(scene, VB_SET_LOAD) +
              vb_scene_count(scene, VB_SET_ACTIVATION);
  f->position = calloc(6 * f->n + 1, sizeof *f->position);
  if (!f->position) {
    destroy(f);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < f->n; i++) {
    memcpy(f->position + 3 * i, bone[i].position, sizeof bone->position);
    memcpy(f->position + 3 * (f->n + i), bone[i].velocity, sizeof bone->velocity);
  }
  *out = f;
  return VB_OK;
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  falling *f = self;
  const vb_world *world = vb_scene_world(f->scene);
  (void)error;
  for (; n > 0; n--, f->step++)
    for (size_t i = 0; i < 3 * f->n; i++) {
      f->position[3 * f->n + i] += world->step * world->gravity[i % 3];
      f->position[i] += world->step * f->position[3 * f->n + i];
    }
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)self, (void)error;
  memset(divergence, 0, sizeof *divergence);
  return VB_OK;
}

static size_t state_size(const void *self) {
  return (6 * ((const falling *)self)->n + 1) * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  falling *f = self;
  (void)error;
  memcpy(state, &f->step, sizeof f->step);
  memcpy((double *)state + 1, f->position, 6 * f->n * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  falling *f = self;
  (void)error;
  memcpy(&f->step, state, sizeof f->step);
  memcpy(f->position, (const double *)state + 1, 6 * f->n * sizeof(double));
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  const falling *f = self;
  return field == 0   ? f->n
         : field == 1 ? f->n_links
         : field == 2 ? vb_scene_count(f->scene, VB_SET_NODE)
                      : 0;
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  falling *f = self;
  if (field > 2)
    return vb_bad_input(error, "there is no field %zu", field);
  if (field == 0)
    memcpy(out, f->position, 3 * f->n * sizeof *out);
  for (size_t i = 0; field == 1 && i < 3 * f->n_links; i++)
    out[i] = 0;
  size_t n;
  const vb_node *node = vb_scene_nodes(f->scene, &n);
  for (size_t i = 0; field == 2 && i < n; i++)
    memcpy(out + 3 * i, node[i].position, sizeof node->position);
  return VB_OK;
}

static vb_status energies(void *self, double *out, vb_error *error) {
  falling *f = self;
  size_t n;
  const vb_bone *bone = vb_scene_bones(f->scene, &n);
  (void)error;
  *out = 0;
  for (size_t i = 0; i < 3 * n; i++)
    *out += 0.5 * bone[i / 3].mass * f->position[3 * n + i] * f->position[3 * n + i];
  return VB_OK;
}

/// Number k, so that a test sees each where it belongs.
static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  for (size_t k = 0; k < ((falling *)self)->n_work; k++)
    out[k] = (double)k;
  return VB_OK;
}

const vb_solver *vb_plugin(void) {
  static vb_solver solver = {.version = VB_SOLVER_VERSION,
                             .scene_version = VB_SCENE_VERSION,
                             .describe = describe,
                             .create = create,
                             .step = step,
                             .sync = sync_steps,
                             .state_size = state_size,
                             .save = save,
                             .restore = restore,
                             .count = count,
                             .read = read_field,
                             .energies = energies,
                             .work = work,
                             .destroy = destroy};
  if (is("version 5"))
    solver.version = 5;
  if (is("scene version 1"))
    solver.scene_version = 1;
  return &solver;
}
