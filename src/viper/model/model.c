// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/model.h"

#define VIPER_PRECISION 64
#include "scene/material.h"
#include "viper/energy/material.h"
#include "viper/energy/term.h"
#include "viper/model/bending.h"
#include "viper/model/body_order.h"
#include "viper/model/coloring.h"
#include "viper/model/rest_rotation.h"
#include "viper/model/section_torsion.h"
#include "viper/model/solid.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// What building a model needs besides the model.
typedef struct builder {
  viper_model *model;
  const vb_node *node;
  const vb_segment *segment;
  const vb_joint *joint;
  int32_t *valence;  ///< segments at each scene node
  int32_t *place;    ///< of each scene body in the model
  int32_t *joint_at; ///< scene index to the model's
  int32_t *body;     ///< the model's body of each scene node
  int32_t *first;    ///< first node of each of the model's bodies, and the end
  vb_arena memory;   ///< of these arrays
  bool colored;
} builder;

/// The model's body of a scene node.
static int32_t body_of(const builder *b, int32_t node) {
  return b->place[b->node[node].body];
}

static double segment_radius(const builder *b, const vb_segment *s) {
  return 0.5 * (b->node[s->node[0]].rest_radius + b->node[s->node[1]].rest_radius);
}

/// Counts each scene element's body into `first[body + 1]`, then makes it the bodies' first
/// indexes, and gives each element its place: stable by body.
static void place_by_body(const int32_t *body, size_t n, size_t n_bodies, int32_t *first,
                          int32_t *place) {
  memset(first, 0, (n_bodies + 1) * sizeof *first);
  for (size_t i = 0; i < n; i++)
    first[body[i] + 1]++;
  for (size_t k = 0; k < n_bodies; k++)
    first[k + 1] += first[k];
  int32_t *next = place + n; // scratch behind the places
  memcpy(next, first, n_bodies * sizeof *next);
  for (size_t i = 0; i < n; i++)
    place[i] = next[body[i]]++;
}

static void place_nodes(builder *b) {
  viper_model *m = b->model;
  for (size_t i = 0; i < m->n_nodes; i++)
    b->body[i] = body_of(b, (int32_t)i);
  place_by_body(b->body, m->n_nodes, m->n_bodies, b->first, m->node_at);
  for (size_t k = 0; k < m->n_bodies; k++) {
    m->body[k].first_node = b->first[k];
    m->body[k].n_nodes = b->first[k + 1] - b->first[k];
  }
  for (size_t i = 0; i < m->n_nodes; i++) {
    m->node[m->node_at[i]].scene_index = (int32_t)i;
    m->node[m->node_at[i]].radius = b->node[i].rest_radius;
  }
}

static viper_material material_of(double radius, double length, const double k[6]) {
  return (viper_material){radius,   length,    k[VB_KX],  k[VB_KY],
                          k[VB_KZ], k[VB_KBX], k[VB_KBY], k[VB_KV]};
}

/// Where K of a joint's terms follows from: the means of its segments.
static viper_material joint_material(const builder *b, const vb_joint *joint) {
  const vb_segment *s[2] = {&b->segment[joint->segment[0]], &b->segment[joint->segment[1]]};
  double k[2][6], mean[6];
  viper_joint_stiffness_of(s[0], k[0]);
  viper_joint_stiffness_of(s[1], k[1]);
  for (int i = 0; i < 6; i++)
    mean[i] = 0.5 * (k[0][i] + k[1][i]);
  return material_of(0.5 * (segment_radius(b, s[0]) + segment_radius(b, s[1])),
                     0.5 * (s[0]->rest_length + s[1]->rest_length), mean);
}

/// K of a joint's terms; whether any that acts ties its three nodes.
static bool joint_stiffness(const viper_material *material, double k[VIPER_N_JOINT_TERMS]) {
  for (int i = 0; i < VIPER_N_JOINT_TERMS; i++)
    k[i] = viper_joint_term[i].stiffness(material);
  return viper_count_acting(viper_joint_term, k, VIPER_N_JOINT_TERMS, VIPER_JOINT_OUTER) > 0;
}

static int32_t other_end(const vb_segment *s, int32_t node) {
  return s->node[0] == node ? s->node[1] : s->node[0];
}

