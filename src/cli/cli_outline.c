// SPDX-License-Identifier: GPL-3.0-or-later
// The command "outline": the rods of a frame as polygons, for gnuplot.
#include "cli/cli.h"
#include "figure/outline_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vb_status parse_whole(const char *option, const char *text, int64_t *out, vb_error *error) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end)
    return vb_error_set(error, VB_BAD_INPUT, "--%s wants a whole number, not \"%s\"", option, text);
  *out = value;
  return VB_OK;
}

vb_status vb_cli_outline(const vb_cli *cli, vb_error *error) {
  int axis[2] = {0, 2};
  int64_t index = -1, body = VB_ALL_BODIES;
  vb_outline_frame frame;
  bool with_scale = cli->measure != NULL;
  if (with_scale && strcmp(cli->measure, "scale") != 0)
    return vb_error_set(error, VB_BAD_INPUT, "--measure wants scale, not \"%s\"", cli->measure);
  vb_status status = vb_outline_plane(cli->plane, axis, error);
  if (!status)
    status = parse_whole("frame", cli->frame, &index, error);
  if (!status && cli->body)
    status = parse_whole("body", cli->body, &body, error);
  if (!status)
    status = vb_outline_frame_read(cli->arguments[0], cli->run, index, &frame, error);
  if (status)
    return status;
  printf("# %c[m] %c[m]%s\n", cli->plane[0], cli->plane[1], with_scale ? " scale[1]" : "");
  vb_outline_frame_print(stdout, &frame, axis, body, with_scale);
  vb_outline_frame_free(&frame);
  return VB_OK;
}
