// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the numbers of tetrahedra are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

/// A volume below this fraction of the cube of the longest edge is rounding of the positions.
static const double flatness = 1e-12;

static vb_status check_material(const vb_sets *sets, size_t k, vb_error *error) {
  const vb_tetrahedron *t = &sets->tetrahedra[k];
  if (!(t->young > 0 && isfinite(t->young)))
    return vb_bad_input(error, "tetrahedron %zu: Young's modulus %g is not positive and finite", k,
                        t->young);
  if (!(t->poisson > -1 && t->poisson < 0.5))
    return vb_bad_input(error, "tetrahedron %zu: Poisson's ratio %g is not between -1 and 0.5", k,
                        t->poisson);
  if (!(t->density > 0 && isfinite(t->density)))
    return vb_bad_input(error, "tetrahedron %zu: density %g is not positive and finite", k,
                        t->density);
  return VB_OK;
}

static vb_status check_volume(const vb_sets *sets, size_t k, vb_error *error) {
  const int32_t *node = sets->tetrahedra[k].node;
  const double *x[4];
  double longest = 0;
  for (int i = 0; i < 4; i++) {
    x[i] = sets->nodes[node[i]].rest_position;
    longest = fmax(longest, vb_distance(x[0], x[i]));
  }
  double volume = vb_volume6(x[0], x[1], x[2], x[3]) / 6;
  if (!(volume > flatness * longest * longest * longest))
    return vb_bad_input(error,
                        "tetrahedron %zu: its rest volume is %g m^3; it should be positive%s", k,
                        volume, volume < 0 ? " (exchange two of its nodes)" : "");
  return VB_OK;
}

vb_status vb_check_tetrahedra(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_material, sets->n_tetrahedra},
                                  {check_volume, sets->n_tetrahedra}};
  return vb_check_passes(sets, passes, 2, error);
}