/// Colors segments (by their nodes) and joints (by their nodes and segments), or gives all the same
/// color, and lists the phases.
static vb_status color_elements(builder *b, vb_error *error) {
  viper_model *m = b->model;
  viper_coloring *segments = NULL, *joints = NULL;
  vb_status status =
      viper_coloring_create(m->n_segments, m->n_nodes, m->n_bodies, &segments, error);
  if (!status)
    status =
        viper_coloring_create(m->n_joints, m->n_nodes + m->n_segments, m->n_bodies, &joints, error);
  for (size_t j = 0; !status && j < m->n_segments; j++) {
    const vb_segment *s = &b->segment[j];
    status =
        viper_coloring_add(segments, body_of(b, s->node[0]), s->node, b->colored ? 2 : 0, error);
  }
  for (size_t j = 0; !status && j < m->n_joints; j++) {
    const vb_joint *t = &b->joint[j];
    int32_t n = (int32_t)m->n_nodes;
    int32_t touched[5] = {t->node, n + t->segment[0], n + t->segment[1],
                          other_end(&b->segment[t->segment[0]], t->node),
                          other_end(&b->segment[t->segment[1]], t->node)};
    double k[VIPER_N_JOINT_TERMS];
    viper_material material = joint_material(b, t);
    int n_touched = joint_stiffness(&material, k) ? 5 : 3;
    status =
        viper_coloring_add(joints, body_of(b, t->node), touched, b->colored ? n_touched : 0, error);
  }
  if (!status) {
    VB_TAKE(&m->memory, m->phase,
            viper_coloring_n_phases(segments) + viper_coloring_n_phases(joints));
    status = vb_arena_status(&m->memory, error);
  }
  if (!status)
    status = viper_coloring_place(segments, m->segment_at, error);
  if (!status)
    status = viper_coloring_place(joints, b->joint_at, error);
  for (size_t k = 0; !status && k < m->n_bodies; k++) {
    viper_model_body *body = &m->body[k];
    body->first_phase = (int32_t)m->n_phases;
    m->n_phases += viper_coloring_phases(segments, k, 0, m->phase + m->n_phases,
                                         &body->first_segment, &body->n_segments);
    m->n_phases += viper_coloring_phases(joints, k, 1, m->phase + m->n_phases, &body->first_joint,
                                         &body->n_joints);
    body->n_phases = (int32_t)m->n_phases - body->first_phase;
  }
  viper_coloring_destroy(segments);
  viper_coloring_destroy(joints);
  return status;
}

/// Moments of inertia of a frame. The ratios of a disc's are exact.
static void fill_moments(const builder *b, const vb_segment *s, viper_model_segment *out) {
  double disc[3];
  vb_disc_inertia(s, b->node, disc);
  const bool is_disc = memcmp(s->frame_inertia, disc, sizeof disc) == 0;
  out->frame_inertia = s->frame_inertia[0];
  out->disc = disc[0];
  out->moments[0] = is_disc ? 1 : s->frame_inertia[1] / s->frame_inertia[0];
  out->moments[1] = is_disc ? 2 : s->frame_inertia[2] / s->frame_inertia[0];
  b->model->has_moments = b->model->has_moments || !is_disc;
}

/// Rest data and K of the segment terms; the inertias it gives its nodes.
static vb_status fill_segment(builder *b, size_t j, vb_error *error) {
  viper_model *m = b->model;
  const vb_segment *s = &b->segment[j];
  viper_model_segment *out = &m->segment[m->segment_at[j]];
  double r = segment_radius(b, s), l = s->rest_length, r2 = r * r;
  viper_material material = material_of(r, l, s->stiffness);
  out->inv_l = 1 / l;
  for (int i = 0; i < VIPER_N_SEGMENT_TERMS; i++)
    out->k[i] = viper_segment_term[i].stiffness(&material);
  fill_moments(b, s, out);
  out->scene_index = (int32_t)j;
  for (int i = 0; i < 2; i++) {
    viper_model_node *node = &m->node[m->node_at[s->node[i]]];
    out->node[i] = m->node_at[s->node[i]];
    node->mass += 0.5 * s->density * M_PI * r2 * l;
    node->scale_inertia += 0.5 * s->density * M_PI * r2 * r2 / 2 * l;
  }
  return viper_fill_solid(s, r, out, error);
}

/// Notes which bodies have segments of the material model solid.
static void note_solid(viper_model *m) {
  for (size_t k = 0; k < m->n_bodies; k++) {
    viper_model_body *body = &m->body[k];
    body->solid = viper_count_solid(m->segment + body->first_segment, body->n_segments);
    if (body->solid != VIPER_NONE_SOLID)
      m->n_solids = m->n_segments;
  }
}

/// Notes which bodies have joints with the term bend.
static void note_bends(viper_model *m) {
  for (size_t k = 0; k < m->n_bodies; k++) {
    viper_model_body *body = &m->body[k];
    for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
      body->bends = body->bends || m->joint[t].k[VIPER_TERM_BEND] > 0;
  }
}

