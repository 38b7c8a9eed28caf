// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to plot_*.c: the steps of drawing a study's figures, from the script to its data.
#ifndef VB_FIGURE_PLOT_INTERNAL_H
#define VB_FIGURE_PLOT_INTERNAL_H

#include "base/arena.h"
#include "base/status.h"
#include "results/results_array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// One script of a figure.
typedef struct vb_plot_script {
  char *path;
  char *suffix; ///< what its name has behind the figure's: "" or "_profile"
} vb_plot_script;

/// Those of a figure, the figure's own first.
typedef struct vb_plot_scripts {
  vb_plot_script *scripts; ///< (n)
  size_t n;
} vb_plot_scripts;

/// The figure of a study that names none.
#define VB_PLOT_DEFAULT "default"

/// Finds the scripts of `figure`: FIGURE.gp (base/figure_files.h, where `folder` is explained), and
/// beside it FIGURE_*.gp in the order of the alphabet, but for those beside which a study
/// FIGURE_*.lua lies. VB_BAD_INPUT, with `who` as the one that wants it, where there is none. The
/// caller frees with vb_plot_scripts_free.
vb_status vb_plot_scripts_find(const char *home, const char *folder, const char *figure,
                               const char *who, vb_plot_scripts *out, vb_error *error);
void vb_plot_scripts_free(vb_plot_scripts *scripts);

/// Facts of a study that its figure script gets: its runs, their labels, a footer (plot_facts.c),
/// and the lines at the head. All texts are owned; freed by vb_plot_facts_free.
typedef struct vb_plot_facts {
  char *figure;  ///< base/figure_files.h, or "" for none
  char *runs;    ///< names, separated by spaces
  char *labels;  ///< of the runs, separated by "|"
  char *footer;  ///< program, commit, scenes, date
  char *title;   ///< name and title of the study; null for no lines at the head
  char *changed; ///< what the runs differ in; "" for nothing
  char *shared;  ///< tier, and settings that all runs share
} vb_plot_facts;

/// Reads them from the index file of a study and the run files it links to.
vb_status vb_plot_facts_read(const char *index, vb_plot_facts *out, vb_error *error);
void vb_plot_facts_free(vb_plot_facts *facts);

/// Fills in the lines at the head, from `facts->runs` and `facts->labels` (plot_title.c).
/// VB_BAD_INPUT where the files cannot be read.
vb_status vb_plot_title_read(const char *index, vb_plot_facts *facts, vb_error *error);

/// Runs the template `script` of a page over the study of index file `index` in the sandbox of
/// scripts, and writes what it puts to `path` (plot_page.c). VB_BAD_INPUT, with the template's file
/// and line, where it is wrong or asks for what the results do not have; VB_CANNOT_WRITE.
vb_status vb_plot_page_write(const char *index, const vb_plot_facts *facts, const char *script,
                             const char *path, vb_error *error);

/// A data request of a figure script: one of the lines of its head that begin with "#:"
/// (plot_list.c). Their syntax is described in plots/style.gp.
typedef enum vb_plot_kind {
  VB_PLOT_SERIES,
  VB_PLOT_FRAME,
  VB_PLOT_OUTLINE,
  VB_PLOT_OUTLINE_OF,
  VB_PLOT_BOX_EDGES,
  VB_PLOT_BOX_SECTIONS,
  VB_PLOT_RENDER,
  VB_PLOT_DISTANCE,
  VB_PLOT_VALUES,
} vb_plot_kind;

/// Words in a line at most.
#define VB_PLOT_WORDS 64

/// One line of a list.
typedef struct vb_plot_item {
  char *text; ///< the line's words, cut apart
  size_t line;
  bool missing; ///< whether its data may be missing
  vb_plot_kind kind;
  const char *helper; ///< its first word
  const char *of;     ///< whose data: ".", "runs/PATTERN,PATTERN" and so on
  const char *frames; ///< which of them, or null
  char **arguments;   ///< (n_arguments) paths, a plane, two lengths, a size and a view, or a run
  size_t n_arguments;
} vb_plot_item;

typedef struct vb_plot_list {
  vb_plot_item *items; ///< (n)
  size_t n;
} vb_plot_list;

/// Reads the list of the script at `path`. VB_BAD_INPUT with the line where one is wrong. The
/// caller frees with vb_plot_list_free.
vb_status vb_plot_list_read(const char *path, vb_plot_list *out, vb_error *error);
void vb_plot_list_free(vb_plot_list *list);

/// Length of a path in an index file, its zero included.
#define VB_PLOT_PATH 400

/// Sources of the requested data: of the file itself, its runs, cases or series of sizes.
typedef struct vb_plot_groups {
  const char *group; ///< "runs", "bench" or "scaling"; null for the file itself
  char **names;      ///< (n), sound (vb_recorded_name_is_valid)
  size_t n;
} vb_plot_groups;

