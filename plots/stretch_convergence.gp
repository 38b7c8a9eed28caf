# SPDX-License-Identifier: GPL-3.0-or-later
# How each method converges with its iterations, and with time, after an instant two-fold stretch.
#
#: values runs/direct-all,direct-end convergence/energy/total
#: series runs/* convergence/residual
#: series runs/* convergence/energy/total
#: series runs/* convergence/energy/stretch
#: series runs/* convergence/energy/volume
#: series runs/* convergence/energy/section
#: series runs/* convergence/energy/kinetic
#: series runs/* convergence/wall_time convergence/residual
#: series runs/* convergence/wall_time convergence/energy/total

methods = "direct xpbd block-descent jacobi-published"
cases = "all end"
case_name(c) = c == 1 ? "all nodes moved, the sections follow" : "one end moved, the bar follows"
run_of(m, c) = word(methods, m) . "-" . word(cases, c)
against_iterations(m, c, path) = series(run_of(m, c), "convergence/" . path)
against_time(m, c, path) = \
  series(run_of(m, c), "convergence/wall_time convergence/" . path)
energies = "total stretch volume section kinetic"
energy_of(e) = "energy/" . word(energies, e)

# What lies below is rounding; residuals there are recorded as 0.
least = 1e-16
or_least(value) = value > least ? value : least
rounding = sprintf("set object 1 rectangle from graph 0, graph 0 to graph 1, first %g behind " \
  . "fs solid noborder fc rgb '#EAEAEA'; set label 1 'rounding' at graph 0.98, first %g right", \
  5 * least, least / 30)

# What the total energy converges to: direct's, after its last iteration.
array limit[2]
do for [c=1:2] { limit[c] = number(run_of(1, c), "convergence/energy/total", -1, 0) }

eval canvas(900, 1150)
set multiplot
set logscale xy
set format y "10^{%T}"
set xtics 10
set mxtics 1
set mytics 1

# Row by row; the left column names the quantities, the lower row of each pair what they are over.
bottom(row) = real(word("0.76 0.57 0.295 0.105", row))
place(c, row) = panel(0.095 + 0.485 * (c - 1), 0.495 + 0.485 * (c - 1), bottom(row), bottom(row) + 0.175)
over(row, text) = row % 2 ? "set format x ''; unset xlabel" \
  : "set format x '10^{%T}'; set xlabel '" . text . "'"
named(c, text) = c == 1 ? text : ""
converging = rounding . "; set yrange [1e-19:1e4]; set ytics 1e-16, 1e4"

do for [c=1:2] {
  set xrange [0.8:1250]
  eval place(c, 1)
  eval over(1, "")
  eval converging
  set title case_name(c) offset 0, 1.5
  set ylabel named(c, "residual [1]")
  set key at screen 0.535, screen 0.9565 center center vertical maxrows 1 title ""
  plot for [m=1:4] against_iterations(m, c, "residual") \
    using 1:(or_least($2)) with linespoints ls m title word(methods, m)
  unset title
  unset label
  unset object

  eval place(c, 2)
  eval over(2, "iterations")
  set ylabel named(c, "energy [J]")
  set yrange [1:3e7]
  set ytics 10, 100
  set key at screen 0.535, screen 0.497 center center vertical maxrows 1 \
    title "lines: direct, points: xpbd" left
  plot for [e=1:words(energies)] against_iterations(1, c, energy_of(e)) with lines ls e notitle, \
    for [e=1:words(energies)] against_iterations(2, c, energy_of(e)) with points ls e notitle, \
    for [e=1:words(energies)] keyentry with linespoints ls e title word(energies, e)

  # Each count of iterations was timed on its own, so the times need not grow: points, no lines.
  unset key
  set xrange [2e-5:0.3]
  eval place(c, 3)
  eval over(3, "")
  eval converging
  set ylabel named(c, "residual [1]")
  plot for [m=1:4] against_time(m, c, "residual") \
    using 2:(or_least($3)) with points ls m

  eval place(c, 4)
  eval over(4, "wall time [s]")
  set ylabel named(c, "|E_{total} / E_{limit} − 1| [1]")
  plot for [m=1:4] against_time(m, c, "energy/total") \
    using 2:(or_least(abs($3 / limit[c] - 1))) with points ls m
  unset label
  unset object
}
unset multiplot
