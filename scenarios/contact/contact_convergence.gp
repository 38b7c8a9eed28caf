# SPDX-License-Identifier: GPL-3.0-or-later
# One step of a stack and of a heap from the same state, over iterations and over wall time: four methods in 4
# substeps, and block-descent in one and in 16.
#
#: values runs/* convergence/residual convergence/complementarity convergence/wall_time

eval canvas(1300, 860)
methods = "direct xpbd block-descent jacobi-published substeps1 substeps16"
piles = "stack heap"
name_of(p, m) = word(piles, p) . "-" . word(methods, m)
quantity(q) = q == 1 ? "convergence/residual" : "convergence/complementarity"

# Blocks of sweeps, the quantity and the time, by quantity, pile and method.
set print $points
do for [q=1:2] {
  do for [p=1:2] {
    do for [m=1:6] {
      do for [k=0:rows(name_of(p, m), "convergence/residual") - 1] {
        print 5 * 2**k, number(name_of(p, m), quantity(q), k, 0), number(name_of(p, m), "convergence/wall_time", k, 0)
      }
      print ""; print ""
    }
  }
}
unset print

set multiplot
set logscale xy
set format y "10^{%T}"
left(c) = 0.065 + 0.32 * (c - 1)
do for [q=1:2] {
  do for [c=1:3] {
    p = c == 1 ? 1 : 2
    eval panel(left(c), left(c) + 0.26, q == 1 ? 0.56 : 0.08, q == 1 ? 0.88 : 0.4)
    set title fold(sprintf("(%s) %s", word("a b c d e f", 3 * (q - 1) + c), c == 1 ? "a stack of ten rings" : "a heap of four octopuses"))
    set xlabel (c < 3 ? "iterations in a substep" : "wall time of the step [s]")
    if (c < 3) { set xrange [4:200]; set format x "%g" } else { set xrange [1e-4:1]; set format x "10^{%T}" }
    set ylabel (q == 1 ? "residual [1]" : "complementarity [m]")
    if (q == 1) { set yrange [1e-7:3] } else { set yrange [1e-8:0.3] }
    if (q == 1 && c == 1) { eval key_at(0.5, 0.985, "center top maxrows 2", "width -1") } else { unset key }
    plot for [m=1:6] $points index 12 * (q - 1) + 6 * (p - 1) + m - 1 using (c < 3 ? $1 : $3):($2 > 1e-12 ? $2 : NaN) \
      with linespoints ls m title (m < 5 ? word(methods, m) : m == 5 ? "one substep" : "16 substeps")
  }
}
unset multiplot
