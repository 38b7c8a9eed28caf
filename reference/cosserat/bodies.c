// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/bodies.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

/// Nodes of a chain from a node of the scene to the next, and to the frame between them.
enum { SPAN = 4, HALF = 2 };

static vb_status refuse(const vb_scene *scene, int32_t node, const char *why, vb_error *error) {
  size_t n;
  const vb_body *body = vb_scene_bodies(scene, &n);
  int32_t b = vb_scene_nodes(scene, &n)[node].body;
  return vb_error_set(error, VB_UNAVAILABLE,
                      "solver cosserat takes open chains of segments only; body %d (\"%.47s\") %s "
                      "at node %d",
                      b, body[b].name, why, node);
}

/// The segments at each node, two at most; -1: none.
typedef int32_t ends[2];

/// Lists the segments at each node; the caller frees `*out`.
static vb_status find_ends(const vb_scene *scene, ends **out, vb_error *error) {
  size_t n_nodes = vb_scene_count(scene, VB_SET_NODE), n_segments;
  const vb_segment *segment = vb_scene_segments(scene, &n_segments);
  ends *at = calloc(n_nodes + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  memset(at, 0xff, n_nodes * sizeof *at);
  vb_status status = VB_OK;
  for (size_t j = 0; !status && j < n_segments; j++)
    for (int side = 0; !status && side < 2; side++) {
      int32_t *end = at[segment[j].node[side]];
      if (end[1] >= 0)
        status = refuse(scene, segment[j].node[side], "branches", error);
      else
        end[end[0] >= 0] = (int32_t)j;
    }
  for (size_t i = 0; !status && i < n_nodes; i++)
    if (at[i][0] < 0)
      status = refuse(scene, (int32_t)i, "has no segment", error);
  if (status)
    free(at);
  else
    *out = at;
  return status;
}

/// Where the path of each body begins: its end of the lowest number. `first` has room for all.
static vb_status find_firsts(const vb_scene *scene, const ends *at, int32_t *first,
                             vb_error *error) {
  size_t n_nodes, n_bodies = vb_scene_count(scene, VB_SET_BODY);
  const vb_node *node = vb_scene_nodes(scene, &n_nodes);
  memset(first, 0xff, n_bodies * sizeof *first);
  for (size_t i = n_nodes; i-- > 0;)
    if (at[i][1] < 0)
      first[node[i].body] = (int32_t)i;
  for (size_t i = 0; i < n_nodes; i++)
    if (first[node[i].body] < 0)
      return refuse(scene, (int32_t)i, "closes a loop", error);
  return VB_OK;
}

/// Young's and the shear modulus of a segment.
static void find_moduli(const vb_segment *s, double *young, double *shear) {
  const double *k = s->stiffness;
  double across = k[VB_KX] + k[VB_KY], kv = k[VB_KV];
  *young = s->young > 0 ? s->young
           : kv > 0     ? k[VB_KZ] + kv - 4 * kv * kv / (across + 4 * kv)
                        : k[VB_KZ];
  *shear = s->shear > 0 ? s->shear : across / 2;
}

static vb_status check_moduli(const vb_scene *scene, vb_error *error) {
  size_t n;
  const vb_segment *segment = vb_scene_segments(scene, &n);
  for (size_t j = 0; j < n; j++) {
    double young, shear;
    find_moduli(&segment[j], &young, &shear);
    if (!(young > 0 && shear > 0))
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver cosserat takes segments that resist stretch and twist only; "
                          "segment %zu has Young's modulus %g and shear modulus %g",
                          j, young, shear);
  }
  return VB_OK;
}

vb_status cosserat_bodies_check(const vb_scene *scene, vb_error *error) {
  ends *at = NULL;
  int32_t *first = calloc(vb_scene_count(scene, VB_SET_BODY) + 1, sizeof *first);
  vb_status status = first ? find_ends(scene, &at, error) : vb_error_memory(error);
  if (!status)
    status = find_firsts(scene, at, first, error);
  if (!status)
    status = check_moduli(scene, error);
  free(at);
  free(first);
  return status;
}

