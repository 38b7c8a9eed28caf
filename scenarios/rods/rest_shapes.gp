# SPDX-License-Identifier: GPL-3.0-or-later
# Two rods that are bent at rest and turned by a couple, the helix, and the errors of the tips.
#
#: values runs/n* topology/rest_length gates/value gates/reference gates/tolerance
#: frame runs/* -1 frames/position
#: outline_of runs/last:n* -1 xz
#: outline_of runs/last:n* -1 yz
#: outline runs/helix -1 xz

# Runs of growing resolution, and the helix behind them.
sizes = 0
do for [i=1:n_runs] { if (run(i) ne "helix") { sizes = i } }
coarse = run(1)
fine = run(sizes)
n_of(r) = rows(r, "topology/rest_length") / 2

# Gates of a bent run: those of the tip of the soft rod (x, z) and of the stiff one (y, z) under all of the couple.
found(r, k) = number(r, "gates/value", k, 0)
wanted(r, k) = number(r, "gates/reference", k, 0)
larger(a, b) = a > b ? a : b
seen(x) = larger(abs(x), 1e-15)
set print $tips
do for [i=1:sizes] {
  print sprintf("%d %.17g %.17g %.17g", n_of(run(i)), \
    seen(larger(abs(found(run(i), 2) - wanted(run(i), 2)), abs(found(run(i), 3) - wanted(run(i), 3)))), \
    seen(larger(abs(found(run(i), 6) - wanted(run(i), 6)), abs(found(run(i), 7) - wanted(run(i), 7)))), \
    i < sizes ? abs(found(run(i), 2) - found(run(i + 1), 2)) : NaN)
}
unset print
first = abs(found(run(1), 2) - found(run(2), 2))
tolerance = number(fine, "gates/tolerance", 2, 0)

eval canvas(900, 850)
set multiplot
set size ratio -1
set xlabel "x [m]"
set xtics 0.2
set ylabel "z [m]"
set key inside right bottom reverse Left

eval panel(0.09, 0.36, 0.52, 0.93)
set title fold("(a) soft about its axis v")
set xrange [-0.1:0.85]
set yrange [-0.05:1.45]
set key at graph 0.97, graph 0.98 right top samplen 2 font letters_9
plot outline_of(fine, -1, "xz", 0) with filledcurves closed fc rgb FILL fs solid notitle, \
  frame(fine, "frames/position", -1) using ($1 <= n_of(fine) ? $2 : NaN):4 with lines ls 1 lw 1 \
    title sprintf("%d segments", n_of(fine)), \
  frame(coarse, "frames/position", -1) using ($1 <= n_of(coarse) ? $2 : NaN):4 with points ls 2 \
    title sprintf("%d segments", n_of(coarse)), \
  "+" using (wanted(coarse, 2)):(wanted(coarse, 3)) every ::0::0 with points pt 6 ps 1.8 lc rgb "#D55E00" \
    title "tip, closed form"
unset label 1000

eval panel(0.40, 0.66, 0.52, 0.93)
set title fold("(b) stiff about its axis u")
set xlabel "y [m]"
unset ylabel
set xrange [-0.45:0.45]
plot outline_of(fine, -1, "yz", 1) with filledcurves closed fc rgb FILL fs solid notitle, \
  frame(fine, "frames/position", -1) using ($1 > n_of(fine) ? $3 : NaN):4 with lines ls 1 lw 1 \
    title sprintf("%d segments", n_of(fine)), \
  frame(coarse, "frames/position", -1) using ($1 > n_of(coarse) ? $3 : NaN):4 with points ls 2 \
    title sprintf("%d segments", n_of(coarse)), \
  "+" using (wanted(coarse, 6)):(wanted(coarse, 7)) every ::0::0 with points pt 6 ps 1.8 lc rgb "#D55E00" \
    title "tip, closed form"

eval panel(0.71, 0.97, 0.52, 0.93)
set title fold("(c) wound to a helix")
set xlabel "x [m]"
set xtics 0.2
unset key
set xrange [-0.45:0.45]
plot outline("helix", -1, "xz") with lines lc rgb WALL lw 2.4, \
  outline("helix", -1, "xz") with filledcurves closed fc rgb FILL fs solid, \
  frame("helix", "frames/position", -1) using 2:4 with lines ls 1 lw 1

set size noratio
set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set xrange [n_of(coarse) / 1.3:n_of(fine) * 1.3]
set xtics n_of(coarse), 2
set mxtics 1
set key inside right top reverse Left samplen 3 font letters_11

eval panel(0.09, 0.47, 0.09, 0.40)
set title fold("(d) tip, to the next resolution")
set ylabel "change of x [m]"
set yrange [first * n_of(coarse) / n_of(fine) / 2:3 * first]
plot first * n_of(coarse) / x ls 9 title "first order", $tips using 1:4 with points ls 1 title "soft rod"

eval panel(0.59, 0.97, 0.09, 0.40)
set title fold("(e) tips against the exact discrete answers")
set ylabel "distance [m]"
set yrange [1e-16:larger(1e4 * tolerance, 1e-6)]
plot tolerance ls 9 title "tolerance", $tips using 1:2 with points ls 1 title "soft rod", \
  $tips using 1:3 with points ls 2 title "stiff rod"
unset multiplot
