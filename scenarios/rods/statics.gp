# SPDX-License-Identifier: GPL-3.0-or-later
# Rods in equilibrium: as increments of force bend and press them, beside the elastica; how Newton's method converges in one
# increment; and the orders of the clamp and of the work.
#
#: frame runs/bent.20,pressed.20 spread=6 frames/position frames/scale
#: values runs/bent.20 topology/rest_radius topology/rest_position
#: series runs/bent.1,pressed.1 convergence/residual
#: values runs/bent.5,bent.n64,bent.n128,pressed.5,pressed.n64,pressed.n128 frames/position[0,0] topology/rest_length
#: values runs/bent.5,bent.10,bent.20,bent.40,pulled.5,pulled.10,pulled.20,pulled.40 balance/unaccounted

L = number("bent.20", "topology/rest_position", 0, 2)
last_of_frames = 5

# The elastica of a clamped rod under forces along and across it, of B / L^2: theta'' = -across cos(theta) - along sin(theta), from
# the angle at its free end, where it is not curved, to the clamp by the rule of the midpoint.
n = 400
array Theta[2]
array Place[2]
shoot_h = 1.0 / n
set print $elastica
do for [c=1:2] {
  across = c == 1 ? 3 : 1e-3 * 1.5 * pi**2 / 4
  along = c == 1 ? 0 : 1.5 * pi**2 / 4
  low = c == 1 ? 0.5 : 1.2
  high = c == 1 ? 1.5 : 2.5
  bend(t) = -across * cos(t) - along * sin(t)
  sign = 0
  do for [trial=0:30] {
    tip = trial == 0 ? low : (low + high) / 2
    theta = tip
    rate = 0
    x_ = 0
    z_ = 0
    do for [k=1:n] {
      half = theta - shoot_h / 2 * rate
      half_rate = rate - shoot_h / 2 * bend(theta)
      theta = theta - shoot_h * half_rate
      rate = rate - shoot_h * bend(half)
    }
    if (trial == 0) { sign = theta < 0 } else { if ((theta < 0) == sign) { low = tip } else { high = tip } }
  }
  theta = (low + high) / 2
  rate = 0
  do for [k=0:n] {
    if (k % 10 == 0) { print sprintf("%.6g %.6g", x_, z_) }
    half = theta - shoot_h / 2 * rate
    half_rate = rate - shoot_h / 2 * bend(theta)
    x_ = x_ - shoot_h * sin(half)
    z_ = z_ - shoot_h * cos(half)
    theta = theta - shoot_h * half_rate
    rate = rate - shoot_h * bend(half)
  }
  print ""; print ""
  Place[c] = -x_
  Theta[c] = -z_
}
unset print

set print $clamp
do for [c=1:2] {
  do for [k=1:3] {
    r = (c == 1 ? "bent" : "pressed") . word(".5 .n64 .n128", k)
    print sprintf("%d %.6g", rows(r, "topology/rest_length"), abs(number(r, "frames/position[0,0]", -1, 0) / (Place[c] * L) - 1))
  }
  print ""; print ""
}
unset print
set print $work
do for [c=1:2] {
  do for [k=1:4] {
    r = (c == 1 ? "bent." : "pulled.") . word("5 10 20 40", k)
    print sprintf("%s %.6g", word("5 10 20 40", k), abs(number(r, "balance/unaccounted", -1, 0)))
  }
  print ""; print ""
}
unset print

eval canvas(1000, 860)
set multiplot
set size ratio -1
set xlabel "x [m]"
set ylabel "z [m]"
set xrange [-0.2:1.1]
if (narrow) { set xtics 0.5; set ytics 0.5 }
set yrange [-0.05:1.1]
eval key_at(0.5, 0.985, "center top maxrows 1", "")
do for [c=1:2] {
  eval panel(c == 1 ? 0.08 : 0.58, c == 1 ? 0.48 : 0.98, 0.57, 0.88)
  set title fold(c == 1 ? "(a) bent by a growing force at its end" : "(b) pressed by 1.5 of Euler's force")
  plot for [f=0:last_of_frames] frame(c == 1 ? "bent.20" : "pressed.20", "frames/position frames/scale", f) using 2:4 \
      with lines ls 1 title f + c == 1 ? "after 0, 4, 8 .. 20 increments" : "", \
    $elastica index c - 1 using (L * (Place[c] + $1)):(L * (Theta[c] + $2)) with points ls 3 title c == 1 ? "elastica" : ""
  unset key
}
set size noratio
set logscale y
set format y "10^{%T}"
set key inside right top maxrows 4
eval panel(0.08, 0.34, 0.10, 0.43)
set title fold("(c) one increment")
set xlabel "iterations"
set ylabel "residual [1]"
set xrange [0.5:12.5]
set xtics 2
set yrange [1e-17:1e3]
set ytics 1e4
plot 1e-8 ls 9 notitle, for [c=1:2] series(c == 1 ? "bent.1" : "pressed.1", "convergence/residual") \
  using 1:($2 > 1e-16 ? $2 : 1e-16) with linespoints ls c title c == 1 ? "bent" : "pressed"
set logscale xy
set xtics auto
set ytics auto
eval panel(0.42, 0.67, 0.10, 0.43)
set title fold("(d) tip beside the elastica")
set xlabel "segments"
set ylabel "relative distance [1]"
set xrange [24:180]
set xtics (32, 64, 128)
set yrange [1e-3:1]
set ytics 10
plot 0.02 * 32 / x ls 9 title "first order", for [c=1:2] $clamp index c - 1 using 1:2 with points ls c title c == 1 ? "bent" : "pressed"
eval panel(0.75, 0.98, 0.10, 0.43)
set title fold("(e) work not accounted for")
set xlabel "increments"
set ylabel "over all work [1]"
set xrange [3.5:60]
set xtics (5, 10, 20, 40)
set yrange [1e-5:1]
plot 1e-2 * 25 / x**2 ls 9 title "second order", for [c=1:2] $work index c - 1 using 1:2 with points ls c title c == 1 ? "bent" : "pulled"
unset multiplot
