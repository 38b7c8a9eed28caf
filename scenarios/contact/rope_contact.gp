# SPDX-License-Identifier: GPL-3.0-or-later
# A rope over a capstan, with 0.95 and 1.05 of its longest overhang, and a rope that coils on the ground.
#
#: rendered runs/xpbd-holds -1 660x520 0,4,1,30
#: rendered runs/xpbd-slides 16 660x520 0,4,1,30
#: rendered runs/coil 45 660x520 30,20
#: rendered runs/coil -1 660x520 0,89
#: series runs/*-holds,*-slides frames/position[0,2]
#: series runs/coil energy/kinetic penetration

eval canvas(1000, 860)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:329]
set yrange [0:259]
heads = "(a) 0.95 of the longest overhang, 3 s|(b) 1.05 of it, 1.6 s|(c) a rope comes down, 4.5 s|(d) its coils, from above"
views = "0,4,1,30|0,4,1,30|30,20|0,89"
do for [i=1:4] {
  eval panel(i % 2 ? 0.12 : 0.62, i % 2 ? 0.393 : 0.893, i > 2 ? 0.38 : 0.69, i > 2 ? 0.63 : 0.94)
  set title fold(part_of(heads, i))
  plot rendered(word("xpbd-holds xpbd-slides coil coil", i), "660x520 " . part_of(views, i), i == 2 ? 16 : i == 3 ? 45 : -1) \
    binary array=(660,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set xlabel "time [s]"

eval panel(0.09, 0.48, 0.11, 0.31)
set title fold("(e) the shorter end")
set ylabel "height [m]"
set key inside left top Left reverse samplen 2.5 font letters_9
plot [0:3] [-0.35:0.3] for [s=1:2] for [m=1:3] \
  series(word("direct xpbd block-descent", m) . "-" . word("holds slides", s), "frames/position[0,2]") using 1:2 with lines ls m \
    title s == 1 ? word("direct xpbd block-descent", m) : ""
unset key

eval panel(0.59, 0.98, 0.11, 0.31)
set title fold("(f) what moves as it coils")
set ylabel "kinetic energy [J]"
set logscale y
set format y "10^{%T}"
plot [0:7] [1e-8:0.1] series("coil", "energy/kinetic penetration") using 1:2 with lines ls 1
unset multiplot
