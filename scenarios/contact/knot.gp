# SPDX-License-Identifier: GPL-3.0-or-later
# A knot that is pulled tight and let go, with friction and without: the rope, and the force at its ends.
#
#: rendered runs/rough,smooth 10,40,-1 640x640 60,10,5 at=0,0,0
#: series runs/* reaction/force[1,2]

eval canvas(1000, 960)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:319]
set yrange [0:319]
do for [j=1:2] {
  do for [k=1:3] {
    eval panel(0.02 + 0.33 * (k - 1), 0.33 * k, 0.97 - 0.33 * j, 1.26 - 0.33 * j)
    set title fold(part_of("friction 0.5|no friction", j) . ", " . part_of("1 s|4 s, tight|6 s, let go", k))
    plot rendered(word("rough smooth", j), "640x640 60,10,5 at=0,0,0", part_of("10|40|-1", k) + 0) \
      binary array=(640,640) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  }
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
eval panel(0.09, 0.97, 0.10, 0.28)
set xlabel "time [s]"
set ylabel "force at an end [N]"
set key inside left top Left reverse
plot [0:6] [0:*] for [i=1:2] series(run(i), "reaction/force[1,2]") using 1:2 with lines ls i title label_of(i)
unset multiplot
