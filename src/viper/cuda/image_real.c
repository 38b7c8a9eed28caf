// SPDX-License-Identifier: GPL-3.0-or-later
/// See image.h. Everything is laid out twice by the same functions: once to count the bytes,
/// without memory, and once to write them.
#include "viper/cuda/image.h"

#include "viper/cpu/boundary.h"
#include "viper/cuda/device.h"
#include "viper/rest.h"

#include <stdlib.h>
#include <string.h>

/// A block of the device's memory and its copy on the host (null while bytes are counted).
typedef struct block {
  char *host, *base;
  size_t at;
} block;

typedef struct image {
  const viper_model *model;
  const viper_kinds *kinds;
  viper_boundary boundary;
  int32_t *body_bound; ///< [n_bodies] first bound of each body; those of driven bodies come first
  int32_t *node_body;  ///< [n_nodes] the body of each
  int32_t *node_pin;   ///< [n_nodes] its pin's bound, or -1
  int32_t *frame_pin;  ///< [n_segments]
  int32_t *node_load;  ///< [n_nodes] its load's bound, or -1
  int32_t *frame_load; ///< [n_segments]
  int32_t *force;      ///< [n_loads] the value of each load's force, behind its body's bounds
  int32_t *part;       ///< [n_pins + n_loads] where the work of each goes, or -1
  int32_t *work_first; ///< [n_slots + 1] parts of each driver, then of each load
  int32_t n_slots;
  int32_t n_bounds; ///< of all bodies
  int32_t n_moving; ///< of driven bodies
  viper_device device;
  viper_image_bytes bytes;
} image;

static void destroy(void *self) {
  image *im = self;
  if (!im)
    return;
  viper_boundary_destroy(&im->boundary);
  free(im->body_bound);
  free(im->node_body);
  free(im->node_pin);
  free(im->frame_pin);
  free(im->node_load);
  free(im->frame_load);
  free(im->force);
  free(im->part);
  free(im->work_first);
  free(im);
}

/// Room for `n` elements of `size` bytes; `*host` becomes where they are written, or null.
static void *reserve(block *b, size_t n, size_t size, void *host) {
  size_t begin = (b->at + 63) / 64 * 64;
  b->at = begin + n * size;
  char *here = b->host ? b->host + begin : NULL;
  memcpy(host, &here, sizeof here);
  return b->base ? b->base + begin : NULL;
}

/// A copy of an array.
static void *copy(block *b, const void *from, size_t n, size_t size) {
  char *host;
  void *at = reserve(b, n, size, &host);
  if (host)
    memcpy(host, from, n * size);
  return at;
}

static bool is_moving(const image *im, int32_t body) {
  return im->model->body[body].driven;
}

/// The body that a load is on.
static int32_t loaded_body(const image *im, const vb_load *load) {
  const viper_model *m = im->model;
  if (load->location == VB_AT_NODE)
    return im->node_body[m->node_at[load->index]];
  return im->node_body[m->segment[m->segment_at[load->index]].node[0]];
}

static int32_t pinned_body(const image *im, const viper_model_pin *pin) {
  const viper_model *m = im->model;
  return im
      ->node_body[pin->location == VB_AT_SEGMENT ? m->segment[pin->index].node[0] : pin->index];
}

/// Numbers the bounds of a body, loads first, from `*next` on.
static void number_bounds(image *im, int32_t body, int32_t *next) {
  const viper_model *m = im->model;
  const viper_model_body *b = &m->body[body];
  im->body_bound[body] = *next;
  for (int32_t i = b->first_node; i < b->first_node + b->n_nodes; i++)
    im->node_load[i] = im->node_load[i] ? (*next)++ : -1;
  for (int32_t j = b->first_segment; j < b->first_segment + b->n_segments; j++)
    im->frame_load[j] = im->frame_load[j] ? (*next)++ : -1;
  for (int32_t i = b->first_node; i < b->first_node + b->n_nodes; i++)
    im->node_pin[i] = m->node[i].pinned ? (*next)++ : -1;
  for (int32_t j = b->first_segment; j < b->first_segment + b->n_segments; j++)
    im->frame_pin[j] = m->segment[j].pinned & VB_PIN_FRAME ? (*next)++ : -1;
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (size_t k = 0; b->driven && k < n_loads; k++)
    if (loaded_body(im, &load[k]) == body)
      im->force[k] = (*next)++;
}

