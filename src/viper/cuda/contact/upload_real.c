// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's contact laid out for a device: see host.h.
#include "viper/contact/filter.h"
#include "viper/contact/forces.h"
#include "viper/contact/rest.h"
#include "viper/cuda/contact/device.h"

#include <stdlib.h>

typedef struct device_model {
  viper_device_model base;
  const viper_model *model;
  viper_filter filter;
  viper_rod_neighbors *beyond; ///< null where normals are segments'
  bool between;                ///< whether capsules touch each other
  int64_t *workspace_first;    ///< [n_bodies + 1] where each body begins in `workspace`, numbers
  bool rolls;                  ///< whether friction rolls frames
  viper_average *average;      ///< [n_nodes] where contacts are averaged
  viper_settings settings;
  viper_contact_device device;
} device_model;

static void destroy(viper_device_model *self) {
  device_model *dm = (device_model *)self;
  viper_filter_destroy(&dm->filter);
  free(dm->beyond);
  free(dm->workspace_first);
  free(dm->average);
  free(dm);
}

/// The least number of bits that hold all numbers below `n`.
static int32_t bits_of(size_t n) {
  int32_t bits = 1;
  while ((size_t)1 << bits < n)
    bits++;
  return bits;
}

static void set_numbers(device_model *dm) {
  viper_contact_device *d = &dm->device;
  const viper_model *m = dm->model;
  const vb_contact *contact = vb_scene_contact(m->scene);
  d->n_nodes = (int32_t)m->n_nodes;
  d->n_segments = (int32_t)m->n_segments;
  d->n_bodies = (int32_t)m->n_bodies;
  d->n_planes = (int32_t)vb_scene_count(m->scene, VB_SET_HALF_PLANE);
  d->margin = (viper_scalar)viper_contact_margin(m);
  if (contact) {
    // What a crowd at rest needs and then some; it grows where that is not enough.
    d->rooms = (viper_contact_rooms){8 * d->n_segments + 4096, d->n_segments + 1024};
    d->number_bits = bits_of(m->n_segments);
    d->n_buckets = INT32_C(1) << bits_of(2 * m->n_segments);
    d->friction = (viper_friction){(viper_scalar)contact->static_friction,
                                   (viper_scalar)contact->kinetic_friction};
  }
}

static viper_contact_rooms *rooms(viper_device_model *self) {
  return &((device_model *)self)->device.rooms;
}

static void place_nodes(device_model *dm, viper_memory *b) {
  const viper_model *m = dm->model;
  viper_contact_node *node;
  int32_t *place, *hat;
  double *mass;
  dm->device.node = viper_memory_reserve(b, m->n_nodes, sizeof *node, &node);
  dm->device.place = viper_memory_reserve(b, m->n_nodes, sizeof *place, &place);
  dm->device.place_hat = viper_memory_reserve(b, m->n_nodes, sizeof *hat, &hat);
  dm->device.mass = viper_memory_reserve(b, m->n_nodes, sizeof *mass, &mass);
  for (size_t k = 0; node && k < m->n_bodies; k++)
    for (int32_t i = 0; i < m->body[k].n_nodes; i++) {
      int32_t at = m->body[k].first_node + i;
      const viper_model_node *from = &m->node[at];
      viper_contact_node_fill(&node[at], from);
      mass[at] = from->mass;
      place[at] = (int32_t)(dm->workspace_first[k] / 4) + i; // see viper_workspace_at
      hat[at] = place[at] + m->body[k].n_nodes;
    }
}

