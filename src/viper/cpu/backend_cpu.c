// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend behind the table that all backends share.
#include "viper/backend/cost.h"
#include "viper/cpu/core/cpu.h"
#include "viper/cpu/core/lanes.h"
#include "viper/settings/options.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct backend {
  const viper_model *model;
  viper_body_groups body_groups;
  viper_elimination *elimination; ///< of the whole model, for single bodies
  viper_adjacency *adjacency;     ///< likewise
  viper_tiling *tiling;     ///< [n_singles] of the body groups: those that are long chains in tiles
  size_t n_tilings;         ///< of these, how many are
  const viper_cpu_api *api; ///< in the working precision
  void *cpu;
  double *work;  ///< [n_work] as in viper_state
  size_t n_work; ///< drivers, loads and activations
  double timer[VIPER_TIMER_COUNT];
  viper_progress progress; ///< since the latest sync
  bool stopped;            ///< a step ended in trouble, and no state was put since
} backend;

static void destroy(void *self) {
  backend *b = self;
  if (!b)
    return;
  if (b->api)
    b->api->destroy(b->cpu);
  for (size_t k = 0; b->tiling && k < b->body_groups.n_singles; k++)
    viper_tiling_destroy(&b->tiling[k]);
  free(b->tiling);
  viper_body_groups_destroy(&b->body_groups);
  viper_elimination_destroy(b->elimination);
  viper_adjacency_destroy(b->adjacency);
  free(b->work);
  free(b);
}

/// Cuts the long chains of a scene without contact between bodies. Tiles begin at a prediction,
/// which statics has not, nor block descent on bodies of the material model solid; they have no
/// moments of inertia of their own.
static vb_status cut_chains(backend *b, const viper_backend_setup *setup, double tolerance,
                            vb_error *error) {
  if (setup->settings->dynamics == VIPER_STATIC)
    return VB_OK;
  if (viper_has_bundles(b->model) || viper_has_contact(b->model))
    return VB_OK;
  b->tiling = calloc(b->body_groups.n_singles + 1, sizeof *b->tiling);
  if (!b->tiling)
    return vb_error_memory(error);
  for (size_t k = 0; k < b->body_groups.n_singles; k++) {
    const viper_model_body *body = &b->model->body[b->body_groups.single[k]];
    if (body->apart || b->model->has_moments ||
        (body->solid != VIPER_NONE_SOLID &&
         viper_method_has(setup->settings->method, VIPER_OWN_PHASES)))
      continue;
    vb_status status =
        viper_tiling_create(b->model, b->body_groups.single[k], tolerance, &b->tiling[k], error);
    if (status)
      return status;
    b->n_tilings += b->tiling[k].n > 0;
  }
  return VB_OK;
}

/// Cost of a vector of elements of a single body, which gathers their rows, over that of one
/// element of a batch, which does not: measured on chains of 8 to 480 nodes and on octopuses, in
/// vectors of 8 doubles and 16 floats. There, block-descent is always faster in a batch. `direct`
/// computes single bodies otherwise, and faster than a batch of one.
static double vector_cost(viper_method method) {
  switch (method) {
  case VIPER_BLOCK_DESCENT:
    return INFINITY;
  case VIPER_JACOBI_PUBLISHED:
    return 8;
  case VIPER_XPBD:
    return 4;
  default:
    return 0;
  }
}

static vb_status analyze(backend *b, const viper_backend_setup *setup, const viper_lanes_api *lanes,
                         vb_error *error) {
  const viper_model *m = b->model;
  bool direct = viper_method_has(setup->settings->method, VIPER_FACTORS);
  b->n_work = viper_count_work(m);
  b->work = calloc(b->n_work + 1, sizeof *b->work);
  if (!b->work)
    return vb_error_memory(error);
  // Fast arithmetic may take rest data that differ by rounding for the same.
  double epsilon = setup->variant->precision == VIPER_FLOAT ? FLT_EPSILON : DBL_EPSILON;
  double tolerance = setup->variant->arithmetic == VIPER_FAST_SUMS ? 2 * epsilon : 0;
  // `direct` reads rest data once in an iteration, sweeps do in each.
  int multiples =
      viper_method_has(setup->settings->method, VIPER_OWN_PHASES) ? VIPER_CHAIN : VIPER_ALONG;
  if (direct || tolerance == 0)
    multiples = 0;
  // Bundles tie bodies to each other, and the way to an equilibrium is each body's own: then all
  // are worked on one by one.
  const viper_grouping grouping = {
      .none = viper_has_bundles(m) || setup->settings->dynamics == VIPER_STATIC,
      .direct = direct,
      .tolerance = tolerance,
      .multiples = multiples,
      .lanes = lanes->lanes,
      .vector_cost = vector_cost(setup->settings->method),
  };
  vb_status status = viper_body_groups_create(m, &grouping, &b->body_groups, error);
  if (!status && direct && b->body_groups.n_singles > 0)
    status = viper_elimination_create(m, &b->elimination, error);
  if (!status && !direct)
    status = cut_chains(b, setup, tolerance, error);
  if (!status && !direct && b->n_tilings < b->body_groups.n_singles)
    status = viper_adjacency_create(m, &b->adjacency, error);
  return status;
}