static void number_all_bounds(image *im) {
  const viper_model *m = im->model;
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (int32_t k = 0; k < (int32_t)m->n_bodies; k++)
    for (int32_t i = 0; i < m->body[k].n_nodes; i++)
      im->node_body[m->body[k].first_node + i] = k;
  for (size_t k = 0; k < n_loads; k++) { // noted here, numbered below
    if (load[k].location == VB_AT_SEGMENT)
      im->frame_load[m->segment_at[load[k].index]] = 1;
    else
      im->node_load[m->node_at[load[k].index]] = 1;
  }
  for (int moving = 1; moving >= 0; moving--) {
    for (int32_t k = 0; k < (int32_t)m->n_bodies; k++)
      if (is_moving(im, k) == moving)
        number_bounds(im, k, &im->n_bounds);
    if (moving)
      im->n_moving = im->n_bounds;
  }
}

/// Numbers the parts of the work, driver by driver, pins as the model has them, then load by load.
static void number_work(image *im) {
  const viper_model *m = im->model;
  size_t n_drivers = vb_scene_count(m->scene, VB_SET_DRIVER);
  int32_t next = 0;
  for (size_t d = 0; d < n_drivers; d++) {
    im->work_first[d] = next;
    for (size_t k = 0; k < m->n_pins; k++)
      if (m->pin[k].driver == (int32_t)d)
        im->part[k] = is_moving(im, pinned_body(im, &m->pin[k])) ? next++ : -1;
  }
  for (size_t k = 0; k < (size_t)im->n_slots - n_drivers; k++) {
    im->work_first[n_drivers + k] = next;
    im->part[m->n_pins + k] = next++;
  }
  im->work_first[im->n_slots] = next;
}

/// What does work on the body of a kind of its own.
static void place_work(image *im, const viper_kind *kind, block *b, viper_device_kind *out) {
  const viper_model *m = im->model;
  int32_t body = kind->body[0], n = 0;
  const viper_model_body *at = &m->body[body];
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  viper_work_item *host;
  for (size_t k = 0; at->driven && k < m->n_pins; k++)
    n += pinned_body(im, &m->pin[k]) == body;
  for (size_t k = 0; at->driven && k < n_loads; k++)
    n += loaded_body(im, &load[k]) == body;
  out->n_works = n;
  out->work = reserve(b, (size_t)n, sizeof *host, &host);
  for (size_t k = 0; host && n > 0 && k < m->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[k];
    bool frame = pin->location == VB_AT_SEGMENT;
    if (pinned_body(im, pin) == body)
      *host++ = (viper_work_item){frame ? VIPER_BOUND_FRAME_PIN : VIPER_BOUND_NODE_PIN,
                                  pin->index - (frame ? at->first_segment : at->first_node),
                                  pin->mask, im->part[k], -1};
  }
  for (size_t k = 0; host && n > 0 && k < n_loads; k++) {
    bool frame = load[k].location == VB_AT_SEGMENT;
    int32_t index = frame ? m->segment_at[load[k].index] - at->first_segment
                          : m->node_at[load[k].index] - at->first_node;
    if (loaded_body(im, &load[k]) == body)
      *host++ = (viper_work_item){frame ? VIPER_BOUND_FRAME_LOAD : VIPER_BOUND_NODE_LOAD, index, 0,
                                  im->part[m->n_pins + k], im->force[k]};
  }
}

/// The bounds of a kind: those of its first body.
static void place_bounds(image *im, const viper_kind *kind, block *b, viper_device_kind *out) {
  const viper_model_body *first = &im->model->body[kind->body[0]];
  int32_t begin = im->body_bound[kind->body[0]], n = 0;
  struct {
    int32_t kind;
    const int32_t *bound;
    int32_t first, count;
  } const list[] = {
      {VIPER_BOUND_NODE_LOAD, im->node_load, first->first_node, first->n_nodes},
      {VIPER_BOUND_FRAME_LOAD, im->frame_load, first->first_segment, first->n_segments},
      {VIPER_BOUND_NODE_PIN, im->node_pin, first->first_node, first->n_nodes},
      {VIPER_BOUND_FRAME_PIN, im->frame_pin, first->first_segment, first->n_segments},
  };
  for (int l = 0; l < 4; l++) {
    for (int32_t i = 0; i < list[l].count; i++)
      n += list[l].bound[list[l].first + i] >= 0;
    if (l == 1)
      out->n_loads = n;
  }
  viper_bound *host;
  out->n_bounds = n;
  out->bound = reserve(b, (size_t)n, sizeof *host, &host);
  for (int l = 0; host && l < 4; l++)
    for (int32_t i = 0; i < list[l].count; i++) {
      int32_t at = list[l].bound[list[l].first + i];
      if (at >= 0)
        host[at - begin] =
            (viper_bound){list[l].kind, i, l == 2 ? im->model->node[list[l].first + i].pinned : 0};
    }
}

