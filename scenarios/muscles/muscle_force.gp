# SPDX-License-Identifier: GPL-3.0-or-later
# What a muscle pulls with over its length, as rods and as quadratic tetrahedra, passive and active; their volume; two of them at the end.
#
#: series runs/* reaction/force[1,0] reaction/force[0,0]
#: series runs/* enclosed_volume
#: values runs/* enclosed_volume
#: rendered runs/rods.0.8,solid.0.8 3,-1 1000x340 0,90,1,30

eval canvas(1000, 900)
set multiplot
# The insertion moves from 0.3 s to 0.7 s by a cubic that is at rest at both ends.
part(t) = (t - 0.3) / 0.4
stretch(t) = t < 0.3 - 1e-9 ? NaN : 1 + 0.2 * (3 * part(t) ** 2 - 2 * part(t) ** 3)
eval panel(0.09, 0.98, 0.47, 0.97)
set xlabel "length over that at rest [1]"
set ylabel "force at the tendons, mean of both [N]"
set xrange [0.995:1.205]
set yrange [0:20]
set key left top maxrows 3
plot for [i=1:3] series(run(i), "reaction/force[1,0] reaction/force[0,0]") using (stretch($1)):(($2 - $3) / 2) with lines ls (i + 1) title label_of(i), \
  for [i=4:6] series(run(i), "reaction/force[1,0] reaction/force[0,0]") using (stretch($1)):(($2 - $3) / 2) with linespoints ls (i - 2) dt solid title label_of(i)
eval panel(0.09, 0.47, 0.10, 0.38)
set xlabel "time [s]"
set ylabel "change of volume [1]"
set xrange [0:0.7]
set yrange [0:0.05]
set xtics 0.2
unset key
rest(r) = number(r, "enclosed_volume", 0, 0)
plot for [i=1:3] series(run(i), "enclosed_volume") using 1:($2 / rest(run(i)) - 1) with lines ls (i + 1), \
  for [i=4:6] series(run(i), "enclosed_volume") using 1:($2 / rest(run(i)) - 1) with linespoints ls (i - 2) dt solid
unset key
unset grid
unset border
unset tics
unset xlabel
unset ylabel
set size ratio -1
set xrange [0:499]
set yrange [0:169]
do for [i=1:2] {
  r = word("rods.0.8 solid.0.8", i)
  eval panel(0.52, 0.99, i == 1 ? 0.23 : 0.06, i == 1 ? 0.36 : 0.19)
  set title fold((i == 1 ? "rods" : "tetrahedra") . ", a = 0.8, lengthened") offset 0, -0.5
  plot rendered(r, "1000x340 0,90,1,30", -1) binary array=(1000,340) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset multiplot
