# SPDX-License-Identifier: GPL-3.0-or-later
# Linked bars: motion and errors against the integrated motion.
#
#: values runs/pendulum.* frames/bone_position[1,0] frames/bone_position[1,1] frames/bone_position[1,2]
#: values runs/tumble.* frames/bone_frame[0,1] frames/bone_frame[0,2] frames/bone_frame[0,3]
#: series runs/pendulum.* frames/bone_position[1,2]

eval canvas(900, 400)
set multiplot

eval panel(0.08, 0.48, 0.17, 0.88)
set title fold("(a) a double pendulum: height of the lower bar's center")
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

eval panel(0.58, 0.97, 0.17, 0.88)
set title fold("(b) errors after 0.8 s and 0.4 s")
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
unset multiplot
