// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/guarded.h"

#include "solver/fields.h"
#include "solver/plugin/guarded_call.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

vb_status vb_guarded_describe(const vb_solver *solver, vb_channel *channel,
                              const vb_solver_description **out, vb_error *error) {
  vb_enter_solver(channel, VB_IN_DESCRIBE);
  const vb_solver_description *about = solver->describe(solver);
  vb_leave_solver(channel, VB_IN_DESCRIBE, VB_OK, NULL);
  if (!about)
    return vb_error_set(error, VB_FAILED, "describe returned null");
  *out = about;
  return VB_OK;
}

static vb_status make_guards(vb_guarded *g, vb_error *error) {
  const size_t NUMBER = sizeof(double);
  const struct {
    vb_guard *guard;
    size_t bytes;
  } all[] = {{&g->state, g->state_size},
             {&g->energies, g->about->n_energies * NUMBER},
             {&g->work, g->n_work * NUMBER},
             {&g->residual, NUMBER},
             {&g->force, 3 * g->n_drivers * NUMBER},
             {&g->torque, 3 * g->n_drivers * NUMBER},
             {&g->timings, g->about->n_phases * NUMBER},
             {&g->cost, 2 * NUMBER},
             {&g->divergence, sizeof(vb_divergence)},
             {&g->device, sizeof(vb_device)},
             {&g->convergence, sizeof(vb_convergence)},
             {&g->text, VB_VALUE_SIZE}};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++)
    status = vb_guard_make(all[i].bytes, all[i].guard, error);
  return status;
}

static size_t ask_state_size(vb_guarded *g) {
  vb_enter_solver(g->channel, VB_IN_STATE_SIZE);
  size_t size = g->solver->state_size(g->self);
  vb_leave_solver(g->channel, VB_IN_STATE_SIZE, VB_OK, NULL);
  return size;
}

static size_t ask_count(vb_guarded *g, size_t field) {
  vb_enter_solver(g->channel, VB_IN_COUNT);
  size_t count = g->solver->count(g->self, field);
  vb_leave_solver(g->channel, VB_IN_COUNT, VB_OK, NULL);
  return count;
}

/// Asks for the sizes of what an instance writes.
static vb_status ask_sizes(vb_guarded *g, vb_error *error) {
  const size_t MOST = (size_t)1 << 40;
  g->count = calloc(g->about->n_fields + 1, sizeof *g->count);
  g->field = calloc(g->about->n_fields + 1, sizeof *g->field);
  if (!g->count || !g->field)
    return vb_error_memory(error);
  g->state_size = ask_state_size(g);
  if (g->state_size > MOST)
    return vb_error_set(error, VB_FAILED, "state_size is %zu bytes, which is too large",
                        g->state_size);
  for (size_t i = 0; i < g->about->n_fields; i++) {
    g->count[i] = ask_count(g, i);
    if (g->count[i] > MOST / 8000)
      return vb_error_set(error, VB_FAILED, "count gives %zu elements of field %s", g->count[i],
                          g->about->fields[i].name);
  }
  return VB_OK;
}

vb_status vb_guarded_same_sizes(vb_guarded *g, vb_error *error) {
  size_t size = ask_state_size(g), n = g->about->n_fields;
  if (size != g->state_size)
    return vb_error_set(error, VB_FAILED, "state_size was %zu bytes and is %zu", g->state_size,
                        size);
  for (size_t i = 0; i < n; i++)
    if (ask_count(g, i) != g->count[i])
      return vb_error_set(error, VB_FAILED, "count of field %s does not stay %zu",
                          g->about->fields[i].name, g->count[i]);
  if (ask_count(g, n) != 0)
    return vb_error_set(error, VB_FAILED, "count is not 0 for field number %zu, which is not there",
                        n);
  return VB_OK;
}

vb_status vb_guarded_create(const vb_solver *solver, vb_channel *channel, const vb_scene *scene,
                            const vb_option *options, size_t n_options, vb_guarded *out,
                            vb_error *error) {
  void *const UNTOUCHED = out, *self = UNTOUCHED;
  *out = (vb_guarded){.solver = solver, .channel = channel, .scene = scene};
  out->n_drivers = vb_scene_count(scene, VB_SET_DRIVER);
  out->n_work = vb_work_count(scene);
  vb_status status = vb_guarded_describe(solver, channel, &out->about, error);
  if (status)
    return status;
  status = vb_call_solver(out, VB_IN_CREATE,
                          solver->create(solver, scene, options, n_options, &self, &channel->said),
                          error);
  if (status && self != UNTOUCHED)
    return vb_error_set(error, VB_FAILED, "create failed, and yet wrote to its output");
  if (status)
    return status;
  if (self == UNTOUCHED || !self)
    return vb_error_set(error, VB_FAILED, "create succeeded, and yet wrote no instance");
  out->self = self;
  status = ask_sizes(out, error);
  if (!status)
    status = make_guards(out, error);
  return status;
}

void vb_guarded_destroy(vb_guarded *g) {
  if (g->self) {
    vb_enter_solver(g->channel, VB_IN_DESTROY);
    g->solver->destroy(g->self);
    vb_leave_solver(g->channel, VB_IN_DESTROY, VB_OK, NULL);
  }
  for (size_t i = 0; g->field && i < g->about->n_fields; i++)
    vb_guard_free(&g->field[i]);
  vb_guard *all[] = {&g->state,      &g->energies, &g->work,        &g->residual,
                     &g->force,      &g->torque,   &g->timings,     &g->cost,
                     &g->divergence, &g->device,   &g->convergence, &g->text};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    vb_guard_free(all[i]);
  free(g->count);
  free(g->field);
  *g = (vb_guarded){0};
}

