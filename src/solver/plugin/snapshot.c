// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE, ENERGIES, WORK, RESIDUAL, FORCE, TORQUE, N_QUANTITIES };

/// What quantity number `i` holds: one of the above, or beyond them a field. 0 bytes where it is
/// not there.
static size_t quantity_bytes(const vb_guarded *g, size_t i) {
  switch (i) {
  case STATE:
    return g->state_size;
  case ENERGIES:
    return g->energies.bytes;
  case WORK:
    return g->work.bytes;
  case RESIDUAL:
    return g->about->has_residual ? g->residual.bytes : 0;
  case FORCE:
    return g->about->has_reactions ? g->force.bytes : 0;
  case TORQUE:
    return g->about->has_reactions ? g->torque.bytes : 0;
  default:
    return vb_guarded_numbers(g, i - N_QUANTITIES) * sizeof(double);
  }
}

/// Asks for a quantity; the torque comes with the force.
static vb_status ask(vb_guarded *g, size_t i, const vb_guard **out, vb_error *error) {
  switch (i) {
  case STATE:
    *out = &g->state;
    return vb_guarded_save(g, error);
  case ENERGIES:
    *out = &g->energies;
    return vb_guarded_energies(g, error);
  case WORK:
    *out = &g->work;
    return vb_guarded_work(g, error);
  case RESIDUAL:
    *out = &g->residual;
    return g->about->has_residual ? vb_guarded_residual(g, error) : VB_OK;
  case FORCE:
    *out = &g->force;
    return g->about->has_reactions ? vb_guarded_reactions(g, error) : VB_OK;
  case TORQUE:
    *out = &g->torque;
    return VB_OK;
  default:
    *out = &g->field[i - N_QUANTITIES];
    return vb_guarded_read(g, i - N_QUANTITIES, error);
  }
}

vb_status vb_snapshot_take(vb_guarded *g, vb_snapshot *out, vb_error *error) {
  size_t n = N_QUANTITIES + g->about->n_fields, size = 0;
  for (size_t i = 0; i < n; i++)
    size += quantity_bytes(g, i);
  *out = (vb_snapshot){.bytes = malloc(size + 1), .size = size};
  vb_status status = out->bytes ? VB_OK : vb_error_memory(error);
  char *at = out->bytes;
  for (size_t i = 0; !status && i < n; i++) {
    const vb_guard *guard = NULL;
    status = ask(g, i, &guard, error);
    if (!status && quantity_bytes(g, i) > 0)
      memcpy(at, guard->data, quantity_bytes(g, i));
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
  static const char *const NAME[N_QUANTITIES] = {"the state",    "the energies", "the works",
                                                 "the residual", "the forces",   "the torques"};
  size_t width = sizeof(double);
  if (quantity == STATE)
    snprintf(what, VB_OUTPUT_NAME, "byte %zu of the state", byte);
  else if (quantity < N_QUANTITIES)
    snprintf(what, VB_OUTPUT_NAME, "number %zu of %s", byte / width, NAME[quantity]);
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
