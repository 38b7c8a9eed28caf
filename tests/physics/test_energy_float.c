// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms in single precision, against the reference in double.
#define VIPER_PRECISION 32
#include "scenes/energy_cases.h"

VB_TEST_MAIN("energy_float", energy_cases())
