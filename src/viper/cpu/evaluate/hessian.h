// SPDX-License-Identifier: GPL-3.0-or-later
/// The Hessian of Phi in double, element by element: Gauss-Newton blocks and second derivatives
/// (energy/second.h) of every term, symmetric matrices; without `second` the Gauss-Newton blocks
/// alone, which are nowhere negative. Rotations are rotation vectors in body axes.
#ifndef VIPER_CPU_EVALUATE_HESSIAN_H
#define VIPER_CPU_EVALUATE_HESSIAN_H

#include "viper/cpu/core/cpu_real.h"

/// Of the elastic energy of segment `j` and of joint `t`, in their local unknowns.
void viper_segment_hessian(const viper_cpu *cpu, int32_t j, bool second,
                           double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]);
void viper_joint_hessian(const viper_cpu *cpu, int32_t t, bool second,
                         double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]);

/// Of h^2 times the inertial part of Phi of frame `j`.
void viper_frame_hessian(const viper_cpu *cpu, int32_t j, bool second, double h[3][3]);

#endif
