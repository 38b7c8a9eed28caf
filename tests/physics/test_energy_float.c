// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms in single precision, against the reference in double.
/// Covers: src/viper/energy/real.h src/viper/energy/*bend.h src/viper/energy/section.h
/// Covers: src/viper/energy/stretch.h src/viper/energy/taper.h src/viper/energy/twist.h
/// Covers: src/viper/energy/volume*.h
#define VIPER_PRECISION 32
#include "scenes/energy_cases.h"

VB_TEST_MAIN("energy_float", energy_cases())
