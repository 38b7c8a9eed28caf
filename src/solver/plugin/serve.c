// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/serve.h"

#include "base/arena.h"
#include "base/process_limits.h"
#include "base/watchdog.h"
#include "solver/plugin/description.h"
#include "solver/plugin/examine.h"
#include "solver/plugin/fault.h"
#include "solver/plugin/guarded.h"
#include "solver/plugin/motion_check.h"
#include "solver/table.h"

#include <malloc.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/// What a child process works with.
typedef struct server {
  const char *name;
  vb_serve_find *find;
  bool checked; ///< whether the solver is examined as it works
  vb_channel channel;
  const vb_scene *scene; ///< or null
  const vb_solver *solver;
  const vb_solver_description *about;
  vb_guarded guarded;
  vb_option *options;
  size_t n_options;
  int64_t examined_at;    ///< steps at the latest examination
  vb_motion_check motion; ///< of a solver that is checked
} server;

/// Finds the solver and sends its description.
static vb_status load(server *s, vb_error *error) {
  s->checked = vb_plugin_checked(s->name) != NULL;
  vb_status status = s->find(s->name, &s->channel, &s->solver, error);
  if (!status)
    status = vb_guarded_describe(s->solver, &s->channel, &s->about, error);
  for (size_t bytes = VB_CHANNEL_DATA; !status; bytes *= 2) {
    status = vb_channel_reserve(&s->channel, bytes, error);
    vb_pack pack = {.bytes = s->channel.data, .size = s->channel.data_bytes};
    vb_pack_whole(&pack, s->solver->cost != NULL);
    vb_pack_whole(&pack, s->solver->device != NULL);
    vb_pack_whole(&pack, s->solver->convergence != NULL);
    vb_description_pack(s->about, &pack);
    if (!pack.broken)
      break;
    if (bytes >= VB_DESCRIPTION_DATA)
      status = vb_bad_input(error, "has a description of more than %d bytes", VB_DESCRIPTION_DATA);
  }
  return status;
}

/// Keeps the setting of an option: examinations make equal instances.
static vb_status keep_option(server *s, const char *name, const char *value, vb_error *error) {
  vb_option *added = VB_APPEND(s->options, s->n_options);
  if (!added)
    return vb_error_memory(error);
  *added = (vb_option){strdup(name), strdup(value)};
  return added->name && added->value ? VB_OK : vb_error_memory(error);
}

/// The options that the host sent.
static vb_status take_options(server *s, vb_error *error) {
  vb_pack pack = {.bytes = s->channel.data, .size = s->channel.data_bytes};
  vb_status status = VB_OK;
  for (size_t n = vb_unpack_count(&pack); !status && n > 0; n--) {
    const char *name = vb_unpack_text(&pack), *value = vb_unpack_text(&pack);
    status = keep_option(s, name ? name : "", value ? value : "", error);
  }
  return status;
}

/// Room for the largest thing that is ever sent.
static vb_status reserve(server *s, vb_error *error) {
  const vb_guarded *g = &s->guarded;
  size_t most = (g->about->n_fields + 1) * sizeof(uint64_t);
  size_t bytes[] = {g->state_size, g->energies.bytes, g->work.bytes, 2 * g->force.bytes,
                    g->timings.bytes};
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
    most = bytes[i] > most ? bytes[i] : most;
  for (size_t i = 0; i < g->about->n_fields; i++) {
    size_t field = vb_guarded_numbers(g, i) * sizeof(double);
    most = field > most ? field : most;
  }
  return vb_channel_reserve(&s->channel, most, error);
}

/// Bytes that the process has allocated.
static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

static vb_status create(server *s, vb_error *error) {
  if (!s->solver || !s->scene || s->guarded.self)
    return vb_error_set(error, VB_FAILED, "its process was asked out of turn");
  vb_status status = take_options(s, error);
  double before = allocated();
  if (!status)
    status = vb_guarded_create(s->solver, &s->channel, s->scene, s->options, s->n_options,
                               &s->guarded, error);
  s->channel.head->memory = fmax(0, allocated() - before);
  if (!status && s->checked)
    status = vb_examine_new(&s->guarded, s->options, s->n_options, error);
  if (!status && s->checked)
    status = vb_motion_check_begin(&s->motion, &s->guarded, error);
  if (!status)
    status = reserve(s, error);
  if (status)
    return status;
  vb_pack pack = {.bytes = s->channel.data, .size = s->channel.data_bytes};
  vb_pack_whole(&pack, s->guarded.state_size);
  for (size_t i = 0; i < s->about->n_fields; i++)
    vb_pack_whole(&pack, s->guarded.count[i]);
  return VB_OK;
}

