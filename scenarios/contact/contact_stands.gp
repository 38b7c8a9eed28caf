# SPDX-License-Identifier: GPL-3.0-or-later
# Piles by Newton's method: how they stand in the end, or fell without a log; what moves, and what steps leave.
#
#: rendered runs/rings,heavy -1 500x600 30,14
#: rendered runs/pyramid -1 500x600 0,8,0.6
#: rendered runs/cabin,cabin-without -1 500x600 30,14
#: series runs/* energy/kinetic
#: series runs/* residual

piles = "rings heavy pyramid cabin cabin-without"
view(pile) = pile eq "pyramid" ? "500x600 0,8,0.6" : "500x600 30,14" # along its rods, between the stops
eval canvas(1200, 760)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:249]
set yrange [0:299]
do for [i=1:5] {
  eval panel(0.015 + 0.195 * (i - 1), 0.205 + 0.195 * (i - 1), 0.55, 0.93)
  set title fold(i == 2 ? "a ring of 1000 on nine" : i < 5 ? word(piles, i) : "cabin without a log")
  plot rendered(word(piles, i), view(word(piles, i)), -1) \
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
eval key_at(0.5, 0.06, "center center maxrows 1", "")
plot [] [1e-20:1e3] for [i=1:n_runs] series(run(i), "energy/kinetic") using 1:2 with lines ls i title label_of(i)
unset key

eval panel(0.59, 0.98, 0.17, 0.45)
set title fold("(b) what steps leave")
set ylabel "residual [1]"
plot [] [1e-14:1] for [i=1:n_runs] series(run(i), "residual") using 1:2 with lines ls i
unset multiplot
