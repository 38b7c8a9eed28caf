// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/skin_record.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES "run/frames/vertices"

/// What vertices are made of. The first five do not change, the others are of a frame.
enum {
  REST_VERTEX,
  FOLLOWED,
  WEIGHT,
  REST_POSITION,
  REST_FRAME,
  SEGMENT,
  POSITION,
  SCALE,
  FRAME,
  N_PARTS
};

static const struct {
  const char *dataset;
  size_t width; ///< numbers in a row; 0: any
} PARTS[N_PARTS] = {[REST_VERTEX] = {"topology/rest_vertex", 3},
                    [FOLLOWED] = {"topology/skin_segment", 0},
                    [WEIGHT] = {"topology/skin_weight", 0},
                    [REST_POSITION] = {"topology/rest_position", 3},
                    [REST_FRAME] = {"topology/rest_frame", 4},
                    [SEGMENT] = {"topology/segment", 2},
                    [POSITION] = {"run/frames/position", 3},
                    [SCALE] = {"run/frames/scale", 1},
                    [FRAME] = {"run/frames/frame", 4}};

vb_status vb_skin_has(vb_run_location place, const char *dataset, bool *out, vb_error *error) {
  vb_status status = VB_OK;
  *out = strcmp(dataset, VERTICES) == 0;
  for (int i = 0; !status && *out && i < N_PARTS; i++)
    status = vb_run_has(place, PARTS[i].dataset, out, error);
  return status;
}

/// The similarity of a segment relative to rest: x -> middle + axes (x - rest).
typedef struct carrier {
  double axes[3][3]; ///< columns of s R
  double middle[3], rest[3];
} carrier;

static void place_carrier(const vb_array *part, size_t j, carrier *out) {
  static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double *ends = part[SEGMENT].values + 2 * j, *rest = part[REST_FRAME].values + 4 * j;
  size_t a = (size_t)ends[0], b = (size_t)ends[1];
  double back[4] = {rest[0], -rest[1], -rest[2], -rest[3]}, turn[4];
  double scale = (part[SCALE].values[a] + part[SCALE].values[b]) / 2;
  vb_quaternion_multiply(part[FRAME].values + 4 * j, back, turn);
  for (int k = 0; k < 3; k++) {
    vb_quaternion_rotate(turn, UNIT[k], out->axes[k]);
    for (int c = 0; c < 3; c++)
      out->axes[k][c] *= scale;
    out->middle[k] = (part[POSITION].values[3 * a + k] + part[POSITION].values[3 * b + k]) / 2;
    out->rest[k] =
        (part[REST_POSITION].values[3 * a + k] + part[REST_POSITION].values[3 * b + k]) / 2;
  }
}

static void carry(const carrier *c, double weight, const double x[3], double out[3]) {
  double arm[3];
  vb_subtract(x, c->rest, arm);
  vb_add_scaled(out, weight, c->middle, out);
  for (int k = 0; k < 3; k++)
    vb_add_scaled(out, weight * arm[k], c->axes[k], out);
}

/// Whether all parts have the extents that they claim to have together.
static bool fit(const vb_array *part) {
  size_t vertices = part[REST_VERTEX].n, segments = part[SEGMENT].n, nodes = part[REST_POSITION].n;
  bool good = true;
  for (int i = 0; i < N_PARTS; i++)
    good = good && (PARTS[i].width == 0 || part[i].n == 0 || part[i].width == PARTS[i].width);
  return good && part[FOLLOWED].n == vertices && part[WEIGHT].n == vertices &&
         part[FOLLOWED].width == part[WEIGHT].width && part[REST_FRAME].n == segments &&
         part[FRAME].n == segments && part[POSITION].n == nodes && part[SCALE].n == nodes &&
         vb_array_holds_indexes(&part[SEGMENT], 0, nodes) &&
         vb_array_holds_indexes(&part[FOLLOWED], -1, segments);
}

static vb_status blend(const vb_array *part, vb_array *out, vb_error *error) {
  size_t n = part[REST_VERTEX].n, width = part[WEIGHT].width;
  carrier *carriers = reallocarray(NULL, part[SEGMENT].n + 1, sizeof *carriers);
  double *x = calloc(3 * n + 1, sizeof *x);
  if (!carriers || !x) {
    free(carriers);
    free(x);
    return vb_error_memory(error);
  }
  for (size_t j = 0; j < part[SEGMENT].n; j++)
    place_carrier(part, j, &carriers[j]);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < width; k++) {
      double j = part[FOLLOWED].values[width * i + k];
      if (j >= 0)
        carry(&carriers[(size_t)j], part[WEIGHT].values[width * i + k],
              part[REST_VERTEX].values + 3 * i, x + 3 * i);
    }
  free(carriers);
  *out = (vb_array){.n = n, .width = 3, .values = x, .unit = "m"};
  return VB_OK;
}

vb_status vb_skin_vertices(vb_run_location place, int64_t frame, vb_array *out, vb_error *error) {
  vb_array part[N_PARTS] = {0};
  vb_status status = VB_OK;
  for (int i = 0; !status && i < N_PARTS; i++)
    status =
        vb_run_array(place, PARTS[i].dataset, i < POSITION ? VB_NO_FRAME : frame, &part[i], error);
  if (!status && !fit(part))
    status = vb_bad_input(error, "%s: the weights of its skin do not fit its segments", place.path);
  if (!status)
    status = blend(part, out, error);
  for (int i = 0; i < N_PARTS; i++)
    vb_array_free(&part[i]);
  return status;
}