/// An array of a table: its rows' beginnings and its elements.
static viper_table place_table(block *b, const viper_table *t, size_t rows) {
  viper_table out = {copy(b, t->first, rows + 1, sizeof *t->first),
                     copy(b, t->element, (size_t)t->first[rows], sizeof *t->element)};
  return out;
}

static viper_links place_links(block *b, const viper_links *l, const viper_model *m) {
  viper_links out = {
      .node_segment = place_table(b, &l->node_segment, 2 * m->n_nodes),
      .node_joint = place_table(b, &l->node_joint, 3 * m->n_nodes),
      .frame_joint = place_table(b, &l->frame_joint, 2 * m->n_segments),
      .node_order = copy(b, l->node_order, m->n_nodes, sizeof *l->node_order),
      .frame_order = copy(b, l->frame_order, m->n_segments, sizeof *l->frame_order),
      .phase = copy(b, l->phase, (size_t)l->body_phase[1], sizeof *l->phase),
      .body_phase = copy(b, l->body_phase, 2, sizeof *l->body_phase),
  };
  return out;
}

static void place_topology(block *b, const viper_model *m, viper_device_kind *out) {
  viper_device_segment *segment;
  viper_device_joint *joint;
  uint8_t *node_pinned, *frame_pinned;
  out->segment = reserve(b, m->n_segments, sizeof *segment, &segment);
  out->joint = reserve(b, m->n_joints, sizeof *joint, &joint);
  out->node_pinned = reserve(b, m->n_nodes, 1, &node_pinned);
  out->frame_pinned = reserve(b, m->n_segments, 1, &frame_pinned);
  for (size_t i = 0; node_pinned && i < m->n_nodes; i++)
    node_pinned[i] = (uint8_t)m->node[i].pinned;
  for (size_t j = 0; segment && j < m->n_segments; j++) {
    memcpy(segment[j].node, m->segment[j].node, sizeof segment[j].node);
    frame_pinned[j] = m->segment[j].pinned & VB_PIN_FRAME ? 1 : 0;
  }
  for (size_t t = 0; joint && t < m->n_joints; t++) {
    memcpy(joint[t].node, m->joint[t].node, sizeof joint[t].node);
    memcpy(joint[t].segment, m->joint[t].segment, sizeof joint[t].segment);
    for (int k = 0; k < 4; k++)
      joint[t].k[k] = m->joint[t].k[k] > 0;
  }
}

static void place_kinds(image *im, block *b) {
  viper_device_kind *host;
  im->device.kind = reserve(b, im->kinds->n_kinds, sizeof *host, &host);
  for (size_t k = 0; k < im->kinds->n_kinds; k++) {
    const viper_kind *kind = &im->kinds->kind[k];
    const viper_model *m = kind->model;
    viper_device_kind out = {.body = m->body[0]};
    place_topology(b, m, &out);
    out.phase = copy(b, m->phase, m->n_phases, sizeof *m->phase);
    out.links = place_links(b, kind->links, m);
    place_bounds(im, kind, b, &out);
    place_work(im, kind, b, &out);
    if (host)
      host[k] = out;
  }
}

/// Where rest data are written; all null while bytes are counted.
typedef struct rest {
  viper_real *node_inertia, *node_part, *frame_inertia, *frame_part;
  viper_segment_rest *segment;
  viper_joint_seed *joint;
} rest;

