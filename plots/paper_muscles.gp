# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's figures 9 to 12 on one sheet: sections matched with and without scale, what that does to a muscle, and
# muscles as rods.
#
#: values runs/shape_matching-* topology/rest_radius
#: frame runs/shape_matching-* t=0,t=1 frames/position frames/scale
#: rendered runs/muscle_contraction-* 0,-1 1080x320 0,10,1,30 at=0.15,0,0
#: series runs/muscle_contraction-* enclosed_volume
#: values runs/muscle_contraction-* enclosed_volume
#: rendered runs/viperized-fusiform -1 540x380 0,25,1,0 body
#: rendered runs/viperized-pennate -1 540x380 0,25,1,0 body
#: rendered runs/viperized-tube -1 540x380 0,60,1,0 body
#: rendered runs/viperized-pectoral -1 540x380 0,60,1,0 body
#: values runs/viperized-fusiform gates/value

heading(n, text) = sprintf("{/:Bold Figure %s} – %s", n, text)

eval canvas(1100, 1230)
up(v) = (980 * v + 250) / 1230.0 # above the last row
set multiplot
unset key
unset grid
unset border
unset tics

# Figure 9: discs before and after.
radius = number("shape_matching-scaled", "topology/rest_radius", 0, 0)
discs(r, k) = frame(r, "frames/position frames/scale", k)
section(i) = "shape_matching-" . word("scaled plain scaled-small plain-small", i)
set size ratio -1
set style fill solid 0.35 border rgb WALL
set xrange [-0.27:0.27]
set yrange [-0.27:0.27]
set label 40 heading("9", "a section turned and scaled by 1.5 and by 0.6 (gray), and matched (orange)") at screen place_x(0.5, up(0.975)), screen place_y(0.5, up(0.975)) center
do for [i=1:4] {
  eval panel(0.01 + 0.247 * (i - 1), 0.01 + 0.247 * i, up(0.66), up(0.925))
  set label 1 (i % 2 ? "with scale" : "without scale") at graph 0.5, graph 1.03 center font letters_9
  plot discs(section(i), 0) every 2 using 3:4:(radius * $5) with circles fc rgb "#BDBDBD", \
    discs(section(i), -1) every 2 using 3:4:(radius * $5) with circles fs empty border rgb "#D55E00" lw 2
  unset label
}

# Figure 10: the muscle, rendered, and the volume in its skin.
view = "1080x320 0,10,1,30 at=0.15,0,0"
muscle(i) = "muscle_contraction-" . (i % 2 ? "scaled" : "plain")
set xrange [0:539]
set yrange [0:159]
set label 40 heading("10", "a muscle at rest and excited: sections keep the muscle's volume where they may scale") at screen place_x(0.5, up(0.625)), screen place_y(0.5, up(0.625)) center
do for [i=1:4] {
  eval panel(i % 2 ? 0.01 : 0.505, i % 2 ? 0.495 : 0.99, up(i > 2 ? 0.265 : 0.43), up(i > 2 ? 0.42 : 0.585))
  set label 1 part_of("at rest|at rest|excited, with scale|excited, without scale", i) at graph 0.5, graph 1.04 center font letters_9
  plot rendered(muscle(i), view, i > 2 ? -1 : 0) binary array=(1080,320) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label
}
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, up(0.10), up(0.24))
set xlabel "time [s]"
set ylabel "volume / at rest"
set yrange [0.75:1.05]
set ytics 0.1
set key at graph 0.985, graph 0.60 right center maxrows 2 samplen 3 font letters_9
volume(i) = series(muscle(i), "enclosed_volume")
rest(i) = number(muscle(i), "enclosed_volume", 0, 0)
plot for [i=1:2] volume(i) using 1:($2 / rest(i)) with lines ls i title (i == 1 ? "with scale" : "without scale")

# Figures 11 and 12: shapes as rods, in a picture each.
unset key
unset grid
unset border
unset tics
unset xlabel
unset ylabel
set size ratio -1
set xrange [0:269]
set yrange [0:189]
set label 40 heading("11, 12", sprintf("muscles as rods: distances of neighbors differ by %.1f %% of their mean at most in the first", \
  100 * number("viperized-fusiform", "gates/value", 0, 0))) at screen place_x(0.5, 0.215), screen place_y(0.5, 0.215) center
view_of(i) = "540x380 0," . (i < 3 ? "25" : "60") . ",1,0 body"
shape(i) = word("fusiform pennate tube pectoral", i)
do for [i=1:4] {
  eval panel(0.01 + 0.247 * (i - 1), 0.01 + 0.247 * i, 0.03, 0.18)
  set label 1 part_of("fusiform|pennate|a bent tube|a fan, as the pectoral", i) at graph 0.5, graph 1.04 center font letters_9
  plot rendered("viperized-" . shape(i), view_of(i), -1) binary array=(540,380) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label
}
unset multiplot
