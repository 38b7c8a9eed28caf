// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/proxy.h"

#include "base/process_limits.h"
#include "solver/fields.h"
#include "solver/plugin/description.h"
#include "solver/plugin/motion_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An instance: a process.
typedef struct instance {
  const vb_proxy *proxy;
  vb_channel channel;
  double limit_s;
  double memory_gb; ///< as they were set
  double cpu_s;
  size_t *count; ///< (n_fields)
  size_t state_size;
  size_t n_drivers;
  size_t n_work;
  int64_t pending; ///< steps that the process has not been asked for yet, or -1
  vb_divergence divergence;
  int64_t n_steps;    ///< asked for since create
  const char *reason; ///< of a solver that is checked: what could move something, or null
  char warning[160];
} instance;

static const vb_solver_description *describe(const vb_solver *solver) {
  return &((const vb_proxy *)solver)->about;
}

static void free_instance(instance *p) {
  vb_channel_close(&p->channel);
  free(p->count);
  free(p);
}

static void destroy(void *self) {
  instance *p = self;
  vb_error error = {0};
  if (!p)
    return;
  // Nobody can be told any more in a way that ends a run.
  if (p->channel.child > 0 && vb_channel_ask(&p->channel, VB_CALL_DESTROY, p->limit_s, &error))
    fprintf(stderr, "viperbench: solver %s: %s\n", p->proxy->name, error.message);
  free_instance(p);
}

static vb_status ask(instance *p, vb_call call, vb_error *error) {
  vb_error solver_error = {0};
  vb_status status = vb_channel_ask(&p->channel, call, p->limit_s, &solver_error);
  return status ? vb_error_set(error, status, "solver %s: %s", p->proxy->name, solver_error.message)
                : VB_OK;
}

/// Has the process take the steps that are still to be taken. Only a sync asks for them: so a step
/// and the sync that follows it go to the process at once.
static vb_status flush(instance *p, vb_error *error) {
  if (p->pending < 0)
    return VB_OK;
  p->channel.head->number = p->pending;
  vb_status status = ask(p, VB_CALL_STEP, error);
  p->pending = -1;
  if (!status)
    p->divergence = p->channel.answer.divergence;
  return status;
}

static vb_status ask_in_turn(instance *p, vb_call call, vb_error *error) {
  vb_status status = flush(p, error);
  return status ? status : ask(p, call, error);
}

/// Asks for a call whose answer is so many bytes of data.
static vb_status ask_for_data(instance *p, vb_call call, size_t bytes, vb_error *error) {
  vb_status status = ask_in_turn(p, call, error);
  if (!status && bytes > p->channel.data_bytes)
    status =
        vb_error_set(error, VB_FAILED, "solver %s: its process sent too little", p->proxy->name);
  return status;
}

static vb_status fetch(instance *p, vb_call call, void *out, size_t bytes, vb_error *error) {
  vb_status status = ask_for_data(p, call, bytes, error);
  if (!status && bytes > 0)
    memcpy(out, p->channel.data, bytes);
  return status;
}

/// Packs the options for the process, but those of the host.
static vb_status pack_options(instance *p, const vb_option *options, size_t n_options,
                              vb_error *error) {
  vb_pack pack = {.bytes = p->channel.data, .size = p->channel.data_bytes};
  size_t n = 0;
  for (size_t i = 0; i < n_options; i++)
    n += !vb_option_is_host(options[i].name);
  vb_pack_whole(&pack, n);
  for (size_t i = 0; i < n_options; i++)
    if (!vb_option_is_host(options[i].name)) {
      vb_pack_text(&pack, options[i].name);
      vb_pack_text(&pack, options[i].value);
    }
  return pack.broken ? vb_bad_input(error, "the options are too long") : VB_OK;
}

/// Reads what a process says of an instance that was made. Nothing is believed that cannot be.
static vb_status take_sizes(instance *p, vb_error *error) {
  size_t n = p->proxy->about.n_fields;
  vb_pack pack = {.bytes = p->channel.data, .size = p->channel.data_bytes};
  p->state_size = (size_t)vb_unpack_whole(&pack);
  p->count = calloc(n + 1, sizeof *p->count);
  if (!p->count)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    p->count[i] = (size_t)vb_unpack_whole(&pack);
  bool valid = !pack.broken && p->state_size <= p->channel.data_bytes;
  for (size_t i = 0; i < n; i++)
    valid = valid && p->count[i] <= p->channel.data_bytes / sizeof(double) /
                                        (size_t)p->proxy->about.fields[i].components;
  return valid ? VB_OK
               : vb_error_set(error, VB_FAILED, "solver %s: its process sent broken sizes",
                              p->proxy->name);
}

