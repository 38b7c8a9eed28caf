# SPDX-License-Identifier: GPL-3.0-or-later
# Soft blocks fall onto each other in a trough: how they look, how deep they are in each other, and their energy.
#
#: rendered runs/* 0,t=0.2,t=0.5,t=2 500x720 15,12
#: series runs/* penetration energy/kinetic

view = "500x720 15,12"
array moment[4] = [0, 6, 15, 60]

eval canvas(1000, 640)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:249]
set yrange [0:359]
do for [j=1:4] {
  eval panel((j - 1) / 4.0 + 0.002, j / 4.0 - 0.002, 0.44, 0.93)
  set title fold((j == 1 ? "(a) four blocks, one with a bone, at " : "") . sprintf("%.2g s", moment[j] / 30.0)) font letters_9
  plot rendered(run(1), view, moment[j]) binary array=(500,720) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset label 1000
set title font letters_11
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xlabel "time [s]"
numbers = series(run(1), "penetration energy/kinetic")
eval panel(0.075, 0.48, 0.12, 0.34)
set title fold("(b) greatest depth of a node")
set ylabel "depth [mm]"
plot numbers using 1:(1000 * $2) with lines ls 1
eval panel(0.575, 0.985, 0.12, 0.34)
set title fold("(c) kinetic energy")
set ylabel "energy [J]"
set logscale y
set format y "10^{%T}"
set yrange [0.1:1000]
plot numbers using 1:3 with lines ls 1
unset multiplot