static void fill_joint(builder *b, size_t t, int32_t at) {
  viper_model *m = b->model;
  const vb_joint *joint = &b->joint[t];
  const vb_segment *s[2] = {&b->segment[joint->segment[0]], &b->segment[joint->segment[1]]};
  viper_model_joint *out = &m->joint[at];
  const viper_material material = joint_material(b, joint);
  const double lm = material.length;
  out->outer = joint_stiffness(&material, out->k);
  out->inv_lm = 1 / lm;
  out->inv_l_j = 1 / s[0]->rest_length;
  out->inv_l_k = 1 / s[1]->rest_length;
  const bool against[2] = {s[0]->node[1] != joint->node, s[1]->node[0] != joint->node};
  out->segment[0] = m->segment_at[joint->segment[0]];
  out->segment[1] = m->segment_at[joint->segment[1]];
  // Outer scales that do not count are not even looked at: another joint of this color may be
  // moving them.
  out->node[0] = m->node_at[out->outer ? other_end(s[0], joint->node) : joint->node];
  out->node[1] = m->node_at[joint->node];
  out->node[2] = m->node_at[out->outer ? other_end(s[1], joint->node) : joint->node];
  double p[4];
  for (int i = 0; i < 2; i++)
    out->flip[i] = against[i] ? -1 : 1;
  viper_rest_rotation(s[0]->rest_frame, s[1]->rest_frame, against, p);
  viper_set_rest_rotation(p, lm, b->valence[joint->node] > 2, out);
}

/// Puts the scene's own rest curvatures in the place of those of the rest frames.
static void fill_rest_curvatures(builder *b) {
  size_t n;
  const vb_rest_curvature *curvature = vb_scene_rest_curvatures(b->model->scene, &n);
  for (size_t i = 0; i < n; i++) {
    viper_model_joint *out = &b->model->joint[b->joint_at[curvature[i].joint]];
    double lm = 1 / out->inv_lm, p[4];
    viper_rest_rotation_of(curvature[i].darboux, lm, p);
    viper_set_rest_rotation(p, lm, b->valence[b->joint[curvature[i].joint].node] > 2, out);
  }
}

static void fill_pins(builder *b) {
  viper_model *m = b->model;
  size_t n_pins, n_loads;
  const vb_pin *pin = vb_scene_pins(m->scene, &n_pins);
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (size_t k = 0; k < m->n_bodies; k++)
    m->body[k].free_center = 1;
  for (size_t i = 0; i < n_pins; i++) {
    bool at_node = pin[i].location == VB_AT_NODE;
    int32_t at = at_node ? m->node_at[pin[i].index] : m->segment_at[pin[i].index];
    int32_t node = at_node ? pin[i].index : b->segment[pin[i].index].node[0];
    viper_model_body *body = &m->body[body_of(b, node)];
    m->pin[i] = (viper_model_pin){pin[i].location, at, pin[i].driver, pin[i].mask};
    if (at_node)
      m->node[at].pinned = pin[i].mask;
    else
      m->segment[at].pinned = pin[i].mask;
    if (pin[i].mask & VB_PIN_CENTER)
      body->free_center = 0;
    if (vb_driver_moves(m->scene, pin[i].driver))
      body->driven = 1;
  }
  for (size_t i = 0; i < n_loads; i++) {
    int32_t node =
        load[i].location == VB_AT_NODE ? load[i].index : b->segment[load[i].index].node[0];
    m->body[body_of(b, node)].driven = 1;
  }
}

/// Pins of parts of frames, behind the others.
static void fill_frame_pins(builder *b) {
  viper_model *m = b->model;
  size_t n, first = vb_scene_count(m->scene, VB_SET_PIN);
  const vb_frame_pin *pin = vb_scene_frame_pins(m->scene, &n);
  for (size_t i = 0; i < n; i++) {
    int32_t at = m->segment_at[pin[i].segment];
    viper_model_body *body = &m->body[body_of(b, b->segment[pin[i].segment].node[0])];
    uint32_t mask = VIPER_HOLDS(pin[i].mask);
    m->pin[first + i] = (viper_model_pin){VB_AT_SEGMENT, at, pin[i].driver, mask};
    m->segment[at].pinned = mask;
    body->driven = body->apart = 1;
  }
}

