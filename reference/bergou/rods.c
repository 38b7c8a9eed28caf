// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/rods.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

/// The segments at each node of a scene of chains.
typedef struct ends {
  int32_t segment[2]; ///< -1 for none
  int32_t n;
} ends;

static vb_status refuse(const vb_scene *scene, int32_t node, const char *why, vb_error *error) {
  size_t n;
  const vb_body *body = vb_scene_bodies(scene, &n);
  const vb_node *nodes = vb_scene_nodes(scene, &n);
  int32_t b = nodes[node].body;
  return vb_error_set(error, VB_UNAVAILABLE,
                      "solver bergou takes open chains of segments only; body %d (\"%.47s\") %s at "
                      "node %d",
                      b, body[b].name, why, node);
}

/// Lists the segments at each node; the caller frees `*out`.
static vb_status find_ends(const vb_scene *scene, ends **out, vb_error *error) {
  size_t n_nodes, n_segments;
  vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segment = vb_scene_segments(scene, &n_segments);
  ends *at = calloc(n_nodes + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; i < n_nodes; i++)
    at[i] = (ends){{-1, -1}, 0};
  for (size_t j = 0; !status && j < n_segments; j++)
    for (int side = 0; !status && side < 2; side++) {
      ends *end = &at[segment[j].node[side]];
      if (end->n == 2)
        status = refuse(scene, segment[j].node[side], "branches", error);
      else
        end->segment[end->n++] = (int32_t)j;
    }
  for (size_t i = 0; !status && i < n_nodes; i++)
    if (at[i].n == 0)
      status = refuse(scene, (int32_t)i, "has no segment", error);
  if (status)
    free(at);
  else
    *out = at;
  return status;
}

/// The node at the other end of segment `j`.
static int32_t across(const vb_segment *segment, int32_t j, int32_t node) {
  return segment[j].node[segment[j].node[0] == node];
}

/// Writes the nodes and segments of each chain in the order of its path; bodies in their order,
/// each from its end of the lower number.
static vb_status find_paths(const vb_scene *scene, const ends *at, int32_t *path_node,
                            int32_t *path_segment, bergou_chain *chain, vb_error *error) {
  size_t n_nodes, n_bodies, n;
  const vb_node *node = vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segment = vb_scene_segments(scene, &n);
  vb_scene_bodies(scene, &n_bodies);
  int32_t n_path = 0, n_path_segments = 0;
  for (size_t b = 0; b < n_bodies; b++) {
    int32_t begin = -1, some = -1, from = -1;
    for (size_t i = n_nodes; i-- > 0;)
      if (node[i].body == (int32_t)b) {
        some = (int32_t)i;
        begin = at[i].n == 1 ? (int32_t)i : begin;
      }
    if (begin < 0)
      return refuse(scene, some, "closes a loop", error);
    chain[b].first_node = n_path;
    chain[b].first_segment = n_path_segments;
    for (int32_t i = begin;;) {
      path_node[n_path++] = i;
      int32_t next = at[i].segment[at[i].segment[0] == from && from >= 0];
      if (next < 0)
        break;
      path_segment[n_path_segments++] = from = next;
      i = across(segment, next, i);
    }
    chain[b].n_nodes = n_path - chain[b].first_node;
  }
  return VB_OK;
}

vb_status bergou_check_topology(const vb_scene *scene, vb_error *error) {
  ends *at = NULL;
  size_t n_nodes = vb_scene_count(scene, VB_SET_NODE),
         n_bodies = vb_scene_count(scene, VB_SET_BODY);
  vb_status status = find_ends(scene, &at, error);
  int32_t *path = calloc(2 * n_nodes + 1, sizeof *path);
  bergou_chain *chain = calloc(n_bodies + 1, sizeof *chain);
  if (!status && (!path || !chain))
    status = vb_error_memory(error);
  if (!status)
    status = find_paths(scene, at, path, path + n_nodes, chain, error);
  free(chain);
  free(path);
  free(at);
  return status;
}

