# SPDX-License-Identifier: GPL-3.0-or-later
# How rods turn about themselves by the weight and the mass of ghost points: falling freely, and swinging.
#
#: series runs/fall-*,pendulum-* frames/frame[9,0] frames/frame[9,1] frames/frame[9,2] frames/frame[9,3]

paths = "frames/frame[9,0] frames/frame[9,1] frames/frame[9,2] frames/frame[9,3]"
ways = "redistributed full none"
# The angle of u from y, where it was: u_y = 2 (x y + w z).
clamped(x) = x > 1 ? 1 : x < -1 ? -1 : x
roll(w, x, y, z) = acos(clamped(2 * (x * y + w * z)))

eval canvas(1000, 460)
set multiplot
set xlabel "time [s]"
set ylabel "angle of u from where it was [rad]"
set xrange [0:1]
set yrange [-0.05:pi]
do for [c=1:2] {
  eval panel(0.08 + 0.48 * (c - 1), 0.49 + 0.48 * (c - 1), 0.16, 0.78)
  set title fold((c == 1 ? "(a) a rod that falls freely" : "(b) a rod that swings about one end"))
  if (c == 1) { eval key_at(0.5, 0.985, "center top maxrows 1", "title 'ghost\\_gravity:'") } else { unset key; set ylabel "" }
  case = c == 1 ? "fall-" : "pendulum-"
  plot for [m=1:3] series(case . word(ways, m), paths) using 1:(roll($2, $3, $4, $5)) with lines ls m \
    title word(ways, m)
  unset label 1000
}
unset multiplot
