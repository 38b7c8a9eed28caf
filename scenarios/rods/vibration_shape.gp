# SPDX-License-Identifier: GPL-3.0-or-later
# The rods half a period after their start, what happens to them magnified so that it shows.
#
#: values runs/* topology/rest_radius topology/rest_length gates/reference scenario/step
#: frame runs/* all topology/rest_position frames/position frames/scale
#: frame runs/twist-* all frames/frame

# Runs are named BRANCH-MODE, where MODE counts the half waves on the rod.
branches = "acoustic optical twist"
dash(r) = strstrt(r, "-")
is_of(r, b) = r[1:dash(r) - 1] eq word(branches, b)
mode_of(r) = r[dash(r) + 1:*]

# The j-th run of branch b, looked for from the i-th run on; 0 where there is none.
find(b, j, i) = i > n_runs ? 0 \
  : is_of(run(i), b) ? (j == 1 ? i : find(b, j - 1, i + 1)) : find(b, j, i + 1)
n_rows(b, j) = find(b, j, 1) ? n_rows(b, j + 1) : j - 1
most = n_rows(1, 1)
do for [b=2:3] { most = n_rows(b, 1) > most ? n_rows(b, 1) : most }

radius = number(run(1), "topology/rest_radius", 0, 0)
n_segments = rows(run(1), "topology/rest_length")
l = number(run(1), "topology/rest_length", 0, 0)
# All steps are the same part of their mode's period.
half_period = floor(pi / (number(run(1), "gates/reference", 0, 0) \
  * number(run(1), "scenario/step", 0, 0)) + 0.5)

# One factor for displacements and changes of scale, another for angles; rods stand in rows.
magnified = 4e6
turned = 8e6
row(j) = -4 * radius * (j - 1)
z_now(rest, now) = rest + magnified * (now - rest)
r_now(scale) = radius * (1 + magnified * (scale - 1))
# Columns 2 to 4 are the place at rest, 5 to 7 the place now, 8 is the scale.
both(r) = frame(r, "topology/rest_position frames/position frames/scale", half_period)

# Height of a line along the wall that was straight at rest, where it is in front.
n_lines = 12
turn(q, k) = turned * 2 * asin(q) + 2 * pi * k / n_lines
wall(q, k) = cos(turn(q, k)) < 0 ? NaN : radius * sin(turn(q, k))

x_span = (n_segments + 2) * l
y_span = 4 * radius * most
height = 145 + 900 * 0.27 * y_span / x_span
eval canvas(900, height)
set multiplot
set size ratio -1
set xlabel "z [m]"
set xrange [-l:(n_segments + 1) * l]
set xtics 0.5
set yrange [row(most) - 2 * radius:2 * radius]
set grid noytics
unset key
left(b) = 0.08 + 0.315 * (b - 1)

do for [b=1:3] {
  set ytics () nomirror
  do for [j=1:n_rows(b, 1)] { set ytics add (mode_of(run(find(b, j, 1))) row(j)) }
  eval panel(left(b), left(b) + 0.27, 95.0 / height, 1 - 50.0 / height)
  if (b == 1) { set ylabel "mode" } else { unset ylabel }
  set title fold(sprintf("(%s) %s, × %g·10^6", word("a b c", b), word(branches, b), \
    (b == 3 ? turned : magnified) / 1e6))
  if (b < 3) {
    plot for [j=1:n_rows(b, 1)] both(run(find(b, j, 1))) \
        using (z_now($4, $7)):(row(j) - r_now($8)):(row(j) + r_now($8)) \
        with filledcurves fc rgb FILL, \
      for [j=1:n_rows(b, 1)] for [side=-1:1:2] both(run(find(b, j, 1))) \
        using (z_now($4, $7)):(row(j) + side * r_now($8)) with lines lc rgb WALL lw 1.2, \
      for [j=1:n_rows(b, 1)] both(run(find(b, j, 1))) \
        using (z_now($4, $7)):(row(j) - r_now($8)):(0):(2 * r_now($8)) \
        with vectors nohead lc rgb WALL lw 0.4
  } else {
    plot for [j=1:n_rows(b, 1)] both(run(find(b, j, 1))) \
        using 4:(row(j) - radius):(row(j) + radius) with filledcurves fc rgb FILL, \
      for [j=1:n_rows(b, 1)] for [side=-1:1:2] both(run(find(b, j, 1))) \
        using 4:(row(j) + side * radius) with lines lc rgb WALL lw 1.2, \
      for [j=1:n_rows(b, 1)] for [k=1:n_lines] \
        frame(run(find(b, j, 1)), "frames/frame", half_period) \
        using (l * ($1 + 0.5)):(row(j) + wall($5, k)) with lines lc rgb WALL lw 0.8
  }
  unset label 1000
}
unset multiplot
