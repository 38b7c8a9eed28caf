// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"

#include <stdlib.h>
#include <string.h>

/// A column of each element of a set, to be stored as an array (elements x components).
typedef struct column {
  const char *name;
  size_t offset; ///< in the element
  hsize_t components;
  bool real; ///< double, else int32_t
  const char *unit;
  const char *long_name;
} column;

static const column node_columns[] = {
    {"rest_position", offsetof(vb_node, rest_position), 3, true, "m", "rest positions of nodes"},
    {"rest_radius", offsetof(vb_node, rest_radius), 1, true, "m", "rest radii at nodes"},
    {"body", offsetof(vb_node, body), 1, false, "1", "body of each node"},
};

static const column segment_columns[] = {
    {"segment", offsetof(vb_segment, node), 2, false, "1", "nodes of each segment"},
    {"rest_length", offsetof(vb_segment, rest_length), 1, true, "m", "rest lengths of segments"},
    {"rest_frame", offsetof(vb_segment, rest_frame), 4, true, "1",
     "rest frames of segments, unit quaternions (w, x, y, z)"},
    {"density", offsetof(vb_segment, density), 1, true, "kg m-3", "densities of segments"},
    {"stiffness", offsetof(vb_segment, stiffness), 6, true, "Pa",
     "stiffnesses of segments: kx, ky, kz [Pa], kbx, kby [Pa m2], kv [Pa]"},
};

static const column joint_columns[] = {
    {"joint", offsetof(vb_joint, segment), 2, false, "1", "segments of each joint"},
    {"joint_node", offsetof(vb_joint, node), 1, false, "1", "node of each joint"},
};

static const column tetrahedron_columns[] = {
    {"tetrahedron", offsetof(vb_tetrahedron, node), 4, false, "1", "nodes of each tetrahedron"},
    {"young", offsetof(vb_tetrahedron, young), 1, true, "Pa", "Young's moduli of tetrahedra"},
    {"poisson", offsetof(vb_tetrahedron, poisson), 1, true, "1", "Poisson's ratios of tetrahedra"},
    {"tetrahedron_density", offsetof(vb_tetrahedron, density), 1, true, "kg m-3",
     "densities of tetrahedra"},
};

static const column bundle_columns[] = {
    {"bundle", offsetof(vb_bundled, bundle), 2, false, "1", "pairs of a bundle and its segment"},
};

static const column vertex_columns[] = {
    {"rest_vertex", offsetof(vb_surface_vertex, rest_position), 3, true, "m",
     "rest positions of the surface's vertices"},
    {"vertex_segment", offsetof(vb_surface_vertex, segment), 1, false, "1",
     "segment that a vertex is fastened to, or -1"},
};

static const column triangle_columns[] = {
    {"triangle", offsetof(vb_triangle, vertex), 3, false, "1", "vertices of each triangle"},
};

static const column half_plane_columns[] = {
    {"half_plane", offsetof(vb_half_plane, normal), 4, true, "1",
     "half-planes: normal (3), and its offset from the origin [m]"},
    {"half_plane_friction", offsetof(vb_half_plane, static_friction), 2, true, "1",
     "static and kinetic friction of half-planes"},
};

static const column contact_columns[] = {
    {"contact_margin", offsetof(vb_contact, margin), 1, true, "m", "margin of contact"},
    {"contact_friction", offsetof(vb_contact, static_friction), 2, true, "1",
     "static and kinetic friction between pills"},
    {"contact_self", offsetof(vb_contact, self), 1, false, "1",
     "1 where pills of one body touch, too"},
};

static const column filter_columns[] = {
    {"filter", offsetof(vb_filter, segment), 3, false, "1",
     "segments with filters, and as bits the groups they are in and those they touch"},
};

/// Gathers one column of all elements, which lie `stride` bytes apart, and stores it.
static void write_column(vb_h5 *h5, hid_t group, const column *p, const void *elements,
                         size_t stride, size_t n) {
  size_t bytes = p->components * (p->real ? sizeof(double) : sizeof(int32_t));
  char *data = malloc(n * bytes + 1);
  if (!data) {
    vb_h5_out_of_memory(h5);
    return;
  }
  for (size_t i = 0; i < n; i++)
    memcpy(data + i * bytes, (const char *)elements + i * stride + p->offset, bytes);
  vb_h5_write(h5, group,
              &(vb_h5_array){.name = p->name,
                             .rank = p->components > 1 ? 2 : 1,
                             .extent = {n, p->components},
                             .file_type = p->real ? H5T_IEEE_F64LE : H5T_STD_I32LE,
                             .memory_type = p->real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32,
                             .data = data,
                             .unit = p->unit,
                             .long_name = p->long_name});
  free(data);
}

