// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/contact.h"

#include <stdlib.h>

/// The box of an edge over a substep, and the cell of its lower corner.
typedef struct box {
  double low[3], high[3];
  int64_t cell[3];
  int64_t key; ///< of the cell: cells side by side along the first axis follow each other
  int32_t edge;
  int32_t reserved;
} box;

/// Cells of the search along each axis: what lies farther out shares the outermost ones.
static const double MOST_CELLS = 1 << 20;

static void fill_planes(const umetani_rods *rods, umetani_contact *contact) {
  size_t n_driven, n;
  const vb_plane_driver *driven = vb_scene_plane_drivers(rods->scene, &n_driven);
  const vb_half_plane *plane = vb_scene_half_planes(rods->scene, &n);
  for (size_t i = 0; i < n; i++) {
    contact->plane[i].driver = -1;
    memcpy(contact->plane[i].normal, plane[i].normal, sizeof plane->normal);
    contact->plane[i].offset = plane[i].offset;
  }
  for (size_t i = 0; i < n_driven; i++)
    contact->plane[driven[i].half_plane].driver = driven[i].driver;
}

/// Frictions of bodies, with the scene's between capsules; filters; radii.
static void fill_rest(const umetani_rods *rods, umetani_contact *contact) {
  size_t n_frictions, n_filters, n;
  const vb_friction *friction = vb_scene_frictions(rods->scene, &n_frictions);
  const vb_filter *filter = vb_scene_filters(rods->scene, &n_filters);
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  for (size_t i = 0; i < n_frictions; i++) {
    contact->friction[friction[i].body][0] = friction[i].static_friction;
    contact->friction[friction[i].body][1] = friction[i].kinetic_friction;
  }
  for (size_t i = 0; i < rods->n_nodes; i++)
    contact->radius[rods->point_of_node[i]] = node[i].rest_radius;
  for (size_t b = 0; b < rods->n_bodies; b++)
    for (int32_t e = 0; e < rods->body[b].n_edges; e++)
      contact->body[rods->body[b].first_edge + e] = (int32_t)b;
  for (size_t e = 0; e < rods->n_segments; e++) {
    contact->filter[e][0] = 1;
    contact->filter[e][1] = UINT32_MAX;
  }
  for (size_t i = 0; i < n_filters; i++) {
    uint32_t *own = contact->filter[rods->edge_of[filter[i].segment]];
    own[0] = filter[i].groups;
    own[1] = filter[i].meets;
  }
  fill_planes(rods, contact);
  umetani_colliders_fill(rods->scene, contact->collider);
}

vb_status umetani_contact_create(const umetani_rods *rods, umetani_contact **out, vb_error *error) {
  const vb_contact *capsules = vb_scene_contact(rods->scene);
  size_t n_planes = vb_scene_count(rods->scene, VB_SET_HALF_PLANE), m = rods->n_segments;
  size_t n_colliders = vb_scene_count(rods->scene, VB_SET_COLLIDER);
  *out = NULL;
  if (!capsules && n_planes + n_colliders == 0)
    return VB_OK;
  umetani_contact *contact = *out = calloc(1, sizeof *contact);
  if (!contact)
    return vb_error_memory(error);
  contact->capsules = capsules != NULL;
  contact->self = capsules && capsules->self;
  contact->margin = capsules ? capsules->margin : 0;
  contact->n_planes = n_planes;
  contact->n_colliders = n_colliders;
  contact->collider = calloc(n_colliders + 1, sizeof *contact->collider);
  contact->friction = calloc(rods->n_bodies + 1, sizeof *contact->friction);
  contact->filter = calloc(m + 1, sizeof *contact->filter);
  contact->radius = calloc(rods->n_points + 1, sizeof *contact->radius);
  contact->body = calloc(m + 1, sizeof *contact->body);
  contact->plane = calloc(n_planes + 1, sizeof *contact->plane);
  contact->cells = calloc(m + 1, sizeof(box));
  if (!contact->friction || !contact->filter || !contact->radius || !contact->body ||
      !contact->plane || !contact->collider || !contact->cells)
    return vb_error_memory(error);
  fill_rest(rods, contact);
  return VB_OK;
}

void umetani_contact_destroy(umetani_contact *contact) {
  if (!contact)
    return;
  free(contact->friction);
  free(contact->filter);
  free(contact->radius);
  free(contact->body);
  free(contact->plane);
  free(contact->collider);
  free(contact->cells);
  free(contact->touch);
  free(contact);
}

