# SPDX-License-Identifier: GPL-3.0-or-later
# Two ropes that cross: the force between them over meshes that are shifted along them.
#
#: values runs/* reaction/force[1,0] reaction/force[1,1] reaction/force[1,2]
#: rendered runs/smooth-segments50-shift0.5 -1 800x600 35,15

eval canvas(1000, 640)
shifts = "0 0.125 0.375 0.5"
meshes = "segment-segments24 segment-segments50 smooth-segments24 smooth-segments50"
names = "'24, normals of segments' '50, normals of segments' '24, smooth normals' '50, smooth normals'"
at(n, k) = word(meshes, n) . "-shift" . word(shifts, k)
force(n, k, c) = number(at(n, k), sprintf("reaction/force[1,%d]", c), -1, 0)
set print $points
do for [n=1:4] {
  do for [k=1:4] {
    print word(shifts, k), " ", force(n, k, 0), " ", force(n, k, 1), " ", abs(force(n, k, 2))
  }
  print ""; print ""
}
unset print

set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:399]
set yrange [0:299]
eval panel(0.02, 0.46, 0.45, 0.98)
plot rendered("smooth-segments50-shift0.5", "800x600 35,15", -1) binary array=(800,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set xlabel "shift of the mesh [segments]"
set xrange [-0.03:0.53]
eval key_at(0.03, 0.34, "left top maxrows 5", "Left reverse")

eval panel(0.58, 0.98, 0.60, 0.93)
set title fold("(a) force along the lower rope: none by symmetry")
set ylabel "over the pressing force [1]"
plot 0 ls 9 title "smooth ropes", for [n=1:4] $points index n - 1 using 1:(abs($2) / $4) with linespoints ls n title word(names, n)
unset key

eval panel(0.58, 0.98, 0.13, 0.45)
set title fold("(b) pressing force, over that of shift 0")
set ylabel "ratio [1]"
plot for [n=1:4] $points index n - 1 using 1:($4 / abs(force(n, 1, 2))) with linespoints ls n
unset multiplot
