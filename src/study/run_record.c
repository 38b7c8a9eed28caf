// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/run.h"

#include "results/program_id.h"
#include "results/provenance.h"
#include "solver/held_pins.h"
#include "solver/table.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Each part goes in with its length, so that no two plans run together to the same bytes.
static void add_bytes(SHA2_CTX *hash, const void *data, uint64_t n) {
  SHA256Update(hash, (const uint8_t *)&n, sizeof n);
  SHA256Update(hash, data, n);
}

static void add_text(SHA2_CTX *hash, const char *text) {
  const char *value = text ? text : "";
  add_bytes(hash, value, strlen(value));
}

static void add_integer(SHA2_CTX *hash, int64_t value) {
  add_bytes(hash, &value, sizeof value);
}

/// A shared object or a Python file is its bytes.
static vb_status add_solver(SHA2_CTX *hash, const char *name, vb_error *error) {
  const vb_solver *solver;
  vb_solver_origin origin;
  if (!vb_plugin_named(name))
    return VB_OK;
  vb_status status = vb_solver_find(name, &solver, error);
  if (!status && vb_solver_find_origin(solver, &origin))
    add_text(hash, origin.sha256);
  return status;
}

static void add_plan(SHA2_CTX *hash, const vb_run_plan *run) {
  add_text(hash, run->name);
  add_text(hash, run->label);
  add_text(hash, run->scenario);
  add_text(hash, run->script);
  add_text(hash, run->parameters);
  add_text(hash, run->solver);
  add_integer(hash, (int64_t)run->n_options);
  for (size_t i = 0; i < run->n_options; i++) {
    add_text(hash, run->options[i].name);
    add_text(hash, run->options[i].value);
  }
  add_integer(hash, run->record.every);
  add_integer(hash, run->record.frames_every);
  add_integer(hash, run->record.residual);
  add_bytes(hash, &run->record.converged, sizeof run->record.converged);
  add_integer(hash, (int64_t)run->record.n_fields);
  for (size_t i = 0; i < run->record.n_fields; i++)
    add_text(hash, run->record.fields[i]);
  add_bytes(hash, run->record.reference, run->record.n_reference * sizeof *run->record.reference);
  add_integer(hash, run->record.exact);
  add_integer(hash, run->record.weights);
  add_bytes(hash, run->record.view, sizeof run->record.view);
  for (size_t i = 0; i < run->record.n_kept; i++) {
    const vb_exact_frames *kept = &run->record.kept[i];
    add_text(hash, kept->field);
    add_integer(hash, kept->ends);
    add_bytes(hash, &kept->allowed, sizeof kept->allowed);
    add_bytes(hash, &kept->from, sizeof kept->from);
    add_bytes(hash, &kept->to, sizeof kept->to);
  }
  for (size_t i = 0; i < run->n_sweep; i++) {
    add_text(hash, run->sweep[i].axis);
    add_text(hash, run->sweep[i].text);
  }
  add_integer(hash, run->convergence.after);
  add_bytes(hash, run->convergence.iterations, run->convergence.n * sizeof(int64_t));
}

/// The key under which a run's recorded data may stand for a new run, and the hash of its scene:
/// 64 digits and a zero.
static vb_status run_key(const vb_study *study, const vb_run_plan *run, char hex[65],
                         char scene[65], vb_error *error) {
  char program[65];
  vb_status status = vb_program_id(program, error);
  if (status)
    return status;
  vb_scene_sha256(run->scene, scene);
  SHA2_CTX hash;
  char digest[SHA256_DIGEST_STRING_LENGTH];
  SHA256Init(&hash);
  add_text(&hash, VB_SCHEMA_VERSION);
  add_text(&hash, program);
  add_text(&hash, scene);
  add_text(&hash, study->name);
  add_text(&hash, study->tier);
  add_text(&hash, study->compare);
  add_plan(&hash, run);
  status = add_solver(&hash, run->solver, error);
  SHA256End(&hash, digest);
  if (!status)
    memcpy(hex, digest, 65);
  return status;
}

vb_record_state vb_run_find_record(const char *path, const vb_study *study, const vb_run_plan *run,
                                   vb_error *error) {
  char key[65] = "", scene[65];
  bool missing = access(path, F_OK) != 0 && errno == ENOENT; // no key is needed
  if (!missing && run_key(study, run, key, scene, error))
    return VB_RECORD_OUT_OF_REACH;
  return vb_run_record_examine(path, key, error);
}

bool vb_run_is_recorded(const char *path, const vb_study *study, const vb_run_plan *run) {
  return vb_run_find_record(path, study, run, NULL) == VB_RECORD_CURRENT;
}

/// Finds out whether the instance's steps run on a GPU, and what there is to say of it.
static vb_status find_gpu(const vb_solver *solver, void *instance, vb_gpu_describe *describe,
                          vb_gpu_record *out, bool *there, vb_error *error) {
  vb_device device = {0};
  vb_status status = solver->device ? solver->device(instance, &device, error) : VB_OK;
  *there = !status && device.name[0];
  if (!*there)
    return status;
  describe(device.uuid, out);
  // The solver knows these two without the driver's library, too, which knows a slice by its UUID.
  snprintf(out->gpu.name, sizeof out->gpu.name, "%s", device.name);
  if (!out->gpu.uuid[0])
    snprintf(out->gpu.uuid, sizeof out->gpu.uuid, "%s", device.uuid);
  return VB_OK;
}

vb_status vb_run_record(const char *path, const vb_study *study, const vb_run_plan *run,
                        const vb_solver *solver, void *instance, vb_gpu_describe *describe,
                        vb_results **out, vb_error *error) {
  char key[65], scene[65];
  vb_gpu_record gpu;
  vb_solver_origin origin;
  bool on_gpu = false;
  vb_status status = run_key(study, run, key, scene, error);
  if (!status && describe)
    status = find_gpu(solver, instance, describe, &gpu, &on_gpu, error);
  if (status)
    return status;
  const vb_solver *inner = vb_held_pins_inner(solver);
  vb_run_facts facts = {.study = study->name,
                        .tier = study->tier,
                        .compare = study->compare,
                        .name = run->name,
                        .label = run->label,
                        .scenario = run->scenario,
                        .script = run->script,
                        .parameters = run->parameters,
                        .key = key,
                        .scene_sha256 = scene,
                        .scene = run->scene,
                        .record = run->record,
                        .n_convergence = run->convergence.n,
                        .sweep = run->sweep,
                        .n_sweep = run->n_sweep,
                        .origin = vb_solver_find_origin(inner, &origin) ? &origin : NULL,
                        .gpu = on_gpu ? &gpu : NULL};
  return vb_results_create(path, &facts, solver, instance, out, error);
}
