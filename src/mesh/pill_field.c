// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/pill_surface.h"
#include "scene/rotation.h"

#include <assert.h>

double vb_pill_field(const vb_pill_surface *s, const double x[3], double gradient[3]) {
  double least = INFINITY, sum = 0, normals[3] = {0};
  assert(s->n_pills > 0);
  for (size_t i = 0; i < s->n_pills; i++) {
    double normal[3], place, d = vb_pill_distance(&s->pill[i], x, normal, &place) / s->blend;
    // Sums are relative to the least distance so far, and rescaled where a lesser one comes.
    double old = d < least ? exp(d - least) : 1, weight = d < least ? 1 : exp(least - d);
    least = d < least ? d : least;
    sum = old * sum + weight;
    for (int k = 0; k < 3; k++)
      normals[k] = old * normals[k] + weight * normal[k];
  }
  for (int k = 0; k < 3; k++)
    gradient[k] = normals[k] / sum;
  double agreement = vb_dot(gradient, gradient);
  agreement *= agreement;
  return s->blend * (least - (1 - agreement * agreement) * log(sum));
}
