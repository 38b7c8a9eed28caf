// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/outline.h"

#include <math.h>

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
