// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms in double precision, against the reference and against answers known in closed form.
#define VIPER_PRECISION 64
#include "energy_cases.h"

VB_TEST_MAIN("energy", energy_cases())
