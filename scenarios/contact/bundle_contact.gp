# SPDX-License-Identifier: GPL-3.0-or-later
# Two bundles thrown at each other, and pressed together: drawn; their energies, penetration and the pressing force by each method.
#
#: rendered runs/thrown.direct t=0,t=0.03,t=0.1 660x520 30,20
#: rendered runs/pressed.direct -1 660x520 20,12,0.95
#: series runs/thrown.* energy/total
#: series runs/thrown.* energy/kinetic
#: series runs/* penetration
#: series runs/pressed.* reaction/force[0,2]
#: values runs/thrown.direct frames/time

methods = "direct block-descent xpbd jacobi-published"
method(m) = word(methods, m)
shown_at(t) = row_at("thrown.direct", "frames/time", t)

eval canvas(1100, 900)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:329]
set yrange [0:259]
do for [i=1:3] {
  eval panel(0.005 + 0.25 * (i - 1), 0.245 + 0.25 * (i - 1), 0.72, 0.95)
  set title fold(part_of("thrown, at 0 s|0.03 s|0.1 s", i))
  plot rendered("thrown.direct", "660x520 30,20", shown_at(real(word("0 0.03 0.1", i)))) \
    binary array=(660,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
eval panel(0.755, 0.995, 0.72, 0.95)
set title fold("pressed, at 0.5 s")
plot rendered("pressed.direct", "660x520 20,12,0.95", -1) binary array=(660,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
set size noratio
set border 31 lw 0.8
set xtics nomirror auto
set ytics nomirror auto
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

set xlabel "time [s]"
set xrange [0:0.1]
set xtics 0.02
set yrange [0:*]
eval panel(0.07, 0.48, 0.46, 0.68)
set title fold(narrow ? "(a) thrown: energy, total and kinetic" : "(a) thrown: energy, total (upper) and kinetic (lower)")
set ylabel "energy [J]"
eval key_at(0.52, 0.045, "center center maxrows 1", "")
plot for [m=1:4] series("thrown." . method(m), "energy/total") using 1:2 with lines ls m title method(m), \
  for [m=1:4] series("thrown." . method(m), "energy/kinetic") using 1:2 with lines ls m lw 1 notitle
unset key
set logscale y
set format y "10^{%T}"
set yrange [1e-9:1e2]
set ytics 1e2
eval panel(0.57, 0.98, 0.46, 0.68)
set title fold("(b) thrown: penetration")
set ylabel narrow ? "depth [mm]" : "penetration [mm]"
plot for [m=1:4] series("thrown." . method(m), "penetration") using 1:(1000 * $2) with lines ls m
set xrange [0:0.5]
set xtics 0.1
unset logscale y
set format y "%g"
set yrange [0:*]
set ytics 100
eval panel(0.07, 0.48, 0.13, 0.34)
set title fold("(c) pressed: force of a half-plane")
set ylabel "force [N]"
plot for [m=1:4] series("pressed." . method(m), "reaction/force[0,2]") using 1:(-$2) with lines ls m
set logscale y
set format y "10^{%T}"
set yrange [1e-9:1e2]
set ytics 1e2
eval panel(0.57, 0.98, 0.13, 0.34)
set title fold("(d) pressed: penetration")
set ylabel narrow ? "depth [mm]" : "penetration [mm]"
plot for [m=1:4] series("pressed." . method(m), "penetration") using 1:(1000 * $2) with lines ls m
unset multiplot
