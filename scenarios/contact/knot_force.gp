# SPDX-License-Identifier: GPL-3.0-or-later
# Force at the ends of an overhand knot over the size of its loop, at four coefficients of friction, beside the law of loose knots.
#
#: rendered runs/mu1 3,7,-1 640x640 60,10,3 at=0,0,0
#: series runs/* reaction/force[1,2]
#: values runs/mu1 frames/position[frame=0]
#: values runs/mu1 frames/position[frame=-1]

# The radius of the rope and its stiffness B = E pi h^4/4, the last length in the knot, and the law.
h = 0.006
B = 1e6 * pi / 4 * h**4
left = 0.3
sigma = 0.492
law(x, k) = 0.5 + sigma * 0.1 * k * sqrt(x)
apart(f) = number("mu1", "frames/position[frame=" . f . "]", 120, 2) - number("mu1", "frames/position[frame=" . f . "]", 0, 2)
way = apart("-1") - apart("0")
stats series(run(1), "reaction/force[1,2]") using 1 nooutput
end = STATS_max
size(t) = (left + way * (1 - t / end)) / (2 * pi * h)
reduced(t, f) = f * (h * size(t))**2 / B

eval canvas(1000, 760)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:319]
set yrange [0:319]
do for [k=1:3] {
  eval panel(0.02 + 0.33 * (k - 1), 0.33 * k, 0.58, 0.95)
  set title fold("mu = 0.1, R = " . sprintf("%.0f h", size(end * part_of("0.3|0.7|1", k))))
  plot rendered("mu1", "640x640 60,10,3 at=0,0,0", part_of("3|7|-1", k) + 0) \
    binary array=(640,640) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
eval panel(0.09, 0.97, 0.11, 0.52)
set xlabel "radius of the loop over that of the rope, R/h"
set ylabel "force, F R^2/B"
set key inside center top horizontal maxrows 1
plot [8:20] [0:4.6] for [i=1:4] series(run(i), "reaction/force[1,2]") using (size($1)):(reduced($1, $2)) with lines ls i dt 1 lw 1.5 title label_of(i), \
  for [i=1:4] law(x, i - 1) with lines ls i dt 2 title (i == 1 ? "law of loose knots" : "")
unset multiplot