/// Refuses Hill's law where the stretch term cannot carry its stress: that of a published segment
/// rests at no stretch from kz on; the frame of a solid one tilts from k G on (energy/solid.h).
static vb_status check_hill(const viper_model_activation *a, const vb_activation *from,
                            const viper_model_segment *segment, vb_error *error) {
  const double most = segment->k[VIPER_TERM_STRETCH] / a->volume;
  if (a->hill->stress * a->hill->eccentric < most)
    return VB_OK;
  return vb_bad_input(error,
                      "activation '%s': lengthened fast, segment %d pulls with %.4g Pa; it should "
                      "be less than %s, %.4g Pa",
                      from->name, from->index, a->hill->stress * a->hill->eccentric,
                      segment->k_solid[VIPER_TERM_AXIAL] > 0 ? "the shear stiffness k G" : "kz",
                      most);
}

static vb_status fill_activations(builder *b, vb_error *error) {
  viper_model *m = b->model;
  size_t n, n_hills;
  const vb_activation *activation = vb_scene_activations(m->scene, &n);
  const vb_hill *hill = vb_scene_hills(m->scene, &n_hills);
  for (size_t i = 0; i < n; i++) {
    const vb_activation *a = &activation[i];
    int32_t body = body_of(b, b->segment[a->index].node[0]), at = m->segment_at[a->index];
    const double radius = segment_radius(b, &b->segment[a->index]);
    const bool is_hill = a->active == VB_ACTIVE_HILL; // rows are in the order of activations
    m->activation[i] = (viper_model_activation){at,
                                                body,
                                                a->active,
                                                a->curve,
                                                is_hill ? hill++ : NULL,
                                                M_PI * radius * radius / m->segment[at].inv_l};
    vb_status status = is_hill ? check_hill(&m->activation[i], a, &m->segment[at], error) : VB_OK;
    if (status)
      return status;
    m->body[body].driven = m->body[body].apart = 1;
    m->segment[at].pulled = a->active == VB_ACTIVE_FORCE;
    if (m->segment[at].pulled && !(m->segment[at].k[VIPER_TERM_STRETCH] > 0))
      return vb_bad_input(error,
                          "activation '%s' is a force on segment %d, which has no stiffness kz; "
                          "the viper solver needs one there",
                          a->name, a->index);
  }
  return VB_OK;
}

/// Loads that turn. Each with a segment of its own body, which is computed with it.
static vb_status fill_turning(builder *b, vb_error *error) {
  viper_model *m = b->model;
  size_t n, n_loads;
  const vb_follower_load *turning = vb_scene_follower_loads(m->scene, &n);
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (size_t i = 0; i < n; i++) {
    const vb_load *from = &load[turning[i].load];
    const vb_segment *segment = &b->segment[turning[i].segment];
    const bool at_node = from->location == VB_AT_NODE;
    viper_model_follower_load *out = &m->follower_load[i];
    *out = (viper_model_follower_load){.load = turning[i].load,
                                       .segment = m->segment_at[turning[i].segment],
                                       .location = from->location,
                                       .index = at_node ? m->node_at[from->index]
                                                        : m->segment_at[from->index],
                                       .body = body_of(b, segment->node[0])};
    for (int k = 0; k < 4; k++)
      out->back[k] = k == 0 ? segment->frame[k] : -segment->frame[k];
    if (body_of(b, at_node ? from->index : b->segment[from->index].node[0]) != out->body)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load '%s' follows segment %d of another body; the viper solver supports "
                          "only follower loads on the same body",
                          from->name, turning[i].segment);
  }
  return VB_OK;
}

static void fill_follows(builder *b) {
  viper_model *m = b->model;
  size_t n;
  const vb_follow *follow = vb_scene_follows(m->scene, &n);
  for (size_t i = 0; i < n; i++) {
    viper_model_follow *out = &m->follow[i];
    out->node = m->node_at[follow[i].node];
    out->body = body_of(b, follow[i].node);
    for (int d = 0; d < 2; d++) {
      out->driver[d] = follow[i].driver[d];
      out->weight[d] = follow[i].weight[d];
    }
    m->body[out->body].driven = m->body[out->body].apart = 1;
  }
}

