# SPDX-License-Identifier: GPL-3.0-or-later
# Figures 11 and 12: the rods that fill four shapes, and how their radius follows the sections' areas.
#
#: rendered runs/fusiform -1 1200x600 0,25,1,0 body
#: rendered runs/pennate -1 1200x600 0,25,1,0 body
#: rendered runs/tube -1 1200x600 0,60,1,0 body
#: rendered runs/pectoral -1 1200x600 0,60,1,0 body
#: series runs/* topology/rest_radius

eval canvas(1000, 900)
view(r) = r eq "fusiform" || r eq "pennate" ? "1200x600 0,25,1,0 body" : "1200x600 0,60,1,0 body"
slices(r) = r eq "pectoral" ? 9 : 24
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:599]
set yrange [0:299]
do for [i=1:4] {
  eval panel(i % 2 ? 0.01 : 0.51, i % 2 ? 0.49 : 0.99, i > 2 ? 0.38 : 0.68, i > 2 ? 0.64 : 0.94)
  set title fold(label_of(i))
  plot rendered(run(i), view(run(i)), -1) binary array=(1200,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, 0.15, 0.34)
set xlabel "slice, from source to sink [1]"
set ylabel "radius of a rod [mm]"
set yrange [0:*]
eval key_at(0.5, 0.04, "center center vertical maxrows 1", "")
plot for [i=1:4] series(run(i), "topology/rest_radius") every ::0::(slices(run(i)) - 1) \
  using ($0 / (slices(run(i)) - 1)):(1000 * $2) with linespoints ls i pt 7 ps 0.5 title run(i)
unset multiplot
