// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/node_distance.h"

#include <math.h>

static double greatest(const vb_array *a, const vb_array *b) {
  double most = 0;
  for (size_t i = 0; i < a->n; i++) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
      double d = a->values[3 * i + k] - b->values[3 * i + k];
      sum += d * d;
    }
    if (!(sum <= most)) // what is no number, too
      most = sum;
    if (isnan(most))
      break;
  }
  return sqrt(most);
}

vb_status vb_node_distance(vb_run_location a, vb_run_location b, double *out, vb_error *error) {
  vb_array at[2] = {{0}, {0}};
  vb_status status = vb_run_array(a, "run/frames/position", -1, &at[0], error);
  if (!status)
    status = vb_run_array(b, "run/frames/position", -1, &at[1], error);
  if (!status && (at[0].n != at[1].n || at[0].width != 3 || at[1].width != 3))
    status = vb_bad_input(error, "%s has %zu nodes, %s has %zu; they must be the same", a.path,
                          at[0].n, b.path, at[1].n);
  if (!status)
    *out = greatest(&at[0], &at[1]);
  vb_array_free(&at[0]);
  vb_array_free(&at[1]);
  return status;
}