vb_status vb_guarded_set_option(vb_guarded *g, const char *name, const char *value,
                                vb_error *error) {
  if (!g->solver->set_option)
    return vb_bad_input(error, "there is no option \"%s\"", name);
  return vb_call_solver(g, VB_IN_SET_OPTION,
                        g->solver->set_option(g->self, name, value, &g->channel->said), error);
}

vb_status vb_guarded_get_option(vb_guarded *g, const char *name, vb_error *error) {
  size_t first;
  if (!g->solver->get_option)
    return vb_bad_input(error, "there is no option \"%s\"", name);
  vb_offer_output(g, 0, &g->text, "the value of option %s (%d bytes)", name, VB_VALUE_SIZE);
  vb_status status = vb_call_solver(
      g, VB_IN_GET_OPTION,
      g->solver->get_option(g->self, name, g->text.data, g->text.bytes, &g->channel->said), error);
  if (status || vb_guard_check(&g->text, &first) != VB_GUARD_PARTLY)
    status = vb_check_output(g, VB_IN_GET_OPTION, status, 0, &g->text, error);
  if (!status && !memchr(g->text.data, '\0', g->text.bytes))
    status =
        vb_error_set(error, VB_FAILED, "get_option wrote no terminated text for option %s", name);
  return status;
}

vb_status vb_guarded_step(vb_guarded *g, int64_t n, vb_error *error) {
  vb_status status =
      vb_call_solver(g, VB_IN_STEP, g->solver->step(g->self, n, &g->channel->said), error);
  if (!status)
    g->n_steps += n;
  return status;
}

vb_status vb_guarded_sync(vb_guarded *g, vb_divergence *divergence, vb_error *error) {
  unsigned char diverged;
  vb_offer_output(g, 0, &g->divergence, "the divergence");
  memset(g->divergence.data, 0, g->divergence.bytes);
  vb_status status = vb_call_solver(
      g, VB_IN_SYNC,
      g->solver->sync(g->self, (vb_divergence *)(void *)g->divergence.data, &g->channel->said),
      error);
  if (status)
    return status;
  status = vb_check_output(g, VB_IN_SYNC, status, 0, &g->divergence, error);
  if (status)
    return status;
  // What is neither true nor false must not be read as a bool.
  memcpy(&diverged, g->divergence.data + offsetof(vb_divergence, diverged), 1);
  if (diverged > 1)
    return vb_error_set(error, VB_FAILED, "sync wrote %d for whether it diverged, not 0 or 1",
                        diverged);
  memcpy(divergence, g->divergence.data, sizeof *divergence);
  divergence->what[sizeof divergence->what - 1] = '\0';
  g->diverged = divergence->diverged;
  return VB_OK;
}

vb_status vb_guarded_save(vb_guarded *g, vb_error *error) {
  vb_offer_output(g, 0, &g->state, "the state (%zu bytes)", g->state_size);
  vb_status status = vb_call_solver(
      g, VB_IN_SAVE, g->solver->save(g->self, g->state.data, &g->channel->said), error);
  return vb_check_output(g, VB_IN_SAVE, status, 0, &g->state, error);
}

vb_status vb_guarded_restore(vb_guarded *g, const void *state, vb_error *error) {
  vb_offer_output(g, 0, &g->state, "the state that it was given (%zu bytes)", g->state_size);
  memcpy(g->state.data, state, g->state_size);
  vb_guard_lock(&g->state, true);
  vb_status status = vb_call_solver(
      g, VB_IN_RESTORE, g->solver->restore(g->self, g->state.data, &g->channel->said), error);
  vb_guard_lock(&g->state, false);
  vb_divergence divergence;
  return status ? status : vb_guarded_sync(g, &divergence, error);
}

static vb_status must_refuse(const char *call, vb_status status, vb_error *error) {
  if (status == VB_BAD_INPUT)
    return VB_OK;
  if (status == VB_FAILED && error->message[0])
    return status;
  return vb_error_set(error, VB_FAILED, "%s gave status %d, not %d (VB_BAD_INPUT)", call,
                      (int)status, VB_BAD_INPUT);
}

vb_status vb_guarded_refuses(vb_guarded *g, vb_error *error) {
  static const char unknown[] = "no_such_option";
  vb_offer_output(g, 0, &g->residual, "what an unknown field was to be read to");
  vb_status status =
      vb_call_solver(g, VB_IN_READ,
                     g->solver->read(g->self, g->about->n_fields, vb_guard_numbers(&g->residual),
                                     &g->channel->said),
                     error);
  status = status ? vb_check_output(g, VB_IN_READ, status, 0, &g->residual, error) : status;
  status = must_refuse("read of an unknown field", status, error);
  if (!status && g->solver->get_option) {
    status = vb_guarded_get_option(g, unknown, error);
    status = must_refuse("get_option of an unknown option", status, error);
  }
  if (!status && g->solver->set_option) {
    status = vb_guarded_set_option(g, unknown, "1", error);
    status = must_refuse("set_option of an unknown option", status, error);
  }
  if (!status && g->solver->set_option) {
    vb_enter_solver(g->channel, VB_IN_SET_OPTION); // nowhere to say why
    status = g->solver->set_option(g->self, unknown, "1", NULL);
    vb_leave_solver(g->channel, VB_IN_SET_OPTION, VB_OK, NULL);
    status = must_refuse("set_option of an unknown option, without an error,", status, error);
  }
  return status;
}
