# SPDX-License-Identifier: GPL-3.0-or-later
# An arm of flesh that falls: without bones, with bones, with bones on a joint, after 0.2 and 0.6 s; thrown sideways, where a hinge differs from a
# ball, after 0.57 s; a corner of its tip over time.
#
#: rendered runs/flesh,bones,ball,hinge 6,18 720x600 15,10
#: rendered runs/bones.sideways,ball.sideways,hinge.sideways 17 720x600 35,62,0.9
#: series runs/flesh,bones,ball,hinge frames/position[324,2]

kinds = "flesh bones ball hinge"
array name[4] = ["(a) flesh alone", "(b) two bones", "(c) bones on a ball", "(d) bones on a hinge"]
view = "720x600 15,10"

eval canvas(1000, 960)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:359]
set yrange [0:299]
do for [k=1:4] {
  left = 0.25 * (k - 1)
  do for [j=1:2] {
    set title fold((j == 1 ? name[k] : ""))
    eval panel(left + 0.003, left + 0.247, 0.96 - 0.22 * j, 0.94 - 0.22 * (j - 1))
    plot rendered(word(kinds, k), view, 12 * j - 6) binary array=(720,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
aside = "720x600 35,62,0.9"
do for [k=2:4] {
  left = 0.25 * (k - 1)
  set title (k == 2 ? "(e) the same thrown sideways, from above" : "")
  eval panel(left + 0.003, left + 0.247, 0.28, 0.48)
  plot rendered(word(kinds, k) . ".sideways", aside, 17) binary array=(720,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label 1000
}
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.07, 0.97, 0.07, 0.22)
set title fold("(f) height of the upper corner at the tip")
set xlabel "time [s]"
set ylabel "z [m]"
set xrange [0:1.5]
set key inside left bottom reverse Left
plot for [k=1:4] series(word(kinds, k), "frames/position[324,2]") using 1:2 with lines ls k title word(kinds, k)
unset multiplot
