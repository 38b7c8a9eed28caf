// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/frame.h"
#include "reference/umetani/rods.h"

#include <stdlib.h>

/// out = p q
static void multiply(double p[3][3], double q[3][3], double out[3][3]) {
  double r[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      r[i][k] = p[i][0] * q[0][k] + p[i][1] * q[1][k] + p[i][2] * q[2][k];
  memcpy(out, r, sizeof r);
}

/// The rest rotation of a joint between its edges as both are seen from its node: half a turn about
/// d1 turns the first around.
static void outward_rotation(const umetani_rods *rods, int32_t t, bool forward, double q[3][3]) {
  size_t n;
  const vb_joint *joint = &vb_scene_joints(rods->scene, &n)[t];
  double lm = 0.5 * (rods->edge[rods->edge_of[joint->segment[0]]].length +
                     rods->edge[rods->edge_of[joint->segment[1]]].length);
  umetani_rest_rotation(rods->scene, t, lm, q);
  umetani_turn_around(q); // rows 2, 3: the axes of the first edge
  if (forward)
    return;
  double other[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      other[i][k] = q[k][i];
  memcpy(q, other, sizeof other);
}

/// The attachment of a segment at a hub, or null.
static umetani_attachment *attachment_of(const umetani_rods *rods, const umetani_hub *hub,
                                         int32_t segment) {
  for (int32_t k = 0; k < hub->n_attachments; k++)
    if (rods->attachment[hub->first_attachment + k].segment == segment)
      return &rods->attachment[hub->first_attachment + k];
  return NULL;
}

/// Fills the turns of all attachments of a hub from that of its first one, joint by joint; joints
/// that close a loop are passed over.
static void spread_turns(umetani_rods *rods, const umetani_hub *hub, bool *known) {
  size_t n_joints;
  const vb_joint *joint = vb_scene_joints(rods->scene, &n_joints);
  for (bool more = true; more;) {
    more = false;
    for (size_t t = 0; t < n_joints; t++) {
      if (joint[t].node != hub->node)
        continue;
      umetani_attachment *end[2];
      for (int side = 0; side < 2; side++)
        end[side] = attachment_of(rods, hub, joint[t].segment[side]);
      if (!end[0] || !end[1] ||
          known[end[0] - rods->attachment] == known[end[1] - rods->attachment])
        continue;
      bool forward = known[end[0] - rods->attachment];
      double q[3][3];
      outward_rotation(rods, (int32_t)t, forward, q);
      multiply(end[!forward]->turn, q, end[forward]->turn);
      known[end[forward] - rods->attachment] = more = true;
    }
  }
}

static void fill_hub(umetani_rods *rods, umetani_hub *hub, const umetani_choice *choice,
                     bool *known) {
  umetani_attachment *at = rods->attachment + hub->first_attachment, *thickest = at;
  double mass = 0;
  hub->point[0] = rods->point_of_node[hub->node];
  for (int32_t k = 0; k < hub->n_attachments; k++) {
    const umetani_edge *e = &rods->edge[rods->edge_of[at[k].segment]];
    if (e->radius > rods->edge[rods->edge_of[thickest->segment]].radius)
      thickest = &at[k];
    mass += rods->mass[e->point[2]] / hub->n_attachments;
    memcpy(at[k].point, hub->point, sizeof hub->point);
    at[k].point[3] = e->point[0] == hub->point[0] ? e->point[1] : e->point[0];
    at[k].point[4] = e->point[2];
    at[k].lb = 0.5 * e->length;
    memcpy(at[k].k, e->moment, sizeof at[k].k);
  }
  double share = choice->matched ? choice->ghost_mass : 0.5;
  for (int i = 1; i < 3; i++)
    rods->mass[hub->point[i]] = share * mass;
  hub->length = rods->edge[rods->edge_of[thickest->segment]].ghost;
  // The body's frame of its point and ghosts, whose d3 and d1 are toward the ghosts, is that of the
  // thickest edge seen from the point with u for d3 and v for d1.
  static const double start[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  memcpy(thickest->turn, start, sizeof start);
  known[thickest - rods->attachment] = true;
  spread_turns(rods, hub, known);
}

vb_status umetani_fill_hubs(umetani_rods *rods, const umetani_choice *choice, vb_error *error) {
  bool *known = calloc(rods->n_attachments + 1, sizeof *known);
  if (!known)
    return vb_error_memory(error);
  for (size_t h = 0; h < rods->n_hubs; h++)
    fill_hub(rods, &rods->hub[h], choice, known);
  free(known);
  return VB_OK;
}
