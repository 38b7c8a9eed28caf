# SPDX-License-Identifier: GPL-3.0-or-later
# The deformed helix seen along two axes, and how fast its energies converge.
#
#: values runs/* topology/rest_length energy/*
#: series runs/* topology/rest_position
#: frame runs/* 0 frames/position
#: outline runs/* 0 xz
#: outline runs/* 0 xy

# Nothing moves or has weight here.
terms = ""
do for [path in paths_of(run(1), "values energy/")] {
  if (path ne "energy/total" && number(run(1), path, 0, 0) != 0) { terms = terms . path[8:*] . " " }
}
n_terms = words(terms)
n_of(r) = rows(r, "topology/rest_length")

# Runs of growing resolution, and one that is stored backwards and has the size of one of them.
n_sizes = 0
array Size[n_runs]
do for [i=1:n_runs] {
  Size[i] = n_of(run(i))
  if (strstrt(run(i), "reversed")) { backwards = i } else { n_sizes = i }
}
energy(i, k) = number(run(i), "energy/" . word(terms, k), 0, 0)

# Differences of successive resolutions, relative to the energy of the finest: n, then the terms.
difference(i, finer, k) = abs((energy(i, k) - energy(finer, k)) / energy(n_sizes, k))
differences(i, finer, k) = k > n_terms ? "" \
  : sprintf("%.17g ", difference(i, finer, k)) . differences(i, finer, k + 1)
set print $differences
do for [i=1:n_sizes - 1] { print Size[i], " ", differences(i, i + 1, 1) }
unset print
set print $backwards
do for [i=1:n_sizes - 1] {
  if (Size[i] == Size[backwards]) { print Size[i], " ", differences(backwards, i + 1, 1) }
}
unset print

eval canvas(900, 900)
set multiplot
fine = run(n_sizes)
center = frame(fine, "frames/position", 0)
rest = series(fine, "topology/rest_position")

# Thick lines around all segments, their fill on top: what stays of the lines is the rod's outline.
set size ratio -1
set xlabel "x [m]"
set xrange [-0.75:0.75]
set tics 0.5
unset key
eval panel(0.09, 0.40, 0.61, 0.94)
set title fold("(a) from the side")
set ylabel "z [m]"
set yrange [-0.15:1.45]
plot outline(fine, 0, "xz") with lines lc rgb WALL lw 2.4, \
  outline(fine, 0, "xz") with filledcurves closed fc rgb FILL fs solid, \
  rest using 2:4 with lines ls 3, \
  center using 2:4 with lines ls 1
unset label 1000

eval panel(0.51, 0.82, 0.61, 0.94)
set title fold("(b) from above")
set ylabel "y [m]"
set yrange [-0.8:0.8]
eval key_at(0.985, 0.80, "right center", "reverse Left")
plot outline(fine, 0, "xy") with lines lc rgb WALL lw 2.4 notitle, \
  outline(fine, 0, "xy") with filledcurves closed fc rgb FILL fs solid title "rod", \
  rest using 2:3 with lines ls 3 title "at rest", \
  center using 2:3 with lines ls 1 title "deformed"

eval panel(0.09, 0.73, 0.10, 0.47)
set size noratio
set title fold("(c) energy terms U of successive resolutions")
set logscale xy
set format y "10^{%T}"
set ytics autofreq
set xlabel "segments n"
set ylabel "|U_{n} − U_{2n}| / U_{finest}"
set xrange [Size[1] / 1.3:Size[n_sizes - 1] * 1.3]
set xtics Size[1], 2
set mxtics 1
set autoscale y
eval key_at(0.985, 0.285, "right center", "")
least = 1
do for [k=1:n_terms] { least = difference(1, 2, k) < least ? difference(1, 2, k) : least }
plot least / 3 * (Size[1] / x)**2 ls 9 title "second order", \
  for [k=1:n_terms] $differences using 1:k+1 with linespoints ls k title word(terms, k) noenhanced, \
  for [k=1:n_terms] $backwards using 1:k+1 with points pt 6 ps 2 lw 1.2 lc rgb "#000000" \
    title k == 1 ? "stored backwards" : ""
unset multiplot
