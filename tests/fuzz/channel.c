// SPDX-License-Identifier: GPL-3.0-or-later
// The host's side of plug-ins. The first byte of an input says what the rest is: 'd' a description
// as it comes from a process, otherwise what a process does that serves a solver (hostile.c).
#include "fuzz.h"

#include "script/study/lua_study.h"
#include "solver/plugin/description.h"
#include "solver/plugin/guarded.h"
#include "solver/plugin/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_description(const uint8_t *data, size_t size) {
  char *bytes = malloc(size + 1);
  vb_solver_description d;
  vb_error error = {0};
  if (!bytes)
    return;
  memcpy(bytes, data, size);
  vb_pack pack = {.bytes = bytes, .size = size};
  vb_status status = vb_description_unpack(&pack, &d, &error);
  if (!status) {
    status = vb_description_check(&d, &error);
    vb_description_free(&d);
  }
  fuzz_expect(status, &error);
  free(bytes);
}

static const vb_field FIELDS[] = {
    {.name = "position",
     .location = VB_AT_NODE,
     .components = 3,
     .unit = "m",
     .long_name = "where"},
    {.name = "scale", .location = VB_AT_NODE, .components = 1, .unit = "1", .long_name = "scale"},
    {.name = "momentum", .location = VB_AT_SCENE, .components = 3, .unit = "1", .long_name = "p"}};
static const vb_energy ENERGIES[] = {{"kinetic", "of motion", false}, {"stretch", "of it", true}};
static const vb_option_info OPTIONS[] = {
    {"word", "a", "a|b", 0, 0, false, true, "a word"},
    {VB_TIME_LIMIT, "60", NULL, 0, 1e6, false, true, "of an answer, s"},
    {VB_MEMORY_LIMIT, "0", NULL, 0, 1e6, false, false, "of the process, GB"},
    {VB_CPU_LIMIT, "0", NULL, 0, 1e9, false, false, "of the process, s"}};
static const char *const PHASES[] = {"all"};

enum { N_FIELDS = 3, N_ENERGIES = 2 };

/// The program beside this one that plays the process.
static char *hostile_program(void) {
  static char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "hostile");
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, "hostile");
  return path;
}

/// A solver whose processes are hostile.
static vb_proxy *make_proxy(void) {
  static vb_proxy proxy = {.name = "hostile"};
  proxy.program = hostile_program();
  proxy.solver = vb_proxy_functions;
  proxy.about = (vb_solver_description){.name = "hostile",
                                        .long_name = "a hostile process",
                                        .sets = UINT64_MAX,
                                        .fields = FIELDS,
                                        .n_fields = N_FIELDS,
                                        .energies = ENERGIES,
                                        .n_energies = N_ENERGIES,
                                        .options = OPTIONS,
                                        .n_options = sizeof OPTIONS / sizeof *OPTIONS,
                                        .phases = PHASES,
                                        .n_phases = 1,
                                        .has_residual = true,
                                        .has_reactions = true};
  return &proxy;
}

/// A rod with one driver and one load.
static const vb_study *make_study(void) {
  static const char SCRIPT[] =
      "return { title = 't', build = function()\n"
      "  local s = vb.scene{ step = 1, steps = 1 }\n"
      "  local r = s:rod{ nodes = 4, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1,\n"
      "    density = 1000, material = {E = 1e6, nu = 0.4} }\n"
      "  s:pin{ node = 0, driver = s:driver{ name = 'd' } }\n"
      "  s:load{ node = 3, force = {1, 0, 0}, name = 'l' }\n"
      "  return s end }\n";
  static vb_study *study;
  char path[FUZZ_PATH];
  vb_error error = {0};
  if (study)
    return study;
  fuzz_write("channel.lua", SCRIPT, sizeof SCRIPT - 1, path);
  vb_study_request request = {.name = path, .tier = "quick"};
  if (vb_lua_study_load(&request, ".", VB_LUA_LIMITS, &study, &error)) {
    fprintf(stderr, "%s\n", error.message);
    abort();
  }
  return study;
}

/// Room for what an instance answers, of just that size.
static double *room(size_t n) {
  double *list = malloc(n * sizeof *list + 1);
  if (!list)
    abort();
  return list;
}

/// Reads every field, as long as that goes well.
static vb_status read_fields(const vb_solver *solver, void *self, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; i < N_FIELDS && !status; i++) {
    double *values = room(solver->count(self, i) * (size_t)FIELDS[i].components);
    status = solver->read(self, i, values, error);
    free(values);
  }
  return status;
}

/// Asks for all that is told by numbers.
static vb_status ask_numbers(const vb_solver *solver, void *self, vb_error *error) {
  double *values = room(N_ENERGIES), *force = room(3), *torque = room(3), bytes, operations;
  vb_device device;
  vb_status status = solver->energies(self, values, error);
  if (!status)
    status = solver->work(self, values, error);
  if (!status)
    status = solver->residual(self, values, error);
  if (!status)
    status = solver->timings(self, values, error);
  if (!status)
    status = solver->reactions(self, force, torque, error);
  if (!status)
    status = solver->device(self, &device, error);
  solver->cost(self, &bytes, &operations);
  free(values);
  free(force);
  free(torque);
  return status;
}

/// What a run does with an instance, and a bit more; ends at the first failure, as a run does.
static vb_status use(const vb_solver *solver, void *self, vb_error *error) {
  char word[VB_VALUE_SIZE];
  vb_divergence divergence;
  char *state = malloc(solver->state_size(self) + 1);
  if (!state)
    abort();
  vb_status status = solver->save(self, state, error);
  if (!status)
    status = solver->step(self, 2, error);
  if (!status)
    status = solver->sync(self, &divergence, error);
  if (!status)
    status = read_fields(solver, self, error);
  if (!status)
    status = ask_numbers(solver, self, error);
  if (!status)
    status = solver->set_option(self, "word", "b", error);
  if (!status)
    status = solver->get_option(self, "word", word, sizeof word, error);
  if (!status)
    status = solver->restore(self, state, error);
  free(state);
  return status;
}

static void run(const uint8_t *data, size_t size) {
  static const vb_option patience = {VB_TIME_LIMIT, "0.05"};
  char path[FUZZ_PATH];
  void *self = NULL;
  vb_error error = {0};
  if (size == 0)
    return;
  if (data[0] == 'd') {
    read_description(data + 1, size - 1);
    return;
  }
  const vb_study *study = make_study();
  const vb_solver *solver = &make_proxy()->solver;
  fuzz_write("recipe", data + 1, size - 1, path);
  setenv("VB_FUZZ_RECIPE", path, 1);
  vb_status status = solver->create(solver, study->runs[0].scene, &patience, 1, &self, &error);
  if (!status) {
    status = use(solver, self, &error);
    solver->destroy(self);
  }
  fuzz_expect(status, &error);
}

const fuzz_target fuzz_channel = {"channel", run, NULL};
