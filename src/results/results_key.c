// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/provenance.h"
#include "results/results_internal.h"
#include "solver/plugin/plugin.h"

#include <sha2.h>
#include <string.h>

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

/// A shared object is its bytes.
static vb_status add_solver(SHA2_CTX *hash, const char *name, vb_error *error) {
  const vb_solver *solver;
  vb_plugin_origin origin;
  if (!vb_plugin_named(name))
    return VB_OK;
  vb_status status = vb_solver_find(name, &solver, error);
  if (!status && vb_plugin_find_origin(solver, &origin))
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
  add_integer(hash, (int64_t)run->record.n_fields);
  for (size_t i = 0; i < run->record.n_fields; i++)
    add_text(hash, run->record.fields[i]);
  for (size_t i = 0; i < run->n_sweep; i++) {
    add_text(hash, run->sweep[i].axis);
    add_text(hash, run->sweep[i].text);
  }
  add_integer(hash, run->convergence.after);
  add_bytes(hash, run->convergence.iterations, run->convergence.n * sizeof(int64_t));
}

vb_status vb_results_run_key(const vb_study *study, const vb_run_plan *run, char hex[65],
                             vb_error *error) {
  char program[65], scene[65];
  vb_status status = vb_program_sha256(program, error);
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

bool vb_results_is_current(const char *path, const vb_study *study, const vb_run_plan *run) {
  char key[65], stored[65] = "", status[32] = "";
  if (vb_results_run_key(study, run, key, NULL))
    return false;
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t file = vb_results_open(&h5, NULL), group = vb_h5_open_group(&h5, file, "run");
  bool stored_key = group >= 0 && vb_h5_read_attribute(group, "run_key", stored, sizeof stored) &&
                    vb_h5_read_attribute(group, "status", status, sizeof status);
  vb_h5_release(group);
  vb_h5_release(file);
  return stored_key && strcmp(key, stored) == 0 &&
         (strcmp(status, "complete") == 0 || strcmp(status, "diverged") == 0);
}
