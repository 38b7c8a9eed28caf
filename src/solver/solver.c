// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/solver.h"

vb_status vb_solver_check_scene(const vb_solver_description *description, const vb_scene *scene,
                                vb_error *error) {
  for (int tag = 1; tag < 64; tag++) {
    if (description->sets >> tag & 1 || !vb_scene_count(scene, (vb_tag)tag))
      continue;
    const char *name = vb_tag_name((vb_tag)tag);
    if (name)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver %s does not support the scene's set %s (%zu elements)",
                          description->name, name, vb_scene_count(scene, (vb_tag)tag));
    return vb_error_set(error, VB_UNAVAILABLE,
                        "solver %s does not support set %d of the scene, which is unknown here",
                        description->name, tag);
  }
  return VB_OK;
}
