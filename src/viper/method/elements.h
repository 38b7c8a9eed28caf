// SPDX-License-Identifier: GPL-3.0-or-later
/// Shared by all methods: loops over the elements of a body, each thread over its share, and the
/// states of a segment and a joint. Included by sources that have defined element access
/// (access.h).
#ifndef VIPER_METHOD_ELEMENTS_H
#define VIPER_METHOD_ELEMENTS_H

#include "viper/energy/element.h"
#include "viper/energy/inertia.h"
#include "viper/method/bounds.h"
#include "viper/settings/settings.h"

/// The list of elements that phases of colors are ranges of; null where elements are in that order.
#ifndef VIPER_ROUNDS_OF
#define VIPER_ROUNDS_OF(w) NULL
#endif

/// Calls `work_on(w, at, ...)` for this thread's share of `count` elements from number `first` of
/// `list` on.
#define VIPER_EACH(w, list, first, count, ...)                                                     \
  do {                                                                                             \
    int32_t begin_, end_;                                                                          \
    viper_share((w), (first), (count), &begin_, &end_);                                            \
    for (int32_t e_ = begin_; e_ < end_; e_ += VIPER_STRIDE) {                                     \
      viper_at at = viper_at_of((w), (list), e_, end_);                                            \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  } while (0)

VIPER_FN viper_segment_state viper_get_segment(const viper_access *w, viper_at at) {
  viper_node_x a = viper_get_node(w, viper_segment_node(w, at, 0));
  viper_node_x b = viper_get_node(w, viper_segment_node(w, at, 1));
  viper_segment_state x = {a.c, b.c, a.s, b.s, viper_get_frame(w, at), viper_get_active(w, at)};
  return x;
}

VIPER_FN viper_joint_state viper_get_joint(const viper_access *w, viper_at at) {
  viper_joint_state x = {viper_get_scale(w, viper_joint_node(w, at, 0)),
                         viper_get_scale(w, viper_joint_node(w, at, 1)),
                         viper_get_scale(w, viper_joint_node(w, at, 2)),
                         viper_get_frame(w, viper_joint_segment(w, at, 0)),
                         viper_get_frame(w, viper_joint_segment(w, at, 1)),
                         viper_get_bending(w, at),
                         false,
                         viper_apart()};
  return x;
}

/// The same in a scene with fused rods (viper_has_fused).
VIPER_FN viper_joint_state viper_get_fused_joint(const viper_access *w, viper_at at) {
  viper_joint_state x = viper_get_joint(w, at);
  x.is_fused = true;
  x.fused = viper_get_fused(w, at);
  return x;
}

/// Whether joints of the body may have the term bend. What solid bodies without it do is out of
/// line, so that loops over others stay as they are.
VIPER_FN bool viper_bends(const viper_access *w) {
  return viper_solid_of(w) == VIPER_NONE_SOLID || viper_access_body(w)->bends;
}

VIPER_FN viper_real viper_bounded(viper_real s) {
  viper_real least = VIPER_R(VIPER_MINIMUM_SCALE);
  return VIPER_SELECT(s < least, least, s);
}

#endif
