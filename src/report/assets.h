// SPDX-License-Identifier: GPL-3.0-or-later
/// The files of the page that a person edits (report.css, player/*.js), as the build found them.
#ifndef VB_REPORT_ASSETS_H
#define VB_REPORT_ASSETS_H

#include <stddef.h>

/// One file.
typedef struct vb_asset {
  const char *begin, *end; ///< its bytes, and what follows them
} vb_asset;

/// The style of all pages.
extern const vb_asset vb_asset_style;

/// The files of the player in their order, which share one scope, ended by {0}.
extern const vb_asset vb_asset_player[];

/// The same, and what shows runs while they are executed.
extern const vb_asset vb_asset_live[];

#endif