/// The file must be the one whose hash is recorded and whose description was sent.
static vb_status check_file(const vb_proxy *proxy, vb_error *error) {
  char hex[65];
  vb_status status = vb_proxy_digest(proxy->path, hex, error);
  if (!status && strcmp(hex, proxy->sha256) != 0)
    status = vb_bad_input(error, "solver %s: %s has changed while it was in use", proxy->name,
                          proxy->path);
  return status;
}

/// Has the process open the solver, which the time limit of its calls is not about.
static vb_status load(instance *p, vb_error *error) {
  double limit_s = p->limit_s;
  p->limit_s = limit_s > 0 ? fmax(limit_s, VB_LOAD_S) : 0;
  vb_status status = ask(p, VB_CALL_LOAD, error);
  p->limit_s = limit_s;
  return status;
}

/// Takes the options of the host; what the process may use.
static vb_channel_limits take_limits(instance *p, const vb_option *options, size_t n) {
  const vb_solver_description *d = &p->proxy->about;
  p->limit_s = strtod(vb_solver_option(d, options, n, VB_TIME_LIMIT), NULL);
  p->memory_gb = strtod(vb_solver_option(d, options, n, VB_MEMORY_LIMIT), NULL);
  p->cpu_s = strtod(vb_solver_option(d, options, n, VB_CPU_LIMIT), NULL);
  return (vb_channel_limits){.memory = p->memory_gb > 0 ? 1e9 * p->memory_gb : vb_machine_memory(),
                             .cpu_s = p->cpu_s};
}

static vb_status start(instance *p, const vb_scene *scene, const vb_option *options,
                       size_t n_options, vb_error *error) {
  vb_channel_limits limits = take_limits(p, options, n_options);
  vb_status status = check_file(p->proxy, error);
  if (!status)
    status = vb_channel_open(p->proxy->program, p->proxy->name, scene, limits, &p->channel, error);
  if (!status)
    status = load(p, error);
  if (!status)
    status = pack_options(p, options, n_options, error);
  if (!status)
    status = ask(p, VB_CALL_CREATE, error);
  return status ? status : take_sizes(p, error);
}

static vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                        size_t n_options, void **out, vb_error *error) {
  const vb_proxy *proxy = (const vb_proxy *)solver;
  vb_status status = vb_solver_check_options(&proxy->about, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(&proxy->about, scene, error);
  if (status)
    return status;
  instance *p = calloc(1, sizeof *p);
  if (!p)
    return vb_error_memory(error);
  p->proxy = proxy;
  p->pending = -1;
  p->n_drivers = vb_scene_count(scene, VB_SET_DRIVER);
  p->n_work = vb_work_count(scene);
  p->reason = vb_plugin_checked(proxy->name) ? vb_motion_reason(scene) : NULL;
  status = start(p, scene, options, n_options, error);
  if (status)
    free_instance(p);
  else
    *out = p;
  return status;
}

static vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  instance *p = self;
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(&p->proxy->about, &option, 1, error);
  if (status)
    return status;
  if (strcmp(name, VB_TIME_LIMIT) == 0) {
    p->limit_s = strtod(value, NULL);
    return VB_OK;
  }
  if (vb_option_is_host(name))
    return vb_bad_input(error, "option %s cannot be changed after creation", name);
  status = flush(p, error);
  if (status)
    return status;
  vb_pack pack = {.bytes = p->channel.data, .size = p->channel.data_bytes};
  vb_pack_text(&pack, name);
  vb_pack_text(&pack, value);
  return ask(p, VB_CALL_SET_OPTION, error);
}

static vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  instance *p = self;
  if (vb_option_is_host(name)) {
    double value = strcmp(name, VB_TIME_LIMIT) == 0     ? p->limit_s
                   : strcmp(name, VB_MEMORY_LIMIT) == 0 ? p->memory_gb
                                                        : p->cpu_s;
    snprintf(out, size, "%.10g", value);
    return VB_OK;
  }
  vb_status status = flush(p, error);
  if (status)
    return status;
  vb_pack pack = {.bytes = p->channel.data, .size = p->channel.data_bytes};
  vb_pack_text(&pack, name);
  status = ask(p, VB_CALL_GET_OPTION, error);
  if (status)
    return status;
  snprintf(out, size, "%.*s", VB_CHANNEL_DATA - 1, p->channel.data);
  return VB_OK;
}

static vb_status step(void *self, int64_t n, vb_error *error) {
  instance *p = self;
  vb_status status = flush(p, error);
  if (!status) {
    p->pending = n;
    p->n_steps += n;
  }
  return status;
}

static vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *error) {
  instance *p = self;
  vb_status status = p->pending < 0 ? ask(p, VB_CALL_SYNC, error) : flush(p, error);
  if (status)
    return status;
  p->divergence = p->channel.answer.divergence;
  *divergence = p->divergence;
  return VB_OK;
}

