// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` in statics on a single body: a source of its own, so that compilers know in
/// either which of the two it is.
#define VIPER_STATICS_ONLY
#include "viper/cpu/single/direct_lanes.c" // NOLINT(bugprone-suspicious-include)
