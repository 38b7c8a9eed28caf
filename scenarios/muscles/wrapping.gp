# SPDX-License-Identifier: GPL-3.0-or-later
# Pull at the muscle's origin over time, with the bounds of the capstan's law, and where the load is.
#
#: series runs/direct-* reaction/force[0,2]
#: series runs/direct-* frames/position[37,2]
#: values runs/direct-* gates/value gates/reference

most = -number("direct-0.3", "gates/reference", 0, 0)
least = -number("direct-0.3", "gates/reference", 1, 0)
eval canvas(1000, 480)
set multiplot
set xlabel "time [s]"
set xrange [0:1.5]

eval panel(0.08, 0.47, 0.17, 0.86)
set title fold("(a) pull at the origin")
set ylabel "force [N]"
set yrange [0:6.5]
set key inside right top
plot series("direct-0.3", "reaction/force[0,2]") using 1:(-column(2)) with lines ls 1 title "μ = 0.3", \
  series("direct-0", "reaction/force[0,2]") using 1:(-column(2)) with lines ls 2 title "μ = 0", \
  most with lines dt 3 lc rgb "#000000" title "2 N e^{±μπ}", least with lines dt 3 lc rgb "#000000" notitle
unset label 1000

eval panel(0.59, 0.97, 0.17, 0.86)
set title fold("(b) the weight")
set ylabel "height [mm]"
set autoscale y
set key inside left top
plot series("direct-0.3", "frames/position[37,2]") using 1:(1e3 * column(2)) with lines ls 1 title "μ = 0.3", \
  series("direct-0", "frames/position[37,2]") using 1:(1e3 * column(2)) with lines ls 2 title "μ = 0"
unset multiplot
