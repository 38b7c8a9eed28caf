// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"

#include <stdlib.h>
#include <string.h>

/// Columns of a set, at most; fewer end with one without a name.
enum { MOST_COLUMNS = 5 };

#define AT(type, member)       offsetof(vb_##type, member)
#define SET(tag, type, always) VB_SET_##tag, sizeof(vb_##type), always

/// The sets that are stored, the columns of each, and whether one without elements makes empty
/// datasets.
static const struct {
  vb_tag tag;
  size_t stride;
  bool always;
  vb_h5_column columns[MOST_COLUMNS];
} stored[] = {
    {SET(NODE, node, true),
     {{"rest_position", VB_H5_REAL, AT(node, rest_position), "m", "rest positions of nodes", 3},
      {"rest_radius", VB_H5_REAL, AT(node, rest_radius), "m", "rest radii at nodes", 1},
      {"body", VB_H5_INT32, AT(node, body), "1", "body of each node", 1}}},
    {SET(SEGMENT, segment, true),
     {{"segment", VB_H5_INT32, AT(segment, node), "1", "nodes of each segment", 2},
      {"rest_length", VB_H5_REAL, AT(segment, rest_length), "m", "rest lengths of segments", 1},
      {"rest_frame", VB_H5_REAL, AT(segment, rest_frame), "1",
       "rest frames of segments, unit quaternions (w, x, y, z)", 4},
      {"density", VB_H5_REAL, AT(segment, density), "kg m-3", "densities of segments", 1},
      {"stiffness", VB_H5_REAL, AT(segment, stiffness), "Pa",
       "stiffnesses of segments: kx, ky, kz [Pa], kbx, kby [Pa m2], kv [Pa]", 6}}},
    {SET(JOINT, joint, true),
     {{"joint", VB_H5_INT32, AT(joint, segment), "1", "segments of each joint", 2},
      {"joint_node", VB_H5_INT32, AT(joint, node), "1", "node of each joint", 1}}},
    {SET(TETRAHEDRON, tetrahedron, false),
     {{"tetrahedron", VB_H5_INT32, AT(tetrahedron, node), "1", "nodes of each tetrahedron", 4},
      {"young", VB_H5_REAL, AT(tetrahedron, young), "Pa", "Young's moduli of tetrahedra", 1},
      {"poisson", VB_H5_REAL, AT(tetrahedron, poisson), "1", "Poisson's ratios of tetrahedra", 1},
      {"tetrahedron_density", VB_H5_REAL, AT(tetrahedron, density), "kg m-3",
       "densities of tetrahedra", 1}}},
    {SET(BUNDLE, bundled, false),
     {{"bundle", VB_H5_INT32, AT(bundled, bundle), "1", "pairs of a bundle and its segment", 2}}},
    {SET(SURFACE_VERTEX, surface_vertex, false),
     {{"rest_vertex", VB_H5_REAL, AT(surface_vertex, rest_position), "m",
       "rest positions of the surface's vertices", 3},
      {"vertex_segment", VB_H5_INT32, AT(surface_vertex, segment), "1",
       "segment that a vertex is fastened to, or -1", 1}}},
    {SET(TRIANGLE, triangle, false),
     {{"triangle", VB_H5_INT32, AT(triangle, vertex), "1", "vertices of each triangle", 3}}},
    {SET(HALF_PLANE, half_plane, false),
     {{"half_plane", VB_H5_REAL, AT(half_plane, normal), "1",
       "half-planes: normal (3), and its offset from the origin [m]", 4},
      {"half_plane_friction", VB_H5_REAL, AT(half_plane, static_friction), "1",
       "static and kinetic friction of half-planes", 2}}},
    {SET(CONTACT, contact, false),
     {{"contact_margin", VB_H5_REAL, AT(contact, margin), "m", "margin of contact", 1},
      {"contact_friction", VB_H5_REAL, AT(contact, static_friction), "1",
       "static and kinetic friction between pills", 2},
      {"contact_self", VB_H5_INT32, AT(contact, self), "1", "1 where pills of one body touch, too",
       1}}},
    {SET(FILTER, filter, false),
     {{"filter", VB_H5_INT32, AT(filter, segment), "1",
       "segments with filters, and as bits the groups they are in and those they touch", 3}}},
};

static void write_sets(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
    size_t n;
    const void *elements = vb_scene_set(scene, stored[k].tag, &n);
    const vb_h5_column *c = stored[k].columns;
    for (int i = 0; i < MOST_COLUMNS && c[i].name && (n > 0 || stored[k].always); i++)
      vb_h5_column_write(h5, group, &c[i], elements, stored[k].stride, n);
  }
}

static void write_pins(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  size_t n_pins, n = vb_scene_count(scene, VB_SET_NODE), s = vb_scene_count(scene, VB_SET_SEGMENT);
  const vb_pin *pins = vb_scene_pins(scene, &n_pins);
  uint8_t *flags = calloc(4 * n + s + 1, 1);
  if (!flags) {
    vb_h5_out_of_memory(h5);
    return;
  }
  static const vb_h5_column of_position = {
      "pin_position", VB_H5_FLAG, 0, "1", "1 where x, y, z of a node is pinned", 3};
  static const vb_h5_column of_scale = {
      "pin_scale", VB_H5_FLAG, 0, "1", "1 where the scale of a node is pinned", 1};
  static const vb_h5_column of_frame = {
      "pin_frame", VB_H5_FLAG, 0, "1", "1 where the frame of a segment is pinned", 1};
  uint8_t *position = flags, *scale = flags + 3 * n, *frame = scale + n;
  for (size_t i = 0; i < n_pins; i++) {
    const vb_pin *pin = &pins[i];
    if (pin->location == VB_AT_SEGMENT) {
      frame[pin->index] = (pin->mask & VB_PIN_FRAME) != 0;
      continue;
    }
    for (int k = 0; k < 3; k++)
      position[3 * pin->index + k] = (pin->mask >> k) & 1;
    scale[pin->index] = (pin->mask & VB_PIN_SCALE) != 0;
  }
  vb_h5_column_write(h5, group, &of_position, position, 3, n);
  vb_h5_column_write(h5, group, &of_scale, scale, 1, n);
  vb_h5_column_write(h5, group, &of_frame, frame, 1, s);
  free(flags);
}

void vb_results_write_topology(vb_h5 *h5, hid_t file, const vb_scene *scene) {
  static const vb_h5_column body = {"body_name", VB_H5_NAME,        offsetof(vb_body, name),
                                    "1",         "names of bodies", 1};
  static const vb_h5_column driver = {"driver_name", VB_H5_NAME,         offsetof(vb_driver, name),
                                      "1",           "names of drivers", 1};
  size_t n_bodies, n_drivers;
  const vb_body *bodies = vb_scene_bodies(scene, &n_bodies);
  const vb_driver *drivers = vb_scene_drivers(scene, &n_drivers);
  hid_t group = vb_h5_group(h5, file, "topology");
  write_sets(h5, group, scene);
  write_pins(h5, group, scene);
  vb_h5_column_write(h5, group, &body, bodies, sizeof *bodies, n_bodies);
  vb_h5_column_write(h5, group, &driver, drivers, sizeof *drivers, n_drivers);
  vb_h5_release(group);
}
