// SPDX-License-Identifier: GPL-3.0-or-later
/// The stiffnesses that an isotropic material gives a segment.
#ifndef VB_SCENE_MATERIAL_H
#define VB_SCENE_MATERIAL_H

/// Writes the stiffnesses (vb_segment) of a segment of radius `radius` [m], of Young's modulus
/// `young` [Pa] and Poisson's ratio `poisson` in [0, 0.5): kx = ky = kz = E / (1 + nu), kv = E nu /
/// ((1 + nu) (1 - 2 nu)), kbx = kby = E r^2.
void vb_stiffness_of_material(double young, double poisson, double radius, double out[6]);

#endif