static vb_status create(const viper_backend_setup *setup, void **out, vb_error *error) {
  backend *b = calloc(1, sizeof *b);
  if (!b)
    return vb_error_memory(error);
  b->model = setup->model;
  const bool is_float = setup->variant->precision == VIPER_FLOAT;
  const viper_lanes_api *lanes =
      viper_lanes_find(is_float ? 32 : 64, viper_instructions_word(setup->variant->instructions),
                       setup->variant->arithmetic == VIPER_FAST_SUMS);
  vb_status status = lanes ? analyze(b, setup, lanes, error)
                           : vb_error_set(error, VB_UNAVAILABLE,
                                          "this build has no CPU kernels of fast arithmetic in "
                                          "double: take strict arithmetic, or build with make "
                                          "FAST_DOUBLE=yes");
  viper_cpu_setup cpu = {
      .elimination = b->elimination,
      .adjacency = b->adjacency,
      .body_groups = &b->body_groups,
      .tiling = b->n_tilings > 0 ? b->tiling : NULL,
      .lanes = lanes,
      .settings = setup->settings,
  };
  b->api = is_float ? &viper_cpu_f32 : &viper_cpu_f64;
  if (!status)
    status = b->api->create(b->model, &cpu, &b->cpu, error);
  if (status) {
    destroy(b);
    return status;
  }
  *out = b;
  return VB_OK;
}

static vb_status put(void *self, const viper_state *state, vb_error *error) {
  (void)error;
  backend *b = self;
  b->api->put(b->cpu, state);
  memcpy(b->work, state->work, b->n_work * sizeof *b->work);
  b->stopped = false;
  return VB_OK;
}

static vb_status get(void *self, viper_state *state, vb_error *error) {
  (void)error;
  const backend *b = self;
  b->api->get(b->cpu, state);
  memcpy(state->work, b->work, b->n_work * sizeof *b->work);
  return VB_OK;
}

static vb_status keep(void *self, double *out, vb_error *error) {
  (void)error;
  const backend *b = self;
  b->api->keep(b->cpu, out);
  return VB_OK;
}

static vb_status step(void *self, const viper_settings *settings, double time, double h,
                      vb_error *error) {
  backend *b = self;
  if (b->stopped)
    return VB_OK;
  vb_status status = b->api->step(b->cpu, settings, time, h, b->work, b->timer, &b->stopped, error);
  if (status)
    return status;
  b->progress.trouble = b->stopped;
  b->progress.n_steps++;
  return VB_OK;
}

static vb_status sync_steps(void *self, double *timer, viper_progress *progress, vb_error *error) {
  (void)error;
  backend *b = self;
  for (int p = 0; p < VIPER_TIMER_COUNT; p++) {
    timer[p] += b->timer[p];
    b->timer[p] = 0;
  }
  *progress = b->progress;
  b->progress = (viper_progress){0};
  return VB_OK;
}

static vb_status bundled_residual(void *self, double h, const double *load, const double *active,
                                  double *out, vb_error *error) {
  (void)active; // its own
  const backend *b = self;
  return b->api->residual(b->cpu, h, load, out, error);
}

static void contact(const void *self, double out[VIPER_N_CONTACT]) {
  const backend *b = self;
  b->api->contact(b->cpu, out);
}

static vb_status contact_forces(const void *self, const double *node, double *on_body,
                                double *on_plane, double work[2], vb_error *error) {
  (void)error;
  const backend *b = self;
  b->api->contact_forces(b->cpu, node, on_body, on_plane, work);
  return VB_OK;
}

static vb_status contact_step(void *self, double h, double *out, vb_error *error) {
  const backend *b = self;
  return b->api->contact_step(b->cpu, h, out, error);
}

/// Bundles, contacts and surfaces are not counted.
static void cost(const void *self, const viper_settings *settings, double *bytes,
                 double *operations) {
  const backend *b = self;
  viper_step_cost(b->model, b->elimination, &b->body_groups, settings,
                  b->api == &viper_cpu_f32 ? 4 : 8, bytes, operations);
  if (viper_has_bundles(b->model) || viper_has_contact(b->model))
    *bytes = *operations = NAN;
}

const viper_backend viper_backend_cpu = {
    .name = "cpu",
    .create = create,
    .destroy = destroy,
    .put = put,
    .get = get,
    .keep = keep,
    .step = step,
    .sync = sync_steps,
    .bundled_residual = bundled_residual,
    .contact = contact,
    .contact_forces = contact_forces,
    .contact_step = contact_step,
    .cost = cost,
};