vb_status bergou_check_activations(const vb_scene *scene, vb_error *error) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(scene, &n);
  for (size_t k = 0; k < n; k++)
    if (activation[k].active == VB_ACTIVE_FORCE)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "activation '%s' is a force, which the bergou solver does not support",
                          activation[k].name);
  return VB_OK;
}

double bergou_active_stretch(const bergou_rods *rods, const vb_activation *activation,
                             double time) {
  double a = vb_scene_curve(rods->scene, activation->curve, time, 1);
  return activation->active == VB_ACTIVE_FIBER
             ? 1 + (a - 1) * rods->segment[activation->index].fiber
             : a;
}

/// The stiffness that takes the place of kz; Young's modulus of the material model solid.
static double effective_kz(const vb_segment *s, bool matched) {
  if (s->model == VB_MATERIAL_SOLID)
    return s->young;
  const double *k = s->stiffness;
  double kv = k[VB_KV];
  if (!matched || kv == 0)
    return k[VB_KZ];
  return k[VB_KZ] + kv - 4 * kv * kv / (k[VB_KX] + k[VB_KY] + 4 * kv);
}

/// The stiffness that takes the place of kx + ky in twist: of the material model solid that of G J.
static double twist_stiffness(const vb_segment *s) {
  return s->model == VB_MATERIAL_SOLID ? 2 * s->shear : s->stiffness[VB_KX] + s->stiffness[VB_KY];
}

static void fill_segments(bergou_rods *rods, bool matched) {
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_segment *from = vb_scene_segments(rods->scene, &n);
  for (size_t j = 0; j < rods->n_segments; j++) {
    bergou_segment *s = &rods->segment[j];
    memcpy(s->node, from[j].node, sizeof s->node);
    double r = 0.5 * (node[s->node[0]].rest_radius + node[s->node[1]].rest_radius);
    double area = M_PI * r * r, l = from[j].rest_length;
    s->length = l;
    s->radius = r;
    s->k = area * effective_kz(&from[j], matched) * l;
    s->fiber = s->k > 0 ? area * from[j].stiffness[VB_KZ] * l / s->k : 1;
    s->inertia = from[j].density * l * area * r * r / 4;
    s->rest_k = s->k;
    s->rest_inertia = s->inertia;
    for (int side = 0; side < 2; side++)
      rods->node[s->node[side]].mass += 0.5 * from[j].density * area * l;
  }
}

/// The half turn about u that shows a frame along the path where its segment is stored against it.
static void flip(bool against, double out[4]) {
  out[0] = against ? 0 : 1;
  out[1] = against ? 1 : 0;
  out[2] = out[3] = 0;
}

static void conjugate(const double q[4], double out[4]) {
  out[0] = q[0];
  for (int k = 1; k < 4; k++)
    out[k] = -q[k];
}

/// Rest rotation P of a joint, with a real part that is not negative: that of the rest frames.
static void rest_rotation(const vb_segment *segment, const vb_joint *joint, const double f[2][4],
                          double p[4]) {
  double along[2][4];
  for (int side = 0; side < 2; side++)
    vb_quaternion_multiply(segment[joint->segment[side]].rest_frame, f[side], along[side]);
  conjugate(along[0], along[0]);
  vb_quaternion_multiply(along[0], along[1], p);
  double sign = p[0] < 0 ? -1 : 1;
  for (int k = 0; k < 4; k++)
    p[k] *= sign;
}

/// Puts in its place the one of joint `t`'s own rest curvature, where the scene has one: Im P =
/// lm/2 Omega_rest.
static void own_rest_rotation(const vb_scene *scene, size_t t, double lm, double p[4]) {
  size_t n;
  const vb_rest_curvature *own = vb_scene_rest_curvatures(scene, &n);
  for (size_t i = 0; i < n; i++)
    if (own[i].joint == (int32_t)t) {
      for (int k = 0; k < 3; k++)
        p[1 + k] = 0.5 * lm * own[i].darboux[k];
      p[0] = sqrt(1 - p[1] * p[1] - p[2] * p[2] - p[3] * p[3]);
    }
}