/// Rest data of a body, from place `to` of each array on.
static void write_rest(const image *im, const viper_kind *kind, int32_t body, const rest *out,
                       const viper_device_body *to) {
  const viper_model *m = im->model;
  const viper_model_body *b = &m->body[body];
  const viper_links *links = kind->links;
  for (int32_t i = 0; i < b->n_nodes; i++) {
    const viper_model_node *node = &m->node[b->first_node + i];
    size_t at = 2 * (size_t)(to->rest_node + i);
    out->node_inertia[at] = (viper_real)node->mass;
    out->node_inertia[at + 1] = (viper_real)node->scale_inertia;
    out->node_part[at] = VIPER_R(1) / (viper_real)links->node_count[i].center;
    out->node_part[at + 1] = VIPER_R(1) / (viper_real)links->node_count[i].scale;
  }
  for (int32_t j = 0; j < b->n_segments; j++) {
    const viper_model_segment *segment = &m->segment[b->first_segment + j];
    out->frame_inertia[to->rest_segment + j] = (viper_real)segment->frame_inertia;
    out->frame_part[to->rest_segment + j] = VIPER_R(1) / (viper_real)links->frame_count[j];
    out->segment[to->rest_segment + j] = viper_segment_rest_from(segment);
  }
  for (int32_t t = 0; t < b->n_joints; t++)
    out->joint[to->rest_joint + t] = viper_joint_seed_from(&m->joint[b->first_joint + t]);
}

/// Counts the rest data that are kept: of uniform kinds those of one body.
static void count_rest(const viper_kinds *kinds, size_t *n, size_t *s, size_t *t) {
  *n = *s = *t = 0;
  for (size_t k = 0; k < kinds->n_kinds; k++) {
    const viper_kind *kind = &kinds->kind[k];
    size_t times = kind->uniform ? 1 : (size_t)kind->n_bodies;
    *n += times * kind->model->n_nodes;
    *s += times * kind->model->n_segments;
    *t += times * kind->model->n_joints;
  }
}

static void place_rest(image *im, block *b) {
  viper_device *d = &im->device;
  size_t n, s, t;
  rest host;
  viper_device_body *body, next = {0};
  count_rest(im->kinds, &n, &s, &t);
  d->node_inertia = reserve(b, 2 * n, sizeof(viper_real), &host.node_inertia);
  d->node_part = reserve(b, 2 * n, sizeof(viper_real), &host.node_part);
  d->frame_inertia = reserve(b, s, sizeof(viper_real), &host.frame_inertia);
  d->frame_part = reserve(b, s, sizeof(viper_real), &host.frame_part);
  d->segment = reserve(b, s, sizeof *host.segment, &host.segment);
  d->joint = reserve(b, t, sizeof *host.joint, &host.joint);
  d->body = reserve(b, im->model->n_bodies, sizeof *body, &body);
  for (size_t k = 0; body && k < im->kinds->n_kinds; k++) {
    const viper_kind *kind = &im->kinds->kind[k];
    for (int32_t i = 0; i < kind->n_bodies; i++) {
      const viper_model_body *from = &im->model->body[kind->body[i]];
      viper_device_body out = next;
      out.kind = (int32_t)k;
      out.node = from->first_node;
      out.segment = from->first_segment;
      out.bound = im->body_bound[kind->body[i]];
      body[kind->body[i]] = out;
      if (i == 0 || !kind->uniform)
        write_rest(im, kind, kind->body[i], &host, &out);
      if (i + 1 < kind->n_bodies && kind->uniform)
        continue;
      next.rest_node += from->n_nodes;
      next.rest_segment += from->n_segments;
      next.rest_joint += from->n_joints;
    }
  }
}

/// Forces and torques of the loads at a time, among the values from `from` to `to` - 1.
static void write_forces(const image *im, double time, int32_t from, int32_t to, viper_real *out) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(im->model->scene, &n_loads);
  for (size_t k = 0; k < n_loads; k++) {
    bool frame = load[k].location == VB_AT_SEGMENT;
    double factor = vb_scene_curve(im->model->scene, load[k].amplitude, time, 1);
    const double *value = frame ? load[k].torque : load[k].force;
    viper_real *at = out + 4 * (im->force[k] - from);
    for (int c = 0; im->force[k] >= from && im->force[k] < to && c < 4; c++)
      at[c] = (viper_real)(factor * (c < 3 ? value[c] : frame ? 0 : load[k].scale_force));
  }
}

