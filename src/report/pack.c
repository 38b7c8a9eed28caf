// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pack.h"

#include "report/pack_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// Every `step`-th frame, and the last.
static vb_status choose_frames(vb_packing *p, size_t n, size_t step, vb_error *error) {
  p->frame = reallocarray(NULL, n / step + 2, sizeof *p->frame);
  if (!p->frame)
    return vb_error_memory(error);
  for (size_t k = 0; k + 1 < n; k += step)
    p->frame[p->n_frames++] = k;
  p->frame[p->n_frames++] = n - 1;
  return VB_OK;
}

static vb_status pack_array(vb_packing *p, const char *name, const vb_array *list, bool whole,
                            vb_error *error) {
  return list->n ? vb_pack_constant(p, name, list->values, list->n, list->width, whole, error)
                 : VB_OK;
}

/// Adds a dataset of the topology where it is there, and fits.
static vb_status pack_topology(vb_packing *p, const char *name, size_t n, size_t width, bool whole,
                               vb_error *error) {
  char path[128];
  vb_array list;
  bool there = false;
  snprintf(path, sizeof path, "topology/%s", name);
  vb_status status = vb_run_has(p->place, path, &there, error);
  if (status || !there)
    return status;
  status = vb_run_array(p->place, path, VB_NO_FRAME, &list, error);
  if (status)
    return status;
  bool fits = list.width == width && (n == 0 || list.n == n);
  if (fits && (whole ? vb_array_holds_indexes(&list, -1, INT32_MAX) : vb_array_is_finite(&list)))
    status = pack_array(p, name, &list, whole, error);
  vb_array_free(&list);
  return status;
}

/// The curve that the study gives.
static vb_status pack_reference(vb_packing *p, vb_error *error) {
  vb_array list;
  bool there = false;
  vb_status status = vb_run_has(p->place, "scenario/reference", &there, error);
  if (status || !there)
    return status;
  status = vb_run_array(p->place, "scenario/reference", VB_NO_FRAME, &list, error);
  if (status)
    return status;
  if (list.width == 3 && vb_array_is_finite(&list))
    status = pack_array(p, "reference", &list, false, error);
  vb_array_free(&list);
  return status;
}

/// Triangles of the surface that is shown: of the skin, or around the tetrahedra.
static vb_status pack_triangles(vb_packing *p, const vb_recording *r, vb_error *error) {
  double *list = reallocarray(NULL, 3 * r->n_sides + r->rest_vertex.n + 1, sizeof *list);
  vb_status status = list ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < 3 * r->n_sides; i++) {
    int32_t node = r->side[i / 3][i % 3];
    list[i] = node;
  }
  if (!status && r->n_sides)
    status = vb_pack_constant(p, "side", list, r->n_sides, 3, true, error);
  if (!status && r->triangle.n)
    status = pack_array(p, "triangle", &r->triangle, true, error);
  if (!status && r->triangle.n && r->segment.n) {
    for (size_t i = 0; i < r->rest_vertex.n; i++)
      list[i] = r->carrier[i];
    status = vb_pack_constant(p, "carrier", list, r->rest_vertex.n, 1, true, error);
    if (!status)
      status = vb_pack_constant(p, "carrier_at", r->carrier_at, r->rest_vertex.n, 1, false, error);
  }
  free(list);
  return status;
}

static vb_status pack_planes(vb_packing *p, const vb_recording *r, vb_error *error) {
  vb_status status = VB_OK;
  double *list = reallocarray(NULL, 4 * r->n_grounds + 1, sizeof *list);
  if (!list)
    return vb_error_memory(error);
  for (size_t i = 0; i < r->n_grounds; i++) {
    memcpy(list + 4 * i, r->ground[i].normal, sizeof r->ground[i].normal);
    list[4 * i + 3] = r->ground[i].offset;
  }
  if (r->n_grounds)
    status = vb_pack_constant(p, "plane", list, r->n_grounds, 4, false, error);
  free(list);
  return status;
}

/// The nodes of bodies that are bones, where there are any.
static vb_status pack_bony(vb_packing *p, const vb_recording *r, vb_error *error) {
  double *list = reallocarray(NULL, r->body.n + 1, sizeof *list), any = 0;
  if (!list)
    return vb_error_memory(error);
  for (size_t i = 0; i < r->body.n; i++) {
    list[i] = r->is_bone[(size_t)r->body.values[i]];
    any += list[i];
  }
  vb_status status =
      any > 0 ? vb_pack_constant(p, "bone_node", list, r->body.n, 1, true, error) : VB_OK;
  free(list);
  return status;
}

/// What does not change.
static vb_status pack_constants(vb_packing *p, const vb_recording *r, vb_error *error) {
  static const struct {
    const char *name;
    size_t width;
    bool whole;
  } LISTS[] = {
      {"collider", 3, true},      {"collider_point", 6, false}, {"collider_radius", 1, false},
      {"load_element", 2, true},  {"load_force", 3, false},     {"load_torque", 3, false},
      {"follower_load", 2, true}, {"link_point", 3, false},     {"link_side", 3, true},
      {"link_axis", 6, false},    {"bone_center", 3, false},    {"bone_mass", 1, false},
      {"bone_inertia", 6, false}};
  vb_status status = pack_array(p, "body", &r->body, true, error);
  if (!status)
    status = pack_bony(p, r, error);
  if (!status)
    status = pack_array(p, "rest_radius", &r->rest_radius, false, error);
  if (!status)
    status = pack_array(p, "segment", &r->segment, true, error);
  if (!status)
    status = pack_topology(p, "stiffness", r->segment.n, 3, false, error);
  if (!status)
    status = pack_triangles(p, r, error);
  if (!status)
    status = pack_planes(p, r, error);
  if (!status)
    status = pack_reference(p, error);
  for (size_t i = 0; !status && i < sizeof LISTS / sizeof *LISTS; i++)
    status = pack_topology(p, LISTS[i].name, 0, LISTS[i].width, LISTS[i].whole, error);
  return status;
}

