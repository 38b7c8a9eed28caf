// SPDX-License-Identifier: GPL-3.0-or-later
/// The elastic part of Phi, summed in double in a fixed order.
#ifndef VIPER_CPU_EVALUATE_ELASTIC_PHI_H
#define VIPER_CPU_EVALUATE_ELASTIC_PHI_H

#include "viper/cpu/core/cpu_real.h"

/// The energies of all terms at the state of `cpu`, of both material models, with the potentials of
/// activations, J: what minimizers compare. (Recorded energies leave the potentials of forces out.)
double viper_elastic_phi(const viper_cpu *cpu);

#endif
