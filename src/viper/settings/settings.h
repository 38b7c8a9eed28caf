// SPDX-License-Identifier: GPL-3.0-or-later
/// The values of the options (table.h), in members of the same names: words as constants of the
/// options' enumerations.
#ifndef VIPER_SETTINGS_SETTINGS_H
#define VIPER_SETTINGS_SETTINGS_H

#include "viper/settings/table.h"

#include <stdbool.h>

#define VIPER_STEP_ALONE_STEP(...) __VA_ARGS__
#define VIPER_STEP_ALONE_VARIANT(...)
#define VIPER_VARIANT_ALONE_STEP(...)
#define VIPER_VARIANT_ALONE_VARIANT(...) __VA_ARGS__

/// What steps need. `contact` and `gyroscope` are no longer "auto" once an instance is made.
typedef struct viper_settings {
#define VIPER_MEMBER(name, type, kind, place, ...) VIPER_STEP_ALONE_##place(type name;)
  VIPER_OPTIONS(VIPER_MEMBER)
#undef VIPER_MEMBER
  // What a step's place in the run adds:
  int continued; ///< iterations that were done in the substep; their multipliers and state stay
  bool in_parts; ///< iterations are called one by one: contacts or bundles move bodies in between
  bool fresh_contacts; ///< contacts begin without what was kept: substeps had another length
  bool restarts;       ///< of what keeps the state before: the first substep of the step has none
} viper_settings;

/// What creation alone needs: where steps run, and which compiled variant.
typedef struct viper_variant {
#define VIPER_MEMBER(name, type, kind, place, ...) VIPER_VARIANT_ALONE_##place(type name;)
  VIPER_OPTIONS(VIPER_MEMBER)
#undef VIPER_MEMBER
} viper_variant;

/// Whether steps with these settings are alike, so that what was prepared for one does for both.
static inline bool viper_settings_same(const viper_settings *a, const viper_settings *b) {
  bool same = a->restarts == b->restarts;
#define VIPER_SAME(name, type, kind, place, ...)                                                   \
  VIPER_STEP_ALONE_##place(same = same && a->name == b->name;)
  VIPER_OPTIONS(VIPER_SAME)
#undef VIPER_SAME
  return same;
}

/// Whether contacts begin with a part of what they pushed in the substep before.
static inline bool viper_has_warm_start(const viper_settings *settings) {
  return settings->warm_start > 0 && settings->contact != VIPER_CONTACT_AVERAGED;
}

/// Whether bundles pull bodies by a penalty.
static inline bool viper_has_penalty(const viper_settings *settings) {
  return settings->bundle_solve == VIPER_BY_PENALTY;
}

/// Whether bundles are rows of Newton's method in a substep; and how many rows a member has.
static inline bool viper_has_bundle_rows(const viper_settings *settings) {
  return settings->bundle_solve == VIPER_BUNDLES_BY_NEWTON;
}
enum { VIPER_BUNDLE_ROWS = 7 };

/// Whether iterations begin where drivers take nodes. A method that accumulates multipliers would
/// begin elsewhere than where they are 0, and does so only where it is told.
static inline bool viper_follows(const viper_settings *settings) {
  return settings->follow == VIPER_FOLLOW_YES ||
         (settings->follow == VIPER_FOLLOW_AUTO &&
          viper_method_has(settings->method, VIPER_SEEKS_MINIMUM));
}

/// Whether the state before the latest is kept, too.
static inline bool viper_has_history(const viper_settings *settings) {
  return settings->integrator != VIPER_EULER;
}

/// Whether frames keep their angular momentum (method/spin.h); once an instance is made.
static inline bool viper_has_spin(const viper_settings *settings) {
  return settings->gyroscope == VIPER_GYROSCOPE_ON;
}

/// Whether what held each pin is part of the state: drivers' work in the next substep is by the
/// mean of the forces before and after it.
static inline bool viper_has_pin_force(const viper_settings *settings) {
  return settings->integrator == VIPER_BDF2 || settings->dynamics == VIPER_STATIC;
}

#endif
