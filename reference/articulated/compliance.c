// SPDX-License-Identifier: GPL-3.0-or-later
#include "compliance.h"

#include <stdlib.h>
#include <string.h>

vb_status ar_compliance_create(ar_reduced *reduced, const int32_t *node, size_t n,
                               ar_compliance *out, vb_error *error) {
  size_t n_nodes = reduced->body->n_nodes;
  ar_compliance c = {.reduced = reduced, .n_rows = n};
  c.row = reallocarray(NULL, n_nodes + 1, sizeof *c.row);
  c.column = calloc(n_nodes + 1, sizeof *c.column);
  c.right = calloc(6 * n_nodes + 12 * reduced->body->n_bones + 1, sizeof *c.right);
  if (!c.row || !c.column || !c.right) {
    ar_compliance_clear(&c);
    return vb_error_memory(error);
  }
  c.flesh = c.right + 3 * n_nodes;
  c.bones = c.flesh + 3 * n_nodes;
  for (size_t i = 0; i < n_nodes; i++)
    c.row[i] = -1;
  for (size_t i = 0; i < n; i++)
    c.row[node[i]] = (int32_t)i;
  *out = c;
  return VB_OK;
}

void ar_compliance_clear(ar_compliance *c) {
  for (size_t i = 0; c->column && i < c->reduced->body->n_nodes; i++)
    free(c->column[i]);
  free(c->column);
  free(c->row);
  free(c->right);
  *c = (ar_compliance){0};
}

/// Solves for unit forces: along component c of each on node[c].
static bool respond(ar_compliance *c, const int32_t node[3]) {
  const ar_body *b = c->reduced->body;
  memset(c->right, 0, 3 * b->n_nodes * sizeof *c->right);
  memset(c->bones, 0, 12 * b->n_bones * sizeof *c->bones);
  for (size_t k = 0; k < 3; k++) {
    size_t i = (size_t)node[k];
    double local[4];
    if (b->bone_of[i] < 0) {
      c->right[3 * i + k] = 1;
      continue;
    }
    ar_body_local(b, i, local);
    for (size_t r = 0; r < 4; r++)
      c->bones[12 * (size_t)b->bone_of[i] + 3 * r + k] = local[r];
  }
  if (!ar_reduced_solve(c->reduced, c->right, c->bones, c->flesh))
    return false;
  ar_reduced_follow(c->reduced, c->bones, c->flesh);
  ar_body_carry(b, c->bones, c->flesh);
  return true;
}

/// Keeps component `from` of the response as a column of system `system`.
static void keep(const ar_compliance *c, int from, int system, int32_t node) {
  double *out = c->column[node] + (size_t)system * c->n_rows;
  for (size_t i = 0; i < c->reduced->body->n_nodes; i++)
    if (c->row[i] >= 0)
      out[c->row[i]] = c->flesh[3 * i + (size_t)from];
}

/// The column of one node, a system at a time, or of up to three, where one system serves x, y and
/// z.
static vb_status find_some(ar_compliance *c, const int32_t *node, int n, vb_error *error) {
  int n_systems = c->reduced->n_systems;
  const int32_t at[3] = {node[0], node[n > 1 ? 1 : 0], node[n > 2 ? 2 : 0]};
  for (int k = 0; k < n; k++) {
    c->column[at[k]] = reallocarray(NULL, (size_t)n_systems * c->n_rows, sizeof **c->column);
    if (!c->column[at[k]])
      return vb_error_memory(error);
  }
  if (!respond(c, at))
    return vb_error_memory(error);
  for (int k = 0; k < n && n_systems == 1; k++)
    keep(c, k, 0, at[k]);
  for (int k = 0; k < n_systems && n_systems > 1; k++)
    keep(c, c->reduced->system[k].component[0], k, at[0]);
  return VB_OK;
}

vb_status ar_compliance_find(ar_compliance *c, const int32_t *node, size_t n, vb_error *error) {
  int32_t asked[3];
  int count = 0, most = c->reduced->n_systems == 1 ? 3 : 1;
  vb_status status = VB_OK;
  for (size_t i = 0; i < n && !status; i++) {
    bool twice = false;
    for (int k = 0; k < count; k++)
      twice = twice || asked[k] == node[i];
    if (!c->column[node[i]] && !twice)
      asked[count++] = node[i];
    if (count == most || (count > 0 && i + 1 == n)) {
      status = find_some(c, asked, count, error);
      count = 0;
    }
  }
  return status;
}

double ar_compliance_entry(const ar_compliance *c, int component, int32_t i, int32_t j) {
  return c->column[j][(size_t)c->reduced->of[component] * c->n_rows + (size_t)c->row[i]];
}