/// Values of the bounds numbered from `from` to `to` - 1 at the time that the boundary was filled
/// for; bound `from` is written to `out`.
static void write_values(const image *im, double time, int32_t from, int32_t to, viper_real *out) {
  const viper_model *m = im->model;
  const double *g = vb_scene_world(m->scene)->gravity;
  for (size_t k = 0; k < m->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[k];
    bool frame = pin->location == VB_AT_SEGMENT;
    int32_t at = frame ? im->frame_pin[pin->index] : im->node_pin[pin->index];
    for (int c = 0; at >= from && at < to && c < 4; c++)
      if (frame || pin->mask >> c & 1)
        out[4 * (at - from) + c] = (viper_real)im->boundary.target[4 * k + (size_t)c];
  }
  write_forces(im, time, from, to, out);
  for (size_t i = 0; im->boundary.node_load && i < m->n_nodes; i++) {
    const double *f = im->boundary.node_load + 4 * i;
    int32_t at = im->node_load[i];
    if (at < from || at >= to)
      continue;
    for (int c = 0; c < 3; c++)
      out[4 * (at - from) + c] = (viper_real)(g[c] + f[c] / m->node[i].mass);
    out[4 * (at - from) + 3] = (viper_real)(f[3] / m->node[i].scale_inertia);
  }
  for (size_t j = 0; im->boundary.frame_load && j < m->n_segments; j++) {
    int32_t at = im->frame_load[j];
    for (int c = 0; at >= from && at < to && c < 4; c++)
      out[4 * (at - from) + c] =
          c < 3 ? (viper_real)im->boundary.frame_load[3 * j + (size_t)c] : VIPER_R(0);
  }
}

static void place_state(image *im, block *b) {
  viper_device *d = &im->device;
  size_t n = im->model->n_nodes, s = im->model->n_segments;
  char *none;
  d->control = reserve(b, 1, sizeof *d->control, &none);
  d->node = reserve(b, 4 * n, sizeof(viper_real), &none);
  d->node_rate = reserve(b, 4 * n, sizeof(viper_real), &none);
  d->node_hat = reserve(b, 4 * n, sizeof(viper_real), &none);
  d->frame = reserve(b, 4 * s, sizeof(viper_real), &none);
  d->frame_hat = reserve(b, 4 * s, sizeof(viper_real), &none);
  d->frame_rate = reserve(b, 3 * s, sizeof(viper_real), &none);
  d->work = reserve(b, (size_t)im->n_slots, sizeof *d->work, &none);
  d->work_part = reserve(b, (size_t)im->work_first[im->n_slots], sizeof(viper_real), &none);
}

/// Lays out the blocks `rest` and `state`.
static void place(image *im, block *rest_block, block *state) {
  viper_real *value;
  // First, so that what moves is a block from the beginning.
  im->device.bound_value = reserve(rest_block, 4 * (size_t)im->n_bounds, sizeof *value, &value);
  place_kinds(im, rest_block);
  place_rest(im, rest_block);
  im->device.n_slots = im->n_slots;
  im->device.work_first =
      copy(rest_block, im->work_first, (size_t)im->n_slots + 1, sizeof *im->work_first);
  place_state(im, state);
  if (value) {
    viper_boundary_at(&im->boundary, im->model, 0);
    write_values(im, 0, 0, im->n_bounds, value);
  }
}

static bool allocate(image *im) {
  size_t n = im->model->n_nodes, s = im->model->n_segments;
  im->body_bound = calloc(im->model->n_bodies + 1, sizeof *im->body_bound);
  im->node_body = calloc(n + 1, sizeof *im->node_body);
  im->node_pin = calloc(n + 1, sizeof *im->node_pin);
  im->frame_pin = calloc(s + 1, sizeof *im->frame_pin);
  im->node_load = calloc(n + 1, sizeof *im->node_load);
  im->frame_load = calloc(s + 1, sizeof *im->frame_load);
  im->n_slots = (int32_t)(vb_scene_count(im->model->scene, VB_SET_DRIVER) +
                          vb_scene_count(im->model->scene, VB_SET_LOAD));
  im->force = calloc(vb_scene_count(im->model->scene, VB_SET_LOAD) + 1, sizeof *im->force);
  im->part = calloc(im->model->n_pins + (size_t)im->n_slots + 1, sizeof *im->part);
  im->work_first = calloc((size_t)im->n_slots + 1, sizeof *im->work_first);
  return im->force && im->part && im->work_first && im->body_bound && im->node_body &&
         im->node_pin && im->frame_pin && im->node_load && im->frame_load;
}

