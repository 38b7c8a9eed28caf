// SPDX-License-Identifier: GPL-3.0-or-later
/// What an isotropic material and a round cross-section give a segment.
#ifndef VB_SCENE_MATERIAL_H
#define VB_SCENE_MATERIAL_H

#include "scene/scene.h"

/// Writes the stiffnesses (vb_segment) of a segment of radius `radius` [m], of Young's modulus
/// `young` [Pa] and Poisson's ratio `poisson` in [0, 0.5): kx = ky = kz = E / (1 + nu), kv = E nu /
/// ((1 + nu) (1 - 2 nu)), kbx = kby = E r^2.
void vb_stiffness_of_material(double young, double poisson, double radius, double out[6]);

/// Shear modulus [Pa]: E / (2 (1 + nu)).
double vb_shear_of_material(double young, double poisson);

/// The material models (vb_material_model) that the segments of a scene have: "published", "solid",
/// "published and solid", or "none" where it has no segments. A constant text.
const char *vb_material_models_of(const vb_scene *scene);

/// Least and greatest moduli [Pa] of the segments of a scene: Young's, and that of bending, whose
/// product with the second moment of area is the bending stiffness at scale 1: kz + kv of the
/// published model, Young's modulus of a solid rod. Bending factors are left out. NaN where the
/// scene has no segment, or one without Young's modulus.
typedef struct vb_moduli {
  double young[2], bending[2];
} vb_moduli;

vb_moduli vb_moduli_of(const vb_scene *scene);

/// Writes the moments of inertia [kg m^2] about u, v, w of the frame of a segment, as of a solid
/// disc: rho l pi r^4 / 4 (1, 1, 2). `nodes` are those of its scene.
void vb_disc_inertia(const vb_segment *segment, const vb_node *nodes, double out[3]);

#endif
