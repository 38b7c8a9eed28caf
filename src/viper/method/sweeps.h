// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep over elements: VIPER_SWEEPS of viper/settings/methods.h, each by
/// viper_iterate_NAME. Included by sources that have defined element access (access.h).
#ifndef VIPER_METHOD_SWEEPS_H
#define VIPER_METHOD_SWEEPS_H

#include "viper/method/block_descent.h"
#include "viper/method/jacobi_published.h"
#include "viper/method/xpbd.h"

#endif
