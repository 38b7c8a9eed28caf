# SPDX-License-Identifier: GPL-3.0-or-later
# Linked bars: errors against the integrated motion, and the error of joints over inner iterations (fig. 8 of Li, Liu, Kavan 2019).
#
#: values runs/pendulum.* frames/bone_position[1,0] frames/bone_position[1,1] frames/bone_position[1,2]
#: values runs/tumble.* frames/bone_frame[0,1] frames/bone_frame[0,2] frames/bone_frame[0,3]
#: series runs/pendulum.* frames/bone_position[1,2]
#: values runs/chain.* joint_gaps[0] joint_gaps[1] joint_gaps[2] joint_gaps[3] joint_gaps[4] joint_gaps[5] joint_gaps[6] joint_gaps[7] joint_gaps[8] joint_gaps[9] joint_gaps[10] joint_gaps[11]
#: values runs/ring.* joint_gaps[0] joint_gaps[1] joint_gaps[2] joint_gaps[3] joint_gaps[4] joint_gaps[5] joint_gaps[6] joint_gaps[7] joint_gaps[8] joint_gaps[9] joint_gaps[10] joint_gaps[11]

eval canvas(900, 720)
set multiplot

eval panel(0.08, 0.97, 0.60, 0.94)
set title "(a) a double pendulum: height of the lower bar's center"
set xlabel "time [s]"
set ylabel "height [m]"
set xrange [0:0.8]
set key inside left bottom reverse Left
plot series("pendulum.exact", "frames/bone_position[1,2]") using 1:2 with lines ls 9 lw 3 title "integrated", \
  series("pendulum.h0.001", "frames/bone_position[1,2]") using 1:2 with lines ls 2 title "h = 0.001 s", \
  series("pendulum.h0.008", "frames/bone_position[1,2]") using 1:2 with lines ls 1 title "h = 0.008 s"

off(r, e, a, b, c) = sqrt((number(r, a, -1, 0) - number(e, a, -1, 0))**2 + \
  (number(r, b, -1, 0) - number(e, b, -1, 0))**2 + (number(r, c, -1, 0) - number(e, c, -1, 0))**2)
step_of(r) = real(r[strstrt(r, ".h") + 2:])
set print $errors
do for [kind in "pendulum tumble"] {
  p = kind eq "pendulum" ? "frames/bone_position[1,%d]" : "frames/bone_frame[0,%d]"
  f = kind eq "tumble"
  do for [i=1:n_runs] {
    r = run(i)
    if (strstrt(r, kind . ".h") == 1) {
      print sprintf("%g %g", step_of(r), off(r, kind . ".exact", sprintf(p, f), sprintf(p, 1 + f), sprintf(p, 2 + f)))
    }
  }
  print ""; print ""
}
unset print

eval panel(0.08, 0.48, 0.10, 0.44)
set title "(b) errors after 0.8 s and 0.4 s"
set xlabel "step [s]"
set ylabel "error [m, 1]"
set logscale xy
set xrange [4e-4:1.2e-2]
set yrange [1e-3:2]
set format x "10^{%T}"
set format y "10^{%T}"
set key inside left top reverse Left
plot 30 * x ls 9 title "first order", $errors index 0 using 1:2 with linespoints ls 1 title "double pendulum", \
  $errors index 1 using 1:2 with linespoints ls 2 title "tumbling box"

set print $gaps
do for [kind in "chain.newton ring chain.gauss_newton"] {
  do for [h in "0.0333 0.01 0.001"] {
    do for [k=1:12] {
      print sprintf("%d %g", k, number(kind . ".h" . h, sprintf("joint_gaps[%d]", k - 1), 1, 0))
    }
    print ""; print ""
  }
}
unset print
steps = "0.0333 0.01 0.001"

eval panel(0.58, 0.97, 0.10, 0.44)
set title "(c) greatest gap of a joint in the first step (fig. 8)"
set xlabel "inner iteration"
set ylabel "gap [m]"
unset logscale x
set format x "%g"
set format y "10^{%T}"
set xrange [1:12]
set yrange [1e-17:1e6]
set key inside right top reverse Left maxrows 5 samplen 2 spacing 1 font "DejaVu Sans,9"
plot for [i=0:2] $gaps index i using 1:2 with linespoints ls i + 1 title "chain, h = " . word(steps, i + 1) . " s", \
  for [i=0:2] $gaps index i + 3 using 1:2 with linespoints ls i + 1 dt 3 title i == 0 ? "ring" : "", \
  for [i=0:2] $gaps index i + 6 using 1:2 with lines ls i + 1 lw 2 title i == 0 ? "chain, as published" : ""
unset multiplot
