# SPDX-License-Identifier: GPL-3.0-or-later
# Rods whose ends are turned six times: their shapes at three times, and writhe and twist over time.
#
#: values runs/* frames/time
#: series runs/xpbd-1,pbd,through ribbon/writhe ribbon/twist
#: rendered runs/xpbd-1 32,36,-1 260x960 20,3,1.05 pills
#: rendered runs/pbd,through -1 260x960 20,3,1.05 pills

eval canvas(1100, 560)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:129]
set yrange [0:479]
kinds = "xpbd-1 xpbd-1 xpbd-1 pbd through"
do for [k=1:5] {
  eval panel(0.01 + 0.112 * (k - 1), 0.118 + 0.112 * (k - 1), 0.05, 0.89)
  set label 1 part_of("(a) 8 s|(b) 9 s|(c) end|(d) pbd, end|(e) no contact, end", k) at screen place_x(0.065 + 0.112 * (k - 1), 0.92), screen place_y(0.065 + 0.112 * (k - 1), 0.92) center font own_10
  plot rendered(word(kinds, k), "260x960 20,3,1.05 pills", int(word("32 36 -1 -1 -1", k)) < 0 ? int(rows(word(kinds, k), "frames/time")) - 1 : int(word("32 36", k))) \
    binary array=(260,960) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label 1000
}
unset label
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
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
