// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to plot_layout*.c: what a figure has on its page.
#ifndef VB_FIGURE_PLOT_LAYOUT_INTERNAL_H
#define VB_FIGURE_PLOT_LAYOUT_INTERNAL_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// A rectangle, y downwards [pixel]; or the room around one.
typedef struct vb_layout_box {
  double left, right, top, bottom;
} vb_layout_box;

/// A panel, in the order in which they are drawn.
typedef struct vb_layout_panel {
  vb_layout_box page;             ///< where its script has it
  vb_layout_box need;             ///< room that its texts take around it, at VB_PAGE_PIXELS
  double upright;                 ///< length of the text along its vertical axis
  size_t letters;                 ///< of its longest title
  size_t inner_key;               ///< entries of its key, in it
  size_t outer_key;               ///< likewise, outside of it
  double outer_widest;            ///< the widest of their texts
  struct vb_layout_panel *parent; ///< the one that it lies in, or null
  size_t row;                     ///< of the page, from 1
  size_t each;                    ///< letters of a title on a line; 0 where it has none
  vb_layout_box paper;            ///< where it goes
} vb_layout_panel;

/// A key that has a place on the page.
typedef struct vb_layout_key {
  size_t after;           ///< panels that were begun when it was placed
  double page_y;          ///< where
  vb_layout_panel *owner; ///< which draws it, or null
  bool above;             ///< whether it goes above the owner's line, not below
  size_t n;               ///< entries
  double widest;          ///< of their texts
  size_t rows;            ///< on paper
  double y;               ///< its top, on paper
} vb_layout_key;

/// Another place that a script asks for.
typedef struct vb_layout_place {
  double x, y;
} vb_layout_place;

/// A title.
typedef struct vb_layout_title {
  size_t after; ///< panels that were begun
  size_t letters;
  vb_layout_panel *panel; ///< whose it is, or null
} vb_layout_title;

/// All of a figure.
typedef struct vb_layout {
  double width, height; ///< of the paper
  double reduced;       ///< how much of what they can graphs become lower, 0 to 1
  double page_width, page_height;
  vb_layout_panel *panels; ///< (n_panels)
  size_t n_panels;
  vb_layout_panel **order; ///< (n_order) those that lie in no other
  size_t n_order;
  vb_layout_key *keys;
  size_t n_keys;
  vb_layout_place *places;
  size_t n_places;
  vb_layout_title *titles;
  size_t n_titles;
} vb_layout;

/// Reads what style.gp noted, and what texts the picture has. VB_BAD_INPUT as of vb_plot_layout.
/// The caller frees in any case.
vb_status vb_layout_read(const char *noted, const char *svg, const char *script, vb_layout *out,
                         vb_error *error);
void vb_layout_free(vb_layout *l);

#endif
