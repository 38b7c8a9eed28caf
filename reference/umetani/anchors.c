// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/frame.h"
#include "reference/umetani/pass.h"

#include <stdlib.h>

/// The barycentric coordinates of the point `x` of the plane of three corners.
static void find_shares(const double *const corner[3], const double x[3], double share[3]) {
  double first[3], second[3], out[3], normal[3], part[3];
  vb_subtract(corner[1], corner[0], first);
  vb_subtract(corner[2], corner[0], second);
  vb_subtract(x, corner[0], out);
  vb_cross(first, second, normal);
  double area2 = vb_dot(normal, normal);
  vb_cross(out, second, part);
  share[1] = vb_dot(part, normal) / area2;
  vb_cross(first, out, part);
  share[2] = vb_dot(part, normal) / area2;
  share[0] = 1 - share[1] - share[2];
}

static void fill_anchor(umetani_rods *rods, umetani_anchor *anchor, const vb_attachment *from) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *s = &vb_scene_segments(rods->scene, &n)[from->segment];
  const umetani_edge *e = &rods->edge[rods->edge_of[from->segment]];
  const double *corner[3];
  umetani_frame triangle;
  double axes[3][3];
  bool forward = s->node[0] == from->node;
  for (int k = 0; k < 3; k++) {
    corner[k] = node[from->corner[k]].rest_position;
    anchor->point[k] = rods->point_of_node[from->corner[k]];
  }
  anchor->point[3] = e->point[forward];
  anchor->point[4] = e->point[2];
  anchor->point[5] = e->point[!forward];
  anchor->segment = from->segment;
  anchor->lb = 0.5 * e->length;
  memcpy(anchor->k, e->moment, sizeof anchor->k);
  find_shares(corner, node[from->node].rest_position, anchor->share);
  umetani_frame_of(corner[0], corner[1], corner[2], 0, &triangle);
  for (int i = 0; i < 3; i++)
    vb_frame_axis(s->rest_frame, i, axes[i]);
  if (!forward)
    umetani_turn_around(axes);
  umetani_relative((const double(*)[3])triangle.d, (const double(*)[3])axes, anchor->turn);
}

vb_status umetani_fill_anchors(umetani_rods *rods, vb_error *error) {
  const vb_attachment *from = vb_scene_attachments(rods->scene, &rods->n_anchors);
  rods->anchor = calloc(rods->n_anchors + 1, sizeof *rods->anchor);
  if (!rods->anchor)
    return vb_error_memory(error);
  for (size_t i = 0; i < rods->n_anchors; i++)
    fill_anchor(rods, &rods->anchor[i], &from[i]);
  return VB_OK;
}

void umetani_anchor_place(const umetani_anchor *anchor, double (*x)[3], umetani_element *out) {
  const double share[6] = {-anchor->share[0], -anchor->share[1], -anchor->share[2], 0, 0, 1};
  *out = (umetani_element){
      .n_points = 6, .n_rows = 3, .rows = 7, .point = anchor->point, .alpha = {1, 1, 1}};
  for (int p = 0; p < 6; p++)
    for (int k = 0; k < 3; k++) {
      out->c[k] += share[p] * x[anchor->point[p]][k];
      out->gradient[k][p][k] = share[p];
    }
}

void umetani_anchor_sweep(const umetani_pass *s) {
  const umetani_law *law = &s->settings->law;
  umetani_state *state = s->state;
  umetani_element e;
  for (size_t i = 0; i < s->rods->n_anchors; i++) {
    const umetani_anchor *anchor = &s->rods->anchor[i];
    for (int turn = 0, turns = law->grouping == UMETANI_SCALAR ? 3 : 1; turn < turns; turn++) {
      if (!umetani_anchor_turn(anchor, law, state->x, &e))
        continue;
      if (turns > 1)
        e.rows &= UINT32_C(1) << turn;
      if (e.rows)
        umetani_enforce(&e, s->rods->weights, s->rods->weight, law, law->grouping, state->x,
                        state->anchor_turn[i], state->impulse, NULL);
    }
    umetani_anchor_place(anchor, state->x, &e);
    umetani_enforce(&e, s->rods->weights, s->rods->weight, law, UMETANI_BLOCK, state->x,
                    state->anchor_place[i], state->impulse, NULL);
  }
}
