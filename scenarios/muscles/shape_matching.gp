# SPDX-License-Identifier: GPL-3.0-or-later
# A section that was turned and scaled, and where shape matching with and without scale brings it.
#
#: values runs/* topology/rest_radius
#: frame runs/* t=0,t=1 frames/position frames/scale

radius = number("scaled", "topology/rest_radius", 0, 0)
discs(r, k) = frame(r, "frames/position frames/scale", k)

eval canvas(800, 760)
set multiplot
set size ratio -1
unset grid
unset xtics
unset ytics
unset border
set style fill solid 0.35 border rgb WALL
set xrange [-0.29:0.29]
set yrange [-0.30:0.29]
eval key_at(0.5, 0.97, "center center vertical maxrows 1", "")
do for [i=1:4] {
  eval panel(i % 2 ? 0.02 : 0.51, i % 2 ? 0.49 : 0.98, i > 2 ? 0.02 : 0.47, i > 2 ? 0.45 : 0.90)
  set title fold(word("'scaled by 1.5, matched with scale' 'scaled by 1.5, matched without scale' 'scaled by 0.6, matched with scale' 'scaled by 0.6, matched without scale'", i))
  plot discs(run(i), 0) every 2 using 3:4:(radius * $5) with circles fc rgb "#BDBDBD" title i == 1 ? "turned and scaled" : "", \
    discs(run(i), -1) every 2 using 3:4:(radius * $5) with circles fs empty border rgb "#D55E00" lw 2 title i == 1 ? "matched" : ""
  unset key
}
unset multiplot