/// conj(S) of a rest rotation P: S = (1 + P) / |1 + P|.
static void half_rest(const double p[4], double out[4]) {
  double s[4] = {1 + p[0], p[1], p[2], p[3]}, norm = vb_quaternion_norm(s);
  for (int k = 0; k < 4; k++)
    s[k] /= norm;
  conjugate(s, out);
}

/// Factors on the bending stiffness of a segment, about u and v.
static void bending_factors(const vb_scene *scene, int32_t segment, double out[2]) {
  size_t n;
  const vb_bending *bending = vb_scene_bendings(scene, &n);
  out[0] = out[1] = 1;
  for (size_t i = 0; i < n; i++)
    if (bending[i].segment == segment)
      memcpy(out, bending[i].factor, sizeof bending[i].factor);
}

static void fill_joints(bergou_rods *rods, bool matched) {
  size_t n;
  const vb_segment *segment = vb_scene_segments(rods->scene, &n);
  const vb_joint *from = vb_scene_joints(rods->scene, &n);
  for (size_t t = 0; t < rods->n_joints; t++) {
    bergou_joint *joint = &rods->joint[t];
    memcpy(joint->segment, from[t].segment, sizeof joint->segment);
    const vb_segment *j = &segment[joint->segment[0]], *k = &segment[joint->segment[1]];
    double f[2][4], conj_s[4], conj_f[4], p[4], factor[2][2];
    double lm = 0.5 * (j->rest_length + k->rest_length);
    flip(j->node[1] != from[t].node, f[0]);
    flip(k->node[0] != from[t].node, f[1]);
    rest_rotation(segment, &from[t], f, p);
    own_rest_rotation(rods->scene, t, lm, p);
    half_rest(p, conj_s);
    conjugate(f[0], conj_f);
    vb_quaternion_multiply(conj_s, conj_f, joint->left);
    vb_quaternion_multiply(f[1], conj_s, joint->right);
    double r =
        0.5 * (rods->segment[joint->segment[0]].radius + rods->segment[joint->segment[1]].radius);
    // K (2/lm)^2 with K = pi r^4/4 k lm.
    double moment = M_PI * r * r * r * r / lm;
    for (int side = 0; side < 2; side++)
      bending_factors(rods->scene, joint->segment[side], factor[side]);
    double kxy = 0.5 * (twist_stiffness(j) + twist_stiffness(k));
    for (int i = 0; i < 2; i++)
      joint->k[i] =
          moment * 0.5 *
          (effective_kz(j, matched) * factor[0][i] + effective_kz(k, matched) * factor[1][i]);
    joint->k[2] = moment * kxy;
    memcpy(joint->rest_k, joint->k, sizeof joint->k);
  }
}

/// Numbers the unknowns along each chain, and lists its joints.
static void number(bergou_rods *rods) {
  int32_t at = 0, n_listed = 0;
  size_t n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_joint *joint = vb_scene_joints(rods->scene, &n);
  for (size_t c = 0; c < rods->n_chains; c++) {
    bergou_chain *chain = &rods->chain[c];
    chain->first_unknown = at;
    for (int32_t i = 0; i < chain->n_nodes; i++, at += 3) {
      rods->node[rods->path_node[chain->first_node + i]].at = at;
      if (i + 1 < chain->n_nodes)
        rods->segment[rods->path_segment[chain->first_segment + i]].at = at += 3;
    }
    chain->n_unknowns = at - chain->first_unknown;
    chain->first_joint = n_listed;
    for (size_t t = 0; t < rods->n_joints; t++)
      if (node[joint[t].node].body == (int32_t)c)
        rods->path_joint[n_listed++] = (int32_t)t;
    chain->n_joints = n_listed - chain->first_joint;
  }
  rods->n_unknowns = (size_t)at;
}

