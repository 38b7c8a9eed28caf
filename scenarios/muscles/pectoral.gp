# SPDX-License-Identifier: GPL-3.0-or-later
# A pectoral at rest and with the arm raised, as rods and as tetrahedra, passive and active; and the volume of each.
#
#: rendered runs/* 0,-1 660x560 0,60,1,30
#: series runs/* enclosed_volume
#: values runs/* enclosed_volume

eval canvas(1200, 760)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:329]
set yrange [0:279]
do for [k=0:1] for [i=1:n_runs] {
  eval panel((i - 0.97) / n_runs, (i - 0.03) / n_runs, k ? 0.36 : 0.66, k ? 0.62 : 0.92)
  set title fold(label_of(i) . (k ? ",\narm raised" : ",\nat rest"))
  plot rendered(run(i), "660x560 0,60,1,30", k ? -1 : 0) binary array=(660,560) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, 0.17, 0.33)
set xlabel "time [s]"
set ylabel "change of volume [1]"
set yrange [-0.03:0.03]
eval key_at(0.5, 0.06, "center center vertical maxrows 2", "")
rest(r) = number(r, "enclosed_volume", 0, 0)
plot for [i=1:n_runs] series(run(i), "enclosed_volume") using 1:($2 / rest(run(i)) - 1) with lines ls (i + 1) title label_of(i)
unset multiplot
