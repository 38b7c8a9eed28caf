# SPDX-License-Identifier: GPL-3.0-or-later
# Rods on triangles: a cloth with rods that falls onto a ball, a ball with tentacles by both methods, and the shapes of a
# rod on a held triangle and of a sheet between two edges.
#
#: rendered runs/drape spread=4 600x460 35,14 pills
#: rendered runs/ball,ball-xpbd spread=4 600x400 30,12 pills
#: values runs/* frames/time
#: frame runs/clamp,sheet 0,-1 frames/position

eval canvas(1250, 1080)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:299]
kinds = "drape ball ball-xpbd"
top(c) = c == 1 ? 0.97 : c == 2 ? 0.71 : 0.48
do for [c=1:3] {
  r = word(kinds, c)
  n = int(rows(r, "frames/time"))
  set yrange [0:(c == 1 ? 229 : 199)]
  do for [i=1:4] {
    k = floor((i - 1) * (n - 1) / 3.0 + 0.5)
    eval panel(0.02 + 0.245 * (i - 1), 0.24 + 0.245 * (i - 1), top(c) - (c == 1 ? 0.24 : 0.21), top(c))
    set title fold(sprintf("%s%.3g s", i == 1 ? label_of(place_of(r, runs)) . ", " : "", number(r, "frames/time", k, 0))) offset 0, -0.5
    if (c == 1) {
      plot rendered(r, "600x460 35,14 pills", k) binary array=(600,460) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    } else {
      plot rendered(r, "600x400 30,12 pills", k) binary array=(600,400) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    }
    unset label 1000
  }
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set key inside left top
# Of the cantilever: nodes behind the triangle's three. Its joints bend as those of a chain of springs.
F = 1e-4
K = 0.04
bent(x) = F / K * (x * x / 2 - x * x * x / 6)
eval panel(0.08, 0.48, 0.075, 0.22)
set xlabel "along the rod [m]"
set ylabel "deflection [mm]"
set xrange [0:1]
set yrange [0:0.9]
plot bent(x) * 1000 with lines ls 9 title "Euler and Bernoulli", \
  frame("clamp", "frames/position", -1) every ::3 using 2:(1000 * ($4 - 0.1)) with points ls 1 title "on a held triangle"
eval panel(0.58, 0.97, 0.075, 0.22)
set xlabel "x [m]"
set ylabel "z [m]"
set xrange [0:0.6]
set yrange [-0.27:0.05]
set key inside center top
# The catenary of length 0.8 m over 0.6 m: cosh, whose parameter solves 0.8 = 2 a sinh(0.3/a).
a = 0.2
do for [k=1:60] { a = a - (2 * a * sinh(0.3 / a) - 0.8) / (2 * sinh(0.3 / a) - 0.6 / a * cosh(0.3 / a)) }
plot a * (cosh((x - 0.3) / a) - cosh(0.3 / a)) with lines ls 9 title "catenary", \
  frame("sheet", "frames/position", -1) using 2:4 with points ls 2 title "nodes of the sheet, three rows"
unset multiplot
