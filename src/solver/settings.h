// SPDX-License-Identifier: GPL-3.0-or-later
/// Options of a solver as a table: what each is, and the member of a structure that keeps its
/// value. The description's list, reading, setting and printing follow from it.
///
/// A table is a macro OPTIONS(X) of rows X(name, default_value, choices, minimum, maximum, integer,
/// at_any_time, long_name, member): a double for a number, an int for a whole number, an int or an
/// enumeration for which of several words it is, or a bool for whether it is the second word.
/// `threads` of 0 is kept as the number of processors.
#ifndef VB_SOLVER_SETTINGS_H
#define VB_SOLVER_SETTINGS_H

#include "solver/solver.h"

/// Where the value of an option is kept, and as what.
typedef struct vb_setting {
  enum { VB_SETTING_NUMBER, VB_SETTING_WHOLE, VB_SETTING_SECOND } kind;
  size_t at; ///< bytes from where the structure of all settings begins
} vb_setting;

/// Makes an option's information of a row; of the same row the setting of a member of vb_self, the
/// type of instances. Members of other types do not compile.
#define VB_OPTION(name, default_value, choices, minimum, maximum, integer, at_any_time, long_name, \
                  member)                                                                          \
  {name, default_value, choices, minimum, maximum, integer, at_any_time, long_name},
#define VB_OPTION_SETTING(name, default_value, choices, minimum, maximum, integer, at_any_time,    \
                          long_name, member)                                                       \
  {_Generic(((vb_self *)0)->member, double                                                         \
            : VB_SETTING_NUMBER, int                                                               \
            : VB_SETTING_WHOLE, unsigned                                                           \
            : VB_SETTING_WHOLE, bool                                                               \
            : VB_SETTING_SECOND),                                                                  \
   offsetof(vb_self, member)},

/// Keeps the value of each option that `options` or else the description gives, in `into`. Options
/// were checked.
void vb_settings_begin(const vb_solver_description *about, const vb_setting *settings,
                       const vb_option *options, size_t n_options, void *into);

/// Keeps an option's value now that a run has begun. VB_BAD_INPUT where that cannot be.
vb_status vb_settings_set(const vb_solver_description *about, const vb_setting *settings,
                          const char *name, const char *value, void *into, vb_error *error);

/// Writes the value that is kept in `from` as text. VB_BAD_INPUT where there is no such option.
vb_status vb_settings_print(const vb_solver_description *about, const vb_setting *settings,
                            const char *name, const void *from, char *out, size_t size,
                            vb_error *error);

#endif
