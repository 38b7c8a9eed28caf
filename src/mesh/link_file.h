// SPDX-License-Identifier: GPL-3.0-or-later
/// Joints between bones, read from a text file.
#ifndef VB_MESH_LINK_FILE_H
#define VB_MESH_LINK_FILE_H

#include "base/status.h"
#include "scene/scene.h"

#include <stddef.h>

/// Most links of a file.
#define VB_LINK_ROWS 1024

/// A link and the names of both bones, the second "world" where it is the world; the indexes in
/// `link` are not set.
typedef struct vb_link_row {
  vb_link link;
  char bone[2][VB_NAME_SIZE];
  size_t line; ///< of the file, from 1
} vb_link_row;

/// Reads a file of links: a line for each, of words between blanks, "#" begins a comment:
///
///     NAME ball BONE BONE X Y Z
///     NAME hinge BONE BONE X Y Z  AX AY AZ [LEAST MOST]
///     NAME universal BONE BONE X Y Z  AX AY AZ  BX BY BZ
///
/// with the point [m], axes of any length and limits [rad]. The second bone may be "world".
/// Fills `n` of the VB_LINK_ROWS of `out`. VB_BAD_INPUT, with the file (as `shown`) and the line,
/// where it is at fault.
vb_status vb_link_file_read(const char *path, const char *shown, vb_link_row *out, size_t *n,
                            vb_error *error);

#endif
