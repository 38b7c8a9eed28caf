# SPDX-License-Identifier: GPL-3.0-or-later
# How each method converges with its iterations, and with time, after an instant two-fold stretch.
#
#: values runs/direct-* convergence/energy/total
#: series runs/* convergence/residual
#: series runs/* convergence/wall_time convergence/residual
#: series runs/* convergence/wall_time convergence/energy/total

# Styles are of methods, as in all figures; jacobi-published, the paper's, is listed first.
methods = "jacobi-published xpbd block-descent direct"
style_of(m) = int(word("4 2 3 1", int(m)))
cases = "all end both"
case_name(c) = part_of("all nodes moved,|one end moved,|both ends moved", c) . \
  part_of("\nthe sections follow|\nthe bar follows|\n(figure 14)", c)
run_of(m, c) = word(methods, int(m)) . "-" . word(cases, c)
methods_of(c) = c < 3 ? "1 2 3 4" : "1 2 4" # block-descent runs away where both ends jump
over_time(m, c, path) = series(run_of(m, c), "convergence/wall_time convergence/" . path)

# What lies below is rounding; residuals there are recorded as 0.
least = 1e-16
or_least(value) = value > least ? value : least
rounding = sprintf("set object 1 rectangle from graph 0, graph 0 to graph 1, first %g behind " \
  . "fs solid noborder fc rgb '#EAEAEA'; set label 1 'rounding' at graph 0.98, first %g right", \
  5 * least, least / 30)

# What the total energy converges to: direct's, after its last iteration.
array limit[3]
do for [c=1:3] { limit[c] = number(run_of(4, c), "convergence/energy/total", -1, 0) }

eval canvas(1000, 1000)
set multiplot
set logscale xy
set format y "10^{%T}"
set xtics 10
set mxtics 1
set mytics 1
set yrange [1e-19:1e4]
set ytics 1e-16, 1e4
bottom(row) = real(word("0.665 0.355 0.075", row))
place(c, row) = panel(0.09 + 0.305 * (c - 1), 0.375 + 0.305 * (c - 1), bottom(row), bottom(row) + 0.225)
named(c, text) = c == 1 ? text : ""

do for [c=1:3] {
  if (c > 1) { set format y "" }
  eval place(c, 1)
  eval rounding
  set xrange [0.8:1250]
  set format x "10^{%T}"
  set title fold(case_name(c))
  set ylabel named(c, "residual [1]")
  set xlabel "iterations"
  if (c == 1) { eval key_at(0.535, 0.975, "center center vertical maxrows 1", "samplen 3") }
  plot for [m in methods_of(c)] series(run_of(m, c), "convergence/residual") \
    using 1:(or_least($2)) with linespoints ls style_of(m) title word(methods, int(m))
  unset title
  unset key
  unset label 1000

  # Each count of iterations was timed on its own, so the times need not grow: points, no lines.
  set xrange [2e-5:0.3]
  eval place(c, 2)
  set xlabel "wall time [s]"
  plot for [m in methods_of(c)] over_time(m, c, "residual") using 2:(or_least($3)) with points ls style_of(m)
  eval place(c, 3)
  set ylabel named(c, "|E_{total} / E_{limit} − 1| [1]")
  plot for [m in methods_of(c)] over_time(m, c, "energy/total") \
    using 2:(or_least(abs($3 / limit[c] - 1))) with points ls style_of(m)
  unset label 1
  unset object
}
unset multiplot
