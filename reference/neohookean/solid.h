// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene's tetrahedra as finite elements: rest data and mass.
#ifndef NH_SOLID_H
#define NH_SOLID_H

#include "material.h"
#include "scene/scene.h"

#include <stddef.h>
#include <stdint.h>

/// Most nodes and quadrature points of an element, and pairs of its nodes, a node with itself too.
#define NH_MAX_NODES  10
#define NH_MAX_POINTS 4
#define NH_MAX_PAIRS  55

/// Elements of one kind. Linear: four nodes, one quadrature point. Quadratic: ten nodes (the
/// corners, then the middles of edges 01, 02, 03, 12, 13, 23), four points; the middles are nodes
/// of the solver's own, numbered behind the scene's.
typedef struct nh_solid {
  const vb_scene *scene;
  size_t n_corners;   ///< nodes of the scene
  size_t n_nodes;     ///< with the middles of edges
  int32_t (*edge)[2]; ///< (n_nodes - n_corners) the ends of each
  size_t n_elements;
  int nodes;                  ///< of an element: 4 or 10
  int points;                 ///< of an element: 1 or 4
  int pairs;                  ///< of an element's nodes: 10 or 55
  int32_t *node;              ///< (n_elements x nodes)
  double *gradient;           ///< (n_elements x points x nodes x 3) of the shape functions, 1/m
  double *weight;             ///< (n_elements x points) share of the rest volume, m^3
  nh_material *material;      ///< (n_elements)
  struct nh_active *active;   ///< (n_elements) see activation.h; null where nothing is activated
  double *element_mass;       ///< (n_elements) kg
  double *mass;               ///< (n_nodes) lumped, kg
  const double *mass_pattern; ///< (nodes x nodes) consistent mass of an element of mass 1
  size_t *first; ///< (n_nodes + 1) places of node i in elements are at[first[i]] to at[first[i + 1]
                 ///< - 1]
  int32_t *at;   ///< element * nodes + node of the element, increasing
} nh_solid;

/// Makes the elements of a scene. VB_BAD_INPUT where it has no tetrahedra or a node belongs to
/// none.
/// `*out` is freed by nh_solid_destroy.
vb_status nh_solid_create(const vb_scene *scene, bool quadratic, nh_solid **out, vb_error *error);
void nh_solid_destroy(nh_solid *solid);

/// F at point `q` of element `e`, for positions `x` (n_nodes x 3).
void nh_solid_deformation(const nh_solid *solid, size_t e, int q, const double *x, double f[9]);

/// Writes out = M v for the lumped or the consistent mass matrix; both n_nodes x 3.
void nh_solid_multiply_mass(const nh_solid *solid, bool consistent, const double *v, double *out);

#endif
