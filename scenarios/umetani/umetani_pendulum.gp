# SPDX-License-Identifier: GPL-3.0-or-later
# A pendulum with a cube: swings of the cube from a small angle, its way out of the plane from a large one, and the rod.
#
#: series runs/small-* frames/position[21,0]
#: series runs/far-* frames/position[21,1]
#: frame runs/far-redistributed,far-viper 0,8,16,24,32,40 frames/position

kinds = "redistributed full none xpbd viper"
name_of(k) = part_of("pbd, weight redistributed|pbd, all of it on ghosts|pbd, ghosts without weight|xpbd, redistributed|viper, direct", k)
eval canvas(1100, 480)
set multiplot
eval key_at(0.5, 0.985, "center top maxrows 2", "")
set xlabel "time [s]"
eval panel(0.075, 0.33, 0.15, 0.78)
set title fold("(a) from a small angle")
set ylabel "x of the cube [m]"
set xrange [0:8]
plot for [k=1:5] series("small-" . word(kinds, k), "frames/position[21,0]") using 1:2 with lines ls k title name_of(k)
unset label 1000
unset key
eval panel(0.415, 0.67, 0.15, 0.78)
set title fold("(b) from a right angle")
set ylabel "y, out of the plane [m]"
set xrange [0:6]
plot for [k=1:5] series("far-" . word(kinds, k), "frames/position[21,1]") using 1:2 with lines ls k
eval panel(0.75, 0.985, 0.15, 0.78)
set title fold("(c) the rod, each 0.07 s (gray: viper)")
set xlabel "x [m]"
set ylabel "z [m]"
set size ratio -1
set xrange [-0.1:1.2]
set yrange [-0.7:0.1]
set xtics 0.4
set ytics 0.2
plot for [k in "0 8 16 24 32 40"] frame("far-viper", "frames/position", int(k)) using 2:4 with lines ls 8, \
  for [k in "0 8 16 24 32 40"] frame("far-redistributed", "frames/position", int(k)) using 2:4 with lines ls 1
unset multiplot
