// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/rods.h"

#include "reference/umetani/frame.h"

#include <stdlib.h>
#include <string.h>

void umetani_moduli(const vb_segment *segment, umetani_material material, double *stretch,
                    double *bend, double *twist) {
  if (segment->model == VB_MATERIAL_SOLID) {
    *stretch = *bend = segment->young;
    *twist = 2 * segment->shear;
    return;
  }
  const double *k = segment->stiffness;
  double kv = k[VB_KV], sum = k[VB_KX] + k[VB_KY];
  double relief = kv == 0 ? 0 : 4 * kv * kv / (sum + 4 * kv);
  *stretch = k[VB_KZ] + kv - relief;
  *bend = material == UMETANI_VIPER ? k[VB_KZ] + kv : *stretch;
  *twist = material == UMETANI_BEAM ? sum / 2 : sum;
}

/// Writes the axes of a unit quaternion's frame, one a row.
static void axes_of(const double q[4], double d[3][3]) {
  for (int i = 0; i < 3; i++)
    vb_frame_axis(q, i, d[i]);
}

/// The factors on the bending stiffness of all segments about u and v; freed by the caller.
static double (*bending_factors(const vb_scene *scene, size_t n_segments))[2] {
  size_t n;
  const vb_bending *bending = vb_scene_bendings(scene, &n);
  double(*factor)[2] = calloc(n_segments + 1, sizeof *factor);
  for (size_t j = 0; factor && j < n_segments; j++)
    factor[j][0] = factor[j][1] = 1;
  for (size_t i = 0; factor && i < n; i++)
    memcpy(factor[bending[i].segment], bending[i].factor, sizeof *factor);
  return factor;
}

static void fill_edge(umetani_rods *rods, umetani_edge *edge, const umetani_choice *choice,
                      const double factor[2]) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *s = &vb_scene_segments(rods->scene, &n)[edge->segment];
  double stretch, bend, twist;
  umetani_moduli(s, choice->material, &stretch, &bend, &twist);
  double r = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
  double area = M_PI * r * r, moment = area * r * r / 4;
  edge->point[0] = rods->point_of_node[s->node[0]];
  edge->point[1] = rods->point_of_node[s->node[1]];
  edge->length = s->rest_length;
  edge->radius = r;
  edge->stiffness = area * stretch;
  edge->moment[0] = moment * bend * factor[0];
  edge->moment[1] = moment * bend * factor[1];
  edge->moment[2] = moment * twist;
  edge->fiber = stretch > 0 ? s->stiffness[VB_KZ] / stretch : 1;
  double share = choice->matched ? choice->ghost_mass : 0.5;
  double mass = s->density * area * s->rest_length;
  edge->ghost = r / sqrt(2 * share);
  rods->mass[edge->point[2]] = share * mass;
  rods->mass[edge->point[0]] += 0.5 * (1 - share) * mass;
  rods->mass[edge->point[1]] += 0.5 * (1 - share) * mass;
}

/// Ghosts as the paper has them: at the mean rest length of their body.
static void set_mean_lengths(umetani_rods *rods) {
  for (size_t b = 0; b < rods->n_bodies; b++) {
    const umetani_body *body = &rods->body[b];
    double sum = 0;
    for (int32_t e = 0; e < body->n_edges; e++)
      sum += rods->edge[body->first_edge + e].length;
    for (int32_t e = 0; e < body->n_edges; e++)
      rods->edge[body->first_edge + e].ghost = sum / body->n_edges;
  }
}