/// The sets that are stored, and whether one without elements makes empty datasets.
#define STORED(tag, type, columns, always)                                                         \
  { tag, sizeof(type), columns, sizeof columns / sizeof *columns, always }
static const struct {
  vb_tag tag;
  size_t stride;
  const column *columns;
  size_t n_columns;
  bool always;
} stored[] = {
    STORED(VB_SET_NODE, vb_node, node_columns, true),
    STORED(VB_SET_SEGMENT, vb_segment, segment_columns, true),
    STORED(VB_SET_JOINT, vb_joint, joint_columns, true),
    STORED(VB_SET_TETRAHEDRON, vb_tetrahedron, tetrahedron_columns, false),
    STORED(VB_SET_BUNDLE, vb_bundled, bundle_columns, false),
    STORED(VB_SET_SURFACE_VERTEX, vb_surface_vertex, vertex_columns, false),
    STORED(VB_SET_TRIANGLE, vb_triangle, triangle_columns, false),
    STORED(VB_SET_HALF_PLANE, vb_half_plane, half_plane_columns, false),
    STORED(VB_SET_CONTACT, vb_contact, contact_columns, false),
    STORED(VB_SET_FILTER, vb_filter, filter_columns, false),
};

static void write_sets(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
    size_t n;
    const void *elements = vb_scene_set(scene, stored[k].tag, &n);
    for (size_t i = 0; i < stored[k].n_columns && (n > 0 || stored[k].always); i++)
      write_column(h5, group, &stored[k].columns[i], elements, stored[k].stride, n);
  }
}

static void write_flags(vb_h5 *h5, hid_t group, const char *name, const uint8_t *flags, size_t n,
                        hsize_t components, const char *long_name) {
  vb_h5_write(h5, group,
              &(vb_h5_array){.name = name,
                             .rank = components > 1 ? 2 : 1,
                             .extent = {n, components},
                             .file_type = H5T_STD_U8LE,
                             .memory_type = H5T_NATIVE_UINT8,
                             .data = flags,
                             .unit = "1",
                             .long_name = long_name});
}

static void write_pins(vb_h5 *h5, hid_t group, const vb_scene *scene) {
  size_t n_pins, n = vb_scene_count(scene, VB_SET_NODE), s = vb_scene_count(scene, VB_SET_SEGMENT);
  const vb_pin *pins = vb_scene_pins(scene, &n_pins);
  uint8_t *flags = calloc(4 * n + s + 1, 1);
  if (!flags) {
    vb_h5_out_of_memory(h5);
    return;
  }
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
  write_flags(h5, group, "pin_position", position, n, 3, "1 where x, y, z of a node is pinned");
  write_flags(h5, group, "pin_scale", scale, n, 1, "1 where the scale of a node is pinned");
  write_flags(h5, group, "pin_frame", frame, s, 1, "1 where the frame of a segment is pinned");
  free(flags);
}

/// Stores the names of elements that lie `stride` bytes apart and begin with their name.
static void write_names(vb_h5 *h5, hid_t group, const char *name, const void *elements,
                        size_t stride, size_t n, const char *long_name) {
  const char **names = calloc(n + 1, sizeof *names);
  if (!names) {
    vb_h5_out_of_memory(h5);
    return;
  }
  for (size_t i = 0; i < n; i++)
    names[i] = (const char *)elements + i * stride;
  vb_h5_texts(h5, group, name, n, names, long_name);
  free(names);
}

void vb_results_write_topology(vb_h5 *h5, hid_t file, const vb_scene *scene) {
  size_t n_bodies, n_drivers;
  const vb_body *bodies = vb_scene_bodies(scene, &n_bodies);
  const vb_driver *drivers = vb_scene_drivers(scene, &n_drivers);
  hid_t group = vb_h5_group(h5, file, "topology");
  write_sets(h5, group, scene);
  write_pins(h5, group, scene);
  write_names(h5, group, "body_name", bodies, sizeof *bodies, n_bodies, "names of bodies");
  write_names(h5, group, "driver_name", drivers, sizeof *drivers, n_drivers, "names of drivers");
  vb_h5_release(group);
}