/// Copies a text that the host sent.
static void take_text(vb_pack *pack, char out[VB_VALUE_SIZE]) {
  const char *text = vb_unpack_text(pack);
  snprintf(out, VB_VALUE_SIZE, "%s", text ? text : "");
}

static vb_status set_option(server *s, vb_error *error) {
  char name[VB_VALUE_SIZE], value[VB_VALUE_SIZE];
  vb_pack pack = {.bytes = s->channel.data, .size = s->channel.data_bytes};
  take_text(&pack, name);
  take_text(&pack, value);
  vb_status status = vb_guarded_set_option(&s->guarded, name, value, error);
  return status ? status : keep_option(s, name, value, error);
}

static vb_status get_option(server *s, vb_error *error) {
  char name[VB_VALUE_SIZE];
  vb_pack pack = {.bytes = s->channel.data, .size = s->channel.data_bytes};
  take_text(&pack, name);
  vb_status status = vb_guarded_get_option(&s->guarded, name, error);
  if (!status)
    memcpy(s->channel.data, s->guarded.text.data, VB_VALUE_SIZE);
  return status;
}

/// Examinations come after 1, 2, 4, 8, .. steps, at the end of what was asked for.
static bool is_due(const server *s) {
  return s->checked && !s->guarded.diverged && s->guarded.n_steps >= 2 * s->examined_at &&
         s->guarded.n_steps > s->examined_at;
}

static vb_status sync(server *s, vb_error *error) {
  vb_divergence divergence = {0};
  vb_status status = vb_guarded_sync(&s->guarded, &divergence, error);
  if (!status && is_due(s)) {
    s->examined_at = s->guarded.n_steps;
    status = vb_examine_running(&s->guarded, s->options, s->n_options, error);
  }
  if (!status)
    s->channel.head->divergence = divergence;
  return status;
}

static vb_status step(server *s, vb_error *error) {
  vb_status status = vb_guarded_step(&s->guarded, s->channel.head->number, error);
  if (!status)
    status = sync(s, error);
  if (!status && s->checked && !s->guarded.diverged)
    status = vb_motion_check_look(&s->motion, &s->guarded, error);
  s->channel.head->moved = s->motion.moved;
  return status;
}

static vb_status restore(server *s, vb_error *error) {
  return vb_guarded_restore(&s->guarded, s->channel.data, error);
}

/// Sends what a guard holds.
static vb_status send(server *s, vb_status status, const vb_guard *guard) {
  if (!status && guard->bytes > 0)
    memcpy(s->channel.data, guard->data, guard->bytes);
  return status;
}

static vb_status read_field(server *s, vb_error *error) {
  size_t field = (size_t)s->channel.head->number;
  if (field >= s->about->n_fields)
    return vb_bad_input(error, "there is no field number %zu", field);
  return send(s, vb_guarded_read(&s->guarded, field, error), &s->guarded.field[field]);
}

static vb_status reactions(server *s, vb_error *error) {
  vb_guarded *g = &s->guarded;
  vb_status status = vb_guarded_reactions(g, error);
  if (!status && g->force.bytes > 0) {
    memcpy(s->channel.data, g->force.data, g->force.bytes);
    memcpy(s->channel.data + g->force.bytes, g->torque.data, g->torque.bytes);
  }
  return status;
}

static vb_status cost(server *s, vb_error *error) {
  vb_status status = vb_guarded_cost(&s->guarded, error);
  if (!status)
    memcpy(s->channel.head->value, s->guarded.cost.data, sizeof s->channel.head->value);
  return status;
}

static vb_status destroy(server *s, vb_error *error) {
  (void)error;
  vb_motion_check_end(&s->motion);
  vb_guarded_destroy(&s->guarded);
  return VB_OK;
}

