// SPDX-License-Identifier: GPL-3.0-or-later
/// The viper solver by itself for tests/extend.sh: in double precision and one variant, and the
/// only one in the table, unless all solvers are built.
#include "solver/table.h"
#include "viper/cpu/core/gathered.h"
#include "viper/cpu/core/lines.h"
#include "viper/viper.h"

#include <string.h>

extern const viper_lanes_api viper_lanes_f64_base_strict;
extern const viper_lines_api viper_lines_f64_base_strict;
extern const viper_gathered_api viper_gathered_f64_base_strict;
const viper_cpu_api viper_cpu_f32;

const viper_lanes_api *viper_lanes_find(int precision, const char *instructions, bool fast) {
  (void)instructions;
  return precision == 64 && !fast ? &viper_lanes_f64_base_strict : NULL;
}

const viper_lines_api *viper_lines_of(const viper_lanes_api *lanes) {
  (void)lanes;
  return &viper_lines_f64_base_strict;
}

const viper_gathered_api *viper_gathered_of(const viper_lanes_api *lanes) {
  (void)lanes;
  return &viper_gathered_f64_base_strict;
}

const char *viper_lanes_name(const char *instructions) {
  (void)instructions;
  return "base";
}

bool viper_lanes_has(const char *instructions) {
  (void)instructions;
  return true;
}

const char *viper_lanes_best(void) {
  return "base";
}

/// In place of that of src/cli/solver_table.c, where this is not built.
__attribute__((weak)) const vb_solver *const *vb_solver_table(void) {
  static const vb_solver *const table[] = {&viper_solver, NULL};
  return table;
}

vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error) {
  for (const vb_solver *const *at = vb_solver_table(); *at; at++)
    if (strcmp((*at)->describe(*at)->name, name) == 0) {
      *out = *at;
      return VB_OK;
    }
  return vb_error_set(error, VB_BAD_INPUT, "no %s", name);
}