static vb_status create(const viper_model *model, const viper_kinds *kinds, void **out,
                        vb_error *error) {
  image *im = calloc(1, sizeof *im);
  block rest_block = {0}, state = {0};
  if (!im)
    return vb_error_memory(error);
  im->model = model;
  im->kinds = kinds;
  vb_status status = allocate(im) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_boundary_create(model, &im->boundary, error);
  if (status) {
    destroy(im);
    return status;
  }
  for (int k = 0; k < 3; k++)
    im->device.gravity[k] = (viper_real)vb_scene_world(model->scene)->gravity[k];
  number_all_bounds(im);
  number_work(im);
  place(im, &rest_block, &state);
  im->bytes =
      (viper_image_bytes){rest_block.at, state.at, 4 * (size_t)im->n_moving * sizeof(viper_real)};
  *out = im;
  return VB_OK;
}

static viper_image_bytes bytes(const void *self) {
  return ((const image *)self)->bytes;
}

static const void *fill(void *self, char *out, char *rest_at, char *state_at) {
  image *im = self;
  block rest_block = {out, rest_at, 0}, state = {NULL, state_at, 0};
  place(im, &rest_block, &state);
  return &im->device;
}

/// Where an array of the state lies in its block.
static void *in_state(const image *im, char *block_at, const void *array) {
  return block_at + ((const char *)array - (const char *)im->device.control);
}

static void to_reals(const double *from, size_t n, viper_real *to) {
  for (size_t k = 0; k < n; k++)
    to[k] = (viper_real)from[k];
}

static void to_doubles(const viper_real *from, size_t n, double *to) {
  for (size_t k = 0; k < n; k++)
    to[k] = (double)from[k];
}

static void put(const void *self, const viper_state *state, char *out) {
  const image *im = self;
  const viper_device *d = &im->device;
  size_t n = im->model->n_nodes, s = im->model->n_segments;
  memset(out, 0, sizeof *d->control);
  to_reals(state->node, 4 * n, in_state(im, out, d->node));
  to_reals(state->node_rate, 4 * n, in_state(im, out, d->node_rate));
  to_reals(state->node_hat, 4 * n, in_state(im, out, d->node_hat));
  to_reals(state->frame, 4 * s, in_state(im, out, d->frame));
  to_reals(state->frame_hat, 4 * s, in_state(im, out, d->frame_hat));
  to_reals(state->frame_rate, 3 * s, in_state(im, out, d->frame_rate));
  memcpy(in_state(im, out, d->work), state->work, (size_t)im->n_slots * sizeof *state->work);
}

static void get(const void *self, const char *in, viper_state *state) {
  const image *im = self;
  const viper_device *d = &im->device;
  size_t n = im->model->n_nodes, s = im->model->n_segments;
  char *from = (char *)in; // only read
  to_doubles(in_state(im, from, d->node), 4 * n, state->node);
  to_doubles(in_state(im, from, d->node_rate), 4 * n, state->node_rate);
  to_doubles(in_state(im, from, d->node_hat), 4 * n, state->node_hat);
  to_doubles(in_state(im, from, d->frame), 4 * s, state->frame);
  to_doubles(in_state(im, from, d->frame_hat), 4 * s, state->frame_hat);
  to_doubles(in_state(im, from, d->frame_rate), 3 * s, state->frame_rate);
  memcpy(state->work, in_state(im, from, d->work), (size_t)im->n_slots * sizeof *state->work);
}

static viper_progress progress(const char *in, int64_t n_steps) {
  viper_control control;
  memcpy(&control, in, sizeof control);
  return (viper_progress){control.n_steps - n_steps, control.stopped};
}

static void move(void *self, double time, char *out) {
  image *im = self;
  viper_boundary_at(&im->boundary, im->model, time);
  write_values(im, time, 0, im->n_moving, (viper_real *)out);
}

const viper_image_api VIPER_NAME(viper_image) = {sizeof(viper_real),
                                                 sizeof(viper_control),
                                                 create,
                                                 destroy,
                                                 bytes,
                                                 fill,
                                                 put,
                                                 get,
                                                 progress,
                                                 move};