static vb_status allocate(builder *b, vb_error *error) {
  viper_model *m = b->model;
  VB_TAKE(&m->memory, m->node, m->n_nodes);
  VB_TAKE(&m->memory, m->segment, m->n_segments);
  VB_TAKE(&m->memory, m->joint, m->n_joints);
  VB_TAKE(&m->memory, m->body, m->n_bodies);
  VB_TAKE(&m->memory, m->pin, m->n_pins);
  VB_TAKE(&m->memory, m->activation, m->n_activations);
  VB_TAKE(&m->memory, m->follower_load, m->n_follower_loads);
  if (viper_has_bending_factors(m))
    VB_TAKE(&m->memory, m->bending, m->n_joints);
  if (viper_has_fused_rods(m->scene))
    VB_TAKE(&m->memory, m->fused, m->n_joints);
  VB_TAKE(&m->memory, m->follow, m->n_follows);
  VB_TAKE(&m->memory, m->node_at, m->n_nodes + m->n_bodies); // see place_by_body
  VB_TAKE(&m->memory, m->segment_at, m->n_segments);
  VB_TAKE(&b->memory, b->valence, m->n_nodes);
  VB_TAKE(&b->memory, b->place, m->n_bodies);
  VB_TAKE(&b->memory, b->joint_at, m->n_joints);
  VB_TAKE(&b->memory, b->body, m->n_nodes);
  VB_TAKE(&b->memory, b->first, m->n_bodies + 1);
  return m->memory.failed ? vb_error_memory(error) : vb_arena_status(&b->memory, error);
}

static vb_status check_valence(const builder *b, vb_error *error) {
  for (size_t i = 0; i < b->model->n_nodes; i++)
    if (b->valence[i] == 0)
      return vb_bad_input(
          error,
          "node %zu belongs to no segment, so it has no mass; the viper solver needs "
          "a segment at every node",
          i);
  return VB_OK;
}

vb_status viper_model_create(const vb_scene *scene, bool colored, viper_model **out,
                             vb_error *error) {
  viper_model *m = calloc(1, sizeof *m);
  if (!m)
    return vb_error_memory(error);
  builder b = {.model = m, .colored = colored};
  m->scene = scene;
  m->n_bodies = vb_scene_count(scene, VB_SET_BODY);
  m->n_pins = vb_scene_count(scene, VB_SET_PIN) + vb_scene_count(scene, VB_SET_FRAME_PIN);
  m->n_activations = vb_scene_count(scene, VB_SET_ACTIVATION);
  m->n_follower_loads = vb_scene_count(scene, VB_SET_FOLLOWER_LOAD);
  m->n_follows = vb_scene_count(scene, VB_SET_FOLLOW);
  b.node = vb_scene_nodes(scene, &m->n_nodes);
  b.segment = vb_scene_segments(scene, &m->n_segments);
  b.joint = vb_scene_joints(scene, &m->n_joints);
  vb_status status = allocate(&b, error);
  if (!status) {
    for (size_t j = 0; j < m->n_segments; j++)
      for (int i = 0; i < 2; i++)
        b.valence[b.segment[j].node[i]]++;
    status = check_valence(&b, error);
  }
  if (!status)
    status = viper_body_order(scene, m->n_bodies, b.place, error);
  if (!status) {
    place_nodes(&b);
    status = color_elements(&b, error);
  }
  for (size_t j = 0; !status && j < m->n_segments; j++)
    status = fill_segment(&b, j, error);
  if (!status) {
    note_solid(m);
    for (size_t t = 0; t < m->n_joints; t++)
      fill_joint(&b, t, b.joint_at[t]);
    fill_rest_curvatures(&b);
    if (m->bending)
      viper_fill_bending(m, b.joint_at);
    note_bends(m);
    status = viper_fill_section_torsion(m, b.joint_at, error);
  }
  if (!status) {
    fill_pins(&b);
    fill_frame_pins(&b);
    fill_follows(&b);
    status = fill_activations(&b, error);
  }
  if (!status)
    status = fill_turning(&b, error);
  if (!status)
    *out = m;
  else
    viper_model_destroy(m);
  vb_arena_clear(&b.memory);
  return status;
}

void viper_model_destroy(viper_model *m) {
  if (m)
    vb_arena_clear(&m->memory);
  free(m);
}

viper_model *viper_model_of_body(const vb_scene *scene, const viper_model_body *body) {
  viper_model *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->scene = scene;
  m->n_nodes = (size_t)body->n_nodes;
  m->n_segments = (size_t)body->n_segments;
  m->n_joints = (size_t)body->n_joints;
  m->n_phases = (size_t)body->n_phases;
  m->n_bodies = 1;
  m->n_solids = body->solid != VIPER_NONE_SOLID ? m->n_segments : 0;
  VB_TAKE(&m->memory, m->node, m->n_nodes);
  VB_TAKE(&m->memory, m->segment, m->n_segments);
  VB_TAKE(&m->memory, m->joint, m->n_joints);
  VB_TAKE(&m->memory, m->phase, m->n_phases);
  VB_TAKE(&m->memory, m->body, 1);
  if (m->memory.failed) {
    viper_model_destroy(m);
    return NULL;
  }
  m->body[0] = *body;
  m->body->first_node = m->body->first_segment = 0;
  m->body->first_joint = m->body->first_phase = 0;
  return m;
}
