// SPDX-License-Identifier: GPL-3.0-or-later
/// Second derivatives of Phi in double, element by element, for any table of energy terms: exact
/// products of first derivatives, and central differences of these (relative error some 1e-10).
/// Rotations are rotation vectors in body axes. Shares nothing with what `direct` factors.
#ifndef VIPER_CPU_HESSIAN_H
#define VIPER_CPU_HESSIAN_H

#include "viper/cpu/cpu_real.h"

/// Of the elastic energy of segment `j` and of joint `t`, in their local unknowns.
void viper_segment_hessian(const viper_cpu *cpu, int32_t j,
                           double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]);
void viper_joint_hessian(const viper_cpu *cpu, int32_t t,
                         double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]);

/// Of h^2 times the inertial part of Phi of frame `j`.
void viper_frame_hessian(const viper_cpu *cpu, int32_t j, double h[3][3]);

#endif
