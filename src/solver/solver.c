// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/solver.h"

/// Names of features, by the number of their bit.
static const char *const features[] = {"segments of material model \"solid\"",
                                       "moments of inertia of frames other than a disc's"};

static vb_status check_features(const vb_solver_description *description, const vb_scene *scene,
                                vb_error *error) {
  uint64_t missing = vb_scene_features(scene) & ~description->features;
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if (missing >> i & 1)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver %s does not support %s, which the scene has", description->name,
                          features[i]);
  return missing ? vb_error_set(error, VB_UNAVAILABLE,
                                "solver %s does not support a feature of the scene, which is "
                                "unknown here",
                                description->name)
                 : VB_OK;
}

vb_status vb_solver_check_scene(const vb_solver_description *description, const vb_scene *scene,
                                vb_error *error) {
  for (int tag = 1; tag < 64; tag++) {
    bool known = description->sets >> tag & 1 || tag == VB_SET_LOOK; // which no solver reads
    if (known || !vb_scene_count(scene, (vb_tag)tag))
      continue;
    if (tag == VB_SET_PIN_END)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "pins of the scene end (%zu), which only runs of studies let them do; "
                          "solver %s by itself takes a scene whose pins stay",
                          vb_scene_count(scene, VB_SET_PIN_END), description->name);
    const char *name = vb_tag_name((vb_tag)tag);
    if (name)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver %s does not support the scene's set %s (%zu elements)",
                          description->name, name, vb_scene_count(scene, (vb_tag)tag));
    return vb_error_set(error, VB_UNAVAILABLE,
                        "solver %s does not support set %d of the scene, which is unknown here",
                        description->name, tag);
  }
  return check_features(description, scene, error);
}
