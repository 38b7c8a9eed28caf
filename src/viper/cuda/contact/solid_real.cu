// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of scenes with contact and segments of the material model solid, as in
/// core/solid_real.cu.
#define VIPER_WITH_SOLID true
#define viper_these      viper_solid_contact_kernels
#include "viper/cuda/contact/kernels_real.cu"
