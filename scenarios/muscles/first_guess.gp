# SPDX-License-Identifier: GPL-3.0-or-later
# How the residual of one step falls with its iterations: from where two bones take the nodes, and from where they drift; in a body at
# rest, and in motion.
#
#: series runs/* convergence/residual

methods = "direct block-descent"
follows = "yes no"
after = "0 10"
run_of(m, f, a) = word(methods, m) . "-" . word(follows, f) . "-after" . word(after, a)
title_of(m, f) = word(methods, m) . part_of(", from where bones take nodes|, from where nodes drift", f)

# What lies below is rounding; residuals there are recorded as 0.
least = 1e-17
or_least(value) = value > least ? value : least

eval canvas(1000, 560)
set multiplot
set object 1 rectangle from graph 0, graph 0 to graph 1, first 5e-17 behind fs solid noborder fc rgb "#EAEAEA"
set label 1 "rounding" at graph 0.03, first 1.2e-17
set logscale xy
set xrange [0.8:640]
set yrange [1e-18:10]
set format x "10^{%T}"
set format y "10^{%T}"
set xtics 10
set ytics 1e-16, 1e4
set mxtics 1
set mytics 1
set xlabel "iterations"
do for [a=1:2] {
  eval panel(0.09 + 0.48 * (a - 1), 0.50 + 0.48 * (a - 1), 0.29, 0.90)
  set title fold(part_of("(a) the first step, from rest|(b) after ten steps, in motion", a))
  if (a == 1) {
    set ylabel "residual [1]"
    eval key_at(0.5, 0.125, "center center vertical maxrows 2", "samplen 3")
  } else { unset ylabel; set format y ""; unset key }
  plot for [m=1:2] for [f=1:2] series(run_of(m, f, a), "convergence/residual") \
    using 1:(or_least($2)) with linespoints ls (m == 1 ? 1 : 3) dt f pt 7 ps 0.5 title title_of(m, f)
}
unset multiplot