/// What friction that rolls frames needs.
static void place_frames(device_model *dm, viper_memory *b) {
  const viper_model *m = dm->model;
  viper_contact_device *d = &dm->device;
  viper_contact_frame *frame;
  int32_t *place, *hat, *first, *turn;
  viper_roller *roller;
  if (!dm->rolls)
    return;
  d->frame = viper_memory_reserve(b, m->n_segments, sizeof *frame, &frame);
  d->frame_place = viper_memory_reserve(b, m->n_segments, sizeof *place, &place);
  d->frame_place_hat = viper_memory_reserve(b, m->n_segments, sizeof *hat, &hat);
  d->roller_first = viper_memory_reserve(b, m->n_nodes + 1, sizeof *first, &first);
  d->roller = viper_memory_reserve(b, 2 * m->n_segments, sizeof *roller, &roller);
  d->turn = viper_memory_reserve(b, m->n_nodes, sizeof *turn, &turn);
  if (!frame)
    return;
  viper_rollers_fill(m, first, roller);
  d->n_turns = viper_turns_fill(m, first, roller, turn);
  for (size_t k = 0; k < m->n_bodies; k++)
    for (int32_t j = 0; j < m->body[k].n_segments; j++) {
      int32_t at = m->body[k].first_segment + j;
      viper_contact_frame_fill(&frame[at], &m->segment[at]);
      // see viper_workspace_at
      place[at] = (int32_t)(dm->workspace_first[k] / 4) + 2 * m->body[k].n_nodes + j;
      hat[at] = place[at] + m->body[k].n_segments;
    }
}

/// What is averaged at nodes.
static void place_averages(device_model *dm, viper_memory *b) {
  viper_average *average;
  if (dm->settings.contact != VIPER_CONTACT_AVERAGED)
    return;
  dm->device.average = viper_memory_reserve(b, dm->model->n_nodes, sizeof *average, &average);
  if (average)
    memcpy(average, dm->average, dm->model->n_nodes * sizeof *average);
}

/// Friction of bodies, where one has its own.
static void place_friction(device_model *dm, viper_memory *b) {
  viper_friction *friction;
  if (vb_scene_count(dm->model->scene, VB_SET_FRICTION) == 0)
    return;
  dm->device.of_node = viper_memory_reserve(b, dm->model->n_nodes, sizeof *friction, &friction);
  if (friction)
    viper_friction_fill(friction, dm->model);
}

/// A body's mass, summed as its nodes go; 0 where one of its centers is pinned.
static double mass_of(const viper_model *m, const viper_model_body *body) {
  double mass = 0;
  for (int32_t i = 0; body->free_center && i < body->n_nodes; i++)
    mass += m->node[body->first_node + i].mass;
  return mass;
}

static void place_masses(device_model *dm, viper_memory *b) {
  const viper_model *m = dm->model;
  double *mass;
  int32_t *first;
  dm->device.workspace_first = VIPER_COPY(b, dm->workspace_first, m->n_bodies);
  dm->device.body_mass = viper_memory_reserve(b, m->n_bodies, sizeof *mass, &mass);
  dm->device.body_node = viper_memory_reserve(b, m->n_bodies + 1, sizeof *first, &first);
  for (size_t k = 0; mass && k < m->n_bodies; k++) {
    mass[k] = mass_of(m, &m->body[k]);
    first[k] = m->body[k].first_node;
    first[k + 1] = m->body[k].first_node + m->body[k].n_nodes;
  }
}

/// Which half-planes are driven.
static void place_driven(device_model *dm, viper_memory *b, viper_plane *plane, size_t n_planes) {
  size_t n;
  const vb_plane_driver *from = vb_scene_plane_drivers(dm->model->scene, &n);
  int32_t *driven;
  dm->device.driven = viper_memory_reserve(b, n_planes, sizeof *driven, &driven);
  for (size_t p = 0; plane && p < n_planes; p++)
    driven[p] = -1;
  for (size_t k = 0; plane && k < n; k++) {
    plane[from[k].half_plane].driver = from[k].driver;
    driven[from[k].half_plane] = (int32_t)k;
  }
}

static void place_planes(device_model *dm, viper_memory *b) {
  size_t n;
  const vb_half_plane *from = vb_scene_half_planes(dm->model->scene, &n);
  viper_plane *plane;
  dm->device.plane = viper_memory_reserve(b, n, sizeof *plane, &plane);
  for (size_t p = 0; plane && p < n; p++)
    viper_plane_fill(&plane[p], &from[p]);
  place_driven(dm, b, plane, n);
}