/// Walks along body `b` from its first node; returns the number of its segments, and notes where
/// all are.
static size_t walk(cosserat_bodies *bodies, const ends *at, int32_t b, int32_t first,
                   int32_t *path_node, int32_t *path_segment) {
  size_t n, count = 0;
  const vb_segment *segment = vb_scene_segments(bodies->scene, &n);
  for (int32_t i = first, from = -1;;) {
    path_node[count] = i;
    bodies->node[i] = (cosserat_address){b, SPAN * (int32_t)count};
    int32_t next = at[i][from >= 0 && at[i][0] == from];
    if (next < 0)
      return count;
    path_segment[count] = from = next;
    bodies->segment[next] = (cosserat_address){b, SPAN * (int32_t)count + HALF};
    bodies->against[next] = segment[next].node[0] != i;
    i = segment[next].node[segment[next].node[0] == i];
    count++;
  }
}

/// out = q, of a segment that is stored against the path turned by half a turn about u.
static void along_path(const double q[4], bool against, double out[4]) {
  static const double flip[4] = {0, 1, 0, 0};
  if (against)
    vb_quaternion_multiply(q, flip, out);
  else
    memcpy(out, q, 4 * sizeof *out);
}

/// The turn at rest from one segment to the next along the path: that of the scene's joint between
/// them where it has a rest curvature of its own, else between the rest frames.
static void rest_turn(const cosserat_bodies *bodies, int32_t a, int32_t b, double out[4]) {
  size_t n, n_joints;
  const vb_segment *segment = vb_scene_segments(bodies->scene, &n);
  const vb_joint *joint = vb_scene_joints(bodies->scene, &n_joints);
  const vb_rest_curvature *own = vb_scene_rest_curvatures(bodies->scene, &n);
  double p[2][4];
  along_path(segment[a].rest_frame, bodies->against[a], p[0]);
  along_path(segment[b].rest_frame, bodies->against[b], p[1]);
  for (int k = 1; k < 4; k++)
    p[0][k] = -p[0][k];
  vb_quaternion_multiply(p[0], p[1], out);
  for (size_t i = 0; i < n; i++) {
    const vb_joint *j = &joint[own[i].joint];
    bool forward = j->segment[0] == a && j->segment[1] == b;
    if (!forward && !(j->segment[0] == b && j->segment[1] == a))
      continue;
    // Along the other way u stays, and v and w are turned round.
    double half = 0.25 * (segment[a].rest_length + segment[b].rest_length), square = 0;
    for (int k = 0; k < 3; k++) {
      out[1 + k] = half * own[i].darboux[k] * (!forward && k == 0 ? -1 : 1);
      square += out[1 + k] * out[1 + k];
    }
    out[0] = sqrt(1 - square);
  }
}

/// The frame half way between two.
static void between(const double a[4], const double b[4], double out[4]) {
  double sign = 0, sum[4];
  for (int k = 0; k < 4; k++)
    sign += a[k] * b[k];
  for (int k = 0; k < 4; k++)
    sum[k] = a[k] + (sign < 0 ? -b[k] : b[k]);
  double norm = vb_quaternion_norm(sum);
  for (int k = 0; k < 4; k++)
    out[k] = sum[k] / norm;
}

/// Puts the frames of all nodes between those of the segments, which are there: half way, and at
/// the ends as far beyond as the next node is before.
static void fill_frames(cosserat_chain *c) {
  size_t last = c->n_nodes - 1;
  for (size_t i = SPAN; i < last; i += SPAN)
    between(c->frame[i - HALF], c->frame[i + HALF], c->frame[i]);
  for (int end = 0; end < 2; end++) {
    double *outer = c->frame[end ? last : 0], product = 0;
    const double *q = c->frame[end ? last - HALF : HALF];
    const double *p = c->frame[end ? last - SPAN : SPAN];
    for (int k = 0; k < 4; k++)
      product += p[k] * q[k];
    for (int k = 0; k < 4; k++)
      outer[k] = last == SPAN ? q[k] : 2 * product * q[k] - p[k];
  }
  for (size_t i = 1; i < last; i += 2)
    between(c->frame[i - 1], c->frame[i + 1], c->frame[i]);
}

/// Puts node `i` where a curve goes through that has the tangents of the nodes `reach` before and
/// behind it.
static void place_between(cosserat_chain *c, size_t i, size_t reach) {
  double a[3], b[3];
  const double *from = c->position[i - reach], *to = c->position[i + reach];
  double length = vb_distance(from, to);
  vb_frame_axis(c->frame[i - reach], 2, a);
  vb_frame_axis(c->frame[i + reach], 2, b);
  for (int k = 0; k < 3; k++)
    c->position[i][k] = 0.5 * (from[k] + to[k]) + 0.125 * length * (a[k] - b[k]);
}

