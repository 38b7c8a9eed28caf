# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 10: a snail falls onto a ball, with a house of flesh and with a rigid one; how deep its nodes are in the ball.
#
#: rendered runs/soft,rigid 0,8,15,30 720x720 35,12
#: series runs/soft,rigid penetration

kinds = "soft rigid"
array name[2] = ["all flesh", "rigid house"]
array moment[4] = [0, 8, 15, 30]
view = "720x720 35,12"

eval canvas(1000, 620)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:359]
set yrange [0:359]
do for [k=1:2] {
  do for [j=1:4] {
    eval panel((j - 1) / 4.0 + 0.002, j / 4.0 - 0.002, 0.94 - 0.29 * k, 0.92 - 0.29 * (k - 1))
    set title fold((j == 1 ? sprintf("(%s) %s, 0 s", "ab"[k:k], name[k]) : sprintf("%.2f s", moment[j] / 30.0))) offset 0, -0.5
    plot rendered(word(kinds, k), view, moment[j]) binary array=(720,720) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.08, 0.97, 0.11, 0.29)
set title fold("(c) greatest depth of a node in the ball") offset 0, 0
set xlabel "time [s]"
set ylabel "depth [nm]"
set key inside right top
plot for [k=1:2] series(word(kinds, k), "penetration") using 1:(1e9 * $2) with lines ls k title name[k]
unset multiplot
