# SPDX-License-Identifier: GPL-3.0-or-later
# Nets of rods in time: a ball with tentacles on a half-plane, by both methods, a net drawn through a ring, and a ball in woven
# wires.
#
#: rendered runs/ball,ball-xpbd spread=5 600x400 30,12 pills
#: rendered runs/ring spread=5 600x460 30,25,1 pills
#: rendered runs/woven spread=5 600x460 35,28 pills
#: values runs/* frames/time

eval canvas(1250, 950)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:299]
kinds = "ball ball-xpbd ring woven"
high(c) = c < 3 ? 200 : 230
do for [c=1:4] {
  r = word(kinds, c)
  n = int(rows(r, "frames/time"))
  set yrange [0:high(c) - 1]
  do for [i=1:5] {
    k = floor((i - 1) * (n - 1) / 4.0 + 0.5)
    eval panel(0.01 + 0.196 * (i - 1), 0.196 * i, 0.98 - 0.235 * c, 1.19 - 0.235 * c)
    set title fold(sprintf("%s%.3g s", i == 1 ? label_of(place_of(r, runs)) . ", " : "", number(r, "frames/time", k, 0))) offset 0, -0.5
    if (c < 3) {
      plot rendered(r, "600x400 30,12 pills", k) binary array=(600,400) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    } else {
      plot rendered(r, c == 3 ? "600x460 30,25,1 pills" : "600x460 35,28 pills", k) binary array=(600,460) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    }
    unset label 1000
  }
}
unset multiplot
