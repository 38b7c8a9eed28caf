// SPDX-License-Identifier: GPL-3.0-or-later
// The command "outline": the rods of a frame as polygons, for gnuplot.
#include "harness/cli.h"
#include "harness/outline.h"
#include "harness/results_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What outlines are made of.
typedef struct shape {
  vb_array segment;
  vb_array body;
  vb_array rest_radius;
  vb_array position;
  vb_array scale;
} shape;

static void free_shape(shape *s) {
  vb_array_free(&s->segment);
  vb_array_free(&s->body);
  vb_array_free(&s->rest_radius);
  vb_array_free(&s->position);
  vb_array_free(&s->scale);
}

static vb_status read_one(const vb_cli *cli, const char *name, int64_t frame, vb_array *out,
                          vb_error *error) {
  char dataset[512];
  snprintf(dataset, sizeof dataset, "%s%s/%s", cli->run ? "/runs/" : "", cli->run ? cli->run : "",
           name);
  return vb_results_array(cli->arguments[0], dataset, frame, out, error);
}

static vb_status read_shape(const vb_cli *cli, int64_t frame, shape *out, vb_error *error) {
  vb_status status = read_one(cli, "topology/segment", VB_NO_FRAME, &out->segment, error);
  if (!status)
    status = read_one(cli, "topology/body", VB_NO_FRAME, &out->body, error);
  if (!status)
    status = read_one(cli, "topology/rest_radius", VB_NO_FRAME, &out->rest_radius, error);
  if (!status)
    status = read_one(cli, "run/frames/position", frame, &out->position, error);
  if (!status)
    status = read_one(cli, "run/frames/scale", frame, &out->scale, error);
  if (status)
    return status;
  size_t n = out->rest_radius.n;
  bool sound = out->segment.width == 2 && out->position.width == 3 && out->scale.width == 1 &&
               out->body.width == 1 && out->rest_radius.width == 1 && out->position.n == n &&
               out->scale.n == n && out->body.n == n && vb_array_holds_indexes(&out->segment, 0, n);
  return sound ? VB_OK
               : vb_error_set(error, VB_BAD_INPUT, "%s: its topology does not fit its frames",
                              cli->arguments[0]);
}

static void print_segment(const shape *s, size_t j, const int axis[2], bool with_scale) {
  double point[2][2], radius[2], mean = 0, corner[VB_OUTLINE_CORNERS][2];
  for (int end = 0; end < 2; end++) {
    size_t node = (size_t)s->segment.values[2 * j + (size_t)end];
    for (int k = 0; k < 2; k++)
      point[end][k] = s->position.values[3 * node + (size_t)axis[k]];
    radius[end] = s->scale.values[node] * s->rest_radius.values[node];
    mean += s->scale.values[node] / 2;
  }
  vb_outline_hull(point[0], radius[0], point[1], radius[1], corner);
  for (size_t i = 0; i < VB_OUTLINE_CORNERS; i++) {
    printf("%.9g %.9g", corner[i][0], corner[i][1]);
    if (with_scale)
      printf(" %.9g", mean);
    putchar('\n');
  }
  putchar('\n');
}

static vb_status parse_whole(const char *option, const char *text, int64_t *out, vb_error *error) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end)
    return vb_error_set(error, VB_BAD_INPUT, "--%s wants a whole number, not \"%s\"", option, text);
  *out = value;
  return VB_OK;
}

static vb_status parse_plane(const char *text, int axis[2], vb_error *error) {
  bool sound = strlen(text) == 2 && text[0] != text[1];
  for (int k = 0; sound && k < 2; k++) {
    sound = text[k] >= 'x' && text[k] <= 'z';
    axis[k] = text[k] - 'x';
  }
  return sound ? VB_OK
               : vb_error_set(error, VB_BAD_INPUT,
                              "--plane wants two of x, y and z, such as xz, not \"%s\"", text);
}

vb_status vb_cli_outline(const vb_cli *cli, vb_error *error) {
  int axis[2] = {0, 2};
  int64_t frame = -1, body = -1;
  shape s = {0};
  bool with_scale = cli->measure != NULL;
  if (with_scale && strcmp(cli->measure, "scale") != 0)
    return vb_error_set(error, VB_BAD_INPUT, "--measure wants scale, not \"%s\"", cli->measure);
  vb_status status = parse_plane(cli->plane, axis, error);
  if (!status)
    status = parse_whole("frame", cli->frame, &frame, error);
  if (!status && cli->body)
    status = parse_whole("body", cli->body, &body, error);
  if (!status)
    status = read_shape(cli, frame, &s, error);
  if (!status)
    printf("# %c[m] %c[m]%s\n", cli->plane[0], cli->plane[1], with_scale ? " scale[1]" : "");
  for (size_t j = 0; !status && j < s.segment.n; j++) {
    size_t node = (size_t)s.segment.values[2 * j];
    if (!cli->body || s.body.values[node] == (double)body)
      print_segment(&s, j, axis, with_scale);
  }
  free_shape(&s);
  return status;
}
