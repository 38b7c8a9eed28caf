// SPDX-License-Identifier: GPL-3.0-or-later
#include "system.h"

vb_status mb_check(const vb_scene *scene, vb_error *error) {
  size_t n_nodes, n_ties, n_tetrahedra, n_loads;
  vb_scene_nodes(scene, &n_nodes);
  const vb_tie *tie = vb_scene_ties(scene, &n_ties);
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n_tetrahedra);
  const vb_load *load = vb_scene_loads(scene, &n_loads);
  for (size_t i = 0; i < n_nodes; i++)
    if (i >= n_ties || (size_t)tie[i].index != i)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "node %zu is in no bone; the multibody solver supports only rigid bodies",
                          i);
  for (size_t i = 0; i < n_tetrahedra; i++)
    for (int k = 1; k < 4; k++)
      if (tie[t[i].node[k]].bone != tie[t[i].node[0]].bone)
        return vb_error_set(error, VB_UNAVAILABLE,
                            "tetrahedron %zu is not in one bone and would deform; the multibody "
                            "solver supports only rigid bodies",
                            i);
  for (size_t i = 0; i < n_loads; i++)
    if (load[i].location != VB_AT_BONE && load[i].location != VB_AT_LINK)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %zu (%s) acts on a node; the multibody solver takes loads on bones "
                          "and hinges",
                          i, load[i].name);
  return VB_OK;
}
