# SPDX-License-Identifier: GPL-3.0-or-later
# A bar that is pressed together: how direct converges in the step in which it buckles, and in later ones.
#
#: series runs/* convergence/residual
#: values runs/* frames/time
#: frame runs/* -1 frames/position

least = 1e-17
or_least(value) = value > least ? value : least

eval canvas(800, 480)
set multiplot

eval panel(0.12, 0.64, 0.16, 0.88)
set title fold("(a) the residual in a step")
set logscale y
set format y "10^{%T}"
set xlabel "iterations"
set ylabel "residual [1]"
set xrange [0.5:20.5]
set yrange [least / 3:10]
set ytics 1e-16, 1e4
set key inside right top
plot 1e-8 ls 9 title "1e-8", \
  for [k=1:n_runs] series(run(k), "convergence/residual") \
    using 1:(or_least($2)) with linespoints ls k title run(k)
unset logscale

eval panel(0.77, 0.97, 0.16, 0.88)
set title fold("(b) the bar after it")
set format y "%g"
set xlabel "x [m]"
set ylabel "z [m]"
set size ratio -1
set autoscale
set xtics 0.1
set ytics 0.2
unset key
plot for [k=1:n_runs] frame(run(k), "frames/position", -1) using 2:4 with lines ls k
unset multiplot
