# SPDX-License-Identifier: GPL-3.0-or-later
# A rigid bar on a hinge: the projective step at two sizes beside the integrated motion (Li, Liu, Kavan 2019, fig. 9).
#
#: series runs/fast.*,slow.* frames/bone_position[0,2]
#: series runs/swing.* frames/joint_angle[0]
#: values runs/swing.* frames/joint_angle[0]

eval canvas(900, 720)
set multiplot

eval panel(0.08, 0.97, 0.60, 0.94)
set title fold("(a) let go at the level under gravity: height of the center")
set xlabel "time [s]"
set ylabel "height [m]"
set xrange [0:3]
set yrange [-0.55:0.3]
set key inside right top horizontal
plot series("fast.exact", "frames/bone_position[0,2]") using 1:2 with lines ls 9 lw 3 title "integrated to 10^{-11}", \
  series("fast.rk4", "frames/bone_position[0,2]") using 1:2 with lines ls 3 dt 2 title "RK4, h = 0.01 s", \
  series("fast.h0.001", "frames/bone_position[0,2]") using 1:2 with lines ls 2 title "h = 0.001 s", \
  series("fast.h0.01", "frames/bone_position[0,2]") using 1:2 with lines ls 1 title "h = 0.01 s"

eval panel(0.08, 0.48, 0.10, 0.44)
set title fold("(b) 1 rad/s without gravity")
set yrange [-0.55:0.05]
set key inside right top vertical
plot series("slow.exact", "frames/bone_position[0,2]") using 1:2 with lines ls 9 lw 3 title "integrated", \
  series("slow.h0.001", "frames/bone_position[0,2]") using 1:2 with lines ls 2 title "h = 0.001 s", \
  series("slow.h0.01", "frames/bone_position[0,2]") using 1:2 with lines ls 1 title "h = 0.01 s"

eval panel(0.58, 0.97, 0.10, 0.44)
set title fold("(c) error of the angle after 0.5 s")
set xlabel "step [s]"
set ylabel "error [rad]"
set logscale xy
set xrange [0.001:0.03]
set yrange [0.001:0.2]
set format x "10^{%T}"
set format y "10^{%T}"
set key inside left top
exact = number("swing.exact", "frames/joint_angle[0]", -1, 0)
array steps[5] = [0.02, 0.01, 0.005, 0.0025, 0.00125]
set print $errors
do for [k=1:5] {
  r = sprintf("swing.h%g", steps[k])
  there_is = 0
  do for [i=1:n_runs] { if (run(i) eq r) { there_is = 1 } }
  if (there_is) { print sprintf("%g %g", steps[k], abs(number(r, "frames/joint_angle[0]", -1, 0) - exact)) }
}
unset print
plot 3 * x ls 9 title "first order", $errors using 1:2 with linespoints ls 1 title "articulated"
unset multiplot