/// Puts the nodes between those of the scene.
static void fill_middles(cosserat_chain *c) {
  for (size_t i = HALF; i < c->n_nodes; i += SPAN)
    place_between(c, i, HALF);
  for (size_t i = 1; i < c->n_nodes; i += 2)
    place_between(c, i, 1);
}

/// The stiffness of a solid round section, whose shear factor is 6 (1 + nu) / (7 + 6 nu).
static void fill_stiffness(const cosserat_bodies *bodies, int32_t j, double out[6]) {
  size_t n;
  const vb_segment *s = &vb_scene_segments(bodies->scene, &n)[j];
  const vb_node *node = vb_scene_nodes(bodies->scene, &n);
  const vb_bending *bending = vb_scene_bendings(bodies->scene, &n);
  double young, shear, r = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
  double area = M_PI * r * r, second = area * r * r / 4;
  find_moduli(s, &young, &shear);
  double poisson = young / (2 * shear) - 1;
  out[0] = out[1] = 6 * (1 + poisson) / (7 + 6 * poisson) * shear * area;
  out[2] = young * area;
  out[3] = out[4] = young * second;
  out[5] = shear * 2 * second;
  for (size_t i = 0; i < n; i++)
    if (bending[i].segment == j)
      for (int k = 0; k < 2; k++)
        out[3 + k] *= bending[i].factor[k];
}

/// Puts the shape of the scene at rest, or at time 0, into the chain: positions of nodes and frames
/// of segments, and what lies between.
static void fill_shape(const cosserat_bodies *bodies, cosserat_chain *c, bool at_rest,
                       const int32_t *path_node, const int32_t *path_segment) {
  size_t n;
  const vb_node *node = vb_scene_nodes(bodies->scene, &n);
  const vb_segment *segment = vb_scene_segments(bodies->scene, &n);
  bool own = at_rest && vb_scene_count(bodies->scene, VB_SET_REST_CURVATURE) > 0;
  for (size_t e = 0; SPAN * e < c->n_nodes; e++) {
    const vb_node *from = &node[path_node[e]];
    memcpy(c->position[SPAN * e], at_rest ? from->rest_position : from->position,
           sizeof c->position[0]);
  }
  for (size_t e = 0; SPAN * e + HALF < c->n_nodes; e++) {
    const vb_segment *from = &segment[path_segment[e]];
    double turn[4], *frame = c->frame[SPAN * e + HALF];
    along_path(at_rest ? from->rest_frame : from->frame, bodies->against[path_segment[e]], frame);
    if (e > 0 && own) {
      rest_turn(bodies, path_segment[e - 1], path_segment[e], turn);
      vb_quaternion_multiply(c->frame[SPAN * (e - 1) + HALF], turn, frame);
    }
  }
  fill_frames(c);
  fill_middles(c);
}

/// Makes the strains of the shape at rest, which the chain has, those at rest.
static void fill_rest(cosserat_bodies *bodies, cosserat_chain *c, const int32_t *path_segment) {
  size_t n;
  const vb_segment *segment = vb_scene_segments(bodies->scene, &n);
  bool own = vb_scene_count(bodies->scene, VB_SET_REST_CURVATURE) > 0;
  for (size_t e = 0; e < c->n_elements; e++) {
    size_t j = e / 2; // of the path: two elements are a segment
    double a[3], b[3], change = 0;
    vb_frame_axis(c->frame[SPAN * j], 2, a);
    vb_frame_axis(c->frame[SPAN * (j + 1)], 2, b);
    for (int k = 0; k < 3; k++)
      change += (a[k] - b[k]) * (a[k] - b[k]);
    // The arc over the chord, to the fourth order; with rest curvatures rods are drawn straight.
    c->element[e].length = 0.5 * segment[path_segment[j]].rest_length * (own ? 1 : 1 + change / 24);
    fill_stiffness(bodies, path_segment[j], c->element[e].stiffness);
    cosserat_chain_rest(c, e);
    for (int g = 0; own && g < COSSERAT_GAUSS; g++)
      for (int k = 0; k < 3; k++)
        c->element[e].rest[g][k] = k == 2;
  }
}