/// Own rest curvature of each joint of the scene, or null where a joint has none.
static const double *own_rest(const vb_scene *scene, int32_t t) {
  size_t n;
  const vb_rest_curvature *own = vb_scene_rest_curvatures(scene, &n);
  size_t low = 0, high = n; // sorted by joint
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (own[middle].joint < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && own[low].joint == t ? own[low].darboux : NULL;
}

void umetani_rest_rotation(const vb_scene *scene, int32_t t, double lm, double q[3][3]) {
  size_t n;
  const vb_joint *joint = &vb_scene_joints(scene, &n)[t];
  const vb_segment *segment = vb_scene_segments(scene, &n);
  const double *own = own_rest(scene, t);
  if (own) {
    double p[4] = {0, 0.5 * lm * own[0], 0.5 * lm * own[1], 0.5 * lm * own[2]};
    double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turned[3][3];
    p[0] = sqrt(fmax(0, 1 - vb_dot(p + 1, p + 1)));
    axes_of(p, turned);
    umetani_relative(unit, turned, q);
    return;
  }
  double d[2][3][3];
  for (int side = 0; side < 2; side++) {
    const vb_segment *s = &segment[joint->segment[side]];
    axes_of(s->rest_frame, d[side]);
    if (s->node[1 - side] != joint->node)
      umetani_turn_around(d[side]);
  }
  umetani_relative(d[0], d[1], q);
}

static vb_status fill_joint(umetani_rods *rods, umetani_joint *j, vb_error *error) {
  size_t n;
  const vb_joint *from = &vb_scene_joints(rods->scene, &n)[j->joint];
  const umetani_edge *edge[2];
  double q[3][3], c[3];
  for (int side = 0; side < 2; side++) {
    const umetani_edge *e = edge[side] = &rods->edge[rods->edge_of[from->segment[side]]];
    int32_t at = rods->point_of_node[from->node];
    j->point[2 * side] = e->point[0] == at ? e->point[1] : e->point[0];
    j->point[3 + side] = e->point[2];
    j->edge[side] = (int32_t)(e - rods->edge);
  }
  j->point[1] = rods->point_of_node[from->node];
  j->lb = 0.5 * (edge[0]->length + edge[1]->length);
  // Radius and moduli are means of the segments', as VIPER's are: not the moments.
  double r = 0.5 * (edge[0]->radius + edge[1]->radius), r4 = r * r * r * r;
  for (int i = 0; i < 3; i++) {
    j->k[i] = 0;
    for (int side = 0; side < 2; side++) {
      double own = edge[side]->radius * edge[side]->radius;
      j->k[i] += 0.5 * edge[side]->moment[i] * r4 / (own * own);
    }
  }
  umetani_rest_rotation(rods->scene, j->joint, j->lb, q);
  if (1 + q[0][0] + q[1][1] + q[2][2] < 1e-6)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "joint %d is folded back at rest, where the Darboux vector of solver "
                        "umetani is infinite",
                        j->joint);
  umetani_tangent(q, c);
  for (int i = 0; i < 3; i++)
    j->rest[i] = 2 / j->lb * c[i];
  return VB_OK;
}

/// The body of each hold's segment, as the number of its first edge's body: holds are sorted by it.
static int32_t body_of(const umetani_rods *rods, int32_t segment) {
  size_t n;
  const vb_segment *s = vb_scene_segments(rods->scene, &n);
  return vb_scene_nodes(rods->scene, &n)[s[segment].node[0]].body;
}

static void add_hold(umetani_rods *rods, int32_t segment, uint32_t rows, int32_t driver) {
  size_t n;
  const umetani_edge *e = &rods->edge[rods->edge_of[segment]];
  umetani_hold *hold = &rods->hold[rods->n_holds++];
  *hold = (umetani_hold){
      {e->point[0], e->point[1], e->point[2]}, segment, driver, rows, 0.5 * e->length, {{0}}};
  axes_of(vb_scene_segments(rods->scene, &n)[segment].frame, hold->start);
  rods->body[body_of(rods, segment)].n_holds++;
}

/// Sorts holds by body, keeping their order within one.
static void sort_holds(umetani_rods *rods, umetani_hold *from) {
  int32_t first = 0;
  for (size_t b = 0; b < rods->n_bodies; b++) {
    rods->body[b].first_hold = first;
    first += rods->body[b].n_holds;
    rods->body[b].n_holds = 0;
  }
  memcpy(from, rods->hold, rods->n_holds * sizeof *from);
  for (size_t k = 0; k < rods->n_holds; k++) {
    umetani_body *body = &rods->body[body_of(rods, from[k].segment)];
    rods->hold[body->first_hold + body->n_holds++] = from[k];
  }
}

/// How `n` nodes are held.
static umetani_held how_held(const umetani_rods *rods, const int32_t *point, int n) {
  int held = 0, components = 0;
  for (int p = 0; p < n; p++) {
    held += rods->weight[point[p]] == 0;
    for (int k = 0; k < 3; k++)
      components += rods->weights[point[p]][k] == 0;
  }
  return held == 0                            ? UMETANI_FREE
         : held < n && components == 3 * held ? UMETANI_PINNED
                                              : UMETANI_PARTLY;
}

