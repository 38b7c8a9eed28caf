// SPDX-License-Identifier: GPL-3.0-or-later
/// The viper solver by itself for tests/extend.sh: the only one in the table, in double precision
/// and one variant.
#include "solver/table.h"
#include "viper/cpu/core/lanes.h"
#include "viper/viper.h"

#include <string.h>

extern const viper_lanes_api viper_lanes_f64_base_strict;
const viper_cpu_api viper_cpu_f32;

const viper_lanes_api *viper_lanes_find(int precision, const char *instructions, bool fast) {
  (void)instructions;
  return precision == 64 && !fast ? &viper_lanes_f64_base_strict : NULL;
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

vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error) {
  *out = &viper_solver;
  return strcmp(name, "viper") == 0 ? VB_OK : vb_error_set(error, VB_BAD_INPUT, "no %s", name);
}