static void mark_pins(cosserat_bodies *bodies) {
  size_t n;
  const vb_pin *pin = vb_scene_pins(bodies->scene, &n);
  for (size_t m = 0; m < n; m++) {
    bool frame = pin[m].location == VB_AT_SEGMENT;
    const cosserat_address *at = &(frame ? bodies->segment : bodies->node)[pin[m].index];
    unsigned *held = bodies->chain[at->chain].held;
    if (held)
      held[at->node] |= frame ? 7U << 3 : pin[m].mask & VB_PIN_CENTER;
  }
}

static vb_status allocate(cosserat_bodies *b, vb_error *error) {
  b->n_chains = vb_scene_count(b->scene, VB_SET_BODY);
  b->n_nodes = vb_scene_count(b->scene, VB_SET_NODE);
  b->n_segments = vb_scene_count(b->scene, VB_SET_SEGMENT);
  b->chain = calloc(b->n_chains + 1, sizeof *b->chain);
  b->node = calloc(b->n_nodes + 1, sizeof *b->node);
  b->segment = calloc(b->n_segments + 1, sizeof *b->segment);
  b->against = calloc(b->n_segments + 1, sizeof *b->against);
  b->path_node = calloc(b->n_nodes + 1, sizeof *b->path_node);
  b->path_segment = calloc(b->n_segments + 1, sizeof *b->path_segment);
  return b->chain && b->node && b->segment && b->against && b->path_node && b->path_segment
             ? VB_OK
             : vb_error_memory(error);
}

/// Makes the chain of each body, from its first node on.
static vb_status create_chains(cosserat_bodies *b, const ends *at, const int32_t *first,
                               vb_error *error) {
  int32_t *path_node = b->path_node, *path_segment = b->path_segment;
  vb_status status = VB_OK;
  for (size_t c = 0; !status && c < b->n_chains; c++) {
    size_t n = walk(b, at, (int32_t)c, first[c], path_node, path_segment);
    status = cosserat_chain_create(2 * n, &b->chain[c], error);
    if (status)
      return status;
    fill_shape(b, &b->chain[c], true, path_node, path_segment);
    fill_rest(b, &b->chain[c], path_segment);
    fill_shape(b, &b->chain[c], false, path_node, path_segment);
    path_node += n + 1;
    path_segment += n;
  }
  mark_pins(b);
  return status;
}

vb_status cosserat_bodies_create(const vb_scene *scene, cosserat_bodies *out, vb_error *error) {
  ends *at = NULL;
  int32_t *first = NULL;
  *out = (cosserat_bodies){.scene = scene};
  vb_status status = allocate(out, error);
  if (!status)
    status = find_ends(scene, &at, error);
  if (!status) {
    first = calloc(out->n_chains + 1, sizeof *first);
    status = first ? find_firsts(scene, at, first, error) : vb_error_memory(error);
  }
  if (!status)
    status = create_chains(out, at, first, error);
  free(first);
  free(at);
  return status;
}

void cosserat_bodies_free(cosserat_bodies *bodies) {
  for (size_t c = 0; bodies->chain && c < bodies->n_chains; c++)
    cosserat_chain_free(&bodies->chain[c]);
  free(bodies->chain);
  free(bodies->node);
  free(bodies->segment);
  free(bodies->against);
  free(bodies->path_node);
  free(bodies->path_segment);
  *bodies = (cosserat_bodies){0};
}

/// The parts of a segment's weight that the nodes of its two elements bear.
static const double share_of_weight[SPAN + 1] = {1.0 / 12, 4.0 / 12, 2.0 / 12, 4.0 / 12, 1.0 / 12};

/// The mass of segment `j` [kg].
static double mass_of(const cosserat_bodies *bodies, size_t j) {
  size_t n;
  const vb_segment *s = &vb_scene_segments(bodies->scene, &n)[j];
  const vb_node *node = vb_scene_nodes(bodies->scene, &n);
  double r = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
  const cosserat_address *at = &bodies->segment[j];
  return s->density * M_PI * r * r * 2 * bodies->chain[at->chain].element[at->node / 2].length;
}

