// SPDX-License-Identifier: GPL-3.0-or-later
/// Lines (viper/cpu/line/line.h): single bodies that are plain chains. Like viper_lanes_api, from
/// sources that end in _lanes.c.
#ifndef VIPER_CPU_CORE_LINES_H
#define VIPER_CPU_CORE_LINES_H

#include "viper/cpu/core/lanes.h"

typedef struct viper_lines_api {
  /// Memory of those single bodies that are worked on so. Freed by destroy.
  vb_status (*create)(const viper_arrays *arrays, const viper_body_groups *body_groups,
                      viper_method method, void **out, vb_error *error);
  void (*destroy)(void *self);
  /// Moves single body number `single` by the method, by one thread; false if it is no line.
  bool (*sweep)(void *self, int32_t single, const viper_arrays *arrays,
                const viper_settings *settings, double h);
} viper_lines_api;

#define VIPER_DECLARE_LINES(set, name)                                                             \
  extern const viper_lines_api viper_lines_f32_##set##_strict, viper_lines_f64_##set##_strict;     \
  extern const viper_lines_api viper_lines_f32_##set##_fast, viper_lines_f64_##set##_fast;
VIPER_INSTRUCTIONS(VIPER_DECLARE_LINES)
#undef VIPER_DECLARE_LINES

/// Of the variant with these lanes (viper_lanes_find).
const viper_lines_api *viper_lines_of(const viper_lanes_api *lanes);

#endif
