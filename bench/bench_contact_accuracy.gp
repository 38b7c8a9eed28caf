# SPDX-License-Identifier: GPL-3.0-or-later
# The residual of one step of a heap over its wall time, with more and more iterations: a panel for each method, a curve
# for each number of substeps; and Newton's method in contact in whole steps, where it was asked for.
#
#: series bench/* accuracy/wall_time accuracy/residual
#: values bench/* accuracy/wall_time

eval canvas(1300, 520)
methods = "block-descent xpbd direct"
substeps = "1 4 16"
newton = "newton-double.s1"
ladder(c) = series(c, "accuracy/wall_time accuracy/residual")
has_run(name) = place_of(name, runs) > 0
case_of(m, k) = word(methods, m) . "-double.s" . word(substeps, k)
curve(m, k) = k < 4 ? case_of(m, k) : newton
# What lies below is rounding; residuals there are recorded as 0.
or_least(value) = value > 1e-9 ? value : 1e-9

set multiplot
set logscale xy
set format x "%g"
set format y "10^{%T}"
set xlabel "wall time of the step [ms]"
set yrange [1e-6:2]
do for [m=1:3] {
  eval panel(0.06 + 0.32 * (m - 1), 0.32 + 0.32 * (m - 1), 0.13, 0.78)
  set title fold(sprintf("(%s) %s", word("a b c", m), word(methods, m)))
  set ylabel (m == 1 ? "residual [1]" : "")
  set arrow 1 from graph 0, first 1e-2 to graph 1, first 1e-2 nohead lc rgb WALL dt 3
  set arrow 2 from graph 0, first 1e-4 to graph 1, first 1e-4 nohead lc rgb WALL dt 3
  if (m == 1) { eval key_at(0.5, 0.98, "center top maxrows 2", "width 0") } else { unset key }
  list = ""
  do for [k=1:3] { list = has_run(case_of(m, k)) ? list . " " . k : list }
  if (has_run(newton)) { list = list . " 4" }
  plot for [k in list] ladder(curve(m, int(k))) using (1e3 * $2):(or_least($3)) with linespoints ls int(k) \
    title (int(k) == 1 ? "one substep" : int(k) < 4 ? word(substeps, int(k)) . " substeps" : "Newton's method in contact, one substep")
}
unset multiplot
