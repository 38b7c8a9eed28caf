# SPDX-License-Identifier: GPL-3.0-or-later
# Newton step and residual of each run over its distance to the minimizer of the step.
#
#: values runs/* frames/position[frame=-1] newton_step residual

methods = "direct xpbd block-descent jacobi-published"

# Names are LOAD.STEP.METHOD.ITERATIONS or LOAD.STEP.reference; a step may have a point itself.
method_of(r) = (sum [m=1:4] (strstrt(r, "." . word(methods, m) . ".") > 0 ? m : 0))
start_of(r) = r[1:strstrt(r, "." . word(methods, method_of(r)) . ".") - 1]
nodes_of(r) = names(r, "frames/position[frame=-1]")
last_of_series(r, path) = real(word(names(r, path), words(names(r, path))))
square(p, q, i) = sum [k=0:2] ((real(word(p, i + k)) - real(word(q, i + k)))**2)

# Blocks by method: distance, Newton step, residual.
set print $truth
do for [m=1:4] {
  do for [i=1:n_runs] {
    if (method_of(run(i)) == m) {
      p = nodes_of(run(i))
      q = nodes_of(start_of(run(i)) . ".reference")
      most = 0
      do for [j=1:words(p):3] { most = square(p, q, j) > most ? square(p, q, j) : most }
      print sprintf("%.9g %.9g %.9g", sqrt(most), last_of_series(run(i), "newton_step"), \
                    last_of_series(run(i), "residual"))
    }
  }
  print ""; print ""
}
unset print

eval canvas(1100, 560)
set multiplot
set logscale xy
set format xy "10^{%T}"
set xrange [1e-15:3]
set xtics 1e-14, 100
set ytics 1e-14, 100
set xlabel "distance to the minimizer [m]"
shown(x) = x > 2e-15 ? x : 2e-15
do for [panel=1:2] {
  eval panel(panel == 1 ? 0.075 : 0.575, panel == 1 ? 0.49 : 0.99, 0.14, 0.83)
  set title fold(panel == 1 ? "(a) Newton step; dashed: above, no measure" : "(b) residual")
  set ylabel (panel == 1 ? "Newton step [m]" : "residual [1]")
  set yrange [1e-15:(panel == 1 ? 30 : 3)]
  if (panel == 1) {
    eval key_at(0.5, 0.985, "center top maxrows 1", "")
    plot x > 1e-2 ? NaN : 2 * x with lines lc rgb "#999999" lw 1 notitle, \
         x > 1e-2 ? NaN : 0.5 * x with lines lc rgb "#999999" lw 1 title "a factor of 2", \
         1e-2 with lines lc rgb "#999999" lw 1 dt (6,6) notitle, \
         for [m=1:4] $truth index m - 1 using (shown($1)):(shown($2)) with points ls m title word(methods, m)
  } else {
    unset key
    plot for [m=1:4] $truth index m - 1 using (shown($1)):(shown($3)) with points ls m title word(methods, m)
  }
  unset label 1000
}
unset multiplot
