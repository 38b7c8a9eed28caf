# SPDX-License-Identifier: GPL-3.0-or-later
# A leg that bends: straight and bent, the volume of its muscles, and the balance of its energies.
#
#: rendered runs/leg 0,9 720x1040 40,5,1,30
#: series runs/leg enclosed_volume
#: series runs/leg balance/unaccounted
#: values runs/leg enclosed_volume

eval canvas(1000, 960)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:359]
set yrange [0:519]
do for [i=1:2] {
  eval panel(i == 1 ? 0.1 : 0.54, i == 1 ? 0.46 : 0.9, 0.38, 0.92)
  set title fold(part_of("at rest|after 0.45 s", i))
  plot rendered("leg", "720x1040 40,5,1,30", i == 1 ? 0 : 9) binary array=(720,1040) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, 0.13, 0.33)
set xlabel "time [s]"
set ylabel "of the whole [%]"
set yrange [*:*]
eval key_at(0.5, 0.04, "center center vertical maxrows 1", "")
rest = number("leg", "enclosed_volume", 0, 0)
plot series("leg", "enclosed_volume") using 1:(100 * ($2 / rest - 1)) with lines ls 2 title "change of volume", \
  series("leg", "balance/unaccounted") using 1:(100 * $2) with lines ls 3 title "work not accounted for"
unset multiplot
