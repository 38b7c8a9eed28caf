// SPDX-License-Identifier: GPL-3.0-or-later
// The assembler puts the files into the program. Their paths are relative to the folder that the
// build runs in; the build knows that this file depends on them (mk/rules.mk).
#include "report/assets.h"

#define ASSET(name, path)                                                                          \
  __asm__(".pushsection .rodata\n"                                                                 \
          "asset_" #name ":\n.incbin \"src/report/" path "\"\n"                                    \
          "asset_" #name "_end:\n.byte 0\n.popsection\n");                                         \
  extern const char asset_##name[], asset_##name##_end[]

ASSET(style, "page/report.css");
ASSET(geometry, "player/geometry.js");
ASSET(colors, "player/colors.js");
ASSET(decode, "player/decode.js");
ASSET(camera, "player/camera.js");
ASSET(shaders, "player/shaders.js");
ASSET(shapes, "player/shapes.js");
ASSET(bones, "player/bones.js");
ASSET(obstacles, "player/obstacles.js");
ASSET(arrows, "player/arrows.js");
ASSET(draw, "player/draw.js");
ASSET(series, "player/series.js");
ASSET(controls, "player/controls.js");
ASSET(player, "player/player.js");
ASSET(live, "player/live.js");

#define OF(name)                                                                                   \
  { asset_##name, asset_##name##_end }

const vb_asset vb_asset_style = OF(style);
#define PLAYER                                                                                     \
  OF(geometry), OF(colors), OF(decode), OF(camera), OF(shaders), OF(shapes), OF(bones),            \
      OF(obstacles), OF(arrows), OF(draw), OF(series), OF(controls), OF(player)

const vb_asset vb_asset_player[] = {PLAYER, {0}};
const vb_asset vb_asset_live[] = {PLAYER, OF(live), {0}};
