// SPDX-License-Identifier: GPL-3.0-or-later
/// How rods differ from the isotropic rod of their drawn shape: bending factors, rest curvature,
/// and the closing twist of loops.
#include "script/scene/lua_scene.h"

void vb_lua_read_bending(const vb_args *args, vb_lua_scene *scene, const vb_sample *at,
                         int32_t segment) {
  vb_bending bending = {.segment = segment};
  if (!vb_args_sample(args, "bending", at, 2, bending.factor))
    return;
  if (bending.factor[0] < 0 || bending.factor[1] < 0)
    vb_args_fail(args, "\"bending\" of segment %zu is {%g, %g}; its factors must not be negative",
                 at->index, bending.factor[0], bending.factor[1]);
  vb_lua_add(args, scene, VB_SET_BENDING, &bending, sizeof bending);
}
