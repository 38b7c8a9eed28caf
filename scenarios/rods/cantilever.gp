# SPDX-License-Identifier: GPL-3.0-or-later
# The bent bar, and the error of its tip against the continuum and the exact discrete answer.
#
#: values runs/* topology/rest_length gates/value gates/reference gates/tolerance
#: values runs/last:* topology/rest_position topology/rest_radius topology/stiffness topology/volume_stiffness
#: values runs/last:* work/tip frames/position[0,0]
#: frame runs/last:* -1 frames/position frames/radius
#: frame runs/* -1 frames/position

coarse = run(1)
fine = run(n_runs)
n_of(r) = rows(r, "topology/rest_length")

# The continuum: a bar clamped at z = 0 that is pushed aside by a force at z = L.
L = number(fine, "topology/rest_position", 0, 2)
radius = number(fine, "topology/rest_radius", 0, 0)
axial = number(fine, "topology/stiffness", 0, 2) + number(fine, "topology/volume_stiffness", 0, 0)
bending = axial * pi * radius**4 / 4
shear = axial * pi * radius**2
force = number(fine, "work/tip", -1, 0) / number(fine, "frames/position[0,0]", -1, 0)
continuum(z) = force * (3 * L * z**2 - z**3) / (6 * bending) + force * z / shear

larger(a, b) = a > b ? a : b
worst = 0
worst_exact = 0
set print $tips
do for [i=1:n_runs] {
  tip = number(run(i), "gates/value", 0, 0)
  error = abs(tip / continuum(L) - 1)
  error_exact = abs(tip / number(run(i), "gates/reference", 0, 0) - 1)
  worst = larger(worst, error)
  worst_exact = larger(worst_exact, error_exact)
  print sprintf("%d %.17g %.17g", n_of(run(i)), error, error_exact)
}
unset print
tolerance = number(fine, "gates/tolerance", 0, 0)
n_first = n_of(coarse)
n_last = n_of(fine)
first_error = abs(number(coarse, "gates/value", 0, 0) / continuum(L) - 1)

eval canvas(900, 800)
set multiplot

# The deflection is magnified so that the bar's shape shows.
magnified = 1000
eval panel(0.09, 0.97, 0.58, 0.94)
set title fold(sprintf("(a) the bar, its deflection magnified %d times", magnified))
set xlabel "distance from the clamp z [m]"
set ylabel sprintf("x [m], deflection × %d", magnified)
set size ratio -1
set xrange [-0.04 * L:1.04 * L]
set object 1 rectangle from graph 0, first -1.6 * radius to 0, 1.6 * radius \
  fs pattern 4 border lc rgb WALL fc rgb WALL
tip = magnified * continuum(L)
set arrow 1 from L, tip + radius to L, tip + 2.4 * radius lc rgb "#000000" lw 1.6 filled
set label 1 "F" at L, tip + 2.4 * radius center offset 0, 0.8
set yrange [-0.1:0.26]
set ytics 0.1
set key at graph 0.02, graph 0.96 left top reverse Left
plot frame(fine, "frames/position frames/radius", -1) \
    using 4:(magnified * $2 - $5):(magnified * $2 + $5) \
    with filledcurves fc rgb FILL title sprintf("bar of %d segments", n_last), \
  for [side=-1:1:2] frame(fine, "frames/position frames/radius", -1) \
    using 4:(magnified * $2 + side * $5) with lines lc rgb WALL lw 1.2 notitle, \
  [0:L] continuum(x) * magnified ls 9 title "continuum, center line", \
  frame(coarse, "frames/position", -1) using 4:(magnified * $2) with points ls 1 \
    title sprintf("nodes of %d segments", n_first)
unset label 1000
unset object 1
unset arrow 1
unset label 1
set size noratio
set ytics autofreq

set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set xrange [n_first / 1.3:n_last * 1.3]
set xtics n_first, 2
set mxtics 1
set key inside right top reverse Left

eval panel(0.09, 0.47, 0.10, 0.46)
set title fold("(b) tip against the continuum")
set ylabel "relative error of the deflection"
set yrange [first_error * n_first / n_last / 3:worst * 3]
plot first_error * n_first / x ls 9 title "first order", \
  $tips using 1:2 with points ls 1 title "measured"

eval panel(0.59, 0.97, 0.10, 0.46)
set title fold("(c) tip against the exact discrete answer")
set yrange [1e-12:larger(100 * tolerance, 1e3 * worst_exact)]
plot tolerance ls 9 title "tolerance", \
  $tips using 1:(abs($3) > 1e-12 ? $3 : 1e-12) with points ls 1 title "measured"
unset multiplot