/// What answers a call: a function, or what the guard holds after it was asked for.
static const struct {
  vb_status (*answer)(server *s, vb_error *error);
  vb_status (*ask)(vb_guarded *g, vb_error *error);
  size_t guard; ///< its place in a vb_guarded
} ANSWERS[VB_CALL_COUNT] = {
    [VB_CALL_LOAD] = {.answer = load},
    [VB_CALL_CREATE] = {.answer = create},
    [VB_CALL_SET_OPTION] = {.answer = set_option},
    [VB_CALL_GET_OPTION] = {.answer = get_option},
    [VB_CALL_STEP] = {.answer = step},
    [VB_CALL_SYNC] = {.answer = sync},
    [VB_CALL_SAVE] = {NULL, vb_guarded_save, offsetof(vb_guarded, state)},
    [VB_CALL_RESTORE] = {.answer = restore},
    [VB_CALL_READ] = {.answer = read_field},
    [VB_CALL_ENERGIES] = {NULL, vb_guarded_energies, offsetof(vb_guarded, energies)},
    [VB_CALL_WORK] = {NULL, vb_guarded_work, offsetof(vb_guarded, work)},
    [VB_CALL_RESIDUAL] = {NULL, vb_guarded_residual, offsetof(vb_guarded, residual)},
    [VB_CALL_REACTIONS] = {.answer = reactions},
    [VB_CALL_TIMINGS] = {NULL, vb_guarded_timings, offsetof(vb_guarded, timings)},
    [VB_CALL_COST] = {.answer = cost},
    [VB_CALL_DEVICE] = {NULL, vb_guarded_device, offsetof(vb_guarded, device)},
    [VB_CALL_CONVERGENCE] = {NULL, vb_guarded_convergence, offsetof(vb_guarded, convergence)},
    [VB_CALL_DESTROY] = {.answer = destroy},
};

static vb_status answer(server *s, uint32_t call, vb_error *error) {
  vb_guarded *g = &s->guarded;
  if (call > VB_CALL_CREATE && !g->self)
    return vb_error_set(error, VB_FAILED, "its process was asked out of turn");
  if (call >= VB_CALL_COUNT)
    return vb_error_set(error, VB_FAILED, "its process got an unknown request");
  if (ANSWERS[call].answer)
    return ANSWERS[call].answer(s, error);
  const vb_guard *guard = (const vb_guard *)(const void *)((char *)g + ANSWERS[call].guard);
  return send(s, ANSWERS[call].ask(g, error), guard);
}

/// Tells what the process has used so far.
static void send_usage(vb_channel_head *head) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    return;
  head->cpu_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
  head->switches = usage.ru_nivcsw;
}

static void free_server(server *s) {
  for (size_t i = 0; s->options && i < s->n_options; i++) {
    free((void *)s->options[i].name);
    free((void *)s->options[i].value);
  }
  free(s->options);
  vb_channel_unmap(&s->channel);
}

static void answer_call(server *s) {
  vb_error solver_error = {0};
  vb_status status = answer(s, s->channel.head->call, &solver_error);
  memcpy(s->channel.head->message, solver_error.message, sizeof solver_error.message);
  send_usage(s->channel.head);
  s->channel.head->status = (uint32_t)status;
  vb_channel_send(&s->channel);
}

/// What the host allows: of this process, and of an interpreter that takes its place.
static void set_limits(const vb_channel *channel) {
  vb_channel_limits limits = channel->head->limits;
  double cpu_s = ceil(limits.cpu_s);
  vb_limit_data(limits.memory);
  vb_limit_set(RLIMIT_NOFILE, VB_CHANNEL_FILES, VB_CHANNEL_FILES);
  if (cpu_s > 0)
    vb_limit_set(RLIMIT_CPU, cpu_s, cpu_s + 1); // the signal of the soft limit tells why it ended
}

static vb_status serve(const char *name, vb_serve_find *find, bool first, vb_error *error) {
  server s = {.name = name, .find = find};
  size_t scene_bytes;
  char byte;
  vb_status status = vb_channel_join(&s.channel, &s.scene, &scene_bytes, error);
  if (status)
    return status;
  if (first) {
    vb_watchdog_start(vb_channel_host(&s.channel), true);
    set_limits(&s.channel);
    setvbuf(stdout, NULL, _IOLBF, 0); // a process that is ended loses what waits
  }
  vb_fault_install(&s.channel, s.scene, scene_bytes);
  if (!first)
    answer_call(&s);
  while (vb_channel_receive(&s.channel, &byte) == 1 && byte == VB_CHANNEL_BYTE)
    answer_call(&s);
  free_server(&s);
  return VB_OK;
}

vb_status vb_serve(const char *name, vb_serve_find *find, vb_error *error) {
  return serve(name, find, true, error);
}

vb_status vb_serve_on(const char *name, vb_serve_find *find, vb_error *error) {
  return serve(name, find, false, error);
}
