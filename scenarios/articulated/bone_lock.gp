# SPDX-License-Identifier: GPL-3.0-or-later
# Which part of a bone's turn a step makes, over iterations, by what the bone is made of.
#
#: values runs/* frames/bone_frame[1,2]
#: rendered runs/exact.n20,stiff.1e2.n20,stiff.1e6.n20,shape.1e8.n20 0,-1 640x400 10,6

eval canvas(1000, 780)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:319]
set yrange [0:199]
shown = "exact.n20 stiff.1e2.n20 stiff.1e6.n20 shape.1e8.n20"
array title_of[4] = ["(b) rigid", "(c) flesh, 10^2 times stiffer", "(d) flesh, 10^6 times stiffer", "(e) springs, 10^8 N/m"]
view = "640x400 10,6"
do for [k=0:4] {
  eval panel(0.2 * k + 0.003, 0.2 * k + 0.197, 0.73, 0.90)
  set title (k == 0 ? "(a) before the step" : title_of[k])
  plot rendered(k == 0 ? "exact.n20" : word(shown, k), view, k == 0 ? 0 : -1) binary array=(640,400) dx=0.5 dy=0.5 format="%uchar" \
    flipy with rgbimage
  unset label 1000
}
set label 1001 "an arm held at its left end, after one step of 20 iterations" at screen place_x(0.5, 0.70), screen place_y(0.5, 0.70) center font letters_10
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
kinds = "exact published stiff.1e2 stiff.1e4 stiff.1e6 shape.1e4 shape.1e6 shape.1e8"
turn(r) = asin(number(r, "frames/bone_frame[1,2]", -1, 0))
whole = turn("converged")
count_of(r) = real(r[strstrt(r, ".n") + 2:])
kind_of(r) = r[1:strstrt(r, ".n") - 1]
set print $turns
do for [k=1:words(kinds)] {
  do for [i=1:n_runs] {
    if (strstrt(run(i), ".n") > 0 && kind_of(run(i)) eq word(kinds, k)) {
      print sprintf("%g %.8g", count_of(run(i)), turn(run(i)) / whole)
    }
  }
  print ""; print ""
}
unset print
array name[8] = ["rigid", "rigid, as published", "flesh, 10^2 times stiffer", "flesh, 10^4 times stiffer", "flesh, 10^6 times stiffer", \
  "springs, 10^4 N/m", "springs, 10^6 N/m", "springs, 10^8 N/m"]

eval panel(0.08, 0.36, 0.10, 0.60)
set title fold("(f) turn of the fore bone")
set xlabel "iterations"
set ylabel "share of the converged turn"
set logscale x
set xrange [1:200]
set yrange [0:1.05]
unset label 1001
unset key
plot 1 ls 9 notitle, for [k=1:8] $turns index k - 1 using 1:2 with linespoints ls k notitle

eval panel(0.44, 0.72, 0.10, 0.60)
set title fold("(g) the same on a logarithmic scale")
set logscale y
set format y "10^{%T}"
set yrange [1e-6:2]
unset ylabel
eval key_at(1.0, 0.58, "right", "reverse Left spacing 1.2 samplen 2 font letters_10")
plot for [k=1:8] $turns index k - 1 using 1:2 with linespoints ls k title name[k]
unset multiplot
