// SPDX-License-Identifier: GPL-3.0-or-later
/// The options that are numbers, in the working precision, as phase functions see them: by
/// viper_access_constants, which each backend's element access defines. Take them before a loop.
#ifndef VIPER_SETTINGS_CONSTANTS_H
#define VIPER_SETTINGS_CONSTANTS_H

#include "viper/energy/real.h"
#include "viper/settings/settings.h"

#define VIPER_NUMBER_ALONE_NUMBER(...) __VA_ARGS__
#define VIPER_NUMBER_ALONE_WORD(...)
#define VIPER_NUMBER_ALONE_WHOLE(...)
#define VIPER_NUMBER_ALONE_THREADS(...)

/// Each number rounded to the working precision, and the remainder that rounding left.
typedef struct viper_constants {
#define VIPER_MEMBER(name, type, kind, ...)                                                        \
  VIPER_NUMBER_ALONE_##kind(viper_scalar name, name##_remainder;)
  VIPER_OPTIONS(VIPER_MEMBER)
#undef VIPER_MEMBER
} viper_constants;

VIPER_FN viper_constants viper_constants_of(const viper_settings *settings) {
  viper_constants out;
#define VIPER_ROUND(name, type, kind, ...)                                                         \
  VIPER_NUMBER_ALONE_##kind(out.name = (viper_scalar)settings->name;                               \
                            out.name##_remainder =                                                 \
                                (viper_scalar)(settings->name - (double)out.name);)
  VIPER_OPTIONS(VIPER_ROUND)
#undef VIPER_ROUND
  return out;
}

#endif
