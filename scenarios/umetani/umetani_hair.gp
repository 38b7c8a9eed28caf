# SPDX-License-Identifier: GPL-3.0-or-later
# Hair on a head that turns, by solver: before, while the head turns, and at rest; and what still moves.
#
#: rendered runs/pbd,xpbd,viper spread=4 600x460 30,5 pills
#: values runs/* frames/time
#: series runs/* energy/kinetic

eval canvas(1250, 900)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:299]
set yrange [0:229]
kinds = "pbd xpbd viper"
do for [c=1:3] {
  r = word(kinds, c)
  n = int(rows(r, "frames/time"))
  do for [i=1:4] {
    k = floor((i - 1) * (n - 1) / 3.0 + 0.5)
    eval panel(0.02 + 0.245 * (i - 1), 0.24 + 0.245 * (i - 1), 1.0 - 0.24 * c, 1.2 - 0.24 * c)
    set title fold(sprintf("%s%.3g s", i == 1 ? label_of(place_of(r, runs)) . ", " : "", number(r, "frames/time", k, 0))) offset 0, -0.5
    plot rendered(r, "600x460 30,5 pills", k) binary array=(600,460) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set key inside right top
eval panel(0.08, 0.97, 0.06, 0.25)
set xlabel "time [s]"
set ylabel "kinetic energy [J]"
set logscale y
set format y "10^{%T}"
plot for [i=1:n_runs] series(run(i), "energy/kinetic") using ($1 > 0 ? $1 : NaN):2 with lines ls i title label_of(i)
unset multiplot
