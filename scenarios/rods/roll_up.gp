# SPDX-License-Identifier: GPL-3.0-or-later
# The rod as a couple rolls it up, by one turn and by two, and how far its end is from where a circle's is.
#
#: values runs/n* topology/rest_length gates/value gates/reference
#: values runs/one topology/rest_position
#: frame runs/one,two spread=6 frames/position

# The rod lies in the plane of z and its first direction.
L = number("one", "topology/rest_position", 0, 0)**2 + number("one", "topology/rest_position", 0, 1)**2
L = sqrt(L)
along(x, y) = sgn(x + y) * sqrt(x**2 + y**2)

set print $ends
n_sizes = 0
do for [i=1:n_runs] {
  if (run(i)[1:1] eq "n") {
    n = rows(run(i), "topology/rest_length")
    x = number(run(i), "gates/value", 0, 0)
    y = number(run(i), "gates/value", 1, 0)
    z = number(run(i), "gates/value", 2, 0)
    exact = abs(x - number(run(i), "gates/reference", 0, 0))
    print sprintf("%d %.17g %.17g", n, sqrt(x**2 + y**2 + z**2) / L, exact / L)
    n_first = n_sizes == 0 ? n : n_first
    first = n_sizes == 0 ? sqrt(x**2 + y**2 + z**2) / L : first
    n_sizes = n_sizes + 1
    n_last = n
  }
}
unset print

eval canvas(900, 800)
set multiplot

set xlabel "along the straight rod [m]"
set ylabel "z [m]"
set size ratio -1
set xrange [-0.35 * L:1.05 * L]
set yrange [-0.1 * L:0.8 * L]
unset key
do for [k=1:2] {
  name = k == 1 ? "one" : "two"
  eval panel(0.09 + 0.5 * (k - 1), 0.47 + 0.5 * (k - 1), 0.56, 0.94)
  set title fold(k == 1 ? "(a) one turn in ten steps" : "(b) two turns in ten steps")
  plot for [f=0:5] frame(name, "frames/position", f) using (along($2, $3)):4 \
    with linespoints ls 1 pt 7 ps 0.3 lw 1
}
set size noratio

set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set xrange [n_first / 1.3:n_last * 1.3]
set xtics n_first, 2
set mxtics 1
set key inside right top reverse Left

eval panel(0.09, 0.47, 0.10, 0.44)
set title fold("(c) end against the circle's")
set ylabel "distance over the length"
set yrange [first * (1.0 * n_first / n_last)**2 / 3:first * 3]
plot first * (n_first / x)**2 ls 9 title "second order", \
  $ends using 1:2 with points ls 1 title "measured"

eval panel(0.59, 0.97, 0.10, 0.44)
set title fold("(d) end against the exact discrete answer")
set yrange [1e-17:1e-6]
plot 1e-8 ls 9 title "tolerance", \
  $ends using 1:($3 > 1e-16 ? $3 : 1e-16) with points ls 1 title "measured"
unset multiplot
