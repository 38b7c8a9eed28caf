// SPDX-License-Identifier: GPL-3.0-or-later
/// Where a solver keeps the values of its options, as a table: for solvers whose options go
/// straight into members of a structure.
///
/// A solver of the program may have one table for these and for what its description says: a macro
/// OPTIONS(X) of rows X(name, default_value, choices, minimum, maximum, integer, at_any_time,
/// long_name, kind, member), `kind` NUMBER, WHOLE, .. as below.
#ifndef VB_SOLVER_SETTINGS_H
#define VB_SOLVER_SETTINGS_H

#include "solver/solver.h"

#include <stddef.h>

/// How the value of an option is kept.
typedef enum vb_setting_kind {
  VB_SETTING_NUMBER,  ///< double
  VB_SETTING_WHOLE,   ///< int
  VB_SETTING_THREADS, ///< int; 0 is kept as the number of processors
  VB_SETTING_WORD,    ///< int, or an enumeration: which of the option's words
  VB_SETTING_SECOND,  ///< bool: whether it is the second word
} vb_setting_kind;

/// Where the value of an option is kept.
typedef struct vb_setting {
  const char *name;
  vb_setting_kind kind;
  size_t offset; ///< in the structure of all settings, bytes
} vb_setting;

/// Makes an option's information of a row; of the same row where its value is kept in a vb_self,
/// the type of instances. Members of other types than the kind's do not compile.
#define VB_OPTION(name, default_value, choices, minimum, maximum, integer, at_any_time, long_name, \
                  kind, member)                                                                    \
  {name, default_value, choices, minimum, maximum, integer, at_any_time, long_name},
#define VB_OPTION_SETTING(name, default_value, choices, minimum, maximum, integer, at_any_time,    \
                          long_name, kind, member)                                                 \
  {name, VB_SETTING_##kind,                                                                        \
   offsetof(vb_self, member) +                                                                     \
       0 * sizeof(_Generic(&((vb_self *)0)->member, VB_SETTING_TYPE_##kind))},
#define VB_SETTING_TYPE_NUMBER  double * : 0
#define VB_SETTING_TYPE_WHOLE   int * : 0
#define VB_SETTING_TYPE_THREADS int * : 0
#define VB_SETTING_TYPE_WORD    int * : 0, unsigned * : 0
#define VB_SETTING_TYPE_SECOND  bool * : 0

/// Settings of a solver: its options in any order.
typedef struct vb_setting_table {
  const vb_setting *settings;
  size_t n_settings;
} vb_setting_table;

/// Keeps an option's value, which was checked, in the structure `into`. Nothing is done where the
/// table has no such option.
void vb_setting_apply(const vb_solver_description *description, const vb_setting_table *table,
                      const char *name, const char *value, void *into);

/// Writes the value that is kept in `from` as text. VB_BAD_INPUT where the table has no such
/// option.
vb_status vb_setting_print(const vb_solver_description *description, const vb_setting_table *table,
                           const char *name, const void *from, char *out, size_t size,
                           vb_error *error);

/// Checks that an option may take this value now that a run has begun.
vb_status vb_setting_check(const vb_solver_description *description, const char *name,
                           const char *value, vb_error *error);

#endif
