// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/snapshot.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a snapshot holds, before the fields: asked for by one function, left in a guard.
static const struct {
  vb_status (*ask)(vb_guarded *g, vb_error *error);
  size_t guard; ///< its place in a vb_guarded
  const char *name;
} QUANTITIES[] = {{vb_guarded_save, offsetof(vb_guarded, state), "the state"},
                  {vb_guarded_energies, offsetof(vb_guarded, energies), "the energies"},
                  {vb_guarded_work, offsetof(vb_guarded, work), "the works"},
                  {vb_guarded_residual, offsetof(vb_guarded, residual), "the residual"},
                  {vb_guarded_convergence, offsetof(vb_guarded, convergence), "the convergence"},
                  {vb_guarded_reactions, offsetof(vb_guarded, force), "the forces"},
                  {NULL, offsetof(vb_guarded, torque), "the torques"}}; // come with the forces

enum { STATE, ENERGIES, WORK, RESIDUAL, CONVERGENCE, FORCE, TORQUE, N_QUANTITIES };

/// The guard of quantity number `i`: one of the above, or beyond them a field.
static const vb_guard *guard_of(const vb_guarded *g, size_t i) {
  return i < N_QUANTITIES ? (const vb_guard *)(const void *)((const char *)g + QUANTITIES[i].guard)
                          : &g->field[i - N_QUANTITIES];
}

/// Whether the solver has it.
static bool has_quantity(const vb_guarded *g, size_t i) {
  if (i == CONVERGENCE)
    return g->solver->convergence != NULL;
  return i == RESIDUAL ? g->about->has_residual
                       : i < RESIDUAL || i >= N_QUANTITIES || g->about->has_reactions;
}

static size_t quantity_bytes(const vb_guarded *g, size_t i) {
  if (i >= N_QUANTITIES)
    return vb_guarded_numbers(g, i - N_QUANTITIES) * sizeof(double);
  return has_quantity(g, i) ? guard_of(g, i)->bytes : 0;
}

static vb_status ask(vb_guarded *g, size_t i, vb_error *error) {
  if (i >= N_QUANTITIES)
    return vb_guarded_read(g, i - N_QUANTITIES, error);
  return has_quantity(g, i) && QUANTITIES[i].ask ? QUANTITIES[i].ask(g, error) : VB_OK;
}

vb_status vb_snapshot_take(vb_guarded *g, vb_snapshot *out, vb_error *error) {
  size_t n = N_QUANTITIES + g->about->n_fields, size = 0;
  for (size_t i = 0; i < n; i++)
    size += quantity_bytes(g, i);
  *out = (vb_snapshot){.bytes = malloc(size + 1), .size = size};
  vb_status status = out->bytes ? VB_OK : vb_error_memory(error);
  char *at = out->bytes;
  for (size_t i = 0; !status && i < n; i++) {
    status = ask(g, i, error);
    if (!status && quantity_bytes(g, i) > 0)
      memcpy(at, guard_of(g, i)->data, quantity_bytes(g, i));
    at += quantity_bytes(g, i);
  }
  return status;
}

void vb_snapshot_free(vb_snapshot *snapshot) {
  free(snapshot->bytes);
  *snapshot = (vb_snapshot){0};
}

static void name_quantity(const vb_guarded *g, size_t quantity, size_t byte,
                          char what[VB_OUTPUT_NAME]) {
  size_t width = sizeof(double);
  if (quantity == STATE)
    snprintf(what, VB_OUTPUT_NAME, "byte %zu of the state", byte);
  else if (quantity < N_QUANTITIES)
    snprintf(what, VB_OUTPUT_NAME, "number %zu of %s", byte / width, QUANTITIES[quantity].name);
  else
    snprintf(what, VB_OUTPUT_NAME, "number %zu of field %s", byte / width,
             g->about->fields[quantity - N_QUANTITIES].name);
}

bool vb_snapshot_same(const vb_guarded *g, const vb_snapshot *a, const vb_snapshot *b,
                      char what[VB_OUTPUT_NAME]) {
  size_t n = N_QUANTITIES + g->about->n_fields, at = 0;
  // Numbers say more than bytes of the state: that comes last.
  for (size_t i = 0; i < n; i++) {
    size_t quantity = (i + 1) % n,
           begin = quantity == STATE ? 0 : at + (i == 0 ? quantity_bytes(g, STATE) : 0);
    size_t bytes = quantity_bytes(g, quantity), k = 0;
    while (k < bytes && a->bytes[begin + k] == b->bytes[begin + k])
      k++;
    if (k < bytes) {
      name_quantity(g, quantity, k, what);
      return false;
    }
    at = begin + bytes;
  }
  return true;
}
