// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "outline": the rods of a frame as polygons, for gnuplot.
#include "cli/cli.h"
#include "figure/outline_frame.h"

#include <stdio.h>

typedef struct settings {
  const char *run;
  int64_t frame;
  int axis[2]; ///< to the right and up: 0 .. 2
  int64_t body;
  int measure; ///< 0: of scale, -1: none
} settings;

static vb_status take_plane(const vb_cli_given *given, void *place, vb_error *error) {
  return vb_outline_plane(given->text, place, error);
}

static const vb_cli_option options[] = {
    {VB_OPTION_RUN, VB_AT(run)},
    {VB_OPTION_FRAME, vb_take_whole, VB_AT(frame)},
    {"plane", "xy|xz|yz", "outline: projection plane (xz)", 3, take_plane, VB_AT(axis)},
    {"body", "B", "outline: only this body", 3, vb_take_whole, VB_AT(body)},
    {"measure", "scale", "outline: add each segment's mean scale", 3, vb_take_word, VB_AT(measure)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  static const char AXES[] = "xyz";
  const settings *s = cli->settings;
  vb_outline_frame frame;
  bool with_scale = s->measure == 0;
  vb_status status = vb_outline_frame_read(cli->arguments[0], s->run, s->frame, &frame, error);
  if (status)
    return status;
  printf("# %c[m] %c[m]%s\n", AXES[s->axis[0]], AXES[s->axis[1]], with_scale ? " scale[1]" : "");
  vb_outline_frame_print(stdout, &frame, s->axis, s->body, with_scale);
  vb_outline_frame_free(&frame);
  return VB_OK;
}

VB_VERB(outline, "FILE", "print the rods of a frame as polygons", .least = 1,
        .wants = "a results file", .options = options,
        VB_SETTINGS(.frame = -1, .axis = {0, 2}, .body = VB_ALL_BODIES, .measure = -1),
        .examples = "viperbench outline results/free_flight.h5 --run free_flight --plane xz\n");
