# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 10: a muscle at rest and excited, its sections matched with and without scale, and its volume.
#
#: rendered runs/* 0,-1 1200x420 0,10,1.05,30
#: series runs/* enclosed_volume
#: values runs/* enclosed_volume

eval canvas(1000, 760)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:599]
set yrange [0:209]
do for [i=1:4] {
  r = i % 2 ? "scaled" : "plain"
  eval panel(i % 2 ? 0.01 : 0.51, i % 2 ? 0.49 : 0.99, i > 2 ? 0.44 : 0.71, i > 2 ? 0.66 : 0.93)
  set title fold(part_of("at rest, with scale|at rest, without scale|excited, with scale|excited, without scale", i))
  plot rendered(r, "1200x420 0,10,1.05,30", i > 2 ? -1 : 0) binary array=(1200,420) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, 0.15, 0.36)
set xlabel "time [s]"
set ylabel "volume / at rest [1]"
set yrange [0.85:1.05]
set ytics 0.05
eval key_at(0.5, 0.05, "center center vertical maxrows 1", "")
rest(r) = number(r, "enclosed_volume", 0, 0)
plot for [i=1:2] series(run(i), "enclosed_volume") using 1:($2 / rest(run(i))) with lines ls i title label_of(i)
unset multiplot