/// How many elements a list of the topology has.
static size_t count_of(vb_run_location place, const char *dataset) {
  vb_array list;
  bool there = false;
  if (vb_run_has(place, dataset, &there, NULL) || !there ||
      vb_run_array(place, dataset, VB_NO_FRAME, &list, NULL))
    return 0;
  size_t n = list.n;
  vb_array_free(&list);
  return n;
}

static vb_status pack_motion(vb_packing *p, const vb_recording *r, vb_error *error) {
  size_t nodes = r->rest_position.n, bodies = 0, bones = count_of(p->place, "topology/bone_mass");
  for (size_t i = 0; i < r->body.n; i++)
    bodies = bodies > (size_t)r->body.values[i] ? bodies : (size_t)r->body.values[i] + 1;
  const struct {
    const char *name;
    size_t n, width;
    vb_packed how;
  } LISTS[] = {{"position", r->surface_alone ? 0 : nodes, 3, VB_PACKED_FIXED},
               {"scale", r->surface_alone ? 0 : nodes, 1, VB_PACKED_FIXED},
               {"frame", r->segment.n, 4, VB_PACKED_ROTATION},
               {"vertices", r->triangle.n ? r->rest_vertex.n : 0, 3, VB_PACKED_FIXED},
               {"contact_force", bodies, 3, VB_PACKED_FIXED},
               {"bone_position", bones, 3, VB_PACKED_FIXED},
               {"bone_frame", bones, 4, VB_PACKED_ROTATION}};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < sizeof LISTS / sizeof *LISTS; i++) {
    char dataset[64];
    snprintf(dataset, sizeof dataset, "run/frames/%s", LISTS[i].name);
    status =
        vb_pack_frames(p, LISTS[i].name, dataset, LISTS[i].n, LISTS[i].width, LISTS[i].how, error);
  }
  return status;
}

static vb_status deflate_all(const vb_packing *p, vb_pack *out, vb_error *error) {
  uLongf size = compressBound((uLong)p->used);
  uint8_t *bytes = malloc(size);
  if (!bytes)
    return vb_error_memory(error);
  if (compress2(bytes, &size, p->bytes, (uLong)p->used, 6) != Z_OK) {
    free(bytes);
    return vb_error_memory(error);
  }
  out->bytes = bytes;
  out->n_bytes = size;
  return VB_OK;
}

static vb_status write_facts(const vb_packing *p, const vb_recording *r, json_t *series,
                             vb_pack *out, vb_error *error) {
  json_t *time = json_array(), *number = json_array();
  for (size_t i = 0; i < p->n_frames; i++) {
    json_array_append_new(time, json_real(r->time.values[p->frame[i]]));
    json_array_append_new(number, json_integer((json_int_t)p->frame[i]));
  }
  json_t *facts = json_pack("{s:o, s:o, s:I, s:O, s:O, s:I}", "time", time, "number", number,
                            "recorded", (json_int_t)r->time.n, "parts", p->parts, "series", series,
                            "bytes", (json_int_t)p->used);
  char *text = facts ? json_dumps(facts, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
  json_decref(facts);
  if (!text)
    return vb_error_memory(error);
  out->facts = text;
  out->n_frames = p->n_frames;
  out->n_recorded = r->time.n;
  return VB_OK;
}

vb_status vb_pack_run(const vb_pack_plan *plan, vb_pack *out, vb_error *error) {
  vb_recording r = {.n_grounds = 0};
  vb_packing p = {.place = plan->place, .parts = json_array()};
  vb_pack pack = {0};
  vb_status status = vb_recording_open(plan->place, false, &r, error);
  if (!status)
    status = choose_frames(&p, r.time.n, plan->step, error);
  if (!status && !vb_array_is_finite(&r.time))
    status = vb_bad_input(error, "%s: the times of its frames are no numbers", plan->place.path);
  if (!status)
    status = pack_constants(&p, &r, error);
  if (!status)
    status = pack_motion(&p, &r, error);
  if (!status)
    status = vb_pack_strain(&p, &r, error);
  if (!status)
    status = vb_pack_driven(&p, &r, error);
  json_t *series = status ? NULL : vb_pack_series(&p, plan->points);
  if (!status && !series)
    status = vb_error_memory(error);
  if (!status)
    status = deflate_all(&p, &pack, error);
  if (!status)
    status = write_facts(&p, &r, series, &pack, error);
  vb_recording_close(&r);
  json_decref(series);
  json_decref(p.parts);
  free(p.bytes);
  free(p.frame);
  if (status)
    vb_pack_free(&pack);
  else
    *out = pack;
  return status;
}

void vb_pack_free(vb_pack *pack) {
  free(pack->facts);
  free(pack->bytes);
  *pack = (vb_pack){0};
}
