# SPDX-License-Identifier: GPL-3.0-or-later
# Linked bars: frames, motion and errors against the integrated motion.
#
#: values runs/pendulum.* frames/bone_position[1,0] frames/bone_position[1,1] frames/bone_position[1,2]
#: values runs/tumble.* frames/bone_frame[0,1] frames/bone_frame[0,2] frames/bone_frame[0,3]
#: series runs/pendulum.* frames/bone_position[1,2]
#: rendered runs/pendulum.h0.001 0,250,500,-1 480x400 12,8,1.4
#: rendered runs/tumble.h0.001 0,-1 480x400 30,20

eval canvas(1000, 820)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:239]
set yrange [0:199]
do for [k=0:3] {
  eval panel(0.165 * k + 0.002, 0.165 * k + 0.163, 0.72, 0.92)
  set title (k == 0 ? "(a) a double pendulum" : "")
  set label 1 sprintf("%.2f s", k == 3 ? 0.8 : 0.25 * k) at graph 0.5, -0.05 center font letters_9 tc rgb "#666666"
  plot rendered("pendulum.h0.001", "480x400 12,8,1.4", k == 3 ? -1 : 250 * k) binary array=(480,400) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label 1
  unset label 1000
}
set xrange [0:239]
do for [k=0:1] {
  eval panel(0.68 + 0.16 * k, 0.84 + 0.16 * k, 0.72, 0.92)
  set title (k == 0 ? "(b) a tumbling box" : "")
  set label 1 sprintf("%.1f s", 0.4 * k) at graph 0.5, -0.05 center font letters_9 tc rgb "#666666"
  plot rendered("tumble.h0.001", "480x400 30,20", -k) binary array=(480,400) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label 1
  unset label 1000
}
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale

eval panel(0.08, 0.48, 0.08, 0.60)
set title fold("(c) double pendulum: height of the lower bar's center")
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

eval panel(0.58, 0.97, 0.08, 0.60)
set title fold("(d) errors after 0.8 s and 0.4 s")
set xlabel "step [s]"
set ylabel "error: position [m], rotation [1]"
set logscale xy
set xrange [4e-4:1.2e-2]
set yrange [1e-3:5]
set format x "10^{%T}"
set format y "10^{%T}"
set key inside left top reverse Left
set key samplen 2
plot 30 * x ls 9 title "slope of first order", $errors index 0 using 1:2 with linespoints ls 1 title "double pendulum", \
  $errors index 1 using 1:2 with linespoints ls 2 title "tumbling box"
unset multiplot
