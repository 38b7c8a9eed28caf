# SPDX-License-Identifier: GPL-3.0-or-later
# A stack of ten rings: at the end by each method, what moves, and how far the top has moved aside.
#
#: rendered runs/direct,xpbd,block-descent,jacobi-published -1 500x600 20,12,0.8
#: series runs/* energy/kinetic
#: series runs/* penetration

eval canvas(1000, 760)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:249]
set yrange [0:299]
do for [i=1:4] {
  eval panel(0.02 + 0.24 * (i - 1), 0.25 + 0.24 * (i - 1), 0.55, 0.93)
  set title fold(word("direct xpbd block-descent jacobi-published", i))
  plot rendered(word("direct xpbd block-descent jacobi-published", i), "500x600 20,12,0.8", -1) \
    binary array=(500,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set xlabel "time [s]"
set logscale y
set format y "10^{%T}"

eval panel(0.09, 0.48, 0.17, 0.45)
set title fold("(a) what moves")
set ylabel "kinetic energy [J]"
eval key_at(0.5, 0.06, "center center maxrows 2", "")
plot [0:3] [1e-8:1e3] for [i=1:n_runs] series(run(i), "energy/kinetic") using 1:2 with lines ls i title label_of(i)
unset key

eval panel(0.59, 0.98, 0.17, 0.45)
set title fold("(b) penetration")
set ylabel "penetration [mm]"
plot [0:3] [1e-9:100] for [i=1:n_runs] series(run(i), "penetration") using 1:(1000 * $2) with lines ls i
unset multiplot
