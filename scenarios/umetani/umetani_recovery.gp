# SPDX-License-Identifier: GPL-3.0-or-later
# Rods on their way back from random points and from a line, and what bending they still have.
#
#: frame runs/line-1,spring-1,unrolled 0,1,5,20,100 frames/position
#: series runs/* energy/bend

cases = "line-1 spring-1 unrolled"
frames = "0 1 5 20 100"

eval canvas(1000, 980)
set multiplot
unset key
set size ratio -1
set xtics 0.5
set ytics 0.5
do for [c=1:3] {
  do for [k=1:5] {
    eval panel(0.08 + 0.185 * (k - 1), 0.245 + 0.185 * (k - 1), 0.97 - 0.21 * c, 1.13 - 0.21 * c)
    set title fold((c == 1 ? sprintf("%d steps", 10 * int(word(frames, k))) : ""))
    set xrange [-0.8:0.8]
    set yrange [-0.3:1.3]
    set format y (k == 1 ? "%g" : "")
    set ylabel (k == 1 ? "z [m]" : "")
    set xlabel (c == 3 ? "x [m]" : "")
    plot frame(word(cases, c), "frames/position", int(word(frames, k))) using 2:4 with linespoints ls 1 ps 0.3
    unset label 1000
  }
}

set size noratio
set key at graph 0.99, 0.97 right top maxrows 4
eval panel(0.09, 0.97, 0.08, 0.25)
set title ""
set xlabel "steps"
set ylabel "bending energy [J]"
set logscale y
set format y "10^{%T}"
set xtics 200
set ytics 1e-9, 1e3
set xrange [0:1000]
set yrange [1e-10:1e8]
plot for [i=1:n_runs] series(run(i), "energy/bend") using ($1 * 60):2 with lines ls i title label_of(i)
unset multiplot
