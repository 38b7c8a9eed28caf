# SPDX-License-Identifier: GPL-3.0-or-later
# A cube on a rod that a ball strikes beside its middle, by both methods, and the twist of the rod.
#
#: rendered runs/* 0,13,24,40,70 480x600 35,14 pills
#: values runs/* frames/time
#: series runs/* ribbon/twist[1]

eval canvas(1250, 980)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:239]
set yrange [0:299]
do for [c=1:2] {
  r = word("xpbd pbd", c)
  do for [i=1:5] {
    k = int(word("0 13 24 40 70", i))
    eval panel(0.01 + 0.196 * (i - 1), 0.196 * i, 1.02 - 0.36 * c, 1.32 - 0.36 * c)
    set label 1 sprintf("%s%.2g s", i == 1 ? label_of(place_of(r, runs)) . ", " : "", number(r, "frames/time", k, 0)) \
      at screen place_x(0.02 + 0.196 * (i - 1), 1.33 - 0.36 * c), screen place_y(0.02 + 0.196 * (i - 1), 1.33 - 0.36 * c) left
    plot rendered(r, "480x600 35,14 pills", k) binary array=(480,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
unset label
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set key inside right top
eval panel(0.08, 0.97, 0.08, 0.26)
set xlabel "time [s]"
set ylabel "twist of the rod [turns]"
set xrange [0:6]
plot for [i=1:n_runs] series(run(i), "ribbon/twist[1]") using 1:2 with lines ls i title label_of(i)
unset multiplot