/// Whether any two segments may touch, by their groups.
static bool all_touch(const viper_filter *f, size_t n) {
  uint32_t all = UINT32_MAX;
  bool touch = true;
  for (size_t j = 0; j < n; j++)
    all &= f->meets[j];
  for (size_t j = 0; j < n; j++)
    touch = touch && (f->groups[j] & all);
  return touch;
}

static void place_filter(device_model *dm, viper_memory *b) {
  const viper_filter *f = &dm->filter;
  size_t n = dm->between ? dm->model->n_segments : 0;
  int32_t *node;
  dm->device.body = VIPER_COPY(b, f->body, n);
  if (!all_touch(f, n)) {
    dm->device.groups = VIPER_COPY(b, f->groups, n);
    dm->device.meets = VIPER_COPY(b, f->meets, n);
  }
  if (f->first_apart) {
    dm->device.first_apart = VIPER_COPY(b, f->first_apart, n + 1);
    dm->device.apart = VIPER_COPY(b, f->apart, (size_t)f->first_apart[n]);
  }
  if (dm->beyond)
    dm->device.beyond = VIPER_COPY(b, dm->beyond, n);
  n = dm->between || dm->rolls ? dm->model->n_segments : 0;
  dm->device.segment_node = viper_memory_reserve(b, 2 * n, sizeof *node, &node);
  for (size_t j = 0; node && j < n; j++)
    for (size_t end = 0; end < 2; end++)
      node[2 * j + end] = dm->model->segment[j].node[end];
}

static void place_rest(device_model *dm, viper_memory *b) {
  VIPER_ROOM(b, dm->device.run, 1);
  VIPER_ROOM(b, dm->device.still, dm->model->n_nodes);
  if (viper_count_kept_rows(dm->model, &dm->settings) > 0)
    VIPER_ROOM(b, dm->device.kept, viper_count_kept_rows(dm->model, &dm->settings));
  if (viper_count_kept_rests(dm->model, &dm->settings) > 0)
    VIPER_ROOM(b, dm->device.kept_rest, viper_count_kept_rests(dm->model, &dm->settings));
  if (viper_count_kept_forces(dm->model) > 0)
    VIPER_ROOM(b, dm->device.push, VIPER_PUSH_DOUBLES * viper_count_kept_forces(dm->model));
  place_nodes(dm, b);
  place_frames(dm, b);
  place_averages(dm, b);
  place_friction(dm, b);
  place_masses(dm, b);
  place_planes(dm, b);
  place_filter(dm, b);
}

/// What sorting contacts takes (cuda/contact/order.h).
static void place_order(viper_contact_device *d, size_t n_segments, viper_memory *b) {
  const size_t touches = (size_t)d->rooms.touches, segments = n_segments > 0 ? n_segments + 1 : 0,
               counts = VIPER_ALL_COLORS * (size_t)viper_color_parts(d->rooms.touches),
               most = counts > segments ? counts : segments;
  VIPER_ROOM(b, d->key, touches);
  VIPER_ROOM(b, d->by_segment, touches);
  VIPER_ROOM(b, d->sorted, touches);
  VIPER_ROOM(b, d->first_touch, segments);
  VIPER_ROOM(b, d->color, touches);
  VIPER_ROOM(b, d->of_color, counts);
  VIPER_ROOM(b, d->order_sum, most / VIPER_WARP + 1);
  VIPER_ROOM(b, d->order, touches);
}

/// What finding contacts between capsules takes.
static void place_find(device_model *dm, viper_memory *b) {
  viper_contact_device *d = &dm->device;
  size_t s = dm->between ? dm->model->n_segments : 0, n = dm->model->n_nodes;
  size_t buckets = (size_t)d->n_buckets, touches = (size_t)d->rooms.touches;
  VIPER_ROOM(b, d->capsule, s);
  VIPER_ROOM(b, d->ball, s);
  VIPER_ROOM(b, d->bucket, buckets);
  VIPER_ROOM(b, d->pair, (size_t)d->rooms.pairs);
  VIPER_ROOM(b, d->gap, (size_t)d->rooms.pairs);
  VIPER_ROOM(b, d->suspect, s);
  VIPER_ROOM(b, d->suspects, s);
  VIPER_ROOM(b, d->truncated, n);
  VIPER_ROOM(b, d->bid, n);
  VIPER_ROOM(b, d->found, touches);
  VIPER_ROOM(b, d->between, touches);
  VIPER_ROOM(b, d->head, n);
  VIPER_ROOM(b, d->taken, n);
}

