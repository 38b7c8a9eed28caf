// SPDX-License-Identifier: GPL-3.0-or-later
/// Position-based elastic rods (N. Umetani, R. Schmidt, J. Stam 2014): points along the rod, and
/// ghost points beside it that show how its cross-sections are turned. See README.md in this
/// folder.
#include "reference/umetani/boundary.h"
#include "reference/umetani/measure.h"
#include "reference/umetani/step.h"
#include "solver/settings.h"

#include <stdio.h>
#include <stdlib.h>

/// An instance of the solver.
typedef struct umetani {
  const vb_scene *scene;
  umetani_rods *rods;
  umetani_state state;
  umetani_scratch scratch;
  umetani_settings settings;
  int64_t n_steps;
  vb_divergence divergence;
  double timer[UMETANI_PHASE_COUNT];
  char warning[192];
} umetani;

static void destroy(void *self) {
  umetani *u = self;
  if (!u)
    return;
  umetani_state_free(&u->state);
  umetani_scratch_free(&u->scratch);
  umetani_rods_destroy(u->rods);
  free(u);
}

#define PLACE(name, kind, member)                                                                  \
  { name, VB_SETTING_##kind, offsetof(umetani_settings, member) }
static const vb_setting places[] = {
    PLACE("method", SECOND, law.xpbd),
    PLACE("iterations", WHOLE, iterations),
    PLACE("substeps", WHOLE, substeps),
    PLACE("threads", THREADS, threads),
    PLACE("joint", WORD, law.grouping),
    PLACE("bend_u", NUMBER, law.alpha[0]),
    PLACE("bend_v", NUMBER, law.alpha[1]),
    PLACE("twist", NUMBER, law.alpha[2]),
    PLACE("stretch", NUMBER, law.stretch),
    PLACE("alpha", SECOND, by_stiffness),
    PLACE("order", WORD, order),
    PLACE("ghosts", SECOND, choice.matched),
    PLACE("ghost_mass", NUMBER, choice.ghost_mass),
    PLACE("ghost_gravity", WORD, gravity),
    PLACE("clamp_ratio", SECOND, clamp_ratio),
    PLACE("material", WORD, choice.material),
    PLACE("inextensible", SECOND, law.inextensible),
    PLACE("warm_start", SECOND, warm_start),
};
static const vb_setting_table table = {places, sizeof places / sizeof *places};

static const vb_solver_description *describe(const vb_solver *solver) {
  (void)solver;
  return umetani_describe();
}

static vb_status build(umetani *u, vb_error *error) {
  vb_status status = umetani_rods_create(u->scene, &u->settings.choice, &u->rods, error);
  if (!status)
    status = umetani_state_create(u->rods, &u->state, error);
  if (!status)
    status = umetani_scratch_create(u->rods, &u->scratch, error);
  if (status)
    return status;
  umetani_start(u->rods, &u->state);
  umetani_activate(u->rods, 0, &u->state);
  memset(u->state.work, 0, umetani_count_work(u->scene) * sizeof *u->state.work);
  umetani_order_elements(u->rods, u->settings.order, &u->scratch);
  return VB_OK;
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  (void)solver;
  const vb_solver_description *d = umetani_describe();
  vb_status status = vb_solver_check_options(d, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(d, scene, error);
  if (status)
    return status;
  umetani *u = calloc(1, sizeof *u);
  if (!u)
    return vb_error_memory(error);
  u->scene = scene;
  for (size_t i = 0; i < d->n_options; i++)
    vb_setting_apply(d, &table, d->options[i].name,
                     vb_solver_option(d, options, n_options, d->options[i].name), &u->settings);
  status = build(u, error);
  if (status)
    destroy(u);
  else
    *out = u;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  vb_status status = vb_setting_check(umetani_describe(), name, value, error);
  if (!status)
    vb_setting_apply(umetani_describe(), &table, name, value, &((umetani *)self)->settings);
  return status;
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  return vb_setting_print(umetani_describe(), &table, name, &((const umetani *)self)->settings, out,
                          size, error);
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  umetani *u = self;
  double h = vb_scene_world(u->scene)->step;
  for (int64_t k = 0; k < n && !u->divergence.diverged; k++) {
    if (!umetani_step(u->rods, &u->settings, (double)u->n_steps * h, h, &u->state, &u->scratch,
                      u->timer))
      return vb_error_memory(error);
    u->n_steps++;
    int64_t problem = umetani_check_state(u->rods, &u->state);
    if (problem < 0)
      continue;
    u->divergence.diverged = true;
    u->divergence.step = u->n_steps;
    snprintf(u->divergence.what, sizeof u->divergence.what,
             "point %lld is not finite, or farther away than 1e6 times the scene's size",
             (long long)problem);
  }
  return VB_OK;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  (void)error;
  *divergence = ((umetani *)self)->divergence;
  return VB_OK;
}

/// What `save` writes before the state's numbers.
typedef struct saved {
  int64_t n_steps;
  vb_divergence divergence;
} saved;

static size_t state_size(const void *self) {
  return sizeof(saved) + ((const umetani *)self)->state.n_doubles * sizeof(double);
}

static vb_status save(void *self, void *state, vb_error *error) {
  (void)error;
  const umetani *u = self;
  saved head;
  memset(&head, 0, sizeof head);
  head.n_steps = u->n_steps;
  head.divergence = u->divergence;
  memcpy(state, &head, sizeof head);
  memcpy((char *)state + sizeof head, u->state.x, u->state.n_doubles * sizeof(double));
  return VB_OK;
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  (void)error;
  umetani *u = self;
  saved head;
  memcpy(&head, state, sizeof head);
  u->n_steps = head.n_steps;
  u->divergence = head.divergence;
  memcpy(u->state.x, (const char *)state + sizeof head, u->state.n_doubles * sizeof(double));
  return VB_OK;
}

static size_t count(const void *self, size_t field) {
  return field < UMETANI_FIELD_COUNT
             ? umetani_count(((const umetani *)self)->rods, (umetani_field)field)
             : 0;
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  umetani *u = self;
  if (field >= UMETANI_FIELD_COUNT)
    return vb_bad_input(error, "the umetani solver has no field number %zu", field);
  umetani_read(u->rods, &u->settings, &u->state, &u->scratch, (umetani_field)field, out);
  return VB_OK;
}

static vb_status energies(void *self, double *out, vb_error *error) {
  (void)error;
  const umetani *u = self;
  umetani_energies(u->rods, &u->state, out);
  return VB_OK;
}

static vb_status work(void *self, double *out, vb_error *error) {
  (void)error;
  const umetani *u = self;
  memcpy(out, u->state.work, umetani_count_work(u->scene) * sizeof *out);
  return VB_OK;
}

static vb_status residual(void *self, double *out, vb_error *error) {
  umetani *u = self;
  return umetani_residual(u->rods, &u->settings, &u->state, &u->scratch, out, error);
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  (void)error;
  const umetani *u = self;
  umetani_reactions(u->rods, &u->state, (double(*)[3])(void *)force, (double(*)[3])(void *)torque);
  return VB_OK;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  (void)error;
  memcpy(out, ((umetani *)self)->timer, UMETANI_PHASE_COUNT * sizeof *out);
  return VB_OK;
}

static const char *warning(void *self) {
  umetani *u = self;
  const umetani_settings *s = &u->settings;
  if (s->law.xpbd || !s->by_stiffness || !(*u->state.h > 0))
    return NULL;
  double share = umetani_set_alphas(u->rods, s, *u->state.h, u->scratch.alpha);
  if (share == 0)
    return NULL;
  snprintf(u->warning, sizeof u->warning,
           "stiffness is missing: %.3g %% of the joints' components would need an alpha above 1 to "
           "have the scene's material",
           100 * share);
  return u->warning;
}

const vb_solver umetani_solver = {
    .version = VB_SOLVER_VERSION,
    .scene_version = VB_SCENE_VERSION,
    .describe = describe,
    .create = create,
    .set_option = set_option,
    .get_option = get_option,
    .step = step,
    .sync = sync_steps,
    .state_size = state_size,
    .save = save,
    .restore = restore,
    .count = count,
    .read = read_field,
    .energies = energies,
    .work = work,
    .residual = residual,
    .reactions = reactions,
    .timings = timings,
    .destroy = destroy,
    .warning = warning,
};