/// Finds the subjects of index file `index` that `of` means: "." for the file itself, or "GROUP/"
/// and patterns (as of fnmatch) between commas, in the order of the index. "last:" before a pattern
/// takes the last it matches. VB_BAD_INPUT where a pattern without wildcards matches none, and
/// where the index holds a name that is none. The caller frees with vb_plot_groups_free.
vb_status vb_plot_groups_find(const char *index, const char *of, vb_plot_groups *out,
                              vb_error *error);
void vb_plot_groups_free(vb_plot_groups *subjects);

/// Numbers of frames.
typedef struct vb_plot_frames {
  size_t n_frames; ///< that the run has
  size_t *chosen;  ///< (n)
  size_t n;
} vb_plot_frames;

/// Chooses frames of run `run`: `text` is "all", or between commas numbers (from the end where
/// negative), "t=T" for the last up to time T [s], and "spread=N" for N from the first to the last.
/// VB_BAD_INPUT where it is wrong or there is no such frame. The caller frees `out->chosen`.
vb_status vb_plot_frames_choose(const char *index, const char *run, const char *text,
                                vb_plot_frames *out, vb_error *error);

/// Finds what run `run` of the index file `index` has recorded under paths that match `pattern`, in
/// which * stands for any part of a path between slashes: "energy/*". VB_BAD_INPUT where there is
/// nothing. The caller frees with vb_texts_free.
vb_status vb_plot_paths_find(const char *index, const char *run, const char *pattern, vb_texts *out,
                             vb_error *error);

/// Writes the path of `quantity` of a subject, "runs/NAME/QUANTITY". A row may be written as "P%",
/// the row that so many percent of all lie before; as "gate=I", that which gate I of the run is
/// about; as "X:Y:Z", the vertex that is there at rest [m].
vb_status vb_plot_path(const char *index, const char *group, const char *name, const char *quantity,
                       char out[VB_PLOT_PATH], vb_error *error);

/// Writes the data that `list` requests from the index file `index` into files of `folder`, and to
/// `definitions` variables of gnuplot that give the helpers of plots/style.gp where and what they
/// are; all names are made of counters. `script` is whose list it is, for messages.
///
/// VB_BAD_INPUT, with the line of the list, where it is wrong, where the index does not have what
/// it asks for, and where names in the index are wrong; VB_INTERRUPTED when a signal was noted;
/// VB_CANNOT_WRITE.
vb_status vb_plot_data_write(const char *folder, const char *index, const char *script,
                             const vb_plot_list *list, FILE *definitions, vb_error *error);

/// Width and height of a rendered picture in a figure at most [pixel].
#define VB_PLOT_SIDE 4096

/// The rendered pictures of one line of a list (plot_render.c).
typedef struct vb_plot_render vb_plot_render;

/// Opens the runs `of` of the index file, and fits one view and one range of colors to all frames
/// that the line chooses of them. VB_BAD_INPUT where the line is wrong or a run holds nothing to be
/// shown. Freed by vb_plot_render_end.
vb_status vb_plot_render_begin(const char *index, const vb_plot_item *item,
                               const vb_plot_groups *of, vb_plot_render **out, vb_error *error);

/// Renders frame `k` of one of these runs as bytes red, green, blue of all pixels, the upper row
/// first. VB_BAD_INPUT, VB_CANNOT_WRITE.
vb_status vb_plot_render_write(const vb_plot_render *p, const char *run, size_t k, FILE *out,
                               vb_error *error);
void vb_plot_render_end(vb_plot_render *p);

/// Writes the definition of a variable whose value is a text; false for want of memory or room.
bool vb_plot_define(FILE *definitions, const char *name, const char *value);

/// Where the data of a list go.
typedef struct vb_plot_output {
  const char *folder;     ///< of the files
  const char *index;      ///< the index file that they come from
  FILE *file;             ///< of definitions of gnuplot's variables
  vb_plot_render *render; ///< of the line that is being written, or null
} vb_plot_output;

/// What is being written. Its files and variables are called by the numbers of request and subject.
typedef struct vb_plot_place {
  const vb_plot_item *item;
  char **arguments; ///< (n) those of the item that this request is about
  size_t n;
  const char *group; ///< of the subject, see vb_plot_groups
  const char *name;
  size_t request, subject; ///< from 1
} vb_plot_place;

/// Writes the data of one subject (plot_place.c). VB_BAD_INPUT, VB_INTERRUPTED, VB_CANNOT_WRITE.
vb_status vb_plot_place_write(const vb_plot_output *w, const vb_plot_place *p, vb_error *error);

/// Prints lines x, y, z [m] of the surface of run `run` of the index `file` in frame `frame`, an
/// empty line before each: the four edges along z of a box that is `width` wide (x) and `thickness`
/// thick (y) at rest, or, if `sections`, those cross-sections that lie at an even number of
/// centimeters at rest. VB_BAD_INPUT where the surface cannot be read.
vb_status vb_box_lines_print(FILE *out, const char *file, const char *run, int64_t frame,
                             double width, double thickness, bool sections, vb_error *error);

#endif