static void add_gravity(cosserat_bodies *bodies, double weight) {
  const double *g = vb_scene_world(bodies->scene)->gravity;
  for (size_t j = 0; j < bodies->n_segments; j++) {
    const cosserat_address *at = &bodies->segment[j];
    for (int i = 0; i <= SPAN; i++) {
      double *force = bodies->chain[at->chain].force[at->node + i - HALF];
      vb_add_scaled(force, weight * share_of_weight[i] * mass_of(bodies, j), g, force);
    }
  }
}

double cosserat_bodies_gravity(const cosserat_bodies *bodies) {
  const double *g = vb_scene_world(bodies->scene)->gravity;
  double sum = 0;
  for (size_t j = 0; j < bodies->n_segments; j++) {
    const cosserat_address *at = &bodies->segment[j];
    for (int i = 0; i <= SPAN; i++)
      sum -= share_of_weight[i] * mass_of(bodies, j) *
             vb_dot(g, bodies->chain[at->chain].position[at->node + i - HALF]);
  }
  return sum;
}

/// Puts what a pin holds where its driver has it at `time`.
static void place(cosserat_bodies *bodies, const vb_pin *pin, double time) {
  size_t n;
  const vb_segment *segment = vb_scene_segments(bodies->scene, &n);
  const vb_node *node = vb_scene_nodes(bodies->scene, &n);
  double q[4], b[3], to[4];
  vb_driver_motion(bodies->scene, pin->driver, time, q, b);
  if (pin->location == VB_AT_SEGMENT) {
    const cosserat_address *at = &bodies->segment[pin->index];
    vb_quaternion_multiply(q, segment[pin->index].frame, to);
    along_path(to, bodies->against[pin->index], bodies->chain[at->chain].frame[at->node]);
    return;
  }
  const cosserat_address *at = &bodies->node[pin->index];
  vb_rigid_move(q, b, node[pin->index].position, to);
  for (int k = 0; k < 3; k++)
    if (pin->mask >> k & 1)
      bodies->chain[at->chain].position[at->node][k] = to[k];
}

void cosserat_bodies_load(cosserat_bodies *bodies, double time, double weight) {
  size_t n;
  const vb_load *load = vb_scene_loads(bodies->scene, &n);
  for (size_t c = 0; c < bodies->n_chains; c++) {
    cosserat_chain *chain = &bodies->chain[c];
    memset(chain->force, 0, chain->n_nodes * sizeof *chain->force);
    memset(chain->moment, 0, chain->n_nodes * sizeof *chain->moment);
  }
  add_gravity(bodies, weight);
  for (size_t m = 0; m < n; m++) {
    bool frame = load[m].location == VB_AT_SEGMENT;
    const cosserat_address *at = &(frame ? bodies->segment : bodies->node)[load[m].index];
    cosserat_chain *chain = &bodies->chain[at->chain];
    double factor = vb_scene_curve(bodies->scene, load[m].amplitude, time, 1);
    double *sum = frame ? chain->moment[at->node] : chain->force[at->node];
    vb_add_scaled(sum, factor, frame ? load[m].torque : load[m].force, sum);
  }
  const vb_pin *pin = vb_scene_pins(bodies->scene, &n);
  for (size_t m = 0; m < n; m++)
    place(bodies, &pin[m], time);
}

void cosserat_bodies_frame(const cosserat_bodies *bodies, size_t j, double out[4]) {
  const cosserat_address *at = &bodies->segment[j];
  along_path(bodies->chain[at->chain].frame[at->node], bodies->against[j], out);
  for (int k = 0; bodies->against[j] && k < 4; k++) // two half turns are a whole one
    out[k] = -out[k];
}

void cosserat_bodies_reaction(const cosserat_bodies *bodies, const vb_pin *pin, double force[3],
                              double torque[3]) {
  bool frame = pin->location == VB_AT_SEGMENT;
  const cosserat_address *at = &(frame ? bodies->segment : bodies->node)[pin->index];
  const cosserat_chain *chain = &bodies->chain[at->chain];
  const double *gradient = chain->gradient[at->node];
  for (int k = 0; k < 3; k++) {
    force[k] = !frame && pin->mask >> k & 1 ? gradient[k] : 0;
    torque[k] = 0;
  }
  if (frame)
    vb_quaternion_rotate(chain->frame[at->node], gradient + 3, torque);
}
