// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of bodies with segments of the material model solid, as in core/solid_real.cu.
#define VIPER_WITH_SOLID true
#define viper_these      viper_solid_contact_body_kernels
#include "viper/cuda/contact/bodies.h"
