// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/cube_sheets.h"

#include <stdbool.h>

/// Joins two edges of one sheet.
static void join(int sheet[12], int e, int f) {
  int from = sheet[e], to = sheet[f];
  for (int i = 0; i < 12; i++)
    if (sheet[i] == from)
      sheet[i] = to;
}

int vb_cube_sheets(int inside, int sheet[12]) {
  int number[12] = {0}, n = 0;
  for (int e = 0; e < 12; e++)
    sheet[e] = e;
  for (int face = 0; face < 6; face++) {
    int a = face / 2, side = face % 2, b = (a + 1) % 3, c = (a + 2) % 3;
    int corner[4] = {vb_cube_corner(a, side, 0, 0), vb_cube_corner(a, side, 1, 0),
                     vb_cube_corner(a, side, 1, 1), vb_cube_corner(a, side, 0, 1)};
    int edge[4] = {4 * b + side, 4 * c + 2 * side + 1, 4 * b + 2 + side, 4 * c + 2 * side};
    for (int i = 0; i < 4; i++) { // around each run of inside corners
      int end = i;
      if (!(inside >> corner[i] & 1) || (inside >> corner[(i + 3) % 4] & 1))
        continue;
      while (inside >> corner[(end + 1) % 4] & 1)
        end++;
      join(sheet, edge[(i + 3) % 4], edge[end % 4]);
    }
  }
  for (int e = 0; e < 12; e++) {
    int a = e / 4, p = e / 2 % 2, q = e % 2;
    bool crossed =
        (inside >> vb_cube_corner(a, 0, p, q) & 1) != (inside >> vb_cube_corner(a, 1, p, q) & 1);
    if (crossed && sheet[e] == e) // the first of a sheet's edges may bear another's number
      number[e] = n++;
    sheet[e] = crossed ? sheet[e] : -1;
  }
  for (int e = 0; e < 12; e++)
    sheet[e] = sheet[e] < 0 ? -1 : number[sheet[e]];
  return n;
}