/// Of friction that rolls frames.
static void place_rolls(viper_contact_device *d, const viper_model *m, viper_memory *b) {
  VIPER_ROOM(b, d->rolling, m->n_segments);
  for (int k = 0; k < 2; k++) {
    VIPER_ROOM(b, d->ease_sums[k].node, 3 * m->n_nodes);
    VIPER_ROOM(b, d->ease_sums[k].frame, m->n_segments);
    VIPER_ROOM(b, d->ease_sums[k].at_node, m->n_nodes);
    VIPER_ROOM(b, d->ease_sums[k].at_frame, m->n_segments);
  }
}

static void place_room(device_model *dm, viper_memory *b) {
  viper_contact_device *d = &dm->device;
  size_t n = dm->model->n_nodes;
  VIPER_ROOM(b, d->report, 1);
  VIPER_ROOM(b, d->count, 1);
  VIPER_ROOM(b, d->workspace, (size_t)dm->workspace_first[dm->model->n_bodies]);
  VIPER_ROOM(b, d->n_rests, n);
  VIPER_ROOM(b, d->rest, n * (size_t)d->n_planes);
  VIPER_ROOM(b, d->rest_node, d->n_planes > 0 ? n : 0);
  VIPER_ROOM(b, d->limit, n);
  VIPER_ROOM(b, d->plane_work, (size_t)d->n_planes);
  VIPER_ROOM(b, d->active, n);
  if (dm->rolls)
    place_rolls(d, dm->model, b);
  place_find(dm, b);
  place_order(d, dm->between ? dm->model->n_segments : 0, b);
}

static void place(viper_device_model *self, viper_memory *rest, viper_memory *room) {
  place_rest((device_model *)self, rest);
  place_room((device_model *)self, room);
}

/// What segments meet at their ends, where normals are those of smooth rods.
static vb_status take_beyond(device_model *dm, vb_error *error) {
  if (!dm->between || dm->settings.contact_normal != VIPER_SMOOTH_NORMAL)
    return VB_OK;
  dm->beyond = calloc(dm->model->n_segments + 1, sizeof *dm->beyond);
  return dm->beyond ? viper_rod_neighbors_fill(dm->model, dm->beyond, error)
                    : vb_error_memory(error);
}

static void take_settings(viper_device_model *self, const viper_settings *settings) {
  ((device_model *)self)->device.constants = viper_constants_of(settings);
}

static vb_status create(const viper_joined_setup *setup, viper_device_model **out,
                        vb_error *error) {
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->base = (viper_device_model){&dm->device, place, destroy};
  dm->model = setup->model;
  dm->between = vb_scene_contact(dm->model->scene) != NULL;
  dm->workspace_first =
      viper_place_workspaces(setup->body_groups, setup->settings.method, dm->model->n_bodies);
  dm->settings = setup->settings;
  const bool averaged = dm->settings.contact == VIPER_CONTACT_AVERAGED;
  dm->rolls = !averaged && viper_has_friction(setup->model);
  dm->device.constants = viper_constants_of(&dm->settings);
  dm->device.follows = viper_method_has(dm->settings.method, VIPER_SEEKS_MINIMUM);
  dm->average = calloc(dm->model->n_nodes + 1, sizeof *dm->average);
  vb_status status = dm->workspace_first && dm->average ? VB_OK : vb_error_memory(error);
  if (!status && averaged)
    status = viper_averages_fill(dm->average, dm->model, error);
  if (!status && dm->between)
    status = viper_filter_create(dm->model, &dm->filter, error);
  if (!status)
    status = take_beyond(dm, error);
  if (status) {
    destroy(&dm->base);
    return status;
  }
  set_numbers(dm);
  *out = &dm->base;
  return VB_OK;
}

