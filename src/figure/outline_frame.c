// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/outline_frame.h"

#include <math.h>
#include <string.h>

/// Corners of each of the two arcs.
enum { ARC = (VB_OUTLINE_CORNERS - 1) / 2 };

static void arc(const double center[2], double radius, double from, double to, double (*out)[2]) {
  for (int i = 0; i < ARC; i++) {
    double angle = from + (to - from) * i / (ARC - 1);
    out[i][0] = center[0] + radius * cos(angle);
    out[i][1] = center[1] + radius * sin(angle);
  }
}

void vb_outline_hull(const double a[2], double ra, const double b[2], double rb,
                     double out[VB_OUTLINE_CORNERS][2]) {
  double x = b[0] - a[0], y = b[1] - a[1], distance = hypot(x, y);
  double along = atan2(y, x);
  const double *first = a, *second = b;
  double tangent;
  if (distance > fabs(ra - rb)) {
    // The walls touch both discs where their normals make this angle with the line of centers.
    tangent = acos((ra - rb) / distance);
  } else {
    first = second = ra > rb ? a : b;
    ra = rb = fmax(ra, rb);
    tangent = M_PI / 2;
  }
  arc(first, ra, along + tangent, along + 2 * M_PI - tangent, out);
  arc(second, rb, along - tangent, along + tangent, out + ARC);
  out[VB_OUTLINE_CORNERS - 1][0] = out[0][0];
  out[VB_OUTLINE_CORNERS - 1][1] = out[0][1];
}

vb_status vb_outline_plane(const char *plane, int axis[2], vb_error *error) {
  bool valid = strlen(plane) == 2 && plane[0] != plane[1];
  for (int k = 0; valid && k < 2; k++) {
    valid = plane[k] >= 'x' && plane[k] <= 'z';
    axis[k] = plane[k] - 'x';
  }
  return valid ? VB_OK
               : vb_bad_input(error, "--plane needs two of x, y and z, such as xz, not \"%s\"",
                              plane);
}

static vb_status read_all(vb_run_location place, int64_t frame, vb_outline_frame *out,
                          vb_error *error) {
  const struct {
    const char *dataset;
    int64_t frame;
    vb_array *out;
  } parts[] = {{"topology/segment", VB_NO_FRAME, &out->segment},
               {"topology/body", VB_NO_FRAME, &out->body},
               {"topology/rest_radius", VB_NO_FRAME, &out->rest_radius},
               {"run/frames/position", frame, &out->position}};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < sizeof parts / sizeof *parts; i++)
    status = vb_run_array(place, parts[i].dataset, parts[i].frame, parts[i].out, error);
  if (!status)
    status = vb_run_scale(place, out->rest_radius.n, frame, &out->scale, error);
  if (status)
    return status;
  size_t n = out->rest_radius.n;
  bool valid = out->segment.width == 2 && out->position.width == 3 && out->position.n == n &&
               out->scale.n == n && out->body.n == n && out->rest_radius.width == 1 &&
               out->scale.width == 1 && out->body.width == 1 &&
               vb_array_holds_indexes(&out->segment, 0, n);
  return valid ? VB_OK
               : vb_bad_input(error, "%s: its topology does not fit its frames", place.path);
}

vb_status vb_outline_frame_read(const char *file, const char *run, int64_t frame,
                                vb_outline_frame *out, vb_error *error) {
  vb_outline_frame found = {0};
  vb_status status = read_all((vb_run_location){file, run}, frame, &found, error);
  if (status)
    vb_outline_frame_free(&found);
  else
    *out = found;
  return status;
}

void vb_outline_frame_free(vb_outline_frame *frame) {
  vb_array_free(&frame->segment);
  vb_array_free(&frame->body);
  vb_array_free(&frame->rest_radius);
  vb_array_free(&frame->position);
  vb_array_free(&frame->scale);
}

static void print_segment(FILE *out, const vb_outline_frame *s, size_t j, const int axis[2],
                          bool with_scale) {
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
    fprintf(out, "%.9g %.9g", corner[i][0], corner[i][1]);
    if (with_scale)
      fprintf(out, " %.9g", mean);
    putc('\n', out);
  }
  putc('\n', out);
}

void vb_outline_frame_print(FILE *out, const vb_outline_frame *frame, const int axis[2],
                            int64_t body, bool with_scale) {
  for (size_t j = 0; j < frame->segment.n; j++) {
    size_t node = (size_t)frame->segment.values[2 * j];
    if (body == VB_ALL_BODIES || frame->body.values[node] == (double)body)
      print_segment(out, frame, j, axis, with_scale);
  }
}
