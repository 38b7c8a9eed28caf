// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to plot_page*.c: a page while its template runs. What templates can call is the table
/// `page` of scenarios/figures.md.
#ifndef VB_FIGURE_PLOT_PAGE_H
#define VB_FIGURE_PLOT_PAGE_H

#include "figure/columns.h"
#include "figure/plot_internal.h"
#include "gate/surface_series.h"
#include "script/runtime/lua_sandbox.h"

/// A page that is being written. It is the first upvalue, a light userdata, of each function of the
/// table `page`.
typedef struct vb_plot_page {
  const char *index; ///< file of the study
  const vb_plot_facts *facts;
  const char *script; ///< path of the template
  vb_columns columns; ///< read last: a Lua error leaves them to the next reader, or to the end
  vb_surface_series distance; ///< likewise
  FILE *out;                  ///< what was put so far, a stream into `text`
  char *text;
  size_t size;
  size_t put; ///< bytes of it
} vb_plot_page;

/// The page that the running function of the table belongs to.
vb_plot_page *vb_plot_page_of(lua_State *L);

/// The text that argument `i` of a function must be, which `what` tells; a Lua error otherwise.
const char *vb_plot_page_argument(lua_State *L, int i, const char *who, const char *what);

/// Add to the table on top of the stack the functions that read results (plot_page_values.c), those
/// about gates (plot_page_gates.c), and those that write text (plot_page_text.c).
void vb_plot_page_add_values(lua_State *L, vb_plot_page *page);
void vb_plot_page_add_gates(lua_State *L, vb_plot_page *page);
void vb_plot_page_add_text(lua_State *L, vb_plot_page *page);

/// Adds functions, ended by one without a name, to the table on top of the stack.
void vb_plot_page_add(lua_State *L, vb_plot_page *page, const luaL_Reg *functions);

#endif
