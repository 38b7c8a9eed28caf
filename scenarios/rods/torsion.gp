# SPDX-License-Identifier: GPL-3.0-or-later
# The twisted bar, and the error of its torque against the continuum and the exact discrete answer.
#
#: values runs/* topology/rest_length gates/value gates/reference gates/tolerance
#: values runs/last:* topology/rest_position topology/rest_radius topology/stiffness frames/frame[frame=-1]
#: frame runs/* -1 frames/frame
#: outline runs/last:* -1 zx

coarse = run(1)
fine = run(n_runs)
n_of(r) = rows(r, "topology/rest_length")

# The continuum: held scales, and one end turned by all of the angle.
L = number(fine, "topology/rest_position", -1, 2)
radius = number(fine, "topology/rest_radius", 0, 0)
across = number(fine, "topology/stiffness", 0, 0) + number(fine, "topology/stiffness", 0, 1)
stiffness = across * pi * radius**4 / 4
frame_angle(i) = 2 * atan2(number(fine, "frames/frame[frame=-1]", i, 3), \
  number(fine, "frames/frame[frame=-1]", i, 0))
held = frame_angle(0)
turned(w, z) = 2 * atan2(z, w) - held
angle = frame_angle(-1) - held
torque = stiffness * angle / L

larger(a, b) = a > b ? a : b
worst = 0
worst_exact = 0
set print $torques
do for [i=1:n_runs] {
  value = number(run(i), "gates/value", 0, 0)
  error = abs(value / torque - 1)
  error_exact = abs(value / number(run(i), "gates/reference", 0, 0) - 1)
  worst = larger(worst, error)
  worst_exact = larger(worst_exact, error_exact)
  print sprintf("%d %.17g %.17g %.17g", n_of(run(i)), value, error, error_exact)
}
unset print
tolerance = number(fine, "gates/tolerance", 0, 0)
n_first = n_of(coarse)
n_last = n_of(fine)
first_error = abs(number(coarse, "gates/value", 0, 0) / torque - 1)

eval canvas(900, 1050)
set multiplot

# Lines along the wall show the twist; those behind are left out.
eval panel(0.10, 0.97, 0.82, 0.94)
set title fold(sprintf("(a) the bar of %d segments, with lines that were straight at rest", n_last))
set xlabel "z [m]"
set ylabel "x [m]"
set size ratio -1
set xrange [-0.08 * L:1.08 * L]
set yrange [-1.5 * radius:1.5 * radius]
set ytics radius
unset key
n_lines = 12
across_at(w, z, k) = cos(turned(w, z) + 2 * pi * k / n_lines) < 0 ? NaN \
  : radius * sin(turned(w, z) + 2 * pi * k / n_lines)
plot outline(fine, -1, "zx") with filledcurves closed fc rgb FILL fs solid, \
  [0:L] radius with lines lc rgb WALL lw 1.2, \
  [0:L] -radius with lines lc rgb WALL lw 1.2, \
  for [k=1:n_lines] frame(fine, "frames/frame", -1) \
    using (L * ($1 + 0.5) / n_last):(across_at($2, $5, k)) with lines lc rgb WALL lw 0.8
unset label 1000
set size noratio
set ytics autofreq

eval panel(0.10, 0.47, 0.45, 0.70)
set title fold("(b) angle of the frames")
set ylabel "angle [rad]"
set xrange [0:L]
set yrange [0:angle * 1.05]
set key inside left top reverse Left
plot angle * x / L ls 9 title "continuum", \
  frame(fine, "frames/frame", -1) using (L * ($1 + 0.5) / n_last):(turned($2, $5)) \
    with lines ls 1 lw 1 title sprintf("%d segments", n_last), \
  frame(coarse, "frames/frame", -1) using (L * ($1 + 0.5) / n_first):(turned($2, $5)) \
    with points ls 1 title sprintf("%d segments", n_first)

set logscale x
set xlabel "segments n"
set xrange [n_first / 1.3:n_last * 1.3]
set xtics n_first, 2
set mxtics 1
set key inside right top reverse Left

eval panel(0.60, 0.97, 0.45, 0.70)
set title fold("(c) torque")
set ylabel "torque [N m]"
set autoscale y
plot torque ls 9 title "continuum", \
  $torques using 1:2 with points ls 1 title "measured"

set logscale y
set format y "10^{%T}"
set ylabel "relative error of the torque"
eval panel(0.10, 0.47, 0.085, 0.34)
set title fold("(d) torque against the continuum")
set yrange [first_error * n_first / n_last / 3:worst * 3]
plot first_error * n_first / x ls 9 title "first order", \
  $torques using 1:3 with points ls 1 title "measured"

eval panel(0.60, 0.97, 0.085, 0.34)
set title fold("(e) torque against the exact discrete answer")
set yrange [1e-16:larger(1e4 * tolerance, 1e4 * worst_exact)]
plot tolerance ls 9 title "tolerance", \
  $torques using 1:($4 > 1e-15 ? $4 : 1e-15) with points ls 1 title "measured"
unset multiplot