bool umetani_contact_add(umetani_contact *contact, const umetani_touch *touch) {
  if (contact->n_touches == contact->room) {
    size_t room = 2 * contact->room + 64;
    umetani_touch *more = reallocarray(contact->touch, room, sizeof *more);
    if (!more)
      return false;
    contact->touch = more;
    contact->room = room;
  }
  contact->touch[contact->n_touches++] = *touch;
  return true;
}

static int by_cell(const void *left, const void *right) {
  const box *a = left, *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/// Whether an edge may touch another: not where they share a point, are of one body without contact
/// with itself, overlap at rest, or are filtered out.
static bool may_touch(const umetani_pass *pass, int32_t e, int32_t f) {
  const umetani_rods *rods = pass->rods;
  const umetani_contact *contact = pass->scratch->contact;
  const int32_t *p = rods->edge[e].point, *q = rods->edge[f].point;
  const uint32_t *one = contact->filter[e], *other = contact->filter[f];
  if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1] || !(one[0] & other[1]) ||
      !(other[0] & one[1]))
    return false;
  if (contact->body[e] != contact->body[f])
    return true;
  if (!contact->self)
    return false;
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  const int32_t *i = segment[rods->edge[e].segment].node, *j = segment[rods->edge[f].segment].node;
  double at[2], apart[3] = {0};
  umetani_nearest(node[i[0]].rest_position, node[i[1]].rest_position, node[j[0]].rest_position,
                  node[j[1]].rest_position, at);
  const int32_t own[4] = {i[0], i[1], j[0], j[1]};
  const double share[4] = {1 - at[0], at[0], at[1] - 1, -at[1]};
  double radius = 0;
  for (int k = 0; k < 4; k++) {
    vb_add_scaled(apart, share[k], node[own[k]].rest_position, apart);
    radius += fabs(share[k]) * node[own[k]].rest_radius;
  }
  return vb_dot(apart, apart) > radius * radius;
}

/// Fills the boxes of all edges; returns the greatest extent of one.
static double fill_boxes(const umetani_pass *pass, box *boxes) {
  const umetani_contact *contact = pass->scratch->contact;
  double most = 0;
  for (size_t e = 0; e < pass->rods->n_segments; e++) {
    const int32_t *p = pass->rods->edge[e].point;
    double reach = fmax(contact->radius[p[0]], contact->radius[p[1]]) + 0.5 * contact->margin;
    boxes[e].edge = (int32_t)e;
    for (int k = 0; k < 3; k++) {
      double a = pass->state->x[p[0]][k], b = pass->state->x[p[1]][k];
      double c = pass->scratch->old[p[0]][k], d = pass->scratch->old[p[1]][k];
      boxes[e].low[k] = fmin(fmin(a, b), fmin(c, d)) - reach;
      boxes[e].high[k] = fmax(fmax(a, b), fmax(c, d)) + reach;
      most = fmax(most, boxes[e].high[k] - boxes[e].low[k]);
    }
  }
  return most;
}

static int64_t cell_key(const int64_t cell[3]) {
  return (cell[2] << 42) + (cell[1] << 21) + cell[0];
}

/// Gives each box the cell of its lower corner, of edges `size`: what overlaps is a cell apart at
/// most.
static void fill_cells(box *boxes, size_t n, double size) {
  double low[3] = {INFINITY, INFINITY, INFINITY};
  for (size_t e = 0; e < n; e++)
    for (int k = 0; k < 3; k++)
      low[k] = fmin(low[k], boxes[e].low[k]);
  for (size_t e = 0; e < n; e++) {
    for (int k = 0; k < 3; k++)
      boxes[e].cell[k] = 1 + (int64_t)fmin(MOST_CELLS, (boxes[e].low[k] - low[k]) / size);
    boxes[e].key = cell_key(boxes[e].cell);
  }
}