static void mark_pins(bergou_rods *rods) {
  size_t n_pins, n_loads, n;
  const vb_node *node = vb_scene_nodes(rods->scene, &n);
  const vb_pin *pin = vb_scene_pins(rods->scene, &n_pins);
  const vb_load *load = vb_scene_loads(rods->scene, &n_loads);
  for (size_t k = 0; k < n_pins; k++) {
    bool frame = pin[k].location == VB_AT_SEGMENT;
    uint32_t *pinned =
        frame ? &rods->segment[pin[k].index].pinned : &rods->node[pin[k].index].pinned;
    *pinned |= pin[k].mask;
    int32_t i = frame ? rods->segment[pin[k].index].node[0] : pin[k].index;
    rods->chain[node[i].body].driven = true;
  }
  for (size_t k = 0; k < n_loads; k++) {
    bool frame = load[k].location == VB_AT_SEGMENT;
    int32_t i = frame ? rods->segment[load[k].index].node[0] : load[k].index;
    rods->chain[node[i].body].driven = true;
  }
}

static bool allocate(bergou_rods *rods) {
  const vb_scene *scene = rods->scene;
  rods->n_nodes = vb_scene_count(scene, VB_SET_NODE);
  rods->n_segments = vb_scene_count(scene, VB_SET_SEGMENT);
  rods->n_joints = vb_scene_count(scene, VB_SET_JOINT);
  rods->n_chains = vb_scene_count(scene, VB_SET_BODY);
  rods->node = calloc(rods->n_nodes + 1, sizeof *rods->node);
  rods->segment = calloc(rods->n_segments + 1, sizeof *rods->segment);
  rods->joint = calloc(rods->n_joints + 1, sizeof *rods->joint);
  rods->chain = calloc(rods->n_chains + 1, sizeof *rods->chain);
  rods->path_node = calloc(rods->n_nodes + 1, sizeof *rods->path_node);
  rods->path_segment = calloc(rods->n_segments + 1, sizeof *rods->path_segment);
  rods->path_joint = calloc(rods->n_joints + 1, sizeof *rods->path_joint);
  return rods->node && rods->segment && rods->joint && rods->chain && rods->path_node &&
         rods->path_segment && rods->path_joint;
}

vb_status bergou_rods_create(const vb_scene *scene, bool matched, bergou_rods **out,
                             vb_error *error) {
  ends *at = NULL;
  bergou_rods *rods = calloc(1, sizeof *rods);
  if (!rods)
    return vb_error_memory(error);
  rods->scene = scene;
  vb_status status = allocate(rods) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = find_ends(scene, &at, error);
  if (!status)
    status = find_paths(scene, at, rods->path_node, rods->path_segment, rods->chain, error);
  free(at);
  if (status) {
    bergou_rods_destroy(rods);
    return status;
  }
  fill_segments(rods, matched);
  fill_joints(rods, matched);
  number(rods);
  mark_pins(rods);
  *out = rods;
  return VB_OK;
}

void bergou_rods_follow(bergou_rods *rods, const double *scale) {
  for (size_t j = 0; j < rods->n_segments; j++) {
    bergou_segment *s = &rods->segment[j];
    s->k = scale[j] * scale[j] * s->rest_k;
    s->inertia = scale[j] * scale[j] * s->rest_inertia;
  }
  for (size_t t = 0; t < rods->n_joints; t++) {
    bergou_joint *joint = &rods->joint[t];
    int32_t a = joint->segment[0], b = joint->segment[1];
    double r_a = rods->segment[a].radius, r_b = rods->segment[b].radius;
    double ratio = (scale[a] * r_a + scale[b] * r_b) / (r_a + r_b);
    for (int i = 0; i < 3; i++)
      joint->k[i] = ratio * ratio * ratio * ratio * joint->rest_k[i];
  }
}

void bergou_rods_destroy(bergou_rods *rods) {
  if (!rods)
    return;
  free(rods->node);
  free(rods->segment);
  free(rods->joint);
  free(rods->chain);
  free(rods->path_node);
  free(rods->path_segment);
  free(rods->path_joint);
  free(rods);
}