static void hold_points(umetani_rods *rods) {
  size_t n_pins, n_own;
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  const vb_frame_pin *own = vb_scene_frame_pins(rods->scene, &n_own);
  for (size_t i = 0; i < rods->n_points; i++) {
    rods->weight[i] = 1 / rods->mass[i];
    for (int k = 0; k < 3; k++)
      rods->weights[i][k] = 1 / rods->mass[i];
  }
  for (size_t m = 0; m < n_pins; m++) {
    if (pin[m].location == VB_AT_SEGMENT) {
      add_hold(rods, pin[m].index, 7, pin[m].driver);
      continue;
    }
    int32_t i = rods->point_of_node[pin[m].index];
    for (int k = 0; k < 3; k++)
      if (pin[m].mask >> k & 1)
        rods->weight[i] = rods->weights[i][k] = 0;
  }
  for (size_t m = 0; m < n_own; m++)
    add_hold(rods, own[m].segment, own[m].mask, own[m].driver);
  for (size_t e = 0; e < rods->n_segments; e++)
    rods->edge[e].held = how_held(rods, rods->edge[e].point, 2);
  for (size_t j = 0; j < rods->n_joints; j++)
    rods->joint[j].held = how_held(rods, rods->joint[j].point, 3);
}

static void measure_size(umetani_rods *rods) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      rods->size = fmax(rods->size, fabs(node[i].position[k]) + node[i].rest_radius);
}

static vb_status fill(umetani_rods *rods, const umetani_choice *choice, vb_error *error) {
  size_t n_holds =
      vb_scene_count(rods->scene, VB_SET_PIN) + vb_scene_count(rods->scene, VB_SET_FRAME_PIN);
  double(*factor)[2] = bending_factors(rods->scene, rods->n_segments);
  umetani_hold *sorted = calloc(n_holds + 1, sizeof *sorted);
  rods->hold = calloc(n_holds + 1, sizeof *rods->hold);
  rods->mass = calloc(rods->n_points + 1, sizeof *rods->mass);
  rods->weight = calloc(rods->n_points + 1, sizeof *rods->weight);
  rods->weights = calloc(rods->n_points + 1, sizeof *rods->weights);
  bool room = factor && sorted && rods->hold && rods->mass && rods->weight && rods->weights;
  vb_status status = room ? VB_OK : vb_error_memory(error);
  for (size_t e = 0; !status && e < rods->n_segments; e++)
    fill_edge(rods, &rods->edge[e], choice, factor[rods->edge[e].segment]);
  if (!status && !choice->matched)
    set_mean_lengths(rods);
  for (size_t j = 0; !status && j < rods->n_joints; j++)
    status = fill_joint(rods, &rods->joint[j], error);
  if (!status)
    status = umetani_fill_hubs(rods, choice, error);
  if (!status)
    status = umetani_fill_anchors(rods, error);
  if (!status) {
    hold_points(rods);
    sort_holds(rods, sorted);
    measure_size(rods);
    status = umetani_find_groups(rods, error);
  }
  free(factor);
  free(sorted);
  return status;
}

vb_status umetani_rods_create(const vb_scene *scene, const umetani_choice *choice,
                              umetani_rods **out, vb_error *error) {
  umetani_rods *rods = calloc(1, sizeof *rods);
  if (!rods)
    return vb_error_memory(error);
  rods->scene = scene;
  vb_status status = umetani_connect(rods, error);
  if (!status)
    status = fill(rods, choice, error);
  if (status)
    umetani_rods_destroy(rods);
  else
    *out = rods;
  return status;
}

void umetani_rods_destroy(umetani_rods *rods) {
  if (!rods)
    return;
  free(rods->edge);
  free(rods->joint);
  free(rods->hub);
  free(rods->attachment);
  free(rods->anchor);
  free(rods->hold);
  free(rods->body);
  free(rods->chain);
  free(rods->group);
  free(rods->point_of_node);
  free(rods->edge_of);
  free(rods->mass);
  free(rods->weight);
  free(rods->weights);
  free(rods);
}