/// The first box, in the order of cells, whose key is not below `key`.
static size_t first_of(const box *boxes, size_t n, int64_t key) {
  size_t low = 0;
  while (low < n) {
    size_t middle = low + (n - low) / 2;
    if (boxes[middle].key < key)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

static bool overlap(const box *a, const box *b) {
  bool both = true;
  for (int k = 0; k < 3; k++)
    both = both && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
  return both;
}

/// Adds the pairs of a box with those of greater edges in the cells from one before `key` to one
/// behind it along the first axis.
static bool add_row(const umetani_pass *pass, const box *boxes, size_t n, const box *own,
                    int64_t key) {
  umetani_contact *contact = pass->scratch->contact;
  const vb_contact *capsules = vb_scene_contact(pass->rods->scene);
  for (size_t i = first_of(boxes, n, key - 1); i < n && boxes[i].key <= key + 1; i++) {
    if (boxes[i].edge <= own->edge || !overlap(own, &boxes[i]) ||
        !may_touch(pass, own->edge, boxes[i].edge))
      continue;
    umetani_touch touch = {.edge = {own->edge, boxes[i].edge}, .plane = -1, .collider = -1};
    const double *one = contact->friction[contact->body[touch.edge[0]]];
    const double *other = contact->friction[contact->body[touch.edge[1]]];
    touch.friction[0] = fmax(capsules->static_friction, fmax(one[0], other[0]));
    touch.friction[1] = fmax(capsules->kinetic_friction, fmax(one[1], other[1]));
    if (!umetani_contact_add(contact, &touch))
      return false;
  }
  return true;
}

/// Adds the pairs of edges whose boxes over the substep overlap.
static bool find_pairs(const umetani_pass *pass) {
  box *boxes = pass->scratch->contact->cells;
  size_t n = pass->rods->n_segments;
  double size = fill_boxes(pass, boxes);
  if (!(size > 0 && size < INFINITY))
    return true; // nothing is where it could touch: the step has diverged
  fill_cells(boxes, n, size);
  qsort(boxes, n, sizeof *boxes, by_cell);
  for (size_t i = 0; i < n; i++)
    for (int64_t row = 0; row < 9; row++) {
      const int64_t cell[3] = {boxes[i].cell[0], boxes[i].cell[1] + row % 3 - 1,
                               boxes[i].cell[2] + row / 3 - 1};
      if (!add_row(pass, boxes, n, &boxes[i], cell_key(cell)))
        return false;
    }
  return true;
}

/// Adds the nodes that a half-plane may touch, by their positions and predictions.
static bool find_nodes(const umetani_pass *pass, int32_t plane) {
  const umetani_rods *rods = pass->rods;
  umetani_contact *contact = pass->scratch->contact;
  const umetani_plane *own = &contact->plane[plane];
  size_t n_nodes, n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n_nodes);
  const vb_half_plane *from = &vb_scene_half_planes(rods->scene, &n)[plane];
  for (size_t i = 0; i < n_nodes; i++) {
    int32_t p = rods->point_of_node[i];
    double reach = own->offset + 3 * contact->radius[p] + contact->margin;
    if (vb_dot(own->normal, pass->state->x[p]) > reach &&
        vb_dot(own->normal, pass->scratch->old[p]) > reach)
      continue;
    const double *friction = contact->friction[node[i].body];
    umetani_touch touch = {.point = p, .plane = plane, .collider = -1};
    touch.friction[0] = fmax(from->static_friction, friction[0]);
    touch.friction[1] = fmax(from->kinetic_friction, friction[1]);
    if (!umetani_contact_add(contact, &touch))
      return false;
  }
  return true;
}

/// Where a half-plane is at the end of the substep, and the motions that bring it there.
static void move_plane(const vb_scene *scene, int32_t i, double time, double h,
                       umetani_plane *plane) {
  size_t n;
  const vb_half_plane *from = &vb_scene_half_planes(scene, &n)[i];
  double foot[3];
  if (plane->driver < 0)
    return;
  for (int end = 0; end < 2; end++)
    vb_driver_motion(scene, plane->driver, time + end * h, plane->turn[end],
                     plane->translation[end]);
  vb_quaternion_rotate(plane->turn[1], from->normal, plane->normal);
  for (int k = 0; k < 3; k++)
    foot[k] = from->offset * from->normal[k];
  vb_rigid_move(plane->turn[1], plane->translation[1], foot, foot);
  plane->offset = vb_dot(plane->normal, foot);
}

bool umetani_contact_find(const umetani_pass *pass, double time, double h) {
  umetani_contact *contact = pass->scratch->contact;
  contact->n_touches = 0;
  for (size_t i = 0; i < contact->n_planes; i++) {
    move_plane(pass->rods->scene, (int32_t)i, time, h, &contact->plane[i]);
    if (!find_nodes(pass, (int32_t)i))
      return false;
  }
  umetani_colliders_move(pass->rods->scene, contact, time, h);
  return umetani_colliders_find(pass) && (!contact->capsules || find_pairs(pass));
}
