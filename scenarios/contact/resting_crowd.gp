# SPDX-License-Identifier: GPL-3.0-or-later
# A crowd of octopuses comes to rest: kinetic energy of each over time, by damping and method, beside an octopus held at its
# head that touches nothing.
#
#: series runs/* energy/kinetic
#: values runs/* topology/body
#: rendered runs/block-descent-damping0.1,held-damping0.1 -1 800x600 35,15

eval canvas(1100, 900)
runs_of = "xpbd block-descent direct held"
names_of(d) = d == 1 ? "-damping1" : "-damping0.1"
octopuses(r) = rows(r, "topology/body") / 38.0

set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:399]
set yrange [0:299]
do for [i=1:2] {
  eval panel(0.06 + 0.5 * (i - 1), 0.46 + 0.5 * (i - 1), 0.56, 0.95)
  set title fold((i == 1 ? "block-descent, a tenth of the damping, after 10 s" : "held, without contact, after 10 s"))
  plot rendered((i == 1 ? "block-descent" : "held") . "-damping0.1", "800x600 35,15", -1) \
    binary array=(800,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:10]
set yrange [1e-3:1e5]
set logscale y
set format y "10^{%T}"
set xlabel "time [s]"
do for [d=1:2] {
  eval panel(0.08 + 0.5 * (d - 1), 0.47 + 0.5 * (d - 1), 0.13, 0.46)
  set title fold((d == 1 ? "(a) damping 1 / s" : "(b) damping 0.1 / s"))
  set ylabel (d == 1 ? "kinetic energy of an octopus [J]" : "")
  if (d == 1) { eval key_at(0.5, 0.04, "center center maxrows 1", "") } else { unset key }
  plot 1 with lines lc rgb "#999999" dt solid notitle, for [i=1:4] series(word(runs_of, i) . names_of(d), "energy/kinetic") \
    using 1:($2 / octopuses(word(runs_of, i) . names_of(d))) with lines ls i title (i == 4 ? "held, without contact" : word(runs_of, i))
}
unset multiplot
