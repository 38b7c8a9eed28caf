# SPDX-License-Identifier: GPL-3.0-or-later
# An arm that bends, at three times, and from behind; the volume in its skins, and contact.
#
#: rendered runs/sculpted_arm 0,1,2 480x640 50,8,1,30
#: rendered runs/sculpted_arm 2 480x640 -60,8,1,30
#: series runs/sculpted_arm enclosed_volume
#: series runs/sculpted_arm penetration
#: values runs/sculpted_arm enclosed_volume

shown = "sculpted_arm"
eval canvas(1000, 720)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:239]
set yrange [0:319]
do for [i=1:4] {
  eval panel(0.01 + 0.247 * (i - 1), 0.247 * i, 0.43, 0.95)
  set title fold(part_of("at rest|after 0.35 s|after 0.7 s|from behind", i))
  plot rendered(shown, i < 4 ? "480x640 50,8,1,30" : "480x640 -60,8,1,30", int(word("0 1 2 2", i))) binary array=(480,640) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xlabel "time [s]"
eval panel(0.09, 0.46, 0.14, 0.37)
set title fold("(a) volume in all skins")
set ylabel "change [%]"
rest = number(shown, "enclosed_volume", 0, 0)
plot series(shown, "enclosed_volume") using 1:(100 * (column(2) / rest - 1)) with lines ls 1
eval panel(0.59, 0.98, 0.14, 0.37)
set title fold("(b) penetration")
set ylabel "greatest depth [mm]"
plot series(shown, "penetration") using 1:(1e3 * column(2)) with lines ls 2
unset multiplot
