// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the colors of looks are colors.
#include "scene/checks.h"

static vb_status check_color(const vb_sets *sets, size_t i, vb_error *error) {
  const double *c = sets->looks[i].color;
  bool none = c[0] == -1 && c[1] == -1 && c[2] == -1;
  for (int k = 0; k < 3 && !none; k++)
    if (!(c[k] >= 0 && c[k] <= 1))
      return vb_bad_input(error,
                          "look %zu: its color has the component %g; red, green and blue are from "
                          "0 to 1",
                          i, c[k]);
  return VB_OK;
}

vb_status vb_check_looks(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_color, sets->n_looks}};
  return vb_check_passes(sets, passes, 1, error);
}