/// A number of the working precision from its bits.
static double from_bits(uint64_t bits) {
  viper_scalar out;
#if VIPER_PRECISION == 32
  uint32_t own = (uint32_t)bits;
#else
  uint64_t own = bits;
#endif
  memcpy(&out, &own, sizeof out);
  return (double)out;
}

static void report(const char *rest, const char *room, double out[VIPER_N_CONTACT]) {
  viper_contact_run run;
  viper_contact_report contacts;
  memcpy(&run, rest, sizeof run);
  memcpy(&contacts, room, sizeof contacts);
  out[0] = contacts.n_pushing;
  memcpy(&out[1], &contacts.complementarity, sizeof out[1]);
  out[2] = from_bits(run.speed);
  out[3] = (double)run.truncated;
  out[4] = (double)run.truncated_since;
  out[5] = (double)run.truncated_steps;
}

static void lists(const void *device, viper_contact_lists *out) {
  const viper_contact_device *d = device;
  *out = (viper_contact_lists){.between = d->between,
                               .rest = d->rest,
                               .n_rests = d->n_rests,
                               .node = d->node,
                               .plane = d->plane,
                               .touch_bytes = sizeof(viper_touch),
                               .node_bytes = sizeof(viper_contact_node),
                               .plane_bytes = sizeof(viper_plane)};
}

static void forces(const viper_model *model, const double *node, const viper_contact_lists *lists,
                   size_t n, double *on_body, double *on_plane, double work[2]) {
  size_t n_planes = vb_scene_count(model->scene, VB_SET_HALF_PLANE);
  const viper_touch *of_node = lists->rest;
  viper_forces_clear(model, on_body, on_plane, work);
  viper_forces_between(model, lists->between, n, on_body);
  viper_works_between(lists->between, n, lists->node, work);
  for (size_t i = 0; lists->n_rests && n_planes > 0 && i < model->n_nodes; i++) {
    const viper_touch *rest = of_node + i * n_planes;
    size_t n_rests = (size_t)lists->n_rests[i];
    viper_forces_on_planes(model, node, rest, n_rests, on_body, on_plane);
    viper_works_on_planes(rest, n_rests, lists->node, lists->plane, work);
  }
}

static viper_kept_arrays kept(const void *device) {
  const viper_contact_device *d = device;
  size_t rows = d->kept ? (size_t)d->n_segments : 0;
  size_t rests = d->kept_rest ? (size_t)d->n_nodes * (size_t)d->n_planes : 0;
  size_t pushes = d->push ? VIPER_PUSH_DOUBLES * (size_t)d->n_nodes * (size_t)d->n_planes : 0;
  return (viper_kept_arrays){d->kept,
                             d->kept_rest,
                             d->push,
                             rows * sizeof *d->kept,
                             rests * sizeof *d->kept_rest,
                             pushes * sizeof *d->push};
}

static void keep_from(const double *in, const viper_kept_arrays *copies) {
  if (copies->row_bytes > 0)
    memset(copies->row, 0, copies->row_bytes); // what is not kept is copied, too
  viper_keep_from(in, copies->row, copies->row_bytes / sizeof(viper_kept_row), copies->rest,
                  copies->rest_bytes / sizeof(viper_kept), copies->push,
                  copies->push_bytes / (VIPER_PUSH_DOUBLES * sizeof *copies->push));
}

static void keep_to(const viper_kept_arrays *copies, double *out) {
  viper_keep_to(copies->row, copies->row_bytes / sizeof(viper_kept_row), copies->rest,
                copies->rest_bytes / sizeof(viper_kept), copies->push,
                copies->push_bytes / (VIPER_PUSH_DOUBLES * sizeof *copies->push), out);
}

const viper_contact_upload_api VIPER_NAME(viper_contact_upload) = {
    create, take_settings, rooms, report,    sizeof(viper_contact_report),
    lists,  forces,        kept,  keep_from, keep_to};
