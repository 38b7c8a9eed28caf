# SPDX-License-Identifier: GPL-3.0-or-later
# Time of one step to its minimizer by projective dynamics and by Newton's method: how far the tip and the middle of an arm are from
# where the same solver has them in the end, over Poisson's ratios
# (panels) and sizes: small points 960 tetrahedra, large ones 7680.
#
#: values runs/* frames/position[50%,0] frames/position[50%,1] frames/position[50%,2]
#: values runs/* frames/position[100%,0] frames/position[100%,1] frames/position[100%,2]
#: values runs/*.time convergence/wall_time convergence/iteration

solvers = "pd newton"
ratios = "0 0.3 0.45"
length = 1.2
has_run(r) = sum [i=1:n_runs] (run(i) eq r)
place(r, row, c) = number(r, sprintf("frames/position[%s,%d]", row, c), -1, 0)
apart_at(r, e, row) = sqrt(sum [c=0:2] (place(r, row, c) - place(e, row, c))**2)
apart(r, e) = (a = apart_at(r, e, "50%"), b = apart_at(r, e, "100%"), (a > b ? a : b) / length)

# The time of so many iterations, each measured once: no more than that of more of them [ms].
time_of(r, k) = k == int(rows(r, "convergence/wall_time")) ? 1e9 : \
  least(1e3 * number(r, "convergence/wall_time", k, 0), time_of(r, k + 1))
least(a, b) = a < b ? a : b

set print $work
do for [n=1:2] {
  do for [q=1:3] {
    do for [m=1:2] {
      base = sprintf("n%d.nu%s.%s", n, word(ratios, q), word(solvers, m))
      if (has_run(base . ".time")) {
        do for [k=0:int(rows(base . ".time", "convergence/wall_time"))-1] {
          r = sprintf("%s.i%d", base, int(number(base . ".time", "convergence/iteration", k, 0)))
          print sprintf("%g %g", time_of(base . ".time", k), apart(r, base . ".end"))
        }
      } else { print "NaN NaN" }
      print ""; print ""
    }
  }
}
unset print

eval canvas(1000, 460)
set multiplot
set logscale xy
set format y "10^{%T}"
set yrange [1e-9:1]
set xrange [0.1:500]
set xlabel "time [ms]"
do for [q=1:3] {
  eval panel(0.08 + 0.31 * (q - 1), 0.36 + 0.31 * (q - 1), 0.17, 0.83)
  set title fold(sprintf("(%s) ν = %s", "abc"[q:q], word(ratios, q)))
  if (q == 1) { set ylabel "distance from the minimizer / length" } else { unset ylabel; set format y "" }
  if (q == 1) { eval key_at(0.5, 0.97, "center top maxrows 1", "") } else { unset key }
  plot for [n=1:2] for [m=1:2] $work index (6 * (n - 1) + 2 * (q - 1) + m - 1) using 1:($2 > 1e-9 ? $2 : 1e-9) \
    with linespoints ls m pt 7 ps (0.4 + 0.4 * n) title (n == 1 ? (m == 1 ? "projective dynamics" : "Newton") : "")
  unset label 1000
}
unset multiplot
