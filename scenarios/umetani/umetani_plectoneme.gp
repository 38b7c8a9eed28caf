# SPDX-License-Identifier: GPL-3.0-or-later
# Rods whose ends are turned six times: their shapes at three times, and writhe and twist over time.
#
#: series runs/xpbd-1,pbd,through ribbon/writhe ribbon/twist
#: outline runs/xpbd-1,pbd,through 32,36,-1 xz

eval canvas(1100, 560)
set multiplot
unset key
do for [k=1:5] {
  eval panel(0.062 + 0.102 * (k - 1), 0.148 + 0.102 * (k - 1), 0.14, 0.9)
  set title fold(part_of("(a) 8 s|(b) 9 s|(c) end|(d) pbd|(e) no contact", k)) font own_9
  set xlabel k == 3 ? "x [m]" : " "
  set ylabel k == 1 ? "z [m]" : ""
  set format y k == 1 ? "%g" : ""
  set xrange [-0.125 + 0.1 * (k == 5):0.125 + 0.1 * (k == 5)]
  set yrange [-0.05:1.05]
  set xtics (-0.1, 0.1) font own_8
  set ytics 0.2
  plot outline(word("xpbd-1 xpbd-1 xpbd-1 pbd through", k), int(word("32 36 -1 -1 -1", k)), "xz") \
    with filledcurves closed fc rgb FILL fs solid border lc rgb WALL
  unset label 1000
}
set format y "%g"
eval panel(0.625, 0.975, 0.14, 0.9)
set title fold("(f) turns") font own_11
set xlabel "time [s]: half a turn a second, held from 12 s on"
set ylabel "[turns]"
set xrange [0:18]
set yrange [0:8.5]
set xtics 2 font own_11
set ytics 1
set key inside left top
plot (x < 12 ? x / 2 : 6) ls 9 title "turned in", \
  series("xpbd-1", "ribbon/writhe ribbon/twist") using 1:($2 + $3) with linespoints ls 1 title "writhe + twist", \
  series("xpbd-1", "ribbon/writhe ribbon/twist") using 1:2 with linespoints ls 2 title "writhe", \
  series("pbd", "ribbon/writhe ribbon/twist") using 1:($2 + $3) with linespoints ls 3 title "writhe + twist, pbd", \
  series("through", "ribbon/writhe ribbon/twist") using 1:($2 + $3) with linespoints ls 4 title "writhe + twist, no contact"
unset multiplot
