// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the XDMF file by which ParaView opens a run: one virtual dataset per frame and field
/// below /view, and a sidecar that refers to them.
#ifndef VB_RESULTS_XDMF_H
#define VB_RESULTS_XDMF_H

#include "results/h5.h"

/// A field to be seen, of nodes, of what is shown of them (tetrahedra or segments), or of a
/// surface's vertices.
typedef struct vb_xdmf_field {
  const char *name; ///< of the dataset below /run/frames
  int components;   ///< 1, 3 or 9
  const char *unit;
  const char *long_name;
  bool of_cells; ///< of tetrahedra or segments
} vb_xdmf_field;

/// The frames of a run: polylines of one segment each, and beside them a surface where there is
/// one. The first field is "position", or "bone_position" where there are bones and no nodes.
typedef struct vb_xdmf {
  const char *title;
  size_t n_nodes;
  size_t n_segments;
  size_t n_tetrahedra; ///< where there are any, these are shown and not the segments
  bool bones;         ///< whether /topology/tetrahedron_bone tells which of these are inside a bone
  const double *time; ///< (n_frames) [s]
  size_t n_frames;
  size_t most_frames; ///< that are shown
  const vb_xdmf_field *fields;
  size_t n_fields;
  const vb_xdmf_field *surface; ///< where the vertices of the surface are, or null for none
  size_t n_vertices;
  size_t n_triangles;
} vb_xdmf;

/// How many frames are shown at most, and in the tier quick: of more of them, so many that are
/// equally far apart, with the first and the last. The views of a frame and their lines in the
/// sidecar take some 3 kB, often more than what they show.
enum { VB_XDMF_MOST_FRAMES = 51, VB_XDMF_MOST_QUICK_FRAMES = 3 };

/// Most bytes that the views can add to the file.
size_t vb_xdmf_view_bytes(const vb_xdmf *xdmf);

/// Makes /view/frame_NNNNNN/<field>, virtual datasets onto row NNNNNN of /run/frames/<field>, for
/// the frames that are shown.
void vb_xdmf_write_views(vb_h5 *h5, hid_t file, const vb_xdmf *xdmf);

/// Writes the sidecar `path` for the results file called `h5_name` in the same folder, through a
/// file that ends in ".part". VB_CANNOT_WRITE and the system's reason.
vb_status vb_xdmf_write_sidecar(const char *path, const char *h5_name, const vb_xdmf *xdmf,
                                vb_error *error);

#endif
