// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes of tetrahedra that solvers are tested on.
#ifndef VB_TESTS_SUPPORT_SOLIDS_H
#define VB_TESTS_SUPPORT_SOLIDS_H

#include "handle.h"
#include "mesh/mesh.h"
#include "scenes/scenes.h"

/// A box of unit cells meshed and put into a builder.
typedef struct solid_box {
  vb_builder *builder;
  int32_t cells[3];
  double size[3];
  size_t n_nodes;
} solid_box;

/// Adds a box from the origin, of E 1e6 Pa and density 1000. Inner vertices are moved about by a
/// part `irregular` of a cell's size.
static inline solid_box solids_box(vb_builder *builder, const int32_t cells[3],
                                   const double size[3], double nu, double irregular) {
  vb_box box = {{0}, {size[0], size[1], size[2]}, {cells[0], cells[1], cells[2]}, 5};
  solid_box s = {builder, {cells[0], cells[1], cells[2]}, {size[0], size[1], size[2]}, 0};
  vb_mesh mesh;
  uint64_t seed = 11;
  ck_assert_int_eq(vb_mesh_box(&box, &mesh, NULL), VB_OK);
  s.n_nodes = mesh.n_vertices;
  for (size_t i = 0; i < mesh.n_vertices; i++) {
    vb_node node = {0};
    bool inner = true;
    for (int c = 0; c < 3; c++)
      inner = inner && mesh.vertex[i][c] > 0 && mesh.vertex[i][c] < size[c];
    for (int c = 0; c < 3; c++) {
      double shift = irregular * size[c] / cells[c] * scenes_random(&seed);
      node.rest_position[c] = mesh.vertex[i][c] + (inner ? shift : 0);
    }
    memcpy(node.position, node.rest_position, sizeof node.position);
    fixture_add(builder, VB_SET_NODE, &node);
  }
  for (size_t k = 0; k < mesh.n_tetrahedra; k++) {
    const int32_t *v = mesh.tetrahedron[k];
    vb_tetrahedron t = {{v[0], v[1], v[2], v[3]}, 1e6, nu, 1000};
    fixture_add(builder, VB_SET_TETRAHEDRON, &t);
  }
  vb_mesh_clear(&mesh);
  return s;
}

static inline vb_node *solids_nodes(const solid_box *s) {
  size_t n;
  return vb_builder_elements(s->builder, VB_SET_NODE, &n);
}

/// Whether node `i` rests on the lower (end 0) or upper face across axis `c`.
static inline bool solids_on_face(const solid_box *s, size_t i, int c, int end) {
  return solids_nodes(s)[i].rest_position[c] == (end ? s->size[c] : 0);
}

/// A driver that moves along x as `curve` (-1 for none) says.
static inline int32_t solids_driver(vb_builder *builder, const char *name, int32_t curve,
                                    int32_t angle) {
  vb_driver driver = {.axis = {1, 0, 0}, .translation = {curve, -1, -1}, .angle = angle};
  snprintf(driver.name, sizeof driver.name, "%s", name);
  return fixture_add(builder, VB_SET_DRIVER, &driver);
}

/// A curve from 0 at time 0 to `value` at `time`.
static inline int32_t solids_ramp(vb_builder *builder, double time, double value) {
  int32_t first = fixture_add(builder, VB_SET_KEY, &(vb_key){0, 0, VB_LINEAR, 0});
  fixture_add(builder, VB_SET_KEY, &(vb_key){time, value, VB_LINEAR, 0});
  return fixture_add(builder, VB_SET_CURVE, &(vb_curve){first, 2});
}

/// Pins all nodes of a face to a driver.
static inline void solids_pin_face(const solid_box *s, int c, int end, int32_t driver) {
  for (size_t i = 0; i < s->n_nodes; i++)
    if (solids_on_face(s, i, c, end))
      fixture_add(s->builder, VB_SET_PIN, &(vb_pin){VB_AT_NODE, (int32_t)i, VB_PIN_CENTER, driver});
}

/// A bar clamped at x = 0, and at its other end pulled to `pull` and turned by `turn` in one
/// second.
static inline vb_scene *solids_pulled_bar(const int32_t cells[3], double nu, double step,
                                          double pull, double turn) {
  vb_builder *b = scenes_begin(step, 0);
  solid_box s = solids_box(b, cells, (const double[3]){4, 1, 1}, nu, 0.1);
  solids_pin_face(&s, 0, 0, solids_driver(b, "wall", -1, -1));
  solids_pin_face(&s, 0, 1,
                  solids_driver(b, "hand", solids_ramp(b, 1, pull), solids_ramp(b, 1, turn)));
  return fixture_freeze(b);
}

#endif
