// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/rods.h"

#include <stdlib.h>

/// Whether a body has chains alone, and a stiffness wherever one is asked for.
static bool is_plain(const umetani_rods *rods, const umetani_body *body) {
  bool plain = body->n_hubs == 0;
  for (int32_t i = body->first_edge; i < body->first_edge + body->n_edges; i++)
    plain = plain && rods->edge[i].stiffness > 0;
  for (int32_t i = body->first_joint; i < body->first_joint + body->n_joints; i++) {
    const double *k = rods->joint[i].k;
    plain = plain && k[0] > 0 && k[1] > 0 && k[2] > 0;
  }
  return plain;
}

/// Whether two lists of `n` points are the same ones of two bodies.
static bool same_points(const int32_t *one, const int32_t *other, int n, int32_t apart) {
  bool same = true;
  for (int p = 0; p < n; p++)
    same = same && other[p] - one[p] == apart;
  return same;
}

static bool same_chains(const umetani_rods *rods, const umetani_body *a, const umetani_body *b) {
  bool same = true;
  int32_t edges = b->first_edge - a->first_edge, joints = b->first_joint - a->first_joint;
  for (int32_t i = 0; i < a->n_chains; i++) {
    const umetani_chain *one = &rods->chain[a->first_chain + i];
    const umetani_chain *other = &rods->chain[b->first_chain + i];
    same = same && other->first_edge - one->first_edge == edges &&
           other->first_joint - one->first_joint == joints && one->n_edges == other->n_edges &&
           one->n_joints == other->n_joints;
  }
  return same;
}

/// Whether the iterations of two bodies visit the same elements.
static bool are_alike(const umetani_rods *rods, const umetani_body *a, const umetani_body *b) {
  if (a->n_points != b->n_points || a->n_edges != b->n_edges || a->n_joints != b->n_joints ||
      a->n_hubs != b->n_hubs || a->n_holds != b->n_holds || a->n_chains != b->n_chains)
    return false;
  int32_t apart = b->first_point - a->first_point;
  bool same = same_chains(rods, a, b);
  for (int32_t i = 0; i < a->n_edges && same; i++) {
    const umetani_edge *one = &rods->edge[a->first_edge + i], *other = one;
    other += b->first_edge - a->first_edge;
    same = one->held == other->held && same_points(one->point, other->point, 3, apart);
  }
  for (int32_t i = 0; i < a->n_joints && same; i++) {
    const umetani_joint *one = &rods->joint[a->first_joint + i], *other = one;
    other += b->first_joint - a->first_joint;
    same = one->held == other->held && same_points(one->point, other->point, 5, apart);
  }
  for (int32_t i = 0; i < a->n_holds && same; i++) {
    const umetani_hold *one = &rods->hold[a->first_hold + i], *other = one;
    other += b->first_hold - a->first_hold;
    same = same_points(one->point, other->point, 3, apart);
  }
  return same;
}

vb_status umetani_find_groups(umetani_rods *rods, vb_error *error) {
  rods->group = calloc(rods->n_bodies + 1, sizeof *rods->group);
  if (!rods->group)
    return vb_error_memory(error);
  bool plain = false; // the bodies of the latest group
  for (size_t b = 0; b < rods->n_bodies; b++) {
    const umetani_body *body = &rods->body[b];
    int32_t first = rods->n_groups ? rods->group[rods->n_groups - 1] : 0;
    if (plain && (int32_t)b - first < UMETANI_GROUP && is_plain(rods, body) &&
        are_alike(rods, &rods->body[first], body))
      continue;
    rods->group[rods->n_groups++] = (int32_t)b;
    plain = is_plain(rods, body);
  }
  rods->group[rods->n_groups] = (int32_t)rods->n_bodies;
  return VB_OK;
}
