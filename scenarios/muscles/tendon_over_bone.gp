# SPDX-License-Identifier: GPL-3.0-or-later
# The muscle and its tendon at three times; the muscle's pull over time, with the bounds of the capstan's law; where the load is.
#
#: rendered runs/mu-0.3 0,8,15 400x520 235,14,1,30
#: series runs/mu-* reaction/force[1,2]
#: series runs/mu-* frames/position[104,2]

eval canvas(1000, 780)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:199]
set yrange [0:259]
do for [i=1:3] {
  eval panel(0.06 + 0.31 * (i - 1), 0.32 + 0.31 * (i - 1), 0.47, 0.94)
  set title fold(part_of("at rest|shortest, after 0.8 s|as at first, after 1.5 s", i))
  plot rendered("mu-0.3", "400x520 235,14,1,30", int(word("0 8 15", i))) binary array=(400,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xlabel "time [s]"
set xrange [0:1.5]

weight_of(t) = 2 * (t < 0.15 ? (3 - 2 * t / 0.15) * (t / 0.15)**2 : 1)
eval panel(0.08, 0.47, 0.11, 0.40)
set title fold("(a) pull of the muscle: the force on the bone, less the weight")
set ylabel "force [N]"
set yrange [0:7.5]
set key inside right top
plot series("mu-0.3", "reaction/force[1,2]") using 1:(column(2) - weight_of(column(1))) with lines ls 1 title "μ = 0.3", \
  series("mu-0", "reaction/force[1,2]") using 1:(column(2) - weight_of(column(1))) with lines ls 2 title "μ = 0", \
  2 * exp(0.3 * pi) with lines dt 3 lc rgb "#000000" title "2 N e^{±μπ}", 2 * exp(-0.3 * pi) with lines dt 3 lc rgb "#000000" notitle

eval panel(0.59, 0.98, 0.11, 0.40)
set title fold("(b) the weight")
set ylabel "height [mm]"
set autoscale y
set key inside left top
plot series("mu-0.3", "frames/position[104,2]") using 1:(1e3 * column(2)) with linespoints ls 1 pt 7 ps 0.4 title "μ = 0.3", \
  series("mu-0", "frames/position[104,2]") using 1:(1e3 * column(2)) with linespoints ls 2 pt 7 ps 0.4 title "μ = 0"
unset multiplot
