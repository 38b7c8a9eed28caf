# SPDX-License-Identifier: GPL-3.0-or-later
# The motion of a spring by the order of visits, and the bending of a ring's joints.
#
#: series runs/spring-*,twisted-* energy/kinetic
#: frame runs/ring-* -1 frames/darboux

orders = "interleaved ends sequential random"
eval canvas(1250, 480)
set multiplot
eval key_at(0.5, 0.985, "center top maxrows 1", "")

eval panel(0.07, 0.35, 0.15, 0.78)
set title fold("(a) a spring in small disorder")
set xlabel "time [s]"
set ylabel "kinetic energy [J]"
set logscale y
set format y "10^{%T}"
set xrange [0:34]
plot for [m=1:4] series("spring-" . word(orders, m), "energy/kinetic") using ($1 > 0 ? $1 : NaN):2 with lines ls m \
  title word(orders, m)
unset label 1000
unset key

eval panel(0.395, 0.675, 0.15, 0.78)
set title fold("(b) a twisted spring that is held")
unset ylabel
set xrange [0:20]
plot for [m=1:4] series("twisted-" . word(orders, m), "energy/kinetic") using ($1 > 0 ? $1 : NaN):2 with lines ls m
unset logscale y
set format y "%g"

eval panel(0.73, 0.985, 0.15, 0.78)
set title fold("(c) bending of a ring, straight by nature")
set xlabel "joint"
set ylabel "Darboux vector across the rod [1/m]"
set xrange [0:39]
set yrange [0:*]
plot 2 * pi ls 9, for [m=1:4] frame("ring-" . word(orders, m), "frames/darboux", -1) using 1:(sqrt($2**2 + $3**2)) \
  with linespoints ls m
unset multiplot
