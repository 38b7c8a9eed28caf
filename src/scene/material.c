// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/material.h"

#include <math.h>

void vb_stiffness_of_material(double young, double poisson, double radius, double out[6]) {
  out[VB_KX] = out[VB_KY] = out[VB_KZ] = young / (1 + poisson);
  out[VB_KV] = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  out[VB_KBX] = out[VB_KBY] = young * radius * radius;
}

double vb_shear_of_material(double young, double poisson) {
  return young / (2 * (1 + poisson));
}

const char *vb_material_models_of(const vb_scene *scene) {
  static const char *const words[] = {"none", "published", "solid", "published and solid"};
  size_t n;
  const vb_segment *segment = vb_scene_segments(scene, &n);
  unsigned found = 0;
  for (size_t j = 0; j < n; j++)
    found |= segment[j].model == VB_MATERIAL_SOLID ? 2 : 1;
  return words[found];
}

/// Widens an interval; 0 is not known.
static void widen(double range[2], double value) {
  value = value > 0 ? value : NAN;
  range[0] = value < range[0] || isnan(value) ? value : range[0];
  range[1] = value > range[1] || isnan(value) ? value : range[1];
}

vb_moduli vb_moduli_of(const vb_scene *scene) {
  vb_moduli out = {{NAN, NAN}, {NAN, NAN}};
  size_t n;
  const vb_segment *segment = vb_scene_segments(scene, &n);
  for (size_t j = 0; j < n; j++) {
    const double bending = segment[j].model == VB_MATERIAL_SOLID
                               ? segment[j].young
                               : segment[j].stiffness[VB_KZ] + segment[j].stiffness[VB_KV];
    if (j == 0)
      out = (vb_moduli){{INFINITY, 0}, {INFINITY, 0}};
    widen(out.young, segment[j].young);
    widen(out.bending, bending);
  }
  return out;
}

void vb_disc_inertia(const vb_segment *segment, const vb_node *nodes, double out[3]) {
  double r = (nodes[segment->node[0]].rest_radius + nodes[segment->node[1]].rest_radius) / 2;
  double r2 = r * r;
  // Factor by factor as in src/viper/model/model.c, so that both are the same to the last bit.
  out[0] = out[1] = segment->density * segment->rest_length * M_PI * r2 * r2 / 4;
  out[2] = 2 * out[0];
}
