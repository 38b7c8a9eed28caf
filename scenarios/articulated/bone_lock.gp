# SPDX-License-Identifier: GPL-3.0-or-later
# Which part of a bone's turn a step makes, over iterations, by what the bone is made of.
#
#: values runs/* frames/bone_frame[1,2]

eval canvas(900, 470)
set multiplot
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
array name[8] = ["rigid", "published", "E times 10^2", "E times 10^4", "E times 10^6", \
  "10^4 N/m", "10^6 N/m", "10^8 N/m"]

eval panel(0.07, 0.38, 0.17, 0.88)
set title fold("(a) share of the turn")
set xlabel "iterations"
set logscale x
set xrange [1:200]
set yrange [0:1.05]
unset key
plot 1 ls 9 notitle, for [k=1:8] $turns index k - 1 using 1:2 with linespoints ls k notitle

eval panel(0.46, 0.78, 0.17, 0.88)
set title fold("(b) the same on a logarithmic scale")
set logscale y
set format y "10^{%T}"
set yrange [1e-6:2]
eval key_at(1.0, 0.85, "right", "reverse Left spacing 1.2 samplen 2")
plot for [k=1:8] $turns index k - 1 using 1:2 with linespoints ls k title name[k]
unset multiplot
