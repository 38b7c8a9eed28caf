# SPDX-License-Identifier: GPL-3.0-or-later
# An arm of flesh that falls: without bones, with bones, with bones on a joint. its nodes after 0.2, 0.4 and 0.6 s, from the side; a corner of its tip over time.
#
#: frame runs/flesh,bones,ball,hinge 6,12,18 frames/position
#: series runs/flesh,bones,ball,hinge frames/position[324,2]

kinds = "flesh bones ball hinge"
array name[4] = ["(a) flesh alone", "(b) two bones", "(c) bones on a ball", "(d) bones on a hinge"]

eval canvas(900, 640)
set multiplot
set size ratio -1
set xrange [-0.1:1.4]
set yrange [-1.0:0.5]
set xtics 0.5
set ytics 0.5
set xlabel "x [m]"
set ylabel "z [m]"
do for [k=1:4] {
  left = 0.07 + 0.23 * (k - 1)
  eval panel(left, left + 0.205, 0.55, 0.93)
  set title name[k]
  unset key
  if (k > 1) { set ylabel ""; set format y "" }
  plot for [j=0:2] frame(word(kinds, k), "frames/position", 6 * (j + 1)) using 2:4 with points pt 7 ps 0.25 lc rgb (j == 0 ? "#bbbbbb" : j == 1 ? "#6699cc" : "#222222")
}
set size noratio
set format y "%g"
set xtics auto
set ytics auto
eval panel(0.07, 0.97, 0.11, 0.40)
set title "(e) height of the upper corner at the tip"
set xlabel "time [s]"
set ylabel "z [m]"
set xrange [0:1.5]
set autoscale y
set key inside left bottom reverse Left
plot for [k=1:4] series(word(kinds, k), "frames/position[324,2]") using 1:2 with lines ls k title word(kinds, k)
unset multiplot