static size_t state_size(const void *self) {
  return ((const instance *)self)->state_size;
}

static vb_status save(void *self, void *state, vb_error *error) {
  return fetch(self, VB_CALL_SAVE, state, ((instance *)self)->state_size, error);
}

static vb_status restore(void *self, const void *state, vb_error *error) {
  instance *p = self;
  vb_status status = flush(p, error);
  if (status)
    return status;
  memcpy(p->channel.data, state, p->state_size);
  return ask(p, VB_CALL_RESTORE, error);
}

static size_t count(const void *self, size_t field) {
  const instance *p = self;
  return field < p->proxy->about.n_fields ? p->count[field] : 0;
}

static vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  instance *p = self;
  const vb_solver_description *d = &p->proxy->about;
  if (field >= d->n_fields)
    return vb_bad_input(error, "solver %s has no field number %zu", p->proxy->name, field);
  vb_status status = flush(p, error);
  if (status)
    return status;
  p->channel.head->number = (int64_t)field;
  return fetch(p, VB_CALL_READ, out,
               p->count[field] * (size_t)d->fields[field].components * sizeof *out, error);
}

static vb_status energies(void *self, double *out, vb_error *error) {
  instance *p = self;
  return fetch(p, VB_CALL_ENERGIES, out, p->proxy->about.n_energies * sizeof *out, error);
}

static vb_status work(void *self, double *out, vb_error *error) {
  return fetch(self, VB_CALL_WORK, out, ((instance *)self)->n_work * sizeof *out, error);
}

static vb_status no_such(const instance *p, const char *what, vb_error *error) {
  return vb_bad_input(error, "solver %s has no %s", p->proxy->name, what);
}

static vb_status residual(void *self, double *out, vb_error *error) {
  instance *p = self;
  if (!p->proxy->about.has_residual)
    return no_such(p, "residual", error);
  return fetch(p, VB_CALL_RESIDUAL, out, sizeof *out, error);
}

static vb_status reactions(void *self, double *force, double *torque, vb_error *error) {
  instance *p = self;
  size_t bytes = 3 * p->n_drivers * sizeof *force;
  if (!p->proxy->about.has_reactions)
    return no_such(p, "reactions", error);
  vb_status status = ask_for_data(p, VB_CALL_REACTIONS, 2 * bytes, error);
  if (!status && bytes > 0) {
    memcpy(force, p->channel.data, bytes);
    memcpy(torque, p->channel.data + bytes, bytes);
  }
  return status;
}

static vb_status timings(void *self, double *out, vb_error *error) {
  instance *p = self;
  return fetch(p, VB_CALL_TIMINGS, out, p->proxy->about.n_phases * sizeof *out, error);
}

/// NaN, not counted, where the process does not answer.
static void cost(const void *self, double *bytes, double *operations) {
  instance *p = (instance *)self;
  *bytes = *operations = NAN;
  if (ask_in_turn(p, VB_CALL_COST, NULL))
    return;
  *bytes = p->channel.answer.value[0];
  *operations = p->channel.answer.value[1];
}

static vb_status device(void *self, vb_device *out, vb_error *error) {
  vb_device found;
  vb_status status = fetch(self, VB_CALL_DEVICE, &found, sizeof found, error);
  if (status)
    return status;
  found.name[sizeof found.name - 1] = found.uuid[sizeof found.uuid - 1] = '\0';
  *out = found;
  return VB_OK;
}

static vb_status convergence(void *self, vb_convergence *out, vb_error *error) {
  vb_convergence found;
  vb_status status = fetch(self, VB_CALL_CONVERGENCE, &found, sizeof found, error);
  if (status)
    return status;
  found.what[sizeof found.what - 1] = '\0';
  *out = found;
  return VB_OK;
}

/// What was seen of a solver that is checked; its own warning stays in its process.
static const char *warning(void *self) {
  instance *p = self;
  if (!p->reason || p->n_steps == 0 || p->channel.answer.moved)
    return NULL;
  snprintf(p->warning, sizeof p->warning, "no field has changed in %lld steps, though %s",
           (long long)p->n_steps, p->reason);
  return p->warning;
}

bool vb_plugin_find_usage(const vb_solver *solver, const void *self, vb_plugin_usage *out) {
  if (solver->describe != describe)
    return false;
  const vb_channel_head *answer = &((const instance *)self)->channel.answer;
  *out = (vb_plugin_usage){answer->cpu_s, answer->switches, answer->memory};
  return true;
}

const vb_solver vb_proxy_functions = {
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
    .cost = cost,
    .device = device,
    .warning = warning,
    .convergence = convergence,
};
